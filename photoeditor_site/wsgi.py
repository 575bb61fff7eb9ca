"""The door for WSGI servers."""

import os
from collections.abc import Iterable
from typing import Any

import django
from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest


class _Request(WSGIRequest):
    """Text is UTF-8, whatever a client declares: Python's other codecs (rot13, hex, idna) break on it."""

    @property
    def encoding(self) -> str:
        return "utf-8"

    @encoding.setter
    def encoding(self, declared: str) -> None:
        """Not taken."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """One that cannot be read is none: an error here would come before what could answer it."""
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except BadRequest:
            self.content_type, self.content_params = "", {}


class _Handler(WSGIHandler):
    request_class = _Request


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Django's, except that a HEAD gets no body: gunicorn would send one, into the next answer's place."""
    answer: Any = _handler(environ, start_response)
    if environ["REQUEST_METHOD"] == "HEAD":
        answer.close()
        return ()
    return answer  # type: ignore[no-any-return]


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "photoeditor_site.settings")
django.setup(set_prefix=False)
_handler = _Handler()
