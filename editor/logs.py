"""Logging: add request and edit IDs to records, and redact secrets.

Secrets include keys, one-time and signed URLs, sessions, and passwords in URLs.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)

_HIDDEN = "[hidden]"
_SECRETS = (
    # Keep the public part of a key, because its owner identifies the key by that part.
    (re.compile(r"\b(drk_[A-Za-z0-9]{8})[A-Za-z0-9_.-]+"), rf"\1{_HIDDEN}"),
    (
        re.compile(
            r"((?:/|%2[Ff])(?:s|setup|share|share/photo|join|media/signed)(?:/|%2[Ff]))[^/\s\"'<>?#]{6,}"
        ),
        rf"\1{_HIDDEN}",
    ),
    (re.compile(r"(/accounts/(?:confirm-email|password/reset/key)/)[^/\s\"'<>?#]+"), rf"\1{_HIDDEN}"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}"), rf"\1 {_HIDDEN}"),
    (
        re.compile(r"(?im)\b((?:http_)?(?:authorization|(?:set-)?cookie|x-api-key)[\"']?\s*[:=]\s*).+$"),
        rf"\1{_HIDDEN}",
    ),
    (
        re.compile(r"(?i)\b(darkroom_session|sessionid|csrftoken|csrfmiddlewaretoken)=[^;&\s\"']+"),
        rf"\1={_HIDDEN}",
    ),
    (re.compile(r"(://[^/\s:@]*:)[^/\s@]+@"), rf"\1{_HIDDEN}@"),
)


@contextmanager
def log_context(**ids: str) -> Iterator[None]:
    """Add these IDs, such as request="..." or edit="...", to every record logged in the block.

    This applies only to JSON logs.
    """
    token = _about.set((_about.get() or {}) | ids)
    try:
        yield
    finally:
        _about.reset(token)


def redact(text: str) -> str:
    """Return the text with every secret replaced."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class RefusalFilter(logging.Filter):
    """A filter that drops the traceback of a refused request (status 4xx), which is not a site error.

    Django logs the exception of every PermissionDenied.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class RedactingFormatter(logging.Formatter):
    """A formatter that redacts the complete line, including its arguments and its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """A formatter that writes each record as a redacted JSON object.

    The object contains the time (UTC), level, logger, message, the IDs from `log_context`, and the traceback
    as `exception`.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
            **(_about.get() or {}),
        }
        if record.exc_info:
            entry["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)
