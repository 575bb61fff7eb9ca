"""Fixtures for a real site, a real Chromium, and a realistic photo.

The site and the browser are closed after the last test in this package. Otherwise, the browser's event loop
would prevent later tests from using Django's database.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import scenes
from tests.journeys import steps
from tests.portal import CHROMIUM, PATIENCE, Portal, chromium, new_context, portal, sign_in

type OpenPage = Callable[..., Page]
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: install Debian's package chromium-headless-shell.")
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def site(browser: Browser) -> Iterator[Portal]:
    """Start a site with one account.

    The fixture requests the browser first, so that no site is started if there is no browser. Staff need no
    second factor here, because another journey tests it.
    """
    with portal(STAFF_TWO_FACTOR="false") as site:
        yield site


@pytest.fixture(scope="package")
def demo(site: Portal) -> str:
    """Create a team whose history has more than one page, and return the password of the team's members."""
    return site.manage("demo", "--edits", "60").rpartition(": ")[2].strip()


@pytest.fixture(scope="package")
def cookies(browser: Browser, site: Portal) -> Any:
    """Sign in to the account, and return the state that the browser stores."""
    context = new_context(browser)
    sign_in(context.new_page(), site)
    kept = context.storage_state()
    context.close()
    return kept


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Yield a function that opens a page.

    The test fails if a script on the page fails or if the page violates its security policy.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_one(**options: Any) -> Page:
        context = new_context(browser, **{"viewport": {"width": 1440, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: complaints.append(message.text) if _is_complaint(message.text) else None,
        )
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
    """Return a function that opens the signed-in account's editor and empties the tray."""

    def open_one(**options: Any) -> Page:
        page = open_page(storage_state=cookies, **options)
        page.goto(f"{site.url}/")
        steps.empty_tray(page)
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
    """Return the path of a smaller photo, which takes less time to edit."""
    path = tmp_path_factory.mktemp("photos") / "small lake.jpg"
    scenes.lake(600, 400, seed=3).save(path, quality=92)
    return path


def _is_complaint(text: str) -> bool:
    return "Content Security Policy" in text or "Refused to" in text
