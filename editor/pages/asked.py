"""What a form or an address asks for, taken only where it makes sense."""

import re
import uuid
from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def read_uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def read_uuids(texts: Sequence[str]) -> list[uuid.UUID]:
    return [found for text in texts if (found := read_uuid(text))]


def page_number(request: HttpRequest) -> int:
    """The page of a list that the address names, from 1 on; the first when it names none."""
    asked = request.GET.get("page", "")
    return int(asked) if re.fullmatch(r"[1-9]\d{0,3}", asked, re.ASCII) else 1


def next_address(request: HttpRequest, *, otherwise: str) -> str:
    """Where a form leads back to: its `next`, when that is an address of this site."""
    asked = request.POST.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(
        asked, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return asked if is_safe else otherwise
