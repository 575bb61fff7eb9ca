"""A step of a plan in plain words, as it is shown to a person."""

from collections.abc import Callable
from dataclasses import replace

from editor.engine.kinds import PARTS, is_plural, kinds_of, singular_of
from editor.engine.language.color_sayings import COLOR_SAYINGS, said_tone
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.language.naming import (
    FACES,
    and_words,
    around_words,
    at_place,
    degree,
    figure,
    target_words,
    thing_named,
    where_words,
    whose,
)
from editor.engine.plan import WHOLE, Step
from editor.engine.props import PROPS, several_of
from editor.engine.sights import SIGHTS


def says(step: Step) -> str:
    """A step as a person would say it: "a little brighter, the background"."""
    return _SAYINGS.get(step.operation, said_tone)(step) + _kept(step)


def _kept(step: Step) -> str:
    if not step.keep:
        return ""
    named = [target_words(target) for target in step.keep]
    is_one = len(named) == 1 and not (named[0] == FACES or is_plural(step.keep[0].noun or ""))
    return f", {and_words(named)} kept as {'it is' if is_one else 'they are'}"


def _said_text(step: Step) -> str:
    color = f" in {step.color}" if step.color else ""
    size = f"{step.choice} " if step.choice else ""
    return f"{size}text “{step.text}”{color} {_placed(step)}".rstrip()


def _said_bubble(step: Step) -> str:
    color = f"{step.color} " if step.color else ""
    is_free = step.target.what in ("whole", "region")
    where = _placed(step) if is_free or step.place else f"next to {target_words(step.target)}"
    return f"a {color}speech bubble “{step.text}” {where}".rstrip()


def _said_border(step: Step) -> str:
    size = (
        f"{figure(step.exact[0])}{'%' if step.exact[1] == 'percent' else ' pixels'} wide"
        if step.exact
        else ""
    )
    thickness = "" if step.amount is None else "thin" if step.amount < 0.35 else "thick"
    name = f"bars at the {and_words(step.place.split())}" if step.place else "border"
    return f"{' '.join(part for part in (thickness, step.color) if part)} {name} {size}".rstrip()


def _said_vignette(step: Step) -> str:
    return f"{degree(step, step.color or 'darker')} edges"


def _said_crop(step: Step) -> str:
    if step.choice == "closer" and step.exact:
        return f"cropped closer, to {figure(step.exact[0])}% of its width and height, heads kept"
    if step.choice == "off":
        return f"the {step.place} cropped off, as far as {target_words(step.target)} reaches"
    if step.exact:
        side = (
            "every side" if step.place == "all" else and_words(f"the {place}" for place in _sides(step.place))
        )
        return f"{figure(step.exact[0])}{_unit(step)} cropped off {side}"
    around = "" if step.target == WHOLE else f"around {target_words(step.target)}"
    if step.target.what == "face" and step.choice:
        return f"cropped to the {step.choice} of {whose(step.target)}"
    words = ("cropped to", step.choice, around, at_place(step.place)) if step.choice else ("cropped", around)
    return " ".join(word for word in words if word)


def _said_shift(step: Step) -> str:
    way = {"top": "up", "bottom": "down"}.get(step.place or "", f"to the {step.place}")
    by = f" by {figure(step.exact[0])}{_unit(step)}" if step.exact else ""
    return f"all of it moved {way}{by}: cut off there, and filled at the other side"


def _sides(place: str | None) -> list[str]:
    return (place or "left right").split()


def _said_rotate(step: Step) -> str:
    angle = step.exact[0] if step.exact else 0.0
    return f"rotated {figure(abs(angle))} degrees {'clockwise' if angle >= 0 else 'counterclockwise'}"


def _said_resize(step: Step) -> str:
    if step.exact:
        side = f" {step.choice}" if step.choice else ""
        return f"resized to {figure(step.exact[0])}{_unit(step)}{side}"
    if step.choice == "original":
        return "enlarged to the size that the photo had"
    if step.choice and step.choice.startswith("within"):
        return f"resized to fit {step.choice}"
    if step.choice:
        return f"resized to {step.choice} pixels, cropped to that shape"
    return degree(step, "smaller" if (step.amount or 0) < 0 else "larger")


