"""Color words in a clause of qualities: casts, tints, "the colors", "make them pop"."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone, cast_of, is_natural
from editor.engine.language.phrases import Phrase
from editor.engine.language.tone.qualities import has_object, is_needed, leading_verb
from editor.engine.language.tone.walk import Item, Walk, is_joined, neighbor


def take_color(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    after = next(iter(phrase.core[at + 1 : at + 2]), None)
    if walk.verb is None and atom.text in _SLIDERS and after is not None and after.has_any(_NUMBERS):
        walk.items.append(Item(Tone(_SLIDERS[atom.text], 0), at))  # "whites +10"
        return True
    if walk.verb is not None and walk.verb.has(Role.MAKE) and after is not None and atom.text in _SLIDERS:
        return _take_end_of_light(walk, atom, after, at)
    if walk.verb is None and after is not None and after.text[0] in "+-":
        return _take_slider(walk, atom, at)
    if (
        walk.verb is not None
        and walk.verb.text.startswith(_SHOWING)
        and cast_of(str(atom.senses[Role.COLOR]))
    ):
        walk.items.append(Item(Tone("saturation", 1), at))  # "bring out the reds": what is red already
        return False
    is_cast = after is not None and _carries_a_tint(after, walk) and not _is_toned(phrase, at)
    asks = (
        walk.marked is not None
        or is_cast
        or (walk.verb is not None and (_may_tint(walk.verb, atom) or _is_graded(phrase.core, at)))
        or (is_tinge(atom) and any(other.has(Role.BE) for other in phrase.core[:at]))  # "it looks yellowish"
        or _is_given(walk, phrase.core, at)
    )
    if (_names_a_part(walk, at, phrase) and not is_cast) or _is_described_alone(phrase, at):
        return False
    if _is_of_its_saturation(phrase, atom):
        moved = [other for other in phrase.core if other.has(Role.QUALITY, Role.ADJECTIVE, Role.TONE)]
        walk.failure = walk.failure or ("" if len(moved) == 1 else _ONE_PLACE)
        return False
    names_a_thing = after is not None and (after.has(Role.NOUN) or after.is_unknown) and not is_cast
    is_red_in_general = after is None or not names_a_thing
    if not asks or not is_red_in_general or (walk.direction == 0 and walk.marked is None):
        return False
    tone = cast_of(str(atom.senses[Role.COLOR]))
    if tone is None and walk.verb is not None and _ends_of_light(walk, atom):
        walk.items.append(Item(Tone(*_ENDS[atom.text, _ends_of_light(walk, atom)]), at))
        return True
    if tone is None and atom.text in ("white", "whitish") and walk.marked is not None and not is_cast:
        tone = Tone("brightness", 1)  # "make the wall more white"
    if tone is None:
        walk.failure = f"There is no {atom.text} tint. Brightness and contrast can be changed."
        return True
    if tone.operation == "saturation" and not is_cast and phrase.has(Role.PART):
        walk.failure = "Say its new color, for example: make the hair brown."  # gray hair has no other
    sign = walk.marked or walk.direction or 1
    if is_cast and _is_described(walk, at, phrase):
        walk.failure = f"Say more {atom.text} or less {atom.text}."
    walk.items.append(Item(replace(tone, sign=tone.sign * sign), at))
    walk.past = at + 1 if is_cast and after is not None and not after.has(Role.COLORS) else walk.past
    return True


def _take_slider(walk: Walk, color: Atom, at: int) -> bool:
    """ "Blue +33": how much of it, and not a part of that color."""
    tone = cast_of(str(color.senses[Role.COLOR]))
    if tone is None or any(not item.tone.sign for item in walk.items):
        walk.failure = _ONE_PLACE  # "midtones blue +10": there is no blue of the midtones alone
    else:
        walk.items.append(Item(replace(tone, sign=0), at))
    return True


def _take_end_of_light(walk: Walk, color: Atom, told: Atom, at: int) -> bool:
    """ "Make the whites whiter", "make the blacks deeper"."""
    tone = told.senses.get(Role.ADJECTIVE)
    is_light = isinstance(tone, Tone) and tone.operation == "brightness"
    if not isinstance(tone, Tone) or not (is_light or told.text in ("deeper", "richer")):
        return False
    sign = tone.sign if is_light else -1 if color.text == "blacks" else 0
    walk.items.append(Item(Tone(_SLIDERS[color.text], sign), at))
    walk.past = at + 1
    return True


_ONE_PLACE = "Say each wish on its own: what changes, and where."


def _is_of_its_saturation(phrase: Phrase, color: Atom) -> bool:
    """ "The purple saturation", "the red and blue saturation": of what has these colors already."""
    atoms = itertools.dropwhile(lambda atom: atom is not color, phrase.clause.atoms)
    after = next((atom for atom in atoms if not atom.has(Role.COLOR, Role.AND)), None)
    return after is not None and after.text in ("saturation", "vibrance", "vibrancy")


_SHOWING = ("bring out", "bringing out", "brought out", "accentuat", "emphasi")
_SLIDERS = {"whites": "highlights", "blacks": "shadows"}
_NUMBERS = (Role.NUMBER, Role.MEASURE)


def _is_given(walk: Walk, core: Sequence[Atom], at: int) -> bool:
    """ "Brighten it with some yellow"."""
    leads = at > 1 and core[at - 1].has(Role.AMOUNT) and core[at - 2].text == "with"
    return leads and bool(walk.items) and at == len(core) - 1


def _ends_of_light(walk: Walk, color: Atom) -> int:
    """Which way the "blacks" and "whites" of a photo go, 0 where they do not: "lift the blacks"."""
    verb = walk.verb.text if walk.verb else ""
    if color.text == "blacks":
        falls = verb.startswith("deep") or (walk.verb is not None and walk.verb.has(Role.LOWER))
        return int(verb.startswith(_LIFTING)) - int(falls)
    return (walk.direction or 0) if color.text == "whites" and walk.marked is None else 0


_LIFTING = ("lift", "rais", "bring up", "bring out", "open", "pull up", "push up")
_ENDS: dict[tuple[str, int], tuple[str, int]] = {
    ("blacks", 1): ("shadows", 1),
    ("blacks", -1): ("shadows", -1),
    ("whites", 1): ("highlights", 1),
    ("whites", -1): ("highlights", -1),
}


def _is_described_alone(phrase: Phrase, at: int) -> bool:
    """The blues of "more saturated blues"."""
    tone = phrase.core[at - 1].senses.get(Role.ADJECTIVE) if at > 0 else None
    is_vivid = isinstance(tone, Tone) and tone.operation == "saturation"
    return is_vivid and phrase.core[at].text.endswith("s") and at == len(phrase.core) - 1


CARRIERS = frozenset({"light", "lighting", "haze", "shading", "glow"})
"""What can have a tint without being a thing: "the purple lighting"."""


def _is_described(walk: Walk, at: int, phrase: Phrase) -> bool:
    """ "Make the blue tint warmer" is about the tint that is there."""
    makes = walk.verb is not None and walk.verb.has(Role.MAKE) and at == 1 and walk.marked is None
    return makes and any(atom.has(Role.ADJECTIVE) for atom in phrase.core[at + 1 :])


def _names_a_part(walk: Walk, at: int, phrase: Phrase) -> bool:
    """ "The contrast of the blues and purples"."""
    before = phrase.core[at - 1] if at > 0 else None
    is_listed = (
        before is not None and before.has(Role.AND) and any(atom.has(Role.COLOR) for atom in walk.things)
    )
    return bool(walk.items) and before is not None and (before.text in ("of", "in", "on") or is_listed)


def _carries_a_tint(after: Atom, walk: Walk) -> bool:
    is_asked = walk.marked is not None or walk.verb is not None
    return after.has(Role.CAST, Role.COLORS, Role.EFFECT) or (after.text in CARRIERS and is_asked)


def _is_toned(phrase: Phrase, at: int) -> bool:
    """The green of "darken the green color": what is green already."""
    verb, after = phrase.core[0], phrase.core[at + 1]
    is_carried = after.has(Role.COLORS) or after.text in ("tones", "hues", "shades")
    return at == 1 and verb.has(Role.TONE) and not verb.has(Role.QUALITY) and is_carried


def _may_tint(verb: Atom, color: Atom) -> bool:
    """ "Add blue" and "make it bluish"; "make it blue" is another color."""
    return verb.has(Role.RAISE, Role.LOWER, Role.ADD, Role.ENHANCE) or (
        verb.has(Role.MAKE) and is_tinge(color)
    )


def _is_graded(core: Sequence[Atom], at: int) -> bool:
    """ "Make the sky a touch blue", "very blue": of the color of a thing there is no more and no less."""
    amount = core[at - 1].senses.get(Role.AMOUNT) if at > 0 else None
    return isinstance(amount, float) and amount < 1


def is_tinge(color: Atom) -> bool:
    """ "Bluish", "yellowy": a little of a color, and never the color of a thing."""
    return color.text.endswith(("ish", "ness", "wy", "gey", "owing"))


def take_cast(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    """ "The yellow tone", "make the tone brighter"; a tone that stands alone in a list has no meaning, but
    people say hue for color: "more contrast and hue"."""
    if (atom.text in _HUES or _closes_a_list(walk, atom, phrase)) and _is_moved(walk, atom, phrase):
        sign = walk.marked or walk.direction or 1
        walk.items.append(Item(Tone("saturation", sign), at))
        return True
    tells = (Role.COLOR, Role.QUALITY, Role.COLORS, Role.ADJECTIVE, Role.TONE)
    told = any(other.has_any(tells) for other in phrase.core if other is not atom)
    return (
        told
        and phrase.core[at - 1].text != "of"
        and not (is_joined(phrase, atom) and not phrase.core[at - 1].has(Role.COLOR))
    )


_HUES = frozenset({"hue", "hues"})


def _closes_a_list(walk: Walk, cast: Atom, phrase: Phrase) -> bool:
    """The tone of "increase the brightness, contrast and tone"."""
    is_tone = cast.text in ("tone", "tones", "color tone", "color tones") and cast is phrase.core[-1]
    are_raised = len(walk.items) > 1 and all(item.tone.sign > 0 for item in walk.items)
    return is_tone and are_raised and walk.verb is not None and is_joined(phrase, cast)


def _is_moved(walk: Walk, hue: Atom, phrase: Phrase) -> bool:
    """Whether the hue goes up or down itself, without a color or another word that says how it is to be."""
    is_governed = walk.governing is not None and walk.governing.sign > 0
    is_turned = is_governed or (
        walk.verb is not None and not walk.verb.has(Role.MAKE, Role.ADD) and bool(walk.direction)
    )
    moves = walk.marked is not None or is_turned
    others = [atom for atom in phrase.core if atom is not hue]
    told = any(
        atom.has(Role.COLOR, Role.ADJECTIVE, Role.COLORS) and not atom.has(Role.QUALITY) for atom in others
    )
    return moves and not told


def take_effect(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    """ "A darker filter", "make it feel warmer"."""
    described = at > 0 and phrase.core[at - 1].has(Role.ADJECTIVE, Role.QUALITY, Role.COLOR)
    return described or (atom.text == "feel" and walk.verb is not None)


_LAYERS = frozenset({"overlay", "layer", "filter", "wash"})  # "an overlay of color": of which?


def take_colors(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    if at > 0 and phrase.core[at - 1].has(Role.COLOR):
        return True
    if at == 0 and atom.has(Role.PAINT) and has_object(phrase, atom):
        return False
    if at > 1 and phrase.core[at - 1].text == "of" and phrase.core[at - 2].text in _LAYERS:
        return False
    walk.marked = 1 if is_needed(phrase, atom) else walk.marked  # "too dark, needs color"
    walk.colors_at, walk.colors_sign = at, walk.marked or walk.direction or 0
    verb_is_make = walk.verb is not None and walk.verb.has(Role.MAKE)
    beside = [other for other in (neighbor(phrase, atom, -1), neighbor(phrase, atom, 1)) if other]
    is_marked = at > 0 and phrase.core[at - 1].has(Role.MORE, Role.LESS, Role.LACKING, Role.TOO)
    is_closed = any(other.has(Role.MORE, Role.LESS) for other in beside[-1:])  # "more color less shadow"
    is_joined = any(other.has(Role.AND) or other.kind == "comma" for other in beside) or (
        is_marked and (bool(walk.items) or is_closed)
    )
    walk.colors_are_listed = is_joined and not verb_is_make
    is_counted = at > 1 and phrase.core[at - 1].has(Role.AMOUNT, Role.MORE, Role.LESS)
    walk.colors_are_apart = is_counted and bool(walk.items)
    return True


def settle_colors(walk: Walk, phrase: Phrase) -> None:
    """ "brighter colors" is saturation; "colors" alone is saturation in the direction of the verb."""
    if walk.colors_at is None:
        return
    verb = leading_verb(walk, phrase)
    if walk.items and _are_strengthened(phrase, walk.colors_at):
        walk.items.insert(0, Item(Tone("saturation", 1), walk.colors_at))
    elif not walk.items:
        sign = walk.marked or walk.colors_sign or walk.direction or 0
        if sign and (walk.verb is None or not walk.verb.has(Role.MAKE) or walk.marked):
            walk.items.append(Item(Tone("saturation", sign), walk.colors_at))
    elif walk.colors_are_apart:
        walk.items.append(Item(Tone("saturation", walk.colors_sign or 1), walk.colors_at))
    elif walk.colors_are_listed and walk.colors_at > 1 and verb and not walk.colors_sign:
        _lead_colors(walk, verb)
    elif walk.is_descriptive and not any(item.tone.operation == "saturation" for item in walk.items):
        walk.items = [_recast(item) if _is_of_the_colors(item, walk, phrase) else item for item in walk.items]
    elif any(_softens(item, walk) for item in walk.items):
        paler = Tone("saturation", -1)
        walk.items = [replace(item, tone=paler) if _softens(item, walk) else item for item in walk.items]
    elif walk.colors_are_listed and walk.colors_sign:
        walk.items.append(Item(Tone("saturation", walk.colors_sign), walk.colors_at))


def _softens(item: Item, walk: Walk) -> bool:
    """ "Softer colors", "make the colors a bit softer"."""
    is_beside = walk.colors_at is not None and abs(item.at - walk.colors_at) == 1
    return item.tone == Tone("blur", 1) and (is_beside or len(walk.items) == 1)


def _are_strengthened(phrase: Phrase, at: int) -> bool:
    """ "Make the colors stronger and brighter": two wishes."""
    told = phrase.core[at + 1 : at + 4]
    is_list = len(told) == 3 and told[1].has(Role.AND) and told[2].has(Role.ADJECTIVE)
    return is_list and told[0].text in ("stronger", "more intense")


def _lead_colors(walk: Walk, verb: Tone) -> None:
    """ "Brighten the photo and colors"; "darken the photo and colors" does not say how."""
    if verb in (Tone("brightness", 1), Tone("sharpness", 1)) and walk.colors_at is not None:
        walk.items.append(Item(Tone("saturation", 1), walk.colors_at))
    elif verb.operation != "saturation":
        walk.failure = "Say more color or less color."


def _is_of_the_colors(item: Item, walk: Walk, phrase: Phrase) -> bool:
    """The "brighter" of "crisper, with brighter colors", and not the "crisper"."""
    colors = phrase.core[walk.colors_at or 0]
    between = itertools.dropwhile(lambda atom: atom is not phrase.core[item.at], phrase.clause.atoms)
    led = itertools.takewhile(lambda atom: atom is not colors, between)
    return not any(atom.kind == "comma" or atom.text == "with" for atom in led)


def _recast(item: Item) -> Item:
    if item.tone.operation in ("brightness", "sharpness") and item.tone.sign > 0:
        return Item(Tone("saturation", 1), item.at)
    return item


def take_vague(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    """ "make the colors pop"."""
    if walk.colors_at is not None and not walk.items and atom.text.startswith(("pop", "stand")):
        walk.items.append(Item(Tone("saturation", 1), at))
        return True
    if walk.marked == -1 and phrase.core[at - 1].has(
        Role.LESS
    ):  # "less punchy"; less of what is merely good is no wish
        walk.items += [Item(Tone("contrast", -1), at)] if atom.text.startswith("punch") else []
        return atom.text.startswith("punch")
    if atom.text == "resolution":
        return False
    is_done = atom.text.split()[0].endswith("ed")  # "cleaned up, brightened and sharpened"
    if walk.verb is None and not walk.items and not is_done:
        return False
    if atom.text.startswith(("pop", "stand")) and not walk.items and _shows_its_color(phrase):
        walk.items.append(Item(Tone("saturation", 1), at))
        return True
    if atom.text.startswith(("pop", "stand")) and not walk.items and _shows_somebody(phrase):
        walk.items += [Item(Tone("contrast", 1), at), Item(Tone("saturation", 1), at)]
        return True
    if not _is_told_of_colors(walk, atom, at, phrase):
        walk.items.append(Item(Tone("white_balance" if is_natural(atom.text) else "enhance", 1), at))
    walk.marked = None
    return True


def _is_told_of_colors(walk: Walk, vague: Atom, at: int, phrase: Phrase) -> bool:
    """Whether it says no more of the colors than is done to them: the "powerful" of "make the colors vivid
    and powerful", the "natural" of "increase the natural colors"."""
    if is_natural(vague.text):
        leads = any(after.has(Role.COLORS) for after in phrase.core[at + 1 : at + 2])
        return leads and walk.verb is not None and walk.verb.has(Role.RAISE)
    return bool(walk.items) and (walk.colors_at is not None or phrase.meant is not None)


def _shows_somebody(phrase: Phrase) -> bool:
    """ "Make the child stand out", "make the cat pop": with more contrast and color than the rest."""
    if not phrase.named:
        return phrase.has(Role.SEEN)
    return all(scope.what in ("subject", "person", "face") for scope in phrase.named)


def _shows_its_color(phrase: Phrase) -> bool:
    """ "Make the sky pop", "make the reds stand out"."""
    return phrase.has(Role.FINDABLE, Role.COLOR)
