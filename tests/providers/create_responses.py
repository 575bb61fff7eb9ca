"""All kinds of responses that an upstream site can give to a create request, along with their outcomes.

Each row contains a script for the upstream site and the outcome. In every case, at most one create request
may reach the upstream site.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from editor.providers.contract import BUSY, REJECTED, UNAVAILABLE, UNCONFIRMED, Fault
from tests.hostile_server import (
    End,
    Script,
    after,
    answer,
    chunked,
    dripping_head,
    endless,
    flood_of_1xx,
    gzip_bomb,
    many_headers,
    raw,
    reset,
    silence,
)

PICTURE = "https://cdn.example.org/a.png"
JITTER = (1.0, 30.0)


@dataclass(frozen=True)
class Accepted:
    """The outcome is a task that has this ID."""

    task_id: str


@dataclass(frozen=True)
class AtOnce:
    """The outcome is a success, because the response already contains the results."""

    urls: tuple[str, ...] = (PICTURE,)


@dataclass(frozen=True)
class Refused:
    """The outcome is an error.

    `again` is the range, in seconds, of the delay after which the create request is sent again.
    """

    code: str
    message: str
    again: tuple[float, float] | None = None
    fault: Fault = Fault.ENGINE


type Outcome = Accepted | AtOnce | Refused

MAYBE_ARRIVED = Refused("unconfirmed", UNCONFIRMED)
THEIR_OPERATOR = Refused("engine_unavailable", UNAVAILABLE, fault=Fault.OPERATOR)
REJECTION = Refused("rejected", REJECTED, fault=Fault.REQUEST)
SHORTAGES = (
    "Insufficient credits",
    "insufficient  credits.",
    "Not enough credits",
    "Payment required",
    "Billing is not set up",
    "Quota exceeded",
    "You exceeded your current quota",
    "Out of credits",
)


SHORT = 3.0  # a time limit in seconds, within which even a busy machine sends the request


def busy(least: float, most: float) -> Refused:
    return Refused("engine_unavailable", BUSY, (least, most), Fault.REQUEST)


def rejected_with(message: str) -> Refused:
    return Refused("rejected", f"{message} You were not charged.", fault=Fault.REQUEST)


@dataclass(frozen=True)
class Row:
    """One response, along with its outcome.

    `seconds` limits the create request, and `changes` modify the profile.
    """

    name: str
    script: Script
    outcome: Outcome
    seconds: float = 600.0
    changes: dict[str, Any] = field(default_factory=dict)


def envelope(data: Any = None, *, code: Any = 0, success: Any = True, **more: Any) -> dict[str, Any]:
    return {"code": code, "success": success, "data": data, **more}


def task(task_id: Any = "task-1", **more: Any) -> dict[str, Any]:
    return envelope({"provider": "p", "model": "m", "taskId": task_id, "numImages": 1}, **more)


def images(*urls: Any) -> dict[str, Any]:
    return envelope({"images": [{"url": url} for url in urls]})


NO = {"code": 400, "success": False, "message": "No faces, please"}
HTML = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>"
BODIES: dict[str, Any] = {"nothing": b"", "html": HTML, "a reason": NO, "a task": task()}


def rows() -> list[Row]:
    """Return all rows. Each row has a unique name."""
    every = [
        *_by_status(),
        *_busy(),
        *_shapes(),
        *_task_ids(),
        *_at_once(),
        *_reasons(),
        *_encodings(),
        *_wires(),
        *_profiles(),
    ]
    assert len({row.name for row in every}) == len(every)
    return every


_UNDECIDED = (
    408,
    425,
    500,
    501,
    502,
    503,
    504,
    505,
    507,
    508,
    511,
    520,
    521,
    522,
    524,
    526,
    529,
    530,
    599,
    999,
)
_OPERATORS = (300, 301, 302, 303, 304, 305, 307, 308, 401, 402, 403, 404, 405, 407)
_REFUSING = (
    400,
    406,
    409,
    410,
    411,
    412,
    413,
    414,
    415,
    416,
    418,
    421,
    422,
    423,
    424,
    426,
    428,
    431,
    451,
    499,
)
_GOOD = (200, 201, 202, 203, 206, 226)


def _by_status() -> Iterator[Row]:
    for status in _UNDECIDED:
        for name, body in BODIES.items():
            yield Row(f"{status} with {name}", answer(status, body), MAYBE_ARRIVED)
    for status in _OPERATORS:
        headers = {"Location": "https://elsewhere.example.org/"} if status < 400 else {}
        for name, body in BODIES.items():
            sent = b"" if status == 304 else body
            yield Row(f"{status} with {name}", answer(status, sent, headers=headers), THEIR_OPERATOR)
    for status in _REFUSING:
        for name, body in BODIES.items():
            outcome = rejected_with("No faces, please.") if body is NO else REJECTION
            yield Row(f"{status} with {name}", answer(status, body), outcome)
    for status in _GOOD:
        yield Row(f"{status} with a task", answer(status, task()), Accepted("task-1"))
        yield Row(f"{status} with results", answer(status, images(PICTURE)), AtOnce())
        yield Row(f"{status} with a no", answer(status, NO), rejected_with("No faces, please."))
        yield Row(f"{status} with html", answer(status, HTML), MAYBE_ARRIVED)
        yield Row(f"{status} with nothing", answer(status), MAYBE_ARRIVED)
    for status in (204, 205):
        yield Row(f"{status}", answer(status), MAYBE_ARRIVED)


def _busy() -> Iterator[Row]:
    now = datetime.now(UTC)
    waits: dict[str, tuple[str | None, float, float]] = {
        "no wait": (None, *JITTER),
        "5 s": ("5", 5, 5),
        "spaces around": ("  7 ", 7, 7),
        "0 s": ("0", 1, 1),
        "an hour": ("3600", 120, 120),
        "a number of nine digits": ("999999999", 120, 120),
        "a number of fifty digits": ("9" * 50, *JITTER),
        "a negative number": ("-5", *JITTER),
        "a fraction": ("1.5", *JITTER),
        "two numbers": ("5, 10", *JITTER),
        "words": ("in a while", *JITTER),
        "nothing": ("", *JITTER),
        "other digits": ("\u0665".encode().decode("latin-1"), *JITTER),
        "a date in half a minute": (format_datetime(now + timedelta(minutes=1), usegmt=True), 1, 60),
        "a date of last year": (format_datetime(now - timedelta(days=365), usegmt=True), 1, 1),
        "a date of next year": (format_datetime(now + timedelta(days=365), usegmt=True), 120, 120),
        "no date": ("Fri, 99 Foo 2026 99:99:99 GMT", *JITTER),
        "a date of the year 99999": ("Fri, 01 Jan 99999 00:00:00 GMT", *JITTER),
    }
    for name, (value, least, most) in waits.items():
        headers = {} if value is None else {"Retry-After": value}
        yield Row(f"429, {name}", answer(429, b"", headers=headers), busy(least, most))
    for name, body in BODIES.items():
        yield Row(f"429 with {name}", answer(429, body, headers={"Retry-After": "3"}), busy(3, 3))


def _shapes() -> Iterator[Row]:
    """Yield variations of the JSON envelope, all of which have status 200."""
    unreadable: dict[str, Any] = {
        "an unended object": '{"success": true',
        "a list": [task()],
        "a string": '"ok"',
        "a number": "7",
        "null": "null",
        "true": "true",
        "NaN": '{"success": true, "data": {"taskId": "a", "x": NaN}}',
        "Infinity": '{"success": true, "data": {"taskId": "a", "x": Infinity}}',
        "minus Infinity": '{"success": true, "data": {"taskId": "a", "x": -Infinity}}',
        "100,000 brackets": "[" * 100_000,
        "100,000 nested objects": '{"a":' * 100_000,
        "an integer of 5,000 digits": '{"success": true, "data": {"taskId": ' + "9" * 5000 + "}}",
        "two objects": json.dumps(task()) + json.dumps(task()),
        "a comment": "/* ok */" + json.dumps(task()),
        "a callback": f"callback({json.dumps(task())})",
        "apostrophes": str(task()),
        "utf-16": json.dumps(task()).encode("utf-16"),
        "zeros": bytes(100),
        "spaces": " " * 1000,
    }
    for name, body in unreadable.items():
        yield Row(f"{name} as body", answer(200, body), MAYBE_ARRIVED)
    unclear: dict[str, Any] = {
        "success as text": task(success="true"),
        "success as 1": task(success=1),
        "success as 200": task(success="200"),
        "success as an object": task(success={}),
        "success as null": task(success=None),
        "success as a deep list": '{"success": %s, "data": {"taskId": "a"}}' % ("[" * 900 + "]" * 900),
        "no success": {"code": 0, "data": {"taskId": "a"}},
        "no data": {"code": 0, "success": True},
        "data as null": envelope(None),
        "data as text": envelope("task-1"),
        "data as a list": envelope([{"taskId": "a"}]),
        "data as a number": envelope(7),
        "an empty object": {},
        "the task beside data": {"success": True, "taskId": "a"},
    }
    for name, body in unclear.items():
        yield Row(name, answer(200, body), MAYBE_ARRIVED)
    clear: dict[str, tuple[Any, Outcome]] = {
        "unknown fields": (task(traceId="x", extra=[1, {"y": None}]), Accepted("task-1")),
        "a code that is not 0": (task(code=500), Accepted("task-1")),
        "a code of 200": (task(code=200), Accepted("task-1")),
        "a code as text": (task(code="0"), Accepted("task-1")),
        "no code": ({"success": True, "data": {"taskId": "a"}}, Accepted("a")),
        "code 0 and no success": (envelope(None, success=False), REJECTION),
        "success false beside a task": (task(success=False, message="Busy"), Accepted("task-1")),
        "success false beside results": (images(PICTURE) | {"success": False}, REJECTION),
        "a doubled success, the last counts": (
            '{"success": true, "success": false, "data": {}}',
            REJECTION,
        ),
        "a doubled task, the last counts": (
            '{"success": true, "data": {"taskId": "a", "taskId": "b"}}',
            Accepted("b"),
        ),
        "a task and results": (envelope({"taskId": "a", "images": [{"url": PICTURE}]}), Accepted("a")),
        "a lone surrogate beside it": (
            '{"success": true, "data": {"taskId": "a", "prompt": "\\ud800"}}',
            Accepted("a"),
        ),
        "1e999 beside it": ('{"success": true, "data": {"taskId": "a", "x": 1e999}}', Accepted("a")),
    }
    for name, (body, outcome) in clear.items():
        yield Row(name, answer(200, body), outcome)


def _task_ids() -> Iterator[Row]:
    usable: dict[str, str | int] = {
        "a uuid": "0198c0de-0000-7000-8000-000000000001",
        "one letter": "a",
        "200 letters": "a" * 200,
        "every sign": "Az09._:~-",
        "dots": "..",
        "a number": 12345,
        "zero": 0,
        "a negative number": -7,
        "a number of 100 digits": 10**100,
    }
    for name, given in usable.items():
        yield Row(f"{name} as taskId", answer(200, task(given)), Accepted(str(given)))
    unusable: dict[str, Any] = {
        "nothing": "",
        "a space": " ",
        "null": None,
        "true": True,
        "false": False,
        "a fraction": 1.5,
        "an object": {"id": "a"},
        "a list": ["a"],
        "201 letters": "a" * 201,
        "10 kB": "a" * 10_000,
        "a number of 300 digits": 10**300,
        "a path": "../../admin",
        "a query": "a&taskId=b",
        "a fragment": "a#b",
        "a percent sign": "a%2e",
        "a slash": "a/b",
        "a backslash": "a\\b",
        "a new line": "a\nb",
        "a new line at its end": "a\n",
        "NUL": "a\x00",
        "an umlaut": "ä",
        "other digits": "\u0661\u0662",
        "a surrogate": "\ud800",
        "markup": "<b>a</b>",
        "a quote": "a'--",
    }
    for name, given in unusable.items():
        yield Row(f"{name} as taskId", answer(200, task(given)), MAYBE_ARRIVED)
    yield Row("no success and no taskId", answer(200, task("a/b", success=False)), REJECTION)


def _at_once() -> Iterator[Row]:
    many = [f"https://cdn.example.org/{n}.png" for n in range(50)]
    yield Row("results, doubles among them", answer(200, images(PICTURE, PICTURE)), AtOnce())
    yield Row("fifty results", answer(200, images(*many)), AtOnce(tuple(many[:10])))
    yield Row(
        "one usable result", answer(200, images("data:image/png;base64,AA", None, 7, PICTURE)), AtOnce()
    )
    yield Row("results beside an unusable task", answer(200, _with_task(images(PICTURE), "a/b")), AtOnce())
    for name, url in _UNUSABLE_URLS.items():
        yield Row(f"only {name} as result", answer(200, images(url)), MAYBE_ARRIVED)
    for name, given in {"text": "x", "an object": {"url": PICTURE}, "null": None, "a number": 1}.items():
        yield Row(f"{name} as images", answer(200, envelope({"images": given})), MAYBE_ARRIVED)


_UNUSABLE_URLS: dict[str, Any] = {
    "a data address": "data:image/png;base64,AAAA",
    "a file address": "file:///etc/passwd",
    "an ftp address": "ftp://cdn.example.org/a.png",
    "a script": "javascript:alert(1)",
    "a path": "/results/a.png",
    "an address without scheme": "//cdn.example.org/a.png",
    "a scheme alone": "https://",
    "a broken bracket": "https://[::1/a.png",
    "a surrogate": "https://cdn.example.org/\ud800",
    "an address with NUL": "https://cdn.example.org/a\x00.png",
    "an address of two lines": "https://cdn.example.org/a\r\nHost: x",
    "an address of 10 kB": "https://cdn.example.org/" + "a" * 10_000,
    "nothing": "",
    "null": None,
    "a number": 7,
    "an object": {"href": PICTURE},
}


def _with_task(body: dict[str, Any], task_id: str) -> dict[str, Any]:
    return body | {"data": body["data"] | {"taskId": task_id}}


def _reasons() -> Iterator[Row]:
    """Yield responses that have status 400.

    They differ in the position of the message and in how the message must be cleaned.
    """
    places: dict[str, Any] = {
        "message": {"message": "Too dark"},
        "msg": {"msg": "Too dark"},
        "error": {"error": "Too dark"},
        "error.message": {"error": {"message": "Too dark"}},
        "detail": {"detail": "Too dark"},
        "data.message": {"data": {"message": "Too dark"}},
        "data.error": {"data": {"error": "Too dark"}},
        "errors[0].message": {"errors": [{"message": "Too dark"}]},
        "the second place, the first being empty": {"message": " ", "msg": "Too dark"},
        "the second place, the first being a number": {"message": 7, "msg": "Too dark"},
        "the second place, the first being markup": {"message": "<b></b>", "msg": "Too dark"},
    }
    for name, body in places.items():
        yield Row(f"a reason in {name}", answer(400, body), rejected_with("Too dark."))
    nowhere: dict[str, Any] = {
        "an unknown place": {"why": "x"},
        "an empty list": {"errors": []},
        "a deep place": {"a": {"message": "x"}},
    }
    for name, body in nowhere.items():
        yield Row(f"a reason in {name}", answer(400, body), REJECTION)
    texts = {
        "its own full stop": ("Too dark.", "Too dark."),
        "a question": ("Too dark?", "Too dark?"),
        "markup": ("<script>alert(1)</script>Too <b>dark</b>", "alert(1) Too dark."),
        "a smaller-than sign": ("Photos must be <20 MB each", "Photos must be <20 MB each."),
        "an address": ("See https://internal.example.org/x?token=abc for more", "See for more."),
        "an address without scheme": ("Ask www.example.org now", "Ask now."),
        "a colon that is no address": ("Invalid data: too dark", "Invalid data: too dark."),
        "control characters": ("Too\x00\x07 dark\r\n\tnow", "Too dark now."),
        "direction characters": ("Too \u202edark\u2066 now\u200b", "Too dark now."),
        "a surrogate": ("Too \ud800dark", "Too ?dark."),
        "a bearer": ("Bad header Bearer abc.def", "Bad header."),
        "a key of another kind": ("Bad key sk-live-0123456789abcdefghij", "Bad key."),
        "a key with hyphens": ("Bad key sk-aaaa-bbbb-cccc-dddd-1234", "Bad key."),
        "the operator's key": ("Bad key k3y-CANARY-of-the-operator, sorry", "Bad key [hidden], sorry."),
        "a thousand words": ("dark " * 1000, ("dark " * 60)[:299] + "…"),
        "an emoji": ("Too dark \U0001f311", "Too dark \U0001f311."),
        "another script": ("写真が暗すぎます", "写真が暗すぎます."),
    }
    for name, (text, shown) in texts.items():
        yield Row(f"a reason with {name}", answer(400, {"message": text}), rejected_with(shown))
    told_so = "Too dark. You were not charged. Try a brighter one."
    outcome = Refused("rejected", told_so, fault=Fault.REQUEST)
    yield Row("a reason that says it was not charged", answer(400, {"message": told_so}), outcome)
    for message in SHORTAGES:
        yield Row(f"400: {message}", answer(400, {"message": message}), THEIR_OPERATOR)
    body = envelope(None, success=False, message="Insufficient credits")
    yield Row("200: Insufficient credits", answer(200, body), THEIR_OPERATOR)
    for message in ("Photos of payment cards are not allowed", "Crediting is insufficient"):
        yield Row(f"400: {message}", answer(400, {"message": message}), rejected_with(f"{message}."))


def _encodings() -> Iterator[Row]:
    """Yield JSON responses that have other content types and encodings."""
    body = json.dumps(task())
    types = (
        "text/plain",
        "text/html; charset=utf-8",
        "application/json; charset=latin-1",
        "application/octet-stream",
        "?",
    )
    for kind in types:
        yield Row(f"JSON as {kind}", answer(200, body, headers={"Content-Type": kind}), Accepted("task-1"))
    yield Row("JSON with a BOM", answer(200, b"\xef\xbb\xbf" + body.encode()), Accepted("task-1"))
    yield Row(
        "JSON with a bad byte", answer(200, body.encode().replace(b'"p"', b'"\xff"')), Accepted("task-1")
    )
    yield Row("JSON after new lines", answer(200, b"\r\n\r\n" + body.encode() + b"\n"), Accepted("task-1"))
    yield Row("JSON in chunks", chunked(body[:9].encode(), body[9:].encode()), Accepted("task-1"))
    yield Row("JSON without a length", answer(200, body, length=-1), Accepted("task-1"))
    yield Row("JSON of 900 kB", answer(200, task(filler="x" * 900_000)), Accepted("task-1"))
    yield Row(
        "JSON after one 103",
        raw(b"HTTP/1.1 103 Early Hints\r\n\r\n", _http(body), End.CLOSE),
        Accepted("task-1"),
    )
    yield Row("JSON by bytes", answer(200, body, drip=0.001), Accepted("task-1"))


def _http(body: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def _wires() -> Iterator[Row]:
    body = json.dumps(task())
    short = {"seconds": SHORT}
    broken: dict[str, tuple[Script, dict[str, Any]]] = {
        "a reset": (reset(), {}),
        "a close": (raw(End.CLOSE), {}),
        "silence": (silence(), short),
        "an answer that comes too late": (after(30.0, answer(200, body)), short),
        "a dripped head": (dripping_head(0.05), short),
        "a dripped body": (answer(200, body, drip=0.05), short),
        "a flood of 103": (flood_of_1xx(), short),
        "an endless body": (endless(), {}),
        "a body of 2 MB": (answer(200, "x" * 2_000_000), {}),
        "a gzip bomb": (gzip_bomb(64), {}),
        "two layers of gzip": (gzip_bomb(1, layers=2), {}),
        "brotli": (answer(200, body, headers={"Content-Encoding": "br"}), {}),
        "gzip that is none": (answer(200, body, headers={"Content-Encoding": "gzip"}), {}),
        "200 large headers": (many_headers(), {}),
        "half a body": (answer(200, body, length=len(body) + 10), {}),
        "half a head": (raw(b"HTTP/1.1 200 OK\r\nContent-", End.CLOSE), {}),
        "a reset in the body": (raw(_http(body)[:-9], End.RESET), {}),
        "half a chunk": (chunked(body.encode(), ending=b""), {}),
        "a chunk that is none": (chunked(body.encode(), ending=b"zz\r\n"), {}),
        "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.9\r\n", End.CLOSE), {}),
        "noise": (raw(bytes(range(256)) * 4, End.CLOSE), {}),
        "two lengths": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}"), {}),
        "101": (raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", End.CLOSE), {}),
    }
    for name, (script, options) in broken.items():
        yield Row(name, script, MAYBE_ARRIVED, **options)
    longer = raw(_http(body) + b"GET / HTTP/1.1\r\n\r\n", End.CLOSE)
    yield Row("more than the length says", longer, Accepted("task-1"))


def _profiles() -> Iterator[Row]:
    once = Refused("engine_unavailable", BUSY, None, Fault.REQUEST)
    yield Row("429 where it may have done work", answer(429), once, changes={"retries_busy": False})
    loose = {"loose_success": True}
    alike: tuple[Any, ...] = ("true", "TRUE", " True ", 1)
    for given in alike:
        yield Row(
            f"success {given!r}, taken loosely",
            answer(200, task(success=given)),
            Accepted("task-1"),
            changes=loose,
        )
    unlike: tuple[Any, ...] = ("false", "200", "yes", 2, 0, [], {}, None, 1.5)
    for given in unlike:
        row = answer(200, task(success=given))
        yield Row(f"success {given!r}, not even loosely", row, MAYBE_ARRIVED, changes=loose)
    darkroom = {"extensions": True}
    repeated = Refused("unconfirmed", UNCONFIRMED, JITTER)
    for status in (408, 409, 425, 500, 502, 503, 504):
        yield Row(f"{status} of a Darkroom", answer(status, NO), repeated, changes=darkroom)
    yield Row("html of a Darkroom's proxy", answer(200, HTML), repeated, changes=darkroom)
    yield Row("a reset by a Darkroom", reset(), repeated, changes=darkroom)
    yield Row("silence of a Darkroom", silence(), repeated, seconds=SHORT, changes=darkroom)
    for status in (400, 413, 422):
        yield Row(
            f"{status} of a Darkroom",
            answer(status, NO),
            rejected_with("No faces, please."),
            changes=darkroom,
        )
    for status in (401, 402, 403):
        yield Row(f"{status} of a Darkroom", answer(status, NO), THEIR_OPERATOR, changes=darkroom)
