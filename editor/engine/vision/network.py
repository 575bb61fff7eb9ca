"""Load the networks in assets/, which OpenCV runs on the CPU."""

import ctypes
from contextlib import suppress
from functools import cache
from pathlib import Path

import cv2

ASSETS = Path(__file__).resolve().parents[1] / "assets"


@cache
def load_network(name: str, *, classic: bool = False) -> cv2.dnn.Net:
    """Return the network from a file in assets/, which is loaded once in each process.

    `classic` selects OpenCV's older engine, because the new one computes the attention layers of some
    networks incorrectly and returns only one output of others.
    """
    path = str(ASSETS / name)
    engine = cv2.dnn.ENGINE_CLASSIC if classic else cv2.dnn.ENGINE_AUTO
    if path.endswith(".tflite"):
        return cv2.dnn.readNetFromTFLite(path, engine)
    return cv2.dnn.readNetFromONNX(path, engine)


def unload_networks() -> None:
    """Unload all networks, and return the memory that the process has freed to the operating system."""
    load_network.cache_clear()
    with suppress(AttributeError):  # Other C libraries than glibc do not keep freed memory.
        ctypes.CDLL(None).malloc_trim(0)
