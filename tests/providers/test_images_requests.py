"""Tests for the request that a server of each dialect receives, and for how the server interprets it."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from PIL import Image

from editor.imaging.sandbox import DECODE, Sandbox, failure
from editor.options import Region
from editor.providers import openai_images, result_notices
from editor.providers.contract import EditRequest, ProviderError, Update
from editor.providers.image_dialects import DIALECTS, Dialect, MaskKind, prompt_for, size_for
from tests import cast, scenes
from tests.hostile_server import HostileServer, answer
from tests.providers.conftest import Requests, Serve
from tests.providers.images_site import MODEL, MODELS, ImagesSite, opened
from tests.providers.provider_factory import KEY, Watching, make_images_provider

BOX = Region(0.25, 0.25, 0.5, 0.5)


@pytest.fixture(scope="module")
def sandbox() -> Any:
    box = Sandbox(DECODE)
    yield box
    box.close()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "lake.png"
    scenes.lake(304, 208).save(path)
    return path


def edited(
    site: ImagesSite, request: EditRequest, sandbox: Sandbox, **changes: Any
) -> tuple[Update, list[Image.Image]]:
    """Return the update and the results of an edit by this server.

    A failed edit has no results.
    """
    with site.server:
        provider = make_images_provider(site.server.origin, dialect=site.dialect, sandbox=sandbox, **changes)
        ticket = provider.submit(request, Watching())
        update = provider.poll(ticket, request, Watching())
        paths = provider.collect(list(update.arrivals), request, Watching())
        return update, [opened(path.read_bytes()) for path in paths.values()]


def notices(update: Update, request: EditRequest, result: Image.Image) -> list[str]:
    """Return the notices of the adapter and the notices about this result."""
    with Image.open(request.photos[0]) as photo:
        size = photo.size
    deviations = result_notices.deviations(
        result.size, "png", update.arrivals[0], options=request.options, photo=size
    )
    return [*update.warnings, *deviations]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_edits_a_photo(
    dialect: str, request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    site = ImagesSite(dialect)
    asked = request_for("negative", (photo,))
    update, [result] = edited(site, asked, sandbox)
    assert not [notice for notice in notices(update, asked, result) if "shape" in notice]
    expected = np.asarray(Image.open(photo).convert("RGB").resize(result.size)).astype(int)
    assert abs(255 - expected - np.asarray(result.convert("RGB"))).mean() < 4
    [request] = site.server.requests
    assert (request.method, request.path) == ("POST", "/v1/images/edits")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert (site.form["prompt"], site.form["n"], site.form["model"]) == ("negative", "1", MODEL)
    assert site.forms[0]["image"] == [photo.read_bytes()]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_changes_the_box_and_nothing_else(
    dialect: str, request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    site = ImagesSite(dialect)
    _, [result] = edited(site, request_for("negative", (photo,), regions=(BOX,)), sandbox)
    before = np.asarray(Image.open(photo).convert("RGB").resize(result.size, Image.Resampling.BICUBIC))
    after = np.asarray(result.convert("RGB")).astype(int)
    height, width = after.shape[:2]
    inside = np.s_[int(0.35 * height) : int(0.65 * height), int(0.35 * width) : int(0.65 * width)]
    assert abs(255 - before.astype(int) - after)[inside].mean() < 6
    is_outside = np.ones(after.shape[:2], bool)
    is_outside[int(0.25 * height) : int(0.75 * height) + 1, int(0.25 * width) : int(0.75 * width) + 1] = False
    assert abs(after - before)[is_outside].mean() < 2
    says_box = "from 25% to 75% of the width" in site.form["prompt"]
    assert says_box == (DIALECTS[dialect].mask is None or DIALECTS[dialect].says_box)


@pytest.mark.parametrize(
    ("dialect", "field", "inside", "outside"),
    [
        ("openai", "mask", (255, 255, 255, 0), (0, 0, 0, 255)),
        ("vllm-omni", "mask_image", (255, 255, 255), (0, 0, 0)),
        ("sd-server", "mask", (255, 255, 255), (0, 0, 0)),
        ("lemonade", "mask", (255, 255, 255), (0, 0, 0)),
        ("xinference", "mask", (255, 255, 255), (0, 0, 0)),
    ],
)
def test_a_mask_has_the_size_of_the_photo_and_the_polarity_of_the_dialect(
    request_for: Requests,
    photo: Path,
    sandbox: Sandbox,
    dialect: str,
    field: str,
    inside: tuple[int, ...],
    outside: tuple[int, ...],
) -> None:
    site = ImagesSite(dialect)
    edited(site, request_for("negative", (photo,), regions=(BOX,)), sandbox)
    mask = opened(site.forms[0][field][0])
    assert (mask.format, mask.size) == ("PNG", (304, 208))
    assert [mask.getpixel(at) for at in ((76, 52), (227, 155))] == [inside] * 2
    assert [mask.getpixel(at) for at in ((75, 52), (228, 155), (0, 0))] == [outside] * 3


def test_several_photos_are_sent_as_a_list_in_order(
    request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    second = photo.with_name("second.jpg")
    second.write_bytes(cast.photo_bytes(40, 30))
    site = ImagesSite("openai")
    box = replace(BOX, image=2)
    edited(site, request_for("put it there", (photo, second), regions=(box,), outputs=2), sandbox)
    assert site.forms[0]["image[]"] == [photo.read_bytes(), second.read_bytes()]
    assert "mask" not in site.forms[0]
    assert site.form["n"] == "2"
    assert site.form["prompt"].endswith(
        "A box in image 2 marks the area from 25% to 75% of the width (counted "
        "from the left) and from 25% to 75% of the height (counted from the top)."
    )


def test_too_many_photos_for_a_dialect_are_refused_before_sending(
    request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    site = ImagesSite("lemonade")
    with site.server, pytest.raises(ProviderError) as error:
        make_images_provider(site.server.origin, dialect="lemonade", sandbox=sandbox).submit(
            request_for("negative", (photo, photo)), Watching()
        )
    assert (error.value.code, error.value.message) == ("rejected", openai_images.ONE_PHOTO)
    assert site.server.connections == 0


@pytest.mark.parametrize(
    ("kind", "code", "said"),
    [
        ("memory", "engine_failed", "This photo needs more memory than is allowed."),
        ("timeout", "engine_failed", "This photo could not be processed in time."),
        ("full", "storage", "There is not enough disk space for this photo."),
    ],
)
def test_a_failure_of_this_site_is_not_said_to_be_one_of_the_engine(
    serve: Serve,
    request_for: Requests,
    sandbox: Sandbox,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    code: str,
    said: str,
) -> None:
    server = serve(answer(200, {"data": []}))
    provider, request = make_images_provider(server.origin, sandbox=sandbox), request_for()
    monkeypatch.setattr(sandbox, "call", Mock(side_effect=failure(kind)))
    with pytest.raises(ProviderError) as error:
        provider.prepare(request, Watching())
    assert (error.value.code, error.value.message) == (code, f"{said} You were not charged.")
    assert not server.requests


def test_a_large_photo_and_its_mask_are_scaled_down_before_sending(
    request_for: Requests, tmp_path: Path, sandbox: Sandbox
) -> None:
    large = tmp_path / "large.png"
    Image.new("RGB", (3000, 2000), "gray").save(large)
    site = ImagesSite("openai", paint=lambda image: image)
    edited(site, request_for("negative", (large,), regions=(BOX,)), sandbox)
    sent, mask = (opened(site.forms[0][name][0]) for name in ("image", "mask"))
    assert sent.size == mask.size
    assert 4_100_000 < sent.width * sent.height <= openai_images.SENT_PIXELS
    assert sent.width / sent.height == pytest.approx(1.5, abs=0.002)


def test_only_known_fields_are_sent_and_the_key_only_if_there_is_one(
    request_for: Requests, photo: Path, sandbox: Sandbox, serve: Serve
) -> None:
    for dialect, extra in {
        "openai": {"output_format"},
        "vllm-omni": {"output_format"},
        "sglang": {"output_format", "response_format"},
        "sd-server": {"output_format"},
        "lemonade": {"response_format"},
        "xinference": {"response_format"},
        "litellm": set(),
    }.items():
        site = ImagesSite(dialect)
        edited(site, request_for("negative", (photo,)), sandbox)
        sizes = set() if dialect == "xinference" else {"size"}
        assert site.form.keys() == {"model", "prompt", "n"} | sizes | extra
        (photo.parent / "answer.json").unlink()
    server = serve(answer(400, "No."))
    with pytest.raises(ProviderError):
        make_images_provider(server.origin, key="", model="", sandbox=sandbox).submit(
            request_for("negative", (photo,)), Watching()
        )
    assert "authorization" not in server.requests[0].headers
    assert b'name="model"' not in server.requests[0].body


@pytest.mark.parametrize("path", ["", "/v1", "/api", "/api/v1"])
def test_the_base_url_may_end_with_v1(
    request_for: Requests, photo: Path, sandbox: Sandbox, serve: Serve, path: str
) -> None:
    server = serve(answer(400, "No."))
    with pytest.raises(ProviderError):
        make_images_provider(server.origin + path, sandbox=sandbox).submit(
            request_for("negative", (photo,)), Watching()
        )
    assert server.requests[0].path == f"{path.removesuffix('/v1')}/v1/images/edits"


@pytest.mark.parametrize(
    ("model", "photo", "ratio", "size"),
    [
        ("gpt-image-1.5", (4000, 3000), "", (1536, 1024)),
        ("gpt-image-1.5", (4000, 3000), "1:1", (1024, 1024)),
        ("gpt-image-1.5", (300, 400), "", (1024, 1536)),
        ("gpt-image-2.6", (6000, 4000), "", (1536, 1024)),
        ("gpt-image-2.6", (1216, 832), "", (1216, 832)),
        ("gpt-image-2.6", (1216, 832), "16:9", (1648, 928)),
    ],
)
def test_openai_gets_a_size_that_the_model_can_make(
    model: str, photo: tuple[int, int], ratio: str, size: tuple[int, int]
) -> None:
    assert size_for(DIALECTS["openai"], model, photo, ratio) == size


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if not DIALECTS[name].keeps_size])
@pytest.mark.parametrize(
    "photo", [(6000, 4000), (4032, 3024), (1080, 1920), (320, 213), (48, 32), (2999, 1333)]
)
def test_the_size_has_the_shape_of_the_photo_within_one_percent(dialect: str, photo: tuple[int, int]) -> None:
    width, height = size_for(DIALECTS[dialect], "gpt-image-2", photo, "") or (0, 0)
    assert abs(width / height / (photo[0] / photo[1]) - 1) <= 0.01
    assert (width % 16, height % 16) == (0, 0)
    assert 0.5 <= width * height / DIALECTS[dialect].pixels <= 1


def test_a_photo_that_is_longer_than_the_model_allows_gets_the_longest_size() -> None:
    width, height = size_for(DIALECTS["openai"], "gpt-image-2", (5000, 500), "") or (0, 0)
    assert width / height == pytest.approx(3, abs=0.03)
    assert size_for(DIALECTS["xinference"], "", (5000, 500), "") is None


@pytest.mark.parametrize(
    "prompt",
    [
        'a cat <sd_cpp_extra_args>{"steps": 999}</sd_cpp_extra_args>',
        "a cat < SD_CPP_extra_args >{}</ sd_cpp_extra_args>",
        "<<sd_cpp_extra_args>sd_cpp_extra_args>",
    ],
)
def test_a_prompt_cannot_contain_settings_of_stable_diffusion_cpp(prompt: str) -> None:
    for dialect in DIALECTS.values():
        made = prompt_for(dialect, prompt, [])
        assert "<sd_cpp_extra_args" not in made.lower().replace(" ", "").replace("</", "<")
        assert "sd_cpp_extra_args" in made.lower()


def test_boxes_are_described_together() -> None:
    boxes = [BOX, Region(0, 0, 0.1, 0.2), Region(0.5, 0.5, 0.5, 0.5, image=3)]
    made = prompt_for(Dialect(), "Make it red.", boxes)
    assert made.startswith("Make it red.\n\nChange only these areas: from 25% to 75% of the width")
    assert "; from 0% to 10% of the width" in made
    assert made.count("image 3") == 1
    assert prompt_for(Dialect(mask=MaskKind.WHITE), "Make it red.", [BOX]) == "Make it red."


# ---- notices


def wide(image: Image.Image) -> Image.Image:
    return image.resize((image.width * 2, image.height))


def test_a_result_in_another_shape_is_not_merged_and_gives_a_notice(
    request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    site = ImagesSite("litellm", paint=wide)
    request = request_for("negative", (photo,), regions=(BOX,))
    update, [result] = edited(site, request, sandbox)
    assert result.width / result.height == pytest.approx(2 * 304 / 208, abs=0.02)
    first, second = notices(update, request, result)
    assert (
        first
        == "The result has a different shape than your photo, so areas outside your box may have changed."
    )
    assert second.startswith("The engine made a result of 2,4")


@pytest.mark.parametrize(
    ("dialect", "options", "notice"),
    [
        (
            "litellm",
            {"aspect_ratio": "1:1", "paint": wide},
            "The result does not have the requested shape, 1:1.",
        ),
        ("litellm", {"paint": wide}, "The result has a different shape than your photo."),
        (
            "xinference",
            {},
            "The engine sent the result as JPEG, which loses fine details. It was saved as PNG.",
        ),
        (
            "litellm",
            {"paint": lambda image: image.resize((152, 104))},
            "The engine made a result of 152 by 104 pixels instead of 1,216 by 832.",
        ),
    ],
)
def test_a_notice_says_what_the_engine_did_not_do_as_requested(
    request_for: Requests, photo: Path, sandbox: Sandbox, dialect: str, options: dict[str, Any], notice: str
) -> None:
    paint = options.pop("paint", lambda image: image)
    request = request_for("negative", (photo,), **options)
    update, [result] = edited(ImagesSite(dialect, paint), request, sandbox)
    assert notice in notices(update, request, result)


def test_unrequested_results_are_left_out_with_a_notice(
    request_for: Requests, photo: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ImagesSite._results
    monkeypatch.setattr(ImagesSite, "_results", lambda site, form: usual(site, form) * 3)
    update, results = edited(ImagesSite("litellm"), request_for("negative", (photo,)), sandbox)
    assert len(results) == 1
    assert "The engine made 3 results. You asked for 1, so the others were left out." in update.warnings


def test_a_result_with_fewer_pixels_than_the_photo_gives_a_notice(
    request_for: Requests, tmp_path: Path, sandbox: Sandbox
) -> None:
    large = tmp_path / "large.jpg"
    scenes.lake(1824, 1248).save(large, quality=60)
    request = request_for("negative", (large,))
    update, [result] = edited(ImagesSite("litellm"), request, sandbox)
    assert notices(update, request, result) == ["The result has 1,216 by 832 pixels, fewer than your photo."]


def test_a_slightly_moved_result_is_realigned_with_a_notice(
    request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    def shifted(image: Image.Image) -> Image.Image:
        return image.transform(
            image.size, Image.Transform.AFFINE, (1, 0, -9, 0, 1, 7), Image.Resampling.BICUBIC
        )

    update, _ = edited(
        ImagesSite("sglang", shifted), request_for("negative", (photo,), regions=(BOX,)), sandbox
    )
    assert (
        "The engine moved the photo slightly, so the result was realigned with your photo." in update.warnings
    )


def test_a_result_that_was_moved_out_of_the_box_fails(
    request_for: Requests, photo: Path, sandbox: Sandbox
) -> None:
    def shifted(image: Image.Image) -> Image.Image:
        return image.transform(
            image.size, Image.Transform.AFFINE, (1, 0, -99, 0, 1, 0), Image.Resampling.BICUBIC
        )

    site = ImagesSite("sglang", shifted)
    request = request_for("negative", (photo,), regions=(Region(0.7, 0.3, 0.3, 0.4),))
    update, _ = edited(site, request, sandbox)
    assert (update.state, update.code) == ("failed", "result_invalid")
    assert update.message == openai_images.MISALIGNED


# ---- tests for checking the server


def test_a_check_asks_for_the_models_and_spends_nothing(sandbox: Sandbox) -> None:
    site = ImagesSite("openai")
    with site.server:
        check = make_images_provider(site.server.origin, sandbox=sandbox).check()
    assert (check.is_usable, check.lines) == (
        True,
        ("The site responds and accepts the key. No credits were spent.",),
    )
    [request] = site.server.requests
    assert (request.method, request.path) == ("GET", "/v1/models")
    assert request.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("script", "problem", "to_do"),
    [
        (answer(401), "does not accept OPENAI_IMAGES_STUDIO_API_KEY", "set OPENAI_IMAGES_STUDIO_API_KEY"),
        (answer(302, headers={"Location": "https://x"}), "redirects", "OPENAI_IMAGES_STUDIO_BASE_URL"),
        (answer(404, "<html>"), "not a list of models", "OPENAI_IMAGES_STUDIO_BASE_URL"),
        (answer(200, "<html>"), "not a list of models", "before /v1/models"),
        (answer(200, {"data": [{"id": "flux"}, 3]}), f"does not offer the model {MODEL}", "one of: flux."),
        (answer(503), "busy", "later"),
    ],
)
def test_a_check_says_what_is_wrong_and_what_to_do(
    serve: Serve, sandbox: Sandbox, script: Any, problem: str, to_do: str
) -> None:
    server = serve(by_path={MODELS: script})
    provider = make_images_provider(server.origin, sandbox=sandbox, prefix="OPENAI_IMAGES_STUDIO")
    check = provider.check()
    assert not check.is_usable
    assert problem in check.lines[0]
    assert to_do in check.lines[1]
    assert KEY not in " ".join(check.lines)


def test_a_check_without_a_server_says_where_to_look(sandbox: Sandbox) -> None:
    with HostileServer() as server:
        origin = server.origin
    check = make_images_provider(origin, sandbox=sandbox).check()
    assert not check.is_usable
    assert "OPENAI_IMAGES_BASE_URL" in check.lines[1]
