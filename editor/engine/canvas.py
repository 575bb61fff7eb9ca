"""The canvas that operations work on, and the registry of operations."""

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
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.options import Region
from editor.sentences import Sentence

if TYPE_CHECKING:
    from editor.engine.networks import Models
    from editor.engine.vision.analysis import Analysis


@dataclass
class Variation:
    """The settings that make one result differ from the next.

    `seed` initializes random choices. `strength` scales amounts; 1 leaves them as requested. `shift` moves a
    crop: 0 is the best position, and -1 and 1 are the outermost positions.

    `was_used` is true if anything depended on the variation. If it is false, the next result would be the
    same.
    """

    seed: int = 0
    strength: float = 1.0
    shift: float = 0.0
    was_used: bool = False

    def mark_used(self) -> "Variation":
        """Mark the variation as used and return it."""
        self.was_used = True
        return self


@dataclass(frozen=True, eq=False)
class Canvas:
    """Photo 1 while it is being edited, along with everything that must move with its pixels.

    `boxes` are the marked regions, in order; an entry is None if the region is on another photo or was
    cropped away. If the user's points select a part of the photo, the last box surrounds that part, and
    `selected` is its mask over the analyzed photo. `subject_box_numbers` are the numbers of the boxes that no
    step names; these boxes show where the subject is.

    `variation` makes one result differ from the next. Read its values through the canvas's own `seed`,
    `strength`, and `shift`, which record that they were used.

    `ratio` is the required width of the result divided by its height, if any. `frame` is the thickness, in
    pixels, of a border around the photo on which nothing else is drawn. `caption` is the blank strip at the
    bottom of a Polaroid frame. `occupied` holds the areas of text, emoji, and stickers, which nothing may
    cover.

    `cache` keeps what was computed about the photo until the job ends. `models` are the operator's optional
    models for finding targets and filling holes. `analysis` is the analysis of photo 1 before the first step,
    and `placement` is the affine matrix that maps the analyzed photo to the current pixels. `replaced` is a
    0/1 mask, on a small copy of the analyzed photo, of the parts that later steps replaced.
    """

    picture: Picture
    photos: tuple[Picture, ...] = ()
    boxes: tuple[Box | None, ...] = ()
    subject_box_numbers: tuple[int, ...] = ()
    selected: Floats | None = None
    variation: Variation = field(default_factory=Variation)
    ratio: float | None = None
    frame: int = 0
    caption: Box | None = None
    occupied: tuple[Box, ...] = ()
    cache: dict[Any, Any] = field(default_factory=dict)
    models: "Models | None" = None
    analysis: "Analysis | None" = None
    placement: Floats = field(default_factory=lambda: np.eye(2, 3, dtype=np.float32))
    replaced: Bytes | None = None

    @property
    def seed(self) -> int:
        return self.variation.mark_used().seed

    @property
    def strength(self) -> float:
        return self.variation.mark_used().strength

    @property
    def shift(self) -> float:
        return self.variation.mark_used().shift

    def with_pixels(self, pixels: Pixels) -> "Canvas":
        """Return the canvas with new pixels that have the same size and position."""
        return replace(self, picture=replace(self.picture, pixels=pixels))

    def get_or_compute[A](self, what: object, find: Callable[[], A], *, of: object = None) -> A:
        """Return the result of `find`, which is called only once for all steps and variations.

        The result is cached under the key `what` until a different object is passed as `of`, which defaults
        to the current pixels. Pass the analysis instead for results that stay valid when the pixels change.
        """
        source = self.picture.pixels if of is None else of
        known, found = self.cache.get((what, id(source)), (lambda: None, None))
        if known() is not source:
            found = find()
            self.remember(what, found, of=source)
        return cast(A, found)

    def remember(self, what: object, found: object, *, of: object = None) -> None:
        """Store a result for `get_or_compute`."""
        source = self.picture.pixels if of is None else of
        # A later object may reuse a deleted object's ID, which the weak reference reveals. A strong reference
        # would keep old pixels in memory.
        self.cache[what, id(source)] = (weakref.ref(source), found)

    def moved(self, pixels: Pixels, matrix: Floats) -> "Canvas":
        """Return the canvas with new pixels that show the photo in a different position.

        `matrix` (2 x 3, affine) maps old positions to new ones. Boxes, the caption, occupied areas, and the
        findings of the analysis move with the pixels.
        """
        size = (pixels.shape[1], pixels.shape[0])
        # Round the scale because a rotation computed in float32 must not count as an enlargement.
        enlarged = round(float(np.linalg.norm(matrix[:, :2], 2)), 6)
        boxes = tuple(box and _moved_box(box, matrix, size) for box in self.boxes)
        caption = self.caption and _moved_box(self.caption, matrix, size)
        taken = tuple(box for old in self.occupied if (box := _moved_box(old, matrix, size)))
        placement = matrix[:, :2] @ self.placement
        placement[:, 2] += matrix[:, 2]
        moved = replace(
            self.with_pixels(pixels), boxes=boxes, caption=caption, occupied=taken, placement=placement
        )
        return moved.with_view_scale(self.picture.view_scale / enlarged)

    def showing(self, picture: Picture) -> "Canvas":
        """Return a canvas for a different picture, without anything that is known about photo 1."""
        if picture is self.picture:
            return self
        return replace(
            self,
            picture=picture,
            boxes=(),
            subject_box_numbers=(),
            selected=None,
            analysis=None,
            replaced=None,
        )

    def selection_in(self, box: Box) -> Floats | None:
        """Return the mask, over the analyzed photo, of the part that the user's points select.

        Return None if `box` is not the box around that part.
        """
        return self.selected if self.boxes and box == self.boxes[-1] else None

    def with_view_scale(self, view_scale: float) -> "Canvas":
        """Return the same canvas with the given view scale (see Picture)."""
        return replace(self, picture=replace(self.picture, view_scale=view_scale))

    def limit_view_scale(self, view_scale: float) -> "Canvas":
        """Return the same canvas with its view scale limited to that of an inserted picture."""
        return self.with_view_scale(min(self.picture.view_scale, view_scale))

    def with_notice(self, sentence: Sentence) -> "Canvas":
        """Return the same canvas with an additional notice, which is a sentence shown to the user."""
        return replace(self, picture=replace(self.picture, notices=(*self.picture.notices, sentence)))

    def amount(self, amount: Amount) -> float:
        """Return the amount, from -1 to 1, scaled by the strength of this variation.

        An amount given as an exact number is not scaled.
        """
        if amount.number is not None:
            return amount.share
        return float(np.clip(amount.share * self.strength, -1, 1))

    def factor(self, amount: Amount, strength: float = 1.0) -> float:
        """Return the factor by which to enlarge something.

        An exact amount is a percentage of the current size. Otherwise, an amount of 1 enlarges by a factor of
        1 + `strength`, and an amount of -1 shrinks by the same factor.
        """
        if amount.number is not None:
            return amount.number / 100
        more = strength * self.amount(amount)
        return 1 + more if more >= 0 else 1 / (1 - more)

    def parameters(self, step: Step, function: Callable[..., Any]) -> dict[str, Any]:
        """Return the step's parameters that the function accepts as keyword-only arguments.

        An argument named `canvas` gets this canvas. An amount that has a default is passed as a number,
        scaled by the strength of this variation.
        """
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
    """Return the box of a marked region in pixels of photo 1, or None if the region is on another photo."""
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
    """Register a function as the implementation of the operation that has the function's name.

    The function receives the canvas, the step, and, as keyword arguments, the parameters that it declares. It
    can read the other parameters from the step.
    """

    @wraps(function)
    def carry(canvas: Canvas, step: Step) -> Canvas:
        return function(canvas, step, **canvas.parameters(step, function))

    OPERATIONS[function.__name__] = carry
    return function
