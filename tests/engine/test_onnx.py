"""Tests for models that operators can add as files. The tests generate tiny ONNX files."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine import onnx, run
from editor.engine.canvas import Canvas
from editor.engine.errors import PlanRefused
from editor.engine.networks import Models
from editor.engine.onnx import State, Task, state_of, used_for
from editor.engine.pixels import Box
from editor.engine.plan import Plan, Target
from editor.engine.targets.subject import find_subject, subject_mask
from editor.imaging import codecs
from editor.imaging.picture import Bytes, Picture
from editor.options import EditOptions, Region
from editor.sentences import from_json_data
from tests.engine.pictures import REGION, apply_steps, ball, deep, scenery, step, with_alpha
from tests.engine.tiny_onnx import Node, model

U2NET, SMALL, ISNET = "u2net.onnx", "u2netp.onnx", "isnet-general-use.onnx"
LAMA = "inpainting_lama_2025jan.onnx"

type Drop = Callable[[str, bytes], Models]


@pytest.fixture
def drop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Drop:
    """Write bytes to a models folder under a known name, as if they were a published model."""

    def lay(file: str, data: bytes) -> Models:
        (tmp_path / file).write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        known = [replace(each, sha256=digest) if each.file == file else each for each in onnx.KNOWN]
        monkeypatch.setattr(onnx, "KNOWN", tuple(known))
        return Models(tmp_path)

    return lay


def channel(number: int, side: int, times: float = 1.0) -> bytes:
    """Return a network that outputs one channel of its input, plus a second map that must be ignored."""
    weights = np.zeros((1, 3, 1, 1), np.float32)
    weights[0, number] = times
    nodes = [Node("Conv", ("x", "w"), ("answer",)), Node("Relu", ("answer",), ("side",))]
    shape = (1, 1, side, side)
    return model(nodes, {"x": (1, 3, side, side)}, {"answer": shape, "side": shape}, {"w": weights})


def fixed(values: NDArray[np.float32], inputs: dict[str, tuple[int, ...]]) -> bytes:
    """Return a network whose output is the same for every input."""
    first = next(iter(inputs))
    shape = (1, inputs[first][1], 1, 1)
    nodes = [
        Node("GlobalAveragePool", (first,), ("mean",)),
        Node("Mul", ("mean", "nothing"), ("zero",)),
        Node("ReduceSum", ("zero", "axes"), ("one",), {"keepdims": 1}),
        Node("Add", ("one", "values"), ("answer",)),
    ]
    constants: dict[str, Any] = {
        "nothing": np.zeros(shape, np.float32),
        "axes": np.array([1], np.int64),
        "values": values,
    }
    return model(nodes, inputs, {"answer": values.shape}, constants)


def disc(side: int, x: float, y: float, radius: float) -> NDArray[np.float32]:
    rows, columns = np.indices((side, side)) / side
    inside = np.hypot(columns - x, rows - y) < radius
    return np.where(inside, 0.97, 0.02).astype(np.float32)[None, None]


def seen(side: int, values: NDArray[np.float32]) -> bytes:
    return fixed(values, {"x": (1, 3, side, side)})


@pytest.mark.parametrize(
    ("file", "side", "mean", "deviation"),
    [
        (U2NET, 320, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        (SMALL, 320, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        (ISNET, 1024, (0.5, 0.5, 0.5), (1, 1, 1)),
    ],
)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_network_gets_rgb_values_normalized_as_in_its_training(
    file: str, side: int, mean: tuple[float, ...], deviation: tuple[float, ...], number: int, drop: Drop
) -> None:
    """The network outputs 1 where its input channel is above 30% of white, and 0 elsewhere."""
    bound = (0.3 - mean[number]) / deviation[number]
    weights = np.zeros((1, 3, 1, 1), np.float32)
    weights[0, number] = 1e4
    nodes = [
        Node("Conv", ("x", "w", "b"), ("steep",)),
        Node("Clip", ("steep", "low", "high"), ("answer",)),
    ]
    constants: dict[str, Any] = {
        "w": weights,
        "b": np.array([-1e4 * bound], np.float32),
        "low": np.array(0, np.float32),
        "high": np.array(1, np.float32),
    }
    data = model(nodes, {"x": (1, 3, side, side)}, {"answer": (1, 1, side, side)}, constants)
    pixels = np.zeros((200, 200, 3), np.uint8)
    pixels[0, 0, (number + 1) % 3] = 250  # The highest value in a photo counts as white.
    pixels[60:140, 50:150, number] = 82  # 32.8% of white
    pixels[60:140, 50:150, (number + 1) % 3] = 70  # 28% of white
    cut = drop(file, data).subject(Picture(pixels))
    assert cut is not None
    assert cut.mask[70:130, 60:140].min() > 0.9
    assert cut.mask[:50].max() < 0.1
    pixels[60:140, 50:150] = (70, 70, 70)
    dark = drop(file, data).subject(Picture(pixels))
    assert dark is not None
    assert dark.mask[70:130, 60:140].max() < 0.1


def test_the_subject_comes_from_the_output_of_the_model(drop: Drop) -> None:
    models = drop(U2NET, seen(320, disc(320, 0.3, 0.5, 0.2)))
    cut = find_subject(scenery(300, 300), models=models)
    assert cut.confidence > 0.9
    assert cut.mask.shape == (300, 300)
    assert cut.mask[150, 90] > 0.9
    assert cut.mask[150, 250] < 0.1
    assert models.notices == ["The model U2-Net cut out the subject."]


def test_a_photo_that_is_already_cut_out_keeps_its_outline(drop: Drop) -> None:
    models = drop(U2NET, seen(320, disc(320, 0.3, 0.5, 0.2)))
    pixels = np.full((300, 300, 4), 120, np.uint8)
    pixels[:, :, 3] = 0
    pixels[100:200, 170:250, 3] = 255
    mask = subject_mask(Canvas(Picture(pixels), models=models))
    assert mask[150, 210] > 0.9
    assert mask[150, 90] < 0.1
    assert models.notices == []


@pytest.mark.parametrize(
    "values",
    [
        disc(320, 0.5, 0.5, 0.02),
        disc(320, 0.5, 0.5, 0.69),
        np.indices((320, 320))[None, :1] / 320,
    ],
    ids=["a speck", "all of it", "undecided"],
)
def test_an_implausible_cutout_gets_low_confidence(values: NDArray[np.float32], drop: Drop) -> None:
    cut = drop(U2NET, seen(320, values.astype(np.float32))).subject(scenery(300, 300))
    assert cut is not None
    assert cut.confidence < 0.5


def test_the_model_looks_only_inside_a_drawn_box(drop: Drop) -> None:
    cut = drop(U2NET, seen(320, disc(320, 0.5, 0.5, 0.4))).subject(
        scenery(300, 300), [Box(200, 100, 280, 180)]
    )
    assert cut is not None
    assert cut.mask[140, 240] > 0.9
    assert cut.mask[:90].max() < 0.05
    assert cut.mask[:, :180].max() < 0.05


def test_the_better_model_is_used_first_and_a_changed_file_is_skipped(drop: Drop) -> None:
    drop(U2NET, seen(320, disc(320, 0.3, 0.5, 0.2)))
    models = drop(ISNET, seen(1024, disc(1024, 0.7, 0.5, 0.2)))
    cut = models.subject(scenery(300, 300))
    assert cut is not None
    assert cut.mask[150, 210] > 0.9
    (models.folder / ISNET).write_bytes(b"something else")
    later = Models(models.folder)
    cut = later.subject(scenery(300, 300))
    assert cut is not None
    assert cut.mask[150, 90] > 0.9
    assert later.notices == [
        "I didn't use the model file isnet-general-use.onnx because it isn't the published file.",
        "The model U2-Net cut out the subject.",
    ]


def edited(tmp_path: Path, folder: Path | None, operation: str, **fields: Any) -> dict[str, Any]:
    """Edit a picture file of a ball, and return the result from the output file.

    If the step has a target, a box is drawn on the left side of the ball.
    """
    codecs.save(ball(), tmp_path / "in.png", "png")
    plan = Plan("do it", (step(operation, **fields),)).as_json()
    options = EditOptions(regions=(Region(0.05, 0.3, 0.2, 0.3),) if "target" in fields else ())
    models_dir = str(folder) if folder else None
    answer = run.edit_files(
        plan, [str(tmp_path / "in.png")], options.as_json(), str(tmp_path / "out"), models_dir=models_dir
    )
    return answer | {"notices": list(map(from_json_data, answer["notices"]))}


def test_an_edit_uses_the_model_and_says_so(tmp_path: Path, drop: Drop) -> None:
    models = drop(U2NET, seen(320, disc(320, 0.2, 0.5, 0.15)))
    answer = edited(tmp_path, models.folder, "solid_background", color="white")
    assert "The model U2-Net cut out the subject." in answer["notices"]
    pixels = codecs.load(answer["outputs"][0]["path"]).pixels
    assert np.array_equal(pixels[135, 72], ball().pixels[135, 72])  # The model's mask contains this pixel.
    assert np.all(pixels[135, 200] == 255)  # The ball covers this pixel, but the mask does not.


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no model at all", "it failed on this photo"),
        (channel(0, 320)[:150], "it failed on this photo"),
        (seen(320, np.zeros((1, 1, 7, 7), np.float32)), "it failed on this photo"),
        (seen(320, np.full((1, 1, 320, 320), np.nan, np.float32)), "it failed on this photo"),
    ],
    ids=["garbage", "cut off", "another form", "not a number"],
)
def test_the_engine_does_the_work_if_a_model_fails(data: bytes, why: str, tmp_path: Path, drop: Drop) -> None:
    plain = edited(tmp_path, None, "solid_background", color="white")
    answer = edited(tmp_path, drop(U2NET, data).folder, "solid_background", color="white")
    assert answer["notices"] == [f"I didn't use the model file u2net.onnx because {why}."]
    assert answer["outputs"][0]["sha256"] == plain["outputs"][0]["sha256"]


def test_a_file_with_another_digest_is_never_loaded(tmp_path: Path) -> None:
    """The network is valid, so it would return a result if its digest were not checked."""
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / U2NET).write_bytes(seen(320, disc(320, 0.2, 0.5, 0.15)))
    plain = edited(tmp_path, None, "solid_background", color="white")
    answer = edited(tmp_path, folder, "solid_background", color="white")
    assert answer["notices"] == [
        "I didn't use the model file u2net.onnx because it isn't the published file."
    ]
    assert answer["outputs"][0]["sha256"] == plain["outputs"][0]["sha256"]


def test_a_missing_models_folder_gives_no_notice(tmp_path: Path) -> None:
    assert edited(tmp_path, tmp_path / "none", "solid_background", color="white")["notices"] == []


def test_a_failed_model_is_not_tried_again(
    tmp_path: Path, drop: Drop, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = drop(U2NET, b"garbage")
    assert models.subject(scenery()) is None
    (models.folder / U2NET).unlink()
    (models.folder / U2NET).write_bytes(seen(320, disc(320, 0.3, 0.5, 0.2)))
    assert models.subject(scenery()) is None
    assert len(models.notices) == 1


def lama(answer: Node, constants: dict[str, Any]) -> bytes:
    """Return a network with the inputs `image` and `mask`, in which the node `answer` computes the output."""
    nodes = [
        Node("Mul", ("mask", "nothing"), ("zero",)),
        Node("Add", ("image", "zero"), ("both",)),
        answer,
    ]
    shapes = {"image": (1, 3, 512, 512), "mask": (1, 1, 512, 512)}
    nothing = {"nothing": np.zeros((1, 1, 1, 1), np.float32)}
    return model(nodes, shapes, {"output": (1, 3, 512, 512)}, nothing | constants)


BLUE_FIRST = lama(
    Node("Conv", ("both", "w", "b"), ("output",)),
    {"w": np.zeros((3, 3, 1, 1), np.float32), "b": np.array([200, 100, 50], np.float32)},
)
AS_SHOWN = lama(
    Node("Conv", ("both", "w"), ("output",)), {"w": np.eye(3, dtype=np.float32)[:, :, None, None] * 255}
)


def hole_in(picture: Picture) -> Bytes:
    hole = np.zeros((picture.height, picture.width), np.uint8)
    hole[picture.height // 3 : picture.height // 2, picture.width // 4 : picture.width // 2] = 1
    return hole


@pytest.mark.parametrize(
    "picture",
    [scenery(), deep(scenery()), with_alpha(scenery()), scenery(1300, 900)],
    ids=["8", "16", "alpha", "large"],
)
def test_a_hole_is_filled_and_nothing_else_changes(picture: Picture, drop: Drop) -> None:
    hole = hole_in(picture)
    filled = drop(LAMA, BLUE_FIRST).inpaint(picture, hole)
    assert filled is not None
    assert filled.dtype == picture.pixels.dtype
    assert np.array_equal(filled[hole == 0], picture.pixels[hole == 0])
    scale = 257 if picture.is_deep else 1
    # The network's channels are in BGR order.
    assert np.all(filled[hole == 1][:, :3] == np.array([50, 100, 200]) * scale)
    if picture.has_alpha:
        assert np.array_equal(filled[:, :, 3], picture.pixels[:, :, 3])


def test_the_inpainting_network_gets_the_photo_in_its_colors_and_position(drop: Drop) -> None:
    """A network that returns its input does not change the photo's colors, position, or scale."""
    picture = scenery(700, 500)
    filled = drop(LAMA, AS_SHOWN).inpaint(picture, hole_in(picture))
    assert filled is not None
    assert np.abs(filled.astype(int) - picture.pixels)[hole_in(picture) == 1].mean() < 3


