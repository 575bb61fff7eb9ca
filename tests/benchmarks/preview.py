"""Measure the time from the last key to the preview in a real Chromium, for 204 sentences over six photos.

The 250 ms that the page waits after a key are not included. The first find of a thing is measured once the
photo has been analyzed; until then, the page says "Looking at the photo".
"""

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from tests.benchmarks import Row
from tests.benchmarks._previewed import (
    PHOTOS,
    TARGETS,
    TONES,
    Subject,
    draw,
    p95,
    stored_analyses,
    wait_for_analyses,
)
from tests.portal import Portal, chromium, portal, sign_in

PAUSE_MILLISECONDS = 250.0  # the time after the last key that the page waits
LEAST_SECONDS = 0.55  # minimum time between two sentences, because a person may preview 120 a minute
LOST_SHARE = 0.02  # maximum share of sentences without a picture
LIMITS = {"tone and looks": 150.0, "first find of a thing": 1200.0, "further sentences about it": 250.0}
SHOW = """(words) => new Promise((done) => {
    const prompt = document.getElementById("prompt");
    const shown = () => document.querySelector("#tray > .shot:first-child .seen__img");
    const before = shown();
    const finish = (milliseconds) => {
        watch.disconnect();
        clearTimeout(late);
        done(milliseconds);
    };
    const watch = new MutationObserver(() => {
        if (shown() && shown() !== before) requestAnimationFrame(() => finish(performance.now() - start));
    });
    const late = setTimeout(() => finish(null), 15_000);
    watch.observe(document.getElementById("tray"), { childList: true, subtree: true });
    prompt.value = words;
    const start = performance.now();
    prompt.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def run() -> list[Row]:
    """Measure one photo after the other, in one page and without other load."""
    times: dict[str, list[float | None]] = {name: [] for name in LIMITS}
    with portal() as site, chromium() as browser, tempfile.TemporaryDirectory() as folder:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        sign_in(page, site)
        for subject in PHOTOS:
            _add(page, site, draw(subject, Path(folder)))
            for name, words in _sentences(subject):
                times[name].append(_milliseconds(page, words))
    return [*(row for name in LIMITS for row in _rows(name, times[name])), _lost(times)]


def _sentences(subject: Subject) -> list[tuple[str, str]]:
    tone, first, further = LIMITS
    first_target, *others = (words.format(subject.thing) for words in TARGETS)
    return [
        *((tone, words) for words in TONES),
        (first, first_target),
        *((further, words) for words in others),
    ]


def _add(page: Page, site: Portal, photo: Path) -> None:
    """Show the editor with only this photo, and wait until the photo has been analyzed."""
    page.goto(f"{site.url}/")
    while page.locator("li.shot[data-draft]").count():
        with page.expect_response("**/remove/"):
            page.locator("[data-remove]").first.click()
    before = stored_analyses(site)
    page.locator("#files").set_input_files(photo)
    page.locator("li.shot[data-draft]").wait_for()
    wait_for_analyses(site, 1, besides=before, wait=lambda seconds: page.wait_for_timeout(1000 * seconds))
    page.evaluate(SHOW, "make it a little lighter")  # loads the module and the photo
    page.wait_for_timeout(1000)


def _milliseconds(page: Page, words: str) -> float | None:
    """Type a sentence. Return the milliseconds until its picture, or None if it has none."""
    begun = time.monotonic()
    taken: float | None = page.evaluate(SHOW, words)
    page.wait_for_timeout(1000 * max(0.1, LEAST_SECONDS - (time.monotonic() - begun)))
    return None if taken is None else taken - PAUSE_MILLISECONDS


def _rows(name: str, times: list[float | None]) -> list[Row]:
    known = [time for time in times if time is not None]
    if not known:
        return [Row(f"{name}: p95 of 0 sentences", float("inf"), LIMITS[name], "ms", False)]
    most, limit = p95(known), LIMITS[name]
    return [
        Row(f"{name}: p95 of {len(known)} sentences", most, limit, "ms", most <= limit),
        Row(f"{name}: median", statistics.median(known), None, "ms", True),
    ]


def _lost(times: dict[str, list[float | None]]) -> Row:
    every = [time for some in times.values() for time in some]
    share = every.count(None) / len(every)
    return Row("sentences without a picture", share, LOST_SHARE, "", share <= LOST_SHARE)
