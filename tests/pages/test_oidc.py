"""Tests for sign-in through a real OpenID Connect provider on loopback, including addresses and groups."""

import hashlib
import html
import re
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client

from editor.models import Membership, User, Workspace
from editor.services.people import invitations
from editor.signin.issuer import email_from_claims
from tests import issuer as issuers
from tests.cast import PASSWORD, assert_ledger_balances
from tests.hostile_server import HostileServer, answer
from tests.issuer import Issuer

pytestmark = pytest.mark.django_db
BEGIN, CALLBACK, LOGIN = "/accounts/oidc/", "/accounts/oidc/callback/", "/accounts/login/"


@pytest.fixture(scope="module")
def provider() -> Iterator[Issuer]:
    with issuers.issuer() as one:
        yield one


@pytest.fixture
def issuer(provider: Issuer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Issuer:
    monkeypatch.setattr("editor.signin.issuer.REQUEST_SECONDS", 60.0)
    use(settings, provider.url)
    return provider


def use(settings: Any, url: str) -> None:
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = url, "darkroom", "s3cret"
    settings.SIGNUP = "open"


def tell(issuer: Issuer, **changes: object) -> None:
    """Change our site's cached copy of the issuer's configuration."""
    key = f"oidc-configuration:{issuer.url}"
    cache.set(key, (cache.get(key) or {}) | changes)


def begin(client: Client, query: str = "", **data: str) -> str:
    """Begin a sign-in, and return the URL that the redirect page leads to."""
    response = client.post(BEGIN + query, data)
    assert response.status_code == 200, response.text
    found = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', response.text)
    assert found
    return html.unescape(found[1])


def come_by(client: Client, issuer: Issuer, subject: str, **data: str) -> Any:
    """Go to the issuer, sign in there as `subject`, and return to the site."""
    return client.get(issuer.approve(begin(client, **data), subject))


def is_signed_in(client: Client, user: User) -> bool:
    return client.session.get("_auth_user_id") == str(user.pk)


def sign_in(client: Client, user: User, **data: str) -> Any:
    return client.post(LOGIN, {"login": user.email, "password": PASSWORD, **data})


# Redirecting to the issuer


def test_the_sign_in_page_offers_oidc_only_if_an_issuer_is_configured(
    client: Client, settings: Any, issuer: Issuer
) -> None:
    host = urlsplit(issuer.url).netloc
    assert f"Sign in with {host}" in client.get(LOGIN).text
    settings.OIDC_ISSUER = ""
    assert BEGIN not in client.get(LOGIN).text
    assert client.post(BEGIN).status_code == client.get(CALLBACK).status_code == 404


def test_the_request_to_the_issuer_uses_pkce_and_the_expected_scope(client: Client, issuer: Issuer) -> None:
    query = parse_qs(urlsplit(begin(client)).query)
    assert query["response_type"] == ["code"]
    assert query["code_challenge_method"] == ["S256"]
    assert set(query["scope"][0].split()) == {"openid", "profile", "email"}
    assert query["redirect_uri"] == [f"http://testserver{CALLBACK}"]


def test_query_parameters_do_not_change_the_request_to_the_issuer(client: Client, issuer: Issuer) -> None:
    address = begin(client, query="?scope=everything&auth_params=hint%3Dnobody&process=connect")
    assert "everything" not in address
    assert "nobody" not in address


def test_a_sign_in_can_be_started_only_by_a_post_with_a_csrf_token(issuer: Issuer) -> None:
    assert Client().get(BEGIN).headers["Location"] == LOGIN
    assert Client(enforce_csrf_checks=True).post(BEGIN).status_code == 403


def test_the_csp_of_the_sign_in_page_allows_forms_to_the_issuer(
    client: Client, issuer: Issuer, settings: Any
) -> None:
    assert f"form-action 'self' {issuer.url};" in client.get(LOGIN).headers["Content-Security-Policy"]
    tell(issuer, authorization_endpoint="https://login.example.org/go")
    policy = client.get(LOGIN).headers["Content-Security-Policy"]
    assert "form-action 'self' https://login.example.org;" in policy
    assert "form-action 'self';" in client.get("/accounts/password/reset/").headers["Content-Security-Policy"]


# Returning from the issuer


def test_a_new_user_gets_an_account_if_sign_up_is_open(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("new", email="New@Example.org", email_verified=True, name="Nora New")
    response = come_by(client, issuer, "new", next="/account/")
    assert response.headers["Location"] == "/account/"
    user = User.objects.get()
    assert (user.email, user.name) == ("new@example.org", "Nora New")
    assert not user.has_usable_password()
    assert is_signed_in(client, user)
    assert user.emailaddress_set.get().verified  # type: ignore[attr-defined]
    assert user.personal_workspace.balance == 400
    assert_ledger_balances(user.personal_workspace)


def test_a_second_sign_in_uses_the_same_account_even_if_the_email_has_changed(
    client: Client, issuer: Issuer
) -> None:
    issuer.set_claims("moved", email="before@example.org", email_verified=True)
    come_by(client, issuer, "moved")
    issuer.set_claims("moved", email="after@example.org", email_verified=False)
    again = Client()
    come_by(again, issuer, "moved")
    assert is_signed_in(again, User.objects.get())


def test_only_the_needed_claims_are_stored(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("new", email="new@example.org", email_verified=True, phone_number="1", secret="x")
    come_by(client, issuer, "new")
    assert SocialAccount.objects.get().extra_data == {
        "email": "new@example.org", "email_verified": True, "name": "", "groups": [], "two_factor": False
    }  # fmt: skip


@pytest.mark.parametrize(
    ("signup", "sentence"), [("invite", "You need an invitation"), ("closed", "does not accept new accounts")]
)
def test_a_new_user_is_refused_if_sign_up_is_not_open(
    client: Client, issuer: Issuer, settings: Any, signup: str, sentence: str
) -> None:
    settings.SIGNUP = signup
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    response = come_by(client, issuer, "new")
    assert response.status_code == 403
    assert sentence in response.text
    assert not User.objects.exists()


@pytest.mark.parametrize("verified", [{}, {"email_verified": False}, {"email_verified": "false"}])
def test_an_unverified_email_gives_access_to_no_account(
    client: Client, issuer: Issuer, alice: User, verified: dict[str, Any]
) -> None:
    for email in (alice.email, "new@example.org"):
        issuer.set_claims("thief", email=email, **verified)
        response = come_by(client, issuer, "thief")
        assert response.status_code == 403
        assert "has not verified that" in response.text
    assert User.objects.count() == 1
    assert not SocialAccount.objects.exists()
    sign_in(client, alice)
    assert not SocialAccount.objects.exists(), "no identity is waiting to be linked"


@pytest.mark.parametrize("verified", [{"email_verified": "true"}, {"xms_edov": True}, {"xms_edov": "1"}])
def test_several_claims_for_a_verified_email_are_accepted(
    client: Client, issuer: Issuer, verified: dict[str, Any]
) -> None:
    issuer.set_claims("new", email="new@example.org", **verified)
    come_by(client, issuer, "new")
    assert is_signed_in(client, User.objects.get())


@pytest.mark.parametrize(
    ("user_info", "id_token", "address"),
    [
        ({"email": "a@x.org"}, {"email": "a@x.org", "email_verified": True}, ("a@x.org", True)),
        ({"email": "a@x.org"}, {"email": "b@x.org", "email_verified": True}, ("a@x.org", False)),
        ({}, {"email": "b@x.org", "email_verified": True}, ("b@x.org", True)),
        ({"email_verified": True}, {"email": "b@x.org"}, ("b@x.org", False)),
        ({"email_verified": True}, {}, (None, False)),
    ],
)
def test_an_email_is_verified_only_if_the_claim_comes_with_the_same_email(
    user_info: dict[str, Any], id_token: dict[str, Any], address: tuple[str | None, bool]
) -> None:
    assert tuple(email_from_claims(user_info, id_token).values()) == address


def test_a_missing_email_gets_an_error_message(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("nameless", name="N")
    assert "did not provide your email address" in come_by(client, issuer, "nameless").text


def test_a_closed_account_stays_closed(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("gone", email="gone@example.org", email_verified=True)
    come_by(client, issuer, "gone")
    User.objects.update(is_active=False)
    again = Client()
    response = again.get(issuer.approve(begin(again), "gone"), follow=True)
    assert "account is closed" in response.text
    assert "_auth_user_id" not in again.session


def test_a_sign_in_that_is_denied_at_the_issuer_gets_a_message(client: Client, issuer: Issuer) -> None:
    response = client.get(issuer.deny(begin(client)))
    assert response.status_code == 401
    assert "without signing in" in response.text


def test_a_sign_out_is_local(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    come_by(client, issuer, "new")
    assert client.post("/accounts/logout/").headers["Location"] == LOGIN
    assert "_auth_user_id" not in client.session


def test_a_signed_in_user_is_redirected_to_the_workspace(client: Client, issuer: Issuer, alice: User) -> None:
    client.force_login(alice)
    assert client.post(BEGIN, follow=True).redirect_chain[-1][0] == "/w/alice/"


# Linking an existing account


def test_an_account_with_the_same_email_is_linked_after_signing_in_to_it(
    client: Client, issuer: Issuer, alice: User
) -> None:
    issuer.set_claims("a1", email="Alice@Example.org", email_verified=True)
    response = come_by(client, issuer, "a1", next="/account/")
    assert response.headers["Location"] == f"{LOGIN}?next=%2Faccount%2F"
    assert "_auth_user_id" not in client.session
    page = client.get(response.headers["Location"]).text
    assert "Sign in to connect it" in page
    assert 'value="alice@example.org"' in page
    assert not SocialAccount.objects.exists()
    assert sign_in(client, alice, next="/account/").headers["Location"] == "/account/"
    assert "Your account is connected" in client.get("/account/").text
    again = Client()
    come_by(again, issuer, "a1")
    assert is_signed_in(again, alice)
    assert User.objects.count() == 1


def test_signing_in_to_another_account_links_nothing(
    client: Client, issuer: Issuer, alice: User, bob: User
) -> None:
    issuer.set_claims("a1", email=alice.email, email_verified=True)
    come_by(client, issuer, "a1")
    sign_in(client, bob)
    assert "this is not the account of alice@example.org" in client.get("/account/").text
    client.post("/accounts/logout/")
    sign_in(client, alice)
    assert not SocialAccount.objects.exists()


def test_a_wrong_password_links_nothing(client: Client, issuer: Issuer, alice: User) -> None:
    issuer.set_claims("a1", email=alice.email, email_verified=True)
    come_by(client, issuer, "a1")
    client.post(LOGIN, {"login": alice.email, "password": "wrong"})
    assert not SocialAccount.objects.exists()
    sign_in(client, alice)
    assert SocialAccount.objects.get().user == alice, "the right account is still linked"


def test_a_pending_link_expires(
    client: Client, issuer: Issuer, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer.set_claims("a1", email=alice.email, email_verified=True)
    come_by(client, issuer, "a1")
    assert "already exists" in client.get(LOGIN).text
    session = client.session
    session["oidc_joining"] = session["oidc_joining"] | {"until": 0}
    session.save()
    assert "already exists" not in client.get(LOGIN).text
    sign_in(client, alice)
    assert not SocialAccount.objects.exists()


def test_another_subject_with_the_same_email_does_not_get_the_account(client: Client, issuer: Issuer) -> None:
    """The issuer now uses this address for another person, who must not get the existing account."""
    issuer.set_claims("first", email="desk@example.org", email_verified=True)
    come_by(client, issuer, "first")
    issuer.set_claims("second", email="desk@example.org", email_verified=True)
    other = Client()
    assert come_by(other, issuer, "second").headers["Location"].startswith(LOGIN)
    assert "_auth_user_id" not in other.session
    assert SocialAccount.objects.get().uid == "first"


def test_linking_a_second_identity_replaces_the_first_one(
    client: Client, issuer: Issuer, alice: User
) -> None:
    for subject in ("first", "second"):
        issuer.set_claims(subject, email=alice.email, email_verified=True)
        browser = Client()
        come_by(browser, issuer, subject)
        sign_in(browser, alice)
    assert SocialAccount.objects.get().uid == "second"
    come_by(client, issuer, "first")
    assert "_auth_user_id" not in client.session


def test_the_same_subject_of_another_issuer_is_somebody_else(
    client: Client, issuer: Issuer, alice: User
) -> None:
    SocialAccount.objects.create(user=alice, provider="https://other.example.org", uid="1")
    issuer.set_claims("1", email="new@example.org", email_verified=True)
    come_by(client, issuer, "1")
    assert is_signed_in(client, User.objects.get(email="new@example.org"))


def test_the_sites_own_second_factor_is_still_required(client: Client, issuer: Issuer, alice: User) -> None:
    issuer.set_claims("a1", email=alice.email, email_verified=True)
    come_by(client, issuer, "a1")
    TOTP.activate(alice, generate_totp_secret())
    code = RecoveryCodes.activate(alice).get_unused_codes()[0]
    sign_in(client, alice)
    assert not SocialAccount.objects.exists(), "the password alone is not enough to link the identity"
    client.post("/accounts/2fa/authenticate/", {"code": code})
    assert SocialAccount.objects.get().user == alice
    again = Client()
    assert come_by(again, issuer, "a1").headers["Location"] == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in again.session


# Forged, repeated, and broken responses


def test_a_stolen_state_is_refused(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    back = issuer.approve(begin(client), "new")
    victim = Client()
    response = victim.get(back)
    assert response.status_code == 401
    assert "started in another browser" in response.text
    assert "_auth_user_id" not in victim.session
    assert not User.objects.exists()


def test_a_response_works_only_once(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    back = issuer.approve(begin(client), "new")
    client.get(back)
    client.post("/accounts/logout/")
    assert client.get(back).status_code == 401
    assert "_auth_user_id" not in client.session


def test_a_used_code_is_refused_even_with_a_new_state(client: Client, issuer: Issuer) -> None:
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    back = issuer.approve(begin(client), "new")
    client.get(back)
    code = parse_qs(urlsplit(back).query)["code"][0]
    thief = Client()
    state = parse_qs(urlsplit(begin(thief)).query)["state"][0]
    response = thief.get(CALLBACK, {"code": code, "state": state})
    assert response.status_code == 401
    assert "confirm this sign-in. Start again." in response.text
    assert "_auth_user_id" not in thief.session


def test_a_code_is_sent_with_the_pkce_verifier_and_the_client_secret(client: Client, issuer: Issuer) -> None:
    query = parse_qs(urlsplit(begin(client)).query)
    with HostileServer(answer(400, {"error": "invalid_grant"})) as server:
        tell(issuer, token_endpoint=f"{server.origin}/token")
        client.get(CALLBACK, {"code": "x", "state": query["state"][0]})
        sent = parse_qs(server.requests[0].body.decode())
    digest = hashlib.sha256(sent["code_verifier"][0].encode()).digest()
    assert query["code_challenge"] == [urlsafe_b64encode(digest).rstrip(b"=").decode()]
    assert (sent["client_id"], sent["client_secret"]) == (["darkroom"], ["s3cret"])


def test_the_client_secret_is_sent_in_a_header_if_the_issuer_requires_it(
    client: Client, issuer: Issuer, settings: Any
) -> None:
    settings.OIDC_CLIENT_ID = "dark:room"
    state = parse_qs(urlsplit(begin(client)).query)["state"][0]
    with HostileServer(answer(400, {"error": "invalid_grant"})) as server:
        tell(
            issuer,
            token_endpoint=f"{server.origin}/token",
            token_endpoint_auth_methods_supported=["client_secret_basic"],
        )
        client.get(CALLBACK, {"code": "x", "state": state})
        request = server.requests[0]
    assert b64decode(request.headers["authorization"].removeprefix("Basic ")) == b"dark%3Aroom:s3cret"
    assert b"s3cret" not in request.body


@pytest.mark.parametrize("query", [{}, {"code": "x"}, {"state": "\0", "code": "\0"}, {"error": "x" * 9000}])
def test_a_response_without_a_request_is_refused(
    client: Client, issuer: Issuer, query: dict[str, str]
) -> None:
    assert client.get(CALLBACK, query).status_code == 401


def test_an_unavailable_issuer_returns_503_and_passwords_still_work(
    client: Client, settings: Any, alice: User
) -> None:
    use(settings, "http://127.0.0.1:9")
    assert client.get(LOGIN).status_code == 200
    response = client.post(BEGIN)
    assert response.status_code == 503
    assert "127.0.0.1:9 isn&#x27;t responding" in response.text
    assert sign_in(client, alice).status_code == 302


def test_a_slow_issuer_returns_503_after_the_time_limit(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editor.signin.issuer.REQUEST_SECONDS", 0.5)
    with HostileServer(answer(200, b"{}" * 1000, drip=0.1)) as server:
        use(settings, server.origin)
        began = time.monotonic()
        assert client.post(BEGIN).status_code == 503
        assert time.monotonic() - began < 30


def test_an_issuer_that_becomes_unavailable_during_a_sign_in_returns_503(
    client: Client, issuer: Issuer, settings: Any
) -> None:
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    back = issuer.approve(begin(client), "new")
    tell(issuer, token_endpoint="http://127.0.0.1:9/token")
    assert client.get(back).status_code == 503


@pytest.mark.parametrize(
    "configuration",
    [b"", b"[]", b"null", b"{}", b'"x"', b'{"issuer": 5}', b'{"issuer": "https://elsewhere.example.org"}'],
)
def test_an_issuer_with_an_invalid_configuration_is_refused(
    client: Client, settings: Any, configuration: bytes
) -> None:
    with HostileServer(answer(200, configuration)) as server:
        use(settings, server.origin)
        response = client.post(BEGIN)
    assert response.status_code == 401
    assert "Back to sign-in" in response.text


def test_an_issuer_cannot_redirect_to_a_javascript_url(client: Client, settings: Any) -> None:
    with HostileServer() as server:
        configuration = {
            "issuer": server.origin,
            "authorization_endpoint": "javascript:alert(1)",
            "token_endpoint": "",
        }
        server.set_scripts("", answer(200, configuration))
        use(settings, server.origin)
        assert client.post(BEGIN).status_code == 401


# Groups


def test_a_group_with_a_rule_creates_an_account_and_a_membership(
    client: Client, issuer: Issuer, settings: Any, team: Workspace
) -> None:
    settings.SIGNUP, settings.OIDC_GROUPS = "invite", [("designers", "studio", "editor")]
    issuer.set_claims("new", email="new@example.org", email_verified=True, groups=["designers", "guests"])
    come_by(client, issuer, "new")
    user = User.objects.get(email="new@example.org")
    assert is_signed_in(client, user)
    assert team.memberships.get(user=user).role == "editor"
    assert client.get("/w/studio/").status_code == 200


def test_a_group_without_a_rule_creates_no_account(
    client: Client, issuer: Issuer, settings: Any, team: Workspace
) -> None:
    settings.SIGNUP, settings.OIDC_GROUPS = "invite", [("designers", "studio", "editor")]
    issuer.set_claims("new", email="new@example.org", email_verified=True, groups=["guests"])
    response = come_by(client, issuer, "new")
    assert response.status_code == 403
    assert "none of your groups has access" in response.text


@pytest.mark.parametrize(
    "claim", ["designers", ["designers"], ["designers", 5, None], None, {"designers": 1}]
)
def test_a_groups_claim_may_be_a_string_or_a_list(
    client: Client, issuer: Issuer, settings: Any, team: Workspace, claim: object
) -> None:
    settings.OIDC_GROUPS = [("designers", "studio", "editor")]
    issuer.set_claims("new", email="new@example.org", email_verified=True, groups=claim)
    come_by(client, issuer, "new")
    is_member = team.memberships.filter(user__email="new@example.org").exists()
    assert is_member == (isinstance(claim, (str, list)))


def test_each_sign_in_applies_the_current_groups(
    client: Client, issuer: Issuer, settings: Any, team: Workspace
) -> None:
    settings.OIDC_GROUPS = [("designers", "studio", "editor"), ("leads", "studio", "admin")]
    for given, role in ((["designers"], ["editor"]), (["leads"], ["admin"]), ([], [])):
        issuer.set_claims("new", email="new@example.org", email_verified=True, groups=given)
        come_by(Client(), issuer, "new")
        roles = team.memberships.filter(user__email="new@example.org").values_list("role", flat=True)
        assert list(roles) == role


def test_a_linked_account_gets_its_groups_immediately(
    client: Client, issuer: Issuer, settings: Any, team: Workspace, charlie: User
) -> None:
    settings.OIDC_GROUPS = [("leads", "studio", "admin")]
    issuer.set_claims("c1", email=charlie.email, email_verified=True, groups=["leads"])
    come_by(client, issuer, "c1")
    assert not team.memberships.filter(user=charlie).exists()
    sign_in(client, charlie)
    assert team.memberships.get(user=charlie).role == "admin"


def test_a_sign_in_by_password_changes_no_groups(
    client: Client, issuer: Issuer, settings: Any, team: Workspace, charlie: User
) -> None:
    settings.OIDC_GROUPS = [("leads", "studio", "admin")]
    Membership.objects.create(workspace=team, user=charlie, role="admin", by_group=True)
    sign_in(client, charlie)
    assert team.memberships.get(user=charlie).role == "admin"


def test_the_groups_scope_is_requested_if_the_issuer_supports_it(client: Client, issuer: Issuer) -> None:
    begin(client)
    tell(issuer, scopes_supported=["openid", "groups"])
    assert "groups" in parse_qs(urlsplit(begin(client)).query)["scope"][0].split()


# Invitations


def test_a_new_user_can_accept_an_invitation_through_the_issuer(
    client: Client, issuer: Issuer, settings: Any, team: Workspace
) -> None:
    settings.SIGNUP = "invite"
    invitation = invitations.invite(None, team, role=Membership.Role.VIEWER)
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    path = urlsplit(invitations.link_of(invitation, site="http://testserver")).path
    assert come_by(client, issuer, "new", next=path).headers["Location"] == "/w/studio/"
    assert team.memberships.get(user__email="new@example.org").role == "viewer"
    issuer.set_claims("late", email="late@example.org", email_verified=True)
    assert come_by(Client(), issuer, "late", next=path).status_code == 403, (
        "the invitation was for one person"
    )
    assert not User.objects.filter(email="late@example.org").exists()


@pytest.mark.parametrize(("signup", "email"), [("closed", ""), ("invite", "other@example.org")])
def test_an_invitation_for_someone_else_or_a_closed_site_creates_no_account(
    client: Client, issuer: Issuer, settings: Any, team: Workspace, signup: str, email: str
) -> None:
    settings.SIGNUP = signup
    email = email and "other@example.org"
    invitation = invitations.invite(None, team, role=Membership.Role.VIEWER, email=email)
    issuer.set_claims("new", email="new@example.org", email_verified=True)
    path = urlsplit(invitations.link_of(invitation, site="http://testserver")).path
    assert come_by(client, issuer, "new", next=path).status_code == 403
    assert not User.objects.filter(email="new@example.org").exists()


@pytest.mark.parametrize(
    ("amr", "status"), [(["pwd", "otp"], 200), (["mfa"], 200), (["pwd"], 302), ("mfa", 200)]
)
def test_two_factors_at_the_issuer_give_access_to_the_admin(
    client: Client, issuer: Issuer, amr: object, status: int
) -> None:
    issuer.set_claims("nora", email="nora@example.org", email_verified=True, amr=amr)
    come_by(client, issuer, "nora")
    User.objects.filter(email="nora@example.org").update(is_staff=True, is_superuser=True)
    assert client.get("/admin/").status_code == status
    assert client.get("/account/").status_code == 200
