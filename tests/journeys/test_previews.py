"""Tests for previews in the editor.

A user sees the edit while writing the prompt, corrects the prompt, and gets the same result.
"""

import base64
import io
import os
import re
import signal
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import APIResponse, FloatRect, Locator, Page, Route, expect

from editor.imaging.sandbox import PREVIEW
from tests.engine.photos import placed
from tests.journeys.accessibility import find_violations
from tests.journeys.conftest import OpenPage
from tests.journeys.steps import (
    add_photo,
    download,
    empty_tray,
    enter_prompt,
    marked_regions,
    submit,
    submit_form,
    tray_photos,
    wait_for_result,
    wait_until,
)
from tests.journeys.test_selecting import CUP
from tests.portal import PATIENCE, Portal

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# Maximum wait for the first preview, in milliseconds. An analysis takes several seconds of CPU time, and
# other tests may keep the machine busy.
FIRST_LOOK = 300_000
# Whether nothing covers the element, through which clicks pass otherwise.
IS_ON_TOP = """(element) => {
    element.style.pointerEvents = "auto";
    const { x, y, width, height } = element.getBoundingClientRect();
    const isOnTop = document.elementFromPoint(x + width / 2, y + height / 2) === element;
    element.style.pointerEvents = "";
    return isOnTop;
}"""


@pytest.fixture(scope="module")
def cat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "cat.jpg"
    Image.fromarray(placed("cat", (300, 100, 600), width=1200, height=800).pixels).save(path, quality=92)
    return path


def wait_for_preview(page: Page) -> None:
    expect(shown(page)).to_be_visible(timeout=FIRST_LOOK)


def shown(page: Page) -> Locator:
    """Return the preview that is shown on photo 1."""
    return page.locator("#tray > .shot:first-child .seen__img")


def picture(page: Page) -> Image.Image:
    source = str(shown(page).get_attribute("src"))
    return Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB")


def colorfulness(image: Image.Image) -> float:
    """Return the mean difference between a pixel's largest and smallest channel, from 0 to 255."""
    pixels = np.asarray(image.convert("RGB")).astype(int)
    return float((pixels.max(2) - pixels.min(2)).mean())


def test_the_preview_while_typing_matches_the_result(editor: Page, cat: Path, tmp_path: Path) -> None:
    add_photo(editor, cat)
    tile = editor.locator("#tray > .shot").first
    before = tile.bounding_box()
    enter_prompt(editor, "make the cat black and white")
    wait_for_preview(editor)
    assert tile.bounding_box() == before, "a preview never moves the layout"
    assert editor.locator(".shot__n").first.evaluate(IS_ON_TOP)
    name = editor.locator(".seen__tag button").first
    expect(name).to_have_text(re.compile(r"1\s+the cat"))
    expect(editor.locator("#live")).to_contain_text("Preview updated")

    editor.get_by_role("button", name="Before").click()
    expect(shown(editor)).to_be_hidden()
    editor.get_by_role("button", name="After").click()
    expect(shown(editor)).to_be_visible()
    editor.keyboard.down("b")
    expect(shown(editor)).to_be_hidden()
    editor.keyboard.up("b")
    expect(shown(editor)).to_be_visible()

    # If several prompts are entered in a row, the preview shows the newest one.
    grey = picture(editor)
    enter_prompt(editor, "make the cat blue")
    enter_prompt(editor, "make it sepia")
    expect(editor.locator("#plan")).to_contain_text("sepia")
    expect(editor.locator(".seen__tag")).to_have_count(0)
    wait_until(editor, lambda: colorfulness(picture(editor)) > colorfulness(grey) + 10, seconds=300)

    shown_last = np.asarray(picture(editor)).astype(int)
    submit_form(editor)
    wait_for_result(editor)
    with Image.open(download(editor, tmp_path)) as result:
        small = result.convert("RGB").resize(shown_last.shape[1::-1], Image.Resampling.BOX)
    assert np.abs(np.asarray(small).astype(int) - shown_last).mean() < 4


