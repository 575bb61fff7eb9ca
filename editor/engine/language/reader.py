"""From a clause to steps: what kind of clause it is, and the rules that are tried on it in turn.

A rule that leaves a word unclaimed does not apply, so a clause is carried out whole or refused with the
person's own words. A scope that cannot be found is a refusal; it never becomes the whole photo.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from editor.engine.language.forms import by_form
from editor.engine.language.grammar import Atom, Clause, Measure, is_packing
from editor.engine.language.lexicon import Role, Tone, Unavailable, is_flaw
from editor.engine.language.lists import leaves_out
from editor.engine.language.phrases import (
    NEW_BACKGROUND,
    ONE_BY_ONE,
    REMOVED,
    Answer,
    Phrase,
    Scene,
    Scope,
    boxed,
    findable,
    is_about_the_subject,
    is_compound,
    missing_photo,
    names_something,
    other_photo,
    placed_person,
    taken_apart,
)
from editor.engine.language.recoloring import recolored
from editor.engine.language.removal import removed
from editor.engine.language.scopes import is_name
from editor.engine.language.states import colorizing, without_states
from editor.engine.language.tone import aimed, toned
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Step, Target


@dataclass(frozen=True, slots=True)
class Reading:
    """What one clause came to. `keep` protects parts of the photo from the other clauses."""

    steps: tuple[Step, ...] = ()
    refusal: Refusal | None = None
    keep: tuple[Target, ...] = ()
    protects: str = ""  # "aside" from the wishes before it, "always", or "colors"; also where it is refused
    about: str = ""  # what "it" means in the next clause
    is_open: bool = False  # a change of tone that names no part of the photo
    is_complaint: bool = False  # it only says what is wrong: "it is blurry"
    is_vague: bool = False  # a change that does not say in which direction
    is_sharing: bool = False  # its closing "of the background" is about the open ones before it too
    where: str = ""  # how its words tell where: see Phrase
    names: frozenset[str] = frozenset()  # the things and people in its words

    @property
    def is_tonal(self) -> bool:
        """Whether it only moves qualities, by amounts that could be others."""
        return bool(self.steps) and all(step.operation in _TONES for step in self.steps)


def read(clause: Clause, scene: Scene, *, before: Reading) -> Reading:
    """The steps that a clause asks for, or why it is refused; `before` is the clause before it."""
    if _says_nothing(clause) or _is_purpose(clause, before):
        is_vague = any(_is_mere_edit(atom) for atom in clause.atoms)
        return Reading(about=before.about, refusal=_named_in_passing(clause, scene), is_vague=is_vague)
    if _is_mere_fix(clause, before):
        return Reading(about=before.about)
    clause = without_states(_as_a_wish(clause))
    if before.keep:
        clause = replace(clause, atoms=[_of_the_rest(atom) for atom in clause.atoms])
    phrase = taken_apart(clause, scene, before.about)
    wrong_photo = missing_photo(phrase)
    if wrong_photo:
        return Reading(refusal=wrong_photo)
    if _opening(clause).has(Role.KEEP, Role.WITHOUT, Role.EXCEPT):
        return _protecting(_opening(clause), _protection(phrase, before))
    return _reading(phrase, _checked(phrase, _answer(phrase)))


def _of_the_rest(atom: Atom) -> Atom:
    """ "Keep the red car and make the rest gray": all of the photo, for the car is kept."""
    return replace(atom, senses={Role.PHOTO: atom.text}) if atom.has(Role.REST) else atom


def _checked(phrase: Phrase, answer: Answer) -> Answer:
    """An accepted step is charged, so it has to change something, and on the photo that is meant."""
    if not isinstance(answer, Refusal):
        if all(step.operation in _OF_OTHER_PHOTOS for step in answer):
            return answer
        if any(_changes_nothing(step) for step in answer):
            return phrase.refused(Reason.AMBIGUOUS, "Nothing would change.")
        if leaves_out(phrase, answer):
            return phrase.refused(Reason.AMBIGUOUS, ONE_BY_ONE)
        if any(_is_beside(phrase, step) for step in answer):
            return phrase.refused(Reason.NEEDS_REGION, "Mark what is to change with a box.")
    return other_photo(phrase) or answer


_OF_OTHER_PHOTOS = frozenset({"photo_background", "sticker", "collage"})


def _named_in_passing(clause: Clause, scene: Scene) -> Refusal | None:
    """ "This is photo 2. Brighten it." """
    phrase = taken_apart(clause, scene, "") if scene.photos > 1 else None
    return other_photo(phrase) if phrase and set(phrase.photos) - {1} else None


_BESIDE = frozenset({"around", "behind", "against"})


def _is_beside(phrase: Phrase, step: Step) -> bool:
    """ "Darken around the box": the box says where, and is not what changes."""
    landmarks = {scope.what for scope in phrase.named if scope.preposition in _BESIDE}
    landmarks |= {"subject"} if "person" in landmarks else set()
    return (
        step.operation != "crop"
        and step.kind is not Kind.ADD
        and step.target.what in landmarks - {"background"}
    )


def _changes_nothing(step: Step) -> bool:
    value, unit = step.exact or (None, "")
    if value is None or step.operation == "resize":
        return step.amount == 0 or value == 100
    return step.amount == 0 or value == 0 or (unit == "degrees" and value % 360 == 0)


def _reading(phrase: Phrase, answer: Answer) -> Reading:
    is_sharing = _closes_with_a_place(phrase)
    opens = bool(phrase.core) and phrase.core[0].has(Role.CHANGE, Role.ADJUST, Role.USE)
    is_vague = opens and all(atom.has(*_DIRECTIONLESS) for atom in phrase.core[1:])
    if isinstance(answer, Refusal):
        about = "unclear" if _names_a_part(phrase) else "whole" * (phrase.where == "whole")
        return Reading(refusal=answer, about=about, is_sharing=is_sharing, is_vague=is_vague)
    is_complaint = _complains(phrase)
    is_open = not phrase.scopes and all(_is_whole_tone(step) for step in answer)
    about = _subject_of(phrase, answer)
    reading = Reading(tuple(answer), about=about, is_open=is_open, is_sharing=is_sharing, is_vague=is_vague)
    return replace(reading, is_complaint=is_complaint, where=phrase.where, names=phrase.names)


def _names_a_part(phrase: Phrase) -> bool:
    """ "The bright background is distracting, make it darker": what was not understood may be meant."""
    is_part = any(scope.what not in ("region", "unclear") for scope in phrase.named)
    return is_part or any(atom.has(Role.NOUN) and not atom.has(Role.QUALITY) for atom in phrase.core)


def _complains(phrase: Phrase) -> bool:
    """ "It is blurry", "way too dark": no verb says what is to be done."""
    tells = any(is_flaw(atom.text) or atom.has(Role.TOO, Role.LACKING) for atom in phrase.core)
    return tells and not any(atom.has(*_DOING) for atom in phrase.core)


_DOING = (Role.MAKE, Role.RAISE, Role.LOWER, Role.REMOVE, Role.ADJUST, Role.ENHANCE, Role.ADD, Role.CHANGE)


def _is_mere_fix(clause: Clause, before: Reading) -> bool:
    """ "... please fix it", of what was just complained about."""
    telling = [atom for atom in clause.atoms if not is_packing(atom) and not atom.has(Role.DETERMINER)]
    fixes = bool(telling) and telling[0].text in _FIXING
    return before.is_complaint and fixes and all(atom.has(Role.IT, Role.THIS) for atom in telling[1:])


_FIXING = frozenset({"fix", "correct", "fixed", "fix up", "repair", "adjust"})

_DIRECTIONLESS = (Role.QUALITY, Role.COLORS, Role.CAST, Role.AND, Role.EFFECT, Role.AMOUNT, Role.PREPOSITION)


_TONES = frozenset(
    {
        *("brightness", "contrast", "saturation", "warmth", "sharpness", "exposure", "highlights", "shadows"),
        *("vibrance", "clarity", "tint", "denoise", "dehaze", "blur", "grain"),
    }
)
_PLACING = frozenset({"of", "in", "on", "for", "within", "inside", "behind", "around"})


def _is_whole_tone(step: Step) -> bool:
    return step.operation in _TONES and step.target == WHOLE


def _closes_with_a_place(phrase: Phrase) -> bool:
    """ "... and reduce the contrast of the background"."""
    atoms = phrase.clause.atoms
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


def _subject_of(phrase: Phrase, steps: Sequence[Step]) -> str:
    if steps[-1].kind is Kind.BACKGROUND:
        return "background" if steps[-1].operation == "photo_background" else NEW_BACKGROUND
    if steps[-1].operation == "erase":
        return REMOVED
    if steps[-1].kind is Kind.COMPOSITION:
        return "whole"
    if steps[-1].kind is Kind.ADD and steps[-1].operation != "vignette":
        return "addition"
    return (
        "whole" if steps[-1].target == WHOLE and steps[-1].kind is not Kind.REMOVE else steps[-1].target.what
    )


def _answer(phrase: Phrase) -> Answer:
    for attempt in (colorizing, removed, by_form, recolored, toned):
        answer = attempt(phrase)
        if answer is not None:
            return answer
    return _not_understood(phrase)


def _opening(clause: Clause) -> Atom:
    return next((atom for atom in clause.atoms if not is_packing(atom)), clause.atoms[0])


def amount_alone(clause: Clause) -> float | None:
    """The percentage that is all of a clause: "By 30%."."""
    telling = [atom for atom in clause.atoms if not is_packing(atom) and atom.text not in ("by", "about")]
    measure = telling[0].senses.get(Role.MEASURE) if len(telling) == 1 else None
    is_share = isinstance(measure, Measure) and measure.unit == "percent" and 0 < measure.value <= 100
    return measure.value if isinstance(measure, Measure) and is_share else None


def _says_nothing(clause: Clause) -> bool:
    """Mere courtesy."""
    telling = [
        atom for atom in clause.atoms if not is_packing(atom) and not atom.has(Role.DETERMINER, Role.BE)
    ]
    is_asked = any(atom.has(Role.BE) for atom in clause.atoms)  # "is this possible?"
    if is_asked and all(atom.has(Role.IT, Role.THIS) for atom in telling):
        return True
    return not telling or (_is_mere_edit(telling[0]) and all(_is_the_photo(atom) for atom in telling[1:]))


def _is_mere_edit(atom: Atom) -> bool:
    """ "Edit the photo and ..." has said nothing yet."""
    return atom.has(Role.ADJUST) and atom.text.startswith(("photoshop", "edit"))


def _is_the_photo(atom: Atom) -> bool:
    return atom.has(Role.PHOTO, Role.IT, Role.THIS)


def _as_a_wish(clause: Clause) -> Clause:
    """ "... to make it less hazy" without its "to"; "... so that it is gone" stays as it is."""
    opening = clause.atoms[0]
    is_plain = clause.joint == "purpose" and opening.text == "to"
    is_reason = _opens_a_purpose(clause) and opening.text.split()[0] in ("so", "because", "until", "till")
    told = [atom for atom in clause.atoms[1:] if not atom.has(Role.BE)]
    if is_reason and any(atom.has(Role.NOT) for atom in told):
        flaws = [atom for atom in told if is_flaw(atom.text) or atom.has(Role.PHOTO, Role.IT)]
        less = replace(opening, senses={Role.LESS: opening.text})
        return replace(clause, atoms=[less, *flaws]) if flaws else clause
    if (
        is_reason
        and told
        and any(atom.has(Role.MORE, Role.LESS, Role.TOO) or _compares(atom) for atom in told)
    ):
        return replace(clause, atoms=told)
    if opening.text in _TO_MAKE:
        made = replace(opening, senses={Role.MAKE: opening.text})
        return replace(clause, atoms=[made, *clause.atoms[1:]])
    return replace(clause, atoms=clause.atoms[1:]) if is_plain and len(clause.atoms) > 1 else clause


def _compares(atom: Atom) -> bool:
    meaning = atom.senses.get(Role.ADJECTIVE)
    return isinstance(meaning, Tone) and meaning.comparative


_TO_MAKE = frozenset({"to make this look", "to make it look", "to make this a", "to make it a"})


_SEEING = {
    "visible",
    "clear",
    "clearer",
    "readable",
    "legible",
    "in focus",
    "clearly",
    "look better",
    "better",
    "detail",
    "details",
    "noticeable",
    "visibility",
    "recognizable",
}
_DECISIVE: tuple[Role, ...] = (
    Role.NOT,
    Role.NO,
    Role.EXCEPT,
    Role.KEEP,
    Role.WITHOUT,
    Role.QUOTED,
    Role.COLOR,
    Role.MEASURE,
)
_DECISIVE += (
    Role.LESS,
    Role.TOO,
    Role.REMOVE,
    Role.LOOK,
    Role.CROP,
    Role.ROTATE,
    Role.FLIP,
    Role.TRANSPARENT,
    Role.RATIO,
)


def _is_purpose(clause: Clause, before: Reading) -> bool:
    """ "... so that you can see the faces": a reason, not another wish, unless it asks for something new."""
    if not (_opens_a_purpose(clause) and before.steps) or _says_what_is_left(clause, before):
        return False
    if any(step.operation == "upright" for step in before.steps) and any(
        atom.has(Role.PLACE, Role.POINT, Role.AXIS) for atom in clause.atoms
    ):
        return False  # "turn it so that the tower is on the left" says which way
    moves = {(step.operation, _sign(step.amount)) for step in before.steps}
    if _moves_a_part(clause, moves):
        return False
    is_about_tone = all(step.operation in _TONES for step in before.steps)
    is_enhanced = any(step.operation == "enhance" for step in before.steps)
    if is_enhanced and any(
        atom.has(Role.ADJECTIVE, Role.MORE) and atom.text not in _SEEING for atom in clause.atoms
    ):
        return False
    return all(
        _is_harmless(
            atom,
            moves,
            is_denied=any(_denies(before) for before in clause.atoms[:at]) or _is_denied_after(clause, at),
            is_tonal=is_about_tone,
        )
        or _is_denial(clause.atoms, at)
        for at, atom in enumerate(clause.atoms)
    )


def _moves_a_part(clause: Clause, moves: set[tuple[str, int]]) -> bool:
    """ "... to darken the trees": another move, and of a part."""
    tones = [atom.senses.get(Role.TONE) for atom in clause.atoms if not atom.has(Role.QUALITY)]
    is_new = any(isinstance(tone, Tone) and (tone.operation, tone.sign) not in moves for tone in tones)
    return is_new and any(atom.has(Role.NOUN, Role.PLACE, Role.BACKGROUND) for atom in clause.atoms)


def _says_what_is_left(clause: Clause, before: Reading) -> bool:
    """ "Crop it so it's just the man on the right" says to what."""
    crops = any(step.operation == "crop" for step in before.steps)
    return crops and any(atom.text in ("just", "only") for atom in clause.atoms)


def _opens_a_purpose(clause: Clause) -> bool:
    return clause.joint == "purpose" or (clause.joint == "break" and _opening(clause).has(Role.PURPOSE))


def _is_denial(atoms: Sequence[Atom], at: int) -> bool:
    """The "not" of "so it does not look washed out", "so the gray tint is not visible"."""
    following = atoms[at + 1 : at + 4]
    is_unseen = any(atom.text in _SEEING for atom in following) and any(a.text in _DULL for a in atoms[:at])
    return _denies(atoms[at]) and (is_unseen or any(_is_a_fault(atom) for atom in following))


def _is_a_fault(atom: Atom) -> bool:
    return is_flaw(atom.text) or atom.text in _DULL


_DULL = frozenset({"gray", "grey", "grayish", "greyish", "muted", "pale"})
"""What a photo without light or color is called; others want it so."""


def _is_denied_after(clause: Clause, at: int) -> bool:
    """The "gray" of "so the gray tint is not visible"."""
    return clause.atoms[at].text in _DULL and any(_denies(atom) for atom in clause.atoms[at + 1 :])


def _denies(atom: Atom) -> bool:
    return atom.has(Role.NOT) or atom.text in ("not so", "not as", "not too")


_STRICT = tuple(role for role in _DECISIVE if role is not Role.COLOR)


def _sign(amount: float | None) -> int:
    return -1 if amount is not None and amount < 0 else 1


def _is_harmless(atom: Atom, moves: set[tuple[str, int]], *, is_denied: bool, is_tonal: bool) -> bool:
    if is_denied and atom.text in _DULL:
        return any((operation, 1) in moves for operation in _LIVELY)
    if atom.text in _SEEING or (is_denied and is_flaw(atom.text) and _is_met(atom, moves)):
        return True
    spoken = () if atom.has(Role.QUALITY) else (atom.senses.get(role) for role in (Role.ADJECTIVE, Role.TONE))
    tones = [meaning for meaning in spoken if isinstance(meaning, Tone)]
    opposes = any((tone.operation, -tone.sign) in moves for tone in tones)
    decides = atom.has(*_DECISIVE) and not (is_tonal and atom.has(Role.COLOR) and not atom.has(*_STRICT))
    return not opposes and not decides and not is_flaw(atom.text)


def _is_met(flaw: Atom, moves: set[tuple[str, int]]) -> bool:
    """Whether a wish that was read does away with the flaw; darkness goes only by light."""
    tone = flaw.senses.get(Role.ADJECTIVE)
    is_dark = isinstance(tone, Tone) and tone.operation in _LIGHTS
    return not is_dark or any(operation in _LIGHTS for operation, _ in moves)


_LIVELY = ("brightness", "exposure", "contrast", "saturation", "vibrance", "warmth", "dehaze", "enhance")
_LIGHTS = frozenset({"brightness", "exposure", "shadows", "highlights", "enhance", "low_light"})


COLORS_STAY = "colors"  # what "don't change the colors" is about


def _protecting(opening: Atom, reading: Reading) -> Reading:
    """A protection with the wishes that it is about."""
    if reading.steps or not (reading.keep or reading.refusal):
        return reading
    if reading.refusal and reading.about == COLORS_STAY:
        return replace(reading, protects="colors", about="")
    return replace(reading, protects="aside" if opening.has(Role.EXCEPT) else "always")


def _protection(phrase: Phrase, before: Reading) -> Reading:
    """ "but keep the background", "without changing the face", "except the subject"."""
    opening, core = _opening(phrase.clause), phrase.core
    if opening.text.startswith("nothing "):
        hint = "Name the part with its change, for example: make the sky darker."
        return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))
    told = [atom for atom in core if atom is not opening and not atom.has(Role.AND)]
    if any(atom.text.endswith(_OF_ITSELF) for atom in told) and all(_is_of_itself(atom) for atom in told):
        return Reading(about=before.about)
    if before.about == NEW_BACKGROUND and not phrase.photos:
        if len(told) == 1 and told[0].has(Role.COLOR) and all(s.what != "whole" for s in phrase.named):
            color = str(told[0].senses[Role.COLOR])
            left = phrase.step(Kind.BACKGROUND, "solid_background", target=Target("background"), color=color)
            return _reading(phrase, [left])
        if _names_only_the_subject(phrase) or _is_what_is_left(phrase, told):
            return Reading(about=before.about)
    only = any(atom.text in ("only", "just", "simply") for atom in phrase.clause.atoms)
    if only and any(verb in opening.text for verb in ("keep", "leav", "preserv", "retain", "maintain")):
        if before.about == NEW_BACKGROUND and is_about_the_subject(phrase):
            return Reading(about=before.about)
        if before.about == REMOVED and _is_what_is_left(phrase, told):
            return Reading(about=before.about)
        if not before.steps and _names_only_the_subject(phrase):
            cut_out = phrase.step(Kind.BACKGROUND, "transparent_background", target=Target("background"))
            return _reading(phrase, [cut_out])
        hint = "Say what is to be removed, or: cut out the subject."
        return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))
    rest = [
        atom for atom in core if atom is not opening and not atom.has(Role.UNCHANGED, Role.AND, Role.KEEP)
    ]
    spares_the_rest = any(atom.has(Role.REST) for atom in rest)
    rest = [atom for atom in rest if not atom.has(Role.REST) and atom.text not in ("of", "in", "for")]
    if spares_the_rest and not rest:
        return Reading(about=before.about)
    if rest and not phrase.named and all(atom.has(Role.COLORS) for atom in rest):
        hint = "Only sharpness and size can change while the colors stay: light changes them too."
        return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint), about=COLORS_STAY)
    return _protected(phrase, rest, before)


_OF_ITSELF = ("quality", "resolution", "detail", "details")
"""What every edit leaves anyway: "keep the same quality"."""


def _is_of_itself(atom: Atom) -> bool:
    is_measured = atom.has(Role.UNCHANGED, Role.AMOUNT, Role.PREPOSITION, Role.WHOLE)
    return is_measured or atom.text.endswith((*_OF_ITSELF, "same", "high", "original", "good", "possible"))


def _names_only_the_subject(phrase: Phrase) -> bool:
    """ "Leave only the dog", "just leave the two people"."""
    opening = _opening(phrase.clause)
    names = [a for a in phrase.core if a is not opening and not a.has(Role.NUMBER, Role.AND, Role.BE)]
    is_plain = all(atom.has(Role.NOUN) and not atom.has(Role.FINDABLE) for atom in names)
    return is_plain and bool(names or phrase.named) and is_about_the_subject(phrase)


def _is_what_is_left(phrase: Phrase, told: Sequence[Atom]) -> bool:
    """ "... leaving just the cake": a cut-out leaves the subject, but no part of it."""
    is_plain = all(is_name(atom) or atom.has(Role.AND, Role.NUMBER) for atom in told)
    is_part = any(atom.text in _OF_A_BODY for atom in told)
    whole = all(scope.what in ("person", "subject") and not scope.preposition for scope in phrase.named)
    return is_plain and whole and not is_part and bool(told or phrase.named)


_OF_A_BODY = frozenset({"face", "head", "hair", "eyes", "hand", "hands", "body", "'s", "heads", "torso"})


def _protected(phrase: Phrase, rest: Sequence[Atom], before: Reading) -> Reading:
    if (
        not rest
        and not is_compound(phrase)
        and phrase.named
        and not any(s.what == "unclear" for s in phrase.named)
    ):
        targets = [_protected_scope(phrase, scope) for scope in phrase.named]
        if None not in targets:
            return Reading(keep=tuple(target for target in targets if target), about=before.about)
    is_boxed = phrase.scene.boxes and not phrase.named and not _is_of_quality(phrase, rest)
    if rest and is_boxed and names_something(rest, phrase):
        return Reading(keep=(boxed(phrase),), about=before.about)
    is_a_thing = any(not atom.has(Role.COLOR) for atom in rest)
    found = findable(rest, phrase) if is_a_thing and not phrase.named else ()
    if found:
        return Reading(keep=found, about=before.about)
    person = placed_person(phrase, rest)
    if person:
        return Reading(keep=(boxed(phrase),) if phrase.scene.boxes else person, about=before.about)
    if rest and not phrase.scene.boxes and _names_only_the_subject(phrase):
        return Reading(keep=(Target("subject"),), about=before.about)
    hint = "Mark it with a box and it stays as it is."
    return Reading(refusal=phrase.refused(Reason.NEEDS_REGION, hint))


def _is_of_quality(phrase: Phrase, rest: Sequence[Atom]) -> bool:
    """ "The darks", "the cool tones", "the smoky look": no box is around a quality."""
    is_thing = any(atom.has(Role.NOUN) and not atom.has(Role.QUALITY) for atom in rest)
    is_quality = any(atom.has(Role.QUALITY, Role.CAST, Role.COLORS) or atom.text in _RANGES for atom in rest)
    return (is_quality and not is_thing) or phrase.clause.atoms[-1].has(Role.EFFECT, Role.CAST)


_RANGES = frozenset({"darks", "lights", "blacks", "whites", "midtones"})


def _protected_scope(phrase: Phrase, scope: Scope) -> Target | None:
    if scope.what == "region":
        return Target("region", boxes=scope.boxes) if scope.boxes else None
    kept = {"subject": "subject", "person": "subject", "background": "background", "face": "face"}.get(
        scope.what
    )
    return Target(kept) if kept else None


def _not_understood(phrase: Phrase) -> Refusal:
    meant = next((atom.senses[Role.UNAVAILABLE] for atom in phrase.core if atom.has(Role.UNAVAILABLE)), None)
    if isinstance(meant, Unavailable):
        return phrase.refused(meant.reason, meant.hint)
    unknown = [atom for atom in phrase.core if atom.is_unknown and atom.kind != "comma"]
    if unknown:
        return _unknown_words(phrase, unknown)
    return phrase.refused(*_explained(phrase))


def _unknown_words(phrase: Phrase, unknown: Sequence[Atom]) -> Refusal:
    atom = unknown[0]
    word = phrase.scene.instruction[atom.start : atom.end]
    return phrase.refused(Reason.UNKNOWN_WORD, f"The word “{word}” is not known here. Say it in other words.")


def _explained(phrase: Phrase) -> tuple[Reason, str]:
    has = {role for atom in phrase.core for role in atom.senses}
    for roles, reason, hint in _EXPLANATIONS:
        if roles <= has:
            return reason, hint
    return Reason.AMBIGUOUS, "Say it as one simple wish, for example: make the photo brighter."


_NOT_DRAWN = (
    "New things cannot be drawn by this engine. Attach a photo of it and say where it goes, or ask for an "
    "emoji of it."
)
_EXPLANATIONS: tuple[tuple[set[Role], Reason, str], ...] = (
    ({Role.NOT}, Reason.AMBIGUOUS, "Say what is to change rather than what is not."),
    (
        {Role.ADD, Role.TEXT},
        Reason.AMBIGUOUS,
        'Put the text in quotes, as in: add the text "Summer" at the bottom.',
    ),
    (
        {Role.CHANGE, Role.QUOTED},
        Reason.LOW_CONFIDENCE,
        "Text in a photo cannot be replaced yet; new text can be added.",
    ),
    ({Role.ADD, Role.NOUN}, Reason.NEEDS_GENERATION, _NOT_DRAWN),
    ({Role.ADD, Role.SCENE}, Reason.NEEDS_GENERATION, _NOT_DRAWN),
    ({Role.REPLACE}, Reason.NEEDS_GENERATION, "One thing cannot be turned into another by this engine."),
    ({Role.DEFECT}, Reason.LOW_CONFIDENCE, "This cannot be done by the engine yet."),
    (
        {Role.CROP, Role.MEASURE, Role.PLACE},
        Reason.AMBIGUOUS,
        "Say each side in a sentence of its own, for example: crop 10% off the top.",
    ),
    (
        {Role.LOWER, Role.QUALITY, Role.MEASURE},
        Reason.AMBIGUOUS,
        "Say by how much, for example: reduce the brightness by 20%.",
    ),
    (
        {Role.RAISE, Role.QUALITY, Role.MEASURE},
        Reason.AMBIGUOUS,
        "Say by how much, for example: increase the contrast by 20%.",
    ),
    ({Role.QUOTED}, Reason.AMBIGUOUS, 'Say where each text goes, for example: add "Summer" at the top.'),
    ({Role.RESIZE}, Reason.AMBIGUOUS, "Say the size, for example: resize to 50% or resize to 1200x800."),
)
