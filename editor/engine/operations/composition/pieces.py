"""Cut objects out of the photo so that they can be moved, resized, rotated, or copied."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from editor.engine.canvas import Canvas
from editor.engine.colors import Floats
from editor.engine.drawing.layers import layers
from editor.engine.drawing.paint import paint_picture, premultiplied
from editor.engine.errors import MARK_IT, OperationError, mark
from editor.engine.kinds import is_plural, kinds_of
from editor.engine.masks import box_of, mask_of
from editor.engine.operations.remove.erase import fill_erased, hole_of, outlines_of_others
from editor.engine.operations.remove.shadows import Shadow, shadow_of
from editor.engine.pixels import Box, top_value
from editor.engine.plan import Reason, Target
from editor.engine.targets.color import colored_mask
from editor.engine.targets.complete_outlines import marked_outline, thing_outline
from editor.engine.targets.decoded_masks import prominent_mask
from editor.engine.targets.drawn_boxes import marked_boxes
from editor.engine.targets.outlines import VIEW_MARGIN, Outline
from editor.engine.targets.subject import subject_mask
from editor.engine.targets.thing_outlines import covered_share
from editor.engine.targets.things import target_things, wrong_number_error
from editor.engine.vision.things import Thing
from editor.imaging.picture import Picture, Pixels
from editor.sentences import Sentence

# Distance from the photo's edge below which that edge cuts an object off, as a share of the photo's longer
# side.
_AT_THE_FRAME = 0.004
_VISIBLE = 0.02  # minimum alpha, from 0 to 1, at which a pixel counts as visible
_FIRM = 0.9  # minimum alpha, from 0 to 1, at which a pixel hides what is behind it
_SLIGHT = 0.01  # maximum share of an object's old place that may be uncovered without being filled
_SHAPELY = 0.9  # minimum area of a compact shape, as a share of its hull and of all pixels of its color
_ALL = 0.9  # minimum share of the prominent part's box that the box of a group of things covers
_TOO_WIDE = (
    Sentence("The %(name)s covers too much of the photo for me to fill in what is behind it."),
    Sentence("The %(name)s cover too much of the photo for me to fill in what is behind them."),
)
_TOO_VARIED = Sentence("The area around the %(name)s is too varied for me to fill in what is behind it.")
_COPY_IT = Sentence("Choose something smaller on a plainer background.")


@dataclass(frozen=True, eq=False)
class Piece:
    """An object that was cut out of the photo.

    `pixels` have alpha and premultiplied colors, and `box` is their position in the photo. `cut` contains the
    sides on which the photo's edge cuts the object off. `shadow` is the shadow that the object casts.
    `enlarged` is the factor by which the object has been enlarged since it was cut out.
    """

    pixels: Pixels
    box: Box
    cut: frozenset[str] = frozenset()
    shadow: Shadow | None = None
    enlarged: float = 1.0

    def at(self, left: float, top: float) -> "Piece":
        """Return the cut-out object, moved so that its box has the given left and top, in pixels."""
        return replace(self, box=self.box.moved(round(left) - self.box.left, round(top) - self.box.top))

    def sized(self, width: int, height: int) -> "Piece":
        """Return the cut-out object, resized to a width and height, with the same left and top."""
        how = cv2.INTER_AREA if width < self.box.width else cv2.INTER_CUBIC
        pixels = cast(Pixels, cv2.resize(self.pixels, (width, height), interpolation=how))
        left, top = self.box[:2]
        enlarged = self.enlarged * max(width / self.box.width, height / self.box.height)
        box = Box(left, top, left + width, top + height)
        return replace(self, pixels=pixels, box=box, enlarged=enlarged)

    def mirrored(self, axis: str) -> "Piece":
        pixels = cast(Pixels, cv2.flip(self.pixels, 0 if axis == "vertical" else 1))
        return replace(self, pixels=pixels, shadow=self.shadow and self.shadow.mirrored(axis))

    def turned(self, degrees: float) -> "Piece":
        """Return the cut-out object, rotated clockwise around its middle, without its shadow.

        The shadow is left out because the rotated object would cast a different one.
        """
        width, height = self.box.width, self.box.height
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, 1.0)
        cosine, sine = abs(matrix[0, 0]), abs(matrix[0, 1])
        across, down = round(width * cosine + height * sine), round(width * sine + height * cosine)
        matrix[:, 2] += (across - width) / 2, (down - height) / 2
        pixels = cast(Pixels, cv2.warpAffine(self.pixels, matrix, (across, down), flags=cv2.INTER_CUBIC))
        left, top = self.box.center[0] - across / 2, self.box.center[1] - down / 2
        turned = Piece(pixels, Box(0, 0, across, down), enlarged=self.enlarged)
        return trimmed(turned.at(left, top))

    @property
    def alpha(self) -> Floats:
        """Return the opacity, from 0 to 1, of each pixel in the object's box."""
        return self.pixels[:, :, 3] * np.float32(1 / top_value(self.pixels))


