"""Which way: "more", "less", "too", verbs and particles."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone, cast_of, is_flaw
from editor.engine.language.phrases import Phrase
from editor.engine.language.placing import HALVES
from editor.engine.language.tone.walk import (
    Item,
    Note,
    Walk,
    closes,
    is_contracted,
    opens_a_change,
    slide,
    turn,
)


def take_mark(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.has(Role.PLACE) and phrase.core[at + 1 : at + 2] and phrase.core[at + 1].text in HALVES:
        return False  # "the lower half"
    if (atom.has(Role.LOWER, Role.ENHANCE) and at == 0) or (
        atom.has(Role.VAGUE) and at == len(phrase.core) - 1
    ):
        return False
    if atom.text == "too much" and walk.has_more and at == len(phrase.core) - 1:
        return False  # "more contrast would be too much"
    if atom.has(Role.TOO) and walk.items and at == len(phrase.core) - 1:
        return _take_closing_too(walk, atom, at)
    if atom.has(Role.LACKING) and turn(walk, 1):
        return True
    if _closes_a_change(walk, atom, at, phrase) and turn(walk, -1 if atom.has(Role.LESS) else 1):
        walk.has_more = atom.has(Role.MORE)
        return True
    if at > 0 and at == len(phrase.core) - 1 and _closes_a_list(phrase, atom):
        walk.failure = f"Say {atom.text} of what."
    if atom.text in _NOT_SO and _tells(phrase, at):
        return _take_shortcoming(walk, phrase.core[at + 1 : at + 2])
    sign = -1 if atom.has(Role.LESS, Role.TOO) or walk.direction == -1 else 1
    if phrase.core[at - 1].has(Role.AND) and phrase.core[at - 2].has(Role.MORE, Role.LESS) and at > 1:
        walk.failure = "It asks for both directions at once. Say which one is meant."
    walk.marked = sign
    walk.has_more = walk.has_more or atom.has(Role.MORE, Role.LACKING)
    if atom.has(Role.TOO) and at + 1 < len(phrase.core):
        _take_level(walk, phrase.core[at + 1], at + 1)
    return True


def _closes_a_change(walk: Walk, mark: Atom, at: int, phrase: Phrase) -> bool:
    """ "Adjust the contrast more", "brightness more": the mark stands behind what it is of."""
    is_last = mark.text in ("more", "less") and closes(phrase, at)
    return is_last and opens_a_change(walk) and not _closes_a_list(phrase, mark)


_NOT_SO = frozenset({"not so", "not too"})


def _tells(phrase: Phrase, at: int) -> bool:
    """ "It's not so sharp", "the photo is not so clear", unlike "make it so it's not so bright"."""
    is_told = is_contracted(phrase) or any(atom.has(Role.BE) for atom in phrase.core[:at])
    return is_told and phrase.clause.joint != "purpose"


def _take_shortcoming(walk: Walk, following: Sequence[Atom]) -> bool:
    """ "Not so sharp" misses what "not so dark" has; the second asks for nothing."""
    if not any(isinstance(atom.senses.get(Role.ADJECTIVE), Tone) for atom in following):
        return False
    walk.marked, walk.has_more = 1, True
    return not is_flaw(following[0].text)


def _closes_a_list(phrase: Phrase, mark: Atom) -> bool:
    """ "More contrast and less", "more contrast, less"."""
    atoms = phrase.clause.atoms
    before = atoms[next(i for i, other in enumerate(atoms) if other is mark) - 1]
    return before.has(Role.AND) or (before.kind == "comma" and mark.has(Role.MORE, Role.LESS))


_HIGH = frozenset({"high", "strong", "intense", "harsh", "heavy", "much", "big"})


_LOW = frozenset({"low", "weak", "little", "poor"})


def _take_level(walk: Walk, level: Atom, at: int) -> None:
    """ "The contrast is too high": what comes before it moves."""
    sign = -1 if level.text in _HIGH else 1 if level.text in _LOW else 0
    moves = slide if level.text in ("high", "low") else turn  # shadows that are too low are too dark
    if sign and moves(walk, sign):
        walk.past = at


def _take_closing_too(walk: Walk, atom: Atom, at: int) -> bool:
    """ "... and increase the contrast a bit too": here it means "also"."""
    if atom.text.startswith("a "):
        walk.amounts.append(Note(at, 0.2))
    return True


def take_not(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    """ "The photo is not clear" misses what "is not dark" has."""
    following = next((other for other in phrase.core[at + 1 :] if not other.has(Role.AMOUNT)), None)
    adjective = following.senses.get(Role.ADJECTIVE) if following else None
    if walk.verb and walk.verb.has(Role.MAKE) and following and is_flaw(following.text):
        walk.marked = -1  # "make it not blurry"
        return True
    if atom.text in _INSTEAD and following and _is_a_listed_tint(walk, following):
        walk.marked = -1  # "more blue instead of yellow"
        return True
    if _denies_the_opposite(walk, phrase, atom, adjective):
        walk.past = at + 1
        return True
    told = (
        atom.text in _NOT_BEING
        or (at == 0 and (phrase.core[-1].text == "enough" or _is_of_the_photo(phrase)))
        or any(before.has(Role.BE) for before in phrase.core[:at])
    )
    if (
        walk.verb
        or walk.items
        or not told
        or not isinstance(adjective, Tone)
        or is_flaw(following.text if following else "")
        or adjective.comparative
        or _forbids(phrase, atom)
    ):
        return False
    walk.marked, walk.has_more = 1, True
    walk.past = max(walk.past, phrase.core.index(following) - 1) if following else walk.past  # the "very"
    return True


def _forbids(phrase: Phrase, denial: Atom) -> bool:
    """ "It should not be sharp", "it doesn't need to be bright" miss nothing."""
    return denial.text in _FORBIDDING or any(atom.text in _FORBIDDING for atom in phrase.clause.atoms)


_FORBIDDING = frozenset({"should", "need", "need to", "needs to", "have to", "has to", "must", "can", "may"})
_FORBIDDING |= {"can't", "cannot", "shouldn't", "mustn't", "needn't", "couldn't", "could", "might", "would"}


def _is_of_the_photo(phrase: Phrase) -> bool:
    """ "Image not clear", "the photo doesn't look very sharp"."""
    return bool(phrase.scopes) and phrase.scopes[0].what == "whole" and phrase.scopes[0].first == 0


def _denies_the_opposite(walk: Walk, phrase: Phrase, denial: Atom, adjective: object) -> bool:
    """The end of "make it brighter, not darker"."""
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is denial)
    is_joined = at > 0 and (atoms[at - 1].kind == "comma" or atoms[at - 1].has(Role.AND))
    if not is_joined or at != len(atoms) - 2 or len(walk.items) != 1 or not isinstance(adjective, Tone):
        return False
    tone = walk.items[0].tone
    return tone.operation == adjective.operation and tone.sign == -adjective.sign


_INSTEAD = frozenset({"instead of", "rather than"})


def _is_a_listed_tint(walk: Walk, following: Atom) -> bool:
    return following.has(Role.COLOR) and bool(walk.items) and walk.items[-1].tone.operation == "tint"


_NOT_BEING = frozenset({"isn't", "aren't", "wasn't"})


def take_verb(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.text in _CHANGES and _take_change(walk, atom, at, phrase):
        return True
    if atom.text == "up" and at > 0:
        return slide(walk, 1) or walk.verb is not None or bool(walk.items)
    if (
        walk.verb is None
        and atom.has(Role.RAISE, Role.LOWER)
        and turn(walk, -1 if atom.has(Role.LOWER) else 1)
    ):
        walk.verb = atom
        return True
    if walk.verb is not None and atom.text.endswith("ed") and atom.has(Role.RAISE, Role.LOWER):
        return turn(walk, -1 if atom.has(Role.LOWER) else 1)
    if walk.verb is not None or walk.items or walk.marked is not None:
        return False
    walk.verb = atom
    walk.direction = _direction(atom, phrase.core)
    return True


_CHANGES = frozenset({"increase", "increases", "boost", "decrease", "decreases", "reduction"})


def _take_change(walk: Walk, change: Atom, at: int, phrase: Phrase) -> bool:
    """ "Apply a slight increase in contrast", "... with a slight warmth decrease": as nouns."""
    sign = -1 if change.has(Role.LOWER) else 1
    last = walk.items[-1] if walk.items else None
    quality = phrase.core[at - 1].senses.get(Role.QUALITY) if last and last.at == at - 1 else None
    if last and isinstance(quality, Tone) and walk.direction:
        walk.items[-1] = replace(last, tone=replace(last.tone, sign=quality.sign * sign))
        return True
    is_given = walk.verb is not None and walk.verb.has(Role.ADD, Role.MAKE, Role.USE) and not walk.items
    walk.direction = sign if is_given else walk.direction
    return is_given


def _direction(verb: Atom, core: Sequence[Atom]) -> int:
    particle = next((atom.text for atom in core[1:] if atom.text in ("up", "down", "out")), None)
    if verb.has(Role.ADJUST):
        return 0
    if verb.has(Role.CHANGE, Role.MOVE) and not verb.has(Role.RAISE, Role.LOWER, Role.MAKE):
        is_goal = verb.text.startswith("turn") or any(atom.text in ("to", "into") for atom in core[-2:-1])
        if particle is None and is_goal and core[-1].has(Role.ADJECTIVE):
            return 1  # "turn the background blurry", "change the tone to warm"
        alone = int(verb.text.startswith("crank"))  # "crank the contrast"
        return {"up": 1, "down": -1, "out": int(verb.text == "bring"), None: alone}[particle]
    return -1 if verb.has(Role.LOWER) else 1


def take_down(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if atom.text == "from" and _is_left_behind(phrase.core[at + 1 : at + 3]):
        walk.past, walk.direction = at + 2, walk.direction or 1
        return True
    if atom.text == "for" and walk.items:
        return _take_purpose(walk, phrase.core[at + 1 : at + 2])
    if atom.text in ("toward", "towards"):
        return _take_goal(walk, at, phrase)
    if atom.text != "down":
        return False
    falls = any(item.tone.sign < 0 for item in walk.items)
    return walk.direction == -1 or (walk.verb is None and falls) or slide(walk, -1)


def _take_purpose(walk: Walk, following: Sequence[Atom]) -> bool:
    """ "Brighten it for a clear view", "add contrast for the colors"."""
    if any(after.has(Role.ADJECTIVE) and not is_flaw(after.text) for after in following):
        walk.marked = 1
    return any(after.has(Role.ADJECTIVE, Role.MORE, Role.COLORS) for after in following)


def _take_goal(walk: Walk, at: int, phrase: Phrase) -> bool:
    """ "Shift the hue towards blue", "the temperature more toward orange"."""
    following = [atom for atom in phrase.core[at + 1 :] if atom.text not in _OF_A_SCALE]
    if _is_vivid(following):  # "toward a more vibrant red/pink": both, and stronger
        following = [atom for atom in following if atom.has(Role.COLOR)]
        tints = [tone for tone in (cast_of(str(atom.senses[Role.COLOR])) for atom in following) if tone]
        walk.items += [Item(tone, at + 1) for tone in [*tints, Tone("saturation", 1)]]
        walk.past, walk.marked = len(phrase.core), None
        return bool(tints)
    tone = cast_of(str(following[0].senses.get(Role.COLOR, ""))) if len(following) == 1 else None
    named = [*walk.things, *phrase.core[:at]]
    if tone is None or not tone.color:
        return False
    walk.past, walk.marked = len(phrase.core), None
    temperature = next((item for item in walk.items if item.tone.operation == "warmth"), None)
    if temperature:
        sign = 1 if tone.color in _WARM else -1 if tone.color in _COLD else 0
        return turn(walk, sign) if not temperature.tone.sign else temperature.tone.sign == sign
    if walk.items or not any(atom.has(Role.CAST, Role.COLORS) for atom in named):
        return False
    walk.items.append(Item(tone, at + 1))
    return True


def _is_vivid(following: Sequence[Atom]) -> bool:
    """ "Vibrant red", "more vibrant red and pink"."""
    tones = [atom.senses.get(Role.ADJECTIVE) for atom in following]
    is_led = any(
        isinstance(tone, Tone) and (tone.operation, tone.sign) == ("saturation", 1) for tone in tones
    )
    is_plain = all(atom.has(Role.COLOR, Role.ADJECTIVE, Role.MORE, Role.AND) for atom in following)
    return is_led and is_plain and any(atom.has(Role.COLOR) for atom in following)


_OF_A_SCALE = frozenset({"side", "end", "range", "spectrum", "of", "color", "colors", "tones", "tone", "hue"})
_WARM = frozenset({"orange", "yellow", "red", "gold", "brown"})
_COLD = frozenset({"blue", "cyan", "teal", "turquoise"})


def _is_left_behind(following: Sequence[Atom]) -> bool:
    """The "dull to" of "from dull to vivid"."""
    return len(following) == 2 and following[0].has(Role.ADJECTIVE) and following[1].text == "to"
