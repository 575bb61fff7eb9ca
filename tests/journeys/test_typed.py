"""Tests that what a person typed survives an interruption but is never shown to anyone else."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.steps import add_photo, enter_prompt, submit_form
from tests.portal import PASSWORD, Portal, sign_in

WISH = "make the photo a little warmer"  # Nothing has to be found, so a submit is never refused.
STORED = "() => JSON.stringify(sessionStorage)"


def test_typed_text_survives_a_session_that_ends_meanwhile(
    editor: Page, site: Portal, small_photo: Path
) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, WISH)
    editor.get_by_role("radio", name="2", exact=True).evaluate("radio => radio.click()")
    wait_for_typed(editor)
    stop_background_requests(editor)
    editor.context.clear_cookies(name="darkroom_session")
    submit_form(editor)
    editor.wait_for_url("**/accounts/login/**")
    editor.unroute_all()
    sign_in(editor, site)
    expect(editor.locator("#prompt")).to_have_value(WISH)
    expect(editor.get_by_role("radio", name="2", exact=True)).to_be_checked()
    expect(editor.locator("#plan")).to_contain_text("Warm up the photo a little")
    editor.reload()
    expect(editor.get_by_role("radio", name="2", exact=True)).not_to_be_checked()


def test_the_prompt_is_kept_until_it_is_sent(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, WISH)
    wait_for_typed(editor)
    address = editor.url
    editor.get_by_role("link", name="History").first.click()
    editor.get_by_role("link", name="Edit", exact=True).first.click()
    expect(editor.locator("#prompt")).to_have_value(WISH)
    expect(editor.locator("#plan")).to_contain_text("Warm up the photo a little")
    editor.goto(f"{address}batches/new/")
    expect(editor.locator("#prompt")).to_have_value("")
    editor.goto(address)
    expect(editor.locator("#prompt")).to_have_value(WISH)
    submit_form(editor)
    editor.wait_for_url("**/edits/**")
    editor.goto(address)
    wait_for_typed(editor)
    expect(editor.locator("#prompt")).to_have_value("")


def test_a_kept_prompt_does_not_replace_the_prompt_of_an_edit(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, WISH)
    address = editor.url
    submit_form(editor)
    editor.wait_for_url("**/edits/**")
    editor.goto(f"{address}?edit={editor.url.split('/')[-2]}")
    enter_prompt(editor, "make it sepia")
    wait_for_typed(editor)
    editor.reload()
    wait_for_typed(editor)
    expect(editor.locator("#prompt")).to_have_value(WISH)


def test_an_emptied_prompt_does_not_come_back(editor: Page) -> None:
    enter_prompt(editor, WISH)
    wait_for_typed(editor)
    enter_prompt(editor, "")
    editor.reload()
    wait_for_typed(editor)
    expect(editor.locator("#prompt")).to_have_value("")


def test_typed_text_survives_if_the_preview_notices_the_ended_session(editor: Page, site: Portal) -> None:
    wait_for_typed(editor)
    editor.context.clear_cookies(name="darkroom_session")
    enter_prompt(editor, WISH)
    editor.wait_for_url("**/accounts/login/**")
    sign_in(editor, site)
    expect(editor.locator("#prompt")).to_have_value(WISH)


def test_typed_text_stays_on_the_page_while_the_browser_is_offline(editor: Page, small_photo: Path) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, WISH)
    editor.context.set_offline(True)
    editor.locator("#send").click()
    expect(editor.locator(".toast", has_text="You're offline.")).to_have_count(2)
    expect(editor.locator("#prompt")).to_have_value(WISH)
    editor.context.set_offline(False)
    submit_form(editor)
    editor.wait_for_url("**/edits/**")


def test_a_site_on_this_machine_works_without_a_network(editor: Page, small_photo: Path) -> None:
    editor.add_init_script("Object.defineProperty(navigator, 'onLine', { value: false })")
    editor.reload()
    add_photo(editor, small_photo)
    enter_prompt(editor, WISH)
    submit_form(editor)
    editor.wait_for_url("**/edits/**")


def test_another_user_does_not_see_the_typed_text(editor: Page, site: Portal) -> None:
    site.manage("create_user", "other@example.org", "--password", PASSWORD)
    enter_prompt(editor, WISH)
    wait_for_typed(editor)
    stop_background_requests(editor)
    editor.context.clear_cookies()
    editor.reload()
    editor.unroute_all()
    sign_in(editor, site, email="other@example.org")
    expect(editor.locator("#prompt")).to_have_value("")
    assert WISH not in editor.evaluate(STORED)


def test_signing_out_deletes_the_typed_text(page: Page, site: Portal) -> None:
    sign_in(page, site)
    enter_prompt(page, WISH)
    wait_for_typed(page)
    page.locator("form[action$='/logout/'] button").first.evaluate("button => button.click()")
    expect(page.get_by_role("button", name="Sign in").first).to_be_visible()
    assert page.evaluate(STORED) == "{}"


def test_typed_text_survives_a_lost_csrf_cookie(editor: Page) -> None:
    enter_prompt(editor, WISH)
    wait_for_typed(editor)
    editor.context.clear_cookies(name="csrftoken")
    submit_form(editor)
    expect(editor.get_by_text("Nothing was lost.")).to_be_visible()
    editor.get_by_role("link", name="Reload").click()
    expect(editor.locator("#prompt")).to_have_value(WISH)


def test_typed_text_of_an_accepted_form_does_not_come_back(
    editor: Page, site: Portal, small_photo: Path
) -> None:
    add_photo(editor, small_photo)
    enter_prompt(editor, WISH)
    submit_form(editor)
    editor.wait_for_url("**/edits/**")
    wait_for_typed(editor)  # The script deletes what was typed only when it is loaded.
    editor.goto("about:blank")  # No poll of the running edit leads to the sign-in page meanwhile.
    editor.context.clear_cookies()
    sign_in(editor, site)
    expect(editor.locator("#prompt")).to_have_value("")


def test_a_typed_password_is_never_stored(editor: Page, site: Portal) -> None:
    editor.goto(f"{site.url}/accounts/password/change/")
    editor.get_by_label("Current password").fill("a secret of mine")
    editor.get_by_label("New password").first.fill("another secret of mine")
    editor.locator("[data-peek]").first.click()
    wait_for_typed(editor)
    editor.context.clear_cookies()
    editor.reload()
    assert "secret" not in editor.evaluate(STORED)


def test_a_message_says_that_another_tab_has_used_the_photo(
    editor: Page, site: Portal, small_photo: Path
) -> None:
    add_photo(editor, small_photo)
    other = editor.context.new_page()
    other.goto(editor.url)
    enter_prompt(other, WISH)
    submit_form(other)
    other.wait_for_url("**/edits/**")
    enter_prompt(editor, WISH)
    submit_form(editor)
    expect(editor.get_by_text("perhaps in another tab")).to_be_visible()
    expect(editor.get_by_text("At least one image URL is required")).to_have_count(0)
    expect(editor.locator("#prompt")).to_have_value(WISH)


def wait_for_typed(page: Page) -> None:
    """Wait until the script is loaded that keeps what a person types when the page is left."""
    page.evaluate("import(document.body.dataset.typed).then(() => null)")


def stop_background_requests(page: Page) -> None:
    """Let the page send only its forms, so that no preview notices first that the session has ended."""
    page.route(
        "**/*", lambda route: route.continue_() if route.request.is_navigation_request() else route.abort()
    )