def _said_trim(step: Step) -> str:
    where = f" at the {and_words(step.place.split())}" if step.place else ""
    return f"plain {f'{step.color} ' if step.color else ''}borders{where} cut off"


def _said_stretch(step: Step) -> str:
    if step.choice in ("width", "height"):
        is_less = (step.exact[0] < 100) if step.exact else (step.amount or 0.0) < 0
        way = {"width": ("wider", "narrower"), "height": ("taller", "less tall")}[step.choice][is_less]
        size = f" to {figure(step.exact[0])}%" if step.exact else ""
        return f"{'squeezed' if is_less else 'stretched'} {way}{size}, with all it shows"
    return f"stretched to {step.choice}, with all it shows"


def _said_blur(step: Step) -> str:
    return f"{degree(step, 'blurred')}, the background"


def _said_shape(step: Step) -> str:
    size = "" if step.amount is None else "small" if step.amount < 0.35 else "large"
    words = (size, step.color, step.text, step.choice)
    where = f"around {target_words(step.target)}" if _encloses(step) else _placed(step)
    return f"{' '.join(word for word in words if word)} {where}".rstrip()


def _encloses(step: Step) -> bool:
    is_hollow = step.choice in _ENCLOSING and step.text != "filled"
    return step.target != WHOLE and is_hollow and step.place not in _BESIDE


_ENCLOSING = frozenset({"circle", "ellipse", "rectangle", "square"})
_DRAWN = {
    "fire": "flames",
    "rainbow": "a rainbow",
    "moon": "a moon",
    "sun": "a sun",
    "lens_flare": "a lens flare",
}
_IN_THE_SKY = frozenset({"rainbow", "stars", "moon", "sun", "clouds", "lightning", "fireworks", "birds"})


def _said_drawn(step: Step) -> str:
    """ "A rainbow drawn into the sky", "many red hearts drawn over the background"."""
    what = _DRAWN.get(step.operation, step.operation.replace("_", " "))
    quantities = ("a little", "a lot of") if step.operation in _UNCOUNTED else _QUANTITIES
    how = [] if step.operation in _DRAWN or step.amount is None else [quantities[step.amount > 0.35]]
    size = "" if step.operation not in ("moon", "sun") or step.amount is None else _SIZES[step.amount > 0.35]
    what = what.removeprefix("a ") if size else what
    parts = (*how, size, step.color, what, "drawn", _ground_words(step), at_place(step.place))
    return " ".join(part for part in parts if part)


_QUANTITIES = ("few", "many")
_UNCOUNTED = frozenset({"smoke", "lightning", "confetti"})
_SIZES = ("a small", "a large")


def _ground_words(step: Step) -> str:
    if step.target == WHOLE and step.operation in _IN_THE_SKY:
        return "into the sky"
    return f"over {target_words(step.target)}"


def _placed(step: Step) -> str:
    """Where something is added: at its place, or on its target."""
    if step.target == WHOLE:
        return at_place(step.place)
    if step.target.what == "thing" and not kinds_of(step.target.noun):
        return f"in the {step.target.noun}"
    where = _BESIDE.get(step.place or "", "on" if step.target.what == "thing" else "at")
    if step.place in ("eyes", "head") and step.target.what == "face":
        return f"{where.removesuffix(' of')}{'' if step.target.count == 1 else ', all faces'}"
    if step.target.what == "face" and step.target.count == 1 and step.place in _BESIDE:
        return f"{where} the head {at_place(step.target.place)}".rstrip()
    inside = f" {at_place(step.place)}" if step.place and step.place not in _BESIDE else ""
    return f"{where} {target_words(step.target)}{inside and f',{inside}'}"


_BESIDE = {
    "above": "above",
    "on top": "on top of",
    "below": "below",
    "next to": "next to",
    "left of": "to the left of",
    "right of": "to the right of",
    "between": "between",
    "on": "on",
    "in front": "in front of",
    "head": "on the head of",
    "eyes": "over the eyes of",
}
"""Places of an addition that are told by its target."""


