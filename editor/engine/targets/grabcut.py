"""grabCut, and what faces tell it to start from."""

import cv2
import numpy as np

from editor.engine.pixels import Box
from editor.imaging.codecs import Bytes


def grab(small: Bytes, hints: Bytes, rounds: int) -> Bytes:
    """Rother, Kolmogorov and Blake, "GrabCut", 2004: 0/1."""
    marked = hints.copy()
    if not np.isin(marked, (cv2.GC_FGD, cv2.GC_PR_FGD)).any() or (marked == cv2.GC_FGD).all():
        return np.zeros(small.shape[:2], np.uint8)
    if not np.isin(marked, (cv2.GC_BGD, cv2.GC_PR_BGD)).any():
        return np.ones(small.shape[:2], np.uint8)
    cv2.setRNGSeed(0)  # its color models start from random samples
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(small, marked, None, *models, rounds, cv2.GC_INIT_WITH_MASK)  # type: ignore[call-overload]
    return np.isin(marked, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)


def people_hints(shape: tuple[int, ...], faces: list[Box]) -> Bytes:
    """Only what a face tells: a body below it, arms and what they hold beside that, else background."""
    hints = np.full(shape, cv2.GC_BGD, np.uint8)
    reach = np.zeros(shape, np.uint8)
    for face in faces:
        across, down, middle, chin = face.width, face.height, face.center[0], face.bottom
        beside = [(1.1, 0.0), (2.6, 1.0), (3.6, shape[0] / max(1, down))]
        outline = [(middle + x * across, chin + y * down) for x, y in beside]
        outline += [(middle - x * across, chin + y * down) for x, y in reversed(beside)]
        cv2.fillPoly(reach, [np.array(outline).round().astype(np.int32)], 1)
        head = (round(middle), round(face.top + 0.45 * down))
        cv2.ellipse(reach, head, (round(1.1 * across), round(1.15 * down)), 0, 0, 360, 1, -1)
    hints[reach == 1] = cv2.GC_PR_BGD
    for face in faces:
        hint_person(hints, face)
    return hints


def hint_person(hints: Bytes, face: Box) -> None:
    """A face with hair, a neck and a chest are the subject for sure; shoulders and body probably are."""
    height = hints.shape[0]
    across, down = face.width, face.height
    middle, chin = round(face.center[0]), face.bottom
    shoulders = np.array(
        [
            (middle - 1.3 * across, chin),
            (middle + 1.3 * across, chin),
            (middle + 2 * across, chin + 2 * down),
            (middle + 2 * across, height),
            (middle - 2 * across, height),
            (middle - 2 * across, chin + 2 * down),
        ]
    )
    head = (middle, round(face.top + 0.4 * down))
    body = np.zeros_like(hints)
    cv2.fillConvexPoly(body, shoulders.round().astype(np.int32), 1)
    cv2.ellipse(body, head, (round(across * 0.8), round(down * 0.85)), 0, 0, 360, 1, -1)
    hints[(body == 1) & (hints != cv2.GC_FGD)] = cv2.GC_PR_FGD
    cv2.ellipse(hints, head, (round(across * 0.38), round(down * 0.55)), 0, 0, 360, cv2.GC_FGD, -1)
    hints[chin : chin + round(0.6 * down), middle - across // 6 : middle + across // 6] = cv2.GC_FGD
    chest = slice(chin + round(0.6 * down), chin + round(1.6 * down))
    hints[chest, middle - across // 3 : middle + across // 3] = cv2.GC_FGD
