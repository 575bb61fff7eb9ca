"""Tests for what a child process keeps in memory for previews: small photos, and what was found in them."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from editor.engine import remembered
from editor.engine.canvas import Canvas
from editor.engine.remembered import forget_surplus, look_at


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_photos", {})


def photo(folder: Path, name: str, size: tuple[int, int] = (800, 600)) -> str:
    Image.linear_gradient("L").resize(size).convert("RGB").save(folder / name)
    return str(folder / name)


def test_a_photo_is_reduced_and_read_only_once(tmp_path: Path) -> None:
    path = photo(tmp_path, "a.png")
    first = look_at(path)
    assert (first.picture.width, first.picture.height) == (640, 480)
    Path(path).unlink()
    assert look_at(path) is first


def test_a_small_photo_keeps_its_size(tmp_path: Path) -> None:
    assert look_at(photo(tmp_path, "a.png", (300, 200))).picture.width == 300


def test_a_broken_analysis_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "analysis.npz").write_bytes(b"broken")
    assert look_at(photo(tmp_path, "a.png"), str(tmp_path / "analysis.npz")).analysis is None


def test_a_new_analysis_replaces_what_was_found_without_it(tmp_path: Path) -> None:
    path = photo(tmp_path, "a.png")
    seen = look_at(path)
    seen.newest_preview = ("a request", {"image": "an answer"})
    Canvas(seen.picture, cache=seen.findings).get_or_compute("the sky", lambda: np.ones(9))
    assert look_at(path, str(tmp_path / "analysis.npz")) is seen
    assert seen.newest_preview == ("", {})
    assert not seen.findings


def test_findings_are_kept_until_their_pixels_are_gone(tmp_path: Path) -> None:
    seen = look_at(photo(tmp_path, "a.png"))
    canvas = Canvas(seen.picture, cache=seen.findings)
    canvas.get_or_compute("the sky", lambda: np.ones((480, 640), np.float32))
    canvas.with_pixels(seen.picture.pixels.copy()).get_or_compute("the sea", lambda: np.ones(9))
    forget_surplus()
    assert [what for what, _ in seen.findings] == ["the sky"]
    assert seen.size > 640 * 480 * (3 + 4)


def test_the_least_recently_used_photo_is_dropped_first(tmp_path: Path) -> None:
    paths = [photo(tmp_path, name) for name in ("a.png", "b.png", "c.png")]
    first, second = look_at(paths[0]), look_at(paths[1])
    look_at(paths[0])
    look_at(paths[2])
    forget_surplus(2 * 640 * 480 * 3 + 1000)
    assert look_at(paths[0]) is first
    assert look_at(paths[1]) is not second


def test_only_the_most_recent_photo_is_kept_if_memory_is_needed(tmp_path: Path) -> None:
    first, second = (look_at(photo(tmp_path, name)) for name in ("a.png", "b.png"))
    forget_surplus(second.size)
    assert look_at(str(tmp_path / "b.png")) is second
    assert look_at(str(tmp_path / "a.png")) is not first


def test_findings_in_a_single_photo_are_limited_too(tmp_path: Path) -> None:
    seen = look_at(photo(tmp_path, "a.png"))
    Canvas(seen.picture, cache=seen.findings).get_or_compute("masks", lambda: [np.ones((640, 480))])
    forget_surplus(2_000_000)
    assert not seen.findings
