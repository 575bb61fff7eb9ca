"""The view for the status URL.

`SignedStatusMiddleware` handles valid requests, so only requests with invalid signatures reach this view.
"""

from typing import Never

from django.http import Http404, HttpRequest


def status(request: HttpRequest, signed: str) -> Never:
    raise Http404("There is no such status.")