def test_a_wrongly_found_thing_can_be_corrected_with_a_box(editor: Page, cat: Path) -> None:
    add_photo(editor, cat)
    enter_prompt(editor, "make the cat black and white")
    wait_for_preview(editor)
    step = editor.locator(".plan__steps li").first
    step.click()
    expect(step).to_have_class(re.compile("is-chosen"))
    expect(editor.locator(".seen path.is-chosen")).to_have_count(1)
    editor.get_by_role("button", name="Not this").click()
    expect(editor.get_by_role("button", name="Box 1 of 1")).to_be_focused()
    ((left, top, width, height),) = marked_regions(editor)
    assert left < 0.5 < left + width
    assert top < 0.6 < top + height
    expect(editor.locator("#plan")).to_contain_text("box 1")
    expect(shown(editor)).to_be_visible()


def test_a_thing_that_is_not_found_is_reported_and_no_edit_is_stored(
    editor: Page, cat: Path, site: Portal
) -> None:
    add_photo(editor, cat)
    enter_prompt(editor, "make the motorcycle pink")
    expect(editor.locator("#plan")).to_contain_text("I can't find the motorcycle.", timeout=FIRST_LOOK)
    expect(editor.locator("#plan")).not_to_contain_text("credits")
    expect(editor.locator(".cost")).to_be_hidden()
    submit_form(editor)
    expect(editor.get_by_role("alert").first).to_contain_text("I can't find the motorcycle.")
    assert site.balance_and_held()[1] == 0
    editor.locator("#plan").get_by_role("button", name="Select it").click()
    expect(editor.locator("[data-tool=select]")).to_have_attribute("aria-pressed", "true")
    editor.locator("#plan").get_by_role("button", name="Draw a box").click()
    expect(editor.get_by_role("button", name="Add a box")).to_be_visible()
    editor.goto(f"{editor.url}history/")
    expect(editor.locator("main")).not_to_contain_text("motorcycle")


def test_on_a_phone_the_photo_and_the_plan_stay_in_view_while_typing(
    open_editor: OpenPage, small_photo: Path
) -> None:
    """The photo becomes a strip, the bar has the plan and one line of figures, and nothing moves."""
    page = open_editor(**PHONE | {"viewport": {"width": 390, "height": 480}}, color_scheme="dark")
    add_photo(page, small_photo)
    prompt = page.get_by_label("What should change?")
    prompt.tap()
    prompt.press_sequentially("make it black and white, add a flobberwick to the left of the old boat")
    expect(page.locator(".dock__plan")).to_have_text(
        re.compile(r"1\. Make the photo black and white\s+1 not understood")
    )
    wait_for_preview(page)
    strip = page.locator(".shot.is-strip .ph")
    expect(strip).to_be_in_viewport(ratio=1)
    places = [strip, prompt, page.locator(".dock"), page.locator("#drop")]
    before = [place.bounding_box() for place in places]
    assert before[0] is not None
    assert before[0]["height"] < 110
    for earlier, later in pairwise(before[:3]):
        assert earlier is not None
        assert later is not None
        assert earlier["y"] + earlier["height"] <= later["y"]
    figures = [part.bounding_box() for part in page.locator(".cost dd").all()]
    assert len({box["y"] for box in figures if box}) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert find_violations(page) == []

    first = shown(page).get_attribute("src")
    prompt.press("ControlOrMeta+a")
    prompt.press_sequentially("make it sepia")
    expect(shown(page)).not_to_have_attribute("src", str(first), timeout=FIRST_LOOK)
    expect(page.locator(".dock__plan")).not_to_contain_text("not understood")
    for place, box in zip(places[:1] + places[2:], before[:1] + before[2:], strict=True):
        wait_until(page, partial(is_at, place, box))
    strip.tap()
    expect(page.locator(".is-strip")).to_have_count(0)
    expect(page.locator("#tray > .shot").first).to_be_in_viewport(ratio=1)


