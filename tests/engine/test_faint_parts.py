"""Tests that parts of the subject that the saliency network sees only faintly are added to the subject."""

import numpy as np
import pytest

from editor.engine.colors import Floats
from editor.engine.pixels import Box
from editor.engine.targets import faint_parts
from editor.engine.targets.faint_parts import with_faint_parts
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.segmentation import EMBEDDING_SHAPE, LOGITS_SHAPE, Embedding, Point
from editor.imaging.picture import Bytes

SIDE = 320
BODY, SHAWL = Box(120, 60, 200, 260), Box(200, 120, 260, 260)


def shown(*parts: tuple[Box, float]) -> Floats:
    mask = np.zeros((SIDE, SIDE), np.float32)
    for box, value in parts:
        mask[box.slices] = value
    return mask


def added(
    monkeypatch: pytest.MonkeyPatch,
    *,
    faintly: float,
    whole: Floats,
    of_pair: Floats | None = None,
    first: float = 0.0,
) -> Floats | None:
    """Return the subject with its faint parts.

    `faintly` is the saliency of the shawl, `first` its value in the decoder's mask of the subject alone.
    `whole` is the decoder's mask of all that may be the subject, and `of_pair` its mask of two points.
    """
    masks = [whole, whole if of_pair is None else of_pair]

    def decode_pair(embedding: Embedding, one: Point, other: Point, start: Floats) -> Floats:
        assert of_pair is not None, "the decoder must not be asked about points"
        assert shown((BODY, 1))[round(one[1]), round(one[0])], "the first point is in the subject"
        assert shown((SHAWL, 1))[round(other[1]), round(other[0])], "the second point is in the faint part"
        return np.ones(LOGITS_SHAPE, np.float32)

    monkeypatch.setattr(faint_parts, "decode_box", lambda embedding, box: np.zeros(LOGITS_SHAPE, np.float32))
    monkeypatch.setattr(faint_parts, "decode_pair", decode_pair)
    monkeypatch.setattr(faint_parts, "mask_of_logits", lambda embedding, logits: masks[int(logits.max())])
    subject: Bytes = (shown((BODY, 1), (SHAWL, faintly)) * 255).astype(np.uint8)
    analysis = Analysis(SIDE, SIDE, (), (), (), subject)
    embedding = Embedding(np.zeros(EMBEDDING_SHAPE, np.float16), SIDE, SIDE)
    return with_faint_parts(shown((BODY, 1)), shown((BODY, 1), (SHAWL, first)), analysis, embedding)


def test_a_faint_part_that_the_decoder_finds_with_the_subject_is_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mask = added(monkeypatch, faintly=0.3, whole=shown((BODY, 1), (SHAWL, 1)))
    assert mask is not None
    assert mask[SHAWL.slices].min() > 0.9
    assert mask[:, :110].max() == 0


def test_a_part_that_only_the_decoder_sees_is_not_added(monkeypatch: pytest.MonkeyPatch) -> None:
    assert added(monkeypatch, faintly=0.02, whole=shown((BODY, 1), (SHAWL, 1))) is None


def test_a_part_that_the_decoder_saw_twice_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    assert added(monkeypatch, faintly=0.02, first=0.6, whole=shown((BODY, 1), (SHAWL, 1))) is not None


def test_nothing_is_added_if_the_decoder_does_not_find_the_subject_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert added(monkeypatch, faintly=0.3, whole=shown((SHAWL, 1))) is None


def test_nothing_is_added_if_the_decoder_is_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = (Box(0, 0, SIDE, SIDE), 0.4)
    assert added(monkeypatch, faintly=0.3, whole=shown(everything, (BODY, 1), (SHAWL, 1))) is None


def test_the_decoder_is_asked_about_a_separate_part_that_it_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    mask = added(monkeypatch, faintly=0.3, whole=shown((BODY, 1)), of_pair=shown((BODY, 1), (SHAWL, 1)))
    assert mask is not None
    assert mask[SHAWL.slices].min() > 0.9
