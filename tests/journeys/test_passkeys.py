"""Tests of adding a passkey to an account with a password, and of using, renaming, and removing it."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.accessibility import find_violations
from tests.journeys.conftest import OpenPage
from tests.portal import PASSWORD, Portal

# Script that makes the browser respond as if the user had closed the passkey dialog.
REFUSES = "() => { navigator.credentials.get = () => { throw new DOMException('', 'NotAllowedError'); }; }"


@pytest.fixture
def address(site: Portal) -> str:
    """Return the site's URL with a host name instead of an IP address.

    Browsers store passkeys only for host names.
    """
    return f"http://localhost:{urlsplit(site.url).port}"


@pytest.fixture
def person(site: Portal, request: pytest.FixtureRequest) -> str:
    email = f"{request.node.name.replace('_', '-')}@example.org"
    site.manage("create_user", email, "--password", PASSWORD)
    return email


@contextmanager
def device(page: Page) -> Iterator[None]:
    """Attach a virtual authenticator that approves every request, like a laptop's fingerprint reader."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield
    session.detach()


def sign_in(page: Page, address: str, email: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login/" not in url)


def add_passkey(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/account/")
    page.get_by_role("link", name="Set up passkeys").click()
    page.get_by_role("link", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Add a passkey")).to_be_visible()
    assert find_violations(page) == []
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Add passkey").click()
    expect(page.get_by_text("The passkey was added.")).to_be_visible()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def sign_out(page: Page, address: str) -> None:
    page.goto(f"{address}/accounts/logout/")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(lambda url: "/logout/" not in url)


def test_a_passkey_alone_is_enough_to_sign_in(page: Page, address: str, person: str) -> None:
    with device(page):
        sign_in(page, address, person)
        add_passkey(page, address, "Work laptop")
        sign_out(page, address)
        page.goto(f"{address}/accounts/login/?next=/account/")
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(f"{address}/account/")
        expect(page.get_by_text(f"Signed in as {person}")).to_be_visible()


def test_a_passkey_is_the_second_step_after_the_password(page: Page, address: str, person: str) -> None:
    with device(page):
        sign_in(page, address, person)
        add_passkey(page, address, "Work laptop")
        sign_out(page, address)
        sign_in(page, address, person)
        expect(page.get_by_role("heading", name="One more step")).to_be_visible()
        assert find_violations(page) == []
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(f"{address}/w/**")


@pytest.mark.slow
def test_a_passkey_is_renamed_and_removed(page: Page, address: str, person: str) -> None:
    with device(page):
        sign_in(page, address, person)
        add_passkey(page, address, "Work laptop")
        page.goto(f"{address}/accounts/2fa/webauthn/")
        page.get_by_role("link", name="Rename Work laptop").click()
        page.get_by_label("Name").fill("Old laptop")
        page.get_by_role("button", name="Save name").click()
        expect(page.get_by_role("heading", name="Old laptop")).to_be_visible()
        assert find_violations(page) == []
        page.get_by_role("link", name="Remove Old laptop").click()
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_text("The passkey was removed.")).to_be_visible()
        sign_out(page, address)
        page.goto(f"{address}/accounts/login/")
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_text("wasn't accepted")).to_be_visible()
        sign_in(page, address, person)
        page.wait_for_url(f"{address}/w/**")


def test_closing_the_passkey_dialog_still_allows_the_password(page: Page, address: str, person: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.evaluate(
        "() => { navigator.credentials.get = () => { throw new DOMException('', 'NotAllowedError'); }; }"
    )
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator("#toasts")).to_contain_text("No passkey was used")
    sign_in(page, address, person)
    page.wait_for_url(f"{address}/w/**")


def test_an_ip_address_offers_no_passkeys_and_says_why(
    open_page: OpenPage, site: Portal, person: str
) -> None:
    page = open_page()
    page.goto(f"{site.url}/accounts/login/")
    expect(page.get_by_role("button", name="Use a passkey")).to_have_count(0)
    sign_in(page, site.url, person)
    page.goto(f"{site.url}/accounts/2fa/webauthn/")
    expect(page.get_by_text("Passkeys only work at an address that starts with https")).to_be_visible()
    expect(page.get_by_role("link", name="Add a passkey")).to_have_count(0)
