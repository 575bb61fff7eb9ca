"""What a log may not show: keys, one-time and signed addresses, sessions, passwords in addresses."""

import logging
import re

_HIDDEN = "[hidden]"
_SECRETS = (
    # A key keeps its public half, by which its owner finds it.
    (re.compile(r"\b(drk_[A-Za-z0-9]{8})[A-Za-z0-9_.-]+"), rf"\1{_HIDDEN}"),
    (
        re.compile(r"((?:/|%2[Ff])(?:s|setup|share|join|media/signed)(?:/|%2[Ff]))[^/\s\"'<>?#]{6,}"),
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


def redact(text: str) -> str:
    """The text with every secret that it might quote replaced."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class RedactingFormatter(logging.Formatter):
    """Redacts the finished line, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
