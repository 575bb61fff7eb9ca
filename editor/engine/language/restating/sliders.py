"""Steps in an editor's dialogue: "select brightness, slide the bar 10 points to the right, click OK".

What is chosen and clicked asks for nothing; what a bar or a value is moved by is the wish. Each such step
becomes "increase the brightness by 10 points", which the rules read.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.atoms import Atom, Measure, passed_over
from editor.engine.language.lexicon.roles import VERBS, Role, Tone

WORDS = frozenset(
    {"click", "press", "hit", "select", "choose", "open", "bar", "bars", "slide", "->", "subtract"}
    | {
        "subtracting",
        "rgb",
        "levels",
        "level",
        "curves",
        "ctrl",
        "command",
        "layer",
        "layers",
        "tool",
        "tools",
        "slider",
    }
)
"""One of these stands in every sentence that is read here."""


def as_wishes(found: Sequence[Atom]) -> list[Atom]:
    """The atoms, what is only chosen or clicked made silent, and each move of a bar as a command."""
    told, named = list[Atom](), list[Atom]()
    parts = _parts(found)
    moves = any(_is_a_bar(part) for part, _ in parts)
    leads = any(atom.text == "->" for atom in found)
    for part, end in parts:
        part = _without_the_way(_subtracted(part))
        if part and part[0].text == "to" and told and all(map(_is_passed, told)):
            part = [passed_over(part[0]), *part[1:]]  # "use the levels (ctrl+L) to brighten it"
        is_path = leads and end is not None and end.text in ("->", ":") and _are_menus(part)
        chosen = is_path or _chosen(part, moves=moves)
        if chosen or _is_a_click(part):
            named = _bars_of(part) or named
            part = [passed_over(atom) for atom in part]
        elif _is_a_bar(part):
            part = _as_a_move(part, named)
        told += [*part, *([end] if end else [])]
    return told


def _is_passed(atom: Atom) -> bool:
    return atom.kind == "comma" or atom.has(Role.FILLER)


def _bars_of(part: Sequence[Atom]) -> list[Atom]:
    """The shadows of "adjust the lighting for the shadows", else every quality that is named."""
    narrowed = next((at for at, atom in enumerate(part) if atom.text == "for"), 0)
    return [atom for atom in part[narrowed:] if atom.has(Role.QUALITY)]


type Part = tuple[list[Atom], Atom | None]


def _parts(found: Sequence[Atom]) -> list[Part]:
    """The parts between stops, commas and "then", each with what ends it; an "and" before a verb ends one,
    too."""
    parts, start = list[Part](), 0
    for at, atom in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        opens = atom.has(Role.AND) and after is not None and _opens_a_step(after)
        if atom.kind in ("stop", "comma") or atom.has(Role.THEN) or opens:
            parts.append((list(found[start:at]), atom))
            start = at + 1
    return [*parts, (list(found[start:]), None)]


def _opens_a_step(atom: Atom) -> bool:
    return (atom.has_any(VERBS) and not atom.has(Role.QUALITY)) or atom.text in _CLICKING | _SUBTRACTING


_CLICKING = frozenset({"click", "press", "hit"})
_CLICKED = frozenset(
    {"ok", "okay", "apply", "save", "done", "enter", "button", "on", "hold", "keep", "finish"}
)
_SUBTRACTING = frozenset({"subtract", "subtracting"})


def _is_a_click(part: Sequence[Atom]) -> bool:
    """ "Click OK to hold the setting"."""
    small = (Role.DETERMINER, Role.FILLER, Role.IT, Role.PHOTO)
    is_plain = all(atom.text in _CLICKED | {"to"} or atom.has(*small) for atom in part[1:])
    return len(part) > 1 and part[0].text in _CLICKING and is_plain


_CHOOSING = frozenset({"select", "choose", "open", "pick", "use"})
_TOOLS = frozenset({"level", "levels", "curve", "curves", "tool", "tools", "layer", "layers", "slider"})
_MENUS = _TOOLS | frozenset(
    {"adjustment", "adjustments", "menu", "filter", "filters", "image", "mode", "option"}
)
_MENUS |= {
    "rgb",
    "panel",
    "channel",
    "tone",
    "window",
    "layer mask",
    "tone balance",
    "midtones",
    "saturation",
}


def _chosen(part: Sequence[Atom], *, moves: bool) -> bool:
    """ "Select hue/saturation", "use a levels layer", "adjust lighting" before a bar that is moved."""
    if len(part) < 2 or not _are_menus(part[1:]):
        return len(part) == 1 and moves and part[0].has(Role.ENHANCE)
    if part[0].text in ("use", "pick"):
        return any(not _TOOLS.isdisjoint(atom.text.split()) for atom in part)
    return part[0].text in _CHOOSING or (moves and part[0].has(Role.ADJUST, Role.ENHANCE))


def _are_menus(part: Sequence[Atom]) -> bool:
    """Whether all words are those of menus: "image", "adjustments", "hue/saturation"."""
    small = (
        *(Role.DETERMINER, Role.FILLER, Role.AND, Role.COLORS, Role.PHOTO, Role.WHOLE),
        *(Role.ADJUST, Role.ENHANCE),
    )
    return all(
        atom.text in _MENUS | {"on", "for", "in"} or atom.has(*small) or _is_a_quality(atom) for atom in part
    )


def _is_a_quality(atom: Atom) -> bool:
    """A quality that is only named, and not told to be more of: "brightness", unlike "warmer tones"."""
    is_graded = atom.text.split()[0].endswith(("er", "est")) or atom.has(Role.MORE, Role.LESS, Role.AMOUNT)
    return atom.has(Role.QUALITY, Role.CAST) and not is_graded


def _without_the_way(part: Sequence[Atom]) -> list[Atom]:
    """ "Use the levels to darken it", "make a level on RGB more bright", "(ctrl+L)" without the way there."""
    if len(part) > 1 and all(atom.text in _KEYS or len(atom.text) == 1 for atom in part):
        return [passed_over(atom) for atom in part]
    if len(part) > 1 and part[-1].text in ("tool", "slider") and part[-2].has(Role.QUALITY, Role.COLORS):
        part = [*part[:-1], passed_over(part[-1])]  # "increase the color tool"
    rgb = next((at for at, atom in enumerate(part) if atom.text == "rgb"), 0)
    if rgb and part[0].has(Role.MAKE, Role.ADD) and any(atom.text in _TOOLS for atom in part[1:rgb]):
        return [*map(passed_over, part[: rgb + 1]), *part[rgb + 1 :]]
    to = next((at for at, atom in enumerate(part) if atom.text == "to"), len(part))
    is_way = 1 < to < len(part) - 1 and part[0].text == "use" and _chosen(part[:to], moves=False)
    return [*map(passed_over, part[: to + 1]), *part[to + 1 :]] if is_way else list(part)


_KEYS = frozenset({"ctrl", "command", "cmd", "shift", "alt", "or", "plus"})


def _subtracted(part: Sequence[Atom]) -> list[Atom]:
    """ "Subtract blue" as "reduce blue"; of "adding cyan or subtracting red by 10" the first, by as much."""
    other = next((at for at, atom in enumerate(part) if atom.text == "or"), len(part)) + 1
    if part[other : other + 1] and part[other].text in _SUBTRACTING and part[-1].has(Role.MEASURE):
        part = [*part[: other - 1], *map(passed_over, part[other - 1 : -1]), part[-1]]
    return [_reduced(atom) if atom.text in _SUBTRACTING and atom.is_unknown else atom for atom in part]


def _reduced(verb: Atom) -> Atom:
    return replace(verb, senses={Role.LOWER: "reduce"})


_BARS = frozenset({"bar", "bars", "slider", "sliders"})


def _is_a_bar(part: Sequence[Atom]) -> bool:
    """ "Slide the contrast bar 10 points to the right"."""
    opens = next((atom for atom in part if not atom.has(Role.FILLER, Role.AND)), None)
    moves = opens is not None and opens.has(Role.MOVE, Role.CHANGE, Role.ADJUST)
    return moves and any(atom.text in _BARS for atom in part)


def _as_a_move(part: Sequence[Atom], named: Sequence[Atom]) -> list[Atom]:
    """ "Increase the contrast by 10 points"; as it is where it is not said which bar, or which way."""
    amounts = [atom for atom in part if atom.has(Role.AMOUNT, Role.NUMBER, Role.MEASURE)]
    if any(atom.has(Role.NOT, Role.TOO, Role.LESS) for atom in part) or _names_its_end(part):
        return list(part)
    verb = next(
        (atom for at, atom in enumerate(part) if at and atom.has(Role.TONE) and _is_led(part, at)), None
    )
    qualities = [atom for atom in part if atom.has(Role.QUALITY) and atom is not verb] or list(named)
    moved = [atom.senses[Role.QUALITY] for atom in qualities]
    operations = {_LIGHT.get(tone.operation, tone.operation) for tone in moved if isinstance(tone, Tone)}
    if verb is not None:
        is_light = isinstance(verb.senses[Role.TONE], Tone) and operations <= {
            "brightness",
            "contrast",
            "shadows",
        }
        whats = [atom for atom in qualities if operations == {"shadows"}]
        return _told(part, verb, whats, amounts) if is_light else list(part)
    way = -1 if any(atom.text in _FALLING for atom in part) else 1
    role, text = (Role.LOWER, "decrease") if way < 0 else (Role.RAISE, "increase")
    if len(operations) != 1 or "shadows" in operations:
        return list(part)
    return _told(part, replace(part[0], text=text, senses={role: text}), qualities[:1], amounts)


def _names_its_end(part: Sequence[Atom]) -> bool:
    """ "Slide the bar down to 20": where it stands now is not known."""
    return any(left.text == "to" and right.has(Role.NUMBER, Role.MEASURE) for left, right in pairwise(part))


def _is_led(part: Sequence[Atom], at: int) -> bool:
    return part[at - 1].text in ("to", "points to")


_LIGHT = {"exposure": "brightness"}
_FALLING = frozenset({"left", "down", "minus", "back"})


def _told(part: Sequence[Atom], verb: Atom, qualities: Sequence[Atom], amounts: Sequence[Atom]) -> list[Atom]:
    """The command, in the place of the words that said it."""
    start, end = part[0].start, part[-1].end
    told = [replace(verb, start=start, end=part[0].end), *qualities, *map(_in_points, amounts)]
    return [*told[:-1], replace(told[-1], end=end)]


def _in_points(amount: Atom) -> Atom:
    number = amount.senses.get(Role.NUMBER)
    measure = Measure(number, "percent") if isinstance(number, float) else None
    return replace(amount, senses={Role.MEASURE: measure}) if measure else amount
