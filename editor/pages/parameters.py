"""Read values from a form or a query string, ignoring invalid ones."""

import uuid
from collections.abc import Sequence
from typing import cast

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from editor.forms import is_path
from editor.models.ids import parse_uuid
from editor.services.core.paging import Page, page_by_key


def parse_uuids(texts: Sequence[str]) -> list[uuid.UUID]:
    return [found for text in texts if (found := parse_uuid(text))]


def requested_page[M: Model](request: HttpRequest, rows: QuerySet[M], *, size: int) -> Page[M]:
    """Return the newest page of a list, or the page `before` or `after` the key in the query string."""
    return page_by_key(
        rows, size=size, before=request.GET.get("before", ""), after=request.GET.get("after", "")
    )


def site_of(request: HttpRequest) -> str:
    """Return the site's base URL, without a trailing slash, for links that people copy."""
    return cast(str, settings.PUBLIC_URL) or request.build_absolute_uri("/").rstrip("/")


def next_url(request: HttpRequest, *, otherwise: str) -> str:
    """Return the form's `next` value if it is a path on this site, or else `otherwise`."""
    path = request.POST.get("next", "")
    return path if is_path(path) else otherwise
