"""The entry point for WSGI servers."""

import os
from collections.abc import Iterable
from typing import Any

import django
from django.core.exceptions import BadRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest


class _Request(WSGIRequest):
    """A request that always decodes text as UTF-8, whatever charset the request declares.

    Some of Python's codecs (rot13, hex, idna) raise errors.
    """

    @property
    def encoding(self) -> str:
        return "utf-8"

    @encoding.setter
    def encoding(self, declared: str) -> None:
        """Ignore the declared charset."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Ignore an invalid content type.

        An error here would occur before the middleware that could handle it.
        """
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except BadRequest:
            self.content_type, self.content_params = "", {}


class _Handler(WSGIHandler):
    request_class = _Request


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Call Django's handler, but return no body for a HEAD request.

    Otherwise, gunicorn would send the body, and the client would interpret it as the start of the next
    response.
    """
    answer: Any = _handler(environ, start_response)
    if environ["REQUEST_METHOD"] == "HEAD":
        answer.close()
        return ()
    return answer  # type: ignore[no-any-return]


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "photoeditor_site.settings")
django.setup(set_prefix=False)
_handler = _Handler()
