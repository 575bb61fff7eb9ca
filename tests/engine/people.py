"""Draw simple people whose faces the face detector can find."""

import cv2
import numpy as np

from editor.imaging.picture import Bytes, Picture

GROUND = (120, 140, 160)
SKIN = (224, 176, 148)
_HAIR, _SHADE, _BROW = (60, 42, 30), (161, 127, 107), (70, 45, 32)


def portrait(
    size: int = 300, width: int = 900, height: int = 600, left: int = 300, top: int = 120
) -> Picture:
    """Draw one face on a plain background with a little grain."""
    return people((left, top, size), width=width, height=height)


def people(*places: tuple[int, int, int], width: int = 900, height: int = 600) -> Picture:
    """Draw a face and a body at each of these positions, given as (left, top, size)."""
    pixels = np.full((height, width, 3), GROUND, np.uint8)
    for place in places:
        _draw_person(pixels, *place)
    grain = np.random.default_rng(1).normal(0, 1.5, pixels.shape)
    return Picture(np.clip(pixels + grain, 0, 255).astype(np.uint8))


def eyes(left: int, top: int, size: int) -> list[tuple[int, int]]:
    """Return the (x, y) positions of a drawn face's pupils."""
    return [(round(left + x * size), round(top + 0.47 * size)) for x in (0.37, 0.63)]


def with_spots(photo: Picture, *spots: tuple[int, int], radius: int, color: tuple[int, int, int]) -> Picture:
    """Return the photo with a disc at each of these (x, y) positions."""
    pixels = photo.pixels.copy()
    for spot in spots:
        cv2.circle(pixels, spot, radius, color, -1, cv2.LINE_AA)
    return Picture(pixels)


def _draw_person(pixels: Bytes, left: int, top: int, size: int) -> None:
    height = pixels.shape[0]
    body = np.array([(0.3, 0.97), (0.7, 0.97), (1.0, 1.2), (1.05, 5.0), (-0.05, 5.0), (0.0, 1.2)])
    corners = np.minimum((body * size + (left, top)).round(), (10_000, height)).astype(np.int32)
    cv2.fillPoly(pixels, [corners], (150, 40, 50))
    part = np.zeros((size, size, 3), np.uint8)
    _draw_face(part)
    _draw(part, (0.5, 0.95), (0.2, 0.1), (190, 150, 126))
    inside = cv2.GaussianBlur(_head(size).astype(np.float32), (0, 0), 1)[:, :, None]
    soft = cv2.GaussianBlur(part, (0, 0), 0.006 * size)
    rows, columns = slice(top, min(top + size, height)), slice(left, left + size)
    shown = slice(0, rows.stop - rows.start)
    mixed = inside[shown] * soft[shown] + (1 - inside[shown]) * pixels[rows, columns]
    pixels[rows, columns] = mixed.astype(np.uint8)


def _head(size: int) -> Bytes:
    head = np.zeros((size, size, 3), np.uint8)
    _draw(head, (0.5, 0.43), (0.36, 0.42), (1, 1, 1))
    _draw(head, (0.5, 0.525), (0.29, 0.39), (1, 1, 1))
    _draw(head, (0.5, 0.95), (0.2, 0.1), (1, 1, 1))
    return head[:, :, 0]


def _draw_face(part: Bytes) -> None:
    _draw(part, (0.5, 0.43), (0.36, 0.42), _HAIR)
    _draw(part, (0.5, 0.525), (0.29, 0.39), SKIN)
    for x in (0.37, 0.63):
        _draw(part, (x, 0.46), (0.095, 0.065), _SHADE)
        _draw(part, (x, 0.47), (0.065, 0.035), (245, 245, 245))
        _draw(part, (x, 0.47), (0.035, 0.035), (90, 60, 40))
        _draw(part, (x, 0.47), (0.0175, 0.0175), (12, 10, 10))
        _draw(part, (x, 0.39), (0.095, 0.025), _BROW)
    for x in (0.46, 0.54):
        _draw(part, (x, 0.68), (0.022, 0.015), (110, 70, 60))
    _draw(part, (0.5, 0.79), (0.12, 0.04), (170, 80, 80))


def _draw(
    part: Bytes, middle: tuple[float, float], axes: tuple[float, float], color: tuple[int, int, int]
) -> None:
    size = part.shape[0]
    center = (round(middle[0] * size), round(middle[1] * size))
    radii = (max(1, round(axes[0] * size)), max(1, round(axes[1] * size)))
    cv2.ellipse(part, center, radii, 0, 0, 360, color, -1, cv2.LINE_AA)
