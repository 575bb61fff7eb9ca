import json
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

from editor.engine import run
from editor.engine.canvas import box_of
from editor.engine.errors import PlanRefused
from editor.engine.plan import Plan, Reason, Refusal, Step, Target
from editor.imaging import codecs, stored_photos
from editor.imaging.picture import Bytes, Picture, Pixels
from editor.imaging.sandbox import EDIT, Sandbox
from editor.options import EditOptions, Region
from editor.sentences import Sentence, from_json_data
from tests.engine.people import portrait
from tests.engine.pictures import (
    REGION,
    apply_steps,
    ball,
    carry_out_steps,
    changed,
    light,
    scenery,
    step,
    with_alpha,
)

GREY = step("black_and_white")
LOST = step("brightness", target=Target("thing", color="blue", noun="car"), words=(0, 2))


def test_steps_are_carried_out_in_their_order() -> None:
    grey_last = apply_steps(
        scenery(), step("recolor", target=REGION, color="red"), GREY, regions=(Region(0, 0, 1, 1),)
    )
    assert np.ptp(grey_last.pixels, axis=2).max() == 0


def test_the_same_plan_and_photo_give_the_same_pixels() -> None:
    steps = (step("blur_background"), step("enhance"), step("text", text="Hi"))
    assert np.array_equal(apply_steps(ball(), *steps).pixels, apply_steps(ball(), *steps).pixels)


