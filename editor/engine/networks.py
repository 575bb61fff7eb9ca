"""Run optional models with OpenCV.

Each model replaces a classical method, which remains the fallback.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from editor.engine.colors import Floats, normalize, ramp
from editor.engine.masks import (
    ALPHA_SIDE,
    boxes_of,
    connected_components,
    frame_coverage,
    mask_of,
    refine_mask,
)
from editor.engine.onnx import Model, State, Task, known_for, state_of
from editor.engine.pixels import Box, working_copy
from editor.engine.targets.grabcut_candidates import CutOut
from editor.engine.vision.salient_object import U2NET, network_input
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits
from editor.sentences import Sentence

# For each model, the side of its input in pixels, and the mean and standard deviation of its colors. The
# values are taken from rembg's sessions.
_NETS = {
    "isnet-general-use.onnx": (1024, (0.5, 0.5, 0.5), (1.0, 1.0, 1.0)),
    "u2net.onnx": U2NET,
    "u2netp.onnx": U2NET,
}

_FILL_INPUT_PIXELS = 512  # width and height, in pixels, of the input to the network that fills holes
_LEAST_HOLE = 0.0015  # minimum area of a hole that the network fills, as a share of the photo
_MOST_HOLE = 0.25  # maximum area of a hole that the engine fills, as a share of the photo
_MOST_VIEWS = 2  # maximum number of pieces of a hole that are filled separately; more are filled together
_KEPT = 16 * 1024 * 1024  # maximum size of a network that is kept in memory, in bytes
_DOES = {
    Task.SUBJECT: Sentence("The model %(model)s cut out the subject."),
    Task.FILL: Sentence("The model %(model)s filled in the removed area."),
}
_FAILED = Sentence("I didn't use the model file %(file)s because it failed on this photo.")
_UNKNOWN = Sentence("I didn't use the model file %(file)s because it isn't the published file.")

# Errors that loading or running a model has raised in practice, including when its output had an unexpected
# shape.
_FAILURES = (cv2.error, MemoryError, ValueError, IndexError, OSError)


class Models:
    """The models in a folder, as used by one job.

    Each method returns None if no model can do the work; the caller then uses the classical method. `notices`
    say which models were used and which failed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notices: list[Sentence] = []
        self._failed: set[str] = set()

    def subject(self, picture: Picture, boxes: Sequence[Box] = ()) -> CutOut[Floats] | None:
        """Return a mask of the subject or, if boxes are marked, of the most prominent thing in each box.

        Return None if no model can find it.
        """
        return self._first(Task.SUBJECT, lambda model, path: _cut_out(picture, boxes, model, path))

    def inpaint(self, picture: Picture, hole: Bytes) -> Pixels | None:
        """Return the pixels with the hole (height x width, 0 or 1) filled and all other pixels unchanged.

        Return None if no model can fill the hole, if the hole is so small that the classical method does as
        well, or if the hole is too large.
        """
        if not _LEAST_HOLE < float(hole.mean()) <= _MOST_HOLE:
            return None
        return self._first(Task.FILL, lambda model, path: _inpaint(picture, hole, path))

    def _first[A](self, task: Task, run: Callable[[Model, Path], A]) -> A | None:
        """Return the result of the best model that succeeds, or None if no model succeeds."""
        for model in known_for(task):
            path = self.folder / model.file
            if model.file not in self._failed and self._is_usable(model):
                try:
                    answer = run(model, path)
                except _FAILURES:
                    self._leave_out(model, _FAILED)
                else:
                    self._notice(Sentence(_DOES[task].template, model=model.name))
                    return answer
        return None

    def _is_usable(self, model: Model) -> bool:
        state = state_of(model, self.folder)
        if state is State.OTHER:
            self._leave_out(model, _UNKNOWN)
        return state is State.READY

    def _leave_out(self, model: Model, sentence: Sentence) -> None:
        self._failed.add(model.file)
        self._notice(Sentence(sentence.template, file=model.file))

    def _notice(self, sentence: Sentence) -> None:
        if sentence not in self.notices:
            self.notices.append(sentence)


def _net(path: Path) -> cv2.dnn.Net:
    """Load a network.

    A small network stays loaded in the process, because a sandbox child serves many jobs. A large one takes
    0.3 seconds to load and is discarded after each use. With its intermediate values, it would occupy 0.5 to
    0.9 GB of the 2 GB that a child may use.
    """
    status = path.stat()
    if status.st_size > _KEPT:
        return cv2.dnn.readNetFromONNX(str(path))
    return _kept(str(path), status.st_mtime_ns, status.st_size)


@lru_cache(1)
def _kept(path: str, modified: int, size: int) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(path)


