"""Tests of signing in through an OpenID Connect issuer. The browser enforces the site's security policy."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests import issuer as issuers
from tests.issuer import Issuer
from tests.journeys.accessibility import find_violations
from tests.portal import EMAIL, PASSWORD, Portal, portal

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Company:
    """A site and the issuer through which people sign in to the site."""

    site: Portal
    issuer: Issuer


@pytest.fixture(scope="module")
def company(browser: object) -> Iterator[Company]:
    with (
        issuers.issuer() as issuer,
        portal(
            workers=1,
            SIGNUP="open",
            OIDC_ISSUER=issuer.url,
            OIDC_CLIENT_ID="darkroom",
            OIDC_CLIENT_SECRET="s3cret",
        ) as site,
    ):
        yield Company(site, issuer)


def go_by_the_issuer(page: Page, company: Company, subject: str) -> None:
    page.goto(f"{company.site.url}/accounts/login/")
    page.get_by_role("button", name=f"Sign in with {company.issuer.host}").click()
    page.get_by_label("Subject").fill(subject)
    page.get_by_role("button", name="Authorize", exact=True).click()


def test_a_new_user_can_sign_up_through_the_issuer(page: Page, company: Company) -> None:
    company.issuer.set_claims("nora", email="nora@example.org", email_verified=True, name="Nora New")
    go_by_the_issuer(page, company, "nora")
    page.wait_for_url(f"{company.site.url}/**")
    page.goto(f"{company.site.url}/account/")
    expect(page.get_by_text("Signed in as nora@example.org")).to_be_visible()
    expect(page.get_by_text("You can use it to sign in here.")).to_be_visible()
    assert find_violations(page) == []
    page.goto(f"{company.site.url}/accounts/password/set/")
    assert find_violations(page) == []


def test_an_existing_account_is_connected_with_its_password(page: Page, company: Company) -> None:
    company.issuer.set_claims("owner", email=EMAIL, email_verified=True)
    go_by_the_issuer(page, company, "owner")
    expect(page.get_by_text("Sign in to connect it")).to_be_visible()
    assert find_violations(page) == []
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Your account is connected")).to_be_visible()


def test_a_rejected_user_sees_the_reason(page: Page, company: Company) -> None:
    company.issuer.set_claims("unknown", email="unknown@example.org")
    go_by_the_issuer(page, company, "unknown")
    expect(page.get_by_role("alert")).to_contain_text("has not verified that")
    assert find_violations(page) == []
    page.get_by_role("link", name="Back to sign-in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert find_violations(page) == []
