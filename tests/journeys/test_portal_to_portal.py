"""A browser test in which one Darkroom site uses another as its engine.

The sites use the documented API over real HTTP.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import download, size_of, submit, wait_for_result, workers_asleep
from tests.portal import EMAIL, Portal, portal, sign_in

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def upstream() -> Iterator[Portal]:
    """Start the site that runs the engine."""
    with portal() as site:
        yield site


@pytest.fixture(scope="module")
def downstream(upstream: Portal) -> Iterator[Portal]:
    """Start the site that the user sees, with an API key for the upstream site."""
    key = upstream.manage("create_api_key", EMAIL, "--name", "downstream").strip()
    with portal(
        EDIT_PROVIDER="photo-editor", PHOTO_EDITOR_BASE_URL=upstream.url, PHOTO_EDITOR_API_KEY=key
    ) as site:
        yield site


@pytest.fixture
def desk(open_page: OpenPage, downstream: Portal) -> Page:
    page = open_page()
    sign_in(page, downstream)
    return page


def test_an_edit_is_carried_out_by_the_other_site_and_charged_on_both(
    desk: Page, upstream: Portal, downstream: Portal, small_photo: Path, tmp_path: Path
) -> None:
    before = upstream.balance_and_held(), downstream.balance_and_held()
    submit(desk, small_photo, "make it black and white")
    wait_for_result(desk)
    result = download(desk, tmp_path)
    assert size_of(result) == size_of(small_photo)
    with Image.open(result) as image:
        red, _, blue = image.convert("RGB").getpixel((300, 200))  # type: ignore[misc]
    assert red == blue
    for balance_and_held, site in zip(before, (upstream, downstream), strict=True):
        assert site.balance_and_held() == (balance_and_held[0] - 40, 0)
        site.manage("verify")


def test_a_prompt_that_the_other_site_refuses_costs_nothing_on_either(
    desk: Page, upstream: Portal, downstream: Portal, small_photo: Path
) -> None:
    before = upstream.balance_and_held(), downstream.balance_and_held()
    submit(desk, small_photo, "add a flobberwick")
    expect(desk.get_by_text("flobberwick").first).to_be_visible()
    expect(desk.get_by_text("You were not charged.")).to_be_visible(timeout=300_000)
    assert (upstream.balance_and_held(), downstream.balance_and_held()) == before


def test_an_edit_survives_a_crash_and_restart_of_the_other_site(
    desk: Page, upstream: Portal, downstream: Portal, small_photo: Path, tmp_path: Path
) -> None:
    before = upstream.balance_and_held(), downstream.balance_and_held()
    with workers_asleep(upstream):
        submit(desk, small_photo, "make it sepia")
        _wait_until(lambda: upstream.balance_and_held()[1] == 40)
        _wait_until(lambda: _has_running_edit(downstream))  # It has received the response.
        upstream.kill()
    upstream.start()
    wait_for_result(desk)
    assert size_of(download(desk, tmp_path)) == size_of(small_photo)
    for balance_and_held, site in zip(before, (upstream, downstream), strict=True):
        assert site.balance_and_held() == (balance_and_held[0] - 40, 0)
        site.manage("verify")


def test_check_provider_succeeds_without_spending_credits(upstream: Portal, downstream: Portal) -> None:
    before = upstream.balance_and_held()
    assert "responds and accepts the key" in downstream.manage("check_provider")
    assert upstream.balance_and_held() == before


def _has_running_edit(site: Portal) -> bool:
    with closing(sqlite3.connect(site.data_dir / "darkroom.sqlite3", timeout=60)) as database:
        query = "SELECT EXISTS (SELECT 1 FROM editor_edit WHERE state = 'RUNNING')"
        return bool(database.execute(query).fetchone()[0])


def _wait_until(condition: Callable[[], bool], seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.1)
