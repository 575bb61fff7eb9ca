"""The size that a print, a site, a telephone or a screen asks for."""

from collections.abc import Sequence

from editor.engine.language.forms.form import LINKS, Form, Found, value_of
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
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
        *("wallpaper", "screen", "monitor", "desktop", "phone", "works", "work"),
    }
)


def _printed(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop to 4x6", "make it A4"; a size in pixels is no print."""
    opening = phrase.core[0]
    is_named_alone = opening.has(Role.PRINT) or opening.text in ("print", "fit")  # "print size 4x6", "fit A4"
    if not is_named_alone and not opening.has(*_SHAPING):
        return None
    return [phrase.step(Kind.COMPOSITION, "print_size", choice=value_of(found, Role.PRINT))]


def _formatted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop it for a Facebook cover", "make it fit my iPhone 7 (1334 x 750)": its size, or its shape."""
    if not (phrase.core[0].has(*_SHAPING) or phrase.core[0].text == "fit"):
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
_UNBENT = frozenset({"distortion", "distorting", "distort", "stretching", "warping", "squashing"})

FORMATS: tuple[Form, ...] = (
    Form(
        _printed,
        needs=(_SHAPING, (Role.PRINT,)),
        may=(Role.OCCASION,),
        words=LINKS | _FITTING | {"print", "prints", "printing", "photo", "paper", "about"},
    ),
    Form(
        _printed,
        needs=((Role.PRINT,),),
        may=(Role.OCCASION,),
        words=frozenset({"size", "print", "prints", "poster", "paper", "for", "at", "in", "fit", "to", "on"}),
    ),
    Form(
        _formatted,
        needs=(_SHAPING, (Role.FORMAT,)),
        may=(Role.SIZE,),
        many=(Role.FORMAT,),
        words=LINKS | _FITTING,
    ),
    Form(_formatted, needs=(_SHAPING, (Role.SIZE,)), words=LINKS | _FITTING),
    Form(_formatted, needs=((Role.FORMAT, Role.SIZE),), words=LINKS | _FITTING),  # "fit an iPhone 13"
    Form(
        _squared,
        needs=((Role.MAKE, Role.CHANGE, Role.RESIZE), (Role.RATIO,)),
        may=(Role.SHAPE, Role.NOT, Role.DEFECT, Role.STRETCH),
        words=LINKS | _UNBENT | {"rectangle", "rectangular", "ratio", "aspect", "shape", "format"},
    ),
)