def _said_arrow(step: Step) -> str:
    if step.target != WHOLE and not step.choice:
        pointing, where = f"pointing at {target_words(step.target)}", at_place(step.place)
    else:
        aimed = f" at {target_words(step.target)}" if step.target != WHOLE else ""
        pointing, where = f"pointing {step.choice}{aimed}" if step.choice else "", at_place(step.place)
    words = (step.color, "arrow", pointing, where)
    return " ".join(word for word in words if word)


def _said_watermark(step: Step) -> str:
    where = "all over the photo" if step.choice == "tiled" else at_place(step.place)
    return f"watermark “{step.text}” {where}".rstrip()


def _said_frame(step: Step) -> str:
    return " ".join(word for word in (step.color, step.choice, "frame") if word)


def _said_sticker(step: Step) -> str:
    what = f"what photo {step.photo} shows, cut out," if step.choice == "cut_out" else f"photo {step.photo}"
    size = f"{figure(step.exact[0])}% wide" if step.exact else ""
    return " ".join(word for word in (what, size, "laid over the photo", _placed(step)) if word)


def _said_prop(step: Step) -> str:
    """ "2 small palm trees (pictures of Darkroom's own) on the left, with their shadows"."""
    prop, count = PROPS[step.choice or ""], round(step.exact[0]) if step.exact else 1
    size = "" if step.amount is None else "small" if step.amount < 0.35 else "large"
    name = " ".join(word for word in (size, step.color, prop.title) if word)
    what = f"{count} {several_of(name)}" if count > 1 else name if prop.is_one else _one(name)
    source = "pictures of Darkroom's own" if count > 1 else "a picture of Darkroom's own"
    is_up = step.text or (prop.sits == "flies" and step.target == WHOLE and not step.place)
    up = "in the air" if is_up else "on the wall" if prop.sits == "hangs" else ""
    where = ", ".join(part for part in (_prop_place(step), up) if part)
    has_shadow = (
        step.place not in ("head", "eyes") and not step.text and prop.sits in ("stands", "lies", "head")
    )
    shadow = f", with {'their shadows' if count > 1 else 'its shadow'}" if has_shadow else ""
    return f"{what} ({source}) {where or 'where there is room'}{shadow}"


def _said_text_instead(step: Step) -> str:
    """What is there cannot be read, so it is not what the plan promises."""
    numbers = f" {and_words(map(str, step.target.boxes))}" if len(step.target.boxes) > 1 else ""
    is_marked = step.target.what == "region"
    old = (
        f"all the text in the box{'es' if numbers else ''}{numbers}"
        if is_marked
        else "the only text in the photo"
    )
    return f"{old} replaced by “{step.text}”, in {step.color or 'its color'} and a plain font"


def _said_prop_instead(step: Step) -> str:
    """ "The cat replaced by a bench (a picture of Darkroom's own)"."""
    new = _said_prop(replace(step, target=WHOLE))
    each = ", each" if is_plural(step.target.noun or "") else ""
    return f"{target_words(step.target)}{each} replaced by {new.partition(')')[0]})"


def _prop_place(step: Step) -> str:
    if step.target.noun not in ("sky", "grass", "water"):
        is_on = PARTS.get(step.target.noun or "") == "flowers"
        return _placed(step).replace("in the", "on the") if is_on else _placed(step)
    where = _placed(replace(step, place="on"))
    there = where if step.target.noun == "sky" else where.replace("in the", "on the")
    return there if step.place == "on" else f"{there} {at_place(step.place)}"


def _said_ground(step: Step) -> str:
    choice = step.choice or ""
    if choice in DRAWN_PLACES:
        source = "a picture of Darkroom's own" if choice in SIGHTS else "drawn"
        return f"background {_GROUNDS.get(choice) or _one(choice)}, out of focus ({source})"
    what = _GROUNDS.get(choice, f"a drawn {choice}")
    return f"background {what}{f' in {step.color}' if step.color else ''}"


def _said_sky(step: Step) -> str:
    new = {"sky": "a drawn one with clouds", "clear sky": "a drawn blue one"}.get(step.choice or "")
    light = "" if step.keep else ", and the rest in its light"
    return f"the sky replaced by {new or f'a drawn {step.choice}'}{light}"


