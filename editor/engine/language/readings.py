"""What a clause came to, and the changes of a list that share the place that closes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.lexicon import Role, is_flaw
from editor.engine.language.phrases import (
    COPIED,
    NEW_BACKGROUND,
    REMOVED,
    Answer,
    Phrase,
)
from editor.engine.language.tone import aimed
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Refusal, Target


@dataclass(frozen=True, slots=True)
class Reading:
    """What one clause came to. `keep` protects parts of the photo from the other clauses."""

    steps: tuple[Wish, ...] = ()
    refusal: Refusal | None = None
    keep: tuple[Target, ...] = ()
    protects: str = ""  # "aside" from the wishes before it, "always", or "colors"; also where it is refused
    about: str = ""  # what "it" means in the next clause
    is_open: bool = False  # a change of tone that names no part of the photo
    is_complaint: bool = False  # it only says what is wrong: "it is blurry"
    is_vague: bool = False  # a change that does not say in which direction
    is_moderate: bool = False  # of what was asked for just before only little is meant
    is_sharing: bool = False  # its closing "of the background" is about the open ones before it too
    where: str = ""  # how its words tell where: see Phrase
    names: frozenset[str] = frozenset()  # the things and people in its words

    @property
    def thing(self) -> Target | None:
        """What "it" is after changes of light and color: the one part that they are of, if it is no one."""
        targets = {step.target for step in self.steps}
        is_one = len(targets) == 1 and all(step.operation in _OF_PARTS for step in self.steps)
        target = targets.pop() if is_one else WHOLE
        is_part = target.what in ("thing", "face") and not is_someone(target.noun)
        return target if is_part and not is_plural(target.noun or "") else None

    @property
    def is_tonal(self) -> bool:
        """Whether it only moves qualities, by amounts that could be others."""
        return bool(self.steps) and all(step.operation in TONES for step in self.steps)


def reading_of(phrase: Phrase, answer: Answer) -> Reading:
    is_sharing = _closes_with_a_place(phrase)
    opens = bool(phrase.core) and phrase.core[0].has(Role.CHANGE, Role.ADJUST, Role.USE)
    is_vague = opens and all(atom.has_any(_DIRECTIONLESS) for atom in phrase.core[1:])
    if isinstance(answer, Refusal):
        about = "unclear" if _names_a_part(phrase) else "whole" * (phrase.where == "whole")
        return Reading(refusal=answer, about=about, is_sharing=is_sharing, is_vague=is_vague)
    is_complaint = _complains(phrase, answer)
    is_open = not phrase.scopes and all(_is_whole_tone(step) for step in answer)
    about = _subject_of(phrase, answer)
    return Reading(
        tuple(answer),
        about=about,
        is_open=is_open,
        is_complaint=is_complaint,
        is_vague=is_vague,
        is_sharing=is_sharing,
        where=phrase.where if phrase.scene.boxes else "",
        names=phrase.names if phrase.scene.boxes else frozenset(),
    )


def _names_a_part(phrase: Phrase) -> bool:
    """ "The bright background is distracting, make it darker": what was not understood may be meant."""
    is_part = any(scope.what not in ("region", "unclear") for scope in phrase.named)
    return is_part or any(atom.has(Role.NOUN) and not atom.has(Role.QUALITY) for atom in phrase.core)


def _complains(phrase: Phrase, steps: Sequence[Wish]) -> bool:
    """ "It is blurry", "way too dark", "it has a red tint": no verb says what is to be done."""
    if phrase.has(*_DOING):
        return False
    tells = any(is_flaw(atom.text) or atom.has(Role.TOO, Role.LACKING) for atom in phrase.core)
    tells = tells or all(step.operation == "tint" and (step.amount or 0) < 0 for step in steps)
    return tells or all(step.operation in ("red_eye", "dust", "blemishes") for step in steps)


_DOING = (Role.MAKE, Role.RAISE, Role.LOWER, Role.REMOVE, Role.ADJUST, Role.ENHANCE, Role.ADD, Role.CHANGE)
_DIRECTIONLESS = (Role.QUALITY, Role.COLORS, Role.CAST, Role.AND, Role.EFFECT, Role.AMOUNT, Role.PREPOSITION)
TONES = frozenset(
    {
        *("brightness", "contrast", "saturation", "warmth", "sharpness", "exposure", "highlights", "shadows"),
        *("vibrance", "clarity", "tint", "denoise", "dehaze", "blur", "grain"),
    }
)
_OF_PARTS = TONES | {"recolor"}
_PLACING = frozenset({"of", "in", "on", "for", "within", "inside", "behind", "around"})


def _is_whole_tone(step: Wish) -> bool:
    return step.operation in TONES and step.target == WHOLE


def _closes_with_a_place(phrase: Phrase) -> bool:
    """ "... and reduce the contrast of the background"."""
    atoms = phrase.clause.atoms
    if _PLACING.isdisjoint([atom.text for atom in atoms]):
        return False
    qualities = [at for at, atom in enumerate(atoms) if atom.has(Role.QUALITY, Role.COLORS)]
    is_whole = bool(phrase.scopes) and phrase.scopes[-1].what == "whole"
    return not is_whole and any(atom.text in _PLACING for atom in atoms[max(qualities, default=len(atoms)) :])


def shared(readings: Sequence[Reading], joints: Sequence[str], instruction: str) -> list[Reading]:
    """ "Increase brightness and reduce contrast of the background": the place that closes a list of
    changes of tone is the place of them all. When it is refused, so are they."""
    told = list(readings)
    for at in range(len(told) - 1, 0, -1):
        closing, before = told[at], told[at - 1]
        if closing.is_sharing and before.is_open and joints[at] == "and":
            told[at - 1] = _sharing(before, closing, instruction)
    return told


def _sharing(before: Reading, closing: Reading, instruction: str) -> Reading:
    if closing.refusal:
        words = instruction[before.steps[0].words[0] : before.steps[-1].words[1]]
        return Reading(refusal=replace(closing.refusal, words=words), is_sharing=True)
    targets = tuple(dict.fromkeys(step.target for step in closing.steps))
    steps = tuple(aimed(step, target) for step in before.steps for target in targets)
    return replace(before, steps=steps, is_sharing=True)


def _subject_of(phrase: Phrase, steps: Sequence[Wish]) -> str:
    if steps[-1].kind is Kind.BACKGROUND:
        return "background" if steps[-1].operation == "photo_background" else NEW_BACKGROUND
    if steps[-1].operation == "erase":
        return REMOVED
    if steps[-1].operation == "copy_thing":
        return COPIED
    if steps[-1].kind is Kind.COMPOSITION:
        return steps[-1].target.what if steps[-1].operation.endswith("_thing") else "whole"
    if steps[-1].kind is Kind.ADD and steps[-1].operation != "vignette":
        return "addition"
    return (
        "whole" if steps[-1].target == WHOLE and steps[-1].kind is not Kind.REMOVE else steps[-1].target.what
    )
