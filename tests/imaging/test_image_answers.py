"""Tests for unpacking an images API's responses, however large, broken, or hostile they are."""

import base64
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from editor.imaging import image_answers
from editor.imaging.image_answers import NotUnpacked, unpack
from tests import cast, scenes

MOST_BYTES = 1024 * 1024


def unpacked(folder: Path, content: Any, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    source = folder / "answer"
    source.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return unpack(str(source), str(folder / "result"), most_bytes)


def encoded(photo: bytes) -> str:
    return base64.b64encode(photo).decode()


def large_photo(folder: Path) -> bytes:
    path = folder / "large.png"
    scenes.lake(300, 200).save(path)
    assert path.stat().st_size > 2 * image_answers.MAX_TEXT_BYTES
    return path.read_bytes()


def test_results_are_written_to_files_in_their_order(tmp_path: Path) -> None:
    photos = [cast.photo_bytes(30, 20, format=kind) for kind in ("PNG", "JPEG", "WEBP")]
    photos.append(large_photo(tmp_path))
    data = [{"b64_json": encoded(photo)} for photo in photos]
    found = unpacked(tmp_path, {"created": 1, "data": data, "usage": {"total_tokens": 3}})
    assert found["rest"] == {"created": 1, "usage": {"total_tokens": 3}}
    assert [result["kind"] for result in found["results"]] == ["png", "jpeg", "webp", "png"]
    assert [(result["width"], result["height"]) for result in found["results"]] == [(30, 20)] * 3 + [
        (300, 200)
    ]
    assert [Path(result["path"]).read_bytes() for result in found["results"]] == photos


def test_base64_may_be_wrapped_escaped_or_without_padding(tmp_path: Path) -> None:
    photo = large_photo(tmp_path)
    text = encoded(photo)
    wrapped = "\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    for variant in (
        json.dumps(wrapped),
        json.dumps(text).replace("/", "\\/"),
        json.dumps(text).replace("+", "\\u002B").replace("=", "\\u003d"),
        json.dumps(text.rstrip("=")),
        json.dumps(f"data:image/png;base64,{text}"),
    ):
        content = f'\ufeff{{"data": [ {{"b64_json" :{variant}}} ]}}'.encode()
        [result] = unpacked(tmp_path, content)["results"]
        assert Path(result["path"]).read_bytes() == photo


def test_a_data_uri_may_be_given_as_a_url(tmp_path: Path) -> None:
    for photo in (cast.photo_bytes(30, 20), large_photo(tmp_path)):
        [result] = unpacked(tmp_path, {"data": [{"url": f"data:image/png;base64,{encoded(photo)}"}]})[
            "results"
        ]
        assert Path(result["path"]).read_bytes() == photo


def test_a_web_url_is_returned_unchanged(tmp_path: Path) -> None:
    found = unpacked(tmp_path, {"data": [{"url": "https://cdn.example.org/a.png?b=c"}, {"url": "HTTP://x/"}]})
    assert found["results"] == [{"url": "https://cdn.example.org/a.png?b=c"}, {"url": "HTTP://x/"}]


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"b64_json": None},
        {"b64_json": 7},
        {"b64_json": ["x"]},
        {"b64_json": "not base64!"},
        {"b64_json": encoded(b"<svg xmlns='http://www.w3.org/2000/svg'/>")},
        {"b64_json": encoded(b"<!doctype html><title>Sorry</title>" * 900)},
        {"b64_json": "A" * 20_001},
        {"b64_json": "\\" * 20_000},
        {"b64_json": "\u00e4" * 20_000},
        {"b64_json": "A" * 20_000 + "\0"},
        {"b64_json": {"\0long text": 5}},
        {"b64_json": {"\0long text": -1}},
        {"url": "/var/lib/xinference/image.jpg"},
        {"url": "file:///etc/passwd"},
        {"url": "//cdn.example.org/a.png"},
        {"url": "data:image/svg+xml,<svg/>"},
        {"url": "javascript:alert(1)"},
        {"revised_prompt": "a dragon"},
    ],
    ids=lambda entry: str(entry)[:50],
)
def test_an_entry_that_is_not_a_photo_is_reported(tmp_path: Path, entry: dict[str, Any]) -> None:
    assert unpacked(tmp_path, {"data": [entry]})["results"] == [{"problem": "no_photo"}]


