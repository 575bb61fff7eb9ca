"""Unpack an images API's response, which is JSON that contains the results as base64 strings.

The response comes from another site and may be a gigabyte long, so it is read in pieces, in the sandbox. Long
strings stay in the file, and only the rest is parsed as JSON.
"""

import base64
import binascii
import json
import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from editor.imaging.codecs import measure
from editor.imaging.errors import JobError, PhotoError

MAX_TEXT_BYTES = 8 * 1024  # maximum length, in bytes, of a string that is parsed as JSON
MAX_REST_BYTES = 256 * 1024  # maximum size, in bytes, of a response without its long strings
MAX_RESULTS = 10  # maximum number of results that are read from a response
_PIECE = 1024 * 1024
_MARK = "\0long text"
_QUOTE = re.compile(rb'"')
_TEXT_PART = re.compile(rb'[^"\\]*')
_UNFINISHED_ESCAPE = re.compile(rb"\\(?:u[0-9a-f]{0,3})?\Z", re.IGNORECASE)
_DATA_URI = re.compile(rb"data:[\w.+-]+/[\w.+-]+(?:;[\w=.+-]+)*,?", re.IGNORECASE)
_NOT_BASE64 = re.compile(rb"[\s]+")
type Span = tuple[int, int]


class NotUnpacked(JobError):
    """Raised when a response is not a valid JSON object."""


def unpack(source: str, target_stem: str, most_bytes: int) -> dict[str, Any]:
    """Write each result of a response to `<target_stem>-<number>`, and return what the response contains.

    Returns {results, rest}. `rest` is the response without its results. Each result is one of the following:

    - {path, kind, width, height}: a photo of at most `most_bytes`; `kind` is its format
    - {url}: a URL that starts with http:// or https://; nothing is fetched here
    - {problem}: "no_photo" or "too_large"

    Raises NotUnpacked if the response is not a JSON object.
    """
    with open(source, "rb") as file:
        spans: list[Span] = []
        body = _parsed(b"".join(_shortened(file, spans)))
        entries = body.pop("data", None)
        results = [
            _result(entry, file, spans, f"{target_stem}-{number}", most_bytes)
            for number, entry in enumerate(_objects(entries)[:MAX_RESULTS], start=1)
        ]
    return {"results": results, "rest": body}


def inspect(source: str) -> dict[str, Any]:
    """Return {path, kind, width, height} for a downloaded result, or {problem}."""
    try:
        kind, width, height = measure(source)
    except PhotoError:
        return {"problem": "no_photo"}
    return {"path": source, "kind": kind, "width": width, "height": height}


def _objects(entries: Any) -> list[dict[str, Any]]:
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _result(
    entry: dict[str, Any], file: BinaryIO, spans: list[Span], target: str, most_bytes: int
) -> dict[str, Any]:
    text = entry.get("b64_json") or entry.get("url")
    if isinstance(text, str) and text[:8].lower().startswith(("http://", "https://")):
        return {"url": text}
    pieces = _text_pieces(text, file, spans)
    if pieces is None:
        return {"problem": "no_photo"}
    try:
        _write_decoded(_without_data_uri(pieces), target, most_bytes)
    except OverflowError:
        return {"problem": "too_large"}
    except ValueError:  # This includes binascii.Error.
        return {"problem": "no_photo"}
    return inspect(target)


def _text_pieces(text: Any, file: BinaryIO, spans: list[Span]) -> Iterator[bytes] | None:
    """Return the pieces of a string that was parsed or left in the file, or None for any other value."""
    if isinstance(text, str):
        return iter([text.encode("utf-8", "replace")])
    if isinstance(text, dict) and isinstance(number := text.get(_MARK), int) and 0 <= number < len(spans):
        return _read_span(file, *spans[number])
    return None


def _read_span(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    """Yield the pieces of a long string. Raises ValueError for an invalid escape sequence.

    Servers may escape any character. For example, .NET escapes each plus sign.
    """
    rest = b""
    for at in range(start, end, _PIECE):
        file.seek(at)
        piece = rest + file.read(min(_PIECE, end - at))
        whole = _UNFINISHED_ESCAPE.sub(b"", piece)
        rest = piece[len(whole) :]
        text = json.loads(f'"{whole.decode("ascii", "replace")}"', strict=False)
        yield text.encode("ascii", "replace")
    yield rest


def _without_data_uri(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the base64 text without the start of a data URI (RFC 2397)."""
    head = next(pieces, b"")
    found = _DATA_URI.match(head[:200])
    if found and b";base64," not in found[0].lower():
        raise ValueError("The data URI is not in base64.")
    yield head[found.end() :] if found else head
    yield from pieces


def _write_decoded(pieces: Iterator[bytes], target: str, most_bytes: int) -> None:
    """Decode base64 text into a file.

    Raises OverflowError if the file would be too large. Also raises ValueError.
    """
    rest, size = b"", 0
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "wb") as file:
        for piece in pieces:
            text = rest + _NOT_BASE64.sub(b"", piece)
            whole = len(text) - len(text) % 4
            size += whole // 4 * 3
            if size > most_bytes + 3:
                raise OverflowError
            file.write(base64.b64decode(text[:whole], validate=True))
            rest = text[whole:]
        if rest:  # Some servers omit the padding.
            file.write(binascii.a2b_base64(rest + b"=" * (-len(rest) % 4), strict_mode=True))


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        body = json.loads(text.decode("utf-8-sig", "replace"), parse_constant=refuse_json_constant)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise NotUnpacked("The response is not a JSON object.")
    return body


def refuse_json_constant(constant: str) -> NoReturn:
    """Raise ValueError for NaN and Infinity, which Python's parser accepts although they are not JSON."""
    raise ValueError(f"{constant} is not JSON.")


def _shortened(file: BinaryIO, spans: list[Span]) -> Iterator[bytes]:
    """Yield the JSON text, with each long string replaced by an object that has its number in `spans`."""
    size = 0
    for part in _parts(file, spans):
        size += len(part)
        if size > MAX_REST_BYTES:
            raise NotUnpacked("The response contains more than its results.")
        yield part


def _parts(file: BinaryIO, spans: list[Span]) -> Iterator[bytes]:
    for is_text, start, end in _tokens(file):
        if is_text and end - start > MAX_TEXT_BYTES:
            yield json.dumps({_MARK: len(spans)}).encode()
            spans.append((start, end))
        else:
            here = file.tell()
            file.seek(start)
            content = file.read(min(end - start, MAX_REST_BYTES + 1))
            file.seek(here)
            yield b'"' + content + b'"' if is_text else content


def _tokens(file: BinaryIO) -> Iterator[tuple[bool, int, int]]:
    """Yield each string and each part between two strings.

    Each is a tuple: whether it is a string, its start, and its end. A string's quotation marks are not
    included.
    """
    is_text, is_escaped, start, at = False, False, 0, 0
    while piece := file.read(_PIECE):
        here = 0
        while here < len(piece):
            if is_escaped:
                here, is_escaped = here + 1, False
                continue
            if is_text:
                here = _TEXT_PART.match(piece, here).end()  # type: ignore[union-attr]  # It always matches.
                if here == len(piece):
                    break
                if piece[here] == 0x5C:  # a backslash
                    here, is_escaped = here + 1, True
                    continue
            else:
                found = _QUOTE.search(piece, here)
                if found is None:
                    break
                here = found.start()
            yield is_text, start, at + here
            is_text, start, here = not is_text, at + here + 1, here + 1
        at += len(piece)
    if is_text:
        raise NotUnpacked("The response broke off.")
    yield False, start, at
