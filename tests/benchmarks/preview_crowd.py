"""Measure a site where 20 people type at once while two edits run: polls, pages, edits, and previews."""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.api.plain_client import FAILED, SUCCESS, PhotoEditor
from tests.benchmarks import Row
from tests.benchmarks._people import Person, signed_in_people
from tests.benchmarks._previewed import PHOTOS, TONES, draw, p95, wait_for_analyses
from tests.load import PAGE_SECONDS
from tests.portal import EMAIL, portal

PEOPLE = 20
KEY_SECONDS = 2.0  # time between two pauses of a person who types, each of which requests a preview
PAIRS = 6  # pairs of edits with and without the crowd
PREVIEW_SECONDS = 1.0  # within which a preview counts as delivered
LEAST_DELIVERED = 0.5
MOST_SLOWER = 1.1
POLL_LIMIT = 0.2  # p95 of polls in seconds, as that of pages
EDIT = "make it black and white, increase the contrast, and add a vignette"


@dataclass
class Seen:
    """What the people saw: the seconds of each request."""

    pages: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    previews: list[float] = field(default_factory=list)  # inf for one without a picture


def run() -> list[Row]:
    """Run pairs of edits by API, alternately without and with the crowd."""
    seen = Seen()
    with portal() as site, tempfile.TemporaryDirectory() as folder:
        photo = draw(PHOTOS[3], Path(folder))
        people = signed_in_people(site, photo, PEOPLE)
        editor = PhotoEditor(site.url, site.manage("create_api_key", EMAIL).strip())
        data = photo.read_bytes()
        _pair(editor, data, seen.polls)  # imports what the first edits need
        for person in people:
            person.preview(TONES[0])
        wait_for_analyses(site, len(people))
        seen, alone, together = Seen(), [], []
        for _ in range(PAIRS):
            alone.append(_pair(editor, data, []))
            with _crowd(people, seen):
                together.append(_pair(editor, data, seen.polls))
    return _rows(seen, statistics.median(together) / statistics.median(alone))


def _rows(seen: Seen, slower: float) -> list[Row]:
    page, poll = p95(seen.pages), p95(seen.polls)
    share = sum(seconds <= PREVIEW_SECONDS for seconds in seen.previews) / len(seen.previews)
    return [
        Row("p95 of pages", page, PAGE_SECONDS, "s", page <= PAGE_SECONDS),
        Row("p95 of polls", poll, POLL_LIMIT, "s", poll <= POLL_LIMIT),
        Row("edits, compared with a quiet site", slower, MOST_SLOWER, "x", slower <= MOST_SLOWER),
        Row(
            f"of {len(seen.previews)} previews, within {PREVIEW_SECONDS:g} s",
            share,
            LEAST_DELIVERED,
            "(least)",
            share >= LEAST_DELIVERED,
        ),
    ]


def _pair(editor: PhotoEditor, photo: bytes, polls: list[float]) -> float:
    """Run two edits at once, and return the seconds until both have ended."""
    begun = time.monotonic()
    tasks = [editor.generate_from_files(EDIT, [photo])["taskId"] for _ in range(2)]
    while tasks:
        time.sleep(0.1)
        for task in list(tasks):
            status = _timed(polls, partial(editor.status, task))["status"]
            assert status != FAILED
            if status == SUCCESS:
                tasks.remove(task)
    return time.monotonic() - begun


@contextmanager
def _crowd(people: list[Person], seen: Seen) -> Iterator[None]:
    """Let everyone type, and open a page now and then, until the block ends."""
    over = threading.Event()
    with ThreadPoolExecutor(len(people)) as threads:
        running = [threads.submit(_type, person, at, seen, over) for at, person in enumerate(people)]
        try:
            yield
        finally:
            over.set()
    for one in running:
        one.result()


def _type(person: Person, at: int, seen: Seen, over: threading.Event) -> None:
    over.wait(KEY_SECONDS * at / PEOPLE)
    for number in range(at, 10_000):
        if over.is_set():
            return
        if number % 10 == 0:
            _timed(seen.pages, person.open_page)
        begun = time.monotonic()
        has_picture = b"data:image/webp" in person.preview(TONES[number % len(TONES)])
        seen.previews.append(time.monotonic() - begun if has_picture else float("inf"))
        over.wait(max(0.0, begun + KEY_SECONDS - time.monotonic()))


def _timed[Result](times: list[float], call: Callable[[], Result]) -> Result:
    begun = time.monotonic()
    result = call()
    times.append(time.monotonic() - begun)
    return result
