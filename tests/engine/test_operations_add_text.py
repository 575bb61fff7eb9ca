import unicodedata

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from editor.engine.colors import color_of
from editor.engine.errors import PlanRefused
from editor.engine.operations.add import letters
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import (
    REGION,
    apply_steps,
    carry_out_steps,
    changed,
    deep,
    scenery,
    step,
    with_alpha,
)


def plain(width: int = 400, height: int = 300, level: int = 90) -> Picture:
    return Picture(np.full((height, width, 3), level, np.uint8))


def red_letters(picture: Picture) -> NDArray[np.bool_]:
    """Return a mask of the red letters, cropped to their bounding box."""
    red = np.abs(picture.pixels[:, :, :3].astype(int) - (214, 30, 36)).max(2) < 90
    return red[np.ix_(red.any(1), red.any(0))]


def drawn_by_itself(words: str, height: int) -> NDArray[np.bool_]:
    """Draw the words with this letter height on a white sheet, and return a mask of the words."""
    font = ImageFont.truetype(letters.BOLD, round(height / letters.CAPITAL))
    sheet = Image.new("L", (1200, 400))
    ImageDraw.Draw(sheet).text((100, 100), words, 255, font)
    seen = np.asarray(sheet) > 127
    return seen[np.ix_(seen.any(1), seen.any(0))]


@pytest.mark.parametrize("words", ["Hill 24", "Straße", "Ωmega", "Привет"])
def test_the_drawn_letters_match_the_requested_text(words: str) -> None:
    edit_step = step("text", text=words, color="red", pixels=60.0, place="center")
    drawn, truth = red_letters(apply_steps(plain(900, 300), edit_step)), drawn_by_itself(words, 60)
    rows, columns = min(drawn.shape[0], truth.shape[0]), min(drawn.shape[1], truth.shape[1])
    one, other = drawn[:rows, :columns], truth[:rows, :columns]
    assert abs(drawn.shape[1] - truth.shape[1]) <= 3
    assert (one & other).sum() / (one | other).sum() > 0.8


@pytest.mark.parametrize(("exact", "height"), [((60.0, "pixels"), 60), ((10.0, "percent"), 40)])
def test_a_requested_letter_height_applies_to_capital_letters(exact: tuple[float, str], height: int) -> None:
    result = apply_steps(plain(600, 400), step("text", text="HEI", color="red", **{exact[1]: exact[0]}))
    assert abs(red_letters(result).shape[0] - height) <= 2


def test_small_usual_and_large_text_differ_in_size() -> None:
    heights = [
        red_letters(apply_steps(plain(), step("text", text="H", color="red", size=choice))).shape[0]
        for choice in ("small", None, "large")
    ]
    assert heights[0] < 0.75 * heights[1] < 0.75 * 0.75 * heights[2]


def test_text_that_is_too_large_is_made_smaller_with_a_notice() -> None:
    result = apply_steps(plain(), step("text", text="Enormous", pixels=290.0))
    assert "smaller" in result.notices[-1]


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (2, 40)])
def test_text_is_refused_on_a_photo_without_room_for_letters(size: tuple[int, int]) -> None:
    for operation in ("text", "watermark"):
        with pytest.raises(PlanRefused, match="doesn't fit"):
            apply_steps(plain(*size), step(operation, text="word"))


def test_text_on_a_transparent_area_is_visible_and_nothing_else_changes() -> None:
    photo = with_alpha(scenery(400, 300))
    result = apply_steps(photo, step("text", text="Seen", color="red", place="left"))
    letters = np.abs(result.pixels[:, :, :3].astype(int) - (214, 30, 36)).max(2) < 3
    assert letters.sum() > 100
    assert result.pixels[letters][:, 3].min() > 250
    apart = (result.pixels != photo.pixels).any(2)
    assert np.array_equal(result.pixels[~apart], photo.pixels[~apart])
    assert not apart[:, 300:].any()


def test_text_keeps_a_16_bit_photo_at_16_bits() -> None:
    photo = deep(scenery(400, 300))
    result = apply_steps(photo, step("text", text="Deep"))
    assert result.is_deep
    assert np.array_equal(result.pixels[:100], photo.pixels[:100])


