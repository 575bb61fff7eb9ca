"""Tests for previews of edits, which are made from small photos."""

import base64
import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from editor.engine import remembered
from editor.engine.canvas import Canvas
from editor.engine.drawing.crop_windows import window
from editor.engine.language.explain import explain
from editor.engine.preview import outline_of, preview_files, scaled
from editor.engine.run import carry_out
from editor.engine.targets import target_masks
from editor.imaging.codecs import save
from editor.imaging.picture import Picture
from editor.options import EditOptions, Region
from editor.sentences import from_json_data
from tests import scenes
from tests.engine.photos import photo, placed

FULL = (1200, 800)


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_photos", {})


def full_pier() -> Picture:
    return Picture(np.asarray(scenes.lake(*FULL)))


@pytest.fixture
def pier(tmp_path: Path) -> str:
    """Store a photo of a lake that has no subject, and return its path.

    As on the site, the stored photo is 800 pixels wide.
    """
    return stored(tmp_path, full_pier())


def stored(folder: Path, picture: Picture) -> str:
    small: Any = cv2.resize(
        picture.pixels, (800, 800 * picture.height // picture.width), interpolation=cv2.INTER_AREA
    )
    save(Picture(small), folder / "photo-800.webp", "webp")
    return str(folder / "photo-800.webp")


def preview(path: str, words: str, **options: Any) -> dict[str, Any]:
    chosen = EditOptions(**options)
    plan = explain(words, regions=chosen.regions)
    answer = preview_files(plan.as_json(), [path], chosen.as_json(), FULL[0], on_progress=lambda part: None)
    return answer | {"message": from_json_data(answer["message"])}


def pixels_of(answer: dict[str, Any]) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(answer["image"]))).convert("RGB"))


def test_it_shows_the_edit_at_640_pixels(pier: str) -> None:
    answer = preview(pier, "make it black and white")
    assert answer["size"] == answer["photo_size"] == [640, 426]
    shown = pixels_of(answer).astype(int)
    assert np.abs(shown[:, :, 0] - shown[:, :, 2]).max() <= 8
    assert (answer["message"], answer["outlines"], answer["is_in_place"]) == ("", [], True)


def test_only_the_newest_preview_is_remembered(pier: str) -> None:
    """Submitting an edit asks for its preview once more."""

    def progress(words: str) -> list[float]:
        reported: list[float] = []
        options = EditOptions().as_json()
        preview_files(explain(words).as_json(), [pier], options, FULL[0], on_progress=reported.append)
        return reported

    assert progress("make it sepia")
    answer = preview(pier, "make it sepia")
    assert progress("make it sepia") == []
    assert progress("make it darker")
    assert progress("make it sepia")
    assert preview(pier, "make it sepia") == answer


def test_a_crop_is_not_in_place(pier: str) -> None:
    answer = preview(pier, "crop to a square")
    assert answer["size"] == [426, 426]
    assert not answer["is_in_place"]


def test_an_enlarged_result_is_at_most_640_pixels(pier: str) -> None:
    assert max(preview(pier, "make it black and white, then resize it to 200%")["size"]) == 640