@pytest.mark.parametrize("data", [None, "x", 5, {}, [], ["x", None, 3]])
def test_a_response_without_results_gives_an_empty_list(tmp_path: Path, data: Any) -> None:
    assert unpacked(tmp_path, {"data": data, "error": "No."}) == {"results": [], "rest": {"error": "No."}}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"<html>502</html>",
        b'{"data": [',
        b'{"data": [{"b64_json": "' + b"A" * 50_000,
        b'{"data": [{"b64_json": "AAA\\',
        b'{"data": NaN}',
        b"[" * 100_000,
        b'{"x": ' + b"9" * 5_000 + b"}",
        b'{"' + b"k" * 20_000 + b'": 1}',
        b"{" + b'"a": "b",' * 50_000 + b'"c": 1}',
        b"\xff\xfe{\0",
    ],
    ids=lambda content: str(content)[:30],
)
def test_content_that_is_not_a_json_object_is_rejected(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(NotUnpacked):
        unpacked(tmp_path, content)


def test_a_result_that_is_too_large_is_reported_and_the_others_are_kept(tmp_path: Path) -> None:
    small = cast.photo_bytes(30, 20)
    data = [{"b64_json": "A" * (2 * MOST_BYTES)}, {"b64_json": encoded(small)}]
    first, second = unpacked(tmp_path, {"data": data})["results"]
    assert (first, second["kind"]) == ({"problem": "too_large"}, "jpeg")


def test_a_photo_with_too_many_pixels_is_reported(tmp_path: Path) -> None:
    Image.new("L", (20_001, 10)).save(tmp_path / "wide.png")
    wide = encoded((tmp_path / "wide.png").read_bytes())
    assert unpacked(tmp_path, {"data": [{"b64_json": wide}]})["results"] == [{"problem": "no_photo"}]


def test_the_number_of_unpacked_results_is_limited(tmp_path: Path) -> None:
    data = [{"b64_json": encoded(cast.photo_bytes(8, 8))}] * 50
    assert len(unpacked(tmp_path, {"data": data})["results"]) == image_answers.MAX_RESULTS


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 64])
def test_the_size_of_the_pieces_does_not_change_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int
) -> None:
    monkeypatch.setattr(image_answers, "_PIECE", piece)
    monkeypatch.setattr(image_answers, "MAX_TEXT_BYTES", 40)
    photo = cast.photo_bytes(8, 8)
    text = json.dumps(f"data:image/jpeg;base64,{encoded(photo)}" if piece > 60 else encoded(photo))
    escaped = text.replace("/", "\\/").replace("+", "\\u002B")
    content = b'{"a\\"b": "\\\\", "data": [{"b64_json": ' + escaped.encode() + b"}]}"
    found = unpacked(tmp_path, content)
    assert found["rest"] == {'a"b': "\\"}
    assert Path(found["results"][0]["path"]).read_bytes() == photo


def test_a_large_response_needs_little_memory(tmp_path: Path) -> None:
    source = tmp_path / "answer"
    with source.open("wb") as file:
        file.write(b'{"data": [{"b64_json": "')
        for _ in range(40):
            file.write(b"A" * MOST_BYTES)
        file.write(b'"}]}')
    tracemalloc.start()
    try:
        found = unpack(str(source), str(tmp_path / "result"), 200 * MOST_BYTES)
        assert tracemalloc.get_traced_memory()[1] < 12 * MOST_BYTES
    finally:
        tracemalloc.stop()
    assert found["results"] == [{"problem": "no_photo"}]
    assert (tmp_path / "result-1").stat().st_size == 30 * MOST_BYTES
