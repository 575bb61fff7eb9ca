"""A step of a plan in plain words, as it is shown to a person."""

from collections.abc import Callable, Iterable

from editor.engine.kinds import DEPTHS, PARTS, is_plural, is_someone, kinds_of
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.plan import WHOLE, Step, Target
from editor.engine.sights import SIGHTS


def says(step: Step) -> str:
    """A step as a person would say it: "a little brighter, the background"."""
    return _SAYINGS.get(step.operation, _said_tone)(step) + _kept(step)


def _kept(step: Step) -> str:
    if not step.keep:
        return ""
    named = [_target_words(target) for target in step.keep]
    is_one = len(named) == 1 and not (named[0] == _FACES or is_plural(step.keep[0].noun or ""))
    return f", {_and(named)} kept as {'it is' if is_one else 'they are'}"


_FACES = "the faces"  # all that are found


_DIRECTIONS: dict[str, tuple[str, str]] = {
    "brightness": ("brighter", "darker"),
    "contrast": ("more contrast", "less contrast"),
    "saturation": ("more vivid", "less colorful"),
    "warmth": ("warmer", "cooler"),
    "sharpness": ("sharper", "blurred"),
    "exposure": ("more exposure", "less exposure"),
    "highlights": ("brighter highlights", "darker highlights"),
    "shadows": ("lighter shadows", "darker shadows"),
    "vibrance": ("more vibrant colors", "less vibrant colors"),
    "clarity": ("more local contrast", "less local contrast"),
    "fog": ("fog", ""),
    "low_light": ("light brought back as for a night shot", ""),
    "dehaze": ("less haze", "more haze"),
    "denoise": ("less noise", "more noise"),
    "grain": ("film grain", ""),
    "blur": ("blurred", "sharper"),
    "smooth_skin": ("smoother skin", ""),
}
_DEGREES = (
    (0.15, "a touch"),
    (0.3, "a little"),
    (0.5, ""),
    (0.7, "much"),
    (0.9, "dramatically"),
    (2.0, "as far as possible:"),
)


def _said_tone(step: Step) -> str:
    amount = step.amount or 0.0
    direction = _DIRECTIONS[step.operation][amount < 0]
    return f"{_degree(step, direction)}, {_where(step)}"


def _said_tint(step: Step) -> str:
    direction = "less" if (step.amount or 0.0) < 0 else "more"
    return f"{_degree(step, f'{direction} {step.color}')}, {_where(step)}"


def _said_white_balance(step: Step) -> str:
    return f"color cast evened out, {_where(step)}"


def _said_colorize(step: Step) -> str:
    return f"{_degree(step, 'stronger')} colors, as far as it has any, {_where(step)}"


def _said_pixelate(step: Step) -> str:
    return f"pixelated, {_where(step)}"


def _said_duotone(step: Step) -> str:
    colors = " and ".join(color for color in (step.color, step.choice) if color)
    return f"two tones{f' in {colors}' if colors else ''}, {_where(step)}"


def _degree(step: Step, direction: str) -> str:
    if step.exact:
        number, unit = step.exact
        measure = "%" if unit == "percent" else " stop" if abs(number) == 1 else " stops"
        return f"{direction} by {_number(abs(number))}{measure}"
    word = next(word for limit, word in _DEGREES if abs(step.amount or 0.0) < limit)
    return f"{word} {direction}".strip()


def _where(step: Step) -> str:
    if step.photo and step.target == WHOLE:
        return f"photo {step.photo}"
    where = _target_words(step.target)
    return f"{where} of photo {step.photo}" if step.photo else where


def _target_words(target: Target) -> str:
    if target.what == "region":
        return _box_words(target.boxes)
    if target == WHOLE:
        return "the whole photo"
    if target.what == "face":
        name = "the face" if target.count == 1 or target.place else _FACES
        return f"{name} {_at(target.place)}".rstrip()
    if target.what == "place":
        return f"the {target.place} of the photo, blended softly"
    return f"the {target.what}" if target.what != "thing" else _thing_words(target)


