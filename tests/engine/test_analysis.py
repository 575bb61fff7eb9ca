"""Tests for what a photo's analysis contains, and for storing and loading analyses."""

import json
import resource
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from editor.engine.canvas import Canvas
from editor.engine.pixels import Box
from editor.engine.targets import detector, faces
from editor.engine.targets.analyzed import with_analysis
from editor.engine.targets.detector import things_seen
from editor.engine.targets.faces import faces_seen
from editor.engine.threads import has_room_for_two
from editor.engine.vision import analysis, people, text
from editor.engine.vision.analysis import VERSION, Analysis, analyze_file
from editor.engine.vision.faces import Face
from editor.engine.vision.grounds import Ground
from editor.engine.vision.network import load_network
from editor.engine.vision.prominent import prominent_logits
from editor.engine.vision.segmentation import Embedding, mask_of_box, mask_of_logits
from editor.engine.vision.text import TextLine
from editor.engine.vision.things import Thing
from editor.imaging import codecs
from editor.imaging.errors import PhotoError
from editor.imaging.memory import MAX_ANALYSIS_BYTES
from editor.imaging.picture import Picture
from tests.engine.photos import photo


def sample() -> Analysis:
    values = np.random.default_rng(1).normal(size=(1, 256, 64, 64)).astype(np.float16)
    corners = ((1.0, 2.0), (30.5, 2.0), (30.5, 12.0), (1.0, 12.0))
    return Analysis(
        640,
        480,
        (Thing("cup", 0.75, Box(10, 20, 110, 140)),),
        (Face(Box(5, 6, 50, 60), 0.9, tuple((float(x), 2.5) for x in range(5))),),
        (TextLine(corners, Box(1, 2, 31, 12), "No. 5 “Grüße”", 0.8),),
        np.full((320, 320), 7, np.uint8),
        (Ground("sky", 0.95, np.full((64, 64), 9, np.uint8)),),
        Embedding(values, 640, 480),
        values[0, :4].reshape(256, 64).repeat(4, axis=1),
    )


def test_a_saved_analysis_loads_unchanged(tmp_path: Path) -> None:
    stored, path = sample(), tmp_path / "analysis.npz"
    stored.save(path)
    loaded = Analysis.load(path)
    for name in ("version", "width", "height", "things", "faces", "text"):
        assert getattr(loaded, name) == getattr(stored, name)
    assert np.array_equal(loaded.subject, stored.subject)
    assert loaded.grounds is not None
    assert loaded.grounds[0][:2] == ("sky", 0.95)
    assert np.array_equal(loaded.grounds[0].mask, np.full((64, 64), 9))
    assert loaded.embedding is not None
    assert stored.embedding is not None
    assert np.array_equal(loaded.embedding.values, stored.embedding.values)
    assert (loaded.embedding.width, loaded.embedding.height) == (640, 480)
    assert loaded.prominent is not None
    assert stored.prominent is not None
    assert np.array_equal(loaded.prominent, stored.prominent)


def test_an_analysis_without_an_embedding_is_small(tmp_path: Path) -> None:
    path = tmp_path / "analysis.npz"
    replace(sample(), embedding=None, prominent=None, grounds=None).save(path)
    assert path.stat().st_size < 20_000
    loaded = Analysis.load(path)
    assert loaded.embedding is None
    assert loaded.grounds is None


def test_a_photo_in_which_nothing_is_prominent_has_no_prominent_part() -> None:
    embedding = sample().embedding
    assert embedding is not None
    assert prominent_logits(np.zeros((320, 320), np.uint8), embedding) is None


def test_an_analysis_of_another_version_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "analysis.npz"
    replace(sample(), version=VERSION + 1).save(path)
    with pytest.raises(ValueError, match="version"):
        Analysis.load(path)


