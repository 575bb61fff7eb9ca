"""The start page of the admin site: the state of the site, and what needs attention."""

from datetime import date, timedelta
from typing import Any, cast

from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import Checkup, User, wording
from editor.services.billing import usage
from editor.services.billing.usage import Sums
from editor.services.core.charts import Bar, Chart, draw_chart
from editor.services.maintenance import dashboard, workers

DAYS = 30
TITLES = {"credits": gettext_lazy("%(day)s: %(n)s credits"), "edits": gettext_lazy("%(day)s: %(n)s edits")}


def page(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the page.

    If the user may not review edits, the context contains only `may_review`.
    """
    user = cast(User, request.user)
    if not user.has_perm("editor.view_edit"):
        return {"may_review": False}
    now = timezone.now()
    today = now.date()
    first = today - timedelta(days=DAYS - 1)
    sums = usage.sums_of_site(first)
    queue = dashboard.queue()
    return {
        "may_review": True,
        "now": now,
        "queue": queue,
        "workers": workers.count_alive(),
        "waiting": dashboard.waiting_for_review(),
        "actions": dashboard.last_actions() if user.has_perm("editor.view_auditentry") else [],
        "books": Checkup.objects.filter(pk=1).first(),
        "today": sums.get(today, Sums()),
        "storage": dashboard.storage(),
        "engines": dashboard.engines(),
        "credits_chart": _chart(sums, first, "credits"),
        "edits_chart": _chart(sums, first, "edits"),
        "days": sorted(sums.items(), reverse=True),
        "total": sum(sums.values(), Sums()),
        "failures": [
            (_("last 24 hours"), _bars(dashboard.failures(timedelta(hours=24)))),
            (_("last 7 days"), _bars(dashboard.failures(timedelta(days=7)))),
        ],
    }


def _chart(sums: dict[date, Sums], first: date, measure: str) -> Chart:
    days = enumerate(first + timedelta(days=number) for number in range(DAYS))
    bars = (_bar(number, day, getattr(sums.get(day, Sums()), measure), measure) for number, day in days)
    return draw_chart(list(bars))


def _bar(number: int, day: date, value: int, measure: str) -> Bar:
    label = date_format(day, "MONTH_DAY_FORMAT")
    title = TITLES[measure] % {"day": label, "n": wording.number(value)}
    return Bar(value, label if number % 7 == 3 else "", title, is_highlighted=number == DAYS - 1)


def _bars(failures: dashboard.Failures) -> dict[str, Any]:
    """Return the causes of failures, each with the width of its bar.

    The width is a percentage of the longest bar's width.
    """
    most = max((count for _, count in failures.causes), default=1)
    return {
        "total": failures.total,
        "is_cut": failures.is_truncated,
        "lines": [(cause, count, f"{100 * count / most:.1f}") for cause, count in failures.causes],
    }