def test_the_inpainting_network_gets_the_mask_of_the_hole(drop: Drop) -> None:
    nodes = [
        Node("Mul", ("image", "nothing"), ("zero",)),
        Node("Mul", ("mask", "white"), ("light",)),
        Node("Add", ("zero", "light"), ("output",)),
    ]
    constants = {
        "nothing": np.zeros((1, 1, 1, 1), np.float32),
        "white": np.full((1, 1, 1, 1), 255, np.float32),
    }
    shapes = {"image": (1, 3, 512, 512), "mask": (1, 1, 512, 512)}
    data = model(nodes, shapes, {"output": (1, 3, 512, 512)}, constants)
    picture = scenery(700, 500)
    filled = drop(LAMA, data).inpaint(picture, hole_in(picture))
    assert filled is not None
    assert np.all(filled[hole_in(picture) == 1] == 255)


def test_erasing_uses_the_filling_model(tmp_path: Path, drop: Drop) -> None:
    answer = edited(tmp_path, drop(LAMA, BLUE_FIRST).folder, "erase", target=REGION)
    assert answer["notices"] == ["The model LaMa filled in the removed area."]
    pixels = codecs.load(answer["outputs"][0]["path"]).pixels
    assert np.all(pixels[110:140, 30:80] == (50, 100, 200))
    assert np.array_equal(pixels[:, 100:], ball().pixels[:, 100:])


