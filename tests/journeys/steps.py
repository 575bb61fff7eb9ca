"""Steps that a user takes on the site, and checks of the visible outcome."""

import os
import re
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.portal import Portal


def add_photo(page: Page, photo: Path) -> None:
    """Select a photo with the upload button, and wait until the photo is in the tray."""
    page.locator("#files").wait_for(state="attached")
    page.wait_for_load_state()
    before = tray_photos(page).count()
    page.locator("#files").set_input_files(photo)
    expect(tray_photos(page)).to_have_count(before + 1)


def enter_prompt(page: Page, words: str) -> None:
    field = page.get_by_label("What should change?")
    field.wait_for()
    page.wait_for_load_state()  # Before that, no script notices what is typed.
    field.fill(words)


def submit_form(page: Page) -> None:
    """Submit the form, and wait until the scripts of the next page are loaded."""
    with page.expect_navigation():
        page.get_by_role("button", name="Edit photos").last.click()


def submit(page: Page, photo: Path, words: str) -> None:
    add_photo(page, photo)
    enter_prompt(page, words)
    submit_form(page)


def wait_for_result(page: Page, seconds: float = 300) -> None:
    link = page.get_by_role("link", name="Download", exact=True)
    expect(link).to_be_visible(timeout=1000 * seconds)
    page.wait_for_load_state()


def wait_until(page: Page, condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait for a condition that `expect` cannot check, and fail if it is not met in time."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "the condition was not met in time"
        page.wait_for_timeout(50)


def download(page: Page, folder: Path, name: str = "Download") -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("link", name=name, exact=True).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def tray_photos(page: Page) -> Locator:
    """Return the photos in the tray."""
    return page.locator("li.shot[data-draft]")


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the element has keyboard focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def empty_tray(page: Page) -> None:
    """Remove all photos from this page's tray. Earlier tests may have left some there."""
    page.wait_for_load_state()
    while tray_photos(page).count():
        with page.expect_response("**/remove/"):
            page.locator("[data-remove]").first.click()
    expect(page.locator("#tray-count")).to_have_text(re.compile(r"^\s*0 "))


def photo_names(page: Page) -> list[str]:
    """Return the names of the photos in the tray, in order."""
    return [str(image.get_attribute("alt")) for image in tray_photos(page).locator(".ph__img").all()]


def draw_box(page: Page, left: float, top: float, width: float, height: float) -> None:
    """Draw a box by dragging on the photo, after the button for boxes has been pressed.

    The box is given as fractions of the photo's width and height.
    """
    expect(page.locator("[data-point]")).to_have_attribute("aria-pressed", "true")
    layer = page.locator("#marks")
    expect(layer).to_have_css("position", "absolute")  # The style sheet is loaded after the script.
    frame = layer.bounding_box()
    assert frame is not None
    # This waits until the photo no longer moves.
    layer.hover(position={"x": left * frame["width"], "y": top * frame["height"]})
    frame = layer.bounding_box()
    assert frame is not None
    x, y, wide, high = frame["x"], frame["y"], frame["width"], frame["height"]
    page.mouse.move(x + left * wide, y + top * high)
    page.mouse.down()
    page.mouse.move(x + (left + width) * wide, y + (top + height) * high, steps=5)
    page.mouse.up()


def marked_regions(page: Page) -> list[list[float]]:
    """Return the boxes that the form would submit."""
    fields = page.locator("#regions input").all()
    return [[float(side) for side in field.input_value().split(",")] for field in fields]


def free_credits(page: Page) -> int:
    return int(page.locator("#balance b").inner_text().replace(",", ""))


def size_of(path: Path) -> tuple[int, int]:
    with Image.open(path) as image:
        return image.size


@contextmanager
def workers_asleep(site: Portal) -> Iterator[None]:
    """Stop all of the site's workers until the block ends, so that an edit stays open."""
    workers = site.pids("worker")
    assert workers, "the site has no workers"
    _stop(workers)
    while _is_locked(site):  # A worker was stopped during a write.
        _go_on(workers)
        _stop(workers)
    try:
        yield
    finally:
        _go_on(workers)


def _stop(workers: list[int]) -> None:
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)


def _go_on(workers: list[int]) -> None:
    for worker in workers:
        with suppress(ProcessLookupError):  # The test may have killed the worker.
            os.kill(worker, signal.SIGCONT)


def _is_locked(site: Portal) -> bool:
    with closing(sqlite3.connect(site.data_dir / "darkroom.sqlite3", timeout=2)) as database:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        database.rollback()
    return False


def set_up_second_factor(page: Page) -> None:
    """Open the admin as a staff member who has no authenticator app, set up the app, and continue."""
    # Imported here because the import requires Django settings.
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

    page.get_by_role("link", name="Turn on").click()
    go_on = page.get_by_role("link", name="Continue to the administration")
    for _ in range(5):  # The site accepts a code only during its 30 seconds, which may end meanwhile.
        secret = page.locator("code.secret").inner_text()
        while time.time() % 30 > 15:
            page.wait_for_timeout(200)
        code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
        page.locator("input[name=code]").fill(code)
        with page.expect_navigation():
            page.get_by_role("button", name="Turn on").click()
        if go_on.count():
            break
    go_on.click()
