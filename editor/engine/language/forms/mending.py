"""What is to be fixed: "fix the overexposure", "adjust the contrast", "correct the glare and the colors"."""

from dataclasses import replace
from itertools import groupby

from editor.engine.language.fading import faded
from editor.engine.language.forms.form import LINKS, PARTS, Form, Found, amount_of
from editor.engine.language.forms.looks import WRONG, balanced, enhanced, look_of, part_of_a_look
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import UNMARKED, toned
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
    if Role.AMOUNT in found and found[Role.AMOUNT].text.endswith(" more"):
        return None  # "adjust the contrast a bit more" says which way
    answer = enhanced(phrase, found)
    parts = [atom for atom in phrase.core if atom.has_any(_PARTS) and not atom.has(Role.ADJUST)]
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


def _faulty(phrase: Phrase, found: Found) -> Answer | None:
    """ "It has odd colors", "the photo has poor quality", "it has weird colors and bad quality"."""
    texts = {atom.text for atom in phrase.core}
    is_told = any(atom.text == "has" for atom in phrase.clause.atoms)
    is_wrong = Role.COLORS not in found or not texts.isdisjoint(WRONG)
    is_poor = Role.VAGUE not in found or not texts.isdisjoint(_POOR)
    if not (is_told and is_wrong and is_poor):
        return None
    if Role.VAGUE not in found:
        return balanced(phrase, found)
    is_quality = found[Role.VAGUE].text.endswith("quality")
    return [phrase.step(Kind.COLOR, "enhance", amount=UNMARKED)] if is_quality else None


_POOR = frozenset({"poor", "bad", "crappy", "low", "awful", "terrible", "horrible"})


def _restored_quality(phrase: Phrase, found: Found) -> Answer | None:
    """ "Restore the sharpness and contrast": more of them."""
    rest = [atom for atom in phrase.core if not atom.has(Role.RESTORE)]
    tones = [atom.senses.get(Role.QUALITY) for atom in rest]
    is_gain = all(tone.sign > 0 for tone in tones if isinstance(tone, Tone))
    return toned(replace(phrase, core=[_RAISING, *rest])) if is_gain else None


_RAISING = Atom("increase", 0, 0, {Role.RAISE: "increase"})


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
    Form(
        _faulty,
        needs=((Role.VAGUE, Role.COLORS),),
        may=(Role.VAGUE, Role.COLORS),
        many=(Role.AND,),
        words=WRONG | _POOR,
    ),
    Form(
        _restored_quality,
        needs=((Role.RESTORE,), (Role.QUALITY,)),
        many=(Role.QUALITY, Role.AND, Role.AMOUNT),
        words=frozenset({"to", "of", "in"}),
    ),
)
