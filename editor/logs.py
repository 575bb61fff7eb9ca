"""What a log says of each line's request and edit; and what it may not show: keys, one-time and signed
addresses, sessions, passwords in addresses."""

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
    # A key keeps its public half, by which its owner finds it.
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
def about(**ids: str) -> Iterator[None]:
    """What is logged in it carries these ids, such as request="..." or edit="...", where logs are JSON."""
    token = _about.set((_about.get() or {}) | ids)
    try:
        yield
    finally:
        _about.reset(token)


def redact(text: str) -> str:
    """The text with every secret that it might quote replaced."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class RefusalFilter(logging.Filter):
    """A filter that drops the traceback of a refused request (status 4xx), since nothing broke there. Django
    logs the exception of every PermissionDenied."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class RedactingFormatter(logging.Formatter):
    """Redacts the finished line, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object for each record, redacted likewise: time (UTC), level, logger, message, the ids that
    the record is about, and the traceback as `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
            **(_about.get() or {}),
        }
        if record.exc_info:
            said["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(said, ensure_ascii=False)
