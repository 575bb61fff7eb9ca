"""Add, remove, or neutralize color casts."""

from typing import cast

import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Floats, color_of, gamma, lab_of, linear, oklab, rgb
from editor.engine.errors import OperationError
from editor.engine.operations.color.selective import share_and_depth, tone, within_target
from editor.engine.operations.color.tone import apply_curves, gain_curve, levels_of
from editor.engine.pixels import working_copy
from editor.engine.plan import Reason, Step
from editor.imaging.picture import Picture, Pixels
from editor.sentences import Sentence

_WORKING_PIXELS = 600  # longer side, in pixels, of the copy on which color casts are measured
# OKLab chroma of gray after a tint at the maximum amount.
_STRONGEST = 0.115

_WHOLE = 0.65  # amount from which a whole cast is removed, which "remove the yellow cast" means
# Minimum OKLab chroma of a cast that is removed, because the user sees a cast even if none is measured.
_WEAKEST = 0.035
_NEAR = 0.7  # minimum cosine of the angle between the hues of a measured and a named cast of the same name

# Minimum share of gray pixels for measuring a color cast. If fewer pixels are gray, the measured color may
# come from objects such as petals and leaves.
_MIN_GRAY = 0.02
_ENOUGH_GRAY = 0.15  # minimum share of gray pixels at which a measured color cast is fully trusted
_UNSHOWN = 0.3  # exponent of color gains for photos with hardly any gray; 1 would apply the gains in full
_CLIPPED = 0.97  # level (0 to 1) from which a pixel counts as overexposed
_WHITE_KEPT = 6  # exponent with which color gains fade toward white, so that overexposed white stays white


@tone
def tint(pixels: Pixels, amount: float, *, color: str | None) -> Pixels:
    """Add a color cast of the requested color, or remove one if the amount is negative.

    From the amount for "remove the cast" on, the whole measured cast is removed if its hue is near that of
    the color, because a yellow cast may also be called orange or brown. Raises OperationError if the color,
    such as gray, has no hue.
    """
    direction = _direction(color or "")
    if amount < 0 and (gains := _gains_against(pixels, direction)) is not None:
        return _balanced(pixels, gains, min(1.0, -amount / _WHOLE))
    added = amount * _STRONGEST if amount > 0 else -_removed(_measured(pixels, direction), -amount)
    gray, tinted = rgb(np.array([[[0.7, 0, 0], [0.7, *(direction * added)]]], np.float32))[0]
    levels = levels_of(pixels)
    return apply_curves(pixels, *(gain_curve(levels, float(gain)) for gain in tinted / gray))


def _removed(measured: float, amount: float) -> float:
    """Return how much of a measured cast (OKLab chroma) an amount removes.

    Some is removed even if none is measured.
    """
    return max(min(1.0, amount / _WHOLE) * measured, amount * _WEAKEST)


@operation
def white_balance(canvas: Canvas, step: Step) -> Canvas:
    """Remove a color cast so that gray objects look gray. The brightness stays about the same."""
    share, depth = share_and_depth(canvas, step)
    return within_target(
        canvas, step, lambda pixels: _balanced(pixels, _graying_gains(pixels), share * depth)
    )


def _balanced(pixels: Pixels, gains: Floats, strength: float) -> Pixels:
    gains = gains ** np.float32(strength)
    light = linear(levels_of(pixels))
    fading = light**_WHITE_KEPT
    lit = (light * gain / (1 + (gain - 1) * fading) for gain in gains)
    return apply_curves(pixels, *(gamma(np.clip(one, 0, 1)) for one in lit))


def _direction(name: str) -> Floats:
    """Return the unit vector (OKLab a and b) that points in the direction of a color's hue.

    Raises OperationError if the color has no hue.
    """
    direction = lab_of(color_of(name))[1:]
    chroma = float(np.hypot(*direction))
    if chroma < 0.03:
        raise OperationError(
            Reason.AMBIGUOUS,
            Sentence("%(color)s isn't a tint.", color=name.capitalize()),
            Sentence("Choose a color such as yellow."),
        )
    return direction / chroma


def _measured(pixels: Pixels, direction: Floats) -> float:
    """Return the strength (OKLab chroma) of the color cast in this direction.

    The strength is measured on pixels that are probably gray.
    """
    return float(np.clip(_cast_against(_graying_gains(pixels)) @ direction, 0, _STRONGEST))


def _gains_against(pixels: Pixels, direction: Floats) -> Floats | None:
    """Return gains that remove a strong cast whose hue is near a direction, or None if there is none.

    The user sees the cast, so it is trusted even if little in the photo is gray.
    """
    gains = _graying_gains(pixels, is_certain=True)
    shown = _cast_against(gains)
    return gains if shown @ direction > max(_WEAKEST, _NEAR * float(np.hypot(*shown))) else None


def _cast_against(gains: Floats) -> Floats:
    """Return the color cast (OKLab a and b) on a gray object that the gains remove."""
    gray = linear(np.full(1, 0.7, np.float32)) / gains
    return oklab(gamma(gray.astype(np.float32))[None, None])[0, 0, 1:]


def _graying_gains(pixels: Pixels, *, is_certain: bool = False) -> Floats:
    """Return gains for linear red, green, and blue that make probably gray objects truly gray.

    The first estimate uses the shades-of-gray method (Finlayson and Trezzi, 2004). This estimate is then
    refined twice, using only the mean of the nearly gray pixels, so that a lawn or a colored shirt has no
    influence. Unless the cast is certain, the gains are smaller if little is gray.
    """
    colors = _well_lit(pixels)
    if len(colors) < 8:
        return np.ones(3, np.float32)
    gains = _gains_of(np.mean(colors**4, axis=0) ** 0.25)
    shown = 0.0
    for reach in (0.3, 0.18):
        seen = colors * gains
        spread = (seen.max(1) - seen.min(1)) / (seen.max(1) + 1e-6)
        grayish = colors[spread < reach]
        share = len(grayish) / len(colors)
        shown = max(shown, share)
        if share > _MIN_GRAY:
            gains = _gains_of(grayish.mean(0))
    if is_certain:
        return gains
    return gains ** np.float32(np.clip((shown - _MIN_GRAY) / (_ENOUGH_GRAY - _MIN_GRAY), _UNSHOWN, 1))


def _well_lit(pixels: Pixels) -> Floats:
    """Return the linear colors (N x 3) of the pixels that are neither nearly black nor overexposed."""
    copy = working_copy(Picture(pixels), _WORKING_PIXELS)
    small = copy.reshape(-1, 3).astype(np.float32) * np.float32(1 / 255)
    lit = (small.max(1) < _CLIPPED) & (small.max(1) > 0.08)
    return linear(small[lit])


def _gains_of(gray: Floats) -> Floats:
    gains = np.clip(gray[1] / (gray + 1e-6), 0.45, 2.6)
    brightness = float((np.array((0.2126, 0.7152, 0.0722)) * gray * gains).sum())
    kept = float((np.array((0.2126, 0.7152, 0.0722)) * gray).sum())
    return cast(Floats, (gains * (kept / max(brightness, 1e-6))).astype(np.float32))
