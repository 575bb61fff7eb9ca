"""Tests for serving photos, including permissions, file names, and headers."""

from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from editor.models import DraftPhoto, Edit, Membership, ResultPhoto, User, Workspace
from editor.pages.errors import NOT_FOUND
from editor.pages.photos.media import HEADERS
from editor.services.people import closing, members
from editor.services.photos import drafts, photos
from tests import cast

SignIn = Callable[[User], Client]


@pytest.fixture
def draft(alice: User) -> DraftPhoto:
    return drafts.create_draft(cast.actor_of(alice), cast.photo_file(width=1000), name="my lake.heic")


@pytest.fixture
def edit(alice: User, team: Workspace, draft: DraftPhoto) -> Edit:
    """Create alice's edit in the team, with a result that has real files."""
    edit = cast.make_edit(alice, workspace=team, results=0, prompt="Make the sky darker, please!")
    ResultPhoto.objects.create(edit=edit, position=1, **photos.copy_files(draft))
    return edit


def fetch(client: Client, path: str, **headers: str) -> Any:
    """Request the path and return the response. Reading the body closes the file of the response."""
    response = client.get(path, headers=headers)
    response.body = response.getvalue()  # type: ignore[attr-defined]
    return response


def address(kind: str, photo: Any, size: str) -> str:
    return f"/media/{kind}/{photo.id}/{size}/"


@pytest.mark.parametrize("size", ["360", "800", "1600", "original", "download"])
def test_each_size_is_sent_with_all_headers(
    client_of: SignIn, alice: User, draft: DraftPhoto, size: str
) -> None:
    response = fetch(client_of(alice), address("drafts", draft, size))
    assert response.status_code == 200
    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    is_original = size in ("original", "download")
    assert response.headers["Content-Type"] == ("image/jpeg" if is_original else "image/webp")
    assert len(response.body) > 100


def test_a_download_has_a_sensible_name(
    client_of: SignIn, alice: User, draft: DraftPhoto, edit: Edit
) -> None:
    client = client_of(alice)
    mine = fetch(client, address("drafts", draft, "download"))
    result = fetch(client, address("results", edit.results.get(), "download"))
    assert mine.headers["Content-Disposition"] == 'attachment; filename="my lake.jpg"'
    assert result.headers["Content-Disposition"] == 'attachment; filename="make-the-sky-darker-please-1.jpg"'


@pytest.mark.parametrize("size", ["360", "800", "1600"])
def test_the_storage_key_is_not_revealed(
    client_of: SignIn, alice: User, draft: DraftPhoto, size: str
) -> None:
    response = fetch(client_of(alice), address("drafts", draft, size))
    assert "Content-Disposition" not in response.headers
    assert draft.key.split("/")[1].partition(".")[0] not in str(response.headers)


def test_a_line_break_in_a_file_name_adds_no_header(
    client_of: SignIn, alice: User, draft: DraftPhoto
) -> None:
    DraftPhoto.objects.filter(id=draft.id).update(name='a"b\r\nSet-Cookie: x=1.jpg')
    response = fetch(client_of(alice), address("drafts", draft, "download"))
    assert "Set-Cookie" not in response.headers
    assert "\n" not in response.headers["Content-Disposition"]


def test_it_requires_a_member(
    client: Client, client_of: SignIn, bob: User, charlie: User, viewer: User, edit: Edit
) -> None:
    result = address("results", edit.results.get(), "800")
    assert fetch(client_of(bob), result).status_code == 200
    assert fetch(client_of(viewer), result).status_code == 200
    assert client_of(charlie).get(result).status_code == 404
    assert client.get(result).status_code == 302


def test_a_draft_is_visible_only_to_its_owner(client_of: SignIn, bob: User, draft: DraftPhoto) -> None:
    assert client_of(bob).get(address("drafts", draft, "800")).status_code == 404


@pytest.mark.parametrize("ends", ["the membership", "the team"])
def test_a_former_member_no_longer_sees_their_drafts_in_the_team(
    client_of: SignIn, alice: User, bob: User, team: Workspace, ends: str
) -> None:
    owner = cast.actor_of(alice, team)
    draft = drafts.create_draft(cast.actor_of(bob, team), cast.photo_file(width=1000), name="a.jpg")
    elsewhere = drafts.create_draft(cast.actor_of(bob), cast.photo_file(width=1000), name="b.jpg")
    client, sizes = client_of(bob), ("360", "800", "1600", "original", "download")
    assert fetch(client, address("drafts", draft, "800")).status_code == 200
    if ends == "the team":
        closing.close_team(owner)
    else:
        members.remove(owner, Membership.objects.get(user=bob, workspace=team))
    assert {client.get(address("drafts", draft, size)).status_code for size in sizes} == {404}
    assert {fetch(client, address("drafts", elsewhere, size)).status_code for size in sizes} == {200}
    assert set(bob.drafts.all()) == {draft, elsewhere}, "a draft is deleted only after it expires"


@pytest.mark.parametrize(
    ("mode", "site", "status"),
    [
        ("no-cors", "cross-site", 403),
        ("cors", "cross-site", 403),
        ("navigate", "cross-site", 200),
        ("no-cors", "same-origin", 200),
        ("no-cors", "none", 200),
    ],
)
def test_other_sites_cannot_embed_a_photo(
    client_of: SignIn, alice: User, draft: DraftPhoto, mode: str, site: str, status: int
) -> None:
    sent = {"Sec-Fetch-Mode": mode, "Sec-Fetch-Site": site}
    response = fetch(client_of(alice), address("drafts", draft, "800"), **sent)
    assert response.status_code == status
    assert {name: response.headers[name] for name in HEADERS} == HEADERS


def test_unknown_sizes_and_kinds_return_404_and_a_post_returns_405(
    client_of: SignIn, alice: User, draft: DraftPhoto
) -> None:
    client = client_of(alice)
    assert client.get(address("drafts", draft, "20000")).status_code == 404
    assert client.get(address("secrets", draft, "800")).status_code == 404
    assert client.post(address("drafts", draft, "800")).status_code == 405
    head: Any = client.head(address("drafts", draft, "800"))
    head._resource_closers[0]()  # Close the file, as a client does when it has read the body.
    assert head.status_code == 200


def test_it_handles_a_file_that_is_gone(client_of: SignIn, alice: User, draft: DraftPhoto) -> None:
    cast.path_of(draft).unlink()
    assert client_of(alice).get(address("drafts", draft, "original")).status_code == 404


def gone(file: Path) -> None:
    file.unlink()


def a_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/etc/hostname")


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("becomes", [gone, a_link, a_folder])
def test_a_photo_with_a_missing_or_replaced_file_returns_404(
    client_of: SignIn, alice: User, staff: User, edit: Edit, becomes: Callable[[Path], None], settings: Any
) -> None:
    settings.REVIEW_PERSONAL = "open"
    result = edit.results.get()
    for size in ("original", "360"):
        becomes(cast.path_of(result, size))
    paths = [
        address("results", result, "original"),
        address("results", result, "360"),
        f"/edits/{edit.id}/zip/",
    ]
    answers = [client_of(alice).get(path) for path in paths]
    answers.append(client_of(staff).get(f"/admin/editor/edit/photo/results/{result.id}/360/"))
    assert [answer.status_code for answer in answers] == [404] * 4
    assert all(NOT_FOUND in unescape(answer.text) for answer in answers)
