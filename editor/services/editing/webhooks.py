"""Telling other sites when an edit ends: signed as Standard Webhooks 1.0.0 says, tried again
for days, through the guard of outgoing requests.

The row of a delivery is written in the transaction that ends the edit, so none is lost; its id travels with
every attempt. Housekeeping delivers: no slow receiver may keep a worker from an edit.
"""

import base64
import hashlib
import hmac
import json
import logging
import secrets
import threading
import uuid
from collections import deque
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.crash_points import crash_point
from editor.models import Action, Edit, User, WebhookDelivery, WebhookEndpoint, Workspace
from editor.models.clock import database_now
from editor.outbound import Answer, OutboundError
from editor.services.core import audit, links
from editor.services.core.access import Actor, Right
from editor.services.editing.fetching import outbound_rules

logger = logging.getLogger(__name__)
State = WebhookDelivery.State

MOST_ENDPOINTS = 10
PREFIX = "whsec_"
CALL_SECONDS = 10.0
ANSWER_BYTES = 16 * 1024
LEASE = timedelta(minutes=1)  # a delivery that a crash cut off is tried again after this
DELIVERIES_PER_RUN = 500
DELIVERIES_PER_URL = 4  # in one run, so that a slow receiver does not delay the others
MAX_PARALLEL_DELIVERIES = 8
KEPT = timedelta(days=30)
_MINUTE, _HOUR = 60, 3600
WAITS = (5, 5 * _MINUTE, 30 * _MINUTE, 2 * _HOUR, 5 * _HOUR, 10 * _HOUR, 14 * _HOUR, 20 * _HOUR, 24 * _HOUR)
"""Seconds until the next attempt, after each that failed."""

_EVENTS = {
    Edit.State.SUCCESS: ("edit.succeeded", "SUCCESS"),
    Edit.State.FAILED: ("edit.failed", "FAILED"),
    Edit.State.CANCELLED: ("edit.cancelled", "FAILED"),
}


class AddressRefused(Exception):
    """An address that cannot be told. Its text is a sentence for people."""


def add_endpoint(actor: Actor, *, url: str) -> WebhookEndpoint:
    """Has the workspace's ended edits told to this address from now on. Raises AddressRefused."""
    actor.require(Right.MANAGE_WEBHOOKS)
    _require_usable(url)
    secret = PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
    with transaction.atomic():
        Workspace.objects.locked().get(pk=actor.workspace.pk)  # one at a time, to count them
        if endpoints_of(actor).filter(url=url).exists():
            raise AddressRefused(_("This address is told already."))
        if endpoints_of(actor).count() >= MOST_ENDPOINTS:
            raise AddressRefused(
                _("There can be %(most)s addresses. Remove one first.") % {"most": MOST_ENDPOINTS}
            )
        made = WebhookEndpoint.objects.create(
            workspace=actor.workspace, made_by=actor.user, url=url, secret=secret
        )
        audit.record(actor, Action.WEBHOOK_ADDED, subject=made)
    return made


def remove_endpoint(actor: Actor, endpoint: WebhookEndpoint) -> None:
    """Nothing is told to this address any more. Doing it twice changes nothing."""
    actor.require(Right.MANAGE_WEBHOOKS)
    with transaction.atomic():
        _remove(endpoint)
        audit.record(actor, Action.WEBHOOK_REMOVED, subject=endpoint)


def remove_endpoints_of(user: User, workspace: Workspace) -> None:
    """Nothing is told any more to the addresses that this user added there."""
    added = WebhookEndpoint.objects.filter(made_by=user, workspace=workspace, removed=None)
    added.update(removed=timezone.now())


def endpoints_of(actor: Actor) -> QuerySet[WebhookEndpoint]:
    """The workspace's addresses, the oldest first."""
    return WebhookEndpoint.objects.filter(workspace=actor.workspace, removed=None).order_by("id")


def deliveries_of(actor: Actor) -> QuerySet[WebhookDelivery]:
    """What was told to the workspace's addresses, the newest first."""
    deliveries = WebhookDelivery.objects.filter(endpoint__workspace=actor.workspace, endpoint__removed=None)
    return deliveries.select_related("endpoint", "edit").order_by("-id")


def replay(actor: Actor, delivery: WebhookDelivery) -> None:
    """Tells it again, from the first attempt on, under the same id."""
    actor.require(Right.MANAGE_WEBHOOKS)
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=State.WAITING, attempts=0, due=database_now(), answer=""
    )


def announce(edit: Edit) -> None:
    """Writes a delivery for each address of the workspace of an edit that ends in this transaction."""
    endpoints = list(_living().filter(workspace=edit.workspace_id))
    if endpoints:
        ended, now = Edit.objects.prefetch_related("results").get(pk=edit.pk), database_now()
        event = _EVENTS[Edit.State(ended.state)][0]
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(
                endpoint=endpoint,
                edit=ended,
                event=event,
                body=_body(ended, user_id=endpoint.made_by_id),
                due=now,
            )
            for endpoint in endpoints
        )


