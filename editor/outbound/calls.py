"""The two kinds of requests: `call` sends a request to an API, and `download` saves a file."""

import os
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpcore
import httpx

from editor.outbound.addresses import ParsedUrl, is_plain, parse, refusal
from editor.outbound.contract import Files, Response, Rules
from editor.outbound.errors import OutboundError
from editor.outbound.wire import CallState, exchange

# Bytes that are kept of a response whose status is not 2xx.
MAX_ERROR_BYTES = 64 * 1024
MAX_REDIRECTS = 3
RATE_GRACE_SECONDS = 10.0
# The average bytes per second that a download must reach once RATE_GRACE_SECONDS have passed.
MIN_BYTES_PER_SECOND = 10_000
_PIECE = 64 * 1024
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = {"User-Agent": "Darkroom", "Accept-Encoding": "identity", "Connection": "close"}


def call(
    method: str,
    url: str,
    *,
    rules: Rules,
    seconds: float,
    cap: int,
    headers: Mapping[str, str] | None = None,
    params: Mapping[str, str] | None = None,
    json: Any = None,
    data: Mapping[str, str | list[str]] | None = None,
    files: Files = (),
    content: bytes | None = None,
    stop: threading.Event | None = None,
    silence: float | None = None,
    target: Path | None = None,
) -> Response:
    """Send one request and return the response, whatever its status, without redirects or retries.

    `seconds` is a wall-clock limit on the time from the name lookup to the last byte. `silence` is the
    longest allowed pause of the remote site, in seconds, if the default is too short. `cap` limits the
    decoded body, in bytes; if it is 0, the body is not read. `params` are added to the query. With `files`,
    the request is multipart and contains both `files` and `data`. Setting `stop` aborts the call. With
    `target`, the body of a 2xx response is written to that file, as `download` does, and `content` is empty.

    Raises OutboundError, or OSError if one of our files cannot be read or written.
    """
    state = CallState(time.monotonic() + seconds, stop)
    at = parse(url)
    with ExitStack() as opened:
        request = httpx.Request(
            method,
            # Merging would rewrite the query, which could break the signature of a signed URL.
            at.url.copy_merge_params(params) if params else at.url,
            headers=_with_ours(headers or {}),
            json=json,
            data=data,
            files=[(name, _opened(file, opened)) for name, file in files] or None,
            content=content,
        )
        is_listed = at.origin in rules.allowed_origins
        with exchange(request, at, state, rules=rules, is_listed=is_listed, silence=silence) as response:
            if target is not None and 200 <= response.status < 300:
                _write(_limited(_decoded(response), cap), target)
                body = b""
            else:
                body = _whole(response, cap=cap) if cap else b""
            return Response(response.status, httpx.Headers(response.headers), body)


def download(
    url: str,
    target: Path,
    *,
    rules: Rules,
    seconds: float,
    cap: int,
    stop: threading.Event | None = None,
    redirects: int = MAX_REDIRECTS,
) -> str:
    """Download `url` to `target` and return the Content-Type, or "" if there is none.

    The file has mode 0600 and replaces an existing file. At most `redirects` redirects are followed, each
    through the same guard. After a redirect that leaves a listed origin, the rest of the download counts as
    unlisted. If the download fails, no file remains at `target`. Raises OutboundError, with kind "status" for
    any status except 200. Raises OSError if the file cannot be written.
    """
    state = CallState(time.monotonic() + seconds, stop)
    at = parse(url)
    is_listed = at.origin in rules.allowed_origins
    for _ in range(1 + redirects):
        request = httpx.Request("GET", at.url, headers=_HEADERS)
        with exchange(request, at, state, rules=rules, is_listed=is_listed) as response:
            onward = _onward(response, at)
            if onward is None:
                return _saved(response, target, state, cap=cap)
        is_listed = is_listed and onward.origin == at.origin
        at = onward
    raise refusal(f"it redirects more than {redirects} times")


