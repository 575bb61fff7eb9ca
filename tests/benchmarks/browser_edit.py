"""Measure the time from submitting the form to seeing the result in a real Chromium browser.

The edit converts a 12-megapixel photo to black and white. Its time is compared with that of the same edit by
`manage.py edit`. The benchmark also measures how much of the time the edit waited for the queue and for
polls.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

from playwright.sync_api import Page

from tests.benchmarks import Row
from tests.benchmarks.edit_command import timed
from tests.portal import ROOT, Portal, chromium, portal, sign_in

RUNS = 5
LIMIT = 1.4
PROMPT = "make it black and white"
NOTE_SUBMIT = """() => document.addEventListener(
    "submit", () => sessionStorage.setItem("submitted", performance.timeOrigin + performance.now()), true
)"""
BUSY = """
import json, sys
import django; django.setup()
from django_tasks_db.models import DBTaskResult
from editor.models import Edit
edit = Edit.objects.get(id=sys.argv[1])
stages = DBTaskResult.objects.filter(task_path__endswith="lifecycle.advance", finished_at__isnull=False)
mine = [s for s in stages if s.args_kwargs["args"] == [str(edit.id)]]
busy = sum((min(s.finished_at, edit.finished) - s.started_at).total_seconds() for s in mine)
print(json.dumps([edit.created.timestamp(), edit.finished.timestamp(), busy]))
"""


def run() -> list[Row]:
    """Measure the best of five runs in the browser and of five runs of `manage.py edit`.

    The runs alternate, after a warm-up.
    """
    with portal() as site, chromium() as browser, tempfile.TemporaryDirectory() as folder:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        sign_in(page, site)
        photo = Path(folder) / "12 megapixels.jpg"
        _draw(photo)
        _edit(page, site, photo, "jpeg")
        return [row for form in ("jpeg", "png") for row in _rows(page, site, photo, form)]


def _rows(page: Page, site: Portal, photo: Path, output_format: str) -> list[Row]:
    out = f"{photo.parent}/out.{output_format}"
    command = [sys.executable, "manage.py", "edit", str(photo), "--prompt", PROMPT, "--out", out]
    both = [(_edit(page, site, photo, output_format), timed(command, str(photo.parent))) for _ in range(RUNS)]
    seen, waited = min(edit for edit, _ in both)
    ratio = seen / min(run.seconds for _, run in both)
    name = output_format.upper()
    return [
        Row(f"submit to gallery ({seen:.2f} s) to the command, {name}", ratio, LIMIT, "x", ratio <= LIMIT),
        Row(f"of which waiting for queue and polls, {name}", waited, 0.5, "s", waited <= 0.5),
    ]


def _draw(photo: Path) -> None:
    """Draw the photo in a separate process.

    Otherwise, the memory used for drawing would be included in the peak memory of all later processes.
    """
    code = f"from tests import scenes; scenes.lake(4000, 3000).save({str(photo)!r}, quality=92)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def _edit(page: Page, site: Portal, photo: Path, output_format: str) -> tuple[float, float]:
    """Return the number of seconds from the submit to the visible result.

    Also return for how many of these seconds no worker handled the edit.
    """
    upload(page, site, photo)
    page.get_by_label("What should change?").fill(PROMPT)
    page.locator(f"input[name=output_format][value={output_format}]").check(force=True)
    page.wait_for_timeout(600)  # Wait until the page shows the plan.
    seconds = submit_and_see(page)
    created, finished, busy = _times(site, UUID(re.findall(r"edits/([0-9a-f-]+)/", page.url)[0]))
    queue = (finished - created) - busy
    polls = _until_asked(page, finished)
    return seconds, queue + polls


def upload(page: Page, site: Portal, photo: Path) -> None:
    """Open the editor, and add the photo to its tray."""
    page.goto(f"{site.url}/")
    page.locator("#files").set_input_files(photo)
    page.locator("li.shot[data-draft]").wait_for()


def submit_and_see(page: Page) -> float:
    """Submit the editor's form, and return the number of seconds until the result is visible."""
    page.evaluate(NOTE_SUBMIT)
    page.locator("#send").click()
    page.wait_for_url("**/edits/**")
    page.wait_for_function(
        """() => {
            const image = document.querySelector(".compare img:not(.ph__blur)");
            return image && image.complete && image.naturalWidth > 0;
        }"""
    )
    seen = time.time()
    return seen - float(page.evaluate("sessionStorage.getItem('submitted')")) / 1000


def _until_asked(page: Page, finished: float) -> float:
    """Return the number of seconds from the end of the edit to the request that loaded the gallery."""
    milliseconds = page.evaluate(
        """() => {
            const asked = performance.getEntriesByType("resource");
            const own = asked.filter(entry => entry.name.endsWith(location.pathname));
            const last = own.at(-1) ?? performance.getEntriesByType("navigation")[0];
            return (performance.timeOrigin + last.startTime) / 1000;
        }"""
    )
    return max(0.0, float(milliseconds) - finished)


def _times(site: Portal, edit_id: UUID) -> tuple[float, float, float]:
    command = [sys.executable, "-c", BUSY, str(edit_id)]
    answer = subprocess.run(
        command, cwd=ROOT, env=site.environment, check=True, capture_output=True, text=True
    )
    created, finished, busy = json.loads(answer.stdout)
    return created, finished, busy
