"""The status address. `SignedStatusMiddleware` answers it; what arrives here has no valid signature."""

from typing import Never

from django.http import Http404, HttpRequest


def status(request: HttpRequest, signed: str) -> Never:
    raise Http404("There is no such status.")