def _one(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


_GROUNDS = {
    "studio": "a studio backdrop",
    "bokeh": "drawn lights out of focus",
    "palm beach": "a beach with palm trees",
    "sea": "the sea",
    "glacier": "a glacier by the sea",
    "mountains": "mountains",
    "snowy mountains": "snowy mountains",
    "snowy field": "a snowy field with firs",
    "jungle": "the leaves of a jungle",
    "sea at sunset": "the sea at sunset",
    "underwater": "the sea from below",
    "space": "space, with stars and nebulas",
    "library": "shelves of books",
    "gallery": "a gallery with paintings",
}


def _said_gradient(step: Step) -> str:
    colors = " to ".join(color for color in (step.color, step.choice) if color)
    return f"background a gradient{f' from {colors}' if step.choice else f' of {colors}' if colors else ''}"


def _said_zoom(step: Step) -> str:
    far = f"to {figure(step.exact[0])}%" if step.exact else ""
    out = (step.amount or 0) < 0 or (step.exact is not None and step.exact[0] < 100)
    where = at_place(step.place) if step.target == WHOLE else f"on {target_words(step.target)}"
    if step.target.what == "face" and step.choice:
        where = f"on the {step.choice} of {whose(step.target)}"
    return " ".join(word for word in ("zoomed", "out" if out else "in", far, where) if word)


def _said_extend(step: Step) -> str:
    side = f" at the {and_words(step.place.split())}" if step.place else ""
    size = f" by {figure(step.exact[0])}{_unit(step)}" if step.exact else ""
    if step.choice and step.color:
        return f"all of the photo kept, and plain {step.color} added beside it until it is {step.choice}"
    return f"more room around the photo{side}{size}" if not step.choice else f"extended to {step.choice}"


def _unit(step: Step) -> str:
    return "%" if step.exact and step.exact[1] == "percent" else " pixels"


def _said_collage(step: Step) -> str:
    return {"row": "photos side by side", "column": "photos below each other"}.get(
        step.choice or "", "photos together in a grid"
    )


def _said_erase_text(step: Step) -> str:
    where = "in the background" if step.target.what == "background" else _placed(step)
    return f"{step.choice or 'text'} erased{f' {where}' if where else ''}"


def _said_moved(step: Step) -> str:
    return f"{thing_named(step.target)} moved {_whither(step)}"


def _said_copied(step: Step) -> str:
    if step.beside is None and step.place:
        where = at_place(step.place)
    elif step.place == "inside":
        where = f"in {target_words(step.beside or WHOLE)}"
    else:
        where = _whither(step) if step.choice or step.beside else "beside it"
    return f"a copy of {thing_named(step.target)} {where}"


def _said_counted(step: Step) -> str:
    number, counting = step.exact or (2.0, "in all")
    if step.target.what == "region":
        is_one = len(step.target.boxes) == 1
        bare = "what the box marks" if is_one else "what the boxes mark"
        marked = target_words(step.target) if step.target.noun else bare
        return f"copies of {marked} until there are {figure(number)} with {'it' if is_one else 'them'}"
    noun = step.target.noun or "thing"
    one = " ".join(word for word in (step.target.color, singular_of(noun)) if word)
    many = figure(number)
    return (
        f"{many} more copies of the {one}"
        if counting == "more"
        else f"copies of the {one} until there are {many}"
    )


def _whither(step: Step) -> str:
    """ "A little to the left", "to the bottom right corner", "above the lamp"."""
    if step.choice:
        way = step.choice if step.choice in ("up", "down") else f"to the {step.choice}"
        if step.exact:
            return f"{figure(step.exact[0])}{_unit(step)} {way}"
        return degree(step, way) if step.amount is not None else way
    if step.beside is None:
        return f"to the {step.place}{_SPOTS[len((step.place or '').split()) > 1, step.place in _BESIDES]}"
    if step.place == "inside":
        return f"to {target_words(step.beside)}"
    return f"{_RELATIONS[step.place]} {thing_named(step.beside)}"


_BESIDES = ("left", "right")
_SPOTS = {(True, False): " corner", (False, True): " side", (False, False): ""}
_RELATIONS = {
    "left": "to the left of",
    "on": "onto",
    "front": "in front of",
    "right": "to the right of",
    "top": "above",
    "bottom": "below",
    None: "next to",
}


def _said_sized(step: Step) -> str:
    if step.exact:
        return f"{thing_named(step.target)} at {figure(step.exact[0])}% of its size"
    return f"{degree(step, 'smaller' if (step.amount or 0) < 0 else 'larger')}, {thing_named(step.target)}"


def _said_mirrored(step: Step) -> str:
    way = "upside down" if step.choice == "vertical" else "left to right"
    return f"{thing_named(step.target)} mirrored {way}"


def _said_turned(step: Step) -> str:
    if step.exact and step.exact[0] == 180:
        return f"{thing_named(step.target)} turned upside down"
    return f"{thing_named(step.target)} {_said_rotate(step)}"


_FILES = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}
_HIDDEN = {"blur": "blurred", "pixelate": "pixelated", "black": "covered in black"}


