"""The format of the file: "save it as a PNG"."""

from editor.engine.language.forms.form import LINKS, Form, Found, value_of
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.plan import Kind, Reason

_SAVING = frozenset(
    {"save", "saved", "saving", "export", "exported", "download", "output", "give", "send", "me"}
)
_KINDS = frozenset({"file", "files", "format", "image", "type", "extension", "version", "filetype"})


def _saved(phrase: Phrase, found: Found) -> Answer | None:
    kind = value_of(found, Role.FILE)
    if not kind:
        return phrase.refused(Reason.NO_SUCH_TARGET, "A result is a PNG, a JPEG or a WebP file: say which.")
    return [phrase.step(Kind.COMPOSITION, "file_format", choice=kind)]


def _converted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Convert it from png to jpg": the kind after the "to" counts."""
    order = [atom for atom in phrase.core if atom.has(Role.FILE) or atom.text in ("from", "to", "into")]
    is_told = [atom.text for atom in order[::2]] in (["from", "to"], ["from", "into"])
    return _saved(phrase, {Role.FILE: order[-1]}) if is_told else None


FILES: tuple[Form, ...] = (
    Form(
        _saved,
        needs=((Role.FILE,),),
        may=(Role.CHANGE, Role.MAKE, Role.ADJUST, Role.ADD, Role.USE),
        words=LINKS | _SAVING | _KINDS,
    ),
    Form(
        _converted,
        needs=((Role.FILE,), (Role.FILE,)),
        may=(Role.CHANGE, Role.MAKE, Role.ADJUST),
        words=LINKS | _SAVING | _KINDS,
    ),
)
