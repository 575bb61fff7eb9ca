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
    LOOK = "look"
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
    FRACTION = "fraction"
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
    NUMBERED = "numbered"
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
    TRANSPARENT = "transparent"
    DEFECT = "defect"
    EDGES = "edges"
    THICKNESS = "thickness"
    SCENE = "scene"
    NOUN = "noun"
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


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A wish that is understood and that no operation covers."""

    reason: Reason
    hint: str
