"""Small flaws that are corrected, and faces that are hidden."""

from collections.abc import Sequence

from editor.engine.language.forms.form import Form, Found, amount_of, value_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import boxed
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import WHOLE, Kind, Reason, Target

_ON_SKIN = ("face", "person", "subject")


def healed(phrase: Phrase, flaws: Sequence[Atom]) -> Answer:
    """Steps that take the flaws away: in the boxes where there are any, spots on a face as blemishes."""
    if any(scope.what in ("background", "unclear") for scope in phrase.named):
        return phrase.refused(Reason.NEEDS_REGION, "Mark the place with a box.")
    on_skin = any(scope.what in _ON_SKIN for scope in phrase.named) or any(
        atom.text == "skin" for atom in phrase.core
    )
    operations = dict.fromkeys(_operation(flaw, on_skin=on_skin) for flaw in flaws)
    return [phrase.step(Kind.REMOVE, name, target=_target(phrase, name)) for name in operations]


def _operation(flaw: Atom, *, on_skin: bool) -> str:
    operation = str(flaw.senses[Role.FLAW])
    if operation == "crease":
        return "dust"
    return "blemishes" if operation == "dust" and on_skin else operation


def _target(phrase: Phrase, operation: str) -> Target:
    if phrase.scene.boxes:
        return boxed(phrase)
    named = {scope.what for scope in phrase.named}
    return Target("face") if operation == "blemishes" and "face" in named else WHOLE


def _corrected(phrase: Phrase, found: Found) -> Answer | None:
    return healed(phrase, [atom for atom in phrase.core if atom.has(Role.FLAW)])


def _complained_of(phrase: Phrase, found: Found) -> Answer | None:
    """ "There are scratches and stains", and "red eyes", which nobody wants, unlike "glowing eyes"."""
    flaws = [atom for atom in phrase.core if atom.has(Role.FLAW)]
    is_told = phrase.core[0].has(Role.BE) or value_of(found, Role.FLAW) == "red_eye"
    may_be_wished = any(atom.text.startswith("glowing") for atom in flaws)
    return healed(phrase, flaws) if is_told and not may_be_wished else None


def _retouched(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make my face look better": its skin, for nothing else of a face is changed."""
    verb, praise = phrase.core[0].text, [atom.text for atom in phrase.core if atom.has(Role.VAGUE)]
    if not set(praise) <= _BETTER or (not praise and not verb.startswith(("retouch", "touch"))):
        return None
    is_one = bool(phrase.scene.boxes) and all(atom.text != "faces" for atom in phrase.clause.atoms)
    target = boxed(phrase) if is_one else Target("face")
    return [
        phrase.step(Kind.REMOVE, "blemishes", target=target),
        phrase.step(Kind.COLOR, "smooth_skin", target=target, amount=amount_of(found, UNMARKED)),
    ]


def _evened(phrase: Phrase, found: Found) -> Answer | None:
    """ "Fix my skin", "clean up her skin"."""
    skin = [atom for atom in phrase.core if atom.text == "skin"]
    if len(skin) != 1 or any(scope.what in ("background", "unclear") for scope in phrase.named):
        return None
    target = boxed(phrase) if phrase.scene.boxes else Target("face")
    return [
        phrase.step(Kind.REMOVE, "blemishes", target=target),
        phrase.step(Kind.COLOR, "smooth_skin", target=target, amount=amount_of(found, UNMARKED)),
    ]


_BETTER = frozenset(
    {"better", "look better", "nicer", "look nicer", "prettier", "more beautiful", "beautiful"}
)


def _hidden(phrase: Phrase, found: Found) -> Answer | None:
    """ "Blur all the faces": whose faces they are cannot be told apart without a box."""
    if not phrase.scene.boxes and any(atom.text.endswith("'s") for atom in phrase.clause.atoms):
        return phrase.refused(Reason.NEEDS_REGION, "Mark the face with a box, or say: blur all the faces.")
    target = boxed(phrase) if phrase.scene.boxes else WHOLE
    return [phrase.step(Kind.REMOVE, "hide_faces", target=target, choice=value_of(found, Role.HIDE))]


HEALINGS: tuple[Form, ...] = (
    Form(
        _corrected,
        needs=((Role.ADJUST, Role.LOWER, Role.ENHANCE, Role.RESTORE), (Role.FLAW,)),
        may=(Role.ADD,),
        many=(Role.FLAW, Role.AMOUNT, Role.WHOLE, Role.AND, Role.NUMBER),
        words=frozenset({"in", "on", "from", "of", "skin", "and", "small", "unwanted"}),
        others=frozenset({"whole", "face", "person", "subject", "region"}),
    ),
    Form(
        _complained_of,
        needs=((Role.FLAW,),),
        many=(Role.FLAW, Role.BE, Role.AND, Role.AMOUNT),
        words=frozenset({"some", "several", "many", "on", "in", "over", "all", "that", "visible"}),
        others=frozenset({"whole", "face", "person"}),
    ),
    Form(
        _retouched,
        needs=((Role.MAKE, Role.ENHANCE),),
        may=(Role.VAGUE, Role.AMOUNT),
        scope="face",
    ),
    Form(
        _evened,
        needs=((Role.ADJUST, Role.ENHANCE), (Role.FINDABLE,)),
        may=(Role.AMOUNT,),
        words=frozenset({"of", "on"}),
        others=frozenset({"person", "subject", "region", "face"}),
    ),
    Form(
        _hidden,
        needs=((Role.HIDE,),),
        many=(Role.WHOLE, Role.SEVERAL),
        words=frozenset({"out", "in", "of"}),
        scope="face",
    ),
)