@pytest.mark.parametrize("kept", [0, 10, 500, -30])
def test_a_damaged_file_is_rejected(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "analysis.npz"
    sample().save(path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"read|pickle"):
        Analysis.load(path)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "analysis.npz"
    np.savez(path, facts=np.array([{"version": VERSION}], object), subject=np.zeros(1))
    with pytest.raises(ValueError, match="pickle"):
        Analysis.load(path)


def test_a_photo_file_is_analyzed_and_the_analysis_is_saved(tmp_path: Path) -> None:
    codecs.save(photo("astronaut"), tmp_path / "in.png", "png")
    facts = analyze_file(str(tmp_path / "in.png"), str(tmp_path / "out.npz"))
    assert json.loads(json.dumps(facts)) == {"version": VERSION, "width": 320, "height": 320}
    loaded = Analysis.load(tmp_path / "out.npz")
    assert "person" in {thing.kind for thing in loaded.things}
    assert len(loaded.faces) == 1
    assert loaded.text == ()
    assert loaded.subject[120, 140] > 200
    assert loaded.embedding is not None
    assert mask_of_box(loaded.embedding, Box(100, 20, 180, 110)).max() > 0.9
    assert loaded.prominent is not None
    prominent = mask_of_logits(loaded.embedding, loaded.prominent.astype(np.float32))
    assert prominent[384, 448] > 0.9, "the person, in pixels of a mask that is 1024 pixels wide"
    assert prominent[100, 60] < 0.5
    load_network.cache_clear()


def test_a_file_that_is_not_a_photo_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "in.png").write_bytes(b"no photo")
    with pytest.raises(PhotoError):
        analyze_file(str(tmp_path / "in.png"), str(tmp_path / "out.npz"))
    assert not (tmp_path / "out.npz").exists()


def test_text_in_a_large_photo_is_located_in_pixels_of_the_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text is detected on a smaller copy, but its corners are given in pixels of the photo."""
    seen = TextLine(((10.0, 20.0),) * 4, Box(10, 20, 60, 40), "words", 0.9)
    monkeypatch.setattr(text, "find_text", lambda colors: [seen])
    large = Picture(np.zeros((1200, 4800, 3), np.uint8))
    (line,) = text.read_text(large)
    assert line.box == Box(20, 40, 120, 80)
    assert line.corners[0] == (20.0, 40.0)


def looked_away(patch: pytest.MonkeyPatch) -> None:
    """Make the networks detect nothing."""
    patch.setattr(detector, "detect", lambda picture: [])
    patch.setattr(faces, "real_faces", lambda picture: [])


def test_an_edit_uses_the_analysis_instead_of_detecting_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_away(monkeypatch)
    picture = Picture(np.zeros((480, 640, 3), np.uint8))
    canvas = with_analysis(Canvas(picture), picture, sample())
    assert things_seen(canvas) == list(sample().things)
    assert len(faces_seen(canvas)) == 1


def test_an_analysis_of_another_size_is_scaled_to_the_photo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_away(monkeypatch)
    picture = Picture(np.zeros((240, 320, 3), np.uint8))
    (thing,) = things_seen(with_analysis(Canvas(picture), picture, sample()))
    assert thing.box == Box(5, 10, 55, 70)


def test_detection_runs_again_if_the_pixels_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_away(monkeypatch)
    picture = Picture(np.zeros((480, 640, 3), np.uint8))
    canvas = with_analysis(Canvas(picture), picture, sample()).with_pixels(picture.pixels + np.uint8(1))
    assert things_seen(canvas) == []
    assert faces_seen(canvas) == []


def test_an_analysis_detects_things_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An uncertain face is checked against the things that were already detected."""
    looks: list[Picture] = []

    def detect(picture: Picture) -> list[Thing]:
        looks.append(picture)
        return []

    monkeypatch.setattr(analysis, "detect", detect)
    monkeypatch.setattr(people, "detect", detect)
    unsure = Face(Box(10, 10, 40, 50), 0.7, ((20.0, 20.0),) * 5)
    monkeypatch.setattr(people, "find_faces", lambda colors: [unsure])
    monkeypatch.setattr(analysis, "find_salient_object", lambda colors: np.zeros((320, 320), np.float32))
    empty = Embedding(np.zeros((1, 256, 64, 64), np.float16), 64, 64)
    monkeypatch.setattr(analysis, "encode", lambda colors: empty)
    assert analysis.analyze(Picture(np.zeros((64, 64, 3), np.uint8))).faces == ()
    assert len(looks) == 1


def test_an_analysis_in_two_threads_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture, files = photo("cup"), []
    for has_room in (False, True):
        monkeypatch.setattr(analysis, "has_room_for_two", lambda has_room=has_room: has_room)
        files.append(tmp_path / f"{has_room}.npz")
        analysis.analyze(picture).save(files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("limit", "cores", "is_enough"),
    [
        (resource.RLIM_INFINITY, 2, True),
        (MAX_ANALYSIS_BYTES, 2, True),
        (MAX_ANALYSIS_BYTES - 1, 2, False),
        (MAX_ANALYSIS_BYTES, 1, False),
    ],
)
def test_two_networks_run_at_once_only_with_enough_memory_and_cores(
    limit: int, cores: int, is_enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda kind: (limit, limit))
    monkeypatch.setattr("os.process_cpu_count", lambda: cores)
    assert has_room_for_two() == is_enough