def test_a_hole_that_is_too_large_is_refused_even_with_a_model(drop: Drop) -> None:
    models = drop(LAMA, BLUE_FIRST)
    plan = Plan("do it", (step("erase", target=REGION),))
    with pytest.raises(PlanRefused, match="quarter"):
        run.carry_out(plan, [scenery()], EditOptions(regions=(Region(0, 0, 0.9, 0.9),)), models=models)


def test_the_state_of_a_model_depends_on_its_file(tmp_path: Path, drop: Drop) -> None:
    u2net = onnx.known_for(Task.SUBJECT)[1]
    assert state_of(u2net, tmp_path) is State.MISSING
    drop(U2NET, b"as published")
    u2net = onnx.known_for(Task.SUBJECT)[1]
    assert state_of(u2net, tmp_path) is State.READY
    (tmp_path / U2NET).write_bytes(b"as published, but changed")
    assert state_of(u2net, tmp_path) is State.OTHER


def test_every_known_model_has_its_own_digest() -> None:
    digests = {each.sha256 for each in onnx.KNOWN}
    assert len(digests) == len(onnx.KNOWN) == 4
    assert all(len(digest) == 64 and int(digest, 16) for digest in digests)


def test_a_plan_names_the_models_that_it_would_use(tmp_path: Path, drop: Drop) -> None:
    cut = step("transparent_background")
    steps = (cut, step("erase", target=REGION), step("brightness"))
    assert used_for(steps, tmp_path) == []
    drop(LAMA, b"fills")
    drop(SMALL, b"small")
    assert [each.name for each in used_for(steps, tmp_path)] == ["U2-Net small", "LaMa"]
    drop(U2NET, b"large")
    assert [each.name for each in used_for((cut,), tmp_path)] == ["U2-Net"]
    assert used_for((step("brightness"),), tmp_path) == []
    for thing in (Target("thing", noun="dogs"), Target("thing", noun="sky")):
        is_outlined = thing.noun == "dogs"
        darker = step("brightness", target=thing)
        assert [each.name for each in used_for((darker,), tmp_path)] == ["U2-Net"] * is_outlined


@pytest.mark.slow
def test_the_same_photo_and_model_give_the_same_pixels(drop: Drop) -> None:
    models = drop(LAMA, BLUE_FIRST)
    erase = step("erase", target=REGION)
    options = EditOptions(regions=(Region(0.1, 0.1, 0.2, 0.2),))
    first, second = (
        run.carry_out(Plan("x", (erase,)), [scenery()], options, models=Models(models.folder))[0].pixels
        for _ in range(2)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, apply_steps(scenery(), erase, regions=options.regions).pixels)
