"""The size that a print, a site, a telephone or a screen asks for."""

from collections.abc import Sequence

from editor.engine.language.forms.crops import is_usable
from editor.engine.language.forms.form import LINKS, Form, Found, value_of
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import MORE
from editor.engine.plan import Kind

_SHAPING = (Role.CROP, Role.RESIZE, Role.MAKE, Role.CHANGE, Role.ADJUST)
_FITTING = frozenset(
    {
        *("fit", "fits", "perfectly", "exactly", "so", "so that", "so it", "that", "can be", "used", "use"),
        *(
            "size",
            "sized",
            "dimensions",
            "ratio",
            "aspect",
            "shape",
            "format",
            "suitable",
            "right",
            "correct",
        ),
        *("wallpaper", "screen", "monitor", "desktop", "phone", "works", "work", "out of", "resolution"),
    }
)


def _printed(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop to 4x6", "make it A4", "print size 5x7", "as a 5x7"; a size in pixels is no print."""
    opening = next(atom for atom in phrase.core if not atom.has(Role.AMOUNT))  # "nicely crop it to 4x6"
    is_named_alone = opening.has(Role.PRINT) or opening.text in _ALONE
    if not is_named_alone and not opening.has_any(_SHAPING):
        return None
    paper = _held(str(value_of(found, Role.PRINT)), {atom.text for atom in phrase.core})
    sharper = [phrase.step(Kind.COLOR, "sharpness", amount=MORE)] if Role.QUALITY in found else []
    if sharper and not (Role.MORE in found and str(found[Role.QUALITY].text).startswith("detail")):
        return None
    return [phrase.step(Kind.COMPOSITION, "print_size", choice=paper), *sharper]


_ALONE = frozenset({"print", "fit", "as", "at"})


def _held(paper: str, said: set[str]) -> str:
    """ "2 x 6 inches", with "landscape", as 6 x 2."""
    width, _, height, unit = paper.split()
    return f"{height} x {width} {unit}" if _is_turned(float(width), float(height), said) else paper


def _is_turned(width: float, height: float, said: set[str]) -> bool:
    """Whether it is said to be held the other way round."""
    return ("portrait" in said and width > height) or ("landscape" in said and width < height)


def _formatted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop it for a Facebook cover", "make it fit my iPhone 7 (1334 x 750)": its size, or its shape."""
    is_bare = len(phrase.core) == 1 and bool(phrase.scopes)  # "I need this photo to be 300x300"
    if not (phrase.core[0].has_any(_SHAPING) or phrase.core[0].text in ("fit", "set") or is_bare):
        return None
    told = [str(atom.senses[role]) for atom in phrase.core for role in _SHAPES if role in atom.senses]
    shape = _agreed(told)
    if shape is None:
        return None
    return [phrase.step(Kind.COMPOSITION, "resize" if "x" in shape else "crop", choice=shape)]


_SHAPES = (Role.SIZE, Role.FORMAT)


def _agreed(told: Sequence[str]) -> str | None:
    """The size of "a lock screen wallpaper for an iPhone 5", which has both; None where they contradict each
    other. The last one, in numbers, says which way round the screen is held."""
    sizes = [shape for shape in told if "x" in shape]
    if len({frozenset(size.split("x")) for size in sizes}) > 1:
        return None
    ratios = {shape for shape in told if ":" in shape}
    if not sizes:
        return ratios.pop() if len(ratios) == 1 else None
    return sizes[-1] if all(_lies(ratio, ":") == _lies(sizes[-1], "x") for ratio in ratios) else None


def _lies(shape: str, between: str) -> bool:
    """Whether it is wider than it is high."""
    width, height = map(int, shape.split(between))
    return width > height


def _squared(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make a rectangular photo square without distorting it": cropped, then."""
    is_old = found[Role.SHAPE].text in _RECTANGLES if Role.SHAPE in found else True
    is_undistorted = any(atom.text in _UNBENT or atom.has(Role.STRETCH) for atom in phrase.core)
    if not is_old or is_undistorted is not (Role.NOT in found):
        return None
    return [phrase.step(Kind.COMPOSITION, "crop", choice=value_of(found, Role.RATIO))]


_RECTANGLES = frozenset({"rectangle", "rectangular"})
_UNBENT = frozenset(
    {"distortion", "distortions", "distorting", "distort", "stretching", "warping", "squashing"}
)


def _reshaped(phrase: Phrase, found: Found) -> Answer | None:
    """ "Change the aspect ratio from 4:3 to 16:9", "make it a 16:9 wallpaper": the last one is wanted."""
    at = [at for at, atom in enumerate(phrase.core) if atom.has(Role.RATIO)]
    is_changed = len(at) == 2 and phrase.core[at[0] - 1].text == "from"
    is_used = any(atom.text in _OF_A_SHAPE | _FITTING for atom in phrase.core)
    shape = str(phrase.core[at[-1]].senses[Role.RATIO])
    width, height = map(int, shape.split(":"))
    if _is_turned(width, height, {atom.text for atom in phrase.core}):  # "landscape 4:5"
        return None
    is_a_square_crop = at == [0] and len(phrase.core) == 2  # "square crop"
    if not (is_changed or (len(at) == 1 and (is_used or is_a_square_crop))) or not is_usable(shape):
        return None
    return [phrase.step(Kind.COMPOSITION, "crop", choice=shape)]


_OF_A_PRINT = frozenset(
    {
        *("print", "prints", "photo", "paper", "poster", "canvas", "frame", "photo frame", "picture frame"),
        *("portrait", "landscape", "inches", "photo print"),
    }
)
_OF_A_SHAPE = frozenset(
    {
        "wallpaper",
        "monitor",
        "screen",
        "tv",
        "video",
        "from",
        "shaped",
        "version",
        "out of",
        "portrait",
        "landscape",
    }
)

FORMATS: tuple[Form, ...] = (
    Form(
        _printed,
        needs=(_SHAPING, (Role.PRINT,)),
        may=(Role.OCCASION, Role.AMOUNT, Role.MORE, Role.QUALITY),
        words=LINKS | _FITTING | _OF_A_PRINT | {"printing", "about"},
    ),
    Form(
        _printed,
        needs=((Role.PRINT,),),
        may=(Role.OCCASION,),
        words=_OF_A_PRINT | {"size", "for", "at", "in", "fit", "to", "on", "as", "of"},
    ),
    Form(
        _formatted,
        needs=(_SHAPING, (Role.FORMAT,)),
        may=(Role.SIZE,),
        many=(Role.FORMAT,),
        words=LINKS | _FITTING,
    ),
    Form(_formatted, needs=((*_SHAPING, Role.ADD), (Role.SIZE,)), words=LINKS | _FITTING),
    Form(_formatted, needs=((Role.FORMAT, Role.SIZE),), words=LINKS | _FITTING),  # "fit an iPhone 13"
    Form(
        _reshaped, needs=(_SHAPING, (Role.RATIO,)), many=(Role.RATIO,), words=LINKS | _OF_A_SHAPE | _FITTING
    ),
    Form(
        _squared,
        needs=((Role.MAKE, Role.CHANGE, Role.RESIZE), (Role.RATIO,)),
        may=(Role.SHAPE, Role.NOT, Role.DEFECT, Role.STRETCH, Role.NUMBER),
        words=LINKS | _UNBENT | {"one", "rectangle", "rectangular", "ratio", "aspect", "shape", "format"},
    ),
)