def _box_words(boxes: tuple[int, ...]) -> str:
    """The first box is mostly the only one; of others the number tells which is meant."""
    if boxes in ((), (1,)):
        return "the marked place"
    return f"{'box' if len(boxes) == 1 else 'boxes'} {_and(map(str, boxes))}"


def _around(target: Target) -> str:
    """What the background is of, where it is not the subject."""
    return f", all but {_thing_words(target)}" if target.noun else ""


def _thing_words(target: Target) -> str:
    color, noun = target.color, target.noun or "parts"
    worn = f"in {color}" if color and is_someone(noun) else None
    owner = f"{_which(Target('thing', noun=target.of))} {target.of}'s" if target.of else None
    which = None if owner else _which(target)
    parts = (owner, which, None if worn else color, noun, worn, _at(target.place))
    return " ".join(part for part in parts if part)


def _which(target: Target) -> str | None:
    """ "The two", or "all" where nothing tells which; color alone is of no thing."""
    if target.count:
        return f"the {target.count}"
    if target.boxes or not (kinds_of(target.noun) or (target.noun in PARTS and not target.color)):
        return None
    return "all" if is_plural(target.noun or "") and not (target.place or target.color) else "the"


def _said_look(step: Step) -> str:
    strength = f" at {_number(step.amount * 100)}%" if step.amount is not None and step.amount < 1 else ""
    return f"{_LOOKS[step.operation]}{strength}, {_where(step)}"


_LOOKS = {
    "black_and_white": "black and white",
    "sepia": "sepia",
    "negative": "colors inverted",
    "faded": "faded like an old photo",
    "cinematic": "cinematic teal and orange",
    "hdr": "HDR look",
    "noir": "noir (black and white, hard contrast)",
    "moody": "moody (darker and paler, cool shadows)",
    "dreamy": "dreamy (a soft glow)",
    "neon": "neon colors (violet shadows, pink and cyan lights)",
    "golden_hour": "light as in the golden hour (warm and soft)",
    "nightfall": "made to look like night (dark and blue)",
    "bleach_bypass": "bleach bypass (hard contrast, pale colors)",
    "cross_process": "cross-processed film (green-yellow lights, blue shadows)",
    "infrared": "infrared film (greens white, blue sky dark)",
    "autumn": "green leaves and grass turned to autumn colors",
    "winter": "wintry (cold and pale, greens under frost)",
}


def _said_style(step: Step) -> str:
    """ "The background turned into a watercolor (...)"."""
    through = ", with the photo showing through" if step.amount is not None else ""
    return f"{_where(step)} turned into {_STYLES[step.operation]}{through}"


_STYLES = {
    "pencil_sketch": "a pencil sketch (outlines and hatching on paper)",
    "colored_pencil": "a drawing in colored pencil (hatched in the photo's colors)",
    "charcoal": "a charcoal drawing (dark and smudged)",
    "line_drawing": "a line drawing in black ink",
    "blueprint": "a blueprint (white outlines on blue)",
    "oil_painting": "an oil painting (brush strokes drawn over the photo)",
    "watercolor": "a watercolor (soft washes on rough paper)",
    "pointillism": "a painting of colored points",
    "cartoon": "a cartoon (flat colors and dark outlines)",
    "comic": "a comic (flat colors, dots and black ink)",
    "pop_art": "pop art (four loud colors, dots and black ink)",
    "posterize": "a poster of few flat colors",
    "halftone": "a newspaper print (black dots)",
    "pixel_art": "pixel art (large square pixels in few colors)",
    "mosaic": "a mosaic of small stones",
    "stained_glass": "stained glass (panes between strips of lead)",
}


def _said_enhance(step: Step) -> str:
    photo = f", photo {step.photo}" if step.photo else ""
    return f"{step.choice or 'light, color and sharpness'} improved automatically{photo}"


def _said_recolor(step: Step) -> str:
    what = _target_words(step.target)
    if step.target.what == "region" and (step.target.noun or step.target.color):
        what = f"{_thing_words(step.target)} in {what}"
    if step.target.noun == "teeth" and step.color == "white":
        return f"{_degree(step, 'whiter')}, {what}"
    return f"{what} turned {step.color}"


