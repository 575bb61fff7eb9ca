"""The options of an edit, and their limits, defined once for all entry points."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from editor.sentences import Sentence

ASPECT_RATIOS = ("1:1", "3:2", "2:3", "16:9", "9:16", "4:3", "3:4", "4:5", "5:4", "21:9")
OUTPUT_FORMATS = ("png", "jpeg", "webp")
MAX_PHOTOS = 5
MAX_BATCH_PHOTOS = 200
MAX_REGIONS = 20
MAX_POINTS = 20
MIN_REGION_SIDE = 0.02
# Maximum relative difference of two aspect ratios at which two pictures have the same shape.
SHAPE_TOLERANCE = 0.01
# Key in an edit's stored plan for what a person decided about everything that the prompt does not name.
KEEP_EVERYTHING_ELSE = "keep_everything_else"


class EditKind(StrEnum):
    """The five kinds of edit. Plans store these values as the kind of each step."""

    COLOR = "color"
    ADD = "add"
    BACKGROUND = "background"
    COMPOSITION = "composition"
    REMOVE = "remove"


def sides_of(ratio: str) -> tuple[int, int]:
    """Return the width and height of an aspect ratio, such as (3, 2)."""
    width, height = ratio.split(":")
    return int(width), int(height)


def have_same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two sizes (width, height) differ in shape by at most SHAPE_TOLERANCE."""
    ratio = (one[0] * other[1]) / (one[1] * other[0])
    return abs(ratio - 1) <= SHAPE_TOLERANCE


@dataclass(frozen=True)
class Limits:
    """The limits of an edit.

    They apply to the size of a photo in bytes and in pixels, the longer side of a photo, the length of the
    prompt, and the number of results.
    """

    photo_bytes: int = 20 * 1024 * 1024
    photo_pixels: int = 40_000_000
    photo_side: int = 16_384
    prompt_characters: int = 2_000
    outputs: int = 4


def too_many_photos(most: int = MAX_PHOTOS) -> Sentence:
    """Return the error message for too many photos.

    The API specification fixes the wording for the default limit.
    """
    return Sentence("Maximum %(most)s images allowed", most=most)


@dataclass(frozen=True)
class Region:
    """A rectangle that a person has drawn on photo number `image`.

    `x` and `y` are the left and top edges, and `w` and `h` are the width and height. All four are fractions
    (0 to 1) of the upright photo's width or height. Raises ValueError if the rectangle is invalid.
    """

    x: float
    y: float
    w: float
    h: float
    image: int = 1

    def __post_init__(self) -> None:
        if not all(0 <= side <= 1 for side in (self.x, self.y, self.w, self.h)):
            raise ValueError("A box must be given in fractions from 0 to 1: x,y,width,height.")
        if self.x + self.w > 1.0001 or self.y + self.h > 1.0001:
            raise ValueError("A box must be inside the photo.")
        if min(self.w, self.h) < MIN_REGION_SIDE:
            raise ValueError("A box must be at least 2% of the width and height of the photo.")
        if not 1 <= self.image <= MAX_PHOTOS:
            raise ValueError("A box must be on photo 1 to 5.")

    @classmethod
    def parse(cls, text: str) -> "Region":
        """Parse "x,y,width,height". Raises ValueError with a user-readable message."""
        try:
            x, y, w, h = (float(part) for part in text.split(","))
        except ValueError:
            raise ValueError("A box must have four fractions from 0 to 1: x,y,width,height.") from None
        return cls(x, y, w, h)

    def as_json(self) -> dict[str, Any]:
        """Return the region as plain values, in the format that the database and the API use."""
        return asdict(self)


@dataclass(frozen=True)
class Point:
    """A click on the upright photo number `image`, in fractions (0 to 1) of the photo's width and height.

    The click selects the thing at this point or, if `keep` is false, removes that thing from the selection.
    `kind` is the detector's name for the thing, such as "motorcycle", if the person has seen that name.
    Raises ValueError if the point is invalid.
    """

    x: float
    y: float
    image: int = 1
    keep: bool = True
    kind: str = ""

    def __post_init__(self) -> None:
        if not all(0 <= side <= 1 for side in (self.x, self.y)):
            raise ValueError("A point must be given in fractions from 0 to 1: x,y.")
        if not 1 <= self.image <= MAX_PHOTOS:
            raise ValueError("A point must be on photo 1 to 5.")
        if not re.fullmatch("[a-z ]{0,40}", self.kind):
            raise ValueError("A point must be written as x,y, or as x,y,away to take something away.")

    @classmethod
    def parse(cls, text: str) -> "Point":
        """Parse "x,y", "x,y,away" for a point that removes a thing, or "x,y,KIND".

        Raises ValueError with a user-readable message.
        """
        try:
            x, y, *more = text.split(",", 2)
            at = (float(x), float(y))
        except ValueError:
            raise ValueError("A point must have two fractions from 0 to 1: x,y.") from None
        last = "".join(more).strip()
        return cls(*at, keep=last != AWAY, kind="" if last == AWAY else last)

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        last = self.kind if self.keep else AWAY
        return f"{self.x:g},{self.y:g}" + (f",{last}" if last else "")

    def as_json(self) -> dict[str, Any]:
        """Return the point as plain values, in the format that the database uses."""
        return asdict(self)


# The third part of a point as text, if the point takes something away from the selection.
AWAY = "away"


def selection_number(regions: Sequence[Region], points: Sequence[Point]) -> int | None:
    """Return the number of the box that represents the selection, or None if no point selects anything.

    All points on photo 1 make up one selection, which is numbered after the boxes that were drawn.
    """
    is_made = any(point.keep and point.image == 1 for point in points)
    return len(regions) + 1 if is_made else None


@dataclass(frozen=True)
class EditOptions:
    """The options of an edit, without its prompt. An empty `aspect_ratio` keeps the shape of photo 1.

    `keep_everything_else` says whether everything that the prompt does not name stays as it is in the photo,
    or None for the default of the prompt (`engine.keeping`). Only engines that put photos back use it.
    """

    aspect_ratio: str = ""
    output_format: str = "png"
    outputs: int = 1
    regions: tuple[Region, ...] = ()
    partial: bool = False
    points: tuple[Point, ...] = ()
    keep_everything_else: bool | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the options as plain values, for another process. Points and a decision about everything
        else are included only if there are any.
        """
        plain = asdict(self) | {"regions": [region.as_json() for region in self.regions]}
        del plain["points"]
        if self.keep_everything_else is None:
            del plain["keep_everything_else"]
        points = [point.as_json() for point in self.points]
        return plain | ({"points": points} if points else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "EditOptions":
        """Return the options for values that `as_json` returned."""
        marks = {
            "regions": tuple(Region(**region) for region in data["regions"]),
            "points": tuple(Point(**point) for point in data.get("points", ())),
        }
        return cls(**dict(data) | marks)
