"""Tests with a malicious model that repaints the whole photo: nothing changes outside the announced area.

The area is a box, a mask, or what the prompt names while everything else is kept.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from editor.engine.changing_area import write_mask
from editor.engine.keeping import area_of
from editor.engine.language.explain import explain
from editor.imaging.sandbox import DECODE, Sandbox
from editor.options import Region
from editor.providers import openai_images, result_notices
from editor.providers.contract import EditRequest, Update
from tests import scenes
from tests.providers.conftest import Requests
from tests.providers.images_site import ImagesSite, opened
from tests.providers.provider_factory import Watching, make_images_provider

WIDTH, HEIGHT = 304, 208
NAMED = (
    "make the sky red",
    "make the background black and white",
    "make the subject brighter",
    "write “Sale” at the top",
)
type Random = np.random.Generator
type Pixels = np.ndarray[Any, Any]
type Announced = tuple[EditRequest, Pixels]  # a request, and a mask that is 0 where nothing may change


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    box = Sandbox(DECODE)
    yield box
    box.close()


def malicious(seed: int) -> Callable[[Image.Image], Image.Image]:
    """Return a model that repaints the whole photo, in one of eight ways."""
    random = np.random.default_rng(seed)

    def paint(image: Image.Image) -> Image.Image:
        pixels = np.asarray(image.resize((WIDTH, HEIGHT))).astype(float)
        ways = (
            lambda: random.uniform(0, 256, pixels.shape),
            lambda: pixels * random.uniform(0.3, 0.98),
            lambda: 255 - pixels,
            lambda: pixels[:, ::-1],
            lambda: np.full_like(pixels, random.uniform(0, 255)),
            lambda: pixels + random.normal(0, random.uniform(1, 60), pixels.shape),
            lambda: np.roll(pixels, int(random.integers(1, 60)), axis=int(random.integers(2))),
            lambda: pixels + (np.arange(pixels.shape[1]) % 2 * 1.0)[None, :, None],
        )
        return Image.fromarray(np.clip(ways[seed % len(ways)](), 0, 255).astype(np.uint8))

    return paint


def with_a_box(request: EditRequest, random: Random) -> Announced:
    x, y = random.uniform(0, 0.7, 2).round(3)
    w, h = random.uniform(0.05, 1 - max(x, y), 2).round(3)
    left, top = int(np.floor(x * WIDTH + 1e-6)), int(np.floor(y * HEIGHT + 1e-6))
    right, bottom = int(np.ceil((x + w) * WIDTH - 1e-6)), int(np.ceil((y + h) * HEIGHT - 1e-6))
    announced = np.zeros((HEIGHT, WIDTH), np.uint8)
    announced[top:bottom, left:right] = 255
    return replace(request, options=replace(request.options, regions=(Region(x, y, w, h),))), announced


def with_a_mask(request: EditRequest, random: Random) -> Announced:
    """Announce one to three ellipses anywhere on the photo."""
    mask = Image.new("L", (WIDTH, HEIGHT))
    for _ in range(int(random.integers(1, 4))):
        x, y, w, h = (int(random.integers(*span)) for span in ((0, 280), (0, 190), (8, 120), (8, 120)))
        ImageDraw.Draw(mask).ellipse((x, y, x + w, y + h), fill=255)
    return _kept_outside(request, mask)


def with_a_named_target(request: EditRequest, random: Random) -> Announced:
    """Announce the area that the engine finds for a prompt in this photo."""
    area = area_of(str(random.choice(NAMED)), explain)
    assert area is not None
    found = request.work_dir / "found.png"
    unable = write_mask(area.plan.as_json(), str(request.photos[0]), None, str(found))["message"]
    return with_a_mask(request, random) if unable else _kept_outside(request, Image.open(found))


def _kept_outside(request: EditRequest, mask: Image.Image) -> Announced:
    path = request.work_dir / "area.png"
    mask.save(path)
    return replace(request, find_area=lambda _: path), np.asarray(mask.resize((WIDTH, HEIGHT)))


WAYS = (with_a_box, with_a_mask, with_a_named_target)


@pytest.mark.parametrize(
    "edits", [pytest.param(12, id="12 edits"), pytest.param(500, id="500 edits", marks=pytest.mark.slow)]
)
def test_a_model_that_repaints_everything_changes_no_byte_outside_the_announced_area(
    request_for: Requests, tmp_path: Path, sandbox: Sandbox, edits: int
) -> None:
    random, differing, compared = np.random.default_rng(29), 0, 0
    for seed in range(edits):
        photo = tmp_path / "photo.png"
        scenes.lake(WIDTH, HEIGHT, seed=seed).save(photo)
        request, announced = WAYS[seed % len(WAYS)](request_for("repaint", (photo,)), random)
        update, result = repainted(request, seed, sandbox)
        if result is None:
            assert update.message == openai_images.MISALIGNED
            continue
        before, after = np.asarray(Image.open(photo).convert("RGB")), np.asarray(result.convert("RGB"))
        differing += int((before != after)[announced == 0].sum())
        assert (before != after)[announced > 0].any()
        assert request.options.regions or result_notices.KEPT in update.warnings
        compared += 1
    assert (differing, compared > 0.8 * edits) == (0, True)


def repainted(request: EditRequest, seed: int, sandbox: Sandbox) -> tuple[Update, Image.Image | None]:
    """Return the update and the result of an edit by a malicious model, or None if the edit fails."""
    site = ImagesSite("xinference" if seed % 2 else "litellm", malicious(seed))
    with site.server:
        provider = make_images_provider(site.server.origin, dialect=site.dialect, sandbox=sandbox)
        update = provider.poll(provider.submit(request, Watching()), request, Watching())
        paths = provider.collect(list(update.arrivals), request, Watching())
    (request.work_dir / "answer.json").unlink()
    return update, opened(paths[1].read_bytes()) if paths else None
