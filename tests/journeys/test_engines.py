"""A browser test of a site with two engines: the dock shows what the chosen engine costs."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage
from tests.portal import Portal, portal, sign_in

pytestmark = pytest.mark.slow
SWITCH = """from django.utils import timezone
from editor.models import Engine
Engine.objects.update(switched_off={})"""


@pytest.fixture(scope="module")
def two_engines() -> Iterator[Portal]:
    with portal(
        EDIT_PROVIDER="embedded,openai-images:studio",
        OPENAI_IMAGES_STUDIO_BASE_URL="http://127.0.0.1:9",
        OPENAI_IMAGES_STUDIO_MODEL="flux",
        OPENAI_IMAGES_STUDIO_PRICE_FREE="60",
    ) as site:
        yield site


@pytest.fixture
def desk(open_page: OpenPage, two_engines: Portal) -> Page:
    page = open_page()
    sign_in(page, two_engines)
    return page


def choose_studio(page: Page) -> None:
    page.wait_for_load_state()
    page.locator("[name=engine][value=studio]").check()


def test_the_dock_shows_the_price_of_the_chosen_engine_and_the_balance_after(desk: Page) -> None:
    # Without its plan, the page knows the price only from the choice itself, as for a recipe.
    desk.route("**/preview/", lambda route: route.abort())
    figures = desk.locator(".cost dd")
    expect(figures).to_have_text(["40 credits", "3,960", "10 to 30 s"])
    choose_studio(desk)
    expect(figures).to_have_text(["60 credits", "3,940", "10 to 30 s"])


def test_the_dock_of_the_editor_keeps_the_price_when_the_plan_arrives(desk: Page) -> None:
    with desk.expect_response("**/preview/"):
        choose_studio(desk)
    expect(desk.locator(".cost dd")).to_have_text(["60 credits", "3,940", "10 to 30 s"])


def test_the_dock_of_a_batch_shows_the_price_per_photo_and_the_whole_balance(desk: Page) -> None:
    desk.goto(f"{desk.url}batches/new/")
    choose_studio(desk)
    expect(desk.locator(".cost dd")).to_have_text(["60 credits", "4,000"])


def test_the_button_stays_disabled_while_no_engine_is_on(desk: Page, two_engines: Portal) -> None:
    send = desk.locator("#send")
    expect(send).to_be_enabled()
    try:
        two_engines.manage("shell", "-c", SWITCH.format("timezone.now()"))
        desk.reload()
        expect(send).to_be_disabled()
        expect(desk.get_by_text("No engine is on at the moment.")).to_be_visible()
    finally:
        two_engines.manage("shell", "-c", SWITCH.format(None))