def _cut_out(picture: Picture, boxes: Sequence[Box], model: Model, path: Path) -> CutOut[Floats]:
    guide = working_copy(picture, ALPHA_SIDE)
    places = [box.sized(guide.shape[1] / picture.width) for box in boxes]
    rough = _in_boxes(guide, places, model, path) if boxes else _segmented(guide, model, path)
    mask = refine_mask(rough, guide)
    solid = mask > 0.5
    area = float(solid.mean())
    if boxes:
        sure = ramp(area, 0.0005, 0.002)
        return CutOut(mask, sure, sure, sure)
    unsure = float(((rough > 0.15) & (rough < 0.85)).mean()) / max(area, 1e-6)
    there = ramp(area, 0.003, 0.015) * ramp(area, 0.9, 0.75)
    sure = min(there, ramp(frame_coverage(solid), 0.75, 0.5), ramp(unsure, 0.9, 0.45))
    return CutOut(mask, sure, sure, sure)


def _in_boxes(small: Bytes, places: Sequence[Box], model: Model, path: Path) -> Floats:
    """Return a mask of the contents of the boxes.

    The content of each box is segmented separately, and the mask is 0 outside the boxes.
    """
    return mask_of(small.shape, ((place, _segmented(small[place.slices], model, path)) for place in places))


def _segmented(colors: Bytes, model: Model, path: Path) -> Floats:
    """Return a mask (0 to 1) of the subject of an RGB picture, at the size of the network's output.

    Qin et al., "U2-Net", 2020, and "Highly accurate dichotomous image segmentation", 2022.
    """
    side, mean, deviation = _NETS[model.file]
    answer = _run(path, {"": network_input(colors, side, mean, deviation)})
    return normalize(_shaped(answer, (1, 1, side, side))[0, 0])


def _run(path: Path, inputs: dict[str, Floats]) -> Floats:
    """Return the first output of the network."""
    net = _net(path)
    for name, values in inputs.items():
        net.setInput(values, name)
    outputs = net.forward(net.getUnconnectedOutLayersNames())
    return outputs[0]


def _shaped(answer: Floats, shape: tuple[int, ...]) -> Floats:
    if answer.shape != shape or not np.isfinite(answer).all():
        raise ValueError(f"The model returned {answer.shape}, not {shape}.")
    return answer


def _inpaint(picture: Picture, hole: Bytes, path: Path) -> Pixels:
    result = picture.pixels.copy()
    for view in _views(hole):
        rows, columns = view.slices
        part, missing = result[rows, columns], hole[rows, columns]
        colors = np.ascontiguousarray(eight_bits(Picture(part))[:, :, :3])
        new = _inpainted(colors, missing, path) * np.float32(np.iinfo(part.dtype).max / 255)
        inside = missing > 0
        part[inside, :3] = (new[inside] + 0.5).astype(part.dtype)
    return result


def _views(hole: Bytes) -> list[Box]:
    """Return the areas of the photo that are shown to the network.

    There is one area around each piece of the hole or, if there are too many pieces, one area around all of
    them.
    """
    places = boxes_of(connected_components(hole)[1][1:])
    if len(places) > _MOST_VIEWS:
        places = [Box.around(hole)]
    return [view_around(place, hole.shape[1], hole.shape[0]) for place in places]


def view_around(place: Box, width: int, height: int, times: int = 2) -> Box:
    """Return the area around a hole that is shown to the network.

    The area is at least `times` as large as the hole on each side, and as close to a square as the photo
    allows, because the network's input is square.
    """
    side = max(times * place.width, times * place.height, _FILL_INPUT_PIXELS // 2)
    square = Box.centered(place.center, side, side).moved_into(Box(0, 0, width, height))
    return square.within(width, height)


def _inpainted(colors: Bytes, hole: Bytes, path: Path) -> Floats:
    """Fill a hole with LaMa (Suvorov et al., 2022).

    The input follows OpenCV's model zoo: BGR from 0 to 1, and a mask that is 1 in the hole.
    """
    size = (_FILL_INPUT_PIXELS, _FILL_INPUT_PIXELS)
    small = cv2.resize(colors, size, interpolation=cv2.INTER_AREA)[:, :, ::-1]
    image = np.ascontiguousarray(small.transpose(2, 0, 1)[None], np.float32) / np.float32(255)
    part = cv2.resize(hole.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    mask = (part > 0).astype(np.float32)[None, None]
    answer = _shaped(_run(path, {"image": image, "mask": mask}), (1, 3, *size))[0]
    bgr = np.ascontiguousarray(np.clip(answer, 0, 255).transpose(1, 2, 0)[:, :, ::-1])
    full = (colors.shape[1], colors.shape[0])
    return np.clip(cv2.resize(bgr, full, interpolation=cv2.INTER_CUBIC), 0, 255)
