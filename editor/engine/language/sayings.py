"""A step of a plan in plain words, as it is shown to a person."""

from collections.abc import Callable, Iterable

from editor.engine.plan import WHOLE, Step, Target


def says(step: Step) -> str:
    """A step as a person would say it: "a little brighter, the background"."""
    kept = f", {_and(_target_words(target) for target in step.keep)} kept as it is" if step.keep else ""
    return _SAYINGS.get(step.operation, _said_tone)(step) + kept


_DIRECTIONS: dict[str, tuple[str, str]] = {
    "brightness": ("brighter", "darker"),
    "contrast": ("more contrast", "less contrast"),
    "saturation": ("more vivid", "less colorful"),
    "warmth": ("warmer", "cooler"),
    "sharpness": ("sharper", "blurred"),
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


def _degree(step: Step, direction: str) -> str:
    if step.exact:
        return f"{direction} by {_number(abs(step.exact[0]))}%"
    word = next(word for limit, word in _DEGREES if abs(step.amount or 0.0) < limit)
    return f"{word} {direction}".strip()


def _where(step: Step) -> str:
    if step.photo and step.target == WHOLE:
        return f"photo {step.photo}"
    where = _target_words(step.target)
    return f"{where} of photo {step.photo}" if step.photo else where


def _target_words(target: Target) -> str:
    if target.what == "region":
        return f"the marked {'place' if len(target.boxes) == 1 else 'places'}"
    if target == WHOLE:
        return "the whole photo"
    return f"the {target.what}" if target.what != "thing" else _thing_words(target)


def _thing_words(target: Target) -> str:
    return " ".join(part for part in (target.color, target.noun or "parts") if part)


def _said_look(step: Step) -> str:
    strength = f" at {_number(step.amount * 100)}%" if step.amount is not None and step.amount < 1 else ""
    return f"{_LOOKS[step.operation]}{strength}, {_where(step)}"


_LOOKS = {"black_and_white": "black and white", "sepia": "sepia", "negative": "colors inverted"}


def _said_enhance(step: Step) -> str:
    return "light, color and sharpness improved automatically" + (
        f", photo {step.photo}" if step.photo else ""
    )


def _said_recolor(step: Step) -> str:
    what = _target_words(step.target)
    if step.target.what == "region" and (step.target.noun or step.target.color):
        what = f"{_thing_words(step.target)} in {what}"
    return f"{what} turned {step.color}"


def _said_text(step: Step) -> str:
    color = f" in {step.color}" if step.color else ""
    return f"text “{step.text}”{color} {_at(step.place)}".rstrip()


def _at(place: str | None) -> str:
    if place is None:
        return ""
    return (
        f"in the {place}"
        if place == "center"
        else f"on the {place}"
        if place in ("left", "right")
        else f"at the {place}"
    )


def _said_border(step: Step) -> str:
    size = (
        f"{_number(step.exact[0])}{'%' if step.exact[1] == 'percent' else ' pixels'} wide"
        if step.exact
        else ""
    )
    thickness = "" if step.amount is None else "thin" if step.amount < 0.35 else "thick"
    return f"{' '.join(part for part in (thickness, step.color) if part)} border {size}".rstrip()


def _said_vignette(step: Step) -> str:
    return f"{_degree(step, 'darker')} edges"


def _said_crop(step: Step) -> str:
    if step.choice:
        return f"cropped to {step.choice}"
    if step.exact:
        side = "every side" if step.place == "all" else f"the {step.place}"
        return f"{_number(step.exact[0])}% cropped off {side}"
    return f"cropped to {_target_words(step.target)}"


def _said_rotate(step: Step) -> str:
    angle = step.exact[0] if step.exact else 0.0
    return f"rotated {_number(abs(angle))} degrees {'clockwise' if angle >= 0 else 'counterclockwise'}"


def _said_resize(step: Step) -> str:
    return (
        f"resized to {step.choice}"
        if step.choice
        else f"resized to {_number(step.exact[0] if step.exact else 100)}%"
    )


def _said_blur(step: Step) -> str:
    return f"{_degree(step, 'blurred')}, the background"


def _number(value: float) -> str:
    return f"{value:g}"


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


_SAYINGS: dict[str, Callable[[Step], str]] = {
    "black_and_white": _said_look,
    "sepia": _said_look,
    "negative": _said_look,
    "enhance": _said_enhance,
    "recolor": _said_recolor,
    "text": _said_text,
    "border": _said_border,
    "vignette": _said_vignette,
    "solid_background": lambda step: f"background {step.color}",
    "blur_background": _said_blur,
    "transparent_background": lambda step: "background transparent",
    "photo_background": lambda step: f"photo {step.photo} as the background",
    "crop": _said_crop,
    "rotate": _said_rotate,
    "flip": lambda step: f"flipped {'horizontally' if step.choice == 'horizontal' else 'vertically'}",
    "resize": _said_resize,
    "erase": lambda step: f"{_target_words(step.target)} erased",
}
