"""Reading answers whose shape nobody promised. Pure: bytes in, plain values out; nothing here raises.

The interface documents the envelope {code, success, data} and says little of errors, so each value is taken
only where it makes sense, and counts as missing where it does not.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import urlsplit

MOST_RESULTS = 10
LONGEST_MESSAGE = 300
_TASK_ID = re.compile(r"[A-Za-z0-9._:~-]{1,200}")
_LONGEST_URL = 8_192
RAW_LETTERS = 4096  # of a body that is written to the log
_READ = 8192  # letters of it that are searched for keys first: one may be cut at the end of the log
# The operator's account there, in words that a prompt is not likely to be quoted with.
_SHORTAGE = re.compile(
    r"(insufficient|not enough|out of) (credits?|balance|funds)|payment required|billing"
    r"|quota (has been |is |was )?exceeded|exceeded \w+( \w+)? quota",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?[A-Za-z!?][^<>]*>?")
_ADDRESS = re.compile(r"\b(?:https?|ftp|file|data|blob):\S+|\bwww\.\S+", re.IGNORECASE)
_QUERY = re.compile(r"(\b(?:https?|ftp)://[^\s?#\"'<>]*)[?#][^\s\"'<>]*", re.IGNORECASE)
_BEARER = re.compile(r"\bbearer\s+\S+", re.IGNORECASE)
# Letters and digits in one long run; what tells a task from a key is the hyphens of its identifier.
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\w-])"
_KEY_LIKE = re.compile(rf"(?<![\w-])(?!{_UUID})(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{{20,}}")
_MESSAGE_PLACES = (
    ("message",),
    ("msg",),
    ("error",),
    ("error", "message"),
    ("detail",),
    ("data", "message"),
    ("data", "error"),
    ("errors", 0, "message"),
)


def body_of(content: bytes) -> dict[str, Any]:
    """The JSON object in these bytes; empty when there is none."""
    try:
        found = json.loads(content.decode("utf-8-sig", "replace"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def is_success(body: Mapping[str, Any], *, loose: bool = False) -> bool:
    """`success` is true only for JSON true; `loose` takes "true" and 1 as well."""
    success = body.get("success")
    is_word = isinstance(success, str) and success.strip().lower() == "true"
    return success is True or (loose and (is_word or (isinstance(success, int) and success == 1)))


def data_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The payload; empty when there is none."""
    data = body.get("data")
    return data if isinstance(data, dict) else {}


def task_id_of(data: Mapping[str, Any]) -> str | None:
    """The task's identifier, where it is one that can travel in an address."""
    given = data.get("taskId")
    if isinstance(given, bool) or not isinstance(given, str | int):
        return None
    try:
        text = str(given)
    except ValueError:  # an integer of thousands of digits
        return None
    return text if _TASK_ID.fullmatch(text) else None


def status_word(data: Mapping[str, Any]) -> str:
    """The state's name in capitals; empty when there is none."""
    word = data.get("status")
    return sound(word).strip().upper()[:50] if isinstance(word, str) else ""


def result_urls(data: Mapping[str, Any]) -> list[str]:
    """Where the results are: http and https only, each once, the first MOST_RESULTS."""
    images = data.get("images")
    entries = images if isinstance(images, list) else []
    given = [image.get("url") for image in entries if isinstance(image, dict)]
    usable = [url for url in given if isinstance(url, str) and _is_web_address(url)]
    return list(dict.fromkeys(usable))[:MOST_RESULTS]


def message_of(body: Mapping[str, Any], *, hidden: str = "") -> str:
    """What the far end says, made safe for people: the first text of the known places, without control and
    direction characters, markup, addresses, what looks like a key, and the text `hidden`."""
    for place in _MESSAGE_PLACES:
        found = _at(body, place)
        if isinstance(found, str) and (text := _cleaned(found, hidden)):
            return text
    return ""


def redacted(text: str, *, hidden: str = "") -> str:
    """The text for an operator, in one line: without control characters (PostgreSQL holds no NUL), what
    signs an address, what looks like a key, and the text `hidden`."""
    shown = _without("".join(map(_plain, sound(text))), hidden)
    for pattern in (_BEARER, _KEY_LIKE):
        shown = pattern.sub("[hidden]", shown)
    return " ".join(_QUERY.sub(r"\1?[hidden]", shown).split())


def tells_shortage(text: str) -> bool:
    """Whether a message, or a prompt, speaks of too few credits."""
    return _SHORTAGE.search(text) is not None


def beginning_of(content: bytes, *, hidden: str = "") -> str:
    """Of a body, for the operator: as text, without keys and signatures."""
    return redacted(content.decode("utf-8", "replace")[:_READ], hidden=hidden)[:RAW_LETTERS]


def sound(text: str) -> str:
    """The text without lone surrogates, which no database and no answer can hold."""
    return text.encode("utf-8", "replace").decode()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON.")


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_web = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
        return is_web and len(url) <= _LONGEST_URL and url.isprintable()
    except ValueError:
        return False


def _at(body: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        if isinstance(step, str):
            body = body.get(step) if isinstance(body, dict) else None
        else:
            body = body[step] if isinstance(body, list) and len(body) > step else None
    return body


def _cleaned(text: str, hidden: str) -> str:
    # Hidden before the cut, which could leave half of it, and again when nothing is strewn into it.
    begins = _without(text, hidden)[: 20 * LONGEST_MESSAGE]
    shown = _without("".join(_plain(character) for character in sound(begins)), hidden)
    for pattern in (_MARKUP, _ADDRESS, _BEARER, _KEY_LIKE):
        shown = pattern.sub(" ", shown)
    words = " ".join(shown.split())
    return words if len(words) <= LONGEST_MESSAGE else words[: LONGEST_MESSAGE - 1] + "…"


def _without(text: str, hidden: str) -> str:
    return text.replace(hidden, "[hidden]") if hidden else text


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    return " " if category in ("Zl", "Zp", "Cc") else "" if category.startswith("C") else character
