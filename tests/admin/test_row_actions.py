"""Tests for the admin actions on edits: their confirmation pages, reasons, changed rows, credits, and log."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from editor.models import AuditEntry, Edit, User, Workspace
from editor.services.core.access import reviewer_actor
from editor.services.editing import lifecycle
from editor.services.maintenance import trash
from editor.services.photos import drafts, photos
from tests.cast import actor_of, assert_ledger_balances, join, make_edit, make_user, photo_file

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
LIST = "/admin/editor/edit/"
REASON = "The engine is being replaced."


def page_of(verb: str, *edits: Edit) -> str:
    rows = "&".join(f"row={edit.pk}" for edit in edits)
    return f"{LIST}do/{verb}/?{rows}"


def sent(*edits: Edit, reason: str = REASON, token: str = "", **more: Any) -> dict[str, Any]:
    """Return the fields of an action's confirmation page.

    Without a token, the fields are the same as on a newly opened page.
    """
    rows = [str(edit.pk) for edit in edits]
    return {"row": rows, "reason": reason, "token": token or str(uuid.uuid4()), **more}


def do(client: Client, verb: str, *edits: Edit, **more: Any) -> Any:
    return client.post(f"{LIST}do/{verb}/", sent(*edits, **more), follow=True)


def recorded() -> list[tuple[str, str, str, str]]:
    """Return the admin's entries in the audit log, oldest first."""
    entries = AuditEntry.objects.filter(door="admin").order_by("id")
    return [(entry.action, str(entry.user), entry.subject_id, entry.reason) for entry in entries]


def kept_edit(owner: User, workspace: Workspace, **fields: Any) -> Edit:
    draft = drafts.create_draft(actor_of(owner, workspace), photo_file(), name="a.jpg")
    return make_edit(owner, workspace=workspace, references=[photos.copy_files(draft)], **fields)


