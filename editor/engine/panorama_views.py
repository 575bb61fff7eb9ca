"""The panoramas that come with Darkroom.

This module does not import OpenCV, because the language imports it.
"""

from typing import NamedTuple


class PanoramaViews(NamedTuple):
    """Panoramas with their viewing directions, and the viewing angle above the horizon, in degrees."""

    views: tuple[tuple[str, float], ...]
    rise: float = 0.0


# The views for each place, by the name of the place.
PANORAMA_VIEWS: dict[str, PanoramaViews] = {
    "forest": PanoramaViews((("forest", 90), ("forest", 135), ("forest", 200), ("forest", 310)), rise=4),
    "park": PanoramaViews((("park", 60), ("park", 105), ("park", 170), ("park", 215), ("lawn", 112)), rise=2),
    "meadow": PanoramaViews((("meadow", 160), ("meadow", 205), ("lawn", 110), ("lawn", 300))),
    "autumn meadow": PanoramaViews((("meadow", 70), ("meadow", 90), ("meadow", 115))),
    "grassland": PanoramaViews((("lawn", 110), ("lawn", 160), ("lawn", 300), ("lawn", 30))),
    "city street": PanoramaViews(
        (("city", 55), ("city", 150), ("city", 215), ("city", 255), ("city", 320)), rise=5
    ),
    "city": PanoramaViews(
        (("square", 25), ("square", 95), ("square", 250), ("square", 300), ("city", 215)), rise=6
    ),
    "sea at sunset": PanoramaViews((("seafront", 165), ("seafront", 190), ("seafront", 215))),
    "living room": PanoramaViews((("room", 110), ("room", 150), ("room", 185)), rise=-3),
    "bedroom": PanoramaViews((("room", 215), ("room", 262), ("room", 275)), rise=-6),
    "hall": PanoramaViews((("hall", 55), ("hall", 200), ("hall", 232)), rise=-2),
    "warehouse": PanoramaViews((("warehouse", 40), ("warehouse", 150), ("warehouse", 300))),
}
