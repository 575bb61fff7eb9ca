"""Tests that uploads that exceed a limit are cut off while they arrive."""

import io
import os
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from PIL import Image

from editor.models import DraftPhoto, User
from editor.pages.photos.uploads import NamelessUploadHandler
from tests import cast

pytestmark = pytest.mark.django_db
MEGABYTE = 1024 * 1024


@pytest.fixture(autouse=True)
def _small_photos(settings: Any) -> None:
    settings.MAX_PHOTO_MEGABYTES = 1


def upload(client: Client, data: bytes) -> Any:
    return client.post("/w/alice/drafts/", {"photo": cast.photo_file(data=data)})


def test_a_photo_over_the_limit_is_cut_off_with_an_error_message(
    alice: User, client_of: Callable[[User], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    keep = NamelessUploadHandler.receive_data_chunk

    def counted(self: Any, raw_data: bytes, start: int) -> Any:
        written.append(len(raw_data))
        return keep(self, raw_data, start)

    monkeypatch.setattr(NamelessUploadHandler, "receive_data_chunk", counted)
    response = upload(client_of(alice), b"\xff\xd8\xff" + b"x" * 4 * MEGABYTE)
    assert response.status_code == 422
    assert "larger than 1 MB" in response.text
    assert sum(written) == MEGABYTE + 1
    assert not DraftPhoto.objects.exists()


def test_an_upload_is_stored_in_an_unnamed_file_in_the_work_folder(
    alice: User, client_of: Callable[[User], Client], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = set()
    keep = NamelessUploadHandler.receive_data_chunk

    def noticed(self: Any, raw_data: bytes, start: int) -> Any:
        places.add(os.readlink(f"/proc/self/fd/{self._file.fileno()}"))
        assert not list(settings.WORK_DIR.iterdir()), "a file with a name would be left behind"
        return keep(self, raw_data, start)

    monkeypatch.setattr(NamelessUploadHandler, "receive_data_chunk", noticed)
    photo = Image.effect_noise((1200, 1100), 90).convert("RGB")
    file = io.BytesIO()
    photo.save(file, "JPEG", quality=95)
    settings.MAX_PHOTO_MEGABYTES = 5
    assert upload(client_of(alice), file.getvalue()).status_code == 200
    (place,) = places
    assert place.startswith(str(settings.WORK_DIR))
    assert place.endswith("(deleted)")
    assert not list(settings.WORK_DIR.iterdir())


def test_a_request_larger_than_five_photos_is_not_read(
    alice: User, client_of: Callable[[User], Client]
) -> None:
    response = upload(client_of(alice), b"x" * 7 * MEGABYTE)
    assert response.status_code == 413
    assert not DraftPhoto.objects.exists()


def test_a_photo_within_the_limit_is_stored(alice: User, client_of: Callable[[User], Client]) -> None:
    response = upload(client_of(alice), cast.photo_bytes(900, 700))
    assert response.status_code == 200
    assert DraftPhoto.objects.get().width == 900


@pytest.mark.parametrize("cookie", [None, "made0up0made0up0made0up0made0up0", "an empty session"])
def test_a_large_upload_without_a_sign_in_returns_413_without_storing_a_file(
    monkeypatch: pytest.MonkeyPatch, cookie: str | None
) -> None:
    def fails(*_: Any) -> None:
        raise AssertionError("a file was begun")

    monkeypatch.setattr(NamelessUploadHandler, "new_file", fails)
    client = Client(enforce_csrf_checks=True)  # The CSRF check reads the body before the view can read it.
    client.cookies["csrftoken"] = "a" * 32
    if cookie == "an empty session":
        session = SessionStore()
        session.create()
        cookie = session.session_key
    if cookie:
        client.cookies["darkroom_session"] = cookie
    response = upload(client, b"x" * 2 * MEGABYTE)
    assert response.status_code == 413


def test_a_small_form_needs_no_account(client: Client) -> None:
    assert upload(client, cast.photo_bytes()).status_code == 302


def test_a_request_with_more_than_ten_files_returns_413(
    alice: User, client_of: Callable[[User], Client]
) -> None:
    client = client_of(alice)
    sent = {"prompt": "warmer", "photos": [cast.photo_file() for _ in range(10)]}
    assert client.post("/w/alice/", sent).status_code == 422, "the page shows the message about five photos"
    sent["photos"] = [cast.photo_file() for _ in range(11)]
    assert client.post("/w/alice/", sent).status_code == 413