def limited(*codenames: str) -> User:
    user = make_user("limited@example.org", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def test_an_action_in_the_list_leads_to_a_confirmation_page(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    edits = [make_edit(alice, workspace=team, state=state) for state in ("QUEUED", "SUCCESS")]
    chosen = {"action": "cancel", "_selected_action": [str(edit.pk) for edit in edits]}
    response = client_of(staff).post(LIST, chosen)
    assert response.headers["Location"] == page_of("cancel", *edits)
    page = client_of(staff).get(page_of("cancel", *edits)).text
    assert "The credits held for it are released" in page
    assert "This edit has already ended." in page
    assert Edit.objects.filter(state="CANCELLED").count() == 0


def test_cancelling_reports_the_number_and_releases_the_credits(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    edits = [make_edit(alice, workspace=team, state=state) for state in ("QUEUED", "RUNNING", "SUCCESS")]
    page = do(client_of(staff), "cancel", *edits).text
    assert "2 cancelled." in page
    assert "This edit has already ended." in page
    assert [Edit.objects.get(pk=edit.pk).state for edit in edits] == ["CANCELLED", "CANCELLED", "SUCCESS"]
    assert_ledger_balances(team)
    team.refresh_from_db()
    assert team.held == 0
    message = Edit.objects.get(pk=edits[0].pk).failure_message
    assert message == f"An administrator cancelled this edit. You were not charged. {REASON}"
    assert recorded() == [("edit_cancelled", str(staff), str(edit.pk), REASON) for edit in edits[:2]]


@pytest.mark.parametrize("verb", ["cancel", "retry", "hide", "show", "delete"])
def test_every_action_requires_a_reason_and_a_complete_form(
    client_of: SignIn, alice: User, team: Workspace, staff: User, verb: str
) -> None:
    edit = make_edit(alice, workspace=team, state="RUNNING" if verb == "cancel" else "SUCCESS")
    if verb == "show":
        trash.hide(reviewer_actor(staff, team), edit, reason="x")
    before = Edit.objects.filter(pk=edit.pk).values().get()
    entries = AuditEntry.objects.count()
    client = client_of(staff)
    for wrong in ({"reason": " "}, {"reason": "\u200b"}, {"reason": "x" * 301}, {"token": "nonsense"}):
        response = client.post(f"{LIST}do/{verb}/", sent(edit) | wrong)
        assert response.status_code == 422
    assert "Enter a reason." in client.post(f"{LIST}do/{verb}/", sent(edit, reason="")).text
    assert Edit.objects.filter(pk=edit.pk).values().get() == before
    assert (Edit.objects.count(), AuditEntry.objects.count()) == (1, entries)


@pytest.mark.parametrize("verb", ["cancel", "retry", "hide", "show", "delete", "nonsense"])
def test_every_action_requires_its_permission_and_an_existing_row(
    client_of: SignIn, alice: User, team: Workspace, staff: User, verb: str
) -> None:
    edit = make_edit(alice, workspace=team, state="RUNNING")
    client = client_of(limited("view_edit"))
    refused = 404 if verb == "nonsense" else 403
    assert client.get(page_of(verb, edit)).status_code == refused
    assert client.post(f"{LIST}do/{verb}/", sent(edit)).status_code == refused
    assert f"/do/{verb}/" not in client.get(f"{LIST}{edit.pk}/change/").text
    for rows in ("", "?row=nonsense", "?row=%00", f"?row={uuid.uuid4()}"):
        assert client_of(staff).get(f"{LIST}do/{verb}/{rows}").status_code == 404
    edit.refresh_from_db()
    assert edit.state == "RUNNING"


def test_a_retry_is_paid_by_the_workspace_and_made_only_once(
    client_of: SignIn, bob: User, team: Workspace, staff: User
) -> None:
    edit = kept_edit(bob, team, state="FAILED")
    client, token = client_of(staff), str(uuid.uuid4())
    assert "The workspace pays" in client.get(page_of("retry", edit)).text
    assert "1 tried again." in do(client, "retry", edit, token=token).text
    assert "Skipped 1: already tried again." in do(client, "retry", edit, token=token).text
    [retried] = Edit.objects.exclude(pk=edit.pk)
    assert (retried.owner, retried.workspace, retried.source, retried.price) == (bob, team, "admin", 40)
    assert retried.prompt == edit.prompt
    team.refresh_from_db()
    assert team.held == 40
    assert_ledger_balances(team)
    assert recorded() == [("edit_retried", str(staff), str(edit.pk), REASON)]
    assert AuditEntry.objects.get(action="edit_retried").detail == {"edit": str(retried.pk)}


def test_a_refused_retry_does_not_quote_a_private_prompt(client_of: SignIn, bob: User, staff: User) -> None:
    edit = kept_edit(bob, bob.personal_workspace, state="FAILED", prompt="frobnicate my secret diary")
    page = do(client_of(staff), "retry", edit).text
    assert "The current engine can&#x27;t do what this edit needs." in page
    assert "diary" not in page
    assert recorded() == []


def test_a_retry_is_refused_if_the_owner_is_a_viewer_or_has_left(
    client_of: SignIn, bob: User, team: Workspace, staff: User
) -> None:
    edit, membership = kept_edit(bob, team, state="FAILED"), team.memberships.get(user=bob)
    membership.role = "viewer"
    membership.save()
    assert "1 tried again." not in do(client_of(staff), "retry", edit).text
    membership.delete()
    assert "Its owner has left the workspace" in do(client_of(staff), "retry", edit).text
    assert Edit.objects.count() == 1
    assert recorded() == []


def test_a_retry_is_refused_if_the_workspace_cannot_pay(
    client_of: SignIn, bob: User, team: Workspace, staff: User
) -> None:
    edit = kept_edit(bob, team, state="FAILED")
    Workspace.objects.filter(pk=team.pk).update(balance=0, held=0)
    assert (
        "Insufficient credits. The edit&#x27;s workspace would pay for it."
        in do(client_of(staff), "retry", edit).text
    )
    assert Edit.objects.count() == 1
    assert recorded() == []


def test_only_staff_see_a_hidden_edit_and_its_owner_sees_the_reason(
    client_of: SignIn, alice: User, bob: User, team: Workspace, staff: User
) -> None:
    edit = kept_edit(bob, team)
    photo = edit.references.all()[0]
    assert "1 hidden." in do(client_of(staff), "hide", edit, reason="A stranger's face").text
    for person in (alice, bob):
        client = client_of(person)
        assert client.get(f"/media/references/{photo.pk}/360/").status_code == 404
        assert str(edit.pk) not in client.get(f"/w/{team.slug}/history/").text
        assert str(edit.pk) not in client.get(f"/w/{team.slug}/trash/").text
        assert client.get(f"/edits/{edit.pk}/zip/").status_code == (403 if person == bob else 404)
        assert client.post(f"/edits/{edit.pk}/restore/").status_code == (403 if person == bob else 404)
    owner_sees = client_of(bob).get(f"/edits/{edit.pk}/")
    assert owner_sees.status_code == 403
    assert "A stranger&#x27;s face" in owner_sees.text
    assert "A stranger&#x27;s face" in client_of(bob).get("/account/").text
    assert "A stranger" not in client_of(alice).get("/account/").text
    seen: Any = client_of(staff).get(f"{LIST}photo/references/{photo.pk}/360/")
    assert b"".join(seen.streaming_content)
    assert client_of(staff).get(f"{LIST}?place=hidden").context["cl"].result_count == 1


def test_hiding_and_showing_an_edit_restores_its_previous_place(
    client_of: SignIn, bob: User, team: Workspace, staff: User
) -> None:
    shown, deleted = make_edit(bob, workspace=team), make_edit(bob, workspace=team)
    trash.delete(actor_of(bob, team), deleted)
    deleted.refresh_from_db()
    do(client_of(staff), "hide", shown, deleted)
    assert not Edit.objects.in_trash().exists()
    Edit.objects.filter(pk=shown.pk).update(purge_due=timezone.now())
    assert trash.purge_all_due() == 0, "hidden edits are kept"
    assert "2 shown again." in do(client_of(staff), "show", shown, deleted).text
    after = {edit.pk: edit for edit in Edit.objects.all()}
    assert after[shown.pk].trashed is None
    assert after[shown.pk].purge_due is None
    assert after[deleted.pk].trashed == deleted.trashed
    assert set(Edit.objects.in_trash()) == {deleted}
    assert [entry[0] for entry in recorded()] == ["edit_hidden"] * 2 + ["edit_shown"] * 2
    assert_ledger_balances(team)


def test_a_running_edit_cannot_be_hidden(client_of: SignIn, bob: User, team: Workspace, staff: User) -> None:
    edit = make_edit(bob, workspace=team, state="RUNNING")
    assert "Cancel it first" in client_of(staff).get(page_of("hide", edit)).text
    assert "Cancel it first" in do(client_of(staff), "hide", edit).text
    edit.refresh_from_db()
    assert edit.hidden is None


def test_deleting_moves_an_edit_to_the_trash(
    client_of: SignIn, bob: User, team: Workspace, staff: User
) -> None:
    edit = make_edit(bob, workspace=team)
    do(client_of(staff), "delete", edit)
    edit.refresh_from_db()
    assert edit.trashed is not None
    assert edit.trashed_by == staff
    assert "already in the trash" in do(client_of(staff), "delete", edit).text
    assert recorded() == [("edit_deleted", str(staff), str(edit.pk), REASON)]


def test_an_action_redirects_only_to_urls_of_this_site(
    client_of: SignIn, bob: User, team: Workspace, staff: User
) -> None:
    edit = make_edit(bob, workspace=team)
    client = client_of(staff)
    page = f"{LIST}{edit.pk}/change/"
    for requested, leads in (("/admin/", "/admin/"), ("https://evil.example/", page), ("no-address", page)):
        response = client.post(f"{LIST}do/delete/", sent(edit, next=requested))
        assert response.headers["Location"] == leads


def test_a_worker_records_when_an_edit_is_sent(alice: User, team: Workspace, tmp_path: Path) -> None:
    edit = kept_edit(alice, team, state="QUEUED", plan=None)
    join(team, make_user("another@example.org"))
    lifecycle.advance.call(str(edit.pk))
    edit.refresh_from_db()
    assert edit.sent is not None
    assert edit.created <= edit.sent
