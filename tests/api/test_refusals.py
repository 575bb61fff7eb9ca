"""Tests that an invalid request gets a message and the right status, and that nothing is stored."""

from typing import Any

import pytest
from django.test import Client

from editor.api.auth import TOO_LARGE
from editor.imaging.memory import max_parallel_jobs
from editor.models import Edit, User
from editor.services.photos import drafts, photos
from tests import cast
from tests.api.calls import (
    GENERATE,
    URL,
    assert_nothing_happened,
    form,
    json_fields,
    message_of,
    originals,
    send,
    send_form,
)

pytestmark = pytest.mark.django_db
BOX = {"x": 0.1, "y": 0.1, "w": 0.5, "h": 0.5}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"prompt": None}, "Prompt is required"),
        ({"prompt": ""}, "Prompt is required"),
        ({"prompt": " \n\t"}, "Prompt is required"),
        ({"prompt": "\u200b\u2060\ufeff"}, "Prompt is required"),
        ({"imageUrls": None}, "At least one image URL is required"),
        ({"imageUrls": []}, "At least one image URL is required"),
        ({"imageUrls": [URL] * 6}, "Maximum 5 images allowed"),
        ({"imageUrls": ["no address"] * 6}, "Maximum 5 images allowed"),
    ],
)
def test_the_documented_messages_are_returned_word_for_word(
    api: Client, alice: User, fields: dict[str, Any], message: str
) -> None:
    assert message_of(send(api, json_fields(**fields)), 400) == message
    assert_nothing_happened(alice)


