"""Tests for a team's members page, and for the pages on which teams are created and renamed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from editor.models import Invitation, Membership, User, Workspace
from editor.services.library import recipes
from editor.services.people import accounts, invitations
from editor.services.sharing import shares
from tests.cast import actor_of, make_edit

pytestmark = pytest.mark.django_db
type SignIn = Callable[..., Client]
INVITATION = {"email": "", "role": "editor", "days": "7", "uses": "1"}


def role_of(user: User, team: Workspace) -> str | None:
    return Membership.objects.filter(user=user, workspace=team).values_list("role", flat=True).first()


def test_creating_a_team_redirects_to_its_members_page(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    assert (
        client.post("/teams/new/", {"name": "Halden Studio"}).headers["Location"]
        == "/w/halden-studio/members/"
    )
    page = client.get("/w/halden-studio/members/")
    assert "Halden Studio" in page.text
    assert "1 person" in page.text


def test_the_buttons_of_open_invitations_have_different_names(
    client_of: SignIn, alice: User, team: Workspace
) -> None:
    for email in ("nora@example.org", "otto@example.org", "", ""):
        invitations.invite(actor_of(alice, team), team, role=invitations.Role.EDITOR, email=email)
    page = client_of(alice).get("/w/studio/members/").text
    buttons = re.findall(r'data-copy="[^"]*" aria-label="([^"]*)"', page)
    names = [" ".join(name.split()) for name in buttons]
    assert len(set(names)) == 4
    assert {"Copy the link for nora@example.org", "Copy the link for otto@example.org"} < set(names)


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u2060", "x" * 61, "a\x00b"])
def test_a_team_needs_a_name(client_of: SignIn, alice: User, team: Workspace, name: str) -> None:
    client = client_of(alice)
    for address in ("/teams/new/", "/w/studio/settings/name/"):
        assert client.post(address, {"name": name}).status_code == 422
    assert list(Workspace.objects.filter(personal_user=None).values_list("name", flat=True)) == ["Studio"]


def test_the_workspace_switcher_lists_only_available_workspaces_and_actions(
    client_of: SignIn, alice: User, bob: User, team: Workspace, settings: Any
) -> None:
    page = client_of(bob).get("/w/studio/").text
    assert 'href="/w/bob/"' in page
    assert 'href="/w/studio/"' in page
    assert "/w/alice/" not in page
    assert "/teams/new/" in page
    settings.TEAMS_BY = "staff"
    assert "/teams/new/" not in client_of(bob).get("/w/studio/").text
    assert client_of(bob).get("/teams/new/").status_code == 403


def test_the_members_page_of_a_personal_workspace_offers_a_new_team(client_of: SignIn, alice: User) -> None:
    page = client_of(alice).get("/w/alice/members/")
    assert "This workspace is just for you" in page.text
    assert "/teams/new/" in page.text
    assert client_of(alice).post("/w/alice/invitations/", INVITATION).status_code == 404
    assert client_of(alice).get("/w/alice/members/leave/").status_code == 404


def test_an_invitation_is_made_copied_and_revoked(client_of: SignIn, alice: User, team: Workspace) -> None:
    client = client_of(alice)
    there = client.post("/w/studio/invitations/", INVITATION | {"uses": "5"}).headers["Location"]
    assert there == "/w/studio/members/#pending", "the page is scrolled to the new link"
    invitation = Invitation.objects.get()
    page = client.get(there).text
    assert 'id="pending"' in page
    assert "http://testserver/join/" in page
    assert "0 of 5 used" in page
    client.post(f"/w/studio/invitations/{invitation.pk}/revoke/")
    assert "/join/" not in client.get("/w/studio/members/").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"email": "no address"},
        {"role": "owner"},
        {"role": ""},
        {"days": "365"},
        {"uses": "0"},
        {"uses": "9" * 30},
        {"uses": "2", "role": "admin"},
        {"uses": "2", "days": "30"},
        {"email": "bob@example.org"},
        {"email": "a\x00@example.org"},
    ],
)
def test_an_invalid_invitation_gets_an_error_message(
    client_of: SignIn, alice: User, team: Workspace, wrong: dict[str, str]
) -> None:
    answer = client_of(alice).post("/w/studio/invitations/", INVITATION | wrong)
    assert answer.status_code == 422
    assert 'class="error' in answer.text
    assert not Invitation.objects.exists()


def test_only_an_owner_or_admin_can_change_roles_and_the_last_owner_stays(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    address = f"/w/studio/members/{bob.pk}/role/"
    client_of(alice).post(address, {"role": "admin"})
    assert role_of(bob, team) == "admin"
    for role in ("", "boss", "\x00"):
        client_of(alice).post(address, {"role": role})
        assert role_of(bob, team) == "admin"
    assert client_of(bob).post(f"/w/studio/members/{alice.pk}/role/", {"role": "viewer"}).status_code == 403
    client_of(alice).post(f"/w/studio/members/{alice.pk}/role/", {"role": "viewer"})
    assert role_of(alice, team) == "owner", "the last owner remains the owner"


def test_an_admin_cannot_change_owners(client_of: SignIn, alice: User, bob: User, team: Workspace) -> None:
    Membership.objects.filter(user=bob, workspace=team).update(role="admin")
    page = client_of(bob).get("/w/studio/members/").text
    assert 'value="owner"' not in page
    assert f"/members/{alice.pk}/" not in page
    assert "hand-over" not in page


def test_a_viewer_sees_the_members_but_no_forms(client_of: SignIn, viewer: User, team: Workspace) -> None:
    page = client_of(viewer).get("/w/studio/members/").text
    assert "alice@example.org" in page
    assert "/invitations/" not in page
    assert "/role/" not in page


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("members/", "page"),
        *((f"{name}/", "true") for name in ("credits", "keys", "usage", "webhooks", "trash", "settings")),
        ("settings/retention/", "true"),
        ("members/hand-over/", "true"),
        ("recipes/", None),
    ],
)
def test_team_is_marked_on_all_pages_of_the_team(
    client_of: SignIn, alice: User, team: Workspace, path: str, marked: str | None
) -> None:
    assert team_mark(client_of(alice).get(f"/w/studio/{path}")) == marked


def test_team_is_not_marked_on_the_page_of_an_edit(client_of: SignIn, alice: User, team: Workspace) -> None:
    """The name of this page, "edit", is a part of "credits"."""
    edit = make_edit(alice, workspace=team)
    assert team_mark(client_of(alice).get(f"/edits/{edit.pk}/")) is None


def team_mark(page: Any) -> str | None:
    """Return how the header marks its link to the team: "page" for the current page, or None."""
    header = page.text.partition('class="bar__nav"')[2].partition("</nav>")[0]
    [mark] = re.findall(r'href="/w/studio/members/"(?:\s*aria-current="(\w+)")?', header)
    return mark or None


def test_the_page_lists_the_consequences_before_a_member_is_removed(
    client_of: SignIn, alice: User, bob: User, team: Workspace, settings: Any
) -> None:
    settings.TRASH_DAYS = 7
    make_edit(bob, workspace=team)
    make_edit(bob, workspace=team, state="RUNNING")
    accounts.create_api_key(actor_of(bob, team), name="Script")
    shares.share(actor_of(bob, team), make_edit(bob, workspace=team))
    recipes.save_recipe(actor_of(bob, team), recipes.RecipeInput(name="Suit", prompt="warmer"))
    client, address = client_of(alice), f"/w/studio/members/{bob.pk}/remove/"
    page = client.get(address).text
    assert "1 is still running and will finish" in page
    assert "go to the trash for 7 days" in page
    assert "API keys that stop working: 1." in page
    assert "Guest links that stop working: 1." in page
    assert "Private recipes that are deleted: 1." in page
    assert role_of(bob, team) == "editor"
    assert client.post(address).headers["Location"] == "/w/studio/members/"
    assert role_of(bob, team) is None
    assert client_of(bob).get("/w/studio/").status_code == 404


@pytest.mark.parametrize("path", ["credits", "members/{}/remove", "members/hand-over", "usage"])
def test_the_pages_of_a_team_show_people_by_name_and_address(
    client_of: SignIn, alice: User, bob: User, team: Workspace, path: str
) -> None:
    User.objects.filter(pk=bob.pk).update(name="Bob Berg")
    make_edit(bob, workspace=team, finished=timezone.now())
    page = client_of(alice).get(f"/w/studio/{path.format(bob.pk)}/").text
    assert "Bob Berg (bob@example.org)" in page


def test_a_demotion_says_how_many_guest_links_and_invitations_it_ends(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    Membership.objects.filter(user=bob, workspace=team).update(role="admin")
    invitations.invite(actor_of(bob, team), team, role=Membership.Role.EDITOR)
    for _ in range(2):
        shares.share(actor_of(bob, team), make_edit(bob, workspace=team))
    address, client = f"/w/studio/members/{bob.pk}/role/", client_of(alice)
    page = client.post(address, {"role": "viewer"}, follow=True).text
    assert "is now a viewer. 2 guest links stopped working. 1 open invitation was revoked." in page
    page = client.post(address, {"role": "editor"}, follow=True).text
    assert "is now an editor." in page
    assert "stopped working" not in page


def test_leaving_a_team_redirects_home_but_the_only_owner_cannot_leave(
    client_of: SignIn, bob: User, alice: User, team: Workspace
) -> None:
    client = client_of(bob)
    client.get("/w/studio/members/leave/")
    assert client.post("/w/studio/members/leave/", follow=True).redirect_chain[-1][0] == "/w/bob/"
    answer = client_of(alice).post("/w/studio/members/leave/")
    assert answer.status_code == 422
    assert "A team needs an owner" in answer.text


def test_the_only_owner_can_hand_over_the_team_but_not_leave_it(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    client, hand_over = client_of(alice), 'href="/w/studio/members/hand-over/"'
    assert hand_over in client.get("/w/studio/members/").text
    page = client.get("/w/studio/members/leave/").text
    assert hand_over in page
    assert 'type="submit">Leave' not in page
    Membership.objects.filter(user=bob).update(role="owner")
    page = client.get("/w/studio/members/leave/").text
    assert hand_over not in page
    assert 'type="submit">Leave' in page


def test_the_only_member_can_invite_someone_or_close_the_team(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    team.memberships.exclude(user=alice).delete()
    client = client_of(alice)
    assert "hand-over" not in client.get("/w/studio/members/").text
    page = client.get("/w/studio/members/leave/").text
    assert "there is nobody to hand the team over to" in page
    assert 'href="/w/studio/settings/close/"' in page
    assert "hand-over" not in page
    assert 'type="submit">Leave' not in page


@pytest.mark.parametrize("chosen", ["", "0", "nobody", "9" * 40, "\x00", "²"])
def test_a_team_can_be_handed_over_only_to_another_member(
    client_of: SignIn, alice: User, charlie: User, team: Workspace, chosen: str
) -> None:
    for member in (chosen, str(charlie.pk), str(alice.pk)):
        assert client_of(alice).post("/w/studio/members/hand-over/", {"member": member}).status_code == 422
    assert role_of(alice, team) == "owner"


def test_a_team_is_handed_over(client_of: SignIn, alice: User, bob: User, team: Workspace) -> None:
    client_of(alice).post("/w/studio/members/hand-over/", {"member": str(bob.pk)})
    assert (role_of(alice, team), role_of(bob, team)) == ("admin", "owner")


def test_a_team_cannot_be_handed_over_to_an_inactive_account(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    client = client_of(alice)
    assert client.post("/w/studio/members/hand-over/", {"member": str(bob.pk)}).status_code == 422
    assert "bob@example.org" not in client.get("/w/studio/members/hand-over/").text
    assert role_of(alice, team) == "owner"


@pytest.mark.parametrize("number", ["9" * 18, "9" * 30])
@pytest.mark.parametrize("what", ["members/{}/role", "members/{}/remove", "invitations/{}/revoke"])
def test_an_unknown_member_or_invitation_returns_404(
    client_of: SignIn, alice: User, team: Workspace, what: str, number: str
) -> None:
    address = f"/w/studio/{what.format(number)}/"
    assert client_of(alice).post(address, {"role": "editor"}).status_code == 404


def test_the_account_page_lists_the_users_teams(client_of: SignIn, bob: User, team: Workspace) -> None:
    page = client_of(bob).get("/account/").text
    assert "/w/studio/members/leave/" in page
    assert "Editor" in page
    assert "/w/bob/members/leave/" not in page


def test_a_team_beyond_the_limit_is_refused_with_a_message(
    client_of: SignIn, alice: User, settings: Any
) -> None:
    settings.TEAMS_PER_USER = 1
    client = client_of(alice)
    assert client.post("/teams/new/", {"name": "Studio"}).status_code == 302
    answer = client.post("/teams/new/", {"name": "Second studio"})
    assert answer.status_code == 422
    assert "which is the maximum" in answer.text
    assert 'value="Second studio"' in answer.text
    assert Workspace.objects.filter(personal_user=None).count() == 1


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ("INVITATIONS_PER_USER", "You have reached today&#x27;s limit of 1 invitations by email."),
        ("INVITATIONS_PER_TEAM", "This team has reached today&#x27;s limit of 1 invitations by email."),
        (
            "INVITATIONS_PER_ADDRESS",
            "Today&#x27;s limit of 1 invitations to new@example.org is reached.",
        ),
    ],
)
def test_an_invitation_beyond_a_limit_is_not_emailed_and_a_link_is_suggested(
    client_of: SignIn, alice: User, team: Workspace, settings: Any, limit: str, sentence: str
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    setattr(settings, limit, 1)
    client = client_of(alice)
    first, second = (
        client.post("/w/studio/invitations/", INVITATION | {"email": "new@example.org"}) for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (302, 422)
    assert sentence in second.text
    assert "Leave the address empty and copy the link" in second.text
    assert len(mail.outbox) == Invitation.objects.count() == 1
    assert client.post("/w/studio/invitations/", INVITATION).status_code == 302
