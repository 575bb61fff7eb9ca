"""Compare each network in editor/engine/assets/ with its published file, and measure time and memory.

The published files run in onnxruntime, and our files run in OpenCV. The code before and after the network is
the same. FOLDER is the folder that was passed to `tests.networks.convert`, and PHOTOS is a folder of photos,
tests/photos by default.

    uv run --group networks python -m tests.networks.compare FOLDER [PHOTOS]
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import cv2
import numpy as np
import onnxruntime

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.vision import faces, mesh, network, salient_object, segmentation, text
from editor.imaging.picture import Bytes
from tests.networks.published import PUBLISHED

PHOTOS = Path(__file__).resolve().parents[1] / "photos"
LEAST_IOU = 0.99
MODULES = (faces, mesh, salient_object, segmentation, text)
RUNS = 3
_YUNET_PIXELS = 640  # input width and height of the published network; OpenCV changes both


class Runtime:
    """A published network that has the same methods as OpenCV's networks."""

    def __init__(self, data: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        self._given: dict[str, Floats] = {}

    def setInput(self, values: Floats, name: str = "") -> None:  # noqa: N802
        self._given[name or self._session.get_inputs()[0].name] = values

    def getUnconnectedOutLayersNames(self) -> list[str]:  # noqa: N802
        return [output.name for output in self._session.get_outputs()]

    def forward(self, names: str | Sequence[str] = "") -> Any:
        if "orig_im_size" in {each.name for each in self._session.get_inputs()}:
            self._given["orig_im_size"] = np.array([1024, 1024], np.float32)
        wanted = [names] if isinstance(names, str) else list(names)
        outputs = self._session.run([name for name in wanted if name] or None, self._given)
        return outputs[0] if isinstance(names, str) else outputs


def main(folder: Path, photos: Path) -> None:
    """Print the differences between the outputs, and then the time and memory of each network."""
    shown = [colors for path in sorted(photos.iterdir()) if (colors := _colors(path)) is not None]
    published = {each.made: Runtime(each.read(folder)) for each in PUBLISHED if each.made.endswith(".onnx")}
    for name, compare in _comparisons(published).items():
        differences = [compare(colors) for colors in shown]
        print(f"{name:20} {len(shown)} photos: {_summary(differences)}")  # noqa: T201
    for name in RUNNERS:
        subprocess.run([sys.executable, "-m", "tests.networks.compare", name], check=True)


def _summary(differences: Sequence[float]) -> str:
    least, mean = min(differences), float(np.mean(differences))
    verdict = "as published" if least >= LEAST_IOU else "DIFFERENT"
    return f"agreement {mean:.4f} on average, {least:.4f} at least: {verdict}"


def _comparisons(published: dict[str, Runtime]) -> dict[str, Callable[[Bytes], float]]:
    """Return one function for each ability of the networks.

    Each function takes a photo and returns the agreement, from 0 to 1.
    """

    def twice[A](run: Callable[[], A]) -> tuple[A, A]:
        return run(), _as_published(published, run)

    def masks(colors: Bytes) -> float:
        """Compare the encoder and the decoder together, on a grid of points and on boxes."""
        ours, theirs = twice(lambda: list(_masks(colors)))
        return min(_iou(one, other) for one, other in zip(ours, theirs, strict=True))

    def decoder(colors: Bytes) -> float:
        embedding = segmentation.encode(colors)
        ours, theirs = twice(lambda: list(_masks_in(embedding)))
        return min(_iou(one, other) for one, other in zip(ours, theirs, strict=True))

    def subjects(colors: Bytes) -> float:
        return _iou(*twice(lambda: salient_object.find_salient_object(colors)))

    def lines(colors: Bytes) -> float:
        ours, theirs = twice(lambda: text.find_text(colors))
        return _boxes_agree(
            [(each.box, each.text) for each in ours], [(each.box, each.text) for each in theirs]
        )

    def seen_faces(colors: Bytes) -> float:
        square = _in_a_square(colors)
        with patch.object(faces, "_LONGEST", (_YUNET_PIXELS,)):
            ours, theirs = twice(lambda: faces.find_faces(square))
        return _boxes_agree([(each.box, "") for each in ours], [(each.box, "") for each in theirs])

    return {
        "encoder and decoder": masks,
        "decoder": decoder,
        "subject": subjects,
        "text": lines,
        "faces": seen_faces,
    }


def _as_published[A](published: dict[str, Runtime], run: Callable[[], A]) -> A:
    def load(name: str, *, classic: bool = False) -> Runtime:
        return published[name]

    patches = [patch.object(module, "load_network", load) for module in MODULES]
    for each in patches:
        each.start()
    try:
        return run()
    finally:
        for each in patches:
            each.stop()


def _masks(colors: Bytes) -> Iterator[Floats]:
    return _masks_in(segmentation.encode(colors))


def _masks_in(embedding: segmentation.Embedding) -> Iterator[Floats]:
    """Yield the mask of a box, and the masks of points that are spread over the photo.

    For the last mask, a point is combined with another point that is outside the selection.
    """
    width, height = embedding.width, embedding.height
    box = Box(width // 5, height // 5, 4 * width // 5, 4 * height // 5)
    yield segmentation.mask_of_box(embedding, box)
    for x, y in ((0.5, 0.5), (0.3, 0.6), (0.7, 0.3)):
        yield segmentation.mask_of_points(embedding, [(x * width, y * height)])
    yield segmentation.mask_of_points(embedding, [(0.5 * width, 0.5 * height)], [(5.0, 5.0)])


def _iou(one: Floats, other: Floats) -> float:
    inside, either = (one > 0.5) & (other > 0.5), (one > 0.5) | (other > 0.5)
    return float(inside.sum() / either.sum()) if either.any() else 1.0


def _boxes_agree(ours: list[tuple[Box, str]], theirs: list[tuple[Box, str]]) -> float:
    """Return 1 if both networks found the same boxes, within one pixel, with the same labels, or else 0."""
    is_same = len(ours) == len(theirs) and all(
        one[1] == other[1] and np.abs(np.array(one[0]) - np.array(other[0])).max() <= 1
        for one, other in zip(ours, theirs, strict=True)
    )
    return float(is_same)


def _in_a_square(colors: Bytes) -> Bytes:
    """Scale a photo to fit the top left of a black square, and return the square.

    The square has the input size of the published YuNet.
    """
    scale = _YUNET_PIXELS / max(colors.shape[:2])
    small = cv2.resize(colors, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    square: Bytes = np.zeros((_YUNET_PIXELS, _YUNET_PIXELS, 3), np.uint8)
    square[: small.shape[0], : small.shape[1]] = small
    return square


def _colors(path: Path) -> Bytes | None:
    pixels = cv2.imread(str(path))
    return None if pixels is None else np.ascontiguousarray(pixels[:, :, ::-1])


def _run_encoder() -> None:
    segmentation.encode(_test_photo())


def _run_decoder() -> None:
    values = np.zeros(segmentation.EMBEDDING_SHAPE, np.float16)
    segmentation.mask_of_points(segmentation.Embedding(values, 640, 480), [(300, 200)])


def _run_mesh() -> None:
    points = ((300.0, 200.0), (340.0, 200.0), (320.0, 220.0), (305.0, 240.0), (335.0, 240.0))
    mesh.find_mesh(_test_photo(), faces.Face(Box(270, 160, 370, 280), 0.9, points))


def _run_reading() -> None:
    network.load_network(text.READING).setInput(np.zeros((1, 3, 48, 320), np.float32))
    network.load_network(text.READING).forward()


def _test_photo() -> Bytes:
    colors = _colors(PHOTOS / "cup.jpg")
    assert colors is not None
    return cast(Bytes, cv2.resize(colors, (960, 640)))


RUNNERS: dict[str, Callable[[], object]] = {
    "encoder": _run_encoder,
    "decoder": _run_decoder,
    "subject": lambda: salient_object.find_salient_object(_test_photo()),
    "text detection": lambda: text.find_text(_test_photo()),
    "text reading": _run_reading,
    "faces": lambda: faces.find_faces(_test_photo()),
    "mesh": _run_mesh,
}


def measure(name: str) -> None:
    """Print the time and the peak memory that one network needs.

    Nothing else runs in this process.
    """
    cv2.setNumThreads(1)
    before = _peaks()
    started = time.perf_counter()
    RUNNERS[name]()
    first = time.perf_counter() - started
    started, used = time.perf_counter(), time.process_time()
    for _ in range(RUNS):
        RUNNERS[name]()
    each, processor = (time.perf_counter() - started) / RUNS, (time.process_time() - used) / RUNS
    address, resident = (after - earlier for after, earlier in zip(_peaks(), before, strict=True))
    print(  # noqa: T201
        f"{name:20} first {first:5.2f} s, then {each:6.3f} s ({processor:6.3f} s of the processor); "
        f"peak +{address:4.0f} MB of address space, +{resident:4.0f} MB resident"
    )


def _peaks() -> tuple[float, float]:
    """Return the peak address space and the peak resident size of this process so far, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields["VmPeak"].split()[0]) / 1024, int(fields["VmHWM"].split()[0]) / 1024


if __name__ == "__main__":
    if sys.argv[1] in RUNNERS:
        measure(sys.argv[1])
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else PHOTOS)