def trimmed(piece: Piece) -> Piece:
    """Return the cut-out object without the empty rows and columns around it."""
    inner = Box.around((piece.alpha > _VISIBLE).astype(np.uint8))
    pixels = cast(Pixels, np.ascontiguousarray(piece.pixels[inner.slices]))
    return replace(piece, pixels=pixels, box=inner.moved(*piece.box[:2]))


def cut_out(canvas: Canvas, target: Target) -> Piece:
    """Return the target as a cut-out object. Several things become one object.

    Raises OperationError if the target's outline is not reliable, or if the target is too large.
    """
    outline = canvas.get_or_compute(("piece", target, canvas.boxes), lambda: _outline(canvas, target))
    return _piece(canvas, outline, target)


def each_cut_out(canvas: Canvas, target: Target, things: Sequence[Thing]) -> list[Piece]:
    """Return each object that can be cut out, and skip the others.

    Raises OperationError if no object can be cut out.
    """
    pieces: list[Piece] = []
    why: OperationError | None = None
    for thing in things:
        try:
            pieces.append(_piece(canvas, thing_outline(canvas, thing, target), target))
        except OperationError as unable:
            why = unable
    if not pieces and why is not None:
        raise why
    return pieces


def _piece(canvas: Canvas, outline: Outline, target: Target) -> Piece:
    view, mask, _ = outline
    part = cast(Pixels, np.ascontiguousarray(canvas.picture.pixels[view.slices]))
    pixels = layers(Picture(part), mask).cut_out()
    piece = trimmed(Piece(premultiplied(pixels), view))
    if not piece.pixels.size:
        sentence = Sentence("I can't find the %(noun)s.", noun=noun_for(target))
        raise OperationError(Reason.NO_SUCH_TARGET, sentence, MARK_IT)
    shadow = shadow_of(canvas.picture, piece.box, piece.alpha, outlines_of_others(canvas, piece.box))
    return replace(piece, cut=_cut_sides(piece, canvas.picture), shadow=shadow)


def noun_for(target: Target) -> str:
    """Return the noun that refers to a target in a sentence, without "the"."""
    names: dict[str, str] = {"region": Sentence("thing in the box"), "subject": Sentence("subject")}
    return target.noun or names.get(target.what, target.what)


def _outline(canvas: Canvas, target: Target) -> Outline:
    if target.what == "region":
        return marked_outline(canvas, marked_boxes(canvas, target)[0])
    if target.what == "thing" and kinds_of(target.noun):
        return _of_all(canvas, target_things(canvas, target), target)
    if target.what == "thing" and target.color:
        mask = colored_mask(canvas, target.color, target.noun, [], target.place)
        return _of_a_color(canvas, mask, box_of(mask, canvas.picture))
    if target.what == "subject":
        mask = subject_mask(canvas)
        return _within(mask, box_of(mask, canvas.picture), canvas.picture)
    noun = noun_for(target)
    raise OperationError(Reason.NEEDS_REGION, Sentence("I can't find the %(noun)s.", noun=noun), mark(noun))


def _of_all(canvas: Canvas, things: Sequence[Thing], target: Target) -> Outline:
    """Return the common outline of things, which stay together.

    Raises OperationError if the target refers to several things but only one was found, unless that one may
    be a group, because nothing else is prominent.
    """
    if len(things) == 1 and is_plural(target.noun or "") and not _is_all_that_stands_out(canvas, things[0]):
        raise wrong_number_error(things, target)
    outlines = [thing_outline(canvas, thing, target) for thing in things]
    if len(outlines) == 1:
        return outlines[0]
    mask = mask_of(canvas.picture.pixels.shape, ((outline.view, outline.mask) for outline in outlines))
    return _within(mask, box_of(mask, canvas.picture), canvas.picture)


def _is_all_that_stands_out(canvas: Canvas, thing: Thing) -> bool:
    """Return whether a thing's box contains the whole prominent part of the photo."""
    prominent = prominent_mask(canvas)
    return prominent is not None and covered_share(box_of(prominent.mask, canvas.picture), thing.box) > _ALL


