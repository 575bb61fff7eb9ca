"""Parse responses whose form is unknown.

The functions are pure and never raise an exception. The interface documents the envelope {code, success,
data} but says little about errors. Therefore, a value that has an unexpected form counts as missing.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from editor.imaging.image_answers import refuse_json_constant
from editor.outbound.addresses import MAX_URL_LENGTH

MAX_RESULTS = 10
MAX_MESSAGE_LENGTH = 300
_TASK_ID = re.compile(r"[A-Za-z0-9._:~-]{1,200}")
# The maximum number of characters from a response body in the log.
RAW_LETTERS = 4096
# The number of characters that are searched for keys before the text is cut to RAW_LETTERS. This number is
# larger than RAW_LETTERS. Otherwise, the cut could split a key, which would then not be recognized.
_READ = 8192
# Phrases in messages about the operator's account at the upstream site. They are chosen so that a prompt
# quoted in an error message is unlikely to contain one of them.
_SHORTAGE = re.compile(
    r"(insufficient|not enough|out of) (credits?|balance|funds)|payment required|billing"
    r"|quota (has been |is |was )?exceeded|exceeded \w+( \w+)? quota",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?[A-Za-z!?][^<>]*>?")
_ADDRESS = re.compile(r"\b(?:https?|ftp|file|data|blob):\S+|\bwww\.\S+", re.IGNORECASE)
_QUERY = re.compile(r"(\b(?:https?|ftp)://[^\s?#\"'<>]*)[?#][^\s\"'<>]*", re.IGNORECASE)
_BEARER = re.compile(r"\bbearer\s+\S+", re.IGNORECASE)
# Matches a long run of letters and digits, except a UUID. A task ID may be a UUID, which is not a key.
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\w-])"
_KEY_LIKE = re.compile(rf"(?<![\w-])(?!{_UUID})(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{{20,}}")
# Matches messages that are meant for the programmers of an engine.
_TRACE = re.compile(r"traceback|\bline \d+, in\b|\bFile \"|\w+(Error|Exception)\b|/[\w.-]+/[\w.-]+/")
# Matches IPv4 addresses, names with several dots, and names with a port.
_HOST = re.compile(
    r"\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b|\b([a-z0-9-]+\.){2,}[a-z]{2,}(:\d+)?\b|\b[a-z][\w.-]*:\d{2,5}\b",
    re.IGNORECASE,
)
_MESSAGE_PLACES = (
    ("message",),
    ("msg",),
    ("error",),
    ("error", "message"),
    ("detail",),
    ("detail", 0, "msg"),
    ("data", "message"),
    ("data", "error"),
    ("errors", 0, "message"),
)


def body_of(content: bytes) -> dict[str, Any]:
    """Return the JSON object in these bytes, or an empty dict if they contain none."""
    try:
        found = json.loads(content.decode("utf-8-sig", "replace"), parse_constant=refuse_json_constant)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def is_success(body: Mapping[str, Any], *, loose: bool = False) -> bool:
    """Return whether `success` is JSON true. With `loose`, "true" and 1 also count."""
    success = body.get("success")
    is_word = isinstance(success, str) and success.strip().lower() == "true"
    return success is True or (loose and (is_word or (isinstance(success, int) and success == 1)))


def data_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the payload, or an empty dict if there is none."""
    data = body.get("data")
    return data if isinstance(data, dict) else {}


def task_id_of(data: Mapping[str, Any]) -> str | None:
    """Return the ID of the task, or None if the ID is missing or cannot be used in a URL."""
    given = data.get("taskId")
    if isinstance(given, bool) or not isinstance(given, str | int):
        return None
    try:
        text = str(given)
    except ValueError:  # str() refuses to convert integers with thousands of digits.
        return None
    return text if _TASK_ID.fullmatch(text) else None


def status_word(data: Mapping[str, Any]) -> str:
    """Return the status in capitals, or an empty string if there is none."""
    word = data.get("status")
    return replace_surrogates(word).strip().upper()[:50] if isinstance(word, str) else ""


def result_urls(data: Mapping[str, Any]) -> list[str]:
    """Return the first MAX_RESULTS distinct result URLs that use http or https."""
    images = data.get("images")
    entries = images if isinstance(images, list) else []
    given = [image.get("url") for image in entries if isinstance(image, dict)]
    usable = [url for url in given if isinstance(url, str) and _is_web_address(url)]
    return list(dict.fromkeys(usable))[:MAX_RESULTS]


def message_of(body: Mapping[str, Any], *, hidden: str = "") -> str:
    """Return the message of a response, made safe to show, or an empty string.

    The message is the first non-empty string in one of the known fields. Control and bidi characters, markup,
    URLs, key-like strings, and the text `hidden` are removed from it.
    """
    for place in _MESSAGE_PLACES:
        found = _at(body, place)
        if isinstance(found, str) and (text := _cleaned(found, hidden)):
            return text
    return ""


def reason_of(body: Mapping[str, Any], *, hidden: str, host: str) -> str:
    """Return the message of a response as the reason that people read, or "" if there is none.

    As in `message_of`, the key `hidden` is removed. A message for programmers, such as a trace, counts as
    none, and hosts are hidden, above all the engine's own `host`.
    """
    message = message_of(body, hidden=hidden)
    if _TRACE.search(message):
        return ""
    named = re.sub(rf"\b{re.escape(host)}\b", "[hidden]", message, flags=re.IGNORECASE) if host else message
    return " ".join(_HOST.sub("[hidden]", named).split())


def redacted(text: str, *, hidden: str = "") -> str:
    """Return the text as one line that is safe to log or to show to an operator.

    Control characters are removed, because PostgreSQL cannot store NUL. The text `hidden`, key-like strings,
    and the query strings of URLs, which may contain signatures, are replaced with "[hidden]".
    """
    shown = _without("".join(map(_plain, replace_surrogates(text))), hidden)
    for pattern in (_BEARER, _KEY_LIKE):
        shown = pattern.sub("[hidden]", shown)
    return " ".join(_QUERY.sub(r"\1?[hidden]", shown).split())


def mentions_missing_credits(text: str) -> bool:
    """Return whether a message or a prompt mentions a lack of credits."""
    return _SHORTAGE.search(text) is not None


def beginning_of(content: bytes, *, hidden: str = "") -> str:
    """Return the beginning of a response body, as text without keys and signatures, for the operator."""
    return redacted(content.decode("utf-8", "replace")[:_READ], hidden=hidden)[:RAW_LETTERS]


def replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced.

    Neither a database nor a response can contain lone surrogates.
    """
    return text.encode("utf-8", "replace").decode()


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_web = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
        return is_web and len(url) <= MAX_URL_LENGTH and url.isprintable()
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
    # Remove `hidden` before cutting the text, because a cut could leave half of it. Remove it again after
    # removing control characters, because they could have split it.
    begins = _without(text, hidden)[: 20 * MAX_MESSAGE_LENGTH]
    shown = _without("".join(_plain(character) for character in replace_surrogates(begins)), hidden)
    for pattern in (_MARKUP, _ADDRESS, _BEARER, _KEY_LIKE):
        shown = pattern.sub(" ", shown)
    words = " ".join(shown.split())
    return words if len(words) <= MAX_MESSAGE_LENGTH else words[: MAX_MESSAGE_LENGTH - 1] + "…"


def _without(text: str, hidden: str) -> str:
    return text.replace(hidden, "[hidden]") if hidden else text


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    return " " if category in ("Zl", "Zp", "Cc") else "" if category.startswith("C") else character
