"""Measure the time from a click to the outline of the thing under it, once the photo is analyzed.

Like the page, a person who chooses "Select" first requests what is under the crosshair.
"""

import statistics
import tempfile
import time
from pathlib import Path

from tests.benchmarks import Row
from tests.benchmarks._people import Person, signed_in_people
from tests.benchmarks._previewed import PHOTOS, draw, p95, wait_for_analyses
from tests.portal import portal

LIMIT_SECONDS = 0.3
CROSSHAIR = (0.5, 0.5)
PLACES = [(x / 6, y / 6) for y in (2, 3, 4) for x in (1, 2, 3, 4, 5)]


def run() -> list[Row]:
    """Return the times of the first click on each photo and of the further ones."""
    chosen, first, further = [], [], []
    with portal() as site, tempfile.TemporaryDirectory() as folder:
        for number, subject in enumerate(PHOTOS, start=1):
            [person] = signed_in_people(site, draw(subject, Path(folder)), 1, name=subject.name)
            person.preview("make it brighter")  # requests the analysis
            wait_for_analyses(site, number)
            chosen.append(_seconds(person, *CROSSHAIR))
            times = [_seconds(person, *place) for place in PLACES]
            first.append(times[0])
            further += times[1:]
    return [
        Row("choosing the tool: p95 of 6", p95(chosen), None, "s", ok=True),
        *_rows("first click on a photo", first),
        *_rows("further clicks", further),
    ]


def _seconds(person: Person, x: float, y: float) -> float:
    begun = time.monotonic()
    assert b'"path"' in person.select(x, y)
    return time.monotonic() - begun


def _rows(name: str, times: list[float]) -> list[Row]:
    most = p95(times)
    return [
        Row(f"{name}: p95 of {len(times)}", most, LIMIT_SECONDS, "s", most <= LIMIT_SECONDS),
        Row(f"{name}: median", statistics.median(times), None, "s", ok=True),
    ]
