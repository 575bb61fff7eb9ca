"""The credits page: the balance, open holds, the statement, and requests for more credits."""

from datetime import UTC, date, datetime, timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from editor.actors import with_actor
from editor.forms import LAST_DAY, LineField
from editor.models import Engine, User
from editor.pages.parameters import requested_page
from editor.pages.people.keys import CapForm, cap_error
from editor.services.billing import caps, credit_requests
from editor.services.billing import credits as service
from editor.services.core.access import Actor, Right
from editor.services.editing import engines

PER_PAGE = 50
HELD_SHOWN = 20
MONTHS = 24  # The menu goes back at most two years.
REQUEST_SENT = _("Your request was sent to the people who can grant credits.")
ALREADY_REQUESTED = _("You've already requested credits today. You can send another request tomorrow.")


class CreditRequestForm(forms.Form):
    note = LineField(
        max_length=300,
        label=_("What do you need them for?"),
        help_text=_("Workspace owners, team admins, and administrators of this site can read this."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter what you need the credits for.")},
    )


@require_safe
@with_actor(Right.VIEW)
def credits(request: HttpRequest, actor: Actor) -> HttpResponse:
    return _credits_page(request, actor, CreditRequestForm())


@require_safe
@with_actor(Right.VIEW)
def credits_csv(request: HttpRequest, actor: Actor) -> HttpResponse:
    month = _month(request)
    text = service.statement_csv(actor.workspace, month=month)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    name = f"credits-{actor.workspace.slug}{f'-{month:%Y-%m}' if month else ''}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_POST
@with_actor(Right.EDIT)
def ask_for_credits(request: HttpRequest, actor: Actor) -> HttpResponse:
    form = CreditRequestForm(request.POST)
    if not form.is_valid():
        return _credits_page(request, actor, form, status=422)
    engine = _engine(request, actor)
    price = engine.price_for(actor.workspace.plan) if engine else None
    try:
        is_new = credit_requests.request_credits(actor, note=form.cleaned_data["note"], price=price)
        messages.info(request, REQUEST_SENT if is_new else ALREADY_REQUESTED)
    except (credit_requests.NotNeeded, credit_requests.TooManyRequests) as error:
        messages.info(request, str(error))
    query = {"engine": engine.name} if engine else {}
    return redirect(reverse("credits", args=[actor.workspace.slug], query=query))


@require_POST
@with_actor(Right.MANAGE_MEMBERS)
def cap_member(request: HttpRequest, actor: Actor, user_id: int) -> HttpResponse:
    # Find the user first. If an ID is too large for SQLite, Django can handle a lookup by primary key but not
    # a lookup by foreign key.
    named = User.objects.filter(pk=user_id)
    membership = get_object_or_404(actor.workspace.memberships, user__in=named)
    form = CapForm(request.POST)
    if form.is_valid():
        caps.set_cap(actor, membership, form.cleaned_data["cap"])
        messages.success(request, _("The cap for %(name)s was saved.") % {"name": membership.user.label})
    else:
        messages.error(request, cap_error())
    return redirect("credits", actor.workspace.slug)


def _credits_page(
    request: HttpRequest, actor: Actor, form: CreditRequestForm, *, status: int = 200
) -> HttpResponse:
    now, engine = timezone.now(), _engine(request, actor)
    price = engine.price_for(actor.workspace.plan) if engine else None
    found = caps.caps_of(actor, now)
    is_short = service.shortage(actor.workspace, found, price=price) is not None
    month = _month(request)
    holding = list(actor.workspace.edits.open().order_by("-id")[: HELD_SHOWN + 1])
    sets_caps = actor.workspace.is_team and actor.has(Right.MANAGE_MEMBERS)
    context = {
        "workspace": actor.workspace,
        "caps": found,
        "members": caps.members_of(actor.workspace, now) if sets_caps else (),
        "requests": credit_requests.open_requests(actor) if actor.has(Right.SEE_USAGE) else (),
        "can_ask": actor.has(Right.EDIT) and is_short,
        "requested": credit_requests.todays_request(actor) if is_short else None,
        "engine": engine,
        "price": price,
        "form": form,
        "holding": holding[:HELD_SHOWN],
        "holds_more": len(holding) > HELD_SHOWN,
        "month": month,
        "months": _months(actor.workspace.created.date(), now.date()),
        "entries": requested_page(request, service.statement(actor.workspace, month=month), size=PER_PAGE),
        "is_older": "before" in request.GET,
    }
    return render(request, "pages/credits/credits.html", context, status=status)


def _engine(request: HttpRequest, actor: Actor) -> Engine | None:
    """Return the engine for whose edits the credits are not enough, if the page was opened from such an
    edit."""
    name = (request.POST or request.GET).get("engine", "")
    return engines.find_available(actor.workspace, name) if name else None


def _month(request: HttpRequest) -> date | None:
    """Return the first day of the month in the query string (`month=2026-11`), or None."""
    try:
        month = datetime.strptime(request.GET.get("month", ""), "%Y-%m").replace(tzinfo=UTC).date()
    except ValueError:
        return None
    return month if month <= LAST_DAY else None


def _months(first: date, last: date) -> list[date]:
    """Return the first day of each month from `last` back to `first`, latest month first."""
    months = [last.replace(day=1)]
    while len(months) < MONTHS and months[-1] > first:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return months
