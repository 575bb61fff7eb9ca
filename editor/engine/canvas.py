"""The picture at work, with what belongs to it, and the register of what can be done to it."""

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.plan import Amount, Step
from editor.imaging.picture import Picture, Pixels
from editor.options import Region

if TYPE_CHECKING:
    from editor.engine.networks import Models

USUAL = 0.35
"""The amount of a step that is to be neither small nor large."""


@dataclass
class Variation:
    """What tells one result from the next: the seed of random choices, the strength of amounts (1 is as
    asked), and the shift of a crop's place (0 is the best one, -1 and 1 the ends).

    `was_used` says whether anything depended on it: if not, the next result would be the same.
    """

    seed: int = 0
    strength: float = 1.0
    shift: float = 0.0
    was_used: bool = False

    def used(self) -> "Variation":
        self.was_used = True
        return self


@dataclass(frozen=True, eq=False)
class Canvas:
    """Photo 1 on its way. `boxes` are the marked places, None where one lies on another photo or was
    cropped away; `seeds` those that no step names, so they show where the subject is.

    `variation` tells one result from the next; its parts are also read as `seed`, `strength` and `shift`.

    `ratio` is the shape (width over height) that the result must have; `frame` the thickness of a border
    around the photo, where nothing else is drawn; `caption` the blank foot of a polaroid; `taken` is where
    words, emoji and stickers stand that nothing may be put over.
    """

    picture: Picture
    photos: tuple[Picture, ...] = ()
    boxes: tuple[Box | None, ...] = ()
    seeds: tuple[int, ...] = ()
    variation: Variation = field(default_factory=Variation)
    ratio: float | None = None
    frame: int = 0
    caption: Box | None = None
    taken: tuple[Box, ...] = ()
    memory: dict[Any, Any] = field(default_factory=dict)  # what targets found, for as long as the job
    models: "Models | None" = None  # what the operator dropped in, for targets and fillings

    @property
    def seed(self) -> int:
        return self.variation.used().seed

    @property
    def strength(self) -> float:
        return self.variation.used().strength

    @property
    def shift(self) -> float:
        return self.variation.used().shift

    def with_pixels(self, pixels: Pixels) -> "Canvas":
        """The same place, other pixels."""
        return replace(self, picture=replace(self.picture, pixels=pixels))

    def remembered[A](self, what: object, find: Callable[[], A]) -> A:
        """What was found in the picture: once for the same pixels, however many variations and steps ask."""
        pixels = self.picture.pixels
        known, found = self.memory.get((what, id(pixels)), (lambda: None, None))
        if known() is not pixels:
            found = find()
            # A later array may get their id, but no old pixels shall stand in memory for that.
            self.memory[what, id(pixels)] = (weakref.ref(pixels), found)
        return cast(A, found)

    def moved(self, pixels: Pixels, matrix: Floats) -> "Canvas":
        """Other pixels in another place: `matrix` (2 x 3) leads old positions to new ones."""
        size = (pixels.shape[1], pixels.shape[0])
        # Rounded: a turn, computed in float32, enlarges nothing.
        enlarged = round(float(np.linalg.norm(matrix[:, :2], 2)), 6)
        boxes = tuple(box and _moved_box(box, matrix, size) for box in self.boxes)
        caption = self.caption and _moved_box(self.caption, matrix, size)
        taken = tuple(box for old in self.taken if (box := _moved_box(old, matrix, size)))
        moved = replace(self.with_pixels(pixels), boxes=boxes, caption=caption, taken=taken)
        return moved.with_view_scale(self.picture.view_scale / enlarged)

    def with_view_scale(self, view_scale: float) -> "Canvas":
        """Return the same canvas at another view scale (see Picture)."""
        return replace(self, picture=replace(self.picture, view_scale=view_scale))

    def including(self, view_scale: float) -> "Canvas":
        """Return the same canvas, seen no larger than the `view_scale` of a part that was laid into it."""
        return self.with_view_scale(min(self.picture.view_scale, view_scale))

    def noticing(self, sentence: str) -> "Canvas":
        """The same, and a sentence for people."""
        return replace(self, picture=replace(self.picture, notices=(*self.picture.notices, sentence)))

    def amount(self, amount: Amount) -> float:
        """It at this variation's strength, -1 to 1; an exact number stays as it is."""
        if amount.number is not None:
            return amount.share
        return float(np.clip(amount.share * self.strength, -1, 1))

    def factor(self, amount: Amount, strength: float = 1.0) -> float:
        """How many times as large: its percent, else as many times as the amount 1 makes it larger by its
        `strength`, or -1 smaller."""
        if amount.number is not None:
            return amount.number / 100
        more = strength * self.amount(amount)
        return 1 + more if more >= 0 else 1 / (1 - more)

    def parameters(self, step: Step, function: Callable[..., Any]) -> dict[str, Any]:
        """What a function names, by keyword, of the step's parameters; `canvas` is this one. An amount that
        is always there comes as strong as this variation is to be."""
        given: dict[str, Any] = {"canvas": self, **step.parameters}
        fields = step.declaration.fields.items()
        shares = [name for name, spec in fields if spec.type == "amount" and spec.default is not None]
        named = signature(function).parameters.values()
        keywords = [one.name for one in named if one.kind is Parameter.KEYWORD_ONLY]
        return {name: self.amount(given[name]) if name in shares else given[name] for name in keywords}


def _moved_box(box: Box, matrix: Floats, size: tuple[int, int]) -> Box | None:
    corners = np.array([[x, y, 1] for x in (box.left, box.right) for y in (box.top, box.bottom)], np.float32)
    places = corners @ matrix.T
    left, top = np.clip(places.min(0).round().astype(int), 0, size)
    right, bottom = np.clip(places.max(0).round().astype(int), 0, size)
    moved = Box(int(left), int(top), int(right), int(bottom))
    return moved if moved.width > 0 and moved.height > 0 else None


def box_of(region: Region, picture: Picture) -> Box | None:
    """Where a marked region lies on photo 1."""
    if region.image != 1:
        return None
    left = min(round(region.x * picture.width), picture.width - 1)
    top = min(round(region.y * picture.height), picture.height - 1)
    right = max(left + 1, round((region.x + region.w) * picture.width))
    bottom = max(top + 1, round((region.y + region.h) * picture.height))
    return Box(left, top, min(right, picture.width), min(bottom, picture.height))


type Operation = Callable[[Canvas, Step], Canvas]
OPERATIONS: dict[str, Operation] = {}


def operation[F: Callable[..., Canvas]](function: F) -> F:
    """Registers a function under its name: it carries out the steps of that operation. It gets a canvas, the
    step, and by their names those parameters that it names; it may read the others off its step."""

    @wraps(function)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        return function(canvas, step, **canvas.parameters(step, function))

    OPERATIONS[function.__name__] = carry
    return function
