"""Tests that requests with the same Idempotency-Key create only one edit."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from editor.models import Edit, IdempotencyClaim, User, Workspace
from editor.services.editing import idempotency
from editor.services.photos import drafts
from tests import cast
from tests.api.calls import (
    URL,
    assert_nothing_happened,
    balance_of,
    data_of,
    form,
    json_fields,
    message_of,
    originals,
    send,
    send_form,
)
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "6f0b1f6e-5c1d-4a55-8f5e-0d8c8b8f6a11"}


def files(count: int = 1, **changed: Any) -> dict[str, Any]:
    return form(**{f"file{number}": cast.photo_file(width=50 + number) for number in range(count)}, **changed)


def test_the_same_request_with_the_same_key_gets_the_same_answer(api: Client, alice: User) -> None:
    first, again = (data_of(send(api, json_fields(), **KEY)) for _ in range(2))
    assert first == again
    assert Edit.objects.count() == 1
    assert balance_of(alice) == (400, 40)


def test_the_same_files_get_the_same_answer_and_are_decoded_once(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = data_of(send_form(api, files(3), **KEY))
    monkeypatch.setattr(drafts, "store_upload", lambda *_, **__: pytest.fail("a photo was decoded"))
    assert data_of(send_form(api, files(3), **KEY)) == first
    assert Edit.objects.count() == 1
    assert balance_of(alice) == (400, 40)


def test_a_repeated_request_works_without_credits_and_30_days_later(api: Client, alice: User) -> None:
    first = data_of(send(api, json_fields(), **KEY))
    cast.make_edit(alice, state="RUNNING", price=360, references=0)
    Edit.objects.update(created=timezone.now() - timedelta(days=30))
    assert data_of(send(api, json_fields(), **KEY)) == first


@pytest.mark.parametrize(
    "changed",
    [
        {"prompt": "warmer"},
        {"imageUrls": [URL, URL]},
        {"imageUrls": [URL + "?2"]},
        {"aspectRatio": "1:1"},
        {"outputFormat": "jpeg"},
        {"numImages": 2},
        {"regions": [{"x": 0, "y": 0, "w": 1, "h": 1}]},
        {"partial": True},
    ],
    ids=repr,
)
def test_a_different_request_with_the_same_key_returns_422(
    api: Client, alice: User, changed: dict[str, Any]
) -> None:
    data_of(send(api, json_fields(), **KEY))
    assert "already used for a different request" in message_of(send(api, json_fields(**changed), **KEY), 422)
    assert Edit.objects.count() == 1
    assert balance_of(alice) == (400, 40)


def test_files_in_another_order_count_as_a_different_request(api: Client) -> None:
    a, b = (cast.photo_bytes(color=color) for color in ("red", "blue"))

    def sent(first: bytes, second: bytes) -> Any:
        files = {"file0": cast.photo_file(data=first), "file1": cast.photo_file(data=second)}
        return send_form(api, form(**files), **KEY)

    data_of(sent(a, b))
    data_of(sent(a, b))
    message_of(sent(b, a), 422)
    message_of(send(api, json_fields(), **KEY), 422)


def test_default_values_and_unknown_fields_do_not_change_the_request(api: Client) -> None:
    first = data_of(send(api, json_fields(), **KEY))
    same = {"partial": False, "numImages": 1, "outputFormat": "png", "aspectRatio": None, "extra": 1}
    assert data_of(send(api, json_fields(**same), **KEY)) == first


def test_an_idempotency_key_belongs_to_one_user(
    api: Client, program: Program, bob: User, alice: User
) -> None:
    first = data_of(send(api, json_fields(), **KEY))
    assert data_of(send(program(bob), json_fields(), **KEY))["taskId"] != first["taskId"]
    assert data_of(send(program(alice), json_fields(), **KEY)) == first, (
        "the user's other API keys share the idempotency key"
    )


def test_another_workspace_counts_as_a_different_request(
    api: Client, program: Program, alice: User, team: Workspace
) -> None:
    data_of(send(api, json_fields(), **KEY))
    message_of(send(program(alice, team), json_fields(), **KEY), 422)


def test_a_rejected_request_does_not_use_up_the_key(api: Client, alice: User) -> None:
    message_of(send(api, json_fields(prompt=""), **KEY), 400)
    bad = files(1, file1=cast.photo_file(data=b"no photo"))
    message_of(send_form(api, bad, **KEY), 400)
    assert_nothing_happened(alice)
    data_of(send_form(api, files(2), **KEY))
    assert not IdempotencyClaim.objects.exists()


def test_a_repeat_is_replayed_if_the_first_request_took_the_last_credits(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Workspace.objects.filter(pk=alice.personal_workspace.pk).update(balance=40)
    has_made, first = idempotency.has_created_edit, []

    def is_overtaken(*given: Any, **named: Any) -> bool:
        monkeypatch.setattr(idempotency, "has_created_edit", has_made)
        found = has_made(*given, **named)
        first.append(data_of(send(api, json_fields(), **KEY)))
        return found

    monkeypatch.setattr(idempotency, "has_created_edit", is_overtaken)
    response = send(api, json_fields(), **KEY)
    assert [data_of(response)] == first
    assert response.headers["Idempotent-Replayed"] == "true"
    assert message_of(send(api, json_fields()), 402) == "Insufficient credits"
    assert Edit.objects.count() == 1


def test_during_the_first_request_a_repeat_gets_409_and_a_different_one_422(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile: list[Any] = []
    keep = drafts.store_upload

    def asks_again(*given: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "store_upload", keep)
        meanwhile.append(send_form(api, files(), **KEY))
        meanwhile.append(send_form(api, files(prompt="warmer"), **KEY))
        return keep(*given, **options)

    monkeypatch.setattr(drafts, "store_upload", asks_again)
    data_of(send_form(api, files(), **KEY))
    assert "still being processed" in message_of(meanwhile[0], 409)
    assert meanwhile[0].headers["Retry-After"] == "1"
    message_of(meanwhile[1], 422)
    assert Edit.objects.count() == 1
    assert balance_of(alice) == (400, 40)


def test_an_exception_leaves_no_claim(api: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr("editor.services.editing.submit.quote", breaks)
        api.raise_request_exception = False
        message_of(send_form(api, files(), **KEY), 500)
    assert_nothing_happened(alice)
    data_of(send_form(api, files(), **KEY))


def test_a_claim_left_by_a_crash_blocks_the_key_until_it_expires(api: Client, alice: User) -> None:
    data_of(send(api, json_fields(), **{"Idempotency-Key": "elsewhere"}))
    fingerprint = Edit.objects.get().fingerprint
    left = IdempotencyClaim.objects.create(
        owner=alice, key="left", fingerprint=fingerprint, until=timezone.now() + idempotency.CLAIM_LIFETIME
    )
    message_of(send(api, json_fields(), **{"Idempotency-Key": "left"}), 409)
    IdempotencyClaim.objects.filter(id=left.id).update(until=timezone.now() - timedelta(seconds=1))
    data_of(send(api, json_fields(), **{"Idempotency-Key": "left"}))
    assert not IdempotencyClaim.objects.exists()


def test_an_overtaken_request_deletes_its_photos_and_returns_the_same_edit(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim expires while the first request is still decoding, and the second request finishes first."""
    faster: list[Any] = []
    keep = drafts.store_upload

    def overtaken(*given: Any, **options: Any) -> Any:
        monkeypatch.setattr(drafts, "store_upload", keep)
        IdempotencyClaim.objects.update(until=timezone.now() - timedelta(seconds=1))
        faster.append(data_of(send_form(api, files(), **KEY)))
        return keep(*given, **options)

    monkeypatch.setattr(drafts, "store_upload", overtaken)
    assert data_of(send_form(api, files(), **KEY)) == faster[0]
    assert Edit.objects.count() == 1
    assert balance_of(alice) == (400, 40)
    assert originals() == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "é", "line\nbreak"])
