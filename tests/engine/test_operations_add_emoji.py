import numpy as np
import pytest

from editor.engine.errors import PlanRefused
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, changed, deep, scenery, step, with_alpha


def plain(width: int = 600, height: int = 400) -> Picture:
    return Picture(np.full((height, width, 3), 60, np.uint8))


def box_of(photo: Picture, result: Picture) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(changed(photo, result))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


@pytest.mark.parametrize("size", [(200, 150), (600, 400), (2400, 1600)])
def test_a_heart_is_red_and_a_sun_is_yellow_at_every_size(size: tuple[int, int]) -> None:
    photo = plain(*size)
    for emoji, color in (("❤️", (244, 67, 54)), ("☀", (255, 200, 40)), ("🍀", (130, 180, 45))):
        result = apply_steps(photo, step("emoji", text=emoji))
        mean = result.pixels[changed(photo, result)].mean(0)
        assert np.abs(mean - color).max() < 70


def test_an_emoji_has_no_dark_rim() -> None:
    photo = Picture(np.full((900, 900, 3), 255, np.uint8))
    for amount in (0.0, 1.0):
        result = apply_steps(photo, step("emoji", text="🟡", place="center", amount=amount)).pixels
        assert result[:, :, 0].min() > 225


@pytest.mark.parametrize("place", ["top left", "bottom right", "center"])
def test_an_emoji_is_drawn_at_the_named_place_without_distortion(place: str) -> None:
    photo = plain()
    left, top, right, bottom = box_of(photo, apply_steps(photo, step("emoji", text="🔴", place=place)))
    assert abs((right - left) - (bottom - top)) <= 4
    assert ("left" in place) == (left < 60)
    assert ("bottom" in place) == (bottom > 340)


def test_several_emoji_are_drawn_in_a_row() -> None:
    photo = plain()
    one = box_of(photo, apply_steps(photo, step("emoji", text="🔴")))
    three = box_of(photo, apply_steps(photo, step("emoji", text="🔴 🔵🟢")))
    assert (three[2] - three[0]) > 2.7 * (one[2] - one[0])


def test_an_emoji_in_a_box_stays_inside() -> None:
    photo = plain()
    result = apply_steps(
        photo, step("emoji", text="👑", target=REGION), regions=(Region(0.5, 0.5, 0.2, 0.2),)
    )
    left, top, right, bottom = box_of(photo, result)
    assert 300 <= left < right <= 420
    assert 200 <= top < bottom <= 280
    assert bottom - top > 60


def test_an_unavailable_emoji_is_refused_by_name() -> None:
    joined = (
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("🇫🇷", "🇫🇷"),
        ("👍🏽", "combines several symbols"),
    )
    for words, name in (("🫥", "dotted line face"), ("x", "small letter x"), *joined):
        with pytest.raises(PlanRefused, match=name):
            apply_steps(plain(), step("emoji", text=words))
    for words in ("", "❤" * 13):
        with pytest.raises(PlanRefused, match="one to twelve"):
            apply_steps(plain(), step("emoji", text=words))


def test_an_emoji_preserves_the_depth_and_the_pixels_beside_it() -> None:
    for photo in (deep(scenery(600, 400)), with_alpha(scenery(600, 400))):
        result = apply_steps(photo, step("emoji", text="😀", place="left"))
        assert result.pixels.dtype == photo.pixels.dtype
        assert np.array_equal(result.pixels[:, 300:], photo.pixels[:, 300:])
        assert (result.pixels[:, :300] != photo.pixels[:, :300]).any()
