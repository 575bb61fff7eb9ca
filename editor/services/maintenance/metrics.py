"""Prometheus metrics that are read from the database.

Therefore, the metrics are the same in every process and survive restarts. Only the open edits, the recently
ended edits, and one row per workspace are read.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Max, Q, Sum
from django.db.models.functions import Coalesce
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily

from editor.models import Checkup, CreditEntry, Edit, ProviderHealth, WebhookDelivery, Workspace
from editor.models.clock import database_now
from editor.services.core import disk_space

RECENT_PERIOD = timedelta(minutes=5)
OVERDUE = timedelta(seconds=60)
MAX_ENTRIES = 20_000  # maximum number of ledger entries to search for recently ended edits
QUANTILES = (0.5, 0.95, 0.99)
_IN_FLIGHT = (Edit.State.SENDING, Edit.State.RUNNING, Edit.State.STORING)
type Family = GaugeMetricFamily


def exposition() -> bytes:
    """Return all metrics in the Prometheus text format."""
    registry = CollectorRegistry()
    registry.register(_Rows())
    return generate_latest(registry)


class _Rows:
    def collect(self) -> Iterator[Family]:
        for families in (open_edits, ended_edits, balances, engines, deliveries, last_checkup, disk):
            yield from families()

    def describe(self) -> list[Family]:
        """Return nothing, so that registering the collector does not require a database query."""
        return []


def open_edits() -> Iterator[Family]:
    """Yield the counts and ages of waiting and running edits, using the index of open edits."""
    now = database_now()
    # Count in Python, because for GROUP BY, the database would scan all edits in another index's order.
    engine = Coalesce("engine__name", "provider")
    rows = list(Edit.objects.open().order_by().values_list(engine, "state", "created"))
    states = _family("darkroom_open_edits", "Open edits.", "engine", "state")
    oldest = dict.fromkeys(map(str, (Edit.State.QUEUED, *_IN_FLIGHT)), 0.0)
    for (name, state), count in Counter((name, state) for name, state, _ in rows).items():
        states.add_metric([name, state], count)
    for _, state, created in rows:
        oldest[state] = max(oldest[state], (now - created).total_seconds())
    yield states
    ages = _family(
        "darkroom_oldest_open_edit_seconds", "Seconds since the oldest open edit was submitted.", "state"
    )
    for state, age in oldest.items():
        ages.add_metric([state], age)
    yield ages
    late = Edit.objects.due(now - OVERDUE).count()
    yield _single(
        "darkroom_overdue_edits", "Edits that have been due for more than a minute without a worker.", late
    )


def ended_edits() -> Iterator[Family]:
    """Yield the recently ended edits.

    They are found at the end of the ledger, which has an entry for every ended edit.
    """
    rows = list(_ended())
    outcomes = _family(
        "darkroom_recently_ended_edits", "Edits that ended in the last 5 minutes.", "outcome", "reason"
    )
    for (state, reason), count in Counter((state, reason) for state, reason, *_ in rows).items():
        outcomes.add_metric([state, reason], count)
    yield outcomes
    seconds = defaultdict(list)
    for state, _, created, finished in rows:
        seconds[state].append((finished - created).total_seconds())
    family = _family(
        "darkroom_recent_edit_seconds",
        "Seconds from submission to end, for edits that ended in the last 5 minutes.",
        "outcome",
        "quantile",
    )
    for state, values in seconds.items():
        values.sort()
        for quantile in QUANTILES:
            family.add_metric([state, str(quantile)], values[int(quantile * (len(values) - 1))])
    yield family


def balances() -> Iterator[Family]:
    sums = Workspace.objects.aggregate(balance=Sum("balance", default=0), held=Sum("held", default=0))
    yield _single(
        "darkroom_credits_balance",
        "Total balance of all workspaces, including held credits.",
        sums["balance"],
    )
    yield _single("darkroom_credits_held", "Credits held for open edits.", sums["held"])


def engines() -> Iterator[Family]:
    """Yield, for each engine that does not run here, whether it is paused."""
    now = database_now()
    family = _family(
        "darkroom_engine_left_alone", "1 while requests to this engine are paused.", "engine", "address"
    )
    for row in ProviderHealth.objects.select_related("engine"):
        is_left_alone = row.open_until is not None and row.open_until > now
        name, address = row.identity
        family.add_metric([name, address], float(is_left_alone))
    yield family


def deliveries() -> Iterator[Family]:
    waiting = WebhookDelivery.objects.filter(state=WebhookDelivery.State.WAITING).count()
    yield _single(
        "darkroom_waiting_webhook_deliveries", "Webhook deliveries that are waiting to be sent.", waiting
    )


def last_checkup() -> Iterator[Family]:
    """Yield the result and the age of the last check.

    If no check has run yet, the metric is missing, which triggers an alert.
    """
    last = Checkup.objects.filter(pk=1).first()
    if last is not None:
        age = (database_now() - last.checked).total_seconds()
        yield _single(
            "darkroom_broken_invariants", "Problems that the last integrity check found.", last.broken
        )
        yield _single("darkroom_checkup_age_seconds", "Seconds since the last integrity check.", age)


def disk() -> Iterator[Family]:
    least = settings.MIN_FREE_MEGABYTES * 1024**2
    yield _single(
        "darkroom_disk_free_bytes",
        "Free bytes on the disk of the data folder or on that of the photo folder, whichever has less.",
        disk_space.free_bytes(),
    )
    yield _single("darkroom_disk_least_bytes", "Free bytes below which the site accepts no new edits.", least)


def _ended() -> Iterator[tuple[str, str, datetime, datetime]]:
    last = CreditEntry.objects.aggregate(last=Max("id"))["last"] or 0
    settled = Q(kind__in=[CreditEntry.Kind.CAPTURE, CreditEntry.Kind.RELEASE])
    entries = CreditEntry.objects.filter(
        settled, id__gt=last - MAX_ENTRIES, edit__finished__gte=database_now() - RECENT_PERIOD
    )
    names = ("state", "failure_code", "created", "finished")
    return entries.values_list(*(f"edit__{name}" for name in names)).iterator()


def _family(name: str, text: str, *labels: str) -> Family:
    return GaugeMetricFamily(name, text, labels=labels)


def _single(name: str, text: str, value: float) -> Family:
    return GaugeMetricFamily(name, text, value=value)