def test_on_a_slow_phone_the_newest_prompt_wins(open_editor: OpenPage, small_photo: Path) -> None:
    page = open_editor(**PHONE)
    add_photo(page, small_photo)
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    network = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 20_000}
    client.send("Network.emulateNetworkConditions", network)
    prompt = page.get_by_label("What should change?")
    prompt.press_sequentially("make it sepia", delay=30)
    page.wait_for_timeout(300)  # the first request is on its way
    assert prompt.input_value() == "make it sepia", "typing never waits for a preview"
    prompt.fill("make it black and white")
    expect(page.locator("#plan")).to_contain_text("black and white", timeout=FIRST_LOOK)
    wait_for_preview(page)
    wait_until(page, lambda: colorfulness(picture(page)) < 6)


def test_two_tabs_show_their_own_edits(open_editor: OpenPage, small_photo: Path) -> None:
    one, two = open_editor(), open_editor()
    add_photo(one, small_photo)
    two.reload()
    enter_prompt(one, "make it black and white")
    enter_prompt(two, "make it sepia")
    for page, words in ((one, "black and white"), (two, "sepia")):
        expect(page.locator("#plan")).to_contain_text(words)
        wait_for_preview(page)
    assert colorfulness(picture(one)) < 6 < colorfulness(picture(two))


def test_another_photo_gets_its_own_preview(editor: Page, photo: Path, cat: Path) -> None:
    add_photo(editor, photo)
    enter_prompt(editor, "make it black and white")
    wait_for_preview(editor)
    first = picture(editor)
    empty_tray(editor)
    expect(shown(editor)).to_have_count(0)
    add_photo(editor, cat)
    wait_for_preview(editor)
    assert np.abs(np.asarray(picture(editor)).astype(int) - np.asarray(first).astype(int)).mean() > 10


def test_a_late_preview_of_a_replaced_photo_is_not_shown(editor: Page, photo: Path) -> None:
    add_photo(editor, photo)
    held: list[Route] = []
    editor.route("**/preview/", lambda route: held.append(route))
    enter_prompt(editor, "make it black and white")
    route, late = finished_preview(editor, held)
    # If the photo were replaced in the page, the page would cancel the request, unless its answer is near.
    tray_photos(editor).first.evaluate("(tile) => tile.dataset.draft = crypto.randomUUID()")
    route.fulfill(response=late)
    expect(editor.locator("#plan")).to_contain_text("black and white")
    expect(shown(editor)).to_have_count(0)
    editor.unroute("**/preview/")


def test_an_older_preview_fades_until_the_new_one_is_finished(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, "make it black and white")
    wait_for_preview(editor)
    held: list[Route] = []
    editor.route("**/preview/", lambda route: held.append(route))
    enter_prompt(editor, "make it sepia")
    route, response = next_preview(editor, held)
    unfinished = re.sub("<figure.*?</figure>", "", response.text(), flags=re.DOTALL)
    route.fulfill(response=response, body=unfinished.replace('data-state="ready"', 'data-state="busy"'))
    expect(editor.locator("#plan")).to_contain_text("sepia")
    expect(editor.locator(".seen")).to_have_class(re.compile("is-stale"))
    assert colorfulness(picture(editor)) < 6
    route, response = finished_preview(editor, held)
    route.fulfill(response=response)
    expect(editor.locator(".seen.is-stale")).to_have_count(0)
    assert colorfulness(picture(editor)) > 6
    editor.unroute("**/preview/")


def is_at(place: Locator, box: FloatRect | None) -> bool:
    return place.bounding_box() == box


def next_preview(page: Page, held: list[Route]) -> tuple[Route, APIResponse]:
    """Take the next held request for a preview, and return it with the site's response."""
    wait_until(page, lambda: held, seconds=300)
    route = held.pop(0)
    return route, route.fetch(timeout=PATIENCE)


def finished_preview(page: Page, held: list[Route]) -> tuple[Route, APIResponse]:
    """Return the first request whose response has a preview. While there is none, the page asks again."""
    route, response = next_preview(page, held)
    while "seen__img" not in response.text():
        route.fulfill(response=response)
        route, response = next_preview(page, held)
    return route, response