def _with_ours(headers: Mapping[str, str]) -> httpx.Headers:
    merged = httpx.Headers(_HEADERS)
    merged.update(headers)
    return merged


def _opened(file: tuple[str, Path, str], opened: ExitStack) -> tuple[str, Any, str]:
    name, path, media_type = file
    return name, opened.enter_context(path.open("rb")), media_type


def _whole(response: httpcore.Response, *, cap: int) -> bytes:
    is_good = 200 <= response.status < 300
    limit = cap if is_good else min(cap, MAX_ERROR_BYTES)
    content = bytearray()
    for piece in _decoded(response):
        content += piece
        if len(content) > limit and is_good:
            raise OutboundError("too_large", sent=True)
        if len(content) > limit:
            break
    return bytes(content[:limit])


def _decoded(response: httpcore.Response) -> Iterator[bytes]:
    """Yield the decoded body in pieces.

    We request no encoding. gzip and deflate are accepted anyway and decoded in pieces of at most _PIECE
    bytes. Raises OutboundError for other encodings.
    """
    encoding = httpx.Headers(response.headers).get("content-encoding", "identity").strip().lower()
    if encoding in ("identity", ""):
        yield from response.iter_stream()
    elif encoding in ("gzip", "x-gzip", "deflate"):
        yield from _inflated(response.iter_stream())
    else:
        raise OutboundError("broken", sent=True)


def _inflated(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield at most _PIECE bytes at a time, because 64 kB can expand to 64 MB.

    A gzip stream may have several members (RFC 1952, section 2.2).
    """
    inflater = _inflater()
    is_empty = True
    try:
        for chunk in chunks:
            is_empty = False
            while chunk:
                if inflater.eof:
                    inflater = _inflater()
                yield inflater.decompress(chunk, _PIECE)
                chunk = inflater.unconsumed_tail or inflater.unused_data
    except zlib.error as error:
        raise OutboundError("broken", sent=True) from error
    if not inflater.eof and not is_empty:
        raise OutboundError("broken", sent=True)


def _inflater() -> "zlib._Decompress":
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # The header indicates gzip or zlib.


def _onward(response: httpcore.Response, at: ParsedUrl) -> ParsedUrl | None:
    """Return the URL that a redirect leads to, or None for any other response."""
    place = httpx.Headers(response.headers).get("location")
    if response.status not in _REDIRECTS or place is None:
        return None
    if not is_plain(place):
        raise refusal("it redirects to something unusual")
    return parse(_joined(str(at.url), place))


def _joined(base: str, place: str) -> str:
    try:
        return urljoin(base, place)
    except ValueError:
        raise refusal("it redirects to something malformed") from None


def _saved(response: httpcore.Response, target: Path, state: CallState, *, cap: int) -> str:
    if response.status != 200:
        raise OutboundError("status", sent=True, status=response.status)
    _write(_paced(_decoded(response), state, cap=cap), target)
    return str(httpx.Headers(response.headers).get("content-type", ""))


def _write(pieces: Iterator[bytes], target: Path) -> None:
    target.unlink(missing_ok=True)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _limited(pieces: Iterator[bytes], cap: int) -> Iterator[bytes]:
    received = 0
    for piece in pieces:
        received += len(piece)
        if received > cap:
            raise OutboundError("too_large", sent=True)
        yield piece


def _paced(pieces: Iterator[bytes], state: CallState, *, cap: int) -> Iterator[bytes]:
    """Yield the pieces, and extend the deadline with each piece.

    The connection is closed as soon as the average rate falls below MIN_BYTES_PER_SECOND.
    """
    began, deadline, received = time.monotonic(), state.deadline, 0
    state.deadline = min(deadline, began + RATE_GRACE_SECONDS)
    for piece in _limited(pieces, cap):
        received += len(piece)
        state.deadline = min(deadline, began + max(RATE_GRACE_SECONDS, received / MIN_BYTES_PER_SECOND))
        yield piece