_SAYINGS: dict[str, Callable[[Step], str]] = {
    **COLOR_SAYINGS,
    "dust": lambda step: f"spots and scratches removed, {where_words(step)}",
    "text": _said_text,
    "speech_bubble": _said_bubble,
    "border": _said_border,
    "vignette": _said_vignette,
    "solid_background": lambda step: f"background {step.color}{around_words(step.target)}",
    "drawn_background": _said_ground,
    "drawn_sky": _said_sky,
    "blur_background": _said_blur,
    "transparent_background": lambda step: f"background transparent{around_words(step.target)}",
    "photo_background": lambda step: f"photo {step.photo} as the background",
    "crop": _said_crop,
    "rotate": _said_rotate,
    "flip": lambda step: f"flipped {'horizontally' if step.choice == 'horizontal' else 'vertically'}",
    "resize": _said_resize,
    "shape": _said_shape,
    "arrow": _said_arrow,
    "emoji": lambda step: f"{step.text} {_placed(step)}".rstrip(),
    "watermark": _said_watermark,
    "frame": _said_frame,
    "shadow": lambda step: f"a shadow behind {target_words(step.target)}",
    "light_leak": lambda step: "a light leak",
    "snow": lambda step: "falling snow",
    "rain": lambda step: "falling rain",
    **dict.fromkeys(
        (
            *(
                "smoke",
                "light_rays",
                "lens_flare",
                "sparkles",
                "bokeh_lights",
                "fireworks",
                "rainbow",
                "stars",
            ),
            *("moon", "sun", "clouds", "lightning", "confetti", "hearts", "bubbles"),
            *("balloons", "petals", "leaves", "birds", "fire", "water_drops"),
        ),
        _said_drawn,
    ),
    "sticker": _said_sticker,
    "prop": _said_prop,
    "prop_instead": _said_prop_instead,
    "text_instead": _said_text_instead,
    "gradient_background": _said_gradient,
    "trim": _said_trim,
    "stretch": _said_stretch,
    "file_format": lambda step: f"saved as a {_FILES[step.choice or '']} file",
    "print_size": lambda step: f"cropped and sized for a print of {step.choice} at 300 dpi",
    "upright": lambda step: "turned upright, by the faces",
    "straighten": lambda step: "straightened",
    "zoom": _said_zoom,
    "center": lambda step: f"{target_words(step.target)} in the center",
    "extend": _said_extend,
    "shift": _said_shift,
    "collage": _said_collage,
    "move_thing": _said_moved,
    "copy_thing": _said_copied,
    "count_thing": _said_counted,
    "resize_thing": _said_sized,
    "flip_thing": _said_mirrored,
    "rotate_thing": _said_turned,
    "erase_text": _said_erase_text,
    "red_eye": lambda step: f"red eyes corrected, {where_words(step)}",
    "hide_faces": lambda step: f"faces {_HIDDEN[step.choice or 'blur']}, {where_words(step)}",
    "blemishes": lambda step: f"blemishes removed, {where_words(step)}",
    "erase": lambda step: f"{target_words(step.target)} erased",
}
