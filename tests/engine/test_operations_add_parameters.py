"""Tests that additions across a photo use all of their parameters, such as color, amount, and position."""

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from editor.engine.catalog import catalog
from editor.engine.plan import WHOLE, Target
from editor.imaging.picture import Picture
from tests.engine.pictures import apply_steps, step

SPREAD = {
    name: tuple(declaration.fields)
    for name, declaration in catalog().items()
    if "overlaid" in declaration.english.get("words", {})
}
PAIRS = sorted((name, field) for name, fields in SPREAD.items() for field in fields)
VALUES: Mapping[str, tuple[object, object]] = {
    "color": ("red", "blue"),
    "amount": (0.1, 0.8),
    "place": ("left", "right"),
}


def night() -> Picture:
    """Return a photo that is dark everywhere, so that all of it counts as sky."""
    pixels = np.full((240, 360, 3), 80, np.uint8)
    pixels[:, :, 2] += np.linspace(25, 5, 240).astype(np.uint8)[:, None]
    return Picture(pixels)


def changes(operation: str, **values: object) -> NDArray[np.int64]:
    """Return how much the operation changes each pixel.

    Operations that need a sky are applied to the top of the photo.
    """
    photo, target = night(), WHOLE if operation == "fire" else Target("place", place="top")
    return apply_steps(photo, step(operation, target, **values)).pixels.astype(np.int64) - photo.pixels


@pytest.mark.parametrize(("operation", "field"), PAIRS)
def test_every_declared_parameter_changes_the_drawing(operation: str, field: str) -> None:
    one, other = (changes(operation, **{field: value}) for value in VALUES[field])
    assert np.abs(one - other).max() > 10


@pytest.mark.parametrize("operation", [name for name, field in PAIRS if field == "place"])
def test_an_addition_on_the_left_changes_mostly_the_left_half(operation: str) -> None:
    left = np.abs(changes(operation, place="left"))
    assert left[:, :180].sum() > 1.3 * left[:, 180:].sum()
