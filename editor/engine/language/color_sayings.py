"""Changes of light and color in plain words: "a little warmer, the sky"."""

from collections.abc import Callable

from editor.engine.language.naming import box_words, degree, figure, target_words, thing_words, where_words
from editor.engine.plan import Step

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


def said_tone(step: Step) -> str:
    amount = step.amount or 0.0
    direction = _DIRECTIONS[step.operation][amount < 0]
    return f"{degree(step, direction)}, {where_words(step)}"


def _said_tint(step: Step) -> str:
    direction = "less" if (step.amount or 0.0) < 0 else "more"
    return f"{degree(step, f'{direction} {step.color}')}, {where_words(step)}"


def _said_white_balance(step: Step) -> str:
    return f"color cast evened out, {where_words(step)}"


def _said_colorize(step: Step) -> str:
    return f"{degree(step, 'stronger')} colors, as far as it has any, {where_words(step)}"


def _said_pixelate(step: Step) -> str:
    return f"pixelated, {where_words(step)}"


def _said_duotone(step: Step) -> str:
    colors = " and ".join(color for color in (step.color, step.choice) if color)
    return f"two tones{f' in {colors}' if colors else ''}, {where_words(step)}"


def _said_look(step: Step) -> str:
    strength = f" at {figure(step.amount * 100)}%" if step.amount is not None and step.amount < 1 else ""
    return f"{_LOOKS[step.operation]}{strength}, {where_words(step)}"


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
    return f"{where_words(step)} turned into {_STYLES[step.operation]}{through}"


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
    what = target_words(step.target)
    if step.target.what == "region" and (step.target.noun or step.target.color):
        what = f"{thing_words(step.target)} in {box_words(step.target.boxes)}"
    if step.target.noun == "teeth" and step.color == "white":
        return f"{degree(step, 'whiter')}, {what}"
    return f"{what} turned {step.color}"


COLOR_SAYINGS: dict[str, Callable[[Step], str]] = {
    **dict.fromkeys(_LOOKS, _said_look),
    **dict.fromkeys(_STYLES, _said_style),
    "duotone": _said_duotone,
    "tint": _said_tint,
    "white_balance": _said_white_balance,
    "pixelate": _said_pixelate,
    "colorize": _said_colorize,
    "enhance": _said_enhance,
    "recolor": _said_recolor,
}
