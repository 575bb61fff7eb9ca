"""Fill holes with MI-GAN, a small network that ships with the engine and runs in OpenCV on the CPU.

The network is that of Sargsyan et al., "MI-GAN: A Simple Baseline for Image Inpainting on Mobile Devices",
2023, trained on Places2. The file in assets/ contains the generator with 16-bit weights (see
MIGAN-LICENSE.txt).

Patches can only repeat what is in the photo. The network can also continue shapes that patches cannot, but it
sometimes invents objects. It therefore runs twice, the second time on the mirrored photo. Where the two
results agree, they probably continue the photo correctly.
"""

from pathlib import Path
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from editor.engine.colors import Floats
from editor.engine.masks import dilate
from editor.engine.networks import view_around
from editor.engine.pixels import Box
from editor.engine.threads import two_threads
from editor.engine.vision.network import unload_networks
from editor.imaging.picture import Bytes, Picture, Pixels, eight_bits

# Side of the network's square input and output, in pixels.
INPUT_PIXELS = 512

_FILE = Path(__file__).resolve().parents[2] / "assets" / "migan.onnx"
# Sigma of the blur that hides unimportant fine differences before two results are compared, in pixels of the
# network's output.
_SAME = 6.0
_RING = 40  # width of the area around the hole whose contrast is measured, in pixels of the network's output
# Minimum widths and heights of the areas that are shown to the network, as multiples of the hole's.
_TIMES = (2, 3)
# Difference, in 8-bit levels, above which one of the network's two results shows an object that the other
# does not.
_ELSE = 25.0


class Inpainting(NamedTuple):
    """The network's filling of a hole.

    `colors` is the network's output, in RGB from 0 to 255, for the box `view` of the photo. `doubt` is the
    network's uncertainty: the mean difference, in 8-bit levels, between its two results in the hole.
    `contrast` is the standard deviation of the colors around the hole, in 8-bit levels.
    """

    colors: Floats
    view: Box
    doubt: float
    contrast: float


def views_around(hole: Bytes) -> list[Box]:
    """Return the areas that can be shown to the network for a hole (0/1) of a photo, the smallest first.

    A larger area shows more of what the hole is part of, but the network's result is coarser.
    """
    place, (height, width) = Box.around(hole), hole.shape
    return list(dict.fromkeys(view_around(place, width, height, times) for times in _TIMES))


def inpaint(pixels: Pixels, hole: Bytes, view: Box, lost: Bytes) -> Inpainting:
    """Return the better of the network's two results for the hole (0/1) of a photo.

    Areas that stand out less in the other result are taken from the other result. The network sees the area
    `view`, without the pixels in the mask `lost` (0/1).
    """
    rows, columns = view.slices
    colors = eight_bits(Picture(pixels[rows, columns]))[:, :, :3]
    small = cast(Bytes, cv2.resize(colors, (INPUT_PIXELS, INPUT_PIXELS), interpolation=cv2.INTER_AREA))
    missing, unseen = _shrunk(hole[rows, columns]), _shrunk(lost[rows, columns])
    first, second = _answers(small, missing | unseen)
    apart = np.abs(_from_afar(first) - _from_afar(second)).max(2) * missing
    plainer, other = sorted((first, second), key=lambda answer: _roughness(answer, missing))
    answer = _without_inventions(plainer, other, apart > _ELSE)
    doubt, contrast = float(apart[missing].mean()), _contrast(first, missing, unseen)
    return Inpainting(np.ascontiguousarray(answer), view, doubt, contrast)


def _contrast(answer: Floats, missing: NDArray[np.bool_], unseen: NDArray[np.bool_]) -> float:
    around = dilate(missing.astype(np.uint8), _RING) - missing
    known = _from_afar(answer)[(around == 1) & ~unseen]
    return float(known.std(0).mean()) if known.size else 0.0


def _shrunk(mask: Bytes) -> NDArray[np.bool_]:
    size = (INPUT_PIXELS, INPUT_PIXELS)
    return cv2.resize(255 * mask, size, interpolation=cv2.INTER_AREA) > 0


def _answers(small: Bytes, missing: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the network's result for the photo, and its result for the mirrored photo, mirrored back."""
    # The network keeps 0.3 GB of intermediate results, so it is released after each use. To make room, the
    # other networks are released first. Loading the largest of them again takes 0.3 s.
    unload_networks()
    net = cv2.dnn.readNetFromONNX(str(_FILE))
    with two_threads():
        return _answer(net, small, missing), _answer(net, small[:, ::-1], missing[:, ::-1])[:, ::-1]


def _from_afar(answer: Floats) -> Floats:
    return cv2.GaussianBlur(answer, (0, 0), _SAME)


def _without_inventions(answer: Floats, other: Floats, unlike: NDArray[np.bool_]) -> Floats:
    """Return one of the network's results with some areas taken from the other result.

    In these areas, the two results differ, and the other result stands out less.
    """
    count, places, stats, _ = cv2.connectedComponentsWithStats(unlike.astype(np.uint8))
    exchanged = np.zeros(unlike.shape, np.float32)
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= _SAME**2:
            place = dilate((places == number).astype(np.uint8), _SAME)
            if _standing_out(other, place) < _standing_out(answer, place):
                exchanged[place == 1] = 1
    share = cv2.GaussianBlur(exchanged, (0, 0), _SAME / 2)[:, :, None]
    return cast(Floats, answer + share * (other - answer))


def _standing_out(answer: Floats, place: Bytes) -> float:
    """Return the difference, in 8-bit levels, between the mean colors of an area and its surroundings.

    `place` is a mask (0/1) of the area.
    """
    ring = dilate(place, 2 * _SAME) - place
    return float(np.abs(answer[place == 1].mean(0) - answer[ring == 1].mean(0)).max())


def _answer(net: cv2.dnn.Net, colors: Bytes, missing: NDArray[np.bool_]) -> Floats:
    """Return the network's result for a picture.

    The network's input has four channels. The first is 1/2 for known pixels and -1/2 for the hole. The others
    are the known colors, from -1 to 1.
    """
    known = 1 - np.ascontiguousarray(missing).astype(np.float32)
    image = (colors.astype(np.float32) / np.float32(127.5) - 1) * known[:, :, None]
    given = np.concatenate([known[None] - np.float32(0.5), image.transpose(2, 0, 1)])
    net.setInput(np.ascontiguousarray(given[None]))
    answer = net.forward()[0].transpose(1, 2, 0)
    return cast(Floats, np.clip(answer * np.float32(127.5) + np.float32(127.5), 0, 255))


def _roughness(answer: Floats, missing: NDArray[np.bool_]) -> float:
    """Return the mean gradient of the blurred brightness in the hole.

    An invented object has an outline, which makes the gradient larger.
    """
    light = _from_afar(answer.mean(2))
    across, down = cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1)
    return float(cv2.magnitude(across, down)[missing].mean())
