"""Tests for replacing text with other text, on signs that the tests draw."""

from typing import Any, cast

import cv2
import numpy as np
import pytest
from PIL import Image, ImageChops, ImageDraw

from editor.engine.errors import PlanRefused
from editor.engine.operations.add import text_instead
from editor.engine.operations.add.letters import BOLD, REGULAR, font_of
from editor.engine.plan import Reason, Target
from editor.engine.vision.text import read_text
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.pictures import REGION, apply_steps, changed, deep, scenery, step, with_alpha

INK, GROUND = (190, 30, 40), (235, 228, 210)
WIDTH, HEIGHT = 480, 240
HERE = (WIDTH // 2, HEIGHT // 2)


def drawn(text: str, angle: float = 0, size: int = 56, at: tuple[int, int] = HERE, font: Any = BOLD) -> Bytes:
    """Return the coverage, from 0 to 255, of text that is rotated clockwise and centered at `at`."""
    sheet = Image.new("L", (WIDTH, HEIGHT))
    ImageDraw.Draw(sheet).text(at, text, 255, font_of(font, size), anchor="ms")
    left, _, right, _ = sheet.point(lambda value: 255 * (value > 127)).getbbox() or (0, 0, 0, 0)
    sheet = ImageChops.offset(sheet, round(at[0] - (left + right) / 2), 0)
    return np.asarray(sheet.rotate(-angle, Image.Resampling.BICUBIC, center=at))


def painted(coverage: Bytes, ink: Any = INK, ground: Any = GROUND, rough: float = 2) -> Picture:
    """Paint the covered pixels in a color on a grainy background, which is drawn or is a photo."""
    below = np.broadcast_to(np.asarray(ground, np.float32), (HEIGHT, WIDTH, 3))
    share = coverage[:, :, None] / np.float32(255)
    pixels = below + share * (np.array(ink) - below)
    pixels = pixels + np.random.default_rng(2).normal(0, rough, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def around(coverage: Bytes, margin: int = 10) -> Region:
    left, top, width, height = cv2.boundingRect((coverage > 60).astype(np.uint8))
    sides = (left - margin, top - margin, width + 2 * margin, height + 2 * margin)
    x, y, w, h = (side / full for side, full in zip(sides, (WIDTH, HEIGHT) * 2, strict=True))
    return Region(x, y, w, h)


def rewritten(photo: Picture, text: str, box: Region | None, **fields: Any) -> Picture:
    target = REGION if box else Target("text")
    edit_step = step("text_instead", text=text, **{"target": target} | fields)
    return apply_steps(photo, edit_step, regions=(box,) if box else ())


def ink_of(photo: Picture, ink: Any = INK, ground: Any = GROUND) -> Bytes:
    """Return a 0/1 mask of the pixels that are closer in color to the letters than to the background."""
    colors = photo.pixels[:, :, :3].astype(np.float32)
    apart = [np.linalg.norm(colors - np.array(color), axis=2) for color in (ink, ground)]
    return cast(Bytes, (apart[0] < apart[1]).astype(np.uint8))


def overlap(one: Bytes, other: Bytes) -> float:
    return float((one & other).sum()) / max(1.0, float((one | other).sum()))


@pytest.mark.parametrize("angle", [0, 9, -21])
@pytest.mark.parametrize(
    ("ink", "ground"), [(INK, GROUND), ((245, 240, 235), (40, 70, 120)), ((60, 140, 60), (165, 90, 90))]
)
def test_the_new_text_is_written_where_the_old_one_was(angle: float, ink: Any, ground: Any) -> None:
    old, new = drawn("LUNCH", angle), drawn("NIGHT", angle)
    result = rewritten(painted(old, ink, ground), "NIGHT", around(old), old="LUNCH")
    written = ink_of(result, ink, ground)
    assert overlap(written, (new > 127).astype(np.uint8)) > 0.75
    assert overlap(written, (old > 127).astype(np.uint8)) < 0.5


def with_a_shirt(monkeypatch: pytest.MonkeyPatch, columns: slice) -> None:
    """Make the search for a shirt find it in these columns."""
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    mask[:, columns] = 1
    monkeypatch.setattr(text_instead, "target_mask", lambda canvas, target: mask)


def test_the_text_on_a_named_thing_is_replaced_and_other_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    shirt, sign = drawn("LUNCH", size=44, at=(120, 120)), drawn("STREET", size=44, at=(360, 120))
    before = painted(np.maximum(shirt, sign))
    with_a_shirt(monkeypatch, slice(0, WIDTH // 2))
    after = rewritten(before, "NIGHT", None, target=Target("thing", noun="shirt"))
    assert {line.text for line in read_text(after)} == {"NIGHT", "STREET"}
    assert not changed(before, after)[:, WIDTH // 2 :].any()


def test_a_thing_without_text_is_refused_although_there_is_text_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_a_shirt(monkeypatch, slice(0, WIDTH // 2))
    before = painted(drawn("STREET", size=44, at=(360, 120)))
    with pytest.raises(PlanRefused, match="can't find the text there"):
        rewritten(before, "NIGHT", None, target=Target("thing", noun="shirt"))


def test_nothing_changes_outside_the_box() -> None:
    old = drawn("LUNCH")
    photo, box = painted(old), around(old)
    left, top = round(box.x * WIDTH), round(box.y * HEIGHT)
    right, bottom = round((box.x + box.w) * WIDTH), round((box.y + box.h) * HEIGHT)
    outside = changed(photo, rewritten(photo, "DINNER TIME", box))
    outside[top:bottom, left:right] = False
    assert not outside.any()


def test_the_new_letters_are_as_bold_as_the_old_ones() -> None:
    shares = []
    for font in (BOLD, REGULAR):
        old = drawn("LUNCH", font=font)
        shares.append(ink_of(rewritten(painted(old), "NIGHT", around(old), old="LUNCH")).mean())
        assert shares[-1] == pytest.approx((drawn("NIGHT", font=font) > 127).mean(), rel=0.15)
    assert shares[0] > 1.3 * shares[1]


def test_the_new_text_is_as_high_as_an_old_text_that_is_not_quoted() -> None:
    old, new = drawn("LUNCH"), drawn("NIGHT")
    written = ink_of(rewritten(painted(old), "NIGHT", around(old)))
    assert cv2.boundingRect(written)[3] == pytest.approx(cv2.boundingRect(new)[3], abs=3)


def test_a_long_text_is_made_smaller_to_fit_the_old_width() -> None:
    old = drawn("LUNCH")
    written = ink_of(rewritten(painted(old), "BREAKFAST AND SUPPER", around(old)))
    wide, tall = cv2.boundingRect(written)[2:]
    assert wide <= cv2.boundingRect(old)[2] + 20
    assert 8 <= tall < 0.6 * cv2.boundingRect(old)[3]


def test_each_new_word_is_written_on_the_line_of_the_old_word() -> None:
    old = np.maximum(drawn("OLD", at=(240, 100)), drawn("TOWN", at=(240, 170)))
    new = np.maximum(drawn("NEW", at=(240, 100)), drawn("CITY", at=(240, 170)))
    written = ink_of(rewritten(painted(old), "NEW CITY", around(old)))
    assert overlap(written, (new > 127).astype(np.uint8)) > 0.5
    assert not written[102:127].any()


def test_the_requested_color_is_used() -> None:
    old = drawn("LUNCH")
    result = rewritten(painted(old), "NIGHT", around(old), color="blue")
    inside = result.pixels[drawn("NIGHT") > 250].astype(int)
    assert (inside[:, 2] - inside[:, 0]).mean() > 80


@pytest.mark.slow
def test_the_photo_behind_the_old_text_is_restored() -> None:
    truth = scenery(WIDTH, HEIGHT)
    old = drawn("LUNCH")
    photo = painted(old, (255, 255, 255), truth.pixels, rough=0)
    result = rewritten(photo, "NIGHT", around(old), old="LUNCH")
    gone = (old > 60) & (drawn("NIGHT") == 0)
    gone &= cv2.dilate(drawn("NIGHT"), np.ones((9, 9), np.uint8)) == 0
    assert gone.any()
    assert np.abs(result.pixels[gone].astype(int) - truth.pixels[gone]).mean() < 14


def test_the_only_line_of_text_in_a_photo_needs_no_box() -> None:
    old = drawn("ABERDEEN 4711", size=18)
    result = rewritten(painted(old), "DUNDEE 0815", None, old="ABERDEEN 4711")
    new = drawn("DUNDEE 0815", size=18)
    assert overlap(ink_of(result), (new > 127).astype(np.uint8)) > 0.35
    assert overlap(ink_of(result), (old > 127).astype(np.uint8)) < 0.35


def refusal(photo: Picture, text: str, box: Region | None, **fields: Any) -> PlanRefused:
    with pytest.raises(PlanRefused) as refused:
        rewritten(photo, text, box, **fields)
    return refused.value


def test_two_lines_of_text_need_a_quote_or_a_box() -> None:
    both = np.maximum(
        drawn("ABERDEEN 4711", size=18, at=(240, 60)), drawn("DUNDEE 0815", size=18, at=(240, 180))
    )
    refused = refusal(painted(both), "PERTH", None)
    assert refused.refusals[0].reason is Reason.AMBIGUOUS
    assert "Quote the old text too, or draw a box around it." in str(refused)


def test_a_quoted_text_that_is_not_in_the_photo_is_refused() -> None:
    refused = refusal(painted(drawn("ABERDEEN 4711", size=18)), "PERTH", None, old="FIVE")
    assert "can't find the text “FIVE”" in str(refused)


@pytest.mark.parametrize("photo", [painted(np.zeros((HEIGHT, WIDTH), np.uint8)), scenery(WIDTH, HEIGHT)])
def test_a_box_without_letters_is_refused(photo: Picture) -> None:
    refused = refusal(photo, "NIGHT", Region(0.2, 0.2, 0.6, 0.6))
    assert refused.refusals[0].reason is Reason.LOW_CONFIDENCE
    assert "I can't make out any letters in the box." in str(refused)


def test_disks_are_not_mistaken_for_letters() -> None:
    disks = np.zeros((HEIGHT, WIDTH), np.uint8)
    for x in range(120, 400, 60):
        cv2.circle(disks, (x, 120), 24, 255, -1, cv2.LINE_AA)
    assert "any letters" in str(refusal(painted(disks), "NIGHT", around(disks)))


def test_text_that_would_be_too_small_to_read_is_refused() -> None:
    old = drawn("TEA", size=20)
    refused = refusal(painted(old), "A very long sentence that does not fit in there", around(old, 4))
    assert refused.refusals[0].reason is Reason.TOO_LARGE
    assert "too small to read" in str(refused)


def test_the_refusal_names_a_letter_that_is_missing_in_all_fonts() -> None:
    old = drawn("LUNCH")
    assert "“\u0e01”" in str(refusal(painted(old), "\u0e01", around(old)))


def test_alpha_and_16_bits_per_channel_are_preserved() -> None:
    old = drawn("LUNCH")
    photo = with_alpha(painted(old))
    assert np.array_equal(rewritten(photo, "NIGHT", around(old)).pixels[:, :, 3], photo.pixels[:, :, 3])
    result = rewritten(deep(painted(old)), "NIGHT", around(old)).pixels
    assert result.dtype == np.uint16
    assert len(np.unique(result)) > 256


def test_the_same_request_gives_the_same_pixels() -> None:
    old = drawn("LUNCH", 9)
    one, other = (rewritten(painted(old), "NIGHT", around(old)) for _ in range(2))
    assert np.array_equal(one.pixels, other.pixels)


def test_only_the_quoted_one_of_two_lines_changes() -> None:
    photo = painted(
        np.maximum(drawn("ABERDEEN", size=30, at=(240, 60)), drawn("DUNDEE", size=30, at=(240, 180)))
    )
    result = rewritten(photo, "PERTH", None, old="dundee")
    assert [line.text for line in read_text(result)] == ["ABERDEEN", "PERTH"]


def test_only_the_quoted_word_of_a_line_changes() -> None:
    result = rewritten(painted(drawn("FRESH COFFEE", size=30)), "TEA", None, old="coffee")
    assert "".join(line.text for line in read_text(result)).replace(" ", "") == "FRESHTEA"


def test_a_date_is_not_taken_for_a_sign() -> None:
    photo = painted(drawn("21 08 2011", size=30))
    assert "can't find the text on a sign" in str(refusal(photo, "Closed", None, of="sign"))
    result = rewritten(photo, "24 12 1999", None, of="date")
    assert [line.text for line in read_text(result)] == ["24 12 1999"]
