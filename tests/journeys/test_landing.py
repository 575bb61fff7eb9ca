"""Tests that the landing page is small and that visitors can use it in many ways.

They use a mouse, a keyboard, a browser without JavaScript, and a small phone.
"""

import gzip
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.journeys.conftest import OpenPage
from tests.journeys.steps import wait_until
from tests.portal import Portal

EDGE = "getComputedStyle(document.querySelector('.compare')).getPropertyValue('--pos')"
SHIFTS = """() => new Promise(resolve => new PerformanceObserver(list => {
    resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0));
  }).observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => resolve(0), 500))"""
LARGEST = """() => new Promise(resolve => new PerformanceObserver(list => {
    resolve(list.getEntries().at(-1).element?.className);
  }).observe({ type: 'largest-contentful-paint', buffered: true }))"""


def edge_of(page: Page) -> float:
    return float(page.evaluate(EDGE).strip().rstrip("%"))


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_slider_can_be_moved_with_the_keyboard(open_page: OpenPage, site: Portal, scripts: bool) -> None:
    page = open_page(java_script_enabled=scripts)
    page.goto(site.url)
    slider = page.get_by_role("slider", name="Compare before and after")
    slider.focus()
    middle = _box_of_the_bar(page)
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("70")
    wait_until(page, lambda: _box_of_the_bar(page) > middle + 80)


def _box_of_the_bar(page: Page) -> float:
    box = page.locator(".compare__bar").bounding_box()
    assert box
    return box["x"]


def test_the_slider_can_be_moved_with_the_mouse(page: Page, site: Portal) -> None:
    page.goto(site.url)
    box = page.locator(".compare").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2)
    wait_until(page, lambda: 20 < edge_of(page) < 30)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
@pytest.mark.parametrize("width", [320, 390, 768, 1440])
@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_it_never_scrolls_sideways(
    open_page: OpenPage, site: Portal, width: int, motion: Any, locale: str
) -> None:
    page = open_page(viewport={"width": width, "height": 800}, reduced_motion=motion, locale=locale)
    page.goto(site.url)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_sign_in_page_can_be_opened_with_the_keyboard(page: Page, site: Portal) -> None:
    page.goto(site.url)
    page.get_by_role("main").get_by_role("link", name="Sign in").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_it_is_small_and_has_no_layout_shifts(open_page: OpenPage, site: Portal) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(site.url, wait_until="networkidle")
    code: dict[str, int] = {"all": 0}
    for answer in answers:
        kind = re.sub(r".*\.", "", answer.url.partition("?")[0])
        if kind != "webp":
            size = len(gzip.compress(answer.body())) if kind != "woff2" else len(answer.body())
            code[kind] = code.get(kind, 0) + size
            code["all"] += size
    assert code["all"] <= 64 * 1024
    assert code["js"] <= 24 * 1024
    assert code["css"] <= 16 * 1024
    assert round(page.evaluate(SHIFTS), 2) == 0
    wait_until(page, lambda: page.evaluate(LARGEST) == "ph__img")  # The large photo loads first.
