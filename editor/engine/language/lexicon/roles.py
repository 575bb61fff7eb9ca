"""What a word can be, and what it can mean."""

from dataclasses import dataclass
from enum import StrEnum

from editor.engine.plan import Reason


class Role(StrEnum):
    """What a word can be in a clause; the rules of the reader are written with these."""

    # commands
    RAISE = "raise"
    LOWER = "lower"
    ADJUST = "adjust"
    ENHANCE = "enhance"
    MAKE = "make"
    CHANGE = "change"
    REPLACE = "replace"
    PAINT = "paint"
    REMOVE = "remove"
    OUTWARD = "outward"  # removes when "out", "off" or "away" follows: "take the car out"
    ADD = "add"
    USE = "use"
    EXTRACT = "extract"
    CROP = "crop"
    ROTATE = "rotate"
    FLIP = "flip"
    RESIZE = "resize"
    STRAIGHTEN = "straighten"
    ZOOM = "zoom"  # means 1 for nearer and -1 for farther away
    CENTER = "center"
    MOVE = "move"
    COPY = "copy"
    EXTEND = "extend"
    STRETCH = "stretch"  # means a side and 1 for longer or -1 for shorter
    UPRIGHT = "upright"
    COLLAGE = "collage"
    HIDE = "hide"  # means how: "blur", "pixelate", "black"
    POINT = "point"
    TONE = "tone"
    KEEP = "keep"
    WITHOUT = "without"
    EXCEPT = "except"
    NOT = "not"
    NO = "no"
    UNAVAILABLE = "unavailable"
    # qualities
    QUALITY = "quality"
    ADJECTIVE = "adjective"
    COLORS = "colors"
    CAST = "cast"
    BALANCE = "balance"
    RESTORE = "restore"
    SMOOTH = "smooth"  # of skin
    NIGHT = "night"  # why a photo is dark
    LOOK = "look"
    STYLE = "style"  # means the operation that draws it: "watercolor"
    VAGUE = "vague"
    UNCHANGED = "unchanged"
    REST = "rest"
    # how much
    AMOUNT = "amount"
    MORE = "more"
    LESS = "less"
    LACKING = "lacking"
    TOO = "too"
    NUMBER = "number"
    MEASURE = "measure"
    UNIT = "unit"
    RATIO = "ratio"
    SIZE = "size"
    PRINT = "print"  # a paper size, as people name it; means its sides
    FORMAT = "format"  # where a photo will be shown; means its ratio or size
    FRACTION = "fraction"
    FILE = "file"  # means the format of a file, "" for one that is not written
    # what and where
    PHOTO = "photo"
    BACKGROUND = "background"
    SUBJECT = "subject"
    PERSON = "person"
    FACE = "face"
    MARKED = "marked"
    IT = "it"
    THIS = "this"
    ORDINAL = "ordinal"
    SEVERAL = "several"  # more than one photo, when more than one was given
    WHOLE = "whole"
    COLOR = "color"
    SHADE = "shade"
    PLACE = "place"
    AXIS = "axis"
    TURN = "turn"
    TEXT = "text"
    BORDER = "border"
    VIGNETTE = "vignette"
    EFFECT = "effect"
    SHAPE = "shape"
    ARROW = "arrow"
    EMOJI = "emoji"
    PLURAL = "plural"  # of what is drawn: "three heart emojis", "butterfly stickers"
    FRAME = "frame"
    OVERLAID = "overlaid"  # means the operation: "snow", "rain", "light_leak"
    DROP_SHADOW = "drop shadow"
    STICKER = "sticker"
    BUBBLE = "bubble"  # of speech
    GRADIENT = "gradient"
    FILLED = "filled"
    TILED = "tiled"
    CUTOUT = "cutout"
    BOKEH = "bokeh"
    WRITTEN = "written"  # letters inside the photo; means what erase_text looks for
    FLAW = "flaw"  # means the operation that takes it away
    DIMENSION = "dimension"  # "width" and "height"
    MODERATE = "moderate"  # "but not too much": what was asked for just before, and little of it
    LARGER = "larger"  # means 1 for larger and -1 for smaller
    ROOM = "room"  # what extending adds: "more space"
    HORIZON = "horizon"
    TRANSPARENT = "transparent"
    DEFECT = "defect"
    EDGES = "edges"
    THICKNESS = "thickness"
    SCENE = "scene"
    GROUND = "ground"  # means which of the backgrounds that can be drawn
    OCCASION = "occasion"  # what a photo is for: "for a birthday card"
    NOUN = "noun"
    FINDABLE = "findable"  # a noun that a photo shows wherever its color says so: sky, grass, skin
    SEEN = "seen"  # a noun of what the engine's detector knows, in the singular or the plural: car, people
    PART = "part"  # of somebody, or a flower: a noun that its place and colors tell
    QUOTED = "quoted"
    BE = "be"
    # what holds the words together
    AND = "and"
    THEN = "then"
    BUT = "but"
    PREPOSITION = "preposition"
    DETERMINER = "determiner"
    PURPOSE = "purpose"
    FILLER = "filler"
    COMMON = "common"  # a word that is known not to be a misspelling of another


@dataclass(frozen=True, slots=True)
class Tone:
    """A quality of the photo and the direction in which a word moves it."""

    operation: str
    sign: int
    comparative: bool = False
    color: str | None = None  # of a tint


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A wish that is understood and that no operation covers."""

    reason: Reason
    hint: str


VERBS = frozenset(
    {
        Role.RAISE,
        Role.LOWER,
        Role.ADJUST,
        Role.ENHANCE,
        Role.MAKE,
        Role.CHANGE,
        Role.REPLACE,
        Role.PAINT,
        Role.REMOVE,
        Role.OUTWARD,
        Role.ADD,
        Role.USE,
        Role.EXTRACT,
        Role.CROP,
        Role.ROTATE,
        Role.FLIP,
        Role.RESIZE,
        Role.RESTORE,
        Role.SMOOTH,
        Role.STRAIGHTEN,
        Role.ZOOM,
        Role.CENTER,
        Role.MOVE,
        Role.COPY,
        Role.EXTEND,
        Role.HIDE,
        Role.TONE,
        Role.UNAVAILABLE,
    }
)
"""What asks for something: a clause that begins with one of these is a wish."""

TONAL = frozenset(
    {
        Role.QUALITY,
        Role.ADJECTIVE,
        Role.COLORS,
        Role.MORE,
        Role.LESS,
        Role.LACKING,
        Role.TOO,
        Role.VAGUE,
    }
)
"""What moves a quality, or tells which one."""
