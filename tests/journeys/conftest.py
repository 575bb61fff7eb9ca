"""A real site, a real Chromium, and a photo worth looking at.

They last as long as this package: the browser's event loop would forbid Django's database to tests after it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import scenes
from tests.journeys import steps
from tests.portal import CHROMIUM, Portal, chromium, portal, sign_in

type OpenPage = Callable[..., Page]
expect.set_options(timeout=30_000)  # a machine that runs other tests beside these is slow


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: install Debian's package chromium-headless-shell.")
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def site(browser: Browser) -> Iterator[Portal]:
    """A site with one account; asks for the browser first, since without it nothing need start. The second
    factor of the staff has a journey of its own."""
    with portal(STAFF_TWO_FACTOR="false") as site:
        yield site


@pytest.fixture(scope="package")
def demo(site: Portal) -> str:
    """A team with more edits than a page of its history shows; its people's password."""
    return site.manage("demo", "--edits", "60").rpartition(": ")[2].strip()


@pytest.fixture(scope="package")
def cookies(browser: Browser, site: Portal) -> Any:
    """What a browser keeps once the account is signed in."""
    context = browser.new_context()
    sign_in(context.new_page(), site)
    kept = context.storage_state()
    context.close()
    return kept


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages that fail their test when a script fails or the security policy is broken."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_one(**options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _is_complaint(said.text) else None)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def open_editor(open_page: OpenPage, site: Portal, cookies: Any) -> OpenPage:
    """Opens the editor of the signed-in account; what an earlier test left in its tray is taken out."""

    def open_one(**options: Any) -> Page:
        page = open_page(storage_state=cookies, **options)
        page.goto(f"{site.url}/")
        while steps.shots(page).count():
            with page.expect_response("**/remove/"):
                page.locator("[data-remove]").first.click()
        expect(page.locator("#tray-count")).to_have_text("0 of 5")
        return page

    return open_one


@pytest.fixture
def editor(open_editor: OpenPage) -> Page:
    return open_editor()


@pytest.fixture(scope="package")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "lake at dusk.jpg"
    scenes.lake(1200, 800).save(path, quality=92)
    return path


@pytest.fixture(scope="package")
def small_photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another one, and quicker to edit."""
    path = tmp_path_factory.mktemp("photos") / "small lake.jpg"
    scenes.lake(600, 400, seed=3).save(path, quality=92)
    return path


def _is_complaint(text: str) -> bool:
    return "Content Security Policy" in text or "Refused to" in text
