"""Turns of speech around a wish for light and color, each as the plain wish that it stands for.

"Apply a contrast adjustment" adjusts the contrast, "make it look like it's darker outside" makes it look
darker. Each is looked for only where one of its own words stands.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, is_packing, passed_over
from editor.engine.language.lexicon import is_flaw
from editor.engine.language.lexicon.roles import VERBS, Role, Tone
from editor.engine.language.restating.shadows import SHADOWS, brightens, lightened
from editor.engine.language.restating.sparing import GLEAM

_SMALL = (Role.DETERMINER, Role.THIS, Role.FILLER)


def plainly_put(found: Sequence[Atom], texts: Collection[str]) -> list[Atom]:
    """The atoms, whose words are `texts`, without such turns."""
    told = list(found)
    for words, rewritten in _TURNS:
        if not words.isdisjoint(texts):
            told = rewritten(told)
    return _asked_for(told) if told and told[0].has(Role.AMOUNT) else told


def _word(at: Atom, text: str, role: Role, meaning: object = None) -> Atom:
    """A word that stands where that one does."""
    return replace(at, text=text, senses={role: meaning or text}, kind="word")


def _end(told: Sequence[Atom], at: int) -> int:
    """Where the part ends in which that word stands."""
    return next((i for i in range(at, len(told)) if told[i].kind in ("stop", "comma")), len(told))


def _stop(told: Sequence[Atom], at: int) -> int:
    return next((i for i in range(at, len(told)) if told[i].kind == "stop"), len(told))


def _after(told: Sequence[Atom], at: int) -> int:
    """The next word that is no article."""
    return next((i for i in range(at, len(told)) if not told[i].has(Role.DETERMINER, Role.THIS)), len(told))


def _operation(atom: Atom, role: Role) -> str:
    tone = atom.senses.get(role)
    return tone.operation if isinstance(tone, Tone) else ""


def _adjusted(told: list[Atom]) -> list[Atom]:
    """ "Apply a brightness adjustment" as "adjust the brightness"."""
    for at in range(2, len(told)):
        verb = next((i for i in range(at - 1, -1, -1) if told[i].has(Role.ADD, Role.USE)), at)
        named = told[verb + 1 : at]
        moved = {_operation(atom, Role.QUALITY) for atom in named if atom.has(Role.QUALITY)}
        is_named = bool(moved) and moved <= _WANTED | {"shadows", "highlights"}
        is_named = is_named and all(atom.has(Role.QUALITY, Role.DETERMINER, Role.AND) for atom in named)
        if told[at].text in _ADJUSTMENTS and is_named:
            told[verb] = _word(told[verb], "adjust", Role.ADJUST)
            told[at] = passed_over(told[at])
    return told


_ADJUSTMENTS = frozenset({"adjustment", "adjustments"})


def _intensified(told: list[Atom]) -> list[Atom]:
    """ "Increase the intensity of the shadows" as "increase the shadows"."""
    for at in range(len(told) - 2):
        of = told[at].text in _STRENGTH and told[at + 1].text == "of"
        named = _after(told, at + 2) if of else len(told)
        if named == len(told):
            continue
        is_shade = told[named].text in ("shade", "shades") and _end(told, at) == named + 1
        if is_shade or _operation(told[named], Role.QUALITY) in ("shadows", "highlights"):
            told[at : at + 2] = map(passed_over, told[at : at + 2])
        if is_shade:
            told[named] = _word(told[named], "shadows", Role.QUALITY, Tone("shadows", -1))
    return told


_STRENGTH = frozenset({"intensity", "strength"})


def _needless(told: list[Atom]) -> list[Atom]:
    """ "More contrast not needed just brighten it": the stop that was left out."""
    for at in range(len(told) - 2, 0, -1):
        is_denied = told[at].text in _NEEDED and told[at - 1].has(Role.NOT)
        if is_denied and (told[at + 1].text == "just" or told[at + 1].has_any(VERBS)):
            told.insert(at + 1, Atom(".", told[at].end, told[at].end, {}, "stop"))
    return told


_NEEDED = frozenset({"needed", "required", "necessary"})


def _not_that_far(told: list[Atom]) -> list[Atom]:
    """ "Do not make it so bright that the sky is gone" as "but not too much"."""
    for at in range(len(told) - 4, 0, -1):
        opens = told[at].has(Role.NOT) and told[at + 1].has(Role.MAKE) and told[at + 2].has(*_OF_ALL)
        named = opens and told[at + 3].text in ("so", "too") and told[at + 4 : at + 5]
        if (
            named
            and named[0].has(Role.ADJECTIVE)
            and [atom.text for atom in told[at + 5 : at + 6]] == ["that"]
        ):
            end = _stop(told, at)
            told[at:end] = [
                _word(told[at], "but not too much", Role.MODERATE),
                *map(passed_over, told[at + 1 : end]),
            ]
    return told


_OF_ALL = (Role.PHOTO, Role.IT, Role.THIS)


def _emphasized(told: list[Atom]) -> list[Atom]:
    """ "Brighten it with an emphasis on the blues" as "... then bring out the blues"."""
    for at in range(1, len(told) - 1):
        with_ = at - 2 if told[at - 1].has(Role.DETERMINER) else at - 1
        is_led = with_ > 0 and told[with_].text == "with" and told[at + 1].text == "on"
        if told[at].text in _EMPHASIS and is_led:
            told[with_] = _word(told[with_], "then", Role.THEN)
            told[with_ + 1 : at] = map(passed_over, told[with_ + 1 : at])
            told[at] = _word(told[at], "bring out", Role.RAISE)
            told[at + 1] = passed_over(told[at + 1])
    return told


_EMPHASIS = frozenset({"emphasis", "emphasise", "emphasize"})


def _not_otherwise(told: list[Atom]) -> list[Atom]:
    """The ", not warm," of "make it a blue, not warm, tone"."""
    for at in range(1, len(told) - 4):
        is_aside = told[at].kind == "comma" and told[at + 1].has(Role.NOT) and told[at + 3].kind == "comma"
        goes_on = is_aside and told[at + 2].has(Role.ADJECTIVE) and told[at + 4].has(Role.CAST, Role.COLORS)
        if goes_on and any(atom.has(Role.COLOR, Role.ADJECTIVE) for atom in told[:at]):
            told[at : at + 4] = map(passed_over, told[at : at + 4])
    return told


def _merely_like(told: list[Atom]) -> list[Atom]:
    """The "instead of the gray sky" of "brighter, like the sun is out instead of the gray sky"."""
    for at in range(len(told) - 1):
        if (
            told[at].has(Role.ADJECTIVE)
            and told[at].text.startswith("like ")
            and told[at + 1].text in _INSTEAD
        ):
            end = _end(told, at)
            if not any(atom.has_any(VERBS) and not atom.has(Role.NOUN) for atom in told[at + 2 : end]):
                told[at + 1 : end] = map(passed_over, told[at + 1 : end])
    return told


_INSTEAD = frozenset({"instead of", "rather than"})


def _as_if_outside(told: list[Atom]) -> list[Atom]:
    """ "Make it look like it's darker outside" as "make it look darker"."""
    for at in range(2, len(told) - 2):
        is_like = told[at].text == "like" and told[at - 1].text == "look" and told[at + 1].has(Role.IT)
        after = at + 2 + (is_like and told[at + 2].has(Role.BE))
        rest = told[after : _end(told, after)]
        graded = [atom for atom in rest if not atom.has(Role.AMOUNT) and atom.text not in _OUTSIDE]
        is_light = [_operation(atom, Role.ADJECTIVE) for atom in graded] == ["brightness"]
        if is_like and is_light and (told[at + 1].text in _ITS or after > at + 2):
            told[at:after] = map(passed_over, told[at:after])
            told = [passed_over(atom) if atom.text in _OUTSIDE else atom for atom in told]
    return told


_ITS = frozenset({"it 's", "it's", "its"})
_OUTSIDE = frozenset({"outside", "outdoors", "out there"})


def _told_as_a_command(told: list[Atom]) -> list[Atom]:
    """ "The command would be to make it brighter" as "make it brighter"."""
    first = next((at for at, atom in enumerate(told) if atom.text in _COMMANDS), len(told))
    to = next((at for at, atom in enumerate(told[: first + 6]) if atom.text == "to"), 0)
    opens = all(atom.has(*_SMALL) for atom in told[:first])
    between = told[first + 1 : to]
    is_led = opens and first < to < len(told) - 1 and told[to + 1].has_any(VERBS)
    says = any("be" in atom.text.split() or atom.has(Role.BE) for atom in between)
    is_plain = all(atom.has(Role.FILLER, Role.BE) or atom.text in ("likely", "probably") for atom in between)
    return [*map(passed_over, told[: to + 1]), *told[to + 1 :]] if is_led and says and is_plain else told


_COMMANDS = frozenset({"command", "request", "instruction", "edit"})


def _corrected(told: list[Atom]) -> list[Atom]:
    """ "Color correct the whites" as their balance, "color correct to adjust the light" as two wishes."""
    for at in range(len(told) - 1):
        if told[at].text not in _CORRECTING:
            continue
        after = _after(told, at + 1)
        closes = all(is_packing(atom) or atom.text == "to" for atom in told[after + 1 : after + 2])
        if after < len(told) and told[after].text == "whites" and closes:
            told[after] = _word(told[after], "white balance", Role.BALANCE)
        goes_on = told[at].text.startswith("col") and [atom.text for atom in told[at + 1 : at + 3]]
        if goes_on == ["to", "adjust"]:
            told[at + 1] = _word(told[at + 1], "then", Role.THEN)
    return told


_CORRECTING = frozenset({"color correct", "colour correct", "correct", "fix"})


def _moved_to_a_color(told: list[Atom]) -> list[Atom]:
    """ "Move the third slider to the yellow side" as "add a yellow tint"."""
    for at in range(2, len(told)):
        to = next((i for i in range(at - 1, -1, -1) if told[i].text in _TOWARD), 0)
        verb = next((i for i in range(to - 1, -1, -1) if told[i].has(Role.MOVE)), to)
        if told[at].text not in _SIDES or verb == to or not told[at - 1].has(Role.COLOR):
            continue
        moved, goal = told[verb + 1 : to], told[to + 1 : at - 1]
        is_slider = any(atom.text in _SLIDERS or atom.has(Role.CAST) for atom in moved)
        is_plain = all(
            atom.text in _SLIDERS or atom.has(Role.CAST, Role.ORDINAL, Role.DETERMINER) for atom in moved
        )
        if is_slider and is_plain and all(atom.has(Role.DETERMINER, Role.MORE) for atom in goal):
            told[at] = _word(told[at], "tint", Role.CAST)
            told[verb] = _word(told[verb], "add", Role.ADD)
            told[verb + 1 : at - 1] = map(passed_over, told[verb + 1 : at - 1])
    return told


_TOWARD = frozenset({"to", "toward", "towards", "into"})
_SIDES = frozenset({"side", "end"})
_SLIDERS = frozenset({"tab", "slider", "bar", "dial", "handle", "arrow"})


def _both_of_them(told: list[Atom]) -> list[Atom]:
    """The brightness and the contrast of "brightness/contrast -> increase both"."""
    for at in range(len(told) - 1, 0, -1):
        if told[at].text != "both" or not told[at - 1].has(Role.RAISE, Role.LOWER):
            continue
        named = [i for i in range(at) if told[i].has(Role.QUALITY)][-2:]
        are_paired = len(named) == 2 and named[1] == named[0] + 2 and told[named[0] + 1].has(Role.AND)
        if are_paired and any(atom.text == "->" for atom in told[named[1] : at]):
            here = [replace(told[i], start=told[at].start, end=told[at].end) for i in named]
            told[at : at + 1] = [here[0], _word(told[at], "and", Role.AND), here[1]]
    return told


def _with_true_colors(told: list[Atom]) -> list[Atom]:
    """ "So that the true colors show and not just the red tint" as "... then reduce the red tint"."""
    for at in range(2, len(told) - 3):
        named = _after(told, at + 2)
        is_led = (
            told[at].has(Role.NOT) and told[at + 1].text in ("just", "only") and told[at - 1].has(Role.AND)
        )
        is_tint = is_led and named + 1 < len(told) and told[named].has(Role.COLOR)
        before = {atom.text for atom in told[:at]}
        is_shown = not before.isdisjoint(_TRUE) and not before.isdisjoint(_SHOWING)
        if is_tint and told[named + 1].has(Role.CAST) and is_shown:
            told[at - 1 : at + 2] = [
                _word(told[at - 1], "then", Role.THEN),
                _word(told[at], "reduce", Role.LOWER),
                passed_over(told[at + 1]),
            ]
    return told


_SHOWING = frozenset({"show", "shows", "showing", "seen", "visible", "come out"})
_TRUE = frozenset({"true", "natural", "real", "actual", "original"})


def _which_photo(told: list[Atom]) -> list[Atom]:
    """The "(left)" of "sharpen this image (left)"."""
    for at in range(1, len(told) - 2):
        is_aside = told[at].text == "(" and told[at + 2].text == ")" and told[at + 1].text in _SHOWN
        if is_aside and told[at - 1].has(Role.PHOTO):
            told[at : at + 3] = map(passed_over, told[at : at + 3])
    return told


_SHOWN = frozenset({"left", "right", "input", "original", "first"})


def _noted(told: list[Atom]) -> list[Atom]:
    """The "(note that it was scanned, which shows)" beside a wish: a fact, and nothing to do."""
    for at in range(1, len(told)):
        if told[at].text != "note" or told[at - 1].text != "(":
            continue
        end = next((i for i in range(at, len(told)) if told[i].text == ")"), at)
        note = told[at:end]
        is_fact = any("been" in atom.text.split() or atom.has(Role.BE) for atom in note)
        asks = any(atom.has_any(VERBS) and not atom.text.endswith("ed") for atom in note)
        if is_fact and not asks and not any(atom.has(Role.KEEP, Role.NO, Role.WITHOUT) for atom in note):
            told[at - 1 : end + 1] = map(passed_over, told[at - 1 : end + 1])
    return told


def _set_so(told: list[Atom]) -> list[Atom]:
    """ "Change the settings so the photo is lighter" as "make the photo lighter"."""
    for at in range(len(told) - 5, -1, -1):
        named = _after(told, at + 1) if told[at].has(Role.CHANGE, Role.ADJUST) else len(told)
        if named + 4 > len(told) or told[named].text not in _SETTINGS:
            continue
        so = told[named + 1]
        photo = named + 1 if so.text.endswith(" it") else _after(told, named + 2)
        is_so = so.has(Role.PURPOSE) or so.text == "so"
        is_photo = photo == named + 1 or (photo < len(told) and told[photo].has(*_OF_ALL))
        if is_so and is_photo and photo + 1 < len(told) and told[photo + 1].has(Role.BE):
            told[photo] = told[photo] if photo > named + 1 else _word(so, "it", Role.IT)
            told[at : photo + 2] = [_word(told[at], "make", Role.MAKE), told[photo]]
    return told


_SETTINGS = frozenset({"pixel", "pixels", "settings", "setting", "values", "parameters"})


def _less_sepia(told: list[Atom]) -> list[Atom]:
    """ "Turn down the sepia tone" as "turn down the brown tint"."""
    for at in range(len(told) - 1, 0, -1):
        before = [atom for atom in told[max(at - 2, 0) : at] if not atom.has(Role.DETERMINER)][-1:]
        if told[at].senses.get(Role.LOOK) == "sepia" and any(
            atom.has(Role.LOWER, Role.LESS) for atom in before
        ):
            told[at : at + 1] = [_word(told[at], "brown", Role.COLOR), _word(told[at], "tint", Role.CAST)]
    return told


_WANTED = frozenset({"brightness", "exposure", "contrast", "saturation", "vibrance", "sharpness", "clarity"})


def _asked_for(told: list[Atom]) -> list[Atom]:
    """ "A little contrast", of which nothing more is said, as "add a little contrast"."""
    end = _stop(told, 0)
    part = told[1 + (told[1:2] != [] and told[1].text == "of") : end]
    named = [atom for atom in part if not is_packing(atom) and not atom.has(Role.AMOUNT)]
    are_wanted = all(_operation(atom, Role.QUALITY) in _WANTED or atom.has(Role.COLORS) for atom in named)
    if not named or not are_wanted or any(is_flaw(atom.text) or atom.has(Role.TONE) for atom in named[1:]):
        return told
    return [Atom("add", told[0].start, told[0].start, {Role.ADD: "add"}), *told]


def _in_order_to(told: list[Atom]) -> list[Atom]:
    """ "In order to create more contrast": another wish, as "to create more contrast" is."""
    for at in range(1, len(told) - 2):
        is_wish = told[at].text == "in order to" and told[at + 1].has_any(VERBS)
        if is_wish and told[at + 2].has(Role.MORE, Role.LESS):
            told[at] = _word(told[at], "to", Role.PREPOSITION)
    return told


def _misspelled(told: list[Atom]) -> list[Atom]:
    """ "More contract": a word of its own, which is not meant here."""
    for at in range(1, len(told)):
        if told[at].text == "contract" and told[at - 1].has(Role.MORE, Role.LESS, Role.RAISE, Role.LOWER):
            told[at] = _word(told[at], "contrast", Role.QUALITY, Tone("contrast", 1))
    return told


def _also_so(told: list[Atom]) -> list[Atom]:
    """The "also" of "so the leaves are also visible", which is no new wish."""
    for at in range(1, len(told) - 1):
        if told[at].text == "also" and told[at - 1].has(Role.BE) and told[at + 1].has(Role.ADJECTIVE):
            told[at] = passed_over(told[at])
    return told


def _rid_of_haze(told: list[Atom]) -> list[Atom]:
    """ "Sharpen it to get rid of the haze" as two wishes."""
    for at in range(2, len(told) - 1):
        named = next((atom for atom in told[at + 1 : at + 4] if not atom.has(Role.AMOUNT, *_SMALL)), None)
        is_led = told[at].text == "rid of" and told[at - 1].text == "to get"
        if is_led and named is not None and _operation(named, Role.QUALITY) in ("dehaze", "denoise"):
            told[at - 1] = _word(told[at - 1], "then", Role.THEN)
    return told


def _evened_out(told: list[Atom]) -> list[Atom]:
    """ "Even out the whites and blacks" as "even out the light"."""
    for at in range(len(told) - 1):
        after = at + 1 + (told[at + 1].text == "out")
        first = _after(told, after) if told[at].text in _EVENING else len(told)
        if first < len(told) and told[first].text in _BLACK_AND_WHITE:  # no look
            told[first] = _word(told[first], "light", Role.QUALITY, Tone("brightness", 1))
        second = _after(told, first + 2)
        is_pair = second < len(told) and told[first + 1].has(Role.AND)
        if is_pair and {told[first].text, told[second].text} <= _LIGHTS | _DARKS:
            is_both = {told[first].text in _DARKS, told[second].text in _DARKS} == {True, False}
            end = second + 1 + (told[second + 1 : second + 2] != [] and told[second + 1].text == "balance")
            light = _word(told[first], "light", Role.QUALITY, Tone("brightness", 1))
            if is_both:
                told[first:end] = [light, *map(passed_over, told[first + 1 : end])]
    return told


_EVENING = frozenset({"even out", "evening out", "even", "balance", "balance out", "balancing"})
_BLACK_AND_WHITE = frozenset({"black and white", "black and whites", "black & white"})
_LIGHTS = frozenset({"white", "whites", "light", "lights"})
_DARKS = frozenset({"black", "blacks", "dark", "darks", "dark balance"})


type _Rewriting = Callable[[list[Atom]], list[Atom]]

_TURNS: tuple[tuple[frozenset[str], _Rewriting], ...] = (
    (_ADJUSTMENTS, _adjusted),
    (_STRENGTH, _intensified),
    (_NEEDED, _needless),
    (frozenset({"that"}), _not_that_far),
    (_EMPHASIS, _emphasized),
    (frozenset({"not"}), _not_otherwise),
    (_INSTEAD, _merely_like),
    (frozenset({"like"}), _as_if_outside),
    (_COMMANDS, _told_as_a_command),
    (_CORRECTING, _corrected),
    (_SIDES, _moved_to_a_color),
    (frozenset({"both"}), _both_of_them),
    (_TRUE, _with_true_colors),
    (_SHOWN, _which_photo),
    (frozenset({"note"}), _noted),
    (_SETTINGS, _set_so),
    (frozenset({"in order to"}), _in_order_to),
    (frozenset({"contract"}), _misspelled),
    (frozenset({"also"}), _also_so),
    (frozenset({"rid of"}), _rid_of_haze),
    (_EVENING, _evened_out),
    (frozenset({"sepia", "sepia tone", "sepia tones"}), _less_sepia),
)
"""Each way to rewrite a turn, with the words of which one stands in it."""


def of_all(found: list[Atom]) -> list[Atom]:
    """The atoms of a sentence without a box: a part that is named as the reason is not changed alone."""
    texts = {atom.text for atom in found}
    told = list(found)
    if not texts.isdisjoint(SHADOWS):
        told = _lit_where_it_is_dark(told)
    if "define" in texts:
        told = [_as_a_view(told, at) for at in range(len(told))]
    return told if texts.isdisjoint(GLEAM) else _gleaming(told)


def _lit_where_it_is_dark(told: list[Atom]) -> list[Atom]:
    """ "Brighten the photo to remove the shadows on the wall" as "... then lighten the shadows"."""
    for at in range(3, len(told) - 1):
        named = _after(told, at + 1)
        is_led = told[at].has(Role.REMOVE) and told[at - 1].text == "to" and named < len(told)
        before = told[:at]
        is_lit = any(brightens(atom) for atom in before) and any(atom.has(Role.PHOTO) for atom in before)
        if not (is_led and told[named].text in SHADOWS and is_lit):
            continue
        end = _stop(told, named)
        if not any(
            atom.has_any(VERBS) and not atom.has(Role.NOUN, Role.PART) for atom in told[named + 1 : end]
        ):
            told[at - 1] = _word(told[at - 1], "then", Role.THEN)
            told[at], told[named] = lightened(told[at], told[named])
            told[named + 1 : end] = map(passed_over, told[named + 1 : end])
    return told


def _as_a_view(told: Sequence[Atom], at: int) -> Atom:
    """The "define" of "brighten it to define the boat", which light does."""
    named = _after(told, at + 1)
    is_thing = named < len(told) and told[named].has(Role.NOUN) and not told[named].has(Role.QUALITY)
    is_led = at > 1 and told[at].text == "define" and told[at - 1].text == "to"
    return _word(told[at], "show", Role.COMMON) if is_led and is_thing else told[at]


def _gleaming(told: list[Atom]) -> list[Atom]:
    """ "Brighten it, retain the shine on the glass" without what more light keeps anyway."""
    for at in range(2, len(told) - 2):
        gleam = _after(told, at + 1)
        is_kept = told[at].has(Role.KEEP) and gleam + 1 < len(told) and told[gleam].text in GLEAM
        if is_kept and told[gleam + 1].text in ("on", "of", "in") and any(map(brightens, told[:at])):
            end = next((i for i in range(gleam, len(told)) if _joins(told[i])), len(told))
            told[at:end] = map(passed_over, told[at:end])
    return told


def _joins(atom: Atom) -> bool:
    return atom.kind in ("stop", "comma") or atom.has(Role.AND, Role.THEN, Role.BUT)