def test_a_watermark_is_at_the_lower_right_and_the_photo_shows_through() -> None:
    photo = scenery(600, 400)
    result = apply_steps(photo, step("watermark", text="© Me", color="white"))
    rows, columns = np.nonzero(changed(photo, result))
    assert rows.min() > 300
    assert columns.min() > 300
    assert (result.pixels[changed(photo, result)] == 255).mean() < 0.1


def test_a_stronger_watermark_covers_more() -> None:
    photo = plain(600, 400)
    lights = [
        int(apply_steps(photo, step("watermark", text="III", color="white", amount=amount)).pixels.max())
        for amount in (0.2, 0.5, 0.9)
    ]
    assert lights == sorted(set(lights))
    assert abs(lights[1] - (90 + 0.5 * 165)) < 8


def test_a_tiled_watermark_covers_the_photo_evenly() -> None:
    photo = plain(900, 600)
    where = changed(photo, apply_steps(photo, step("watermark", text="Sample", tiled=True)))
    blocks = where.reshape(3, 200, 3, 300).mean((1, 3))
    assert 0.05 < where.mean() < 0.5
    assert blocks.min() > 0.6 * where.mean()
    assert blocks.max() < 1.4 * where.mean()


def test_a_watermark_in_a_box_stays_inside() -> None:
    photo, region = plain(), Region(0.1, 0.1, 0.5, 0.3)
    result = apply_steps(photo, step("watermark", text="Mine", target=REGION), regions=(region,))
    rows, columns = np.nonzero(changed(photo, result))
    assert 30 <= rows.min() <= rows.max() < 120
    assert 40 <= columns.min() <= columns.max() < 240


def test_variations_of_a_watermark_differ_in_strength() -> None:
    made = carry_out_steps(plain(), step("watermark", text="Mine"), outputs=3)
    assert len({int(picture.pixels.astype(int).sum()) for picture in made}) == 3


def test_the_refusal_names_a_letter_that_is_missing_in_all_fonts() -> None:
    letter = "你"
    with pytest.raises(PlanRefused, match=unicodedata.name(letter).lower()):
        apply_steps(plain(), step("watermark", text=letter))


def rows_of(picture: Picture, color: tuple[int, int, int]) -> tuple[int, int]:
    rows = np.nonzero((np.abs(picture.pixels.astype(int) - color).max(2) < 60).any(1))[0]
    return int(rows.min()), int(rows.max())


@pytest.mark.parametrize("place", [None, "bottom left", "top", "center", "top right"])
def test_texts_at_the_same_place_are_stacked_vertically(place: str | None) -> None:
    first = step("text", text="First", color="red", place=place)
    second = step("text", text="Second", color="blue", place=place)
    both = apply_steps(plain(), first, second)
    alone = [apply_steps(plain(), each) for each in (first, second)]
    shades = [color_of(name) for name in ("red", "blue")]
    (top, bottom), (top_of_second, bottom_of_second) = (rows_of(both, shade) for shade in shades)
    assert bottom - top == np.ptp(rows_of(alone[0], shades[0]))
    assert bottom_of_second - top_of_second == np.ptp(rows_of(alone[1], shades[1]))
    assert bottom < top_of_second


def test_text_emoji_and_watermarks_do_not_cover_each_other() -> None:
    text_, heart = (
        step("text", text="Hi", color="blue", place="bottom right"),
        step("emoji", text="❤", place="bottom right"),
    )
    mark = step("watermark", text="mine", amount=1.0)
    for one, other in ((text_, heart), (text_, mark), (mark, heart)):
        both = apply_steps(plain(), one, other)
        seen = [changed(plain(), apply_steps(plain(), each)).sum() for each in (one, other)]
        assert changed(plain(), both).sum() > 0.93 * sum(seen)


def test_a_text_without_room_beside_other_texts_is_refused() -> None:
    box = (Region(0.3, 0.3, 0.3, 0.3),)
    one = step("text", text="Hill", target=REGION, size="large")
    assert changed(plain(), apply_steps(plain(), one, regions=box)).any()
    with pytest.raises(PlanRefused, match="enough room"):
        apply_steps(plain(), *[one] * 6, regions=box)


