"""Still lifes of our rendered props on a table, for the landing page and for a first try in the editor.

`python -m tests.stills` redraws them in static/img/samples/. The edits of them that the landing page shows
are made by tests/pages/test_door.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "editor/engine/assets"
SAMPLES = ROOT / "static/img/samples"
WIDTH, HEIGHT = 1200, 800
type Pixels = np.ndarray


@dataclass(frozen=True)
class Thing:
    """One prop on the table: the middle of its foot and its height, in pixels."""

    name: str
    x: int
    y: int
    tall: int
    blur: float = 0.0


@dataclass(frozen=True)
class Still:
    """A table in front of a background that is out of focus."""

    place: str
    cut: tuple[float, float]
    light: tuple[float, float, float]
    wood: tuple[tuple[int, int, int], tuple[int, int, int]]
    edge: int
    things: Sequence[Thing]


STILLS = {
    "tea": Still(
        "seafront",
        (0.36, 0.30),
        (1.03, 1.0, 0.96),
        ((96, 62, 38), (152, 104, 66)),
        470,
        (
            Thing("vase", 905, 590, 470, 1.2),
            Thing("teapot", 470, 640, 292),
            Thing("pear", 815, 655, 205),
            Thing("lemon", 655, 722, 116),
        ),
    ),
    "bear": Still(
        "park",
        (0.05, 0.36),
        (1.0, 0.98, 0.94),
        ((120, 108, 92), (176, 164, 144)),
        560,
        (Thing("teddy_bear", 600, 716, 500),),
    ),
    "desk": Still(
        "room",
        (0.1, 0.36),
        (0.98, 0.99, 1.02),
        ((58, 44, 36), (98, 76, 60)),
        440,
        (
            Thing("lamp", 300, 560, 430, 1.2),
            Thing("camera", 560, 650, 235),
            Thing("mug", 890, 670, 225),
        ),
    ),
}


def still(name: str) -> Image.Image:
    """Return the picture with this name. Each call draws the same pixels."""
    laid, random = STILLS[name], np.random.default_rng(3)
    scene = _place(laid)
    table, cover = _table(laid, random)
    scene = scene * (1 - cover) + table * cover
    for thing in sorted(laid.things, key=lambda one: one.y):
        _shade(scene, thing)
    for thing in sorted(laid.things, key=lambda one: one.y):
        _stand(scene, thing, laid)
    return _developed(scene, laid, random)


def _place(laid: Still) -> Pixels:
    """Return a part of a panorama, far out of focus, so that every light becomes a disc."""
    with Image.open(ASSETS / f"scenery/{laid.place}.jpg") as picture:
        band = np.asarray(picture.convert("RGB"), np.float32) / 255
    start, part = laid.cut
    left, wide = int(start * band.shape[1]), int(part * band.shape[1])
    band = np.roll(band, -left, axis=1)[:, :wide]
    rows = int(wide * HEIGHT / WIDTH)
    top = max(0, int(band.shape[0] * 0.5 - rows * 0.62))
    band = band[top : top + rows]
    large = cv2.resize(band, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC).clip(0, 1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (45, 45)).astype(np.float32)
    bright = cv2.filter2D((large * 0.86) ** 2.2, -1, disc / disc.sum(), borderType=cv2.BORDER_REFLECT)
    soft: Pixels = cv2.GaussianBlur(bright ** (1 / 2.2), (0, 0), 4)
    return soft


def _table(laid: Still, random: np.random.Generator) -> tuple[Pixels, Pixels]:
    """Draw boards seen from slightly above and sharp near the props.

    Returns the pixels and the share of each pixel that the table covers.
    """
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    depth = 1 / np.maximum((rows - laid.edge + 190) / 420, 0.05)
    across = (columns - WIDTH / 2) * depth / 210 + 40
    along = depth * 6
    grain = _wood(across * 1.0, along, random)
    dark, light = (np.array(color, np.float32) / 255 for color in laid.wood)
    boards = dark + (light - dark) * grain[:, :, None]
    near = np.abs(rows - 650) / 300
    blurred = cv2.GaussianBlur(boards, (0, 0), 5)
    mix = np.clip(near * 1.2 - 0.2, 0, 1)[:, :, None]
    boards = boards * (1 - mix) + blurred * mix
    fall = np.clip(1.12 - 0.42 * columns / WIDTH + 0.25 * (rows - 700) / HEIGHT, 0.4, 1.3)[:, :, None]
    cover = cv2.GaussianBlur((rows > laid.edge).astype(np.float32), (0, 0), 5)[:, :, None]
    return boards * fall, cover


def _wood(across: Pixels, along: Pixels, random: np.random.Generator) -> Pixels:
    """Return the brightness of wood with growth rings along the boards and dark seams between them."""
    board = np.floor(along * 0.55)
    shift = random.uniform(0, 60, 400).astype(np.float32)[board.astype(int) % 400]
    field = random.normal(0, 1, (256, 256)).astype(np.float32)
    slow = _sampled(cv2.GaussianBlur(field, (0, 0), 3), across * 3 + shift, along * 26 + shift * 7)
    fine = _sampled(cv2.GaussianBlur(field, (0, 0), 0.8), across * 5 + shift, along * 90 + shift)
    rings = 0.5 + 0.5 * np.sin(along * 16 + shift + slow * 22)
    tone = (shift % 7) / 7
    gap = np.abs((along * 0.55) % 1 - 0.5) > 0.488
    shown = 0.25 + 0.3 * rings + 0.28 * tone + 0.25 * fine
    return np.where(gap, 0.02, np.clip(shown, 0, 1)).astype(np.float32)


def _sampled(field: Pixels, x: Pixels, y: Pixels) -> Pixels:
    size = field.shape[0]
    places = ((x % size).astype(np.float32), (y % size).astype(np.float32))
    found: Pixels = cv2.remap(
        field / np.abs(field).max(), *places, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    return found


def _prop(thing: Thing) -> Pixels:
    with Image.open(ASSETS / f"props/{thing.name}.webp") as picture:
        shown = picture.convert("RGBA")
    wide = round(shown.width * thing.tall / shown.height)
    shown = shown.resize((wide, thing.tall), Image.Resampling.LANCZOS)
    return np.asarray(shown, np.float32) / 255


def _on_scene(patch: Pixels, left: int, top: int) -> Pixels:
    """Return a patch on an empty image of the scene's size, without the parts outside of it."""
    whole = np.zeros((HEIGHT, WIDTH, *patch.shape[2:]), np.float32)
    x, y = max(0, left), max(0, top)
    part = patch[y - top : HEIGHT - top, x - left : WIDTH - left]
    whole[y : y + part.shape[0], x : x + part.shape[1]] = part
    return whole