def test_the_documented_messages_are_returned_for_missing_fields_too(api: Client, alice: User) -> None:
    assert message_of(send(api, {}), 400) == "Prompt is required"
    assert message_of(send(api, {"prompt": "warmer"}), 400) == "At least one image URL is required"
    assert message_of(send_form(api, {"file0": cast.photo_file()}), 400) == "Prompt is required"
    assert message_of(send_form(api, {"prompt": "warmer"}), 400) == "At least one image URL is required"
    files = {f"file{number}": cast.photo_file() for number in range(6)}
    assert message_of(send_form(api, {"prompt": "warmer", **files}), 400) == "Maximum 5 images allowed"
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"prompt": 5}, "prompt"),
        ({"prompt": ["warmer"]}, "prompt"),
        ({"prompt": {"text": "warmer"}}, "prompt"),
        ({"prompt": True}, "prompt"),
        ({"prompt": "x" * 2001}, "at most 2,000 characters"),
        ({"prompt": "warm\x00er"}, "be saved"),
        ({"prompt": "warm\ud800er"}, "be saved"),
        ({"imageUrls": URL}, "imageUrls"),
        ({"imageUrls": {"0": URL}}, "imageUrls"),
        ({"imageUrls": [URL, 7]}, "imageUrls"),
        ({"imageUrls": [URL, None]}, "imageUrls"),
        ({"imageUrls": [[URL]]}, "imageUrls"),
        ({"imageUrls": [URL, ""]}, "URL 2"),
        ({"imageUrls": ["photo.jpg"]}, "URL 1"),
        ({"imageUrls": ["ftp://example.org/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["file:///etc/passwd"]}, "URL 1"),
        ({"imageUrls": ["data:image/png;base64,AAAA"]}, "URL 1"),
        ({"imageUrls": ["javascript:alert(1)"]}, "URL 1"),
        ({"imageUrls": ["https://"]}, "URL 1"),
        ({"imageUrls": ["https:///a.jpg"]}, "URL 1"),
        ({"imageUrls": ["//example.org/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://user:secret@example.org/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://user@example.org/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://example.org:99999/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://example.org:port/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://[::1/a.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://example.org/a b.jpg"]}, "URL 1"),
        ({"imageUrls": ["https://example.org\\@evil.example/"]}, "URL 1"),
        ({"imageUrls": ["https://example.org/\x00"]}, "URL 1"),
        ({"imageUrls": ["https://example.org/\ud800"]}, "URL 1"),
        ({"imageUrls": ["https://example.org/" + "a" * 1990]}, "longer than 2,000"),
        ({"aspectRatio": "7:3"}, "aspectRatio: Choose one of 1:1, 3:2"),
        ({"aspectRatio": 1}, "aspectRatio"),
        ({"aspectRatio": ["1:1"]}, "aspectRatio"),
        ({"outputFormat": "gif"}, "outputFormat: Choose one of png, jpeg, webp."),
        ({"outputFormat": "PNG"}, "outputFormat"),
        ({"outputFormat": {}}, "outputFormat"),
        ({"numImages": "2"}, "numImages"),
        ({"numImages": 0.0}, "numImages: Choose at least 1 result."),
        ({"numImages": 5.0}, "numImages: Choose at most 4 results."),
        ({"numImages": 1.5}, "numImages"),
        ({"numImages": True}, "numImages"),
        ({"numImages": 0}, "numImages: Choose at least 1 result."),
        ({"numImages": -1}, "numImages"),
        ({"numImages": 5}, "numImages: Choose at most 4 results."),
        ({"numImages": 99}, "numImages"),
        ({"numImages": 10**40}, "numImages"),
        ({"numImages": 1e300}, "numImages"),
        ({"numImages": [1]}, "numImages"),
        ({"regions": "all"}, "regions"),
        ({"regions": BOX}, "regions"),
        ({"regions": [5]}, "regions"),
        ({"regions": [{}]}, "regions"),
        ({"regions": [BOX | {"x": "0.1"}]}, "regions"),
        ({"regions": [BOX | {"x": True}]}, "regions"),
        ({"regions": [BOX | {"x": None}]}, "regions"),
        ({"regions": [BOX | {"x": -0.1}]}, "fractions from 0 to 1"),
        ({"regions": [BOX | {"x": 0.9}]}, "inside the photo"),
        ({"regions": [BOX | {"w": 0.001}]}, "at least 2%"),
        ({"regions": [BOX | {"x": 10**400}]}, "fractions from 0 to 1"),
        ({"regions": [BOX | {"image": 0}]}, "photo 1 to 5"),
        ({"regions": [BOX | {"image": 6}]}, "photo 1 to 5"),
        ({"regions": [BOX | {"image": 1.0}]}, "regions"),
        ({"regions": [BOX | {"image": True}]}, "regions"),
        ({"regions": [BOX | {"image": 2}]}, "photo 2, which is missing"),
        ({"regions": [BOX] * 21}, "at most 20 boxes"),
        ({"partial": "true"}, "partial"),
        ({"partial": 1}, "partial"),
        ({"keepEverythingElse": "true"}, "keepEverythingElse"),
    ],
)
def test_an_invalid_value_gets_a_specific_message(
    api: Client, alice: User, fields: dict[str, Any], words: str
) -> None:
    assert words in message_of(send(api, json_fields(**fields)), 400)
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "empty"),
        (b"   ", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"{'prompt': 'x'}", "not valid JSON"),
        (b'{"prompt": "x"} {}', "not valid JSON"),
        (b'{"prompt": "a\x00b"}', "not valid JSON"),
        (b"null", "JSON object"),
        (b"[]", "JSON object"),
        (b'"prompt"', "JSON object"),
        (b"7", "JSON object"),
        (b'{"prompt": "a", "prompt": "b"}', "twice"),
        (b'{"prompt": "a", "regions": [{"x": 1, "x": 2}]}', "twice"),
        (b'{"numImages": NaN}', "NaN"),
        (b'{"numImages": -Infinity}', "-Infinity"),
        (b'{"numImages": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"prompt": ' + b'{"a":' * 100_000, "nested too deep"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"prompt": "caf\xe9"}', "UTF-8"),
        ('{"prompt": "x"}'.encode("utf-16"), "UTF-8"),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_a_body_that_is_not_a_json_object_gets_a_specific_message(
    api: Client, alice: User, body: bytes, words: str
) -> None:
    assert words in message_of(send(api, body), 400)
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    "content_type",
    ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", "image/png"],
)
def test_another_content_type_returns_415(api: Client, alice: User, content_type: str) -> None:
    response = send(api, json_fields(), **{"Content-Type": content_type})
    assert "application/json" in message_of(response, 415)
    assert_nothing_happened(alice)


def test_a_content_type_may_have_capitals_and_a_utf_8_charset(api: Client) -> None:
    for content_type in ("Application/JSON", 'application/json;charset="UTF-8"'):
        assert send(api, json_fields(), **{"Content-Type": content_type}).status_code == 200


