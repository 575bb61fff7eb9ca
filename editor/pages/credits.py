"""The purse: what is there, what is reserved, and where it went."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.db.models import BigIntegerField, Case, F, Sum, When, Window
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.models import CreditEntry
from editor.pages import SignedIn
from editor.pages.asked import page_number
from editor.services.access import personal_actor
from editor.services.credits import statement

PER_PAGE = 50
# A hold and its release move nothing but what is reserved: the statement leaves them out.
MOVING = (CreditEntry.Kind.GRANT, CreditEntry.Kind.ADJUSTMENT, CreditEntry.Kind.CAPTURE)


@require_safe
@login_required
def credits(request: HttpRequest) -> HttpResponse:
    workspace = personal_actor(cast(SignedIn, request).user).workspace
    page = page_number(request)
    first = (page - 1) * PER_PAGE
    moved = Case(
        When(kind=CreditEntry.Kind.CAPTURE, then=-F("amount")),
        default=F("amount"),
        output_field=BigIntegerField(),
    )
    entries = list(
        statement(workspace)
        .filter(kind__in=MOVING)
        .annotate(moved=moved, balance=Window(Sum(moved), order_by=F("id").asc()))[
            first : first + PER_PAGE + 1
        ]
    )
    context = {
        "workspace": workspace,
        "entries": entries[:PER_PAGE],
        "newer": page - 1,
        "older": page + 1 if len(entries) > PER_PAGE else 0,
    }
    return render(request, "pages/credits/credits.html", context)
