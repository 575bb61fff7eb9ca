import numpy as np
import pytest

from editor.engine.errors import OperationError, PlanRefused
from editor.engine.operations.add.text import require_letters
from editor.imaging.picture import Picture
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, changed, deep, light, scenery, step, with_alpha

PLACES = [
    "",
    "top",
    "bottom",
    "left",
    "right",
    "center",
    "top left",
    "top right",
    "bottom left",
    "bottom right",
]


def plain(width: int = 400, height: int = 300, level: int = 90) -> Picture:
    return Picture(np.full((height, width, 3), level, np.uint8))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "words", ["Hi", "A sentence that is far too long for one line of this photo, surely"]
)
def test_text_is_written_at_the_named_place_and_never_leaves_the_photo(place: str, words: str) -> None:
    photo = plain()
    where = changed(photo, apply_steps(photo, step("text", text=words, place=place or None)))
    rows, columns = np.nonzero(where)
    assert rows.min() >= 4
    assert rows.max() < 296
    assert columns.min() >= 4
    assert columns.max() < 396
    if len(words) == 2:
        assert ("left" in place) == (columns.mean() < 150)
        assert ("right" in place) == (columns.mean() > 250)
        assert ("top" in place) == (rows.mean() < 110)


@pytest.mark.parametrize("level", [0, 90, 170, 255])
def test_text_is_readable_on_any_background(level: int) -> None:
    photo = plain(level=level)
    result = apply_steps(photo, step("text", text="Read me"))
    assert np.ptp(result.pixels[changed(photo, result)]) > 120


def test_text_has_the_requested_color() -> None:
    result = apply_steps(plain(), step("text", text="III", color="red", place="center"))
    assert (np.abs(result.pixels.astype(int) - (214, 30, 36)).max(2) < 3).sum() > 50


def test_a_sharp_s_is_kept_and_a_decomposed_accent_looks_like_a_composed_one() -> None:
    one = apply_steps(plain(), step("text", text="Straße"))
    assert not np.array_equal(one.pixels, apply_steps(plain(), step("text", text="Strasse")).pixels)
    composed = apply_steps(plain(), step("text", text="é"))
    assert np.array_equal(composed.pixels, apply_steps(plain(), step("text", text="e\u0301")).pixels)


def test_text_for_a_box_stays_inside_the_box() -> None:
    photo = plain()
    region = Region(0.5, 0.5, 0.4, 0.3)
    where = changed(
        photo, apply_steps(photo, step("text", text="In the box", target=REGION), regions=(region,))
    )
    rows, columns = np.nonzero(where)
    assert 150 <= rows.min() <= rows.max() < 240
    assert 200 <= columns.min() <= columns.max() < 360


@pytest.mark.parametrize("words", ["Grüße", "Ελλάδα", "Привет", "שלום", "naïve — 50 €", "100 % ±½"])
def test_many_scripts_can_be_written(words: str) -> None:
    require_letters(words)


@pytest.mark.parametrize("letter", ["你", "한", "🙂", "\u200b\x07", "ก"])
def test_a_letter_that_is_missing_in_all_fonts_is_refused(letter: str) -> None:
    with pytest.raises(OperationError, match="can't write"):
        require_letters(f"a{letter}")


def test_empty_text_and_far_too_long_text_are_refused() -> None:
    for words in ("", "   ", "word " * 600):
        with pytest.raises(PlanRefused):
            apply_steps(plain(), step("text", text=words))


@pytest.mark.parametrize(("exact", "thickness"), [((12.0, "pixels"), 12), ((10.0, "percent"), 30)])
def test_a_border_has_the_exact_width_and_surrounds_the_whole_photo(
    exact: tuple[float, str], thickness: int
) -> None:
    photo = scenery(400, 300)
    result = apply_steps(photo, step("border", color="red", **{exact[1]: exact[0]})).pixels
    assert result.shape == (300 + 2 * thickness, 400 + 2 * thickness, 3)
    inside = np.zeros(result.shape[:2], bool)
    inside[thickness:-thickness, thickness:-thickness] = True
    assert np.all(result[~inside] == (214, 30, 36))
    assert np.array_equal(result[inside].reshape(photo.pixels.shape), photo.pixels)


def test_a_larger_amount_gives_a_thicker_border() -> None:
    widths = [apply_steps(scenery(), step("border", amount=amount)).width for amount in (0.2, 0.35, 0.65)]
    assert widths == sorted(set(widths))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ratio", ["16:9", "9:16", "1:1", "3:2"])
def test_the_photo_with_its_border_has_the_requested_aspect_ratio(ratio: str) -> None:
    result = apply_steps(scenery(600, 400), step("border", pixels=20.0), aspect_ratio=ratio)
    across, down = (int(part) for part in ratio.split(":"))
    assert abs(result.width / result.height - across / down) < 0.01
    for edge in (result.pixels[:19], result.pixels[-19:], result.pixels[:, :19], result.pixels[:, -19:]):
        assert np.all(edge == 255)
    assert np.any(result.pixels[22:-22, 22:-22] != 255)


@pytest.mark.parametrize("text_first", [True, False])
def test_text_is_inside_the_border_regardless_of_their_order(text_first: bool) -> None:
    text = step("text", text="Summer", place="bottom right", color="black")
    frame = step("border", color="white", pixels=30.0)
    steps = (text, frame) if text_first else (frame, text)
    bare = apply_steps(scenery(400, 300), frame)
    written = changed(bare, apply_steps(scenery(400, 300), *steps))
    rows, columns = np.nonzero(written)
    assert rows.min() > 30
    assert rows.max() < bare.height - 30
    assert columns.min() > 30
    assert columns.max() < bare.width - 30


def test_text_is_not_cut_off_by_the_requested_aspect_ratio() -> None:
    text = step("text", text="Summer", place="bottom right", color="black")
    nothing = step("brightness", amount=0.0)
    bare = apply_steps(scenery(600, 300), nothing, aspect_ratio="1:1")
    result = apply_steps(scenery(600, 300), text, nothing, aspect_ratio="1:1")
    assert result.pixels.shape == bare.pixels.shape == (300, 300, 3)
    _, columns = np.nonzero(changed(bare, result))
    assert columns.min() > 100
    assert columns.max() < 295


def test_a_border_of_zero_or_too_many_pixels_is_refused() -> None:
    for number in (0.0, 80.0, 5000.0):
        with pytest.raises(PlanRefused):
            apply_steps(scenery(), step("border", pixels=number))


def test_a_border_around_a_transparent_photo_is_opaque() -> None:
    result = apply_steps(with_alpha(scenery()), step("border", pixels=5.0)).pixels
    assert result[:5, :, 3].min() == 255


def test_a_vignette_darkens_the_corners_but_not_the_middle() -> None:
    photo = scenery()
    for picture in (photo, deep(photo)):
        result = apply_steps(picture, step("vignette")).pixels / picture.pixels.max()
        before = picture.pixels / picture.pixels.max()
        assert result[:20, :20].mean() < 0.8 * before[:20, :20].mean()
        assert np.array_equal(result[70:90, 110:130], before[70:90, 110:130])
    assert light(apply_steps(photo, step("vignette", amount=-0.5))) > light(photo)
