"""Tests that the pieces of a filling and its surroundings pass into each other without steps of color."""

import numpy as np
from numpy.typing import NDArray

from editor.engine.operations.remove.color_steps import without_steps

HEIGHT, WIDTH = 60, 120
# The columns at which the hole begins, at which its two pieces meet, and at which it ends.
LEFT, MIDDLE, RIGHT = 40, 60, 80


def filled(left: int, right: int) -> NDArray[np.float32]:
    """Return a row of a picture with a hole, whose left half shows what is left of it, after the filling."""
    colors = np.full((HEIGHT, WIDTH, 3), left, np.float32)
    colors[:, MIDDLE:] = right
    hole = np.argwhere(np.ones((HEIGHT, RIGHT - LEFT))).astype(np.int32) + np.array([0, LEFT], np.int32)
    offset = np.where(hole[:, 1] < MIDDLE, LEFT - RIGHT, RIGHT - LEFT)
    sources = hole + np.stack([np.zeros_like(offset), offset], 1).astype(np.int32)
    return without_steps(colors, hole, sources)[HEIGHT // 2, :, 0]


def test_two_pieces_in_different_light_pass_into_each_other() -> None:
    row = filled(100, 120)
    assert np.abs(np.diff(row)).max() < 2
    assert (row[:LEFT] == 100).all()
    assert (row[RIGHT:] == 120).all()


def test_the_edge_of_an_object_stays_sharp() -> None:
    row = filled(50, 200)
    assert np.abs(row[:MIDDLE] - 50).max() < 1
    assert np.abs(row[MIDDLE:] - 200).max() < 1


def test_a_filling_without_steps_stays_as_it_is() -> None:
    assert np.abs(filled(90, 90) - 90).max() < 0.01
