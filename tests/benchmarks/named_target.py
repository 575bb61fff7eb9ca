"""Measure edits of a named thing in photos of 12 megapixels, from submit to visible result in Chromium.

The first edit of a photo is submitted right after the upload, so that it includes the photo's analysis.
Further edits of the same photo are submitted once their preview is shown, as after "Change the prompt". Each
of the two workers has edited another photo before, because the first edit after a start takes longer. The
page is not animated, because Chromium draws without a graphics card here and would take half a core from the
site.
"""

import tempfile
import time
from pathlib import Path

from tests.api.plain_client import FAILED, SUCCESS, PhotoEditor
from tests.benchmarks import Row
from tests.benchmarks._previewed import ANALYSIS_SECONDS, PHOTOS, draw
from tests.benchmarks.browser_edit import submit_and_see, upload
from tests.portal import EMAIL, Portal, chromium, portal, sign_in

MEGAPIXELS = 12
FIRST_SECONDS = 5.0
FURTHER_SECONDS = 2.0
SUBJECTS = [subject for subject in PHOTOS if subject.thing in ("cat", "person", "cup")]
CHANGES = (
    "make the {} black and white",
    "make the {} darker",
    "make the background white",
    "blur everything except the {}",
)


def run() -> list[Row]:
    """Edit each photo once right after its upload, and then several times after its analysis."""
    first: list[float] = []
    further: list[float] = []
    with portal() as site, chromium() as browser, tempfile.TemporaryDirectory() as folder:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        sign_in(page, site)
        photos = [draw(subject, Path(folder), megapixels=MEGAPIXELS) for subject in SUBJECTS]
        _warm_up(site, photos[0])
        for subject, photo in zip(SUBJECTS, photos, strict=True):
            for number, change in enumerate(CHANGES):
                upload(page, site, photo)
                page.get_by_label("What should change?").fill(change.format(subject.thing))
                if number:
                    preview = page.locator("#tray > .shot:first-child .seen__img")
                    preview.wait_for(timeout=1000 * ANALYSIS_SECONDS)
                (further if number else first).append(submit_and_see(page))
    return [
        *_rows("first edit of a thing", first, FIRST_SECONDS),
        *_rows("further edits of the same photo", further, FURTHER_SECONDS),
    ]


def _warm_up(site: Portal, photo: Path) -> None:
    """Run two edits at once, one for each worker."""
    editor = PhotoEditor(site.url, site.manage("create_api_key", EMAIL).strip())
    prompt, data = CHANGES[0].format(SUBJECTS[0].thing), photo.read_bytes()
    for task in [editor.generate_from_files(prompt, [data])["taskId"] for _ in range(2)]:
        while (status := editor.status(task)["status"]) != SUCCESS:
            assert status != FAILED
            time.sleep(0.1)


def _rows(name: str, times: list[float], limit: float) -> list[Row]:
    most = max(times)
    return [Row(f"{name}: slowest of {len(times)}", most, limit, "s", most <= limit)]
