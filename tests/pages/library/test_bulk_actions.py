"""Tests for actions on several edits that are selected in the history."""

import csv
import io
import uuid
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import Batch, DraftPhoto, Edit, Favorite, Share, User, Workspace
from editor.services.billing import credits
from editor.services.photos import drafts, photos
from editor.services.sharing import shares
from tests.cast import actor_of, assert_ledger_balances, make_edit, photo_file

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
HISTORY = "/w/alice/history/"


def stored(user: User, **columns: Any) -> Edit:
    """Create an edit with stored files."""
    draft = drafts.create_draft(actor_of(user), photo_file(), name="a.jpg")
    return make_edit(
        user, references=[photos.copy_files(draft)], results=[photos.copy_files(draft)], **columns
    )


def test_the_zip_contains_the_selected_results_and_a_manifest(client_of: SignIn, alice: User) -> None:
    edits = [stored(alice, prompt=f"make it {tone}") for tone in ("warmer", "sepia")]
    failed = make_edit(alice, state="FAILED")
    chosen = [edit.pk for edit in (*edits, failed)]
    response: Any = client_of(alice).post(f"{HISTORY}zip/", {"edit": chosen})
    folder = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert folder.testzip() is None
    pictures = [name for name in folder.namelist() if name != "manifest.csv"]
    assert pictures == ["photo-1-make-it-sepia.jpg", "photo-1-make-it-warmer.jpg"]
    rows = list(csv.DictReader(io.StringIO(folder.read("manifest.csv").decode())))
    assert [row["status"] for row in rows] == ["Failed", "Finished", "Finished"]


def test_the_manifest_gives_the_charges_less_refunds(client_of: SignIn, alice: User) -> None:
    charged, refunded = make_edit(alice), make_edit(alice)
    credits.refund(None, refunded, amount=15, reason="Half of it was right")
    response: Any = client_of(alice).post(f"{HISTORY}zip/", {"edit": [charged.pk, refunded.pk]})
    folder = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    rows = csv.DictReader(io.StringIO(folder.read("manifest.csv").decode()))
    assert [row["credits"] for row in rows] == ["25", "40"]


def test_the_manifest_is_in_the_users_language(client_of: SignIn, alice: User) -> None:
    alice.set_language("de")
    failed = make_edit(alice, state="FAILED")
    response: Any = client_of(alice).post(f"{HISTORY}zip/", {"edit": failed.pk})
    folder = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    heading, line = folder.read("manifest.csv").decode().splitlines()
    assert heading == "Foto,Name,Datei,Prompt,Status,Credits,Grund,Engine,Modell"
    assert "Fehlgeschlagen" in line


def test_all_selected_edits_are_starred(client_of: SignIn, alice: User) -> None:
    edits = [make_edit(alice) for _ in range(2)]
    for _ in range(2):
        page = client_of(alice).post(f"{HISTORY}star/", {"edit": [edit.pk for edit in edits]}, follow=True)
        assert "2 edits starred." in page.text
    assert Favorite.objects.filter(user=alice).count() == 2


def test_edits_moved_to_the_trash_together_can_be_restored_together(client_of: SignIn, alice: User) -> None:
    client, edits, running = (
        client_of(alice),
        [make_edit(alice) for _ in range(2)],
        make_edit(alice, state="RUNNING"),
    )
    chosen = [edit.pk for edit in (*edits, running)]
    page = client.post(f"{HISTORY}trash/", {"edit": chosen}, follow=True)
    assert "2 edits moved to the trash. 1 not moved: still running" in page.text
    assert Edit.objects.in_trash().count() == 2
    undo = page.text.partition(f' action="{HISTORY}trash/')[2].partition('"')[0]
    page = client.post(f"{HISTORY}trash/{undo}", follow=True)
    assert "2 edits restored." in page.text
    assert not Edit.objects.in_trash().exists()
    assert_ledger_balances(alice.personal_workspace)


def test_undo_restores_nothing_else(client_of: SignIn, alice: User) -> None:
    client, first, second = client_of(alice), make_edit(alice), make_edit(alice)
    for edit in (first, second):
        client.post(f"{HISTORY}trash/", {"edit": [edit.pk]})
    second.refresh_from_db()
    assert second.trashed
    client.post(f"{HISTORY}trash/{second.trashed.isoformat()}/undo/")
    assert list(Edit.objects.not_in_trash()) == [second]


@pytest.mark.parametrize("moment", ["x", "2026-01-01", "2026-01-01T00:00:00", "0001-01-01T00:00:00+14:00"])
def test_undo_with_an_invalid_time_causes_no_error(client_of: SignIn, alice: User, moment: str) -> None:
    assert client_of(alice).post(f"{HISTORY}trash/{moment}/undo/").status_code in (302, 404)