@pytest.mark.parametrize("charset", ["latin-1", "utf-16", "rot13", "nonsense"])
def test_another_charset_is_refused(api: Client, alice: User, charset: str) -> None:
    response = send(api, json_fields(), **{"Content-Type": f"application/json; charset={charset}"})
    assert "UTF-8" in message_of(response, 400)
    assert_nothing_happened(alice)


def test_a_chunked_body_is_rejected_with_a_reason(api: Client, alice: User) -> None:
    sent = {"Transfer-Encoding": "chunked", "Content-Length": ""}
    assert "Content-Length" in message_of(send(api, b"", **sent), 400)
    assert_nothing_happened(alice)


def test_an_infinite_number_of_results_is_refused(api: Client, alice: User) -> None:
    body = b'{"prompt": "warmer", "imageUrls": ["https://example.org/a.jpg"], "numImages": 1e999}'
    assert "whole number" in message_of(send(api, body), 400)
    assert_nothing_happened(alice)


def test_a_json_body_over_a_megabyte_returns_413(api: Client, alice: User) -> None:
    assert message_of(send(api, json_fields(prompt="x" * 1024 * 1024)), 413) == TOO_LARGE
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"file2": cast.photo_bytes()}, "without a gap"),
        ({"file1": cast.photo_bytes(), "file3": cast.photo_bytes()}, "without a gap"),
        ({"file5": cast.photo_bytes()}, "file0, file1, and so on up to file4"),
        ({"photo": cast.photo_bytes()}, "file0, file1, and so on up to file4"),
        ({"file01": cast.photo_bytes()}, "file0, file1, and so on up to file4"),
        ({"file1": "photo.jpg"}, "file1 was sent as text"),
        ({"imageUrls": URL}, "in a JSON request"),
        ({"file1": [cast.photo_bytes(), cast.photo_bytes()]}, "file1 was sent more than once. Send it once."),
        ({"prompt": ["warmer", "colder"]}, "prompt was sent more than once. Send it once."),
        ({"numImages": "two"}, "numImages"),
        ({"numImages": "1.0"}, "numImages"),
        ({"numImages": "9"}, "numImages: Choose at most 4 results."),
        ({"aspectRatio": "wide"}, "aspectRatio"),
        ({"outputFormat": "tiff"}, "outputFormat"),
        ({"regions": "{"}, "regions"),
        ({"regions": "[" * 100_000}, "regions"),
        ({"regions": '[{"x":0,"y":0,"w":1,"h":1,"image":2}]'}, "photo 2, which is missing"),
        ({"partial": "maybe"}, "partial"),
        ({"keepEverythingElse": "maybe"}, "keepEverythingElse"),
        ({"prompt": "a\x00b"}, "be saved"),
    ],
    ids=repr,
)
def test_an_invalid_form_gets_a_specific_message(
    api: Client, alice: User, changed: dict[str, Any], words: str
) -> None:
    fields = form(**{name: _as_file(value) for name, value in changed.items()})
    assert words in message_of(send_form(api, fields), 400)
    assert_nothing_happened(alice)


def test_a_malformed_form_gets_a_message(api: Client, alice: User) -> None:
    for content_type in ("multipart/form-data", "multipart/form-data; boundary=\xff"):
        response = api.post(GENERATE, b"--x\r\nnonsense", content_type=content_type)
        assert "multipart form" in message_of(response, 400)
    cut = b'--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nwarmer'
    response = api.post(GENERATE, cut, content_type="multipart/form-data; boundary=x")
    assert message_of(response, 400) in ("At least one image URL is required", "Prompt is required")
    assert_nothing_happened(alice)


@pytest.mark.parametrize(
    "data", [b"", b"no photo", b"<svg/>", b"GIF89a" + b"\x00" * 20, cast.photo_bytes(400, 300)[:900]]
)
def test_a_file_that_is_not_a_photo_leaves_none_of_the_other_files(
    api: Client, alice: User, data: bytes
) -> None:
    fields = form(file1=cast.photo_file(), file2=cast.photo_file("bad.jpg", data=data))
    assert message_of(send_form(api, fields), 400).startswith("file2: ")
    assert_nothing_happened(alice)


def test_a_photo_over_the_limit_returns_413_with_its_field_name(
    api: Client, alice: User, settings: Any
) -> None:
    settings.MAX_PHOTO_MEGABYTES = 1
    fields = form(file1=cast.photo_file(data=b"\xff\xd8\xff" + b"x" * 3 * 1024 * 1024))
    assert message_of(send_form(api, fields), 413) == "file1: This photo is larger than 1 MB."
    assert_nothing_happened(alice)


