"""Clauses that say what stays as it is: "but keep the sky", "except the face"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.kinds import is_plural, is_someone, kinds_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.lexicon.seen import HELD, WORN
from editor.engine.language.lexicon.things import MATERIALS, SUBJECTS
from editor.engine.language.lists import EACH_ITS_BOX
from editor.engine.language.phrases import NEW_BACKGROUND, REMOVED, Phrase, Scope, is_about_the_subject
from editor.engine.language.placing import boxed, findable, is_compound, names_something, placed_person
from editor.engine.language.readings import Reading, reading_of
from editor.engine.language.rewriting import FONT, FONTS
from editor.engine.language.scopes import is_name
from editor.engine.language.seen import seen_in, seen_thing
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason, Target

COLORS_STAY = "colors"  # what "don't change the colors" is about


def protecting(opening: Atom, reading: Reading) -> Reading:
    """A protection with the wishes that it is about."""
    if reading.steps or reading.protects or not (reading.keep or reading.refusal):
        return reading
    if reading.refusal and reading.about == COLORS_STAY:
        return replace(reading, protects="colors", about="")
    return replace(reading, protects="aside" if opening.has(Role.EXCEPT) else "always")


def protection(phrase: Phrase, before: Reading) -> Reading:
    """ "but keep the background", "without changing the face", "except the subject"."""
    told = [atom for atom in phrase.core if atom is not phrase.clause.opening and not atom.has(Role.AND)]
    for attempt in _ATTEMPTS:
        answer = attempt(phrase, told, before)
        if answer is not None:
            return answer
    return _protected(phrase, _without_rest(told), before)


def _of_nothing(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    if not phrase.clause.opening.text.startswith("nothing "):
        return None
    hint = "Name the part with its change, for example: make the sky darker."
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))


def _of_a_degree(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    """ "But keep it rather dark" is about how much, and not about a part."""
    is_it = bool(phrase.scopes) and all(scope.what in ("region", "whole") for scope in phrase.scopes)
    named = any(
        atom.has(Role.NOUN, Role.MARKED, Role.UNCHANGED) and not atom.has(Role.ADJECTIVE) for atom in told
    )
    if not is_it or named or not any(isinstance(atom.senses.get(Role.ADJECTIVE), Tone) for atom in told):
        return None
    if before.is_tonal and any(_opposes(atom, before.steps[-1]) for atom in told):
        return Reading(about=before.about, is_moderate=True)
    hint = "Say how much instead, for example: a little brighter."
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))


def _opposes(word: Atom, step: Wish) -> bool:
    """The "dark" of "brighten it, but keep it dark"."""
    tone = word.senses.get(Role.ADJECTIVE)
    is_of_it = isinstance(tone, Tone) and tone.operation == step.operation
    return isinstance(tone, Tone) and is_of_it and tone.sign * (step.amount or 0.0) < 0


def _of_room(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    """ "Leave some space at the top" asks for more of it."""
    leaves = "leav" in phrase.clause.opening.text and any(atom.has(Role.ROOM) for atom in told)
    if not leaves or any(atom.has(Role.DETERMINER) for atom in phrase.clause.atoms[:2]):
        return None
    hint = "Say how much room, and where, for example: extend the photo by 10% at the top."
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))


def _of_itself(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    names_it = any(atom.text.endswith(_OF_ITSELF) for atom in told)
    return Reading(about=before.about) if names_it and all(map(_is_of_itself, told)) else None


def _of_a_shadow(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    """ "Remove the background but keep the shadow", which is a part of it."""
    if before.about != NEW_BACKGROUND or not any(atom.text in _ON_THE_GROUND for atom in told):
        return None
    hint = "What lies on the background goes with it. Leave that half out; a drop shadow can be added."
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))


_ON_THE_GROUND = frozenset({"shadow", "shadows", "reflection", "reflections"})


def _of_a_new_background(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    """ "Remove the background, but keep it white", "... and keep the dog"."""
    if before.about != NEW_BACKGROUND or phrase.photos:
        return None
    if phrase.clause.opening.has(Role.EXCEPT) and any(s.operation == "blur_background" for s in before.steps):
        sharp = seen_in(phrase, told)  # of people it leaves the subject anyway
        if sharp and not is_someone(sharp.noun):
            return Reading(keep=(sharp,), about=before.about)
    if len(told) == 1 and told[0].has(Role.COLOR) and all(s.what != "whole" for s in phrase.named):
        color = str(told[0].senses[Role.COLOR])
        left = phrase.step(Kind.BACKGROUND, "solid_background", target=Target("background"), color=color)
        return reading_of(phrase, [left])
    is_left = _is_alone(phrase) and _is_what_is_left(phrase, told)
    if _names_only_the_subject(phrase) or is_left:
        return Reading(about=before.about)
    return _kept_with_the_subject(phrase, before)


def _kept_with_the_subject(phrase: Phrase, before: Reading) -> Reading | None:
    """ "... keep the cotton shirt and the wooden bench": what is worn stays with the subject, and what the
    detector knows is looked for; one box shows one thing, whatever it is."""
    items, boxes = _items(phrase), phrase.scene.boxes
    is_shown = len(items) == 1 and bool(boxes) and _is_plain(items[0])
    beside = [item for item in items if not (is_shown or _is_of_the_subject(item, among=len(items)))]
    seen = [_seen_among(item) for item in beside]
    held = [item for item, target in zip(beside, seen, strict=True) if target is None and _is_held(item)]
    beside = [item for item in beside if item not in held]
    seen = [_seen_among(item) for item in beside]
    is_another = bool(boxes) and len(items) == 1 and not is_shown  # "the person in the foreground"
    if not items or is_another or (None in seen and len(items) <= max(len(boxes), 1)):
        return None
    if None in seen:
        return Reading(refusal=phrase.refused(Reason.NEEDS_REGION, EACH_ITS_BOX)) if boxes else None
    is_relit = any(step.operation in _RELIT for step in before.steps)
    subject = (Target("subject"),) if is_relit and len(beside) < len(items) else ()
    keep = (*subject, *(target for target in seen if target))
    return Reading(keep=keep, protects="aside" if keep else "", about=before.about)


_RELIT = frozenset({"drawn_background", "photo_background"})
"""Before these the subject is brought nearer to the new light, unless it is to stay as it is."""


def _items(phrase: Phrase) -> list[list[Atom]]:
    """The things of a list, each with what describes it: "the red and blue shirt" is one."""
    apart = {
        at
        for scope in phrase.scopes
        if scope.what == "whole" and scope.preposition
        for at in range(scope.first, scope.after)
    }
    items: list[list[Atom]] = [[]]
    for at, atom in enumerate(phrase.clause.atoms):
        if atom.kind == "comma" or atom.has(Role.AND):
            items += [] if items[-1] and items[-1][-1].has(Role.COLOR) else [[]]
        elif at not in apart and atom is not phrase.clause.opening and not atom.has_any(_SAYING_NOTHING):
            items[-1].append(atom)
    return [item for item in items if item]


_SAYING_NOTHING = (Role.DETERMINER, Role.FILLER, Role.THIS, Role.UNCHANGED)


def _is_of_the_subject(item: Sequence[Atom], *, among: int) -> bool:
    """What the photo is of, or what is worn; one animal of several things is looked for."""
    head = item[-1]
    is_itself = head.has(Role.PERSON, Role.SUBJECT) or (head.text in SUBJECTS and not head.has(Role.SEEN))
    is_alone = head.text in SUBJECTS and among == 1 and _is_told(item)
    return _is_plain(item) and (is_itself or is_alone or head.text in WORN)


def _is_held(item: Sequence[Atom]) -> bool:
    """A thing that lies with the subject, and the detector does not know."""
    return _is_plain(item) and item[-1].text in HELD


def _seen_among(item: Sequence[Atom]) -> Target | None:
    """The thing that the detector knows: "the black metal bench"; a "toy car" is none of its cars."""
    return seen_thing([atom for atom in item if atom.text not in MATERIALS]) if _is_told(item) else None


def _is_told(item: Sequence[Atom]) -> bool:
    return all(atom.has_any(_TOLD) or atom.text in MATERIALS | WORN for atom in item)


_TOLD = (Role.SEEN, Role.COLOR, Role.NUMBER, Role.PREPOSITION, Role.SUBJECT)


def _is_plain(item: Sequence[Atom]) -> bool:
    is_part = any(atom.text in _OF_A_BODY - {"'s"} for atom in item)
    is_thing = not is_part and not item[-1].has(Role.QUALITY, Role.REST)
    return is_thing and not any(atom.has_any(_LEADING_ON) for atom in item)


_LEADING_ON = (Role.PREPOSITION, Role.NOT, Role.EXCEPT, Role.KEEP, Role.BACKGROUND, Role.MAKE, Role.COLORS)


def _of_this_only(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    """ "Keep only the dog" cuts it out."""
    if not _is_alone(phrase) or not any(verb in phrase.clause.opening.text for verb in _KEEPING):
        return None
    if before.about == NEW_BACKGROUND and is_about_the_subject(phrase):
        return Reading(about=before.about)
    if before.about == REMOVED and _is_what_is_left(phrase, told):
        return Reading(about=before.about)
    if not before.steps and _names_only_the_subject(phrase):
        if _lists_more_than_people(phrase) and not phrase.scene.boxes:
            return Reading(refusal=phrase.refused(Reason.NEEDS_REGION, _EACH_TO_STAY))
        seen = None if phrase.scene.boxes or phrase.named else seen_in(phrase, told)
        target = replace(seen, what="background") if seen else Target("background")
        cut_out = phrase.step(Kind.BACKGROUND, "transparent_background", target=target)
        return reading_of(phrase, [cut_out])
    hint = "Say what is to be removed, or: cut out the subject."
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))


def _lists_more_than_people(phrase: Phrase) -> bool:
    """ "The dog and the cat", of which the one in front may be cut out alone."""
    is_list = any(atom.has(Role.AND) for atom in phrase.core)
    things = [atom for atom in phrase.core if atom.has(Role.NOUN) and not atom.has(Role.PERSON)]
    return is_list and any(not is_someone(str(atom.senses.get(Role.SEEN))) for atom in things)


_EACH_TO_STAY = "Mark what is to stay with boxes, and say: isolate it."


def _is_alone(phrase: Phrase) -> bool:
    return any(atom.text in ("only", "just", "simply") for atom in phrase.clause.atoms)


_KEEPING = ("keep", "leav", "preserv", "retain", "maintain")


def _of_the_rest(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    is_rest = any(atom.has(Role.REST) for atom in told) and not _without_rest(told)
    return Reading(about=before.about) if is_rest else None


def _of_colors(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    rest = _without_rest(told)
    if not rest or phrase.named or not all(atom.has(Role.COLORS) for atom in rest):
        return None
    hint = "Only sharpness and size can change while the colors stay: light changes them too."
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint), about=COLORS_STAY)


def _of_letters(phrase: Phrase, told: Sequence[Atom], before: Reading) -> Reading | None:
    """ "Change it to "Open", but keep the font"."""
    is_new = any(step.operation == "text_instead" for step in before.steps)
    if not is_new or not any(atom.text in FONTS for atom in phrase.clause.atoms):
        return None
    return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, FONT))


_ATTEMPTS = (
    *(
        _of_letters,
        _of_nothing,
        _of_a_degree,
        _of_room,
        _of_itself,
        _of_a_shadow,
        _of_a_new_background,
        _of_this_only,
        _of_the_rest,
    ),
    _of_colors,
)


def _without_rest(told: Sequence[Atom]) -> list[Atom]:
    """The words that name what stays, without those of "leave the rest of it unchanged"."""
    named = [atom for atom in told if not atom.has(Role.UNCHANGED, Role.KEEP, Role.REST)]
    return [atom for atom in named if atom.text not in ("of", "in", "for")]


_OF_ITSELF = ("quality", "resolution", "detail", "details")
"""What every edit leaves anyway: "keep the same quality"."""


def _is_of_itself(atom: Atom) -> bool:
    is_measured = atom.has(Role.UNCHANGED, Role.AMOUNT, Role.PREPOSITION, Role.WHOLE)
    return is_measured or atom.text.endswith((*_OF_ITSELF, "same", "high", "original", "good", "possible"))


def _names_only_the_subject(phrase: Phrase) -> bool:
    """ "Leave only the dog", "just leave the two people"."""
    opening = phrase.clause.opening
    names = [a for a in phrase.core if a is not opening and not a.has(Role.NUMBER, Role.AND, Role.BE)]
    is_plain = all(atom.has(Role.NOUN) and not atom.has(Role.FINDABLE) for atom in names)
    return is_plain and bool(names or phrase.named) and is_about_the_subject(phrase)


def _is_what_is_left(phrase: Phrase, told: Sequence[Atom]) -> bool:
    """ "... leaving just the cake": a cut-out leaves the subject, but no part of it."""
    is_plain = all(is_name(atom) or atom.has(Role.AND, Role.NUMBER, Role.COLOR) for atom in told)
    is_plain = is_plain and (not told or any(map(is_name, told)))
    is_part = any(atom.text in _OF_A_BODY for atom in told)
    whole = all(scope.what in ("person", "subject") and not scope.preposition for scope in phrase.named)
    return is_plain and whole and not is_part and bool(told or phrase.named)


_OF_A_BODY = frozenset({"face", "head", "hair", "eyes", "hand", "hands", "body", "'s", "heads", "torso"})


def _protected(phrase: Phrase, rest: Sequence[Atom], before: Reading) -> Reading:
    beside = _beside_what_goes(phrase, rest, before)
    if beside:
        return Reading(keep=(beside,), about=before.about)
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
    if not rest and not phrase.scopes:
        return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, "Say what stays as it is."))
    if not phrase.named and not any(map(_may_be_named, phrase.clause.atoms)):
        hint = "Say what is to change, and how much, rather than what is not: make it a little brighter."
        return Reading(refusal=phrase.refused(Reason.AMBIGUOUS, hint))
    hint = "Mark it with a box and it stays as it is."
    return Reading(refusal=phrase.refused(Reason.NEEDS_REGION, hint))


def _beside_what_goes(phrase: Phrase, rest: Sequence[Atom], before: Reading) -> Target | None:
    """The cat of "remove the dog but keep the cat", where the box is around the dog; of several
    things one box would only hold one."""
    is_taken = any(step.operation == "erase" and step.target.what == "region" for step in before.steps)
    kept = seen_in(phrase, rest) if is_taken else None
    gone = {kind for name in before.names for kind in kinds_of(name)}
    is_one = bool(before.names) and not any(map(is_plural, before.names))
    return kept if kept and is_one and gone.isdisjoint(kinds_of(kept.noun)) else None


def _may_be_named(atom: Atom) -> bool:
    """Whether "keep" and the word can be about a part of the photo, unlike "not too strong"."""
    names = atom.has(Role.NOUN, Role.DETERMINER, Role.THIS, Role.QUALITY, Role.COLORS, Role.CAST, Role.COLOR)
    return names or atom.is_unknown


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
