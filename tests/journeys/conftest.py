"""A real site, a real Chromium, and a photo worth looking at."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import scenes
from tests.portal import CHROMIUM, Portal, chromium, portal


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: install Debian's package chromium.")
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def site(browser: Browser) -> Iterator[Portal]:
    """A site with one account; asks for the browser first, since without it nothing need start."""
    with portal() as site:
        yield site


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own that fails its test when a script fails or the security policy is broken."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console", lambda message: complaints.append(message.text) if _is_complaint(message.text) else None
    )
    yield page
    context.close()
    assert not complaints


@pytest.fixture(scope="session")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "lake at dusk.jpg"
    scenes.lake(1200, 800).save(path, quality=92)
    return path


def _is_complaint(text: str) -> bool:
    return "Content Security Policy" in text or "Refused to" in text