def _said_text(step: Step) -> str:
    color = f" in {step.color}" if step.color else ""
    return f"text “{step.text}”{color} {_placed(step)}".rstrip()


def _said_bubble(step: Step) -> str:
    color = f"{step.color} " if step.color else ""
    is_free = step.target.what in ("whole", "region")
    where = _placed(step) if is_free or step.place else f"next to {_target_words(step.target)}"
    return f"a {color}speech bubble “{step.text}” {where}".rstrip()


def _at(place: str | None) -> str:
    """ "On the left", "on the right in the background"."""
    if place is None:
        return ""
    depth = next((depth for depth in DEPTHS if depth in place.split()), None)
    side = place.replace(depth or "", "").strip()
    is_inside, is_beside = side == "center", side in ("left", "right")
    where = f"{'in' if is_inside else 'on' if is_beside else 'at'} the {side}" if side else ""
    return " ".join(part for part in (where, f"in the {depth}" if depth else "") if part)


def _said_border(step: Step) -> str:
    size = (
        f"{_number(step.exact[0])}{'%' if step.exact[1] == 'percent' else ' pixels'} wide"
        if step.exact
        else ""
    )
    thickness = "" if step.amount is None else "thin" if step.amount < 0.35 else "thick"
    name = f"bars at the {_and(step.place.split())}" if step.place else "border"
    return f"{' '.join(part for part in (thickness, step.color) if part)} {name} {size}".rstrip()


def _said_vignette(step: Step) -> str:
    return f"{_degree(step, step.color or 'darker')} edges"


def _said_crop(step: Step) -> str:
    if step.exact:
        side = "every side" if step.place == "all" else _and(f"the {place}" for place in _sides(step.place))
        return f"{_number(step.exact[0])}{_unit(step)} cropped off {side}"
    around = "" if step.target == WHOLE else f"around {_target_words(step.target)}"
    words = ("cropped to", step.choice, around, _at(step.place)) if step.choice else ("cropped", around)
    return " ".join(word for word in words if word)


def _sides(place: str | None) -> list[str]:
    return (place or "left right").split()


def _said_rotate(step: Step) -> str:
    angle = step.exact[0] if step.exact else 0.0
    return f"rotated {_number(abs(angle))} degrees {'clockwise' if angle >= 0 else 'counterclockwise'}"


def _said_resize(step: Step) -> str:
    if step.exact:
        side = f" {step.choice}" if step.choice else ""
        return f"resized to {_number(step.exact[0])}{_unit(step)}{side}"
    if step.choice:
        return f"resized to {step.choice.replace('within', 'fit within')}"
    return _degree(step, "smaller" if (step.amount or 0) < 0 else "larger")


def _said_trim(step: Step) -> str:
    where = f" at the {_and(step.place.split())}" if step.place else ""
    return f"plain {f'{step.color} ' if step.color else ''}borders{where} cut off"


def _said_stretch(step: Step) -> str:
    if step.choice in ("width", "height"):
        is_less = (step.exact[0] < 100) if step.exact else (step.amount or 0.0) < 0
        way = {"width": ("wider", "narrower"), "height": ("taller", "less tall")}[step.choice][is_less]
        size = f" to {_number(step.exact[0])}%" if step.exact else ""
        return f"{'squeezed' if is_less else 'stretched'} {way}{size}, with all it shows"
    return f"stretched to {step.choice}, with all it shows"


def _said_blur(step: Step) -> str:
    return f"{_degree(step, 'blurred')}, the background"


def _said_shape(step: Step) -> str:
    size = "" if step.amount is None else "small" if step.amount < 0.35 else "large"
    words = (size, step.color, step.text, step.choice)
    where = f"around {_target_words(step.target)}" if _encloses(step) else _placed(step)
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
    parts = (*how, size, step.color, what, "drawn", _ground_words(step), _at(step.place))
    return " ".join(part for part in parts if part)


_QUANTITIES = ("few", "many")
_UNCOUNTED = frozenset({"smoke", "lightning", "confetti"})
_SIZES = ("a small", "a large")