def test_an_invalid_key_is_rejected(api: Client, alice: User, key: str) -> None:
    assert "1 to 255" in message_of(send(api, json_fields(), **{"Idempotency-Key": key}), 400)
    assert_nothing_happened(alice)


@pytest.mark.parametrize("key", ["x", "x" * 255, "with spaces ~!", "'; DROP TABLE"])
def test_any_plain_key_works(api: Client, key: str) -> None:
    first, again = (data_of(send(api, json_fields(), **{"Idempotency-Key": key})) for _ in range(2))
    assert first == again


def test_without_a_key_each_request_creates_its_own_edit(api: Client) -> None:
    assert data_of(send(api, json_fields()))["taskId"] != data_of(send(api, json_fields()))["taskId"]


def test_expired_claims_are_deleted(alice: User) -> None:
    for key, minutes in (("old", -1), ("new", 1)):
        IdempotencyClaim.objects.create(
            owner=alice, key=key, fingerprint="f", until=timezone.now() + timedelta(minutes=minutes)
        )
    idempotency.delete_expired_claims()
    assert IdempotencyClaim.objects.get().key == "new"


def test_a_replayed_response_says_so_in_a_header(api: Client) -> None:
    first, again = (send(api, json_fields(), **KEY) for _ in range(2))
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
