"""The area that a plan names, outside which everything else can be kept."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from editor.engine import changing_area, keeping, remembered
from editor.engine.changing_area import outlines_of_area, write_mask
from editor.engine.keeping import area_of, is_kept_by_default, names_area
from editor.engine.language.explain import explain
from editor.engine.pixels import Box
from editor.engine.targets.places import anchor_of
from editor.engine.vision.analysis import Analysis
from editor.engine.vision.things import Thing
from editor.imaging.codecs import save
from editor.imaging.picture import Picture
from editor.sentences import from_json_data
from tests import scenes
from tests.engine.analyses import analyzed, disc

SIZE = (480, 320)
CUP = (300, 160, 60)


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_photos", {})


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photo of a lake whose analysis shows a cup, which is its subject."""
    picture = Picture(np.asarray(scenes.lake(*SIZE)))
    mask = disc(picture, *CUP)
    thing = Thing("cup", 0.99, Box.around(mask))
    found = analyzed(monkeypatch, picture, mask, things=[thing])
    monkeypatch.setattr(changing_area, "load_analysis", lambda _: found)
    monkeypatch.setattr(remembered, "load_analysis", lambda _: found)
    save(picture, tmp_path / "lake.png", "png")
    return tmp_path / "lake.png"


def mask_of(photo: Path, prompt: str) -> Any:
    """Return the mask of the area (0 or 255), or the reason why there is none."""
    plan = explain(prompt)
    assert names_area(plan), prompt
    target = photo.with_name("area.png")
    answer = write_mask(plan.as_json(), str(photo), "found.npz", str(target))
    return from_json_data(answer["message"]) or cv2.imread(str(target), cv2.IMREAD_UNCHANGED)


def cup(radius: int) -> Any:
    return disc(Picture(np.zeros((SIZE[1], SIZE[0], 3), np.uint8)), CUP[0], CUP[1], radius)


@pytest.mark.parametrize("prompt", ["make the cup red", "remove the cup"])
def test_the_area_is_the_named_thing_with_a_margin(photo: Path, prompt: str) -> None:
    mask = mask_of(photo, prompt)
    assert mask.shape == SIZE[::-1]
    assert set(np.unique(mask)) == {0, 255}
    assert (mask[cup(66) > 0] == 255).all(), "the cup and 3% of the shorter side"
    assert (mask[cup(85) == 0] == 0).all()


def test_the_area_of_a_new_background_is_everything_except_the_subject(photo: Path) -> None:
    mask = mask_of(photo, "replace the background with a beach")
    assert (mask[cup(45) > 0] == 0).all()
    assert (mask[cup(66) == 0] == 255).all()


def test_the_area_of_an_addition_surrounds_the_thing_or_is_the_named_place(photo: Path) -> None:
    mask = mask_of(photo, "put an apple next to the cup")
    assert (mask[100:220, 180:420] == 255).all()
    assert (mask[:, :100] == 0).all()
    mask = mask_of(photo, "write “Sale” at the top")
    assert (mask[:160] == 255).all()
    assert (mask[175:] == 0).all()


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("make the motorcycle red", "I can't find the motorcycle."),
        ("brighten the face", "I can't find a face."),
        ("remove the text", "I can't find the text."),
        ("pixelate the faces", "I can't find a face."),
    ],
)
def test_a_thing_that_is_not_in_the_photo_has_no_area(photo: Path, prompt: str, reason: str) -> None:
    assert mask_of(photo, prompt) == reason


def test_several_steps_share_one_area(photo: Path) -> None:
    mask = mask_of(photo, "make the cup red and write “Sale” at the top")
    assert (mask[:160] == 255).all()
    assert (mask[cup(66) > 0] == 255).all()
    assert (mask[260:, :200] == 0).all()


def test_a_large_photo_gets_a_small_mask(photo: Path) -> None:
    large = photo.with_name("large.png")
    save(Picture(np.asarray(scenes.lake(*SIZE).resize((2400, 1600)))), large, "png")
    mask = mask_of(large, "make the cup red")
    assert mask.shape == (1067, 1600)
    assert mask[int(160 / 320 * 1067), int(300 / 480 * 1600)] == 255


def test_the_outline_and_the_name_of_the_changing_thing_are_returned(photo: Path) -> None:
    plan = explain("make the cup red").as_json()
    answer = outlines_of_area(plan, str(photo), "found.npz", on_progress=lambda _: None)
    assert (answer["photo_size"], answer["message"]) == ([480, 320], "")
    [outline] = answer["outlines"]
    assert (outline["step"], from_json_data(outline["name"])) == (1, "the cup")
    assert outline["path"].startswith("M")
    missing = explain("make the motorcycle red").as_json()
    answer = outlines_of_area(missing, str(photo), "found.npz", on_progress=lambda _: None)
    assert (answer["outlines"], from_json_data(answer["message"])) == ([], "I can't find the motorcycle.")


@pytest.mark.parametrize(
    "prompt",
    [
        "make it warmer",
        "add a dragon",
        "add snow",
        "make the cup red and add a dragon",
        "move the cup to the left",
        "crop to a square",
        "add a sun in the top left corner",
        "remove the red eyes",
        "",
    ],
)
def test_a_prompt_that_may_change_everything_names_no_area(prompt: str) -> None:
    assert not names_area(explain(prompt))


@pytest.mark.parametrize(
    ("prompt", "default"),
    [
        ("make the cup red", True),
        ("remove the cup", True),
        ("put an apple next to the cup", True),
        ("make everything except the cup black and white", True),
        ("replace the background with a beach", False),
        ("make the cup red and replace the background with a beach", False),
    ],
)
def test_everything_else_is_kept_by_default_for_colors_removals_and_additions(
    prompt: str, default: bool
) -> None:
    plan = explain(prompt)
    assert names_area(plan)
    assert is_kept_by_default(plan) is default


@pytest.mark.parametrize(
    ("prompt", "noun"),
    [
        ("turn the dog into a lion", "dog"),
        ("Replace the dog with a cat.", "dog"),
        ("make the woman smile", "woman"),
        ("change the sky to a galaxy", "sky"),
        ("make the car look like a spaceship", "car"),
        ("turn the dog on the left into a lion", "dog"),
    ],
)
def test_a_prompt_that_only_another_engine_understands_may_name_an_area(prompt: str, noun: str) -> None:
    area = area_of(prompt, explain)
    assert area is not None
    assert not area.is_kept_by_default
    [step] = area.plan.steps
    assert step.target.noun == noun
    assert step.target.place == ("left" if "left" in prompt else None)


@pytest.mark.parametrize(
    "prompt",
    [
        "add a dragon",
        "turn the dog into a lion and add a dragon",
        "turn it into a painting",
        "make the photo look like a dream",
        "turn the dog into a lion, with snow everywhere",
        "replace the gizmo with a cat",
    ],
)
def test_a_prompt_that_may_change_more_than_one_thing_names_no_area(prompt: str) -> None:
    assert area_of(prompt, explain) is None


def test_without_an_analysis_only_places_are_found(photo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: Analysis | None = None
    monkeypatch.setattr(changing_area, "load_analysis", lambda _: nothing)
    assert mask_of(photo, "make the motorcycle red") == "I can't find the motorcycle."
    assert (mask_of(photo, "write “Sale” at the top")[:160] == 255).all()


@pytest.mark.parametrize("word", sorted(keeping._SIDES))
def test_every_word_of_a_side_has_a_position_in_the_photo(word: str) -> None:
    assert anchor_of(word) != (None, None)