@pytest.mark.parametrize(
    "operation", ["blur_background", "erase", "sharpness", "drawn_background", "smooth_skin", "white_balance"]
)
def test_an_edit_in_two_threads_gives_the_same_pixels(
    operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = portrait()
    results = []
    for has_room in (False, True):
        monkeypatch.setattr(run, "has_room_for_two", lambda has_room=has_room: has_room)
        values = {"scene": "beach"} if operation == "drawn_background" else {}
        target = Target("face") if operation == "erase" else Target()
        results.append(apply_steps(photo, step(operation, target=target, **values)).pixels)
    one, other = results
    assert np.array_equal(one, other)


def test_the_photo_itself_is_never_changed() -> None:
    photo = scenery()
    before = photo.pixels.copy()
    apply_steps(photo, GREY, step("border"), step("text", text="x"), step("vignette"))
    assert np.array_equal(photo.pixels, before)


def test_variations_differ_and_the_first_is_as_asked() -> None:
    photo = scenery()
    made = carry_out_steps(photo, step("brightness", amount=0.35), outputs=4)
    assert np.array_equal(made[0].pixels, apply_steps(photo, step("brightness", amount=0.35)).pixels)
    lights = [light(picture) for picture in made]
    assert len(set(lights)) == 4
    assert all(value > light(photo) for value in lights)


def test_variations_that_cannot_differ_give_a_notice() -> None:
    made = carry_out_steps(scenery(), step("flip", axis="vertical"), outputs=2)
    assert np.array_equal(made[0].pixels, made[1].pixels)
    assert "only one way" in made[0].notices[-1]


def test_more_results_than_there_are_variations_are_refused() -> None:
    with pytest.raises(PlanRefused, match="at most 4 results"):
        carry_out_steps(scenery(), GREY, outputs=5)


def test_a_step_that_names_a_box_on_another_photo_is_refused() -> None:
    here, there = Region(0, 0, 0.5, 0.5), Region(0, 0, 0.5, 0.5, image=2)
    dark = step("brightness", target=Target("region", boxes=(2,)), amount=-1.0)
    for target in (Target("region", boxes=(2,)), Target("region", boxes=(1, 2))):
        with pytest.raises(PlanRefused, match="no box on this photo") as caught:
            carry_out_steps(
                scenery(), replace(dark, target=target), photos=(scenery(),), regions=(here, there)
            )
        assert caught.value.refusals[0].reason is Reason.NEEDS_REGION
    with pytest.raises(PlanRefused, match="no box on this photo"):
        carry_out_steps(scenery(), replace(dark, target=Target("region")), photos=(ball(),), regions=(there,))


def test_a_box_keeps_its_number_beside_boxes_on_other_photos() -> None:
    photo, there, here = scenery(), Region(0, 0, 0.5, 0.5, image=2), Region(0.5, 0, 0.5, 1)
    dark = step("brightness", target=Target("region", boxes=(2,)), amount=-1.0)
    result = apply_steps(photo, dark, photos=(ball(),), regions=(there, here))
    where = changed(photo, result)
    assert where[:, 120:].any()
    assert not where[:, :120].any()


@pytest.mark.parametrize("operation", ["hide_faces", "blemishes", "smooth_skin", "erase_text", "red_eye"])
@pytest.mark.parametrize("sides", [(1, 1), (8, 5), (24, 24)])
def test_a_box_at_the_edge_of_a_tiny_photo_contains_a_pixel(operation: str, sides: tuple[int, int]) -> None:
    photo = Picture(np.full((*sides, 3), 128, np.uint8))
    marked = step(operation, target=Target("region", boxes=(1,)), amount=0.5)
    corner = Region(0.98, 0.98, 0.02, 0.02)
    box = box_of(corner, photo)
    assert box is not None
    assert (box.width, box.height) == (1, 1)
    try:
        assert apply_steps(photo, marked, regions=(corner,)).pixels.shape == photo.pixels.shape
    except PlanRefused:
        assert operation != "hide_faces"


def test_an_impossible_step_makes_the_whole_plan_refused() -> None:
    with pytest.raises(PlanRefused) as caught:
        carry_out_steps(scenery(), GREY, LOST)
    refusal = caught.value.refusals[0]
    assert (refusal.words, refusal.reason) == ("do", Reason.NO_SUCH_TARGET)
    assert caught.value.message == "“do”: I can't find anything blue here. Draw a box around the car."


def test_a_partial_plan_does_the_rest_and_says_what_was_left_out() -> None:
    photo = ball()
    result = carry_out_steps(photo, GREY, LOST, partial=True)[0]
    assert changed(photo, result).any()
    assert result.notices[0].startswith("I left out “do”")
    with pytest.raises(PlanRefused):
        carry_out_steps(photo, LOST, partial=True)


def test_a_partial_plan_gives_a_notice_about_words_that_were_not_understood() -> None:
    refusal = Refusal("add sparkles", Reason.UNKNOWN_WORD, Sentence("Say it in other words."))
    plan = Plan("grey and add sparkles", (GREY,), (refusal,), partial=True)
    (result,) = run.carry_out(plan, [scenery()], EditOptions())
    assert result.notices == ("I left out “add sparkles”. Say it in other words.",)


CUT = step("transparent_background", words=(0, 2))


def test_a_transparent_background_for_jpeg_is_refused_or_left_out() -> None:
    with pytest.raises(PlanRefused, match="JPEG doesn't support transparency"):
        carry_out_steps(ball(), CUT, GREY, output_format="jpeg")
    with pytest.raises(PlanRefused, match="JPEG doesn't support transparency"):
        carry_out_steps(ball(), CUT, partial=True, output_format="jpeg")
    (result,) = carry_out_steps(ball(), CUT, GREY, partial=True, output_format="jpeg")
    assert result.notices == ("I left out “do”: JPEG doesn't support transparency. Choose PNG or WebP.",)
    assert np.array_equal(result.pixels, apply_steps(ball(), GREY).pixels)


def test_a_file_format_in_the_prompt_overrides_the_chosen_format(tmp_path: Path) -> None:
    codecs.save(ball(), tmp_path / "in.png", "png")
    as_jpeg = step("file_format", file_format="jpeg")
    chosen = EditOptions(output_format="webp").as_json()
    plan = Plan("as a jpeg", (GREY, as_jpeg)).as_json()
    (output,) = run.edit_files(plan, [str(tmp_path / "in.png")], chosen, str(tmp_path / "out"))["outputs"]
    assert (output["media_type"], output["path"]) == ("image/jpeg", str(tmp_path / "out-1.jpg"))
    with pytest.raises(PlanRefused, match="JPEG doesn't support transparency"):
        carry_out_steps(ball(), CUT, as_jpeg)


def test_a_cutout_with_a_new_background_can_be_a_jpeg() -> None:
    blue = step("solid_background", color="blue")
    result = apply_steps(ball(), CUT, GREY, blue, output_format="jpeg")
    assert np.array_equal(result.pixels, apply_steps(ball(), GREY, blue).pixels)
    assert result.notices == ()


def test_a_notice_says_that_transparent_areas_became_white() -> None:
    photo, told = (
        with_alpha(scenery()),
        "Transparent areas are now white because JPEG doesn't support transparency.",
    )
    assert apply_steps(photo, GREY, output_format="jpeg").notices == (told,)
    assert apply_steps(photo, GREY, output_format="png").notices == ()
    whole = cast(Bytes, np.dstack([scenery().pixels, np.full((160, 240), 255, np.uint8)]))
    assert apply_steps(Picture(whole), GREY, output_format="jpeg").notices == ()


@pytest.mark.parametrize("ratio", ["9:16", "1:1", "21:9"])
def test_a_sticker_is_not_cut_off_by_the_requested_aspect_ratio(ratio: str) -> None:
    photo = Picture(np.full((300, 600, 3), 120, np.uint8))
    blue = Picture(np.tile(np.array([10, 40, 230], np.uint8), (80, 80, 1)))
    result = apply_steps(photo, step("sticker", photo=2), photos=(blue,), aspect_ratio=ratio)
    seen = (np.abs(result.pixels.astype(int) - (10, 40, 230)) < 3).all(2)
    side = 0.36 * min(result.width, result.height)
    assert abs(seen.sum() - side**2) < 4 * side


@pytest.mark.parametrize("ratio", ["1:1", ""])
def test_a_vignette_fits_the_final_shape_of_the_photo(ratio: str) -> None:
    photo = Picture(np.full((300, 900, 3), 200, np.uint8))
    crop = () if ratio else (step("crop", ratio="1:1"),)
    result = apply_steps(photo, step("vignette"), *crop, aspect_ratio=ratio)
    assert (result.width, result.height) == (300, 300)
    for corner in (result.pixels[0, 0], result.pixels[0, -1], result.pixels[-1, 0]):
        assert corner.max() < 0.8 * 200
    assert result.pixels[150, 150].min() == 200


@pytest.mark.slow
def test_the_shadow_of_a_subject_falls_on_its_new_background() -> None:
    white = step("solid_background", color="white")
    shadow = step("shadow", target=Target("subject"))
    first, last = apply_steps(ball(), shadow, white), apply_steps(ball(), white, shadow)
    assert np.array_equal(first.pixels, last.pixels)
    assert changed(apply_steps(ball(), white), first).mean() > 0.02


@pytest.mark.slow
def test_a_face_is_found_even_if_the_photo_is_rotated_first() -> None:
    turn = step("rotate", degrees=90.0)
    bright = step("brightness", amount=0.5, target=Target("face"))
    turned = apply_steps(portrait(), turn).pixels.astype(np.int16)
    # The detector also finds a face that lies on its side, but with a smaller box.
    lying_face, upright_face = (
        (np.abs(apply_steps(portrait(), *steps).pixels - turned) > 8).any(2)
        for steps in ((turn, bright), (bright, turn))
    )
    assert lying_face.any()
    assert (lying_face & upright_face).sum() > 0.9 * lying_face.sum()
    lying = cast(Pixels, np.ascontiguousarray(np.rot90(portrait().pixels)))
    upright = apply_steps(Picture(lying), turn, bright)
    assert np.array_equal(upright.pixels, apply_steps(portrait(), bright).pixels)


def test_a_named_place_refers_to_the_rotated_photo() -> None:
    turn = step("rotate", degrees=90.0)
    bright = step("brightness", amount=0.5, target=Target("face", place="left"))
    photo = portrait(left=0, top=20)
    assert apply_steps(photo, bright)
    with pytest.raises(PlanRefused, match="can't find a face"):
        apply_steps(photo, turn, bright)


def test_a_plan_that_was_not_accepted_is_refused_with_its_own_message() -> None:
    refusal = Refusal("add sparkles", Reason.UNKNOWN_WORD, Sentence("Say it in other words."))
    plan = Plan("add sparkles", (), (refusal,), message=Sentence("Not understood: add sparkles."))
    with pytest.raises(PlanRefused, match="Not understood") as caught:
        run.carry_out(plan, [scenery()], EditOptions())
    assert caught.value.refusals == (refusal,)


def test_an_operation_that_does_not_exist_is_refused() -> None:
    plan = {"instruction": "x", "steps": [{"operation": "sparkle"}], "not_understood": [], "message": ""}
    with pytest.raises(PlanRefused, match="no operation"):
        run.edit_files(plan, [], EditOptions().as_json(), "")


def test_progress_rises_to_one() -> None:
    seen: list[float] = []
    plan = Plan("x", (GREY, GREY))
    run.carry_out(plan, [scenery()], EditOptions(outputs=2), on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def edit(tmp_path: Path, steps: tuple[Step, ...], **options: Any) -> dict[str, Any]:
    codecs.save(scenery(), tmp_path / "in.png", "png")
    plan = json.loads(json.dumps(Plan("do it", steps).as_json()))
    chosen = EditOptions(**options).as_json()
    answer = run.edit_files(plan, [str(tmp_path / "in.png")], chosen, str(tmp_path / "out"))
    return answer | {"notices": list(map(from_json_data, answer["notices"]))}


def test_an_invisible_change_is_refused(tmp_path: Path) -> None:
    faint = step("brightness", amount=0.0)
    with pytest.raises(PlanRefused, match="makes no visible difference in this photo") as caught:
        edit(tmp_path, (faint,))
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET
    assert not (tmp_path / "out-1.png").exists()


@pytest.mark.parametrize(
    ("operation", "level"),
    [
        *((name, 128) for name in ("saturation", "vibrance", "clarity", "sharpness", "denoise", "blur")),
        *((name, 128) for name in ("contrast", "black_and_white", "white_balance", "pixelate")),
        *((name, 0) for name in ("exposure", "highlights", "shadows", "brightness", "warmth")),
        *((name, 255) for name in ("exposure", "shadows", "brightness", "light_rays", "lens_flare")),
        *((name, 255) for name in ("sparkles", "bokeh_lights")),
    ],
)
def test_an_operation_without_an_effect_on_a_photo_is_refused(
    operation: str, level: int, tmp_path: Path
) -> None:
    codecs.save(Picture(np.full((120, 180, 3), level, np.uint8)), tmp_path / "in.png", "png")
    plan = json.loads(json.dumps(Plan("do it", (step(operation, amount=0.5),)).as_json()))
    with pytest.raises(PlanRefused, match="makes no visible difference in this photo"):
        run.edit_files(plan, [str(tmp_path / "in.png")], EditOptions().as_json(), str(tmp_path / "out"))
    assert not list(tmp_path.glob("out*"))


def test_a_moon_in_a_white_sky_is_refused(tmp_path: Path) -> None:
    codecs.save(Picture(np.full((120, 180, 3), 255, np.uint8)), tmp_path / "in.png", "png")
    plan = json.loads(
        json.dumps(Plan("do it", (step("moon", target=Target("region", boxes=(1,))),)).as_json())
    )
    upper = EditOptions(regions=(Region(0, 0, 1, 0.5),)).as_json()
    with pytest.raises(PlanRefused, match="makes no visible difference in this photo"):
        run.edit_files(plan, [str(tmp_path / "in.png")], upper, str(tmp_path / "out"))


def test_one_of_several_steps_may_change_nothing_with_a_notice(tmp_path: Path) -> None:
    assert edit(tmp_path, (GREY,))["notices"] == []
    answer = edit(tmp_path, (GREY, step("saturation", amount=-0.5)))
    assert answer["notices"] == ["“saturation”: This makes no visible difference in this photo."]


def test_a_new_file_format_counts_as_a_change(tmp_path: Path) -> None:
    assert edit(tmp_path, (step("file_format", file_format="webp"),))["notices"] == []


@pytest.mark.parametrize("output_format", ["png", "jpeg", "webp"])
def test_files_have_the_requested_format(output_format: str, tmp_path: Path) -> None:
    answer = edit(tmp_path, (GREY,), output_format=output_format, outputs=2)
    assert len(answer["outputs"]) == 2
    for output in answer["outputs"]:
        path, view_scale = output.pop("path"), output.pop("view_scale")
        assert view_scale == 1
        assert output.items() <= stored_photos.verify_result(path, str(tmp_path / "proof")).items()
    assert answer == json.loads(json.dumps(answer))


@pytest.mark.slow
def test_the_same_edit_gives_the_same_file_each_time(tmp_path: Path) -> None:
    steps = (step("enhance"), step("erase", target=REGION))
    first = edit(tmp_path, steps, regions=(Region(0.2, 0.2, 0.12, 0.12),))
    assert first == edit(tmp_path, steps, regions=(Region(0.2, 0.2, 0.12, 0.12),))


def test_a_notice_appears_only_once_for_several_results(tmp_path: Path) -> None:
    answer = edit(tmp_path, (step("flip"),), outputs=3)
    assert len(answer["notices"]) == 1


def test_identical_variations_are_encoded_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []
    save = codecs.save

    def counting(picture: Picture, path: str, output_format: str, quality: int) -> dict[str, Any]:
        encoded.append(path)
        return save(picture, path, output_format, quality)

    monkeypatch.setattr(run, "save", counting)
    same = edit(tmp_path, (step("flip"),), outputs=4)
    assert len(encoded) == 1
    assert len({output["path"] for output in same["outputs"]}) == 4
    assert len({Path(output["path"]).read_bytes() for output in same["outputs"]}) == 1
    encoded.clear()
    unlike = edit(tmp_path, (step("brightness", amount=0.3),), outputs=4)
    assert len(encoded) == 4
    assert len({output["sha256"] for output in unlike["outputs"]}) == 4
    assert unlike["notices"] == []


def test_a_variation_is_let_go_before_the_next_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[weakref.ref[Any]] = []
    alive: list[int] = []
    save, one = codecs.save, run._carry_out_variation

    def saving(picture: Picture, path: str, output_format: str, quality: int) -> dict[str, Any]:
        written.append(weakref.ref(picture.pixels))
        return save(picture, path, output_format, quality)

    def making(*given: Any) -> Picture:
        alive.append(sum(pixels() is not None for pixels in written))
        return one(*given)

    monkeypatch.setattr(run, "save", saving)
    monkeypatch.setattr(run, "_carry_out_variation", making)
    codecs.save(ball(), tmp_path / "in.png", "png")
    blurred = Plan("x", (step("brightness", amount=0.3), step("blur_background")))
    chosen = EditOptions(outputs=3).as_json()
    run.edit_files(blurred.as_json(), [str(tmp_path / "in.png")], chosen, str(tmp_path / "out"))
    assert alive == [0, 0, 0]


def test_progress_of_files_rises_to_one(tmp_path: Path) -> None:
    codecs.save(scenery(), tmp_path / "in.png", "png")
    for steps in ((GREY,), (step("flip"), GREY), (LOST, GREY)):
        seen: list[float] = []
        chosen = EditOptions(outputs=3, partial=True).as_json()
        plan = Plan("x", steps).as_json()
        run.edit_files(
            plan, [str(tmp_path / "in.png")], chosen, str(tmp_path / "out"), on_progress=seen.append
        )
        assert seen == sorted(seen)
        assert seen[-1] == 1.0


def test_an_edit_in_the_sandbox_returns_results_and_refusals(tmp_path: Path) -> None:
    codecs.save(ball(), tmp_path / "in.png", "png")
    arguments: dict[str, Any] = {
        "photo_paths": [str(tmp_path / "in.png")],
        "options": EditOptions().as_json(),
        "output_stem": str(tmp_path / "out"),
    }
    seen: list[float] = []
    box = Sandbox(EDIT)
    answer = box.call(run.edit_files, on_progress=seen.append, plan=Plan("x", (GREY,)).as_json(), **arguments)
    assert codecs.load(answer["outputs"][0]["path"]).width == 360
    assert seen[-1] == 1.0
    with pytest.raises(PlanRefused) as caught:
        box.call(run.edit_files, plan=Plan("do it", (LOST,)).as_json(), **arguments)
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET
    box.close()


def test_a_step_survives_json() -> None:
    full = step("recolor", Target("thing", "red", "car"), amount=0.5, percent=2.0, keep=(REGION,))
    assert Step.from_json(json.loads(json.dumps(full.as_json()))) == full


def test_a_later_black_and_white_step_includes_the_light_leak() -> None:
    plan = Plan("x", (step("light_leak"), step("black_and_white")))
    [made] = run.carry_out(plan, [scenery()], EditOptions())
    assert np.ptp(made.pixels, axis=2).max() == 0
    assert not np.array_equal(made.pixels, apply_steps(scenery(), GREY).pixels)


@pytest.mark.parametrize("output_format", ["png", "jpeg", "webp"])
def test_a_file_is_no_larger_than_the_prompt_asks(output_format: str, tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    codecs.save(Picture(noise), tmp_path / "in.png", "png")
    plan = Plan("small", (step("file_format", file_format=output_format, kilobytes=60.0),)).as_json()
    chosen = EditOptions(output_format=output_format).as_json()
    answer = run.edit_files(plan, [str(tmp_path / "in.png")], chosen, str(tmp_path / "out"))
    (output,) = answer["outputs"]
    path = Path(output["path"])
    assert 30_000 < path.stat().st_size == output["size"] <= 60_000
    picture = codecs.load(path)
    assert (picture.width, picture.height) == (output["width"], output["height"])
    assert picture.width < 800
    assert answer["notices"] == ["I made the photo smaller, because its file would be too large otherwise."]


def test_a_photo_whose_file_is_small_enough_keeps_its_size_and_quality(tmp_path: Path) -> None:
    plain = edit(tmp_path, (GREY,), output_format="jpeg")
    limited = edit(tmp_path, (GREY, step("file_format", kilobytes=900.0)), output_format="jpeg")
    assert limited["outputs"][0]["sha256"] == plain["outputs"][0]["sha256"]
    assert limited["notices"] == []


def test_a_limited_file_is_jpeg_unless_transparent_or_a_format_is_named() -> None:
    small = step("file_format", kilobytes=100.0)
    assert Plan("x", (GREY, small)).file_format == "jpeg"
    assert Plan("x", (step("transparent_background"), small)).file_format == "webp"
    assert Plan("x", (step("file_format", file_format="png"), small)).file_format == "png"


def test_a_file_size_that_is_too_small_is_refused() -> None:
    with pytest.raises(PlanRefused, match="Ask for at least 10 KB"):
        apply_steps(scenery(), step("file_format", kilobytes=2.0))


@pytest.mark.parametrize("output_format", ["png", "jpeg", "webp"])
def test_the_file_of_a_print_contains_its_resolution(output_format: str, tmp_path: Path) -> None:
    steps = (step("print_size", paper="50 x 75 mm", dpi=120.0), step("border"))
    (output,) = edit(tmp_path, steps, output_format=output_format)["outputs"]
    with Image.open(output["path"]) as image:
        exif = image.getexif()
        dots = image.info.get("dpi") or (exif[282], exif[283])
        assert [round(float(side)) for side in dots] == [120, 120]
    codecs.load(output["path"])
