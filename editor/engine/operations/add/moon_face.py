"""Draw the face of the full moon: its maria and the bright rays of its young craters."""

from typing import NamedTuple, cast

import numpy as np

from editor.engine.colors import Floats
from editor.engine.drawing.cloud_noise import cloud_noise
from editor.imaging.picture import smoothstep

_RADIUS_KM = 1737.4  # mean radius of the moon
# Brightness of the maria, from 0 to 1.
MARIA = 0.55
_HIGHLANDS = 0.86  # brightness of the highlands, from 0 to 1
_SHORE = 0.22  # width of the shore of a mare, in radians
_UNEVEN = 0.4  # how far the shores differ from circles, in radians per unit of noise
_MOTTLED = 0.25  # variation in brightness inside the maria and highlands, per unit of noise
_RAYS = 9  # number of bright rays of a young crater


class _Place(NamedTuple):
    """A round feature of the moon, with selenographic coordinates in degrees and a diameter in kilometers."""

    longitude: float
    latitude: float
    diameter: float


# Gazetteer of Planetary Nomenclature of the International Astronomical Union. The Oceanus Procellarum is not
# round, so three circles stand for it, and two for the Mare Frigoris.
_MARIA = (
    _Place(-15.6, 32.8, 1146),  # Imbrium
    _Place(17.5, 28.0, 674),  # Serenitatis
    _Place(31.4, 8.5, 875),  # Tranquillitatis
    _Place(59.1, 17.0, 556),  # Crisium
    _Place(51.3, -7.8, 840),  # Fecunditatis
    _Place(35.5, -15.2, 339),  # Nectaris
    _Place(-16.6, -21.3, 714),  # Nubium
    _Place(-38.6, -24.4, 420),  # Humorum
    _Place(-22.3, -10.5, 350),  # Cognitum
    _Place(-30.9, 7.5, 512),  # Insularum
    _Place(3.6, 13.3, 242),  # Vaporum
    _Place(-57.4, 30.0, 700),  # Procellarum
    _Place(-55.0, 12.0, 800),
    _Place(-45.0, -3.0, 700),
    _Place(-18.0, 57.0, 330),  # Frigoris
    _Place(18.0, 56.0, 330),
)
# Tycho, Copernicus, and Kepler, whose rays are bright when the moon is full.
_CRATERS = (_Place(-11.4, -43.3, 85), _Place(-20.1, 9.6, 93), _Place(-38.0, 8.1, 32))


def moon_face(radius: float) -> Floats:
    """Return the brightness of a full moon as a square array, from 0 outside to 1 inside.

    `radius` is in pixels.
    """
    reach = int(radius) + 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32) / np.float32(radius)
    far: Floats = np.hypot(x, y)
    surface = np.stack([x, -y, np.sqrt(np.clip(1 - far * far, 0, 1))], axis=-1)
    noise = cloud_noise(len(far), len(far), np.random.default_rng(0), scale=0.12) - np.float32(0.5)
    sea = np.max([_inside(surface, mare, noise) for mare in _MARIA], axis=0)
    bright = (
        _HIGHLANDS - (_HIGHLANDS - MARIA) * sea + np.max([_rays(surface, one) for one in _CRATERS], axis=0)
    )
    edge = np.clip((1 - far) * radius + 0.5, 0, 1)
    return (np.clip(bright + _MOTTLED * noise, 0, 1) * edge).astype(np.float32)


def _inside(surface: Floats, mare: _Place, noise: Floats) -> Floats:
    """Return how much each point of the moon belongs to a mare, from 0 to 1."""
    beyond = _distance(surface, mare) - mare.diameter / 2 / _RADIUS_KM + np.float32(_UNEVEN) * noise
    return smoothstep(np.clip(0.5 - beyond / np.float32(_SHORE), 0, 1))


def _rays(surface: Floats, crater: _Place) -> Floats:
    """Return the additional brightness of a young crater and its rays, which fade with the distance."""
    away = _distance(surface, crater) / np.float32(crater.diameter / _RADIUS_KM)
    _, east, north = _axes(crater)
    streaks = np.cos(np.float32(_RAYS) * np.arctan2(surface @ north, surface @ east)) ** 2
    return cast(Floats, 0.08 * np.exp(-away / 2) + 0.06 * streaks * np.exp(-away / 6))


def _distance(surface: Floats, place: _Place) -> Floats:
    """Return the distance of each point of the moon from a place, in radians."""
    return cast(Floats, np.arccos(np.clip(surface @ _axes(place)[0], -1, 1)))


def _axes(place: _Place) -> tuple[Floats, Floats, Floats]:
    """Return unit vectors that point outward, east, and north at a place; z points to the earth."""
    along, up = np.radians((place.longitude, place.latitude))
    outward = (np.sin(along) * np.cos(up), np.sin(up), np.cos(along) * np.cos(up))
    east = (np.cos(along), 0.0, -np.sin(along))
    north = (-np.sin(along) * np.sin(up), np.cos(up), -np.cos(along) * np.sin(up))
    return np.array(outward, np.float32), np.array(east, np.float32), np.array(north, np.float32)
