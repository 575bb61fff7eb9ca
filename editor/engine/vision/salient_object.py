"""Find the most prominent thing in a photo with U2-Netp.

Qin et al., "U2-Net: Going Deeper with Nested U-Structure for Salient Object Detection", 2020.
"""

from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, normalize
from editor.engine.vision.network import load_network
from editor.imaging.picture import Bytes

NETWORK = "u2netp.onnx"

type Levels = tuple[float, float, float]

# For U2-Net and U2-Netp: the width and height of the input in pixels, and the mean and the standard
# deviation of the levels of the training photos, red first.
U2NET: tuple[int, Levels, Levels] = (320, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))


def find_salient_object(colors: Bytes) -> Floats:
    """Return the saliency of a photo, 320 x 320, from 0 to 1.

    `colors` is the photo, height x width x 3, RGB.
    """
    network = load_network(NETWORK)
    network.setInput(network_input(colors, *U2NET))
    outputs = network.forward(network.getUnconnectedOutLayersNames())
    return normalize(cast(Floats, outputs[0])[0, 0])


def network_input(colors: Bytes, side: int, mean: Levels, deviation: Levels) -> Floats:
    """Return the input to a salient-object network, 1 x 3 x `side` x `side`, for RGB colors."""
    small = cv2.resize(colors, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    light = small / np.float32(max(1.0, float(small.max())))
    normal = (light - np.array(mean, np.float32)) / np.array(deviation, np.float32)
    return np.ascontiguousarray(normal.transpose(2, 0, 1)[None])
