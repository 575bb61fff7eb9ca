"""Draws the places of assets/places: `python -m editor.engine.assets.source.drawn_places FOLDER [NAME...]`.

Each is wide, so that windows of any shape are a view of it. They are only ever seen out of focus; points of
light are spread a little, for a file holds no light beyond LAMPLIGHT times 4.
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from editor.engine.assets.source import landscapes, towns
from editor.engine.operations.background.lens import out_of_focus, shown
from editor.engine.operations.background.scenes import LAMPLIGHT

SIZE, FINE = (1334, 667), (2000, 1000)
SPREAD = 0.0016  # of the width
# What draws it, and with which seed.
PLACES = {
    "beach": (landscapes.beach, 2),
    "palm beach": (landscapes.palm_beach, 2),
    "sea": (landscapes.ocean, 2),
    "lake": (landscapes.lake, 1),
    "mountains": (landscapes.mountains, 2),
    "snowy mountains": (landscapes.snowy_mountains, 2),
    "snowy field": (landscapes.snow, 4),
    "glacier": (landscapes.glacier, 2),
    "desert": (landscapes.desert, 4),
    "jungle": (landscapes.jungle, 4),
    "garden": (landscapes.garden, 2),
    "flower field": (landscapes.flower_field, 2),
    "underwater": (landscapes.under_water, 2),
    "space": (landscapes.space, 4),
    "city at night": (towns.city_at_night, 2),
    "library": (towns.library, 2),
    "office": (towns.office, 4),
    "cafe": (towns.cafe, 3),
    "gallery": (towns.gallery, 2),
    "brick wall": (towns.brick_wall, 2),
}
SHARP = ("space", "brick wall")


def picture(name: str, seed: int | None = None) -> Image.Image:
    """The place of that name."""
    draw, usual = PLACES[name]
    size = FINE if name == "brick wall" else SIZE
    light = draw(*size, np.random.default_rng(usual if seed is None else seed))
    soft = light if name in SHARP else out_of_focus(light, SPREAD * size[0])
    return Image.fromarray((shown(soft / LAMPLIGHT) * 255 + 0.5).astype(np.uint8))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m editor.engine.assets.source.drawn_places")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all when none is named")
    given = parser.parse_args()
    for name in given.names or PLACES:
        picture(name).save(given.folder / f"{name.replace(' ', '_')}.jpg", quality=92)


if __name__ == "__main__":
    main()
