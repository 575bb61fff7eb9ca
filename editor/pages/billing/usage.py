"""The usage page of a workspace: totals, a chart with its table, and a CSV file."""

import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from editor.actors import with_actor
from editor.models import wording
from editor.services.billing import usage as service
from editor.services.billing.usage import Axis, Period, Sums
from editor.services.core.access import Actor, Right
from editor.services.core.charts import Bar, Chart, draw_chart
from editor.services.core.spreadsheet import csv_of

AXIS_HEADINGS = {
    Axis.PERSON: gettext_lazy("By person"),
    Axis.KIND: gettext_lazy("By kind"),
    Axis.ENGINE: gettext_lazy("By engine"),
    Axis.KEY: gettext_lazy("By API key"),
}
COLUMNS = (
    *(gettext_lazy("day"), pgettext_lazy("what is summed", "by"), gettext_lazy("name")),
    *(gettext_lazy("edits"), gettext_lazy("finished"), gettext_lazy("failed"), gettext_lazy("credits")),
    gettext_lazy("usual seconds"),
)
_MONTH = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])", re.ASCII)
_YEAR = re.compile(r"20\d\d", re.ASCII)


@dataclass(frozen=True)
class UsageRow:
    """Formatted totals, along with a label.

    `width` is the length of the bar, as a percentage of the longest bar.
    """

    label: str
    sums: Sums
    width: str = ""

    @property
    def edits(self) -> str:
        return wording.number(self.sums.edits)

    @property
    def failures(self) -> str:
        return wording.number(self.sums.failures)

    @property
    def credits(self) -> str:
        return wording.number(self.sums.credits)

    @property
    def success_rate(self) -> str:
        share = self.sums.success_rate
        return "" if share is None else _("%(n)s%%") % {"n": floatformat(100 * share, -1)}

    @property
    def typical_duration(self) -> str:
        return "" if self.sums.typical_seconds is None else wording.duration(self.sums.typical_seconds)


@require_safe
@with_actor(Right.SEE_USAGE)
def usage(request: HttpRequest, actor: Actor) -> HttpResponse:
    period, today = _requested_period(request), timezone.now().date()
    times = service.sums_by_time(actor, period)
    context = {
        "workspace": actor.workspace,
        "period": period,
        "title": _title(period),
        "total": UsageRow(_("All"), sum(times.values(), Sums())),
        "free": wording.number(actor.workspace.free_credits),
        "monthly": wording.number(actor.workspace.monthly_credits),
        "chart": _chart(times, period, today),
        "times": [UsageRow(_date_label(period, first), sums) for first, sums in reversed(times.items())],
        "lists": [
            (axis, AXIS_HEADINGS[axis], _lines(lines))
            for axis, lines in service.sums_by_name(actor, period).items()
            if lines
        ],
        "is_now": period.start <= today < period.end,
        **_period_links(period, today),
    }
    return render(request, "pages/usage/usage.html", context)


@require_safe
@with_actor(Right.SEE_USAGE)
def usage_csv(request: HttpRequest, actor: Actor) -> HttpResponse:
    period = _requested_period(request)
    rows = (
        (
            day,
            axis.label,
            label,
            sums.edits,
            sums.successes,
            sums.failures,
            sums.credits,
            _exact_seconds(sums),
        )
        for day, axis, label, sums in service.daily_sums(actor, period)
    )
    response = HttpResponse(csv_of(COLUMNS, rows), content_type="text/csv; charset=utf-8")
    name = f"usage-{actor.workspace.slug}-{_key(period)}.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _requested_period(request: HttpRequest) -> Period:
    """Return the month or year in the query string, or the current month."""
    month = _MONTH.fullmatch(request.GET.get("month", ""))
    year = _YEAR.fullmatch(request.GET.get("year", ""))
    if month:
        return Period(int(month[1]), int(month[2]))
    today = timezone.now().date()
    return Period(int(year[0])) if year else Period(today.year, today.month)


def _period_links(period: Period, today: date) -> dict[str, str]:
    """Return the query strings of three links: previous period, next period, and month or year view."""
    before, after = period.start - timedelta(days=1), period.end
    other = Period(period.year) if period.month else Period(period.year, today.month)
    return {
        "query": _query(period),
        "before": _query(_same_kind(period, before)),
        "after": _query(_same_kind(period, after)) if after <= today else "",
        "other": _query(other),
        "other_title": _title(other),
    }


def _same_kind(period: Period, day: date) -> Period:
    return Period(day.year, day.month if period.month else 0)


def _query(period: Period) -> str:
    return f"?{'month' if period.month else 'year'}={_key(period)}"


def _key(period: Period) -> str:
    return f"{period.start:%Y-%m}" if period.month else str(period.year)


def _title(period: Period) -> str:
    return date_format(period.start, "YEAR_MONTH_FORMAT") if period.month else str(period.year)


def _date_label(period: Period, first: date) -> str:
    return date_format(first, "MONTH_DAY_FORMAT" if period.month else "F")


def _chart(times: dict[date, Sums], period: Period, today: date) -> Chart:
    return draw_chart([_bar(first, times.get(first, Sums()), period, today) for first in _dates_in(period)])


def _dates_in(period: Period) -> list[date]:
    """Return all days of a month, or the first day of each month of a year."""
    if period.month:
        days = monthrange(period.year, period.month)[1]
        return [date(period.year, period.month, day) for day in range(1, days + 1)]
    return [date(period.year, month, 1) for month in range(1, 13)]


def _bar(first: date, sums: Sums, period: Period, today: date) -> Bar:
    line = UsageRow(_date_label(period, first), sums)
    label = date_format(first, "M") if not period.month else str(first.day) if first.day % 7 == 1 else ""
    is_now = first == (today if period.month else today.replace(day=1))
    return Bar(
        sums.credits, label, _("%(day)s: %(n)s credits") % {"day": line.label, "n": line.credits}, is_now
    )


def _lines(named: Iterable[tuple[str, Sums]]) -> list[UsageRow]:
    lines = list(named)
    most = max((sums.credits for _, sums in lines), default=0) or 1
    return [UsageRow(label, sums, f"{100 * sums.credits / most:.1f}") for label, sums in lines]


def _exact_seconds(sums: Sums) -> str:
    return "" if sums.typical_seconds is None else f"{sums.typical_seconds:.2f}"