def _ground_words(step: Step) -> str:
    if step.target == WHOLE and step.operation in _IN_THE_SKY:
        return "into the sky"
    return f"over {_target_words(step.target)}"


def _placed(step: Step) -> str:
    """Where something is added: at its place, or on its target."""
    if step.target == WHOLE:
        return _at(step.place)
    if step.target.what == "thing" and not kinds_of(step.target.noun):
        return f"in the {step.target.noun}"
    where = _BESIDE.get(step.place or "", "on" if step.target.what == "thing" else "at")
    if step.place in ("eyes", "head") and step.target.what == "face":
        return f"{where.removesuffix(' of')}{'' if step.target.count == 1 else ', all faces'}"
    if step.target.what == "face" and step.target.count == 1 and step.place in _BESIDE:
        return f"{where} the head {_at(step.target.place)}".rstrip()
    inside = f" {_at(step.place)}" if step.place and step.place not in _BESIDE else ""
    return f"{where} {_target_words(step.target)}{inside and f',{inside}'}"


_BESIDE = {
    "above": "above",
    "on top": "on top of",
    "below": "below",
    "next to": "next to",
    "left of": "to the left of",
    "right of": "to the right of",
    "between": "between",
    "head": "on the head of",
    "eyes": "over the eyes of",
}
"""Places of an addition that are told by its target."""


def _said_arrow(step: Step) -> str:
    if step.target != WHOLE and not step.choice:
        pointing, where = f"pointing at {_target_words(step.target)}", _at(step.place)
    else:
        aimed = f" at {_target_words(step.target)}" if step.target != WHOLE else ""
        pointing, where = f"pointing {step.choice}{aimed}" if step.choice else "", _at(step.place)
    words = (step.color, "arrow", pointing, where)
    return " ".join(word for word in words if word)


def _said_watermark(step: Step) -> str:
    where = "all over the photo" if step.choice == "tiled" else _at(step.place)
    return f"watermark “{step.text}” {where}".rstrip()


def _said_frame(step: Step) -> str:
    return " ".join(word for word in (step.color, step.choice, "frame") if word)


def _said_sticker(step: Step) -> str:
    what = f"what photo {step.photo} shows, cut out," if step.choice == "cut_out" else f"photo {step.photo}"
    return f"{what} laid over the photo {_placed(step)}".rstrip()


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
    "sea": "the sea",
    "mountains": "mountains",
    "snowy mountains": "snowy mountains",
    "snowy field": "a snowy field with firs",
    "jungle": "the leaves of a jungle",
    "sea at sunset": "the sea at sunset",
    "underwater": "the sea from below",
    "space": "space, with stars and nebulas",
    "library": "shelves of books",
}


def _said_gradient(step: Step) -> str:
    colors = " to ".join(color for color in (step.color, step.choice) if color)
    return f"background a gradient{f' from {colors}' if step.choice else f' of {colors}' if colors else ''}"


def _said_zoom(step: Step) -> str:
    far = f"to {_number(step.exact[0])}%" if step.exact else ""
    out = (step.amount or 0) < 0 or (step.exact is not None and step.exact[0] < 100)
    where = _at(step.place) if step.target == WHOLE else f"on {_target_words(step.target)}"
    return " ".join(word for word in ("zoomed", "out" if out else "in", far, where) if word)


def _said_extend(step: Step) -> str:
    side = f" {_at(step.place)}" if step.place else ""
    size = f" by {_number(step.exact[0])}{_unit(step)}" if step.exact else ""
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


def _thing_named(target: Target) -> str:
    """ "The dog", "what box 2 marks": the thing, and not the place where it is."""
    if target.what == "region":
        return "what the box marks" if target.boxes in ((), (1,)) else f"what box {target.boxes[0]} marks"
    words = _target_words(target)
    return words if words.startswith("the ") else f"the {words}"


def _said_moved(step: Step) -> str:
    return f"{_thing_named(step.target)} moved {_whither(step)}"