def test_a_member_can_move_only_their_own_edits_to_the_trash(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    mine, others = make_edit(bob, workspace=team), make_edit(alice, workspace=team)
    client_of(bob).post("/w/studio/history/trash/", {"edit": [mine.pk, others.pk]})
    assert list(Edit.objects.in_trash()) == [mine]


@pytest.mark.parametrize("verb", ["zip", "star", "trash", "share", "batch"])
def test_edits_of_other_workspaces_cannot_be_selected(
    client_of: SignIn, alice: User, charlie: User, verb: str
) -> None:
    edit = make_edit(alice)
    page = client_of(charlie).post(
        f"/w/charlie/history/{verb}/", {"edit": [edit.pk], "days": "7"}, follow=True
    )
    assert "Select " in page.text
    edit.refresh_from_db()
    assert edit.trashed is None
    assert not Favorite.objects.exists()


@pytest.mark.parametrize("value", ["", "x", "\x00", "9" * 50])
def test_an_invalid_selection_gets_an_error_message(client_of: SignIn, alice: User, value: str) -> None:
    page = client_of(alice).post(f"{HISTORY}trash/", {"edit": value, "batch": value}, follow=True)
    assert "Select some edits first." in page.text


@pytest.mark.parametrize("verb", ["zip", "star", "trash", "batch"])
def test_a_selection_that_is_too_large_is_refused_as_a_whole(
    client_of: SignIn, alice: User, verb: str
) -> None:
    edits = [make_edit(alice).pk, *(uuid.uuid4() for _ in range(199))]
    client, data = client_of(alice), {"edit": edits, "batch": [uuid.uuid4()]}
    page = client.post(f"{HISTORY}{verb}/", data, follow=True)
    assert "Select at most 200 edits at a time. You selected 201." in page.text
    assert not Edit.objects.in_trash().exists()
    assert not Favorite.objects.exists()
    assert client.post(f"{HISTORY}star/", {"edit": edits}, follow=True).text.count("1 edit starred.") == 1


def test_too_many_results_for_a_batch_are_refused_as_a_whole(
    client_of: SignIn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A selected batch counts as one, but it may have many results."""
    monkeypatch.setattr("editor.pages.library.bulk_actions.MAX_BATCH_PHOTOS", 2)
    edits = [stored(alice) for _ in range(3)]
    page = client_of(alice).post(f"{HISTORY}batch/", {"edit": [edit.pk for edit in edits]}, follow=True)
    assert "A batch can have at most 2 photos. You selected 3 edits with a result." in page.text
    assert not DraftPhoto.objects.filter(tray=DraftPhoto.Tray.BATCH).exists()


def test_more_selected_edits_than_a_form_may_contain_are_refused(client_of: SignIn, alice: User) -> None:
    edits = [make_edit(alice).pk, *(uuid.uuid4() for _ in range(1000))]
    response = client_of(alice).post(f"{HISTORY}trash/", {"edit": edits})
    assert response.status_code == 413
    assert "select fewer items" in response.text
    assert "photos" not in response.context["sentence"]
    assert not Edit.objects.in_trash().exists()


def test_selecting_a_batch_selects_all_its_edits(client_of: SignIn, alice: User) -> None:
    batch = Batch.objects.create(
        workspace=alice.personal_workspace,
        owner=alice,
        prompt="sepia",
        photos=2,
        price=80,
        submit_id=uuid.uuid4(),
    )
    for position in (1, 2):
        make_edit(alice, batch=batch, batch_position=position)
    page = client_of(alice).post(f"{HISTORY}trash/", {"batch": batch.pk}, follow=True)
    assert "2 edits moved to the trash." in page.text


def test_selected_results_become_the_photos_of_a_batch(client_of: SignIn, alice: User) -> None:
    edits = [stored(alice), stored(alice)]
    response = client_of(alice).post(f"{HISTORY}batch/", {"edit": [edit.pk for edit in edits]}, follow=True)
    assert response.redirect_chain == [("/w/alice/batches/new/", 302)]
    drafts = DraftPhoto.objects.filter(tray=DraftPhoto.Tray.BATCH)
    assert {draft.parent for draft in drafts} == {edit.results.get() for edit in edits}
    assert response.text.count("data-draft") == 2


def test_each_selected_finished_edit_gets_its_own_link(client_of: SignIn, alice: User) -> None:
    edits, failed = [stored(alice, prompt=f"edit {n}") for n in range(2)], make_edit(alice, state="FAILED")
    sent = {"edit": [edit.pk for edit in (*edits, failed)], "days": "30", "shows_prompt": "on"}
    response = client_of(alice).post(f"{HISTORY}share/", sent, follow=True)
    made = list(Share.objects.order_by("pk"))
    assert {one.edit for one in made} == set(edits)
    assert {(one.shows_prompt, one.allows_download) for one in made} == {(True, False)}
    assert {(one.expires - one.created).days for one in made} == {30}
    assert "2 links" in response.text
    assert "Only a finished edit that is not in the trash can be shared." in response.text
    for one in made:
        assert response.text.count(link := shares.link_of(one, site="http://testserver")) == 2
        assert Client().get(link).status_code == 200


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"days": "7"}, "Select some edits first."),
        ({"days": "8"}, "Select a valid choice."),
        ({}, "This field is required."),
    ],
)
def test_sharing_without_edits_or_a_valid_period_is_refused(
    client_of: SignIn, alice: User, sent: dict[str, str], message: str
) -> None:
    picked = {"edit": make_edit(alice).pk} if "days" not in sent or sent["days"] == "8" else {}
    response = client_of(alice).post(f"{HISTORY}share/", sent | picked, follow=True)
    assert message in response.text
    assert not Share.objects.exists()


def test_sharing_too_many_edits_at_once_is_refused(
    client_of: SignIn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MAX_EDITS_TOGETHER", 1)
    sent = {"edit": [make_edit(alice).pk for _ in range(2)], "days": "7"}
    page = client_of(alice).post(f"{HISTORY}share/", sent, follow=True)
    assert "Share at most 1 edits at a time. You selected 2." in page.text
    assert not Share.objects.exists()


def test_links_created_together_are_shown_only_to_their_creator(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    edit = make_edit(bob, workspace=team)
    made = client_of(bob).post("/w/studio/history/share/", {"edit": edit.pk, "days": "1"})
    assert client_of(bob).get(made.headers["Location"]).status_code == 200
    assert client_of(alice).get(made.headers["Location"]).status_code == 404
    Share.objects.update(revoked=timezone.now())
    assert client_of(bob).get(made.headers["Location"]).status_code == 404
