"""Tests that the contact sheets of the operations can be drawn."""

import numpy as np

from editor.imaging.picture import Picture
from tests import scenes
from tests.contact_sheets import TILE, Example, sheet


def test_a_sheet_shows_the_photo_beside_its_results() -> None:
    lake = Picture(np.asarray(scenes.lake(300, 200).convert("RGB")))
    page = np.asarray(sheet(Example("black_and_white", "make it black and white"), {"lake": lake}))
    before, after = page[40:200, 10:280], page[40:200, TILE + 18 : TILE + 288]
    assert np.ptp(before.astype(int), axis=2).max() > 20
    assert np.ptp(after.astype(int), axis=2).max() == 0
