"""Tests for replacing a thing with a prop. The thing must disappear, and the prop must rest on the ground."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

from editor.engine.errors import PlanRefused
from editor.engine.operations.add import prop
from editor.engine.pixels import Box
from editor.engine.plan import Step, Target
from editor.engine.vision.things import Thing
from editor.imaging.picture import Bytes, Picture
from editor.options import Region
from tests.engine.analyses import detect
from tests.engine.pictures import REGION, apply_steps, step

type See = Callable[..., None]
DOG = Target("thing", noun="dog")
AT = (250, 220, 350, 300)


@pytest.fixture(autouse=True)
def _drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a red square for every prop."""
    for name in ("apple", "bench", "tree"):
        Image.new("RGBA", (80, 80), (220, 30, 30, 255)).save(tmp_path / f"{name}.webp", lossless=True)
    monkeypatch.setattr(prop, "FOLDER", tmp_path)
    prop._picture.cache_clear()
    yield
    prop._picture.cache_clear()


@pytest.fixture
def see(monkeypatch: pytest.MonkeyPatch) -> See:
    """Make the detector find a dog in each of these boxes."""

    def seen(*boxes: tuple[int, int, int, int], kind: str = "dog") -> None:
        things = [Thing(kind, 0.9, Box(*box)) for box in boxes]
        detect(monkeypatch, things)
        for module in ("operations.add.prop_scale", "operations.remove.erase"):
            monkeypatch.setattr(f"editor.engine.{module}.things_seen", lambda canvas: things)

    return seen


def lawn(*places: tuple[int, int, int, int]) -> Picture:
    """Draw green ground below a blue sky, and a blue block at each of these positions."""
    pixels = np.empty((400, 600, 3), np.float32)
    pixels[:160], pixels[160:] = (140, 185, 235), (110, 130, 70)
    for left, top, right, bottom in places:
        pixels[top:bottom, left:right] = (40, 40, 150)
    pixels += np.random.default_rng(4).normal(0, 2, pixels.shape)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def instead(name: str, target: Target, **fields: Any) -> Step:
    return step("prop_instead", prop=name, target=target, **fields)


def where(photo: Picture, channel: int) -> Bytes:
    """Return a 0/1 mask of the pixels in which this color channel is much higher than the others."""
    pixels = photo.pixels.astype(int)
    others = np.delete(pixels, channel, 2).max(2)
    return cast(Bytes, (pixels[:, :, channel] > 1.5 * others + 15).astype(np.uint8))


def test_the_new_thing_is_placed_where_the_old_one_was(see: See) -> None:
    see(AT)
    result = apply_steps(lawn(AT), instead("apple", DOG))
    rows, columns = np.nonzero(where(result, 0))
    assert not where(result, 2)[200:].any()
    assert abs(int(rows.max()) - AT[3]) <= 4
    assert abs(float(columns.mean()) - 300) <= 4


@pytest.mark.slow
def test_the_size_of_the_old_thing_limits_the_size_of_the_new_one(see: See) -> None:
    see(AT)
    small, large = (
        where(apply_steps(lawn(AT), instead(name, DOG)), 0).any(1).sum() for name in ("apple", "tree")
    )
    assert 0.4 * 80 <= small <= 0.6 * 80
    assert 100 <= large <= 1.35 * 100


def test_each_of_several_is_replaced(see: See) -> None:
    places = ((100, 220, 200, 300), (400, 220, 500, 300))
    see(*places)
    result = apply_steps(lawn(*places), instead("bench", Target("thing", noun="dogs")))
    red = where(result, 0)
    assert red[:, :300].any()
    assert red[:, 300:].any()
    assert not where(result, 2)[200:].any()


def test_a_replacement_in_a_box_fills_the_box() -> None:
    regions = (Region(0.45, 0.55, 0.1, 0.15),)
    result = apply_steps(lawn((275, 225, 325, 275)), instead("apple", REGION), regions=regions)
    rows, columns = np.nonzero(where(result, 0))
    assert (int(rows.min()), int(rows.max())) == pytest.approx((220, 279), abs=3)
    assert (int(columns.min()), int(columns.max())) == pytest.approx((270, 329), abs=3)


def test_a_replacement_in_the_sky_casts_no_shadow(see: See) -> None:
    place = (250, 40, 330, 100)
    see(place, kind="bird")
    result = apply_steps(lawn(place), instead("apple", Target("thing", noun="bird")))
    aside = result.pixels[60:98, 335:420].astype(int)
    assert np.abs(aside - (140, 185, 235)).mean() < 6


def test_a_replacement_is_refused_if_the_old_thing_cannot_be_erased() -> None:
    with pytest.raises(PlanRefused, match="quarter"):
        apply_steps(lawn(), instead("apple", REGION), regions=(Region(0, 0, 0.9, 0.9),))