def _said_copied(step: Step) -> str:
    if step.beside is None and step.place:
        where = _at(step.place)
    elif step.place == "inside":
        where = f"in {_target_words(step.beside or WHOLE)}"
    else:
        where = _whither(step) if step.choice or step.beside else "beside it"
    return f"a copy of {_thing_named(step.target)} {where}"


def _whither(step: Step) -> str:
    """ "A little to the left", "to the bottom right corner", "above the lamp"."""
    if step.choice:
        way = step.choice if step.choice in ("up", "down") else f"to the {step.choice}"
        if step.exact:
            return f"{_number(step.exact[0])}{_unit(step)} {way}"
        return _degree(step, way) if step.amount is not None else way
    if step.beside is None:
        return f"to the {step.place}{_SPOTS[len((step.place or '').split()) > 1, step.place in _BESIDES]}"
    if step.place == "inside":
        return f"to {_target_words(step.beside)}"
    return f"{_RELATIONS[step.place]} {_target_words(step.beside)}"


_BESIDES = ("left", "right")
_SPOTS = {(True, False): " corner", (False, True): " side", (False, False): ""}
_RELATIONS = {
    "left": "to the left of",
    "right": "to the right of",
    "top": "above",
    "bottom": "below",
    None: "next to",
}


def _said_sized(step: Step) -> str:
    if step.exact:
        return f"{_thing_named(step.target)} at {_number(step.exact[0])}% of its size"
    return f"{_degree(step, 'smaller' if (step.amount or 0) < 0 else 'larger')}, {_thing_named(step.target)}"


def _said_mirrored(step: Step) -> str:
    way = "upside down" if step.choice == "vertical" else "left to right"
    return f"{_thing_named(step.target)} mirrored {way}"


def _said_turned(step: Step) -> str:
    if step.exact and step.exact[0] == 180:
        return f"{_thing_named(step.target)} turned upside down"
    return f"{_thing_named(step.target)} {_said_rotate(step)}"


_HIDDEN = {"blur": "blurred", "pixelate": "pixelated", "black": "covered in black"}


def _number(value: float) -> str:
    return f"{value:g}"


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


_SAYINGS: dict[str, Callable[[Step], str]] = {
    **dict.fromkeys(_LOOKS, _said_look),
    **dict.fromkeys(_STYLES, _said_style),
    "duotone": _said_duotone,
    "tint": _said_tint,
    "white_balance": _said_white_balance,
    "pixelate": _said_pixelate,
    "colorize": _said_colorize,
    "dust": lambda step: f"spots and scratches removed, {_where(step)}",
    "enhance": _said_enhance,
    "recolor": _said_recolor,
    "text": _said_text,
    "speech_bubble": _said_bubble,
    "border": _said_border,
    "vignette": _said_vignette,
    "solid_background": lambda step: f"background {step.color}{_around(step.target)}",
    "drawn_background": _said_ground,
    "drawn_sky": _said_sky,
    "blur_background": _said_blur,
    "transparent_background": lambda step: f"background transparent{_around(step.target)}",
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
    "shadow": lambda step: f"a shadow behind {_target_words(step.target)}",
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
    "gradient_background": _said_gradient,
    "trim": _said_trim,
    "stretch": _said_stretch,
    "print_size": lambda step: f"cropped and sized for a print of {step.choice} at 300 dpi",
    "upright": lambda step: "turned upright, by the faces",
    "straighten": lambda step: "straightened",
    "zoom": _said_zoom,
    "center": lambda step: f"{_target_words(step.target)} in the center",
    "extend": _said_extend,
    "collage": _said_collage,
    "move_thing": _said_moved,
    "copy_thing": _said_copied,
    "resize_thing": _said_sized,
    "flip_thing": _said_mirrored,
    "rotate_thing": _said_turned,
    "erase_text": _said_erase_text,
    "red_eye": lambda step: f"red eyes corrected, {_where(step)}",
    "hide_faces": lambda step: f"faces {_HIDDEN[step.choice or 'blur']}, {_where(step)}",
    "blemishes": lambda step: f"blemishes removed, {_where(step)}",
    "erase": lambda step: f"{_target_words(step.target)} erased",
}
