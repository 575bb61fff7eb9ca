"""What a form or an address asks for, taken only where it makes sense."""

import uuid
from collections.abc import Sequence
from typing import cast

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from editor.forms import is_path
from editor.models.ids import read_uuid
from editor.services.core.paging import Page, page_by_key


def read_uuids(texts: Sequence[str]) -> list[uuid.UUID]:
    return [found for text in texts if (found := read_uuid(text))]


def requested_page[M: Model](request: HttpRequest, rows: QuerySet[M], *, size: int) -> Page[M]:
    """The page of a list that the address names, `before` or `after` a key; else the newest."""
    return page_by_key(
        rows, size=size, before=request.GET.get("before", ""), after=request.GET.get("after", "")
    )


def site_of(request: HttpRequest) -> str:
    """What stands before the paths of this site in a link that is copied."""
    return cast(str, settings.PUBLIC_URL) or request.build_absolute_uri("/").rstrip("/")


def next_address(request: HttpRequest, *, otherwise: str) -> str:
    """Where a form leads back to: its `next`, when that is an address of this site."""
    asked = request.POST.get("next", "")
    return asked if is_path(asked) else otherwise
