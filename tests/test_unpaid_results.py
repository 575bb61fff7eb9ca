"""Tests that nobody can get a result that was not paid for.

A result is not available before its edit has ended, or if the edit has ended without a charge.
"""

import io
import json
import uuid
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import Batch, DraftPhoto, Edit, Export, ResultPhoto, User, WebhookDelivery, Workspace
from editor.options import Region
from editor.services.core import links
from editor.services.editing import lifecycle, webhooks
from editor.services.maintenance import exports, trash
from editor.services.people import accounts
from editor.services.photos import drafts, photos
from editor.services.sharing import comments
from tests import cast

pytestmark = pytest.mark.django_db
STORED = 3  # the number of stored results, out of four


@pytest.fixture
def keeping(alice: User, team: Workspace, settings: Any) -> Edit:
    """Create alice's edit in a personal batch. Three of the edit's four results are stored."""
    settings.PUBLIC_URL = "https://photos.example.org"
    settings.REVIEW_PERSONAL = "open"
    actor = cast.actor_of(alice)
    webhooks.add_endpoint(actor, url="https://hooks.example.org/")
    before, after = (
        drafts.store_upload(cast.photo_file(color=color), name="a.jpg") for color in ("navy", "orange")
    )
    batch = Batch.objects.create(
        workspace=actor.workspace, owner=alice, prompt="darker", photos=1, price=40, submit_id=uuid.uuid4()
    )
    return cast.make_edit(
        alice,
        state="STORING",
        outputs=4,
        batch=batch,
        batch_position=1,
        references=[photos.copy_files(before)],
        results=[photos.copy_files(after) for _ in range(STORED)],
    )


def stored(edit: Edit) -> ResultPhoto:
    return ResultPhoto._base_manager.filter(edit=edit).earliest("position")


def read(response: Any) -> bytes:
    """Return the body of the response, or an empty body if the request was refused."""
    return b"".join(response.streaming_content) if response.streaming else b""


def names_in(data: bytes) -> list[str]:
    if not data:
        return []
    with zipfile.ZipFile(io.BytesIO(data)) as folder:
        return [name for name in folder.namelist() if name != "manifest.csv"]


def media(edit: Edit, result: ResultPhoto, client: Client, size: str) -> bool:
    return bool(read(client.get(f"/media/results/{result.pk}/{size}/")))


def signed(edit: Edit, result: ResultPhoto, client: Client) -> bool:
    until = timezone.now() + timedelta(days=1)
    return bool(
        read(Client().get(links.signed_photo_url(result, user_id=edit.owner_id, expires=until, site="")))
    )


def program(edit: Edit, path: str) -> Any:
    key = accounts.create_api_key(cast.actor_of(edit.owner), name="Script")[1]
    return (
        Client().get(f"/api/photo-editor/{path}", headers={"Authorization": f"Bearer {key}"}).json()["data"]
    )


def taken(edit: Edit, client: Client, path: str, data: dict[str, object] | None = None) -> bool:
    """Return whether the request put a photo into one of the user's trays."""
    client.post(path, data)
    return DraftPhoto.objects.filter(user=edit.owner).exists()


def exported(edit: Edit) -> bool:
    export = exports.request_export(edit.owner, cast.actor_of(edit.owner))
    while export.state == Export.State.BUILDING:
        exports.build.call(str(export.pk), export.done)
        export.refresh_from_db()
    with exports.open_export(edit.owner, export.pk)[1] as file:
        return any("/result-" in name for name in names_in(file.read()))


def announced(edit: Edit) -> bool:
    return any(json.loads(one.body)["data"].get("images") for one in WebhookDelivery.objects.all())


def in_trash(edit: Edit, result: ResultPhoto, client: Client) -> bool:
    small = cast.path_of(result, "360").read_bytes()
    trash.move(Edit.objects.filter(pk=edit.pk), by=edit.owner_id)
    return read(client.get(f"/edits/{edit.pk}/trash/")) == small


def administered(result: ResultPhoto) -> bool:
    client, staff = Client(), cast.make_staff()
    client.force_login(staff)
    cast.show_second_factor(client, staff)
    return bool(read(client.get(f"/admin/editor/edit/photo/results/{result.pk}/360/")))


