"""Wishes as people tell them, told as the commands that they mean: "his eyes are red", "edit it as a PNG"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, is_packing, passed_over, roles_of
from editor.engine.language.lexicon.roles import Role
from editor.engine.language.restating.hoping import parts


def plainly_told(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, with such wishes as commands."""
    told, texts = list(found), {atom.text for atom in found}
    if Role.FILE in roles_of(told):
        told = _with_its_file_apart(told)
    if not texts.isdisjoint(_EYES):
        told = [atom for part in parts(told) for atom in _with_red_eyes(part)]
    if "background" in texts and not texts.isdisjoint(_PLAIN):
        told = _with_plain_as_white(told)
    if "like" in texts and "make" in texts:
        told = _put_where_they_are(told)
    if not texts.isdisjoint(_FILTERS):
        told = _as_it_looks(told)
    if not texts.isdisjoint(_LEAVING):
        told = _left_in_a_color(told)
    if not texts.isdisjoint(_EVERYTHING):
        told = _emptied_of_all(told)
    return told if texts.isdisjoint(_EDITS) else _merely_edited(told)


def _as_it_looks(found: Sequence[Atom]) -> list[Atom]:
    """ "Add a filter to the photo that makes it look like a drawing" as "make it look like a drawing"."""
    told = list(found)
    at = next(at for at, atom in enumerate(told) if atom.text in _FILTERS)
    start = at - 2 if at > 1 and told[at - 1].has(Role.DETERMINER) else at - 1
    make = next((i for i in range(at, len(told)) if told[i].has(Role.MAKE)), len(told))
    between = told[at + 1 : make]
    links = bool(between) and between[-1].text in ("that", "which", "to")
    is_plain = all(atom.has(*_OF_THE_PHOTO, Role.PREPOSITION, Role.WHOLE) for atom in between[:-1])
    if start < 0 or not told[start].has(Role.ADD, Role.USE) or make == len(told) or not (links and is_plain):
        return told
    of_all = [atom for atom in between if atom.has(Role.PHOTO)]
    it = of_all if told[make + 1 : make + 2] and told[make + 1].text == "it" else []
    command = replace(told[make], text="make", senses={Role.MAKE: "make"})
    return [*told[:start], command, *it, *told[make + 1 + len(it) :]]


_FILTERS = frozenset({"filter", "effect", "overlay"})


def _left_in_a_color(found: Sequence[Atom]) -> list[Atom]:
    """ "Remove the background and leave it white" as "... make it white"."""
    told = list(found)
    for at in range(1, len(told) - 2):
        named = [atom for atom in told[at + 2 : at + 4] if not atom.has(Role.FILLER)]
        is_colored = told[at + 1].text == "it" and bool(named) and named[0].has(Role.COLOR, Role.TRANSPARENT)
        if told[at].text in _LEAVING and is_colored:
            before = replace(told[at], text="and", senses={Role.AND: "and"})
            make = replace(told[at], text="make", senses={Role.MAKE: "make"})
            return [*told[:at], before, make, *told[at + 1 :]]
    return told


_LEAVING = frozenset({"leave", "and leave", "leaving"})


def _emptied_of_all(found: Sequence[Atom]) -> list[Atom]:
    """ "Remove everything from the photo except the dog" as "remove everything except the dog"."""
    told = list(found)
    at = next(at for at, atom in enumerate(told) if atom.text in _EVERYTHING)
    end = next((i for i in range(at + 1, len(told)) if told[i].has(Role.EXCEPT)), len(told))
    between = told[at + 1 : end]
    is_here = all(atom.has(*_OF_THE_PHOTO, Role.PREPOSITION) for atom in between)
    if at == 0 or not told[at - 1].has(Role.REMOVE) or end == len(told) or not is_here:
        return told
    return [*told[:at], replace(told[end], text="everything except", start=told[at].start), *told[end + 1 :]]


_EVERYTHING = frozenset({"everything", "everything else"})


def _merely_edited(found: Sequence[Atom]) -> list[Atom]:
    """ "Edit my photo please", "basic edits": an improvement, where nothing more is said."""
    told = list(found)
    at = next(at for at, atom in enumerate(told) if atom.text in _EDITS)
    is_all = all(is_packing(atom) or atom.text in _EDITS or atom.has(*_OF_THE_PHOTO) for atom in told)
    return (
        [*told[:at], replace(told[at], senses={Role.ENHANCE: "enhance"}), *told[at + 1 :]] if is_all else told
    )