def test_a_result_that_is_edited_further_is_previewed(
    editor: Page, small_photo: Path, tmp_path: Path
) -> None:
    submit(editor, small_photo, "crop it to 1:1 and make it black and white")
    wait_for_result(editor)
    editor.get_by_role("button", name="Continue editing").click()
    enter_prompt(editor, "make it brighter")
    wait_for_preview(editor)
    made = picture(editor)
    assert made.width == made.height
    assert colorfulness(made) < 6
    light = float(np.asarray(made).mean())
    submit_form(editor)
    wait_for_result(editor)
    with Image.open(download(editor, tmp_path)) as result:
        assert abs(float(np.asarray(result.convert("RGB")).mean()) - light) < 4


def test_the_quote_of_a_batch_shows_the_edit_on_the_first_photo_and_on_any_other_by_a_click(
    open_editor: OpenPage, cat: Path
) -> None:
    """The page asks again until the photo has been analyzed."""
    page = open_editor(**PHONE, color_scheme="dark")
    page.goto(f"{page.url}batches/new/")
    empty_tray(page)
    page.locator("#files").set_input_files([cat, CUP])
    expect(page.locator("#tray-count")).to_have_text("2 of 200")
    enter_prompt(page, "make the cat black and white")
    page.get_by_role("button", name="See the quote").last.click()
    pair = page.get_by_role("region", name="Preview")
    made = pair.get_by_alt_text("Preview of the edit")
    expect(made).to_be_visible(timeout=FIRST_LOOK)
    expect(pair.locator(".seen__names")).to_have_text(re.compile(r"1\s+the cat"))
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name=f"Preview {CUP.name}").click()
    expect(pair).to_contain_text("I can't find the cat.", timeout=FIRST_LOOK)
    expect(made).to_have_count(0)
    page.get_by_role("button", name=f"Preview {cat.name}").click()
    expect(made).to_be_visible(timeout=FIRST_LOOK)


def test_previews_recover_when_the_preview_process_is_killed(
    editor: Page, site: Portal, small_photo: Path
) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, "make it sepia")
    wait_for_preview(editor)
    first = picture(editor)
    os.kill(preview_child(site), signal.SIGKILL)
    enter_prompt(editor, "make it black and white")
    wait_until(editor, lambda: colorfulness(picture(editor)) < 6, seconds=300)
    assert colorfulness(first) > 6


@pytest.mark.parametrize("size", [{}, PHONE | {"color_scheme": "dark"}])
def test_a_preview_is_accessible(open_editor: OpenPage, cat: Path, size: dict[str, Any]) -> None:
    page = open_editor(**size)
    add_photo(page, cat)
    enter_prompt(page, "make the cat black and white and make the motorcycle pink")
    wait_for_preview(page)
    page.get_by_label("What should change?").blur()  # The photo is a strip while a person types on a phone.
    page.locator(".seen__tag button").first.click()
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_beside_other_photos_on_a_phone_the_switch_fits_on_the_small_photo(
    open_editor: OpenPage, small_photo: Path
) -> None:
    page = open_editor(**PHONE)
    for _ in range(2):
        add_photo(page, small_photo)
    enter_prompt(page, "make it sepia")
    wait_for_preview(page)
    page.get_by_label("What should change?").blur()
    for name, is_shown in (("Before", False), ("After", True)):
        button = page.locator(".seen__switch").get_by_role("button", name=name)
        tile = page.locator("#tray > .shot:first-child .ph").bounding_box()
        box = button.bounding_box()
        assert tile is not None
        assert box is not None
        assert tile["x"] <= box["x"]
        assert box["x"] + box["width"] <= tile["x"] + tile["width"]
        button.tap()
        expect(shown(page)).to_be_visible(visible=is_shown)


def is_preview(command: str) -> bool:
    return f"[{PREVIEW.memory}, " in command


def preview_child(site: Portal) -> int:
    """Return the ID of the preview process, which is the only one with this limit of its memory."""
    found = []
    for task in [task for web in site.pids("web") for task in Path(f"/proc/{web}/task").iterdir()]:
        with suppress(FileNotFoundError, ProcessLookupError):  # Threads and other children end at any time.
            children = [int(pid) for pid in (task / "children").read_text().split()]
            found += [pid for pid in children if is_preview(Path(f"/proc/{pid}/cmdline").read_text())]
    (child,) = found
    return child
