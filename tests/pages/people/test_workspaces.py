"""Tests that every page uses the workspace in its URL and shows nothing from other workspaces."""

from collections.abc import Callable

import pytest
from django.test import Client

from editor.models import DraftPhoto, Edit, Membership, User, Workspace
from editor.services.photos import drafts, photos
from tests import cast

pytestmark = pytest.mark.django_db
type SignIn = Callable[..., Client]


@pytest.fixture
def other_team(alice: User) -> Workspace:
    return cast.make_workspace(alice, name="Agency")


def test_the_start_page_redirects_to_the_personal_workspace_at_first(client_of: SignIn, alice: User) -> None:
    assert client_of(alice).get("/").headers["Location"] == "/w/alice/"


def test_the_start_leads_to_the_workspace_used_last(client_of: SignIn, alice: User, team: Workspace) -> None:
    client = client_of(alice)
    client.get("/w/studio/history/")
    assert client.get("/").headers["Location"] == "/w/studio/"
    client.get(f"/edits/{cast.make_edit(alice).id}/")
    assert client.get("/").headers["Location"] == "/w/alice/"


def test_a_workspace_that_the_user_has_left_is_no_longer_used(
    client_of: SignIn, bob: User, team: Workspace
) -> None:
    client = client_of(bob)
    client.get("/w/studio/")
    Membership.objects.get(user=bob, workspace=team).delete()
    assert client.get("/").headers["Location"] == "/w/bob/"


@pytest.mark.parametrize("slug", ["charlie", "no-such-place", "studio\x00", "../alice"])
def test_a_forged_workspace_cookie_redirects_to_the_personal_workspace(
    client_of: SignIn, alice: User, charlie: User, slug: str
) -> None:
    client = client_of(alice)
    client.cookies["workspace"] = slug
    assert client.get("/").headers["Location"] == "/w/alice/"
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/history/?q=sky", "/w/alice/history/?q=sky"),
        ("/credits/", "/w/alice/credits/"),
        ("/account/keys/", "/w/alice/keys/"),
        ("/account/webhooks/", "/w/alice/webhooks/"),
        ("/?draft=1", "/w/alice/?draft=1"),
    ],
)
def test_an_old_url_redirects_to_the_new_one(client_of: SignIn, alice: User, old: str, new: str) -> None:
    assert client_of(alice).get(old).headers["Location"] == new


def test_two_tabs_work_in_two_teams(
    client_of: SignIn, alice: User, team: Workspace, other_team: Workspace
) -> None:
    client = client_of(alice)
    for slug in ("studio", "agency"):
        client.post(f"/w/{slug}/drafts/", {"photo": cast.photo_file(f"{slug}.jpg")})
    for slug in ("studio", "agency"):
        draft = DraftPhoto.objects.get(name=f"{slug}.jpg")
        page = client.get(f"/w/{slug}/")
        assert [shown.id for shown in page.context["tray"].drafts] == [draft.id]
        client.post(f"/w/{slug}/", {"prompt": "black and white", "draft": str(draft.id)})
    made = Edit.objects.order_by("id").values_list("workspace__slug", "references__name")
    assert list(made) == [("studio", "studio.jpg"), ("agency", "agency.jpg")]
    for workspace in (team, other_team):
        workspace.refresh_from_db()
        assert workspace.held == 40
        cast.assert_ledger_balances(workspace)


def test_a_draft_of_one_team_cannot_be_used_in_another(
    client_of: SignIn, alice: User, team: Workspace, other_team: Workspace
) -> None:
    draft = drafts.create_draft(cast.actor_of(alice, team), cast.photo_file(), name="secret.jpg")
    client = client_of(alice)
    response = client.post("/w/agency/", {"prompt": "black and white", "draft": str(draft.id)})
    assert response.status_code == 422
    assert "secret.jpg" not in client.get(f"/w/agency/?draft={draft.id}").text
    assert client.post(f"/w/agency/drafts/{draft.id}/remove/").status_code == 404
    assert not Edit.objects.exists()


@pytest.fixture
def made_in_team(alice: User, team: Workspace) -> Edit:
    kept = drafts.create_draft(cast.actor_of(alice, team), cast.photo_file(), name="a.jpg")
    edit = cast.make_edit(
        alice, workspace=team, references=[photos.copy_files(kept)], results=[photos.copy_files(kept)]
    )
    drafts.discard(cast.actor_of(alice, team), kept.id)
    return edit


@pytest.mark.parametrize("action", ["revise", "results/1/further"])
def test_revising_or_continuing_an_edit_stays_in_its_workspace(
    client_of: SignIn, bob: User, made_in_team: Edit, action: str
) -> None:
    response = client_of(bob).post(f"/edits/{made_in_team.id}/{action}/")
    assert response.headers["Location"].startswith("/w/studio/?")
    assert DraftPhoto.objects.get().workspace.slug == "studio"


def test_a_result_can_be_copied_to_another_workspace_without_its_parent(
    client_of: SignIn, bob: User, made_in_team: Edit
) -> None:
    response = client_of(bob).post(f"/edits/{made_in_team.id}/results/1/take/", {"workspace": "bob"})
    draft = DraftPhoto.objects.get()
    assert response.headers["Location"] == f"/w/bob/?draft={draft.id}"
    assert (draft.workspace.slug, draft.parent) == ("bob", None)


def test_a_result_can_be_copied_only_to_workspaces_where_the_user_is_an_editor(
    client_of: SignIn, bob: User, charlie: User, made_in_team: Edit
) -> None:
    agency = cast.make_workspace(charlie, name="Agency")
    cast.join(agency, bob, Membership.Role.VIEWER)
    page = client_of(bob).get(f"/edits/{made_in_team.id}/")
    assert list(page.context["elsewhere"]) == [bob.personal_workspace]
    assert '<option value="bob">Personal</option>' in page.text


@pytest.mark.parametrize("slug", ["charlie", "", "no-such-place", "charlie\x00"])
def test_a_result_cannot_be_copied_to_a_strangers_workspace(
    client_of: SignIn, bob: User, charlie: User, made_in_team: Edit, slug: str
) -> None:
    answer = client_of(bob).post(f"/edits/{made_in_team.id}/results/1/take/", {"workspace": slug})
    assert answer.status_code == 404
    assert not DraftPhoto.objects.exists()


def test_a_new_slug_reveals_nothing_about_the_user(alice: User) -> None:
    slugs = {Workspace.objects.create(name="new.person@example.org").slug for _ in range(50)}
    assert len(slugs) == 50
    assert all(len(slug) == 10 and "person" not in slug for slug in slugs)


def test_a_slug_stays_when_the_name_changes(team: Workspace) -> None:
    team.name = "Another name"
    team.save()
    assert Workspace.objects.get(pk=team.pk).slug == "studio"
