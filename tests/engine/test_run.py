import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editor.engine import run
from editor.engine.plan import Kind, Plan, Reason, Refusal, Step, Target
from editor.engine.refused import Refused
from editor.imaging import codecs
from editor.imaging.sandbox import EDIT, Sandbox
from editor.options import EditOptions, Region
from tests.engine.pictures import REGION, ball, carried_out, changed, done, light, scenery, step

GREY = step("color", "black_and_white")
LOST = step("color", "brightness", target=Target("thing", color="blue", noun="car"), words=(0, 2))


def test_steps_are_carried_out_in_their_order() -> None:
    grey_last = done(
        scenery(), step("color", "recolor", target=REGION, color="red"), GREY, regions=(Region(0, 0, 1, 1),)
    )
    assert np.ptp(grey_last.pixels, axis=2).max() == 0


def test_the_same_plan_and_photo_give_the_same_pixels() -> None:
    steps = (step("background", "blur_background"), step("color", "enhance"), step("add", "text", text="Hi"))
    assert np.array_equal(done(ball(), *steps).pixels, done(ball(), *steps).pixels)


def test_the_photo_itself_is_never_changed() -> None:
    photo = scenery()
    before = photo.pixels.copy()
    done(photo, GREY, step("add", "border"), step("add", "text", text="x"), step("add", "vignette"))
    assert np.array_equal(photo.pixels, before)


def test_variations_differ_and_the_first_is_as_asked() -> None:
    photo = scenery()
    made = carried_out(photo, step("color", "brightness", amount=0.35), outputs=4)
    assert np.array_equal(made[0].pixels, done(photo, step("color", "brightness", amount=0.35)).pixels)
    lights = [light(picture) for picture in made]
    assert len(set(lights)) == 4
    assert all(value > light(photo) for value in lights)


def test_variations_that_cannot_differ_say_so() -> None:
    made = carried_out(scenery(), step("composition", "flip", choice="vertical"), outputs=2)
    assert np.array_equal(made[0].pixels, made[1].pixels)
    assert "one way only" in made[0].notices[-1]


def test_more_results_than_there_are_variations_are_refused() -> None:
    with pytest.raises(Refused, match="At most 4 results"):
        carried_out(scenery(), GREY, outputs=5)


def test_a_box_on_another_photo_is_refused_where_a_step_names_it() -> None:
    here, there = Region(0, 0, 0.5, 0.5), Region(0, 0, 0.5, 0.5, image=2)
    dark = step("color", "brightness", target=Target("region", boxes=(2,)), amount=-1.0)
    for target in (Target("region", boxes=(2,)), Target("region", boxes=(1, 2))):
        with pytest.raises(Refused, match="No place is marked on this photo") as caught:
            carried_out(scenery(), replace(dark, target=target), photos=(scenery(),), regions=(here, there))
        assert caught.value.refusals[0].reason is Reason.NEEDS_REGION
    with pytest.raises(Refused, match="No place is marked"):
        carried_out(scenery(), replace(dark, target=Target("region")), photos=(ball(),), regions=(there,))


def test_a_box_keeps_its_number_beside_boxes_on_other_photos() -> None:
    photo, there, here = scenery(), Region(0, 0, 0.5, 0.5, image=2), Region(0.5, 0, 0.5, 1)
    dark = step("color", "brightness", target=Target("region", boxes=(2,)), amount=-1.0)
    result = done(photo, dark, photos=(ball(),), regions=(there, here))
    where = changed(photo, result)
    assert where[:, 120:].any()
    assert not where[:, :120].any()


def test_a_step_that_is_impossible_refuses_the_whole() -> None:
    with pytest.raises(Refused) as caught:
        carried_out(scenery(), GREY, LOST)
    refusal = caught.value.refusals[0]
    assert (refusal.words, refusal.reason) == ("do", Reason.NO_SUCH_TARGET)
    assert caught.value.message == "“do”: Nothing blue was found here. Mark the car with a box."


def test_a_partial_plan_does_the_rest_and_says_what_was_left_out() -> None:
    photo = ball()
    result = carried_out(photo, GREY, LOST, partial=True)[0]
    assert changed(photo, result).any()
    assert result.notices[0].startswith("Left out: “do”")
    with pytest.raises(Refused):
        carried_out(photo, LOST, partial=True)


def test_a_plan_that_was_not_accepted_is_refused_with_its_own_words() -> None:
    refusal = Refusal("add sparkles", Reason.UNKNOWN_WORD, "Say it in other words.")
    plan = Plan("add sparkles", (), (refusal,), message="Not understood: add sparkles.")
    with pytest.raises(Refused, match="Not understood") as caught:
        run.carry_out(plan, [scenery()], EditOptions())
    assert caught.value.refusals == (refusal,)


def test_an_operation_that_does_not_exist_is_refused() -> None:
    with pytest.raises(Refused, match="no operation"):
        carried_out(scenery(), step("color", "sparkle"))


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
    return run.edit_files(plan, [str(tmp_path / "in.png")], chosen, str(tmp_path / "out"))


@pytest.mark.parametrize("output_format", ["png", "jpeg", "webp"])
def test_files_come_in_the_format_that_was_asked(output_format: str, tmp_path: Path) -> None:
    answer = edit(tmp_path, (GREY,), output_format=output_format, outputs=2)
    assert len(answer["outputs"]) == 2
    for output in answer["outputs"]:
        path = output.pop("path")
        assert output.items() <= codecs.accept(path, str(tmp_path / "proof")).items()
    assert answer == json.loads(json.dumps(answer))


def test_files_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    steps = (step("color", "enhance"), step("remove", "erase", target=REGION))
    first = edit(tmp_path, steps, regions=(Region(0.2, 0.2, 0.3, 0.3),))
    assert first == edit(tmp_path, steps, regions=(Region(0.2, 0.2, 0.3, 0.3),))


def test_notices_of_reading_and_editing_are_told_once(tmp_path: Path) -> None:
    answer = edit(tmp_path, (step("composition", "flip"),), outputs=3)
    assert len(answer["notices"]) == 1


def test_the_sandbox_edits_and_brings_refusals_back(tmp_path: Path) -> None:
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
    with pytest.raises(Refused) as caught:
        box.call(run.edit_files, plan=Plan("do it", (LOST,)).as_json(), **arguments)
    assert caught.value.refusals[0].reason is Reason.NO_SUCH_TARGET
    box.close()


def test_a_step_survives_json() -> None:
    full = Step(Kind.COLOR, "recolor", Target("thing", "red", "car"), 0.5, (2.0, "percent"), keep=(REGION,))
    assert Step.from_json(json.loads(json.dumps(full.as_json()))) == full