type Way = Callable[[Edit, ResultPhoto, Client], bool]
PICKED, STATES = "/w/alice/history", ("running", "failed", "cancelled")
WAYS: dict[str, Way] = {
    "the original": lambda edit, result, client: media(edit, result, client, "original"),
    "the download": lambda edit, result, client: media(edit, result, client, "download"),
    "the preview": lambda edit, result, client: media(edit, result, client, "360"),
    "the tile": lambda edit, result, client: media(edit, result, client, "1600"),
    "the signed address": signed,
    "the zip": lambda edit, _, client: bool(names_in(read(client.get(f"/edits/{edit.pk}/zip/")))),
    "the zip of the batch": lambda edit, _, client: bool(
        names_in(read(client.get(f"/w/alice/batches/{edit.batch_id}/zip/")))
    ),
    "the zip of the history": lambda edit, _, client: bool(
        names_in(read(client.post(f"{PICKED}/zip/", {"edit": edit.pk})))
    ),
    "editing it further": lambda edit, _, client: taken(edit, client, f"/edits/{edit.pk}/results/1/further/"),
    "another workspace": lambda edit, _, client: taken(
        edit, client, f"/edits/{edit.pk}/results/1/take/", {"workspace": "studio"}
    ),
    "a new batch": lambda edit, _, client: taken(edit, client, f"{PICKED}/batch/", {"edit": edit.pk}),
    "the status": lambda edit, *_: bool(program(edit, f"status?taskId={edit.pk}").get("images")),
    "the list": lambda edit, *_: any(one.get("images") for one in program(edit, "edits")["edits"]),
    "the export": lambda edit, *_: exported(edit),
    "the webhook": lambda edit, *_: announced(edit),
    "its page": lambda edit, _, client: "/media/results/" in client.get(f"/edits/{edit.pk}/").text,
    "the history": lambda _, __, client: any(
        "/media/results/" in client.get(f"{PICKED}/?state={state}").text for state in STATES
    ),
    "the batch in the history": lambda edit, _, client: (
        "/media/results/" in client.get(f"/w/alice/batches/{edit.batch_id}/photos/").text
    ),
    "the page of the batch": lambda edit, _, client: (
        "/media/results/" in client.get(f"/w/alice/batches/{edit.batch_id}/").text
    ),
    "the trash": in_trash,
    "the administration": lambda edit, result, _: administered(result),
}


@pytest.mark.parametrize("way", WAYS)
def test_results_of_an_edit_that_is_still_storing_them_are_unavailable(
    client_of: Callable[[User], Client], alice: User, keeping: Edit, way: str
) -> None:
    assert not WAYS[way](keeping, stored(keeping), client_of(alice))


@pytest.mark.parametrize("way", WAYS)
def test_results_of_a_cancelled_edit_are_unavailable(
    client_of: Callable[[User], Client], alice: User, keeping: Edit, way: str
) -> None:
    result = stored(keeping)
    assert lifecycle.cancel(cast.actor_of(alice), keeping)
    assert not WAYS[way](Edit.objects.get(pk=keeping.pk), result, client_of(alice))
    cast.assert_ledger_balances(alice.personal_workspace)
    assert alice.personal_workspace.balance == 400


@pytest.mark.parametrize("way", WAYS)
def test_results_of_an_incomplete_edit_are_available_everywhere(
    client_of: Callable[[User], Client], alice: User, keeping: Edit, way: str
) -> None:
    message = "Result 4 of 4 is missing. You can keep the other results. You were not charged."
    assert lifecycle.finish(keeping, Edit.State.FAILED, code=Edit.INCOMPLETE, message=message)
    assert WAYS[way](Edit.objects.get(pk=keeping.pk), stored(keeping), client_of(alice))


def test_the_page_of_a_cancelled_edit_shows_its_photo_and_offers_no_download(
    client_of: Callable[[User], Client], alice: User, keeping: Edit
) -> None:
    lifecycle.cancel(cast.actor_of(alice), keeping)
    page = client_of(alice).get(f"/edits/{keeping.pk}/").text
    photo = f"/media/references/{keeping.references.get().pk}/"
    assert "You cancelled this edit. You were not charged." in page
    assert photo in page
    for part in ("/download/", "/zip/", "data-take=", "data-copy-picture", "/further/"):
        assert part not in page
    for list_of_edits in (f"{PICKED}/?state=cancelled", f"/w/alice/batches/{keeping.batch_id}/"):
        assert f"{photo}360/" in client_of(alice).get(list_of_edits).text


def test_an_edit_is_found_by_its_shape_only_after_it_has_succeeded(
    client_of: Callable[[User], Client], alice: User, keeping: Edit
) -> None:
    client = client_of(alice)
    assert f"edit-{keeping.pk}" not in client.get(f"{PICKED}/?shape=wide").text
    lifecycle.finish(keeping, Edit.State.SUCCESS)
    assert f"edit-{keeping.pk}" in client.get(f"{PICKED}/?shape=wide").text


def test_a_box_cannot_be_commented_on_before_the_edit_has_ended(alice: User, keeping: Edit) -> None:
    box = Region(x=0.1, y=0.1, w=0.2, h=0.2)
    with pytest.raises(comments.CommentRefused, match="result does not exist"):
        comments.add_comment(cast.actor_of(alice), keeping, text="Here", box=box)


@pytest.mark.parametrize("state", Edit.State.values)
@pytest.mark.parametrize("code", ["", "engine_failed", "incomplete"])
def test_a_query_and_an_edit_agree_on_which_results_are_shown(alice: User, state: str, code: str) -> None:
    if code == "" or state == "FAILED":
        edit = cast.make_edit(alice, state="STORING", results=1)
        ended = timezone.now() if state in Edit.TERMINAL else None
        Edit.objects.filter(pk=edit.pk).update(state=state, failure_code=code, finished=ended)
        edit.refresh_from_db()
        assert edit.results.exists() == edit.has_results
        assert ResultPhoto.stored.unpaid().exists() == (not edit.is_open and not edit.has_results)
