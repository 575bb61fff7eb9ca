"""Tests of everything a new owner does, from the owner link to a downloaded photo, in a real Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Browser, Page, expect

from tests import postgres
from tests.journeys.steps import (
    download,
    set_up_second_factor,
    size_of,
    submit,
    submit_form,
    tray_photos,
    wait_for_result,
)
from tests.portal import EMAIL, PASSWORD, Portal, new_context, portal, sign_in


def colorfulness(path: Path) -> float:
    """Return the mean saturation of an image file, from 0 to 255."""
    with Image.open(path) as image:
        saturation = image.convert("HSV").getchannel("S")
    return float(ImageStat.Stat(saturation).mean[0])


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def new_site(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Portal]:
    """Start a site without accounts."""
    if request.param == "sqlite":
        with portal(account=False) as site:
            yield site
    elif postgres.binaries() is None:
        pytest.skip("PostgreSQL is not installed.")
    else:
        with postgres.cluster() as cluster, portal(account=False, DATABASE_URL=cluster.url) as site:
            yield site


def test_a_new_owner_can_use_the_link_edit_a_photo_and_download_it(
    new_site: Portal, page: Page, photo: Path, tmp_path: Path
) -> None:
    page.goto(new_site.owner_link())
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Create account and sign in").click()
    page.wait_for_url(f"{new_site.url}/w/**")
    expect(page.locator("#balance")).to_contain_text("400")

    submit(page, photo, "Make it black and white, please!")
    page.wait_for_url("**/edits/**")
    wait_for_result(page)
    expect(page.locator("#balance")).to_contain_text("360")

    result = download(page, tmp_path)
    assert result.suffix == ".png"
    assert size_of(result) == (1200, 800)
    assert colorfulness(result) < 1 < colorfulness(photo)

    page.get_by_role("link", name="History").click()
    expect(page.get_by_text("Make it black and white, please!").first).to_be_visible()
    page.goto(f"{new_site.url}/admin/editor/edit/")
    set_up_second_factor(page)
    expect(page.get_by_text("Make it black and white, please!").first).to_be_visible()
    page.goto(f"{new_site.url}/credits/")
    expect(page.get_by_text("360").first).to_be_visible()
    new_site.manage("verify")


def test_editing_and_downloading_work_without_javascript(
    browser: Browser, site: Portal, photo: Path, tmp_path: Path
) -> None:
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site)
    page.locator("#files").set_input_files(photo)
    page.get_by_label("What should change?").fill("brighten it and crop it to 16:9")
    page.get_by_label("JPEG").check(force=True)
    page.get_by_role("button", name="Edit photos").last.click()
    page.wait_for_url("**/edits/**")
    wait_for_result(page)
    after, before = (
        page.locator(".compare__tag", has_text=word).bounding_box() for word in ("After", "Before")
    )
    assert after
    assert before
    assert before["x"] < after["x"]  # Pictures of different shapes are shown side by side, each with a label.
    result = download(page, tmp_path)
    assert result.suffix in (".jpg", ".jpeg")
    width, height = size_of(result)
    assert abs(width / height - 16 / 9) < 0.01
    context.close()


def test_a_rejected_form_keeps_the_prompt_the_choices_and_the_photos(editor: Page, photo: Path) -> None:
    editor.get_by_label("4:3").check(force=True)
    submit(editor, photo, "make it black and white and add a flobberwick")
    expect(editor.get_by_role("alert").first).to_contain_text("flobberwick")
    expect(editor.get_by_label("What should change?")).to_have_value(
        "make it black and white and add a flobberwick"
    )
    expect(tray_photos(editor)).to_have_count(1)
    expect(editor.get_by_label("4:3")).to_be_checked()
    editor.get_by_role("button", name="Do the rest · 40 credits").last.click()
    editor.wait_for_url("**/edits/**")
    wait_for_result(editor)


def test_the_documented_errors_appear_word_for_word(editor: Page) -> None:
    submit_form(editor)
    expect(editor.get_by_text("Prompt is required").first).to_be_visible()
    expect(editor.get_by_text("At least one image URL is required").first).to_be_visible()


def test_a_running_edit_can_be_left_and_found_again(editor: Page, site: Portal, photo: Path) -> None:
    submit(editor, photo, "make it sepia")
    editor.wait_for_url("**/edits/**")
    address = editor.url
    editor.goto(f"{site.url}/history/")
    editor.goto(address)
    wait_for_result(editor)