def test_lengths_in_pixels_scale_with_the_photo(pier: str) -> None:
    shown = pixels_of(preview(pier, "add a 60 px red border"))
    row = shown[shown.shape[0] // 2]
    is_red = (row[:, 0] > 180) & (row[:, 1] < 80)
    assert int(np.argmin(is_red)) == pytest.approx(60 / 1320 * 640, abs=2)


@pytest.mark.parametrize(
    ("words", "field", "found"),
    [
        ("resize to 800x600", "size", "400x300"),
        ("add a 20 px red border", "amount", 10.0),
        ("resize to 50%", "amount", 50.0),
    ],
)
def test_a_plan_is_scaled(words: str, field: str, found: object) -> None:
    value = scaled(explain(words), 0.5).steps[0].values[field]
    assert getattr(value, "number", value) == found


def test_a_refused_step_is_named_and_the_others_are_shown(pier: str) -> None:
    answer = preview(pier, "remove the motorcycle and make it black and white")
    assert answer["message"].startswith("“remove the motorcycle”: I can't find the motorcycle.")
    shown = pixels_of(answer).astype(int)
    assert np.abs(shown[:, :, 0] - shown[:, :, 2]).max() <= 8


def test_there_is_no_preview_if_no_step_is_possible(pier: str) -> None:
    answer = preview(pier, "remove the motorcycle")
    assert answer["image"] == ""
    assert answer["message"] == (
        "“remove the motorcycle”: I can't find the motorcycle. Draw a box around the motorcycle."
    )


def test_a_step_that_needs_more_detail_makes_the_preview_unsure(pier: str) -> None:
    answer = preview(pier, "remove the date")
    assert (answer["image"], answer["message"], answer["is_unsure"]) == ("", "", True)


def test_the_target_of_a_step_is_outlined(tmp_path: Path) -> None:
    path = stored(tmp_path, placed("cat", (300, 100, 600), width=1200, height=800))
    answer = preview(path, "make it brighter and blur the background")
    (outline,) = answer["outlines"]
    assert (outline["step"], from_json_data(outline["name"])) == (2, "the background")
    left, top, right, bottom = outline["box"]
    assert left < 320 < right
    assert top < 213 < bottom
    assert outline["path"].startswith("M0 0H640V426H0ZM"), "the edges of the photo, and then the subject"
    assert outline["path"].endswith("Z")


def test_a_thing_is_found_once_for_all_prompts_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stored(tmp_path, placed("cat", (300, 100, 600), width=1200, height=800))
    one = preview(path, "make the background brighter")
    assert one["image"]
    monkeypatch.setattr(target_masks, "_find_mask", None)
    two = preview(path, "make the background sepia")
    assert two["image"] != one["image"]
    assert two["outlines"] == one["outlines"]


def test_another_box_shows_another_subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stored(tmp_path, placed("cat", (300, 100, 600), width=1200, height=800))
    around, beside = Region(0.2, 0.1, 0.6, 0.8), Region(0.3, 0.2, 0.25, 0.4)
    preview(path, "blur the background", regions=(around,))
    later = preview(path, "blur the background", regions=(beside,))
    monkeypatch.setattr(remembered, "_photos", {})
    assert later == preview(path, "blur the background", regions=(beside,))


def test_a_box_without_a_thing_in_it_is_not_outlined(pier: str) -> None:
    answer = preview(pier, "make this black and white", regions=(Region(0.25, 0.25, 0.5, 0.5),))
    assert answer["outlines"] == []  # The page shows the box itself.
    assert answer["message"] == ""


def test_an_outline_is_simple_and_has_holes() -> None:
    mask = np.zeros((480, 640), np.float32)
    cv2.circle(mask, (300, 200), 100, 1.0, -1)
    cv2.circle(mask, (300, 200), 40, 0.0, -1)
    cv2.circle(mask, (5, 5), 2, 1.0, -1)
    path, box = outline_of(mask) or ("", None)
    assert path.count("M") == 2, "the rim and the hole, without the speck"
    assert path.count("L") < 120
    assert box == (200, 100, 401, 301)
    assert outline_of(np.zeros((480, 640), np.float32)) is None
    assert outline_of(np.ones((480, 640), np.float32)) is None


def test_the_preview_of_an_edit_looks_like_its_result(pier: str) -> None:
    result = carry_out(explain("make it warmer and add a vignette"), [full_pier()], EditOptions())[0]
    small = cv2.resize(result.pixels, (640, 426), interpolation=cv2.INTER_AREA).astype(int)
    shown = pixels_of(preview(pier, "make it warmer and add a vignette")).astype(int)
    assert np.abs(small - shown).mean() < 4


@pytest.mark.parametrize("name", ["cat", "cup"])
def test_a_crop_shows_the_same_part_of_a_photo_at_every_size(tmp_path: Path, name: str) -> None:
    full = photo(name)
    small = remembered.look_at(stored(tmp_path, full)).picture
    one, two = (window(Canvas(picture), 1.0, None) for picture in (full, small))
    assert one.left / full.width == pytest.approx(two.left / small.width, abs=0.005)


def test_the_same_plan_gives_the_same_preview(pier: str) -> None:
    one, two = (preview(pier, "add film grain")["image"] for _ in range(2))
    assert one == two


def test_an_exception_in_the_progress_callback_stops_the_preview(pier: str) -> None:
    class Stopped(Exception):
        pass

    def stop(part: float) -> None:
        raise Stopped

    plan = explain("make it warmer and add a vignette")
    with pytest.raises(Stopped):
        preview_files(plan.as_json(), [pier], EditOptions().as_json(), 1200, on_progress=stop)