def colored_box(canvas: Canvas, target: Target) -> Box:
    """Return the bounding box of the only object that has a color.

    Raises OperationError if the color is scattered over the photo.
    """
    mask = colored_mask(canvas, target.color or "", target.noun, [], target.place)
    return box_of(mask, canvas.picture)


def _of_a_color(canvas: Canvas, mask: Floats, box: Box) -> Outline:
    """Return the outline of the prominent object in a box around a color.

    If there is no prominent object, returns the area that has the color, including any writing on it. Raises
    OperationError if that area is not a single compact shape, such as a sign or a ball.
    """
    try:
        return marked_outline(canvas, box)
    except OperationError:
        outlines, _ = cv2.findContours(
            (mask > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        largest = max(outlines, key=cv2.contourArea)
        inside = cv2.drawContours(np.zeros(mask.shape, np.uint8), [largest], -1, 1, -1)
        least = _SHAPELY * max(cv2.contourArea(cv2.convexHull(largest)), float((mask > 0.5).sum()))
        if cv2.contourArea(largest) < least:
            raise
        soft = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.7)
        whole = np.maximum(mask, soft) * cv2.dilate(inside, np.ones((3, 3), np.uint8))
        return _within(whole.astype(np.float32), box, canvas.picture)


def _within(mask: Floats, box: Box, picture: Picture) -> Outline:
    """Return, as an outline, the part of a photo's mask that is in and around a box."""
    view = box.grown(VIEW_MARGIN, picture.width, picture.height)
    x, y = mask.shape[1] / picture.width, mask.shape[0] / picture.height
    rows = slice(round(view.top * y), max(1, round(view.bottom * y)))
    return Outline(view, mask[rows, round(view.left * x) : max(1, round(view.right * x))], 1.0)


def _cut_sides(piece: Piece, picture: Picture) -> frozenset[str]:
    solid = Box.around((piece.alpha > 0.5).astype(np.uint8)).moved(*piece.box[:2])
    near = max(2, round(_AT_THE_FRAME * max(picture.width, picture.height)))
    ways = {"left": solid.left, "right": picture.width - solid.right}
    ways |= {"top": solid.top, "bottom": picture.height - solid.bottom}
    return frozenset(side for side, free in ways.items() if free <= near)


def paint_piece(canvas: Canvas, piece: Piece, *, instead_of: Piece | None, target: Target) -> Canvas:
    """Return the photo with the cut-out object painted on it and the object's old place filled.

    `instead_of` is the object at its old place, or None if the object is copied. If the target's box was
    marked, the box moves with the target. Raises OperationError if the old place cannot be filled.
    """
    if instead_of is None or _is_covered(instead_of, piece, canvas.picture):
        pixels = canvas.picture.pixels.copy()
    else:
        pixels = _emptied(canvas, instead_of, target)
    if piece.shadow:
        piece.shadow.throw(pixels, piece.box)
    paint_picture(pixels, piece.pixels, (piece.box.left, piece.box.top))
    moved = dict.fromkeys(target.boxes, piece.box) if instead_of is not None else {}
    boxes = tuple(moved.get(number, box) for number, box in enumerate(canvas.boxes, 1))
    painted = canvas.with_pixels(pixels).limit_view_scale(canvas.picture.view_scale / piece.enlarged)
    return replace(painted, boxes=boxes)


def _emptied(canvas: Canvas, piece: Piece, target: Target) -> Pixels:
    """Return the photo's pixels with the place of the cut-out object and its shadow filled."""
    hole = hole_of(canvas, [Outline(piece.box, piece.alpha, 1.0)])
    try:
        return fill_erased(canvas, hole, is_marked=target.what == "region")
    except OperationError as unable:
        is_wide = unable.reason is Reason.TOO_LARGE
        why = _TOO_WIDE[is_plural(target.noun or "")] if is_wide else _TOO_VARIED
        raise OperationError(unable.reason, Sentence(why.template, name=noun_for(target)), _COPY_IT) from None


def _is_covered(old: Piece, new: Piece, picture: Picture) -> bool:
    """Return whether the moved object still hides nearly all of its old place and has no shadow."""
    if old.shadow:
        return False
    before, after = (mask_of(picture.pixels.shape, [(piece.box, piece.alpha)]) for piece in (old, new))
    is_old = before > _VISIBLE
    return bool((is_old & (after < _FIRM)).sum() < _SLIGHT * is_old.sum())
