"""The photos and the sentences of the benchmarks for previews."""

import subprocess
import sys
import time
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

from tests.portal import ROOT, Portal

ANALYSIS_SECONDS = 300  # maximum time of an analysis


@dataclass(frozen=True)
class Subject:
    """A photo of the repository, enlarged to a size in megapixels, and the thing in it that is named."""

    path: str
    megapixels: float
    thing: str

    @property
    def name(self) -> str:
        return Path(self.path).stem


PHOTOS = (
    Subject("static/img/samples/pier.webp", 2, "sky"),
    Subject("static/img/samples/coffee.webp", 4, "background"),
    Subject("tests/photos/cat.jpg", 8, "cat"),
    Subject("tests/photos/astronaut.jpg", 12, "person"),
    Subject("static/img/samples/canyon.webp", 16, "background"),
    Subject("tests/photos/cup.jpg", 24, "cup"),
)
TONES = (
    "make it black and white",
    "make it sepia",
    "make it warmer",
    "make it cooler",
    "make it brighter",
    "make it darker",
    "increase the contrast",
    "add a vignette",
    "add film grain",
    "make it more colorful",
    "give it a vintage look",
    "make it black and white and add a vignette",
    "make it warmer and brighter",
    "give it a cyberpunk look",
    "make it softer",
    "sharpen it",
    "make it 20% darker",
)
TARGETS = (
    "make the {} black and white",
    "make the {} brighter",
    "make the {} darker",
    "make the {} warmer",
    "make the {} cooler",
    "make the {} more colorful",
    "make the {} sepia",
    "make the {} blue",
    "make the {} red",
    "make the {} green",
    "make the {} purple",
    "make the {} 30% brighter",
    "increase the contrast of the {}",
    "make the {} black and white and add a vignette",
    "make the {} pink and make it warmer",
    "make the {} darker and add film grain",
    "make the {} yellow",
)
_DRAW = """
import sys
from PIL import Image
image = Image.open(sys.argv[1]).convert("RGB")
scale = (float(sys.argv[3]) * 1e6 / (image.width * image.height)) ** 0.5
image.resize((round(image.width * scale), round(image.height * scale)), Image.Resampling.BICUBIC).save(
    sys.argv[2], quality=90)
"""


def draw(subject: Subject, folder: Path, *, megapixels: float | None = None) -> Path:
    """Write the photo as a JPEG and return its path.

    It is drawn in a separate process, so that the memory for it does not count.
    """
    path = folder / f"{subject.name}.jpg"
    size = str(megapixels or subject.megapixels)
    command = [sys.executable, "-c", _DRAW, str(ROOT / subject.path), str(path), size]
    subprocess.run(command, cwd=ROOT, check=True)
    return path


def stored_analyses(site: Portal) -> set[Path]:
    """Return the stored analyses from which things can be outlined."""
    return set(site.data_dir.rglob("*-embedding*.npz"))


def wait_for_analyses(
    site: Portal,
    number: int,
    *,
    besides: Set[Path] = frozenset(),
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Wait until this number of analyses are stored besides the given ones."""
    until = time.monotonic() + ANALYSIS_SECONDS
    while (stored := len(stored_analyses(site) - besides)) < number:
        assert time.monotonic() < until, f"{stored} of {number} photos have been analyzed."
        wait(0.2)


def p95(values: list[float]) -> float:
    """Return the value that 95 of 100 do not exceed (nearest rank)."""
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]
