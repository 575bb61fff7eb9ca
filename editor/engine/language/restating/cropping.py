"""Wishes for the shape of a photo, told loosely: "cut it a little bit", "from landscape to portrait"."""

from dataclasses import replace

from editor.engine.language.atoms import Atom, passed_over
from editor.engine.language.lexicon.roles import Role
from editor.engine.language.restating.loosely import (
    OF_ALL,
    SMALL,
    Rules,
    end_of_verb,
    parts,
    start_of_part,
)


def _held_upright(told: list[Atom], at: int) -> list[Atom]:
    """ "Change the photo from landscape to portrait" as "... to portrait orientation"."""
    way = [atom.text for atom in told[at + 1 : at + 4]]
    before = [atom for atom in told[start_of_part(told, at) : at] if not atom.has(*SMALL)]
    is_of_all = all(atom.has(Role.PHOTO, Role.THIS, Role.IT) for atom in before[1:])
    turned = {"landscape to portrait": "2:3", "portrait to landscape": "3:2"}
    turned |= {"horizontal to vertical": "2:3", "vertical to horizontal": "3:2"}
    shape = turned.get(" ".join(way))
    if shape and before and before[0].has(Role.CHANGE, Role.CROP, Role.MAKE, Role.RESIZE) and is_of_all:
        ratio = replace(told[at + 3], text=f"{way[2]} orientation", senses={Role.RATIO: shape}, kind="word")
        crop = replace(before[0], text="crop", senses={Role.CROP: "crop"})
        told = [crop if atom is before[0] else atom for atom in told]
        told[at : at + 4] = [told[at + 2], ratio]
    return told


def _cut_closer(told: list[Atom], at: int) -> list[Atom]:
    """ "Cut it a little bit" as "crop it a little bit"."""
    rest = [atom for atom in told[at + 1 : end_of_verb(told, at)] if not atom.has(*SMALL)]
    is_little = any(atom.has(Role.AMOUNT) for atom in rest)
    if is_little and all(atom.has(Role.AMOUNT, *OF_ALL) for atom in rest):
        told[at] = replace(told[at], text="crop", senses={Role.CROP: "crop"})
    return told


def _cropped_larger(told: list[Atom], at: int) -> list[Atom]:
    """ "Crop to enlarge it a bit" as "crop it a bit"."""
    rest = told[at + 1 : end_of_verb(told, at)]
    is_why = at > 1 and told[at - 1].text == "to" and told[at - 2].has(Role.CROP)
    if is_why and rest and all(atom.has(Role.AMOUNT, *OF_ALL, *SMALL) for atom in rest):
        told[at - 1 : at + 1] = map(passed_over, told[at - 1 : at + 1])
    return told


def _sized(told: list[Atom], at: int) -> list[Atom]:
    """ "Make it clearer, and a size of 8x10" as "... and make it a size of 8x10"."""
    first = at - 1 if at and told[at - 1].has(Role.DETERMINER) else at
    if first < 2 or not told[first - 1].has(Role.AND) or not any(a.has(Role.PRINT) for a in told[at:]):
        return told
    here = told[first - 1]
    then = replace(here, text="then", senses={Role.THEN: "then"})
    make = replace(here, text="make", senses={Role.MAKE: "make"})
    return [*told[: first - 1], then, make, replace(here, text="it", senses={Role.IT: "it"}), *told[first:]]


def _framed_by_the_head(told: list[Atom], at: int) -> list[Atom]:
    """The head of "crop to the head": where the face is."""
    first = at - 2 if told[at - 1].has(Role.DETERMINER) else at - 1
    is_led = first > 0 and told[first].text in ("to", "on", "around", "down to")
    is_last = at + 1 == len(told) or parts(told[at + 1]) or told[at + 1].has(Role.AND, Role.FILLER)
    if is_led and is_last and any(a.has(Role.CROP, Role.ZOOM) for a in told[start_of_part(told, at) : first]):
        told[at] = replace(told[at], senses={Role.FACE: told[at].text})
    return told


def _shaped_before(told: list[Atom], at: int) -> list[Atom]:
    """The "enlarged" of "make this enlarged photo sharper": what was done to it before."""
    is_this = at > 0 and (told[at - 1].has(Role.THIS) or told[at - 1].text in ("the", "my", "our"))
    after = at + 1 + any(atom.has(Role.OCCASION) for atom in told[at + 1 : at + 2])
    if is_this and any(atom.has(Role.PHOTO) for atom in told[after : after + 1]):
        told[at:after] = map(passed_over, told[at:after])
    return told


RULES: Rules = (
    (frozenset({"enlarged", "cropped", "resized"}), _shaped_before),
    (frozenset({"from"}), _held_upright),
    (frozenset({"cut"}), _cut_closer),
    (frozenset({"enlarge"}), _cropped_larger),
    (frozenset({"size"}), _sized),
    (frozenset({"head", "heads"}), _framed_by_the_head),
)
WORDS: frozenset[str] = frozenset().union(*(words for words, _ in RULES))
"""One of these stands where `RULES` find something."""
