"""The places of which Darkroom has photographs; without OpenCV, because the language needs them too."""

from typing import NamedTuple


class Sights(NamedTuple):
    """Panoramas, each with the direction to look in, and the angle above the horizon, all in degrees."""

    views: tuple[tuple[str, float], ...]
    rise: float = 0.0


SIGHTS: dict[str, Sights] = {
    "forest": Sights((("forest", 90), ("forest", 135), ("forest", 200), ("forest", 310)), rise=4),
    "park": Sights((("park", 60), ("park", 105), ("park", 170), ("park", 215), ("lawn", 112)), rise=2),
    "meadow": Sights((("meadow", 160), ("meadow", 205), ("lawn", 110), ("lawn", 300))),
    "autumn meadow": Sights((("meadow", 70), ("meadow", 90), ("meadow", 115))),
    "grassland": Sights((("lawn", 110), ("lawn", 160), ("lawn", 300), ("lawn", 30))),
    "city street": Sights((("city", 55), ("city", 150), ("city", 215), ("city", 255), ("city", 320)), rise=5),
    "city": Sights((("square", 25), ("square", 95), ("square", 250), ("square", 300), ("city", 215)), rise=6),
    "sea at sunset": Sights((("seafront", 165), ("seafront", 190), ("seafront", 215))),
    "living room": Sights((("room", 110), ("room", 150), ("room", 185)), rise=-3),
    "bedroom": Sights((("room", 215), ("room", 262), ("room", 275)), rise=-6),
    "hall": Sights((("hall", 55), ("hall", 200), ("hall", 232)), rise=-2),
    "warehouse": Sights((("warehouse", 40), ("warehouse", 150), ("warehouse", 300))),
}
"""The views for each place, by the name of the place."""
