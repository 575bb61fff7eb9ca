"""Rectangles, and functions that process a photo in strips.

Because of the strips, the whole photo is never held in memory as floats.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from editor.engine.colors import Floats
from editor.engine.threads import in_threads
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits
from editor.imaging.picture import strips as strips_of

# Number of rows processed at a time. A whole photo is never held in memory as floats, and a strip of a large
# photo fits into the processor's cache.
STRIP = 64
_MIN_ROWS_PER_HALO = 8  # minimum height of a strip with extra rows, as a multiple of their number

# Minimum change in a channel that is visible in a tiny spot, in levels from 0 to 255, and the minimum number
# of pixels in such a spot.
_STRIKING, _SPOT = 16, 4
# Minimum change in a channel that is visible across an area, in levels from 0 to 255, and the minimum size of
# such an area, as a share of the picture.
_SLIGHT, _AREA = 2, 0.0005

# Working copies of each picture by their longest side, for as long as the picture is in use.
_copies: WeakKeyDictionary[Picture, dict[int, Bytes]] = WeakKeyDictionary()


class Box(NamedTuple):
    """A rectangle in pixels of the current picture; `right` and `bottom` are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def center(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def area(self) -> int:
        return self.width * self.height

    @classmethod
    def around(cls, mask: Bytes) -> "Box":
        """Return the smallest box that contains all nonzero pixels of a mask."""
        left, top, width, height = cv2.boundingRect(mask)
        return cls(left, top, left + width, top + height)

    @classmethod
    def around_points(cls, points: Floats) -> "Box":
        """Return the box from the smallest to the largest x and y of points (n x 2), rounded to pixels."""
        (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
        return cls(round(left), round(top), round(right), round(bottom))

    @classmethod
    def holding(cls, boxes: Iterable["Box"]) -> "Box":
        """Return the smallest box that contains all of the given boxes."""
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return cls(min(lefts), min(tops), max(rights), max(bottoms))

    @classmethod
    def centered(cls, middle: tuple[float, float], width: int, height: int) -> "Box":
        """Return a box of the given size around a point."""
        left, top = round(middle[0] - width / 2), round(middle[1] - height / 2)
        return cls(left, top, left + width, top + height)

    @property
    def slices(self) -> tuple[slice, slice]:
        """The slices of rows and columns that the box covers."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def holds_center_of(self, other: "Box") -> bool:
        x, y = other.center
        return self.left <= x < self.right and self.top <= y < self.bottom

    def overlap(self, other: "Box") -> int:
        """Return the number of pixels that both boxes contain."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0, across) * max(0, down)

    def overlap_ratio(self, other: "Box") -> float:
        """Return the overlap of two boxes as a share of the area of the larger one."""
        return self.overlap(other) / max(1, self.area, other.area)

    def grown(self, share: float, width: int, height: int) -> "Box":
        """Return the box enlarged on each side by a share of its size, clipped to width x height."""
        across, down = round(self.width * share), round(self.height * share)
        sides = self.left - across, self.top - down, self.right + across, self.bottom + down
        return Box(*sides).within(width, height)

    def padded(self, reach: float, width: int, height: int) -> "Box":
        """Return the box enlarged by `reach` pixels on each side, clipped to width x height."""
        sides = self.left - reach, self.top - reach, self.right + reach, self.bottom + reach
        return Box(*map(round, sides)).within(width, height)

    def moved(self, across: int, down: int) -> "Box":
        return Box(self.left + across, self.top + down, self.right + across, self.bottom + down)

    def moved_into(self, room: "Box") -> "Box":
        """Return the box moved by the shortest distance that places it inside `room`."""
        left = min(max(room.left, self.left), room.right - self.width)
        top = min(max(room.top, self.top), room.bottom - self.height)
        return self.moved(left - self.left, top - self.top)

    def within(self, width: int, height: int) -> "Box":
        """Return the part of the box that is inside width x height."""
        return Box(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def seen_from(self, view: "Box") -> "Box":
        """Return the box in the coordinates of a view of the picture."""
        return self.moved(-view.left, -view.top)

    def sized(self, scale: float) -> "Box":
        """Return the box on a copy of the picture scaled by `scale`.

        The result is at least one pixel wide and high.
        """
        left, top = int(self.left * scale), int(self.top * scale)
        right, bottom = max(left + 1, round(self.right * scale)), max(top + 1, round(self.bottom * scale))
        return Box(left, top, right, bottom)


def copy_size(longest: int, width: int, height: int, *, least: int = 1) -> tuple[int, int]:
    """Return the width and height of a copy whose sides are at most `longest` and at least `least` pixels.

    A copy is never larger than the original, except to reach `least`.
    """
    scale = min(1.0, longest / max(width, height))
    return max(least, round(width * scale)), max(least, round(height * scale))


def working_copy(picture: Picture, longest: int) -> Bytes:
    """Return a copy in 8-bit RGB (height x width x 3) whose sides are at most `longest` pixels.

    Masks are computed on such copies. A copy is made only once for each picture and is read-only. It
    may be a view of the picture's own pixels if these are small enough.
    """
    copies = _copies.setdefault(picture, {})
    if longest not in copies:
        copies[longest] = _reduced(picture, longest)
    return copies[longest]


def _reduced(picture: Picture, longest: int) -> Bytes:
    small, size = picture.pixels, copy_size(longest, picture.width, picture.height)
    if max(picture.width, picture.height) > longest:
        small = cast(Pixels, cv2.resize(small, size, interpolation=cv2.INTER_AREA))
    colors = np.ascontiguousarray(eight_bits(Picture(small))[:, :, :3])
    colors.flags.writeable = False
    return colors


def top_value(pixels: Pixels) -> int:
    """Return the value of white: 255, or 65535 for 16-bit pixels."""
    return int(np.iinfo(pixels.dtype).max)


def in_strips(pixels: Pixels, change: Callable[[Floats, slice], Floats], *, halo: int = 0) -> Pixels:
    """Return the pixels with `change` applied to their colors strip by strip; alpha is unchanged.

    `change` receives floats from 0 to 1 (rows x width x 3) and the slice of rows that they come from. Each
    strip includes `halo` extra rows above and below it, for filters that look beyond each pixel.
    """
    top = top_value(pixels)
    changed = pixels.copy()

    def change_strip(rows: slice) -> None:
        wide = slice(max(0, rows.start - halo), min(pixels.shape[0], rows.stop + halo))
        colors = change(pixels[wide, :, :3] * np.float32(1 / top), wide)
        own = colors[rows.start - wide.start : rows.stop - wide.start]
        changed[rows, :, :3] = (np.clip(own, 0, 1) * top + 0.5).astype(pixels.dtype)

    for_each_strip(pixels.shape[0], change_strip, max(STRIP, _MIN_ROWS_PER_HALO * halo))
    return changed


def strips(height: int, rows: int = STRIP) -> Iterator[slice]:
    """Return slices of at most `rows` rows that together cover the height."""
    return strips_of(height, rows)


def for_each_strip(height: int, work: Callable[[slice], object], rows: int = STRIP) -> None:
    """Call `work` with each strip's slice of rows, as `in_threads` does.

    `work` may write only to its own rows.
    """
    in_threads(work, strips(height, rows))


def blended(before: Pixels, after: Pixels, mask: Floats) -> Pixels:
    """Blend two sets of pixels with a mask (height x width, from 0 to 1).

    The result is `after` where the mask is 1 and exactly `before` where it is 0.
    """
    result = before.copy()

    def blend_strip(rows: slice) -> None:
        share = mask[rows, :, None]
        if share.any():
            old = before[rows].astype(np.float32)
            mixed = after[rows] - old
            mixed *= share
            mixed += old
            mixed += np.float32(0.5)
            result[rows] = mixed

    for_each_strip(before.shape[0], blend_strip)
    return result


def is_visible_change(before: Pixels, after: Pixels) -> bool:
    """Return whether a person can tell two pictures apart.

    The difference may be in shape, in a tiny spot, or slight but spread over a large area.
    """
    if after is before:
        return False
    if before.shape != after.shape or before.dtype != after.dtype:
        return True
    scale = top_value(before) // 255
    striking = slight = 0
    for rows in strips(before.shape[0]):
        off = reduce(cv2.max, cv2.split(cv2.absdiff(before[rows], after[rows])))
        striking += int(np.count_nonzero(off > _STRIKING * scale))
        slight += int(np.count_nonzero(off > _SLIGHT * scale))
        if striking >= _SPOT or slight > _AREA * before.shape[0] * before.shape[1]:
            return True
    return False