def deliver_due() -> int:
    """Delivers what is due, several at a time and a few to each address, so that however many wait for one
    that is slow, those for the others go out; answers how many."""
    turn = Window(RowNumber(), partition_by=F("endpoint"), order_by=F("due").asc())
    due = WebhookDelivery.objects.filter(state=State.WAITING, due__lte=database_now())
    first = due.annotate(turn=turn).filter(turn__lte=DELIVERIES_PER_URL).order_by("due")
    waiting = deque(first.values_list("id", flat=True)[:DELIVERIES_PER_RUN])
    count = len(waiting)
    # Daemon threads: a slow receiver must not keep the process from ending.
    threads = [
        threading.Thread(target=_deliver_all, args=(waiting,), name="webhook", daemon=True)
        for _ in range(min(MAX_PARALLEL_DELIVERIES, count))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count


def forget_old_deliveries() -> None:
    """Forgets what was told, or given up, long ago: its text holds addresses of results."""
    old = timezone.now() - KEPT
    WebhookDelivery.objects.filter(created__lt=old).exclude(state=State.WAITING).delete()


def deliver(delivery_id: uuid.UUID) -> None:
    """Makes one attempt, if the delivery is due and in nobody's hands."""
    now = database_now()
    waiting = WebhookDelivery.objects.filter(id=delivery_id, state=State.WAITING, due__lte=now)
    if not waiting.update(due=now + LEASE, attempts=F("attempts") + 1):
        return
    delivery = WebhookDelivery.objects.select_related("endpoint").get(id=delivery_id)
    crash_point("webhook.claimed")
    if not _living().filter(pk=delivery.endpoint_id).exists():
        _end(delivery, State.GIVEN_UP, gettext_noop("The address was removed, or who added it has left."))
        return
    if delivery.attempts > len(WAITS) + 1:
        _end(delivery, State.GIVEN_UP, delivery.answer or gettext_noop("It could not be told."))
        return
    try:
        answer = _send(delivery)
    except OutboundError as error:
        _fail(delivery, error.message)
    else:
        _judge(delivery, answer)


def signature(secret: str, message_id: str, timestamp: int, body: str) -> str:
    """`v1,` and the base64 of HMAC-SHA256 over "id.timestamp.body", as Standard Webhooks 1.0.0 says."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _require_usable(url: str) -> None:
    from editor.outbound.addresses import may_be_reached  # which brings httpx

    if len(url) > 500:
        raise AddressRefused(_("This address is too long: 500 characters at most."))
    try:
        may_be = may_be_reached(url, outbound_rules())
    except OutboundError:
        raise AddressRefused(_("Give an address that begins with https:// or http://.")) from None
    if not may_be:
        raise AddressRefused(_("This address is not allowed."))


def _body(edit: Edit, *, user_id: int) -> str:
    """What the status call would answer this user, in the frame of Standard Webhooks."""
    event, status = _EVENTS[Edit.State(edit.state)]
    data: dict[str, object] = {"taskId": str(edit.id), "status": status}
    if edit.has_results:
        data["images"] = _images(edit, user_id=user_id)
    if not edit.is_success:
        data |= {"message": edit.failure_message, "charged": 0}
    assert edit.finished is not None
    payload = {"type": event, "timestamp": edit.finished.isoformat(), "data": data}
    return json.dumps(payload, separators=(",", ":"))


def _images(edit: Edit, *, user_id: int) -> list[dict[str, str]]:
    """Addresses need a name of this site, and originals that wait for approval have none: then the receiver
    asks for the status."""
    if not settings.PUBLIC_URL or edit.finished is None or edit.is_withheld:
        return []
    until, site = edit.finished + timedelta(days=settings.RESULT_LINK_DAYS), settings.PUBLIC_URL
    return [
        {"url": links.photo_address(result, user_id=user_id, expires=until, site=site)}
        for result in edit.results.all()
    ]


def _send(delivery: WebhookDelivery) -> Answer:
    from editor.outbound.calls import call  # which brings httpx

    timestamp, endpoint = int(database_now().timestamp()), delivery.endpoint
    return call(
        "POST",
        endpoint.url,
        rules=outbound_rules(),
        seconds=CALL_SECONDS,
        cap=ANSWER_BYTES,
        content=delivery.body.encode(),
        headers={
            "Content-Type": "application/json",
            "webhook-id": str(delivery.id),
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(endpoint.secret, str(delivery.id), timestamp, delivery.body),
        },
    )


def _judge(delivery: WebhookDelivery, answer: Answer) -> None:
    if 200 <= answer.status < 300:
        _end(delivery, State.DELIVERED, f"Answered {answer.status}.")
    elif answer.status == 410:
        _end(delivery, State.GIVEN_UP, gettext_noop("Answered 410: this address wants to hear nothing more."))
        _remove(delivery.endpoint)
    else:
        _fail(delivery, f"Answered {answer.status}.")


def _fail(delivery: WebhookDelivery, why: str) -> None:
    if delivery.attempts > len(WAITS):
        _end(delivery, State.GIVEN_UP, why)
    else:
        # Nobody is hit by all that waited at the same moment.
        seconds = WAITS[delivery.attempts - 1] * (1 + secrets.randbelow(200) / 1000)
        ours = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
        ours.update(due=database_now() + timedelta(seconds=seconds), answer=why[:200])


def _end(delivery: WebhookDelivery, state: WebhookDelivery.State, why: str) -> None:
    done = timezone.now() if state == State.DELIVERED else None
    ours = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    ours.update(state=state, answer=why[:200], delivered=done)


def _remove(endpoint: WebhookEndpoint) -> None:
    WebhookEndpoint.objects.filter(pk=endpoint.pk, removed=None).update(removed=timezone.now())


def _living() -> QuerySet[WebhookEndpoint]:
    """Those that are not removed, and whose adder may still see what is told to them."""
    return WebhookEndpoint.objects.filter(
        removed=None, made_by__is_active=True, workspace__memberships__user=F("made_by")
    )


def _deliver_all(waiting: "deque[uuid.UUID]") -> None:
    try:
        while True:
            delivery_id = waiting.popleft()
            try:
                deliver(delivery_id)
            except Exception:
                logger.exception("The delivery %s went wrong; it is tried again.", delivery_id)
    except IndexError:
        pass  # all are taken
    finally:
        connection.close()
