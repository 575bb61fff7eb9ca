"""Tests for invitation links that are opened by people with or without an account."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from editor.models import Invitation, Membership, User, Workspace
from editor.services.billing import credits
from editor.services.people import invitations
from tests.cast import PASSWORD, actor_of

pytestmark = pytest.mark.django_db
type SignIn = Callable[..., Client]
NEW = {"email": "new@example.org", "password": PASSWORD}


def link(user: User, team: Workspace, **wanted: Any) -> str:
    wanted = {"role": Membership.Role.EDITOR, **wanted}
    return invitations.link_of(invitations.invite(actor_of(user, team), team, **wanted), site="")


def is_member(email: str, team: Workspace) -> bool:
    return Membership.objects.filter(user__email=email, workspace=team).exists()


def main_of(response: Any) -> str:
    """Return the content of a page, without the header and the workspace switcher."""
    found: str = response.text.partition("<main")[2].partition("</main>")[0]
    return found


def test_a_new_user_creates_an_account_and_joins_the_team(
    client: Client, alice: User, team: Workspace
) -> None:
    address = link(alice, team)
    page = client.get(address)
    assert "Alice Ames" in page.text
    assert "Studio" in page.text
    assert client.post(address, NEW).headers["Location"] == "/w/studio/"
    assert client.get("/w/studio/").status_code == 200
    assert is_member("new@example.org", team)
    assert User.objects.get(email=NEW["email"]).personal_workspace.balance == 0


def test_an_invited_user_without_credits_starts_in_the_team(
    client: Client, alice: User, team: Workspace
) -> None:
    client.post(link(alice, team), NEW)
    browser = Client()  # This new browser remembers no workspace.
    browser.post("/accounts/login/", {"login": NEW["email"], "password": PASSWORD})
    assert browser.get("/").headers["Location"] == "/w/studio/"


def test_a_personal_workspace_without_credits_links_to_a_team_with_credits(
    client: Client, alice: User, team: Workspace
) -> None:
    client.post(link(alice, team), NEW)
    own = User.objects.get(email=NEW["email"]).personal_workspace
    for page in ("", "credits/"):
        assert 'href="/w/studio/"' in main_of(client.get(f"/w/{own.slug}/{page}"))
    credits.correct(None, team, amount=-400, reason="Spent")
    for page in ("", "credits/"):
        assert 'href="/w/studio/"' not in main_of(client.get(f"/w/{own.slug}/{page}"))


def test_a_viewer_is_sent_to_the_personal_workspace_only_if_it_has_credits(
    client: Client, alice: User, team: Workspace
) -> None:
    client.post(link(alice, team, role=Membership.Role.VIEWER), NEW)
    assert "Edit in your own workspace" not in client.get("/w/studio/").text
    own = User.objects.get(email=NEW["email"]).personal_workspace
    credits.grant(None, own, amount=40, reason="A gift")
    assert "Edit in your own workspace" in client.get("/w/studio/").text


def test_an_invited_user_can_set_up_two_factor_sign_in_without_a_mail_server(
    client: Client, alice: User, team: Workspace
) -> None:
    client.post(link(alice, team), NEW)
    browser = Client()
    browser.post("/accounts/login/", {"login": NEW["email"], "password": PASSWORD})
    assert browser.get("/accounts/2fa/totp/activate/").status_code == 200


def test_an_existing_user_returns_to_the_invitation_after_signing_in(
    client: Client, charlie: User, alice: User, team: Workspace
) -> None:
    address = link(alice, team)
    assert f"/accounts/login/?next={address.replace('/', '%2F')}" in client.get(address).text
    signed_in = client.post(
        "/accounts/login/", {"login": charlie.email, "password": PASSWORD, "next": address}
    )
    assert signed_in.headers["Location"] == address
    assert f"Join as {charlie.email}" in client.get(address).text
    assert not is_member(charlie.email, team), "opening the link does not make anyone a member"
    assert client.post(address).headers["Location"] == "/w/studio/"
    assert is_member(charlie.email, team)


def test_a_member_who_opens_the_invitation_again_gets_to_the_team(
    client_of: SignIn, charlie: User, alice: User, team: Workspace
) -> None:
    address, client = link(alice, team), client_of(charlie)
    client.post(address)
    for member in (client, client_of(alice)):
        assert member.get(address).headers["Location"] == "/w/studio/"
    team.memberships.filter(user=charlie).delete()
    assert client.get(address).status_code == 410


def test_with_a_mail_server_a_copied_link_does_not_verify_the_email(
    client: Client, alice: User, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL, settings.ACCOUNT_EMAIL_VERIFICATION = "smtp://mail.example.org", "mandatory"
    answer = client.post(link(alice, team), NEW)
    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert client.get("/w/studio/").status_code == 302, (
        "the user is not signed in until the address is confirmed"
    )
    confirm = next(word for word in mail.outbox[0].body.split() if "/accounts/confirm-email/" in word)
    client.post(confirm[confirm.index("/accounts") :])
    assert EmailAddress.objects.get(email=NEW["email"]).verified
    own = User.objects.get(email=NEW["email"]).personal_workspace
    assert own.balance == 0, "an invited account gets no credits, even after its address is verified"
    client.post("/accounts/login/", {"login": NEW["email"], "password": PASSWORD})
    assert client.get("/w/studio/").status_code == 200


def test_an_email_that_an_invited_account_uses_cannot_be_confirmed_by_another(
    client: Client, alice: User, client_of: SignIn, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL, settings.ACCOUNT_EMAIL_VERIFICATION = "smtp://mail.example.org", "mandatory"
    of_alice = client_of(alice)
    of_alice.post("/accounts/email/", {"action_add": "", "email": NEW["email"]})
    client.post(link(alice, team), NEW)
    confirm = next(word for word in mail.outbox[0].body.split() if "/accounts/confirm-email/" in word)
    answer = of_alice.post(confirm[confirm.index("/accounts") :], follow=True)
    assert answer.status_code == 200
    assert "new@example.org belongs to another account." in answer.text
    alice.refresh_from_db()
    assert alice.email == EmailAddress.objects.get(user=alice, primary=True).email == "alice@example.org"
    assert not EmailAddress.objects.filter(email=NEW["email"], verified=True).exists()


def test_an_emailed_link_verifies_its_email(
    client: Client, alice: User, client_of: SignIn, team: Workspace, settings: Any
) -> None:
    settings.EMAIL_URL, settings.ACCOUNT_EMAIL_VERIFICATION = "smtp://mail.example.org", "mandatory"
    wanted = {"email": NEW["email"], "role": "viewer", "days": "7", "uses": "1"}
    page = client_of(alice)
    assert page.post("/w/studio/invitations/", wanted).status_code == 302
    mailed = next(word for word in mail.outbox[0].body.split() if "/join/" in word)
    address = mailed[mailed.index("/join/") :]
    message = mail.outbox[0]
    assert isinstance(message, EmailMultiAlternatives)
    assert "Join the team</a>" in str(message.alternatives[0][0])
    assert address not in page.get("/w/studio/members/").text
    assert client.post(address, NEW | {"email": "other@example.org"}).status_code == 422
    assert client.post(address, NEW).headers["Location"] == "/w/studio/"
    assert client.get("/w/studio/").status_code == 200


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "This field is required"),
        (NEW | {"email": "no address"}, "valid email"),
        (NEW | {"email": "a\x00@example.org"}, "Null characters"),
        (NEW | {"password": "short"}, "too short"),
        (NEW | {"email": "Bob@example.org"}, "An account with this address already exists"),
    ],
)
def test_invalid_input_gets_an_error_message_and_does_not_use_the_invitation(
    client: Client, alice: User, team: Workspace, given: dict[str, str], sentence: str
) -> None:
    answer = client.post(link(alice, team), given)
    assert answer.status_code == 422
    assert sentence.lower() in answer.text.lower()
    assert Invitation.objects.get().used == 0


def test_an_invitation_for_someone_else_is_refused(
    client_of: SignIn, alice: User, charlie: User, team: Workspace
) -> None:
    address = link(alice, team, email="new@example.org")
    client = client_of(charlie)
    assert "you're signed in as" in client.get(address).text
    assert client.post(address).status_code == 403
    assert not is_member(charlie.email, team)


@pytest.mark.parametrize("token", ["x", "x" * 43, "%00", "x" * 3000])
def test_an_unknown_link_returns_410(client: Client, token: str) -> None:
    for answer in (client.get(f"/join/{token}/"), client.post(f"/join/{token}/", NEW)):
        assert answer.status_code == 410
        assert "Ask the person who sent it" in answer.text


@pytest.mark.usefixtures("new_minute")
def test_too_many_wrong_links_return_429(client: Client, alice: User, team: Workspace) -> None:
    for number in range(invitations.FAILURES_PER_MINUTE + 1):
        client.get(f"/join/wrong{number}/")
    answer = client.get(link(alice, team))
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "60"


def test_the_page_is_not_cached_and_does_not_reveal_the_link_to_other_sites(
    client: Client, alice: User, team: Workspace
) -> None:
    answer = client.get(link(alice, team))
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_site_with_closed_sign_up_creates_no_accounts(
    client: Client, alice: User, team: Workspace, settings: Any
) -> None:
    settings.SIGNUP = "closed"
    address = link(alice, team)
    assert "doesn't accept new accounts" in client.get(address).text
    assert client.post(address, NEW).status_code == 422
    assert not User.objects.filter(email=NEW["email"]).exists()
