"""Finds the most prominent thing in a photo with U2-Netp.

Qin et al., "U2-Net: Going Deeper with Nested U-Structure for Salient Object Detection", 2020.
"""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, normalize
from editor.engine.vision.network import load_network
from editor.imaging.picture import Bytes

NETWORK = "u2netp.onnx"

_INPUT_PIXELS = 320  # width and height of the network's input, in pixels
_MEAN = (0.485, 0.456, 0.406)  # the mean levels of the training photos, red first
_DEVIATION = (0.229, 0.224, 0.225)  # standard deviation of the levels of the training photos, red first


def find_subject(colors: Bytes) -> Floats:
    """Return a mask of the subject, 320 x 320, from 0 to 1.

    `colors` is the photo, height x width x 3, RGB.
    """
    size = (_INPUT_PIXELS, _INPUT_PIXELS)
    small = cv2.resize(colors, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    light = small / np.float32(max(1.0, float(small.max())))
    normal = (light - np.array(_MEAN, np.float32)) / np.array(_DEVIATION, np.float32)
    network = load_network(NETWORK)
    network.setInput(np.ascontiguousarray(normal.transpose(2, 0, 1)[None]))
    outputs = network.forward(network.getUnconnectedOutLayersNames())
    return normalize(cast(Floats, outputs[0])[0, 0])
