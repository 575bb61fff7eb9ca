"""Compare `manage.py edit`, run as a whole process, with ImageMagick, on a 12-megapixel drawing."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import Row

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7
LIMIT = 1.8  # maximum time of an edit, as a multiple of ImageMagick's time
LIMIT_CPU = 0.3  # maximum CPU seconds of a tiny edit, not including the time for importing numpy and cv2
_PIXELS_ALONE = [sys.executable, "-c", "import numpy, cv2"]
_OPERATIONS = {"black and white": "make it black and white", "brighter": "make it brighter"}


class Run(NamedTuple):
    """The measured values of a run.

    They are wall-clock seconds, CPU seconds of all processes, and peak megabytes of the largest process.
    """

    seconds: float
    cpu: float
    megabytes: float


def run() -> list[Row]:
    """Measure runs of `manage.py edit` that alternate with runs of ImageMagick.

    The rows contain the best and the median time of each program, the ratio of the best times, the ratio of
    the median times, and the peak memory of our largest process. Editing a 16-pixel photo measures the time
    that does not depend on the number of pixels.
    """
    magick = convert()
    with tempfile.TemporaryDirectory() as folder:
        photo, small = drawn(Path(folder) / "in.jpg", 4000), drawn(Path(folder) / "small.jpg", 16)
        command = {name: _edit(photo, prompt, folder) for name, prompt in _OPERATIONS.items()}
        command["16 pixels"] = _edit(small, "make it black and white", folder)
        command["import numpy, cv2"] = _PIXELS_ALONE
        if magick:
            grey = ["-colorspace", "Gray", "-quality", "95"]
            command["ImageMagick"] = [magick, str(photo), *grey, f"{folder}/magick.jpg"]
        runs: dict[str, list[Run]] = {name: [] for name in command}
        for _ in range(ROUNDS):
            for name, line in command.items():
                runs[name].append(timed(line, folder))
    return _rows(runs)


def _rows(runs: dict[str, list[Run]]) -> list[Row]:
    rows = []
    for name, each in runs.items():
        seconds, peak = [one.seconds for one in each], max(one.megabytes for one in each)
        rows += [
            Row(f"{name}: best", min(seconds), None, "s", True),
            Row(f"{name}: median", statistics.median(seconds), None, "s", True),
        ]
        if name in _OPERATIONS:
            rows.append(Row(f"{name}: peak memory", peak, 700, "MB", peak <= 700))
    cpu = {name: min(run.cpu for run in runs[name]) for name in ("16 pixels", "import numpy, cv2")}
    more = cpu["16 pixels"] - cpu["import numpy, cv2"]
    rows.append(Row("CPU beyond import numpy, cv2", more, LIMIT_CPU, "s", more <= LIMIT_CPU))
    if "ImageMagick" in runs:
        rows += [_ratio(runs, min, "best"), _ratio(runs, statistics.median, "median")]
    return rows


def _ratio(runs: dict[str, list[Run]], of: Callable[[list[float]], float], name: str) -> Row:
    ours, theirs = (of([run.seconds for run in runs[key]]) for key in ("black and white", "ImageMagick"))
    return Row(
        f"black and white against ImageMagick: {name}", ours / theirs, LIMIT, "x", ours / theirs <= LIMIT
    )


def convert() -> str | None:
    """Return the path of the system's ImageMagick.

    A different program that has the same name may come first on PATH.
    """
    return next((name for name in ("/usr/bin/magick", "/usr/bin/convert") if Path(name).exists()), None)


def drawn(photo: Path, width: int) -> Path:
    """Draw the photo in a separate process.

    Otherwise, the memory used for drawing would be included in the peak memory of all later processes.
    """
    draw = f"from tests.benchmarks.edit_command import draw; draw({str(photo)!r}, {width})"
    subprocess.run([sys.executable, "-c", draw], cwd=ROOT, check=True)
    return photo


def draw(path: str, width: int) -> None:
    """Write a JPEG file with a 4:3 aspect ratio. The image shows soft shapes with the grain of a camera."""
    import cv2
    import numpy as np

    random = np.random.default_rng(0)
    small = random.integers(0, 256, (60, 80, 3), np.uint8)
    forms = cv2.resize(small, (width, width * 3 // 4), interpolation=cv2.INTER_CUBIC)
    grain = np.asarray(random.normal(0, 4, forms.shape), np.float32)
    cv2.imwrite(path, np.clip(forms + grain, 0, 255).astype(np.uint8))


def _edit(photo: Path, prompt: str, folder: str) -> list[str]:
    manage = str(ROOT / "manage.py")
    return [sys.executable, manage, "edit", str(photo), "--prompt", prompt, "--out", f"{folder}/out.jpg"]


def timed(command: list[str], folder: str) -> Run:
    environment = os.environ | {"DATA_DIR": f"{folder}/data"}
    started = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise RuntimeError(f"{command} failed.")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
