"""Small things strewn over the photo, near and far: confetti, bubbles, hearts."""

from collections.abc import Callable
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Box, Canvas, operation
from editor.engine.colors import Color, Floats, color_of
from editor.engine.operations.add.outlines import CLOSED, filled
from editor.engine.operations.add.paint import lay
from editor.engine.operations.add.places import within_target
from editor.engine.operations.gaussian import blurred
from editor.engine.plan import Step
from editor.engine.targets.faces import find_faces
from editor.imaging.codecs import Pixels

type _Sprite = tuple[Floats, Color | Floats]
"""Coverage, height x width, and its color."""

_UNSAID = 0.4
_PAPERS: tuple[Color, ...] = (
    *((236, 64, 80), (255, 193, 51), (64, 156, 235), (86, 190, 106), (155, 89, 208), (255, 130, 60)),
    *((245, 110, 170), (90, 205, 205)),
)
_HEARTS: tuple[Color, ...] = ((232, 50, 84), (246, 108, 136), (206, 30, 66), (255, 150, 170))


@operation
def confetti(canvas: Canvas, step: Step) -> Canvas:
    """Slips of colored paper that fall; the amount is how many."""

    def paper(size: float, random: np.random.Generator) -> _Sprite:
        color = _one_of(step, _PAPERS, random)
        shade = random.uniform(0.78, 1.08)
        lit = tuple(int(min(255, channel * shade)) for channel in color)
        return _slip(size, random), cast(Color, lit)

    return _strewn(canvas, step, paper, counts=(150, 70, 12), sizes=(0.008, 0.016, 0.045))


@operation
def hearts(canvas: Canvas, step: Step) -> Canvas:
    """Hearts that float; the amount is how many."""

    def heart(size: float, random: np.random.Generator) -> _Sprite:
        coverage = filled(CLOSED["heart"], max(5, round(size)), max(5, round(0.92 * size)))
        return _turned(coverage, random.uniform(-24, 24)) * np.float32(0.88), _one_of(step, _HEARTS, random)

    return _strewn(canvas, step, heart, counts=(26, 16, 5), sizes=(0.022, 0.045, 0.1))


@operation
def bubbles(canvas: Canvas, step: Step) -> Canvas:
    """Soap bubbles: clear, with a shimmering rim and the light of a window on it; the amount is how many."""

    def bubble(size: float, random: np.random.Generator) -> _Sprite:
        return _soap(size, random)

    return _strewn(canvas, step, bubble, counts=(22, 12, 4), sizes=(0.025, 0.06, 0.15), is_blurred=False)


def _strewn(
    canvas: Canvas,
    step: Step,
    sprite: Callable[[float, np.random.Generator], _Sprite],
    *,
    counts: tuple[int, int, int],
    sizes: tuple[float, float, float],
    is_blurred: bool = True,
) -> Canvas:
    """Far ones first; the nearest are out of focus, and none lies on a face. Sizes are shares of the longer
    side."""
    amount = abs(canvas.amount(step, _UNSAID))
    random = np.random.default_rng(canvas.seed)
    faces = find_faces(canvas.picture, canvas.models)
    pixels: Pixels = canvas.picture.pixels.copy()
    height, width = pixels.shape[:2]
    for depth, (count, share) in enumerate(zip(counts, sizes, strict=True)):
        for _ in range(round(count * (0.35 + 1.6 * amount))):
            size = share * max(width, height) * random.uniform(0.7, 1.35)
            coverage, paint = sprite(size, random)
            if is_blurred and depth == 2:
                pad = round(0.25 * size)
                wide = cv2.copyMakeBorder(coverage, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
                coverage = blurred(cast(Floats, wide), 0.1 * size)
            x, y = random.uniform(-0.03, 1.03) * width, random.uniform(-0.03, 1.03) * height
            if any(_touches(face, x, y, size / 2) for face in faces):
                continue
            lay(pixels, coverage, paint, (round(x - coverage.shape[1] / 2), round(y - coverage.shape[0] / 2)))
    return within_target(canvas, step, pixels)


def _touches(face: Box, x: float, y: float, radius: float) -> bool:
    return face.left - radius < x < face.right + radius and face.top - radius < y < face.bottom + radius


def _one_of(step: Step, colors: tuple[Color, ...], random: np.random.Generator) -> Color:
    """The color that is asked for, or one of the usual ones."""
    return color_of(step.color) if step.color else colors[int(random.integers(len(colors)))]


def _slip(size: float, random: np.random.Generator) -> Floats:
    """A rectangle, turned, and foreshortened as it tumbles."""
    side = max(5, round(1.5 * size) | 1)
    angle = random.uniform(0, np.pi)
    along = np.array((np.cos(angle), np.sin(angle))) * size / 2
    across = np.array((-np.sin(angle), np.cos(angle))) * size * random.uniform(0.12, 0.36)
    corners = np.array([along + across, along - across, -along - across, across - along]) + side / 2
    coverage = np.zeros((side, side), np.float32)
    cv2.fillConvexPoly(coverage, (corners * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    return cast(Floats, np.clip(coverage, 0, 1))


def _turned(coverage: Floats, degrees: float) -> Floats:
    pad = round(0.25 * max(coverage.shape))
    wide = cv2.copyMakeBorder(coverage, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    middle = (wide.shape[1] / 2, wide.shape[0] / 2)
    return cast(Floats, cv2.warpAffine(wide, cv2.getRotationMatrix2D(middle, degrees, 1.0), wide.shape[::-1]))


def _soap(size: float, random: np.random.Generator) -> _Sprite:
    """Light from a thin film: more at a slant, in colors that go around with its thickness."""
    side = max(9, round(size) | 1)
    axis = np.linspace(-1.04, 1.04, side, dtype=np.float32)
    x, y = axis[None], axis[:, None]
    far = np.hypot(x, y)
    inside = np.clip((1 - far) * side / 2, 0, 1)
    film = np.clip(far, 0, 1) ** 5
    hue = 5.5 * far + 1.4 * np.arctan2(y, x) + random.uniform(0, 6)
    colors = np.stack([0.72 + 0.28 * np.cos(hue + shift) for shift in (0.0, 2.1, 4.2)], axis=2)
    light = np.exp(-(((x + 0.42) / 0.2) ** 2 + ((y + 0.48) / 0.13) ** 2)) + 0.6 * np.exp(
        -(((x - 0.45) / 0.12) ** 2 + ((y - 0.5) / 0.07) ** 2)
    )
    shown = np.clip(light, 0, 1)[:, :, None]
    painted = colors + shown * (1 - colors)
    coverage = inside * np.clip(0.05 + 0.55 * film + 0.85 * light, 0, 0.95)
    return coverage.astype(np.float32), painted.astype(np.float32)