def ground_of(picture: Picture, color: str) -> tuple[int, int, int, int]:
    """Return the left, top, right, and bottom edges of the pixels that have exactly this color."""
    rows, columns = np.nonzero((picture.pixels[:, :, :3] == color_of(color)).all(2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def test_a_ground_surrounds_the_text_on_all_sides_and_nothing_else_changes() -> None:
    photo = scenery(600, 400)
    result = apply_steps(photo, step("text", text="Fresh bread", color="white", ground="blue", place="top"))
    left, top, right, bottom = ground_of(result, "blue")
    letters = (result.pixels == 255).all(2) & changed(photo, result)
    rows, columns = np.nonzero(letters)
    assert left + 8 < columns.min() <= columns.max() < right - 8
    assert top + 8 < rows.min() <= rows.max() < bottom - 8
    where = changed(photo, result)
    where[top:bottom, left:right] = False
    assert not where.any()


def test_letters_without_a_color_contrast_with_their_ground() -> None:
    for ground, is_dark in (("yellow", True), ("white", True), ("black", False), ("red", False)):
        result = apply_steps(plain(), step("text", text="II", ground=ground))
        left, top, right, bottom = ground_of(result, ground)
        lights = result.pixels[top:bottom, left:right].mean(2)
        assert lights.min() < 40 if is_dark else lights.max() > 240


@pytest.mark.parametrize(("level", "is_dark"), [(140, False), (170, True)])
def test_letters_on_photos_grounds_and_bubbles_change_their_color_at_the_same_lightness(
    level: int, is_dark: bool
) -> None:
    color = f"#{level:02x}{level:02x}{level:02x}"
    for photo, edit_step in (
        (plain(level=level), step("text", text="II")),
        (plain(), step("text", text="II", ground=color)),
        (plain(), step("speech_bubble", text="II", color=color)),
    ):
        drawn = apply_steps(photo, edit_step).pixels
        letter = (20, 20, 20) if is_dark else (255, 255, 255)
        assert (drawn == letter).all(2).sum() > 40, edit_step.operation


def test_a_banner_is_as_wide_as_the_photo_or_the_marked_box() -> None:
    edit_step = step("text", text="Sold", ground="red", banner=True, place="bottom")
    left, top, right, bottom = ground_of(apply_steps(plain(), edit_step), "red")
    assert (left, right) == (0, 400)
    assert 200 < top < bottom <= 300
    marked = step("text", REGION, text="Sold", ground="red", banner=True)
    left, _, right, _ = ground_of(apply_steps(plain(), marked, regions=(Region(0.25, 0.2, 0.5, 0.5),)), "red")
    assert (left, right) == (100, 300)


def test_a_ground_stays_inside_the_photo_and_clear_of_other_texts() -> None:
    edit_step = [
        step("text", text="A long line of text that wraps", size="large", ground=ground, place="bottom right")
        for ground in ("red", "blue")
    ]
    result = apply_steps(plain(600, 400), *edit_step)
    (_, top, right, bottom), (_, next_top, next_right, next_bottom) = (
        ground_of(result, ground) for ground in ("red", "blue")
    )
    assert max(right, next_right) < 600
    assert max(bottom, next_bottom) < 400
    assert bottom <= next_top or next_bottom <= top


def test_a_ground_grows_with_the_text_so_that_a_small_photo_shows_it_alike() -> None:
    edit_step = step("text", text="Open", ground="red", place="left")
    small, large = (ground_of(apply_steps(plain(400 * by, 300 * by), edit_step), "red") for by in (1, 3))
    assert np.abs(np.array(small) - np.array(large) / 3).max() <= 3


def test_a_ground_keeps_16_bits_and_covers_transparent_pixels() -> None:
    edit_step = step("text", text="Deep", ground="red", place="left")
    assert apply_steps(deep(scenery(400, 300)), edit_step).is_deep
    result = apply_steps(with_alpha(scenery(400, 300)), edit_step)
    left, top, right, bottom = ground_of(result, "red")
    assert result.pixels[top:bottom, left:right, 3].min() == 255