_EDITS = frozenset({"edit", "edits", "edited", "editing", "re-edit", "reedit"})


def _with_plain_as_white(found: Sequence[Atom]) -> list[Atom]:
    """ "On a plain background" as "on a white background"."""
    told = list(found)
    for at in range(1, len(told)):
        is_plain = told[at].has(Role.BACKGROUND) and told[at - 1].text in _PLAIN
        before = [atom.text for atom in told[max(at - 3, 0) : at - 1]]
        is_open = not any(atom.has(Role.COLOR) for atom in told)
        if is_plain and is_open and (before[-1:] in (["a"], ["on"], ["with"]) or not before):
            told[at - 1] = replace(told[at - 1], senses={Role.COLOR: "white"})
    return told


_PLAIN = frozenset({"plain", "blank"})


def _put_where_they_are(found: Sequence[Atom]) -> list[Atom]:
    """ "Make it look like we are on a beach" as "put us on a beach"."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.text == "like")
    start = next((i for i in range(at - 1, -1, -1) if told[i].text == "make"), at)
    end = next((i for i in range(at + 1, len(told)) if told[i].has(Role.PREPOSITION)), at)
    who = " ".join(atom.text for atom in told[at + 1 : end])
    end += end + 1 < len(told) and told[end].text in ("standing", "sitting")
    is_it = all(atom.has(*_OF_THE_PHOTO) for atom in told[start + 1 : at])
    if who not in _BEING_THERE or not is_it or not any(atom.has(Role.GROUND) for atom in told[end:]):
        return told
    put = replace(told[start], text="put", senses={Role.ADD: "put"})
    us = replace(told[at + 1], text="us", senses={Role.PERSON: "us"})
    return [*told[:start], put, us, *told[end:]]


_OF_THE_PHOTO = (Role.IT, Role.THIS, Role.PHOTO, Role.FILLER, Role.DETERMINER)
_BEING_THERE = frozenset(
    f"{who}{being}"
    for who in ("i", "we", "he", "she", "they", "i'm", "we're", "he's", "she's", "they're", "im")
    for being in ("", " am", " is", " are", " 's", " was", " were")
)


def _with_red_eyes(part: Sequence[Atom]) -> Sequence[Atom]:
    """ "My kids have red eyes from the flash", "her eyes are too red", "make them not red" as "red eyes"."""
    end = next((at for at, atom in enumerate(part) if atom.has(Role.AND, Role.BUT)), len(part))
    end -= end == len(part) > 0 and part[-1].kind in ("stop", "comma")
    cause = next((at for at in range(1, end) if _is_the_flash(part[at:end])), end)
    first, last = _red_eyes(part[:cause])
    others = [*part[:first], *part[last:cause]]
    is_plain = all(is_packing(atom) or atom.has(*_WHOSE) or atom.text in _HAVING for atom in others)
    if last == 0:
        return part
    if is_plain and _are_wanted(part[:last]):
        eyes = Atom("red eyes", part[first].start, part[last - 1].end, {Role.NOUN: "red eyes"})
        return [*part[:first], eyes, *part[last:]]
    if not is_plain:  # "remove the red eyes from the flash"
        return [*part[:cause], *part[end:]]
    flaw = Atom("red eyes", part[first].start, part[last - 1].end, {Role.FLAW: "red_eye"})
    return [flaw, *part[end:]]


def _are_wanted(told: Sequence[Atom]) -> bool:
    """ "I want red eyes", "make her eyes look red", and "his eyes are not red", where there are none."""
    words = {word for atom in told for word in atom.text.split()}
    is_denied = any(atom.has(Role.NOT, Role.NO, Role.LESS) for atom in told)
    is_made = any(atom.has(Role.MAKE, Role.CHANGE) for atom in told)
    is_wish = not words.isdisjoint(_WANTING)
    return is_denied is not (is_made or is_wish)


_WANTING = frozenset({"want", "wants", "wanted", "like", "love", "wish", "need"})


def _is_the_flash(atoms: Sequence[Atom]) -> bool:
    return atoms[0].text in _CAUSING and atoms[-1].text in ("flash", "camera") and len(atoms) < 5


_CAUSING = frozenset({"from", "because", "because of", "by", "due", "due to", "with", "caused"})


def _red_eyes(part: Sequence[Atom]) -> tuple[int, int]:
    """From where to where they are spoken of; (0, 0) when they are not."""
    flaws = (at for at, atom in enumerate(part) if atom.senses.get(Role.FLAW) == "red_eye")
    at = next(flaws, None)
    if at is not None:
        return at, at + 1
    eyes = next((at for at, atom in enumerate(part) if atom.text in _EYES), 0)
    red = next((at for at, atom in enumerate(part) if atom.senses.get(Role.COLOR) == "red"), 0)
    between = part[min(eyes, red) + 1 : max(eyes, red)]
    is_plain = all(atom.has(*_TELLING_RED, *_WHOSE) or atom.text in _HAVING for atom in between)
    if not (eyes and red and is_plain):
        return 0, 0
    if red < eyes:  # "remove the red from her eyes"
        takes = any(atom.has(Role.REMOVE, Role.LOWER) for atom in part[:red])
        return (0, eyes + 1) if takes else (0, 0)
    is_made = any(atom.has(Role.MAKE, Role.CHANGE) for atom in part[:eyes])
    told = (Role.NOT, Role.LESS) if is_made else (Role.BE, Role.TOO)
    is_told = any(atom.has(*told) or (atom.text == "look" and not is_made) for atom in between)
    return (eyes, red + 1) if is_told else (0, 0)


_TELLING_RED = (Role.BE, Role.NOT, Role.LESS, Role.TOO, Role.AMOUNT, Role.FILLER, Role.PREPOSITION)
_EYES = frozenset({"eye", "eyes", "red eye", "red eyes", "redeye", "redeyes"})
_WHOSE = (Role.PERSON, Role.DETERMINER, Role.MAKE, Role.NUMBER, Role.THIS, Role.PHOTO, Role.WHOLE, Role.SEEN)
_HAVING = frozenset(
    {
        "terrible",
        "bad",
        "awful",
        "horrible",
        "has",
        "have",
        "had",
        "got",
        "'s",
        "in",
        "of",
        "on",
        "with",
        "there",
    }
)


def _with_its_file_apart(found: Sequence[Atom]) -> list[Atom]:
    """ "Make it gray and square as a PNG" as "make it gray and square, then as a PNG"; "crop the dog out as a
    PNG" as "cut out the dog as a cutout"."""
    told = list(found)
    at = next(i for i, atom in enumerate(told) if atom.has(Role.FILE))
    link = at - 2 if at > 1 and told[at - 1].has(Role.DETERMINER) else at - 1
    start = next((i + 1 for i in range(link, -1, -1) if told[i].kind == "stop"), 0)
    first = next((i + 1 for i in range(link, start, -1) if told[i].has(Role.AND, Role.THEN)), start)
    if link < 0 or told[link].text not in _AS_A_FILE:
        return told
    if told[at].senses[Role.FILE] in _WITH_ALPHA and _cuts_out(told[start:at]):
        told[at] = replace(told[at], senses={Role.CUTOUT: told[at].text})
        told[start:at] = [_as_a_cut(atom) for atom in told[start:at]]
        return told
    if [atom.text for atom in told[link - 2 : link]] in (["to", "me"], ["to", "us"]):
        told[link - 2 : link] = [passed_over(atom) for atom in told[link - 2 : link]]
    is_more = any(not (is_packing(a) or a.text in _SAVING or a.has(*_SAVED)) for a in told[first:link])
    if is_more and not any(atom.has(*_BEHIND) for atom in told[start:]):
        told.insert(link, Atom("then", told[link].start, told[link].start, {Role.THEN: "then"}))
    return told


_AS_A_FILE = frozenset({"as", "in"})
_WITH_ALPHA = frozenset({"png", "webp"})
_SAVING = frozenset({"save", "saved", "give", "export", "exported", "send", "convert", "use", "output"})
_SAVED = (Role.IT, Role.THIS, Role.PHOTO, Role.DETERMINER)
_BEHIND = (Role.BACKGROUND, Role.CUTOUT, Role.TRANSPARENT, Role.NO)


def _cuts_out(atoms: Sequence[Atom]) -> bool:
    is_out = any(atom.text == "out" for atom in atoms)
    return any(
        atom.has(Role.EXTRACT) or atom.text == "crop out" or (is_out and atom.text == "crop")
        for atom in atoms
    )


def _as_a_cut(atom: Atom) -> Atom:
    if atom.text in ("crop", "crop out", "cut"):
        return replace(atom, text="cut out", senses={Role.EXTRACT: "cut out"})
    return passed_over(atom) if atom.text == "out" else atom
