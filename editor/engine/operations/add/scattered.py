"""Scatter small objects over the photo, near and far: confetti, bubbles, hearts, petals, and more."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from editor.engine.canvas import Canvas, operation
from editor.engine.colors import Color, Floats, color_of
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import paint_over
from editor.engine.operations.add.outlines import CLOSED, fill_outline
from editor.engine.operations.add.places import within_place
from editor.engine.pixels import Box
from editor.engine.plan import Step
from editor.engine.targets.faces import faces_seen
from editor.imaging.picture import Pixels

# Coverage (height x width) and colors (height x width x 3), both from 0 to 1.
type _Sprite = tuple[Floats, Floats]
type _Draw = Callable[[float, str | None, np.random.Generator], _Sprite]

_PAPERS: tuple[Color, ...] = (
    (236, 64, 80),
    (255, 193, 51),
    (64, 156, 235),
    (86, 190, 106),
    (155, 89, 208),
    (255, 130, 60),
    (245, 110, 170),
    (90, 205, 205),
)
_PETALS: tuple[Color, ...] = ((250, 176, 196), (244, 140, 170), (255, 208, 220), (236, 112, 146))
_LEAVES: tuple[Color, ...] = (
    (214, 96, 26),
    (190, 54, 28),
    (232, 160, 40),
    (168, 92, 38),
    (206, 126, 30),
    (140, 48, 26),
)
_HEARTS: tuple[Color, ...] = ((232, 50, 84), (246, 108, 136), (206, 30, 66), (255, 150, 170))


def _strewn(*depths: tuple[int, float], is_blurred: bool = True) -> Callable[[_Draw], _Draw]:
    """Register an operation that scatters small copies of an object over the photo.

    The decorated function draws one object, given the object's size in pixels, the requested color, and
    random numbers. Each item of `depths`, from far to near, is a number of objects and their size as a share
    of the photo's longer side. The step's amount scales the number of objects.
    """

    def registered(draw: _Draw) -> _Draw:
        def carry(canvas: Canvas, step: Step) -> Canvas:
            return _with_all(canvas, step, draw, depths, is_blurred=is_blurred)

        carry.__name__ = draw.__name__
        operation(carry)
        return draw

    return registered


@_strewn((150, 0.008), (70, 0.016), (12, 0.045))
def confetti(size: float, color: str | None, random: np.random.Generator) -> _Sprite:
    """Draw falling slips of colored paper."""
    paper = np.ones((max(5, round(size)), max(3, round(0.65 * size))), np.float32)
    return _tumbling(paper, _one_of(color, _PAPERS, random), random)


@_strewn((26, 0.022), (16, 0.045), (5, 0.1))
def hearts(size: float, color: str | None, random: np.random.Generator) -> _Sprite:
    """Draw floating hearts."""
    coverage = fill_outline(CLOSED["heart"], max(5, round(size)), max(5, round(0.92 * size)))
    turn = np.radians(random.uniform(-24, 24))
    return _turned(0.88 * coverage, _one_of(color, _HEARTS, random), _turn(turn))


@_strewn((60, 0.013), (34, 0.026), (8, 0.07))
def petals(size: float, color: str | None, random: np.random.Generator) -> _Sprite:
    """Draw rose or cherry petals in the wind: rounded hearts with veins and a paler base."""
    x, y = _sheet(size)
    inside = 1 - np.hypot(x / (0.62 + 0.22 * y), (y - 0.12 * np.abs(x)) / 0.95)
    foot = np.clip((0.75 - y) / 1.5, 0, 1)
    veins = 0.05 * np.cos(16 * x / (0.5 + 0.4 * (y + 1)))
    light = (0.82 + 0.3 * np.clip(0.5 - 0.5 * x, 0, 1) + veins)[:, :, None]
    painted = _one_of(color, _PETALS, random) * light
    painted = painted + (0.45 * (1 - foot) * 0.4)[:, :, None] * (1 - painted)
    return _tumbling(_cut(inside, x.size), np.clip(painted, 0, 1), random)


@_strewn((40, 0.018), (24, 0.036), (7, 0.085))
def leaves(size: float, color: str | None, random: np.random.Generator) -> _Sprite:
    """Draw falling autumn leaves, pointed and toothed, with a midrib, side veins, and a stalk."""
    x, y = _sheet(size)
    length = np.clip(1 - ((y + 0.1) / 0.82) ** 2, 0, 1)
    teeth = 1 + 0.1 * np.abs(((y * 7) % 1) - 0.5)
    inside = 0.5 * length**0.8 * teeth - np.abs(x)
    stalk = np.where((y > 0.6) & (y < 0.97), 0.03 - np.abs(x), np.float32(-1))
    rib = np.exp(-((x / 0.035) ** 2)) + 0.6 * np.exp(-((((y + 0.8 * np.abs(x)) * 6 % 1 - 0.5) / 0.12) ** 2))
    mottled = 0.1 * np.sin(9 * x + 4 * y) * np.cos(7 * y)
    light = 0.86 + 0.2 * np.sign(x) * np.clip(np.abs(x) * 3, 0, 1) + mottled - 0.22 * rib
    painted = _one_of(color, _LEAVES, random) * light[:, :, None]
    coverage = np.maximum(_cut(inside, x.size), _cut(stalk, x.size))
    return _tumbling(coverage, np.clip(painted, 0, 1), random)


def _with_all(
    canvas: Canvas, step: Step, draw: _Draw, depths: Sequence[tuple[int, float]], *, is_blurred: bool
) -> Canvas:
    """Draw all scattered objects except those that would touch a face, the distant ones first.

    If `is_blurred` is true, the nearest objects are blurred.
    """
    amount = abs(canvas.amount(step.amount_or_default))
    random = np.random.default_rng(canvas.seed)
    faces = faces_seen(canvas)
    pixels: Pixels = canvas.picture.pixels.copy()
    height, width = pixels.shape[:2]
    for count, share in depths:
        for _ in range(round(count * (0.35 + 1.6 * amount))):
            size = share * max(width, height) * random.uniform(0.7, 1.35)
            coverage, paint = draw(size, step.color, random)
            if is_blurred and (count, share) == depths[-1]:
                pad = round(0.25 * size)
                wide = cv2.copyMakeBorder(coverage, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
                coverage = blurred(wide, 0.1 * size)
                paint = cv2.copyMakeBorder(paint, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
            x, y = random.uniform(-0.03, 1.03) * width, random.uniform(-0.03, 1.03) * height
            own = Box.centered((x, y), round(size), round(size))
            if any(own.overlap(face) for face in faces):
                continue
            paint_over(
                pixels, coverage, paint, (round(x - coverage.shape[1] / 2), round(y - coverage.shape[0] / 2))
            )
    return within_place(canvas, step, pixels)


def _one_of(color: str | None, colors: tuple[Color, ...], random: np.random.Generator) -> Floats:
    """Return the requested color, or a random one of `colors`.

    The color is an array of 1 x 1 x 3 with values from 0 to 1.
    """
    chosen = color_of(color) if color else colors[int(random.integers(len(colors)))]
    return np.array([[chosen]], np.float32) / np.float32(255)


@_strewn((11, 0.045), (7, 0.08), (3, 0.14), is_blurred=False)
def balloons(size: float, color: str | None, random: np.random.Generator) -> _Sprite:
    """Draw rising, glossy balloons, each with an egg-shaped, translucent body, a knot, and a string."""
    rubber = _one_of(color, _PAPERS, random)
    width = max(9, round(size))
    height = round(2.4 * width)
    x = np.linspace(-1.06, 1.06, width, dtype=np.float32)[None]
    y = np.arange(height, dtype=np.float32)[:, None] / (0.53 * width) - 1.22
    narrow = 1 - 0.2 * np.clip(y, 0, 1.2) ** 1.6
    far = np.hypot(x / narrow, y / 1.16)
    body = np.clip((1 - far) * width / 2.2, 0, 1)
    knot = np.clip((0.09 - np.abs(x) + 0.9 * (y - 1.22)) * width / 2, 0, 1) * (y > 1.12) * (y < 1.27)
    sway = 0.05 * np.sin(3.2 * (y - 1.2) + random.uniform(0, 6)) * np.clip(y - 1.2, 0, 1)
    string = np.clip(1 - np.abs(x - sway) * width / 2 / max(1.0, 0.011 * width), 0, 1) * (y > 1.25)
    light = np.exp(-(((x + 0.38) / 0.24) ** 2 + ((y + 0.5) / 0.34) ** 2))
    glint = np.exp(-(((x + 0.42) / 0.09) ** 2 + ((y + 0.58) / 0.15) ** 2))
    shade = 1.05 - 0.5 * np.clip(far, 0, 1) ** 2.4 - 0.16 * np.clip(x + y, 0, 2) / 2
    rim = 0.16 * np.exp(-(((far - 0.9) / 0.09) ** 2)) * np.clip(x + y, 0, 1)
    painted = rubber * (shade + rim)[:, :, None]
    painted = painted + (0.42 * light + 0.75 * glint)[:, :, None] * (1 - np.clip(painted, 0, 1))
    is_string = (string > body + knot)[:, :, None]
    painted = np.where(is_string, np.float32(0.92), painted)
    coverage = np.maximum(0.95 * np.maximum(body, knot), 0.75 * string)
    return coverage.astype(np.float32), np.clip(painted, 0, 1).astype(np.float32)


def _sheet(size: float) -> tuple[Floats, Floats]:
    axis = np.linspace(-1, 1, max(9, round(size) | 1), dtype=np.float32)
    return axis[None], axis[:, None]


def _cut(inside: Floats, side: int) -> Floats:
    """Return the coverage of the pixels where `inside` is positive, with an edge that is one pixel wide."""
    return np.clip(inside * side / 2 + 0.5, 0, 1).astype(np.float32)


def _turn(angle: float) -> Floats:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _tumbling(coverage: Floats, colors: Floats, random: np.random.Generator) -> _Sprite:
    """Return the object rotated and foreshortened at random. Foreshortening makes the object darker."""
    turn, flat, lean = random.uniform(0, 2 * np.pi), random.uniform(0.35, 1.0), random.uniform(0, np.pi)
    moved = _turn(lean) @ np.diag((1.0, flat)) @ _turn(lean).T @ _turn(turn)
    share, painted = _turned(coverage, colors, moved)
    return share, np.clip(painted * np.float32(0.72 + 0.32 * flat), 0, 1)


def _turned(coverage: Floats, colors: Floats, moved: Floats) -> _Sprite:
    """Return the object, transformed around its center, on a sheet large enough for it."""
    height, width = coverage.shape
    side = round(1.5 * max(height, width)) | 1
    matrix = np.column_stack([moved, side / 2 - moved @ (width / 2, height / 2)])
    sheet = np.dstack([colors * coverage[:, :, None], coverage]).astype(np.float32)
    turned = cv2.warpAffine(sheet, matrix, (side, side), flags=cv2.INTER_LINEAR)
    share = np.ascontiguousarray(turned[:, :, 3])
    # Pixels outside the object have no color. Give them the object's mean color, which the blurred edge
    # needs.
    mean = turned[:, :, :3].sum((0, 1)) / max(1e-3, float(share.sum()))
    own = np.clip(5 * share, 0, 1)[:, :, None]
    return share, own * turned[:, :, :3] / np.maximum(share, 1e-3)[:, :, None] + (1 - own) * mean


@_strewn((22, 0.025), (12, 0.06), (4, 0.15), is_blurred=False)
def bubbles(size: float, color: str | None, random: np.random.Generator) -> _Sprite:
    """Draw soap bubbles that reflect a window.

    The film of a bubble reflects more light near the rim, in colors that repeat as the film gets thicker.
    """
    side = max(9, round(size) | 1)
    axis = np.linspace(-1.04, 1.04, side, dtype=np.float32)
    x, y = axis[None], axis[:, None]
    far = np.hypot(x, y)
    inside = np.clip((1 - far) * side / 2, 0, 1)
    film = np.clip(far, 0, 1) ** 5
    hue = 5.5 * far + 1.4 * np.arctan2(y, x) + random.uniform(0, 6)
    colors = np.stack([0.72 + 0.28 * np.cos(hue + shift) for shift in (0.0, 2.1, 4.2)], axis=2)
    if color:
        colors *= np.array(color_of(color), np.float32) / np.float32(255)
    light = np.exp(-(((x + 0.42) / 0.2) ** 2 + ((y + 0.48) / 0.13) ** 2)) + 0.6 * np.exp(
        -(((x - 0.45) / 0.12) ** 2 + ((y - 0.5) / 0.07) ** 2)
    )
    shown = np.clip(light, 0, 1)[:, :, None]
    painted = colors + shown * (1 - colors)
    coverage = inside * np.clip(0.05 + 0.55 * film + 0.85 * light, 0, 0.95)
    return coverage.astype(np.float32), painted.astype(np.float32)
