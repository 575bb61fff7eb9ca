"""The words that describe steps, as sentences, so that they can be translated."""

from editor.engine.errors import PLACES
from editor.sentences import Sentence

_PHRASES = {
    str(phrase): phrase
    for phrase in (
        # how much
        Sentence("a touch"),
        Sentence("a little"),
        Sentence("noticeably"),
        Sentence("a lot"),
        Sentence("dramatically"),
        Sentence("completely"),
        Sentence("subtle"),
        Sentence("slight"),
        Sentence("noticeable"),
        Sentence("strong"),
        Sentence("dramatic"),
        Sentence("a touch of"),
        Sentence("a few"),
        Sentence("some"),
        Sentence("quite a bit of"),
        Sentence("a lot of"),
        # sizes
        Sentence("tiny"),
        Sentence("small"),
        Sentence("large"),
        Sentence("huge"),
        Sentence("thin"),
        Sentence("thick"),
        Sentence("width"),
        Sentence("height"),
        # places
        Sentence("on the left"),
        Sentence("on the right"),
        Sentence("at the top"),
        Sentence("at the bottom"),
        Sentence("at the top left"),
        Sentence("at the top right"),
        Sentence("at the bottom left"),
        Sentence("at the bottom right"),
        Sentence("in the center"),
        Sentence("in the background"),
        Sentence("in the foreground"),
        Sentence("from the left"),
        Sentence("from the right"),
        *PLACES.values(),
        Sentence("edges"),
        Sentence("here"),
        Sentence("up"),
        Sentence("down"),
        Sentence("up left"),
        Sentence("up right"),
        Sentence("down left"),
        Sentence("down right"),
        Sentence("horizontal"),
        Sentence("vertical"),
        # where something is relative to another thing
        Sentence("to the left of"),
        Sentence("to the right of"),
        Sentence("on"),
        Sentence("on top of"),
        Sentence("next to"),
        Sentence("above"),
        Sentence("below"),
        Sentence("between"),
        # which one of several things
        Sentence("first"),
        Sentence("second"),
        Sentence("third"),
        Sentence("fourth"),
        Sentence("fifth"),
        # what is drawn
        Sentence("classic"),
        Sentence("polaroid"),
        Sentence("circle"),
        Sentence("ellipse"),
        Sentence("rectangle"),
        Sentence("square"),
        Sentence("star"),
        Sentence("heart"),
        Sentence("triangle"),
        Sentence("line"),
        Sentence("cross"),
        Sentence("check"),
        Sentence("text"),
        Sentence("timestamp"),
        Sentence("watermark"),
        Sentence("signature"),
        # scenes
        Sentence("studio"),
        Sentence("sky"),
        Sentence("clear sky"),
        Sentence("sunset"),
        Sentence("night sky"),
        Sentence("stormy sky"),
        Sentence("bokeh"),
        Sentence("beach"),
        Sentence("palm beach"),
        Sentence("sea"),
        Sentence("lake"),
        Sentence("mountains"),
        Sentence("snowy mountains"),
        Sentence("snowy field"),
        Sentence("glacier"),
        Sentence("desert"),
        Sentence("jungle"),
        Sentence("garden"),
        Sentence("flower field"),
        Sentence("meadow"),
        Sentence("autumn meadow"),
        Sentence("grassland"),
        Sentence("forest"),
        Sentence("park"),
        Sentence("city street"),
        Sentence("city"),
        Sentence("city at night"),
        Sentence("sea at sunset"),
        Sentence("underwater"),
        Sentence("space"),
        Sentence("office"),
        Sentence("library"),
        Sentence("cafe"),
        Sentence("living room"),
        Sentence("bedroom"),
        Sentence("hall"),
        Sentence("warehouse"),
        Sentence("gallery"),
        Sentence("brick wall"),
    )
}

_COLORS = {
    str(color): color
    for color in (
        Sentence("white"),
        Sentence("black"),
        Sentence("gray"),
        Sentence("silver"),
        Sentence("red"),
        Sentence("crimson"),
        Sentence("maroon"),
        Sentence("orange"),
        Sentence("brown"),
        Sentence("tan"),
        Sentence("beige"),
        Sentence("cream"),
        Sentence("ivory"),
        Sentence("gold"),
        Sentence("blonde"),
        Sentence("ginger"),
        Sentence("auburn"),
        Sentence("yellow"),
        Sentence("lime"),
        Sentence("lime green"),
        Sentence("olive"),
        Sentence("green"),
        Sentence("forest green"),
        Sentence("teal"),
        Sentence("turquoise"),
        Sentence("cyan"),
        Sentence("sky blue"),
        Sentence("blue"),
        Sentence("royal blue"),
        Sentence("navy"),
        Sentence("indigo"),
        Sentence("violet"),
        Sentence("purple"),
        Sentence("lavender"),
        Sentence("magenta"),
        Sentence("pink"),
        Sentence("hot pink"),
    )
}


def phrase(words: str) -> str:
    """Return words that describe a step as a sentence, or unchanged if they are not known."""
    return _PHRASES.get(words, words)


def color_name(name: str) -> str:
    """Return the name of a color, such as "dark blue", as a sentence, or unchanged if it is not known.

    A translation uses the name after words such as "in", and the name is a noun there.
    """
    shade, _, base = name.partition(" ")
    if name in _COLORS or base not in _COLORS:
        return _COLORS.get(name, name)
    match shade:
        case "dark":
            return Sentence("dark %(color)s", color=_COLORS[base])
        case "light":
            return Sentence("light %(color)s", color=_COLORS[base])
        case "bright":
            return Sentence("bright %(color)s", color=_COLORS[base])
        case _:
            return name


def number_words(number: float) -> str:
    """Return a number with at most two decimals and no trailing zeros, as a sentence if it has decimals."""
    whole, _, decimals = f"{number:.2f}".rstrip("0").rstrip(".").partition(".")
    return Sentence("%(whole)s.%(decimals)s", whole=whole, decimals=decimals) if decimals else whole
