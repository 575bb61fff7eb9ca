"""Time `manage.py edit` as a separate process on drawings of 12 and 24 megapixels, from JPEG to JPEG.

The benchmark measures the time, and the peak memory of the largest process. For operations that ImageMagick
supports, runs of the two programs alternate.
"""

import secrets
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import Row
from tests.benchmarks.edit_command import ROOT, Run, convert, timed

ROUNDS = 5


@dataclass(frozen=True)
class Asked:
    """An edit to measure, along with its maximum seconds and its maximum megabytes."""

    prompt: str
    seconds: float
    megabytes: float
    region: str = ""


FIRST_SECONDS = 5.0  # for an edit that must first analyze the photo
ASKED = {
    "tone": Asked("make it brighter and warmer", 1.0, 600),
    "recolor": Asked("make the red boat blue", FIRST_SECONDS, 600),
    "background": Asked("make the background white", FIRST_SECONDS, 500),
    "small removal": Asked("remove it", FIRST_SECONDS, 600, region="0.285,0.46,0.03,0.03"),
    "large removal": Asked("remove it", FIRST_SECONDS + 2.5, 600, region="0.3,0.3,0.45,0.45"),
    "removal by name": Asked("remove the person on the right", FIRST_SECONDS, 600),
    "background of a portrait": Asked("make the background white", FIRST_SECONDS, 500),
    "straighten": Asked("straighten it", 0.8, 600),
}
AGAINST = {
    "black and white": ("make it black and white", ["-colorspace", "Gray"]),
    "flip": ("flip it horizontally", ["-flop"]),
    "resize": ("resize to 50%", ["-resize", "50%"]),
    "rotate": ("rotate it 3 degrees", ["-rotate", "3"]),
    "negative": ("invert the colors", ["-negate"]),
    "border": ("add a white border of 100 pixels", ["-bordercolor", "white", "-border", "100"]),
}


def run() -> list[Row]:
    """Return the median time and the memory of each edit.

    At 24 megapixels, only the memory has a limit.
    """
    with tempfile.TemporaryDirectory() as folder:
        lake, ball = "scenes.lake({}, {})", "Image.fromarray(pictures.ball({}, {}).pixels)"
        enlarged = "Image.fromarray({}.pixels).resize(({{}}, {{}}))"
        two = "people.people((80, 150, 200), (560, 130, 220))"
        small, large = _drawn(folder, lake, 4000, 3000), _drawn(folder, lake, 6000, 4000)
        photos = dict.fromkeys(ASKED, small) | {
            "background": _drawn(folder, ball, 4000, 3000),
            "removal by name": _drawn(folder, enlarged.format(two), 4242, 2828),
            "background of a portrait": _drawn(
                folder, enlarged.format('photos.photo("astronaut")'), 3464, 3464
            ),
            "straighten": _drawn(folder, lake + ".rotate(2.5, resample=3)", 4000, 3000),
        }
        rows = [row for name in ASKED for row in _measured(name, ASKED[name], photos[name], folder)]
        largest = dict.fromkeys(("recolor", "large removal"), large)
        largest["background"] = _drawn(folder, ball, 6000, 4000)
        for name, photo in largest.items():
            peak = max(_edit(photo, ASKED[name], folder).megabytes for _ in range(2))
            rows.append(Row(f"{name}, 24 megapixels: peak memory", peak, 1200, "MB", peak <= 1200))
        return rows + _against_magick(small, folder)


def _measured(name: str, example: Asked, photo: Path, folder: str) -> list[Row]:
    runs = [_edit(photo, example, folder) for _ in range(ROUNDS)]
    seconds, peak = statistics.median(run.seconds for run in runs), max(run.megabytes for run in runs)
    return [
        Row(f"{name}: median", seconds, example.seconds, "s", seconds <= example.seconds),
        Row(f"{name}: peak memory", peak, example.megabytes, "MB", peak <= example.megabytes),
    ]


def _edit(photo: Path, example: Asked, folder: str) -> Run:
    region = ["--region", example.region] if example.region else []
    out = ["--format", "jpeg", "--out", f"{folder}/out.jpg"]
    manage = [sys.executable, str(ROOT / "manage.py"), "edit", str(photo), "--prompt", example.prompt]
    return timed([*manage, *region, *out], folder)


def _against_magick(photo: Path, folder: str) -> list[Row]:
    """Return the ratio of our best time to ImageMagick's best time. Runs of the two programs alternate."""
    magick = convert()
    if magick is None:
        return []
    rows = []
    for name, (prompt, options) in AGAINST.items():
        theirs = [magick, str(photo), *options, "-quality", "95", f"{folder}/magick.jpg"]
        pairs = [
            (_edit(photo, Asked(prompt, 0, 0), folder).seconds, timed(theirs, folder).seconds)
            for _ in range(ROUNDS)
        ]
        ours, magick_s = (min(column) for column in zip(*pairs, strict=True))
        rows.append(Row(f"{name} against ImageMagick", ours / magick_s, None, "x", True))
    return rows


def _drawn(folder: str, picture: str, width: int, height: int) -> Path:
    """Draw the photo in a separate process.

    Otherwise, the memory used for drawing would be included in the peak memory of all later processes.
    """
    path = Path(folder) / f"{secrets.token_hex(4)}.jpg"
    made = "from tests import scenes; from tests.engine import people, photos, pictures"
    draw = f"from PIL import Image; {made}; {picture.format(width, height)}.save({str(path)!r}, quality=92)"
    subprocess.run([sys.executable, "-c", draw], cwd=ROOT, check=True)
    return path