def _shade(scene: Pixels, thing: Thing) -> None:
    """Draw the shadow of a prop, its contact line, and its reflection.

    The shadow falls to the right and behind, and is softer with distance.
    """
    pixels = _prop(thing)
    tall, wide = pixels.shape[:2]
    flat = cv2.resize(pixels[:, :, 3], (wide, max(4, int(tall * 0.30))))
    slant = np.array([[1, -1.9, 1.9 * flat.shape[0]], [0, 1, 0]], np.float32)
    cast = cv2.warpAffine(flat, slant, (int(wide + 2.2 * flat.shape[0]), flat.shape[0]))
    left = int(thing.x - wide / 2)
    shadow = _on_scene(cast, left, thing.y - flat.shape[0] + int(tall * 0.015))
    far = cv2.GaussianBlur(shadow, (0, 0), 16)
    near = cv2.GaussianBlur(shadow, (0, 0), 6)
    rows = np.arange(HEIGHT, dtype=np.float32)[:, None]
    mix = np.clip((thing.y - rows) / (tall * 0.22), 0, 1)
    dark = near * (1 - mix) * 0.62 + far * mix * 0.42
    sole = pixels[-max(6, int(tall * 0.05)) :, :, 3]
    sole = cv2.resize(sole.max(axis=0)[None, :], (wide, max(5, int(tall * 0.022))))
    contact = _on_scene(sole, left, thing.y - int(tall * 0.026))
    dark = np.maximum(dark, cv2.GaussianBlur(contact, (0, 0), 4) * 0.95)
    scene *= 1 - np.clip(dark, 0, 0.9)[:, :, None] * np.array([0.86, 0.9, 0.94], np.float32)
    mirror = _on_scene(pixels[::-1], left, thing.y - int(tall * 0.03))
    alpha = cv2.GaussianBlur(mirror[:, :, 3], (0, 0), 5)[:, :, None]
    fade = np.clip(1 - (rows - thing.y) / (tall * 0.5), 0, 1)[:, :, None] * 0.16
    scene[:] = scene * (1 - alpha * fade) + cv2.GaussianBlur(mirror[:, :, :3], (0, 0), 5) * alpha * fade


def _stand(scene: Pixels, thing: Thing, laid: Still) -> None:
    pixels = _prop(thing)
    tall, wide = pixels.shape[:2]
    weighted = np.dstack([pixels[:, :, :3] * pixels[:, :, 3:], pixels[:, :, 3]])
    shown = _on_scene(weighted, int(thing.x - wide / 2), thing.y - tall)
    if thing.blur:
        shown = cv2.GaussianBlur(shown, (0, 0), thing.blur)
    rows = np.arange(HEIGHT, dtype=np.float32)[:, None]
    bounce = np.clip(1 - (thing.y - rows) / (tall * 0.35), 0, 1)[:, :, None] * 0.16
    warm = np.array(laid.wood[1], np.float32) / 255
    color = shown[:, :, :3] * (1 - bounce) + shown[:, :, :3] * bounce * (0.5 + warm)
    scene[:] = scene * (1 - shown[:, :, 3:]) + color


def _developed(scene: Pixels, laid: Still, random: np.random.Generator) -> Image.Image:
    """Add light from the left, darker corners, a little bloom, and grain."""
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    corner = ((columns / WIDTH - 0.46) ** 2 * 1.1 + (rows / HEIGHT - 0.5) ** 2) * 0.75
    bloom = cv2.GaussianBlur(np.clip(scene - 0.8, 0, 1), (0, 0), 24)
    lit = (scene + bloom * 0.7) * (1.06 - corner[:, :, None]) * np.array(laid.light, np.float32)
    curve = np.clip(lit, 0, 1)
    curve = curve * 0.72 + 0.28 * (3 * curve**2 - 2 * curve**3)
    grain = cv2.GaussianBlur(random.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 0.7)
    done = curve * 255 + grain[:, :, None] * 3.2
    return Image.fromarray(done.clip(0, 255).astype(np.uint8))


def save(picture: Image.Image, path: Path, width: int) -> None:
    """Save the picture as WebP, scaled to `width` pixels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = (width, width * picture.height // picture.width)
    picture.resize(size, Image.Resampling.LANCZOS).save(path, quality=84, method=6)


def main() -> None:
    for name in STILLS:
        save(still(name), SAMPLES / f"{name}.webp", WIDTH)


if __name__ == "__main__":
    main()
