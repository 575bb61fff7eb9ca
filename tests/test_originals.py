"""Tests that only reviewers can get the original bytes of an edit that is waiting for approval."""

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

from editor.models import Batch, DraftPhoto, Edit, Export, Membership, Photo, User, Workspace
from editor.services.core import links
from editor.services.core.access import Actor
from editor.services.editing import webhooks
from editor.services.library import recipes
from editor.services.maintenance import exports
from editor.services.people import accounts
from editor.services.photos import drafts, photos
from editor.services.sharing import reviews, shares
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]


@pytest.fixture
def edit(bob: User, team: Workspace) -> Edit:
    """Create bob's edit, with stored files, in a team that requires approval."""
    draft = drafts.create_draft(cast.actor_of(bob, team), cast.photo_file(), name="a.jpg")
    made = cast.make_edit(
        bob, workspace=team, references=[photos.copy_files(draft)], results=[photos.copy_files(draft)]
    )
    Workspace.objects.filter(pk=team.pk).update(approval_since=timezone.now())
    return Edit.objects.get(pk=made.pk)


@pytest.fixture
def reviewer(alice: User, edit: Edit) -> Actor:
    return cast.actor_of(alice, edit.workspace)


def read(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def status_of(response: Any) -> int:
    """Read a streamed response to its end, so that its file is closed, and return the status."""
    if response.streaming:
        read(response)
    status: int = response.status_code
    return status


def original(photo: Photo) -> bytes:
    return cast.path_of(photo).read_bytes()


def signed(photo: Any, user: User, **options: Any) -> str:
    until = timezone.now() + timedelta(days=1)
    return links.signed_photo_url(photo, user_id=user.pk, expires=until, site="", **options)


WAYS: dict[str, Callable[[Edit, User], str]] = {
    "the original": lambda edit, _: f"/media/results/{edit.results.get().pk}/original/",
    "the download": lambda edit, _: f"/media/results/{edit.results.get().pk}/download/",
    "the signed address": lambda edit, user: signed(edit.results.get(), user),
    "the zip": lambda edit, _: f"/edits/{edit.pk}/zip/",
}


@pytest.mark.parametrize("way", WAYS)
def test_members_get_the_original_after_approval_and_reviewers_always(
    client_of: SignIn, reviewer: Actor, bob: User, viewer: User, edit: Edit, way: str
) -> None:
    def statuses() -> list[int]:
        return [
            status_of(client_of(user).get(WAYS[way](edit, user))) for user in (bob, viewer, reviewer.user)
        ]

    assert statuses() == [403, 403, 200]
    reviews.approve(reviewer, edit)
    assert statuses() == [200, 200, 200]
    reviews.reopen(reviewer, edit)
    assert statuses() == [403, 403, 200]


@pytest.mark.parametrize("size", ["360", "800", "1600"])
def test_members_can_see_a_small_version(client_of: SignIn, bob: User, edit: Edit, size: str) -> None:
    response = client_of(bob).get(f"/media/results/{edit.results.get().pk}/{size}/")
    assert response.status_code == 200
    assert read(response) != original(edit.results.get())


def test_the_refusal_says_when_the_original_is_available(client_of: SignIn, bob: User, edit: Edit) -> None:
    response = client_of(bob).get(f"/edits/{edit.pk}/zip/")
    assert "available after the edit is approved" in response.content.decode()


def test_originals_of_copies_in_the_workspace_are_withheld_too(
    client_of: SignIn, reviewer: Actor, bob: User, edit: Edit
) -> None:
    client = client_of(bob)
    assert client.post(f"/edits/{edit.pk}/results/1/further/").status_code == 302
    draft = DraftPhoto.objects.get(parent=edit.results.get())
    assert original(draft) == original(edit.results.get())
    copy = cast.make_edit(bob, workspace=edit.workspace, references=[photos.copy_files(draft)])
    reviews.approve(reviewer, copy)
    for kind, photo in (("drafts", draft), ("references", copy.references.get())):
        assert status_of(client.get(f"/media/{kind}/{photo.pk}/original/")) == 403
        assert status_of(client.get(f"/media/{kind}/{photo.pk}/800/")) == 200


def test_a_result_cannot_be_taken_into_another_workspace_before_approval(
    client_of: SignIn, reviewer: Actor, bob: User, edit: Edit
) -> None:
    path, there = f"/edits/{edit.pk}/results/1/take/", {"workspace": bob.personal_workspace.slug}
    assert client_of(bob).post(path, there).status_code == 403
    assert not bob.drafts.filter(workspace=bob.personal_workspace).exists()
    reviews.approve(reviewer, edit)
    assert client_of(bob).post(path, there).status_code == 302
    assert bob.drafts.filter(workspace=bob.personal_workspace).count() == 1


def test_copying_files_for_a_member_is_refused_too(bob: User, edit: Edit) -> None:
    with pytest.raises(photos.Withheld):
        photos.copy_files(edit.results.get(), by=bob.pk)


def test_a_temporary_url_gives_the_engine_the_original_photo(
    client_of: SignIn, bob: User, edit: Edit
) -> None:
    reference = edit.references.get()
    assert Client().get(signed(reference, bob)).status_code == 403
    assert read(Client().get(signed(reference, bob, is_temporary=True))) == original(reference)


def packed(export: Export) -> dict[str, bytes]:
    while export.state == Export.State.BUILDING:
        exports.build.call(str(export.pk), export.done)
        export.refresh_from_db()
    with exports.open_export(export.user, export.pk)[1] as file, zipfile.ZipFile(file) as folder:
        return {name.rpartition("/")[2]: folder.read(name) for name in folder.namelist()}


def test_a_personal_export_contains_only_previews_before_approval(
    reviewer: Actor, bob: User, edit: Edit
) -> None:
    files = packed(exports.request_export(bob))
    assert {"photo-1-preview.webp", "result-1-preview.webp"} < set(files)
    assert json.loads(files["edit.json"])["files"] == ["photo-1-preview.webp", "result-1-preview.webp"]
    assert original(edit.results.get()) not in files.values()
    reviews.approve(reviewer, edit)
    assert packed(exports.request_export(bob))["result-1.jpg"] == original(edit.results.get())


def test_the_zip_of_a_batch_leaves_out_an_unapproved_result_and_says_so(
    client_of: SignIn, reviewer: Actor, bob: User, edit: Edit
) -> None:
    batch = Batch.objects.create(
        workspace=edit.workspace, owner=bob, prompt=edit.prompt, photos=1, price=40, submit_id=uuid.uuid4()
    )
    Edit.objects.filter(pk=edit.pk).update(batch=batch, batch_position=1)

    def files() -> list[str]:
        response = client_of(bob).get(f"/w/studio/batches/{batch.pk}/zip/")
        with zipfile.ZipFile(io.BytesIO(read(response))) as folder:
            manifest = folder.read("manifest.csv").decode()
            assert ("Awaiting approval" in manifest) == (len(folder.namelist()) == 1)
            return folder.namelist()

    assert files() == ["manifest.csv"]
    reviews.approve(reviewer, edit)
    assert files() == ["photo-1-make-the-sky-darker.jpg", "manifest.csv"]


def test_the_page_has_no_links_to_originals_for_members(
    client_of: SignIn, reviewer: Actor, bob: User, edit: Edit
) -> None:
    assert "/original/" not in client_of(bob).get(f"/edits/{edit.pk}/").text
    assert "/download/" not in client_of(bob).get(f"/edits/{edit.pk}/").text
    assert "/download/" in client_of(reviewer.user).get(f"/edits/{edit.pk}/").text


def test_the_export_of_the_team_contains_originals_for_managers(reviewer: Actor, edit: Edit) -> None:
    assert packed(exports.request_export(reviewer.user, reviewer))["result-1.jpg"] == original(
        edit.results.get()
    )


def test_a_member_cannot_download_an_export_made_before_approval_was_required(
    client_of: SignIn, reviewer: Actor, bob: User, edit: Edit
) -> None:
    reviews.require_approval(reviewer, is_required=False)
    early = {user: exports.request_export(user) for user in (bob, reviewer.user)}
    for export in early.values():
        packed(export)
    reviews.require_approval(reviewer, is_required=True)
    assert client_of(bob).get(f"/account/export/{early[bob].pk}/").status_code == 404
    response = client_of(reviewer.user).get(f"/account/export/{early[reviewer.user].pk}/")
    assert response.status_code == 200
    read(response)


def test_a_webhook_contains_no_result_urls_before_approval(
    reviewer: Actor, edit: Edit, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://photos.example.org"

    def seen() -> list[object]:
        body = webhooks._body(Edit.objects.get(pk=edit.pk), user_id=reviewer.user.pk)
        images: list[object] = json.loads(body)["data"]["images"]
        return images

    assert seen() == []
    Edit.objects.filter(pk=edit.pk).update(review_state="approved")
    assert len(seen()) == 1


def test_an_unapproved_edit_cannot_be_shared(reviewer: Actor, edit: Edit) -> None:
    with pytest.raises(shares.ShareRefused):
        shares.share(reviewer, edit)


def test_approval_suspends_keys_of_members_but_not_of_reviewers(
    client_of: SignIn, reviewer: Actor, bob: User, edit: Edit
) -> None:
    reviews.require_approval(reviewer, is_required=False)
    team = Workspace.objects.get(pk=edit.workspace_id)
    keys = {
        user: accounts.create_api_key(cast.actor_of(user, team), name="Script")[1]
        for user in (bob, reviewer.user)
    }
    assert reviews.keys_without_review(edit.workspace) == 1
    reviews.require_approval(reviewer, is_required=True)

    def answer(user: User) -> Any:
        headers = {"Authorization": f"Bearer {keys[user]}"}
        return Client().get(f"/api/photo-editor/status?taskId={edit.pk}", headers=headers)

    refused = answer(bob)
    assert refused.status_code == 401
    assert "requires approval" in refused.json()["message"]
    [image] = answer(reviewer.user).json()["data"]["images"]
    assert read(Client().get(image["url"])) == original(edit.results.get())
    assert client_of(bob).post("/w/studio/keys/", {"name": "Other"}).status_code == 403
    Membership.objects.filter(user=reviewer.user, workspace=edit.workspace).update(role="editor")
    assert answer(reviewer.user).status_code == 401, "a key has the current rights of its user"
    reviews.require_approval(reviewer, is_required=False)
    assert answer(bob).status_code == 200


def test_the_original_of_a_recipe_photo_is_withheld(client_of: SignIn, bob: User, edit: Edit) -> None:
    actor = cast.actor_of(bob, edit.workspace)
    draft = drafts.from_result(actor, edit.results.get())
    version = recipes.save_recipe(
        actor, recipes.RecipeInput(name="Tone", prompt="make it sepia", drafts=[draft])
    )
    path = f"/media/recipes/{version.photos.get().pk}"
    assert status_of(client_of(bob).get(f"{path}/original/")) == 403
    assert status_of(client_of(bob).get(f"{path}/800/")) == 200