def test_a_request_larger_than_five_photos_returns_413(api: Client, alice: User, settings: Any) -> None:
    settings.MAX_PHOTO_MEGABYTES = 1
    fields = form(file1=cast.photo_file(data=b"x" * 7 * 1024 * 1024))
    assert message_of(send_form(api, fields), 413) == TOO_LARGE
    assert_nothing_happened(alice)


def test_far_too_many_files_return_maximum_5_images_allowed(api: Client, alice: User) -> None:
    fields = {f"file{number}": cast.photo_file(data=b"x") for number in range(11)}
    assert message_of(send_form(api, form(**fields)), 400) == "Maximum 5 images allowed"
    assert_nothing_happened(alice)


def test_too_few_credits_return_402_before_a_photo_is_decoded(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_edit(alice, state="RUNNING", price=361, references=0)
    monkeypatch.setattr(drafts, "store_upload", lambda *_, **__: pytest.fail("a photo was decoded"))
    for response in (send(api, json_fields()), send_form(api, form())):
        assert message_of(response, 402) == "Insufficient credits"
    assert Edit.objects.count() == 1
    cast.assert_ledger_balances(alice.personal_workspace)


def test_exactly_enough_credits_are_enough(api: Client, alice: User) -> None:
    cast.make_edit(alice, state="RUNNING", price=360, references=0)
    assert send(api, json_fields()).status_code == 200
    assert message_of(send(api, json_fields()), 402) == "Insufficient credits"
    cast.assert_ledger_balances(alice.personal_workspace)


def test_credits_spent_during_decoding_return_402_and_leave_no_photo(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = drafts.store_upload

    def spends_meanwhile(*given: Any, **options: Any) -> Any:
        kept = keep(*given, **options)
        cast.make_edit(alice, state="RUNNING", price=400, references=0)
        return kept

    monkeypatch.setattr(drafts, "store_upload", spends_meanwhile)
    assert message_of(send_form(api, form()), 402) == "Insufficient credits"
    assert Edit.objects.count() == 1
    assert originals() == 0
    cast.assert_ledger_balances(alice.personal_workspace)


def test_an_upload_returns_503_if_all_decoders_are_busy(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photos.upload_pool, "_patience", 0.01)
    taken = [photos.upload_pool._free.get() for _ in range(max_parallel_jobs())]
    try:
        response = send_form(api, form())
    finally:
        for sandbox in taken:
            photos.upload_pool._free.put(sandbox)
    assert "busy" in message_of(response, 503)
    assert response.headers["Retry-After"] == "2"
    assert_nothing_happened(alice)


def test_a_full_queue_returns_503_before_the_upload_is_read_but_reports_an_existing_edit(
    api: Client, alice: User, settings: Any
) -> None:
    made = send(api, json_fields(), **{"Idempotency-Key": "made before"})
    settings.MAX_QUEUED_EDITS = 1
    response = api.post(GENERATE, b"no form", content_type="multipart/form-data; boundary=x")
    assert "Too many edits are waiting" in message_of(response, 503)
    assert response.headers["Retry-After"] == "60"
    assert send(api, json_fields(), **{"Idempotency-Key": "made before"}).json() == made.json()
    assert Edit.objects.count() == 1
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_full_disk_returns_507_and_holds_no_credits(
    api: Client, alice: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def full(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(photos, "_take_in", full)
        assert "disk of this site is full" in message_of(send_form(api, form()), 507)
    settings.MIN_FREE_MEGABYTES = 1_000_000_000
    response = api.post(GENERATE, b"no form", content_type="multipart/form-data; boundary=x")
    assert "disk of this site is full" in message_of(response, 507)
    assert_nothing_happened(alice)
    settings.MIN_FREE_MEGABYTES = 0
    assert send_form(api, form()).status_code == 200


def test_an_exception_leaves_no_photo(api: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any, **__: Any) -> None:
        raise RuntimeError("a canary that nobody sees")

    monkeypatch.setattr("editor.services.editing.submit.submit_edit", breaks)
    api.raise_request_exception = False
    message = message_of(send_form(api, form()), 500)
    assert "canary" not in message
    assert "charged" in message
    assert_nothing_happened(alice)


def _as_file(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_file(one) for one in value]
    return cast.photo_file(data=value) if isinstance(value, bytes) else value
