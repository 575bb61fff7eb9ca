"""What is to be fixed: "fix the overexposure", "adjust the contrast", "correct the glare and the colors"."""

from itertools import groupby

from editor.engine.language.fading import faded
from editor.engine.language.forms.form import LINKS, PARTS, Form, Found, amount_of
from editor.engine.language.forms.looks import enhanced, look_of, part_of_a_look
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import Kind, Refusal

_FLAWS = frozenset({"denoise", "dehaze", "blur"})
_RAISED = frozenset({"sharpness", "clarity"})
"""Of these "fix it" can only mean more."""


def _mended(phrase: Phrase, found: Found) -> Answer | None:
    """ "Fix the noise", "correct the overexposure": there is to be less of it."""
    is_fixed = _is_a_fault(found[Role.QUALITY]) and phrase.core[0].has(Role.ADJUST)
    return faded(phrase, phrase.core[1:]) if is_fixed else None


def _is_a_fault(atom: Atom) -> bool:
    tone = atom.senses.get(Role.QUALITY)
    is_flaw = isinstance(tone, Tone) and tone.operation in _FLAWS
    return is_flaw or atom.text.startswith(("over", "under")) or "glare" in atom.text


def _adjusted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Fix the glare and the colors": each in its own way, light and color automatically."""
    answer = enhanced(phrase, found)
    parts = [atom for atom in phrase.core if atom.has(*_PARTS) and not atom.has(Role.ADJUST)]
    named = [(_sort_of(atom), atom) for atom in parts]
    is_mixed = len({sort for sort, _ in named}) > 1 and all(sort for sort, _ in named)
    if not is_mixed or isinstance(answer, Refusal) or Role.VAGUE in found or Role.BALANCE in found:
        return answer
    steps = []
    for sort, group in groupby(named, key=lambda one: one[0]):
        if sort == "fault":
            less = faded(phrase, [atom for _, atom in group])
            if not isinstance(less, list):
                return less
            steps += less
        elif sort in _RAISED:
            steps.append(phrase.step(Kind.COLOR, sort, amount=amount_of(found, UNMARKED)))
        else:
            steps.append(phrase.step(Kind.COLOR, "enhance", amount=amount_of(found, UNMARKED), choice=sort))
    return list(dict.fromkeys(steps))


def _sort_of(atom: Atom) -> str:
    """How it is mended: as a "fault", by more "sharpness", automatically as "light" or "color"."""
    part = part_of_a_look(atom)
    return "fault" if _is_a_fault(atom) else part if part in _RAISED else look_of({part}) or ""


_PARTS = (Role.QUALITY, Role.COLORS, Role.CAST)
MENDINGS: tuple[Form, ...] = (
    Form(_mended, needs=((Role.ADJUST,), (Role.QUALITY,)), may=(Role.AMOUNT,), words=LINKS, others=PARTS),
    Form(
        _adjusted,
        needs=((Role.ADJUST,), (Role.QUALITY, Role.COLORS)),
        may=(Role.COLORS, Role.AMOUNT, Role.VAGUE, Role.CAST, Role.BALANCE),
        many=(Role.QUALITY,),
        words=LINKS | {"/"},
    ),
)
