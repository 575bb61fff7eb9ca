"""Webhooks, which notify other sites when an edit ends, as specified in Standard Webhooks 1.0.0.

A delivery is signed, retried for days, and subject to the restrictions on outgoing requests. Its row is
written in the transaction that ends the edit, so no delivery is lost. Every attempt contains the delivery's
ID. Housekeeping sends the deliveries, so a slow receiver never delays a worker.
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
from editor.outbound import OutboundError, Response
from editor.services.core import audit, links
from editor.services.core.access import Actor, Right
from editor.services.editing.fetching import outbound_rules

logger = logging.getLogger(__name__)
State = WebhookDelivery.State

MAX_ENDPOINTS = 10
SECRET_PREFIX = "whsec_"  # noqa: S105 - This is not a secret.
CALL_SECONDS = 10.0
LEASE = timedelta(minutes=1)  # time after which an interrupted delivery is tried again
DELIVERIES_PER_RUN = 500
# Maximum number of deliveries to a URL in one run, so that other URLs are not delayed.
DELIVERIES_PER_URL = 4
MAX_PARALLEL_DELIVERIES = 8
RETENTION = timedelta(days=30)
_MINUTE, _HOUR = 60, 3600
RETRY_DELAYS = (
    5,
    5 * _MINUTE,
    30 * _MINUTE,
    2 * _HOUR,
    5 * _HOUR,
    10 * _HOUR,
    14 * _HOUR,
    20 * _HOUR,
    24 * _HOUR,
)
"""Seconds until the next attempt, after each failed one."""
MAX_ATTEMPTS = len(RETRY_DELAYS) + 1

_EVENTS = {
    Edit.State.SUCCESS: ("edit.succeeded", "SUCCESS"),
    Edit.State.FAILED: ("edit.failed", "FAILED"),
    Edit.State.CANCELLED: ("edit.cancelled", "FAILED"),
}
EVENT_NAMES = tuple(name for name, _status in _EVENTS.values())


class UrlRefused(Exception):
    """Raised when a URL cannot be used for a webhook. The exception's message is shown to users."""


def add_endpoint(actor: Actor, *, url: str) -> WebhookEndpoint:
    """Start notifying this URL when edits in the workspace end. Raises Forbidden and UrlRefused."""
    actor.require(Right.MANAGE_WEBHOOKS)
    _require_usable(url)
    secret = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
    with transaction.atomic():
        # Lock the workspace, so that simultaneous requests cannot exceed the maximum number of endpoints.
        Workspace.objects.locked().get(pk=actor.workspace.pk)
        if endpoints_of(actor).filter(url=url).exists():
            raise UrlRefused(_("This URL is already registered."))
        if endpoints_of(actor).count() >= MAX_ENDPOINTS:
            raise UrlRefused(
                _("You can register up to %(most)s URLs. Remove one first.") % {"most": MAX_ENDPOINTS}
            )
        endpoint = WebhookEndpoint.objects.create(
            workspace=actor.workspace, made_by=actor.user, url=url, secret=secret
        )
        audit.record(actor, Action.WEBHOOK_ADDED, subject=endpoint)
    return endpoint


def remove_endpoint(actor: Actor, endpoint: WebhookEndpoint) -> None:
    """Stop notifying this endpoint. A second call has no effect. Raises Forbidden."""
    actor.require(Right.MANAGE_WEBHOOKS)
    with transaction.atomic():
        _remove(endpoint)
        audit.record(actor, Action.WEBHOOK_REMOVED, subject=endpoint)


def remove_endpoints_of(user: User, workspace: Workspace) -> None:
    """Stop notifying the endpoints that this user added in the workspace."""
    added = WebhookEndpoint.objects.filter(made_by=user, workspace=workspace, removed=None)
    added.update(removed=timezone.now())


def endpoints_of(actor: Actor) -> QuerySet[WebhookEndpoint]:
    """Return the workspace's endpoints, oldest first."""
    return WebhookEndpoint.objects.filter(workspace=actor.workspace, removed=None).order_by("id")


def deliveries_of(actor: Actor) -> QuerySet[WebhookDelivery]:
    """Return the deliveries to the workspace's endpoints, newest first."""
    deliveries = WebhookDelivery.objects.filter(endpoint__workspace=actor.workspace, endpoint__removed=None)
    return deliveries.select_related("endpoint", "edit").order_by("-id")


def replay(actor: Actor, delivery: WebhookDelivery) -> None:
    """Repeat a delivery under the same ID, with the full number of attempts. Raises Forbidden."""
    actor.require(Right.MANAGE_WEBHOOKS)
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=State.WAITING, attempts=0, due=database_now(), answer=""
    )


def create_deliveries(edit: Edit) -> None:
    """Write a delivery for each endpoint of the edit's workspace, in the transaction that ends the edit."""
    endpoints = list(_valid().filter(workspace=edit.workspace_id))
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
    """Attempt all due deliveries, and return their number.

    Several deliveries run in parallel, but only a few to each endpoint. Therefore, a slow receiver with many
    waiting deliveries does not delay deliveries to other receivers.
    """
    turn = Window(RowNumber(), partition_by=F("endpoint"), order_by=F("due").asc())
    due = WebhookDelivery.objects.filter(state=State.WAITING, due__lte=database_now())
    first = due.annotate(turn=turn).filter(turn__lte=DELIVERIES_PER_URL).order_by("due")
    waiting = deque(first.values_list("id", flat=True)[:DELIVERIES_PER_RUN])
    count = len(waiting)
    # A slow receiver must not keep the process from exiting, so these are daemon threads.
    threads = [
        threading.Thread(target=_deliver_all, args=(waiting,), name="webhook", daemon=True)
        for _ in range(min(MAX_PARALLEL_DELIVERIES, count))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count


def delete_old_deliveries() -> None:
    """Delete old deliveries that have ended, because their bodies contain URLs of results."""
    old = timezone.now() - RETENTION
    WebhookDelivery.objects.filter(created__lt=old).exclude(state=State.WAITING).delete()


def deliver(delivery_id: uuid.UUID) -> None:
    """Make one attempt if the delivery is due and unleased."""
    now = database_now()
    waiting = WebhookDelivery.objects.filter(id=delivery_id, state=State.WAITING, due__lte=now)
    if not waiting.update(due=now + LEASE, attempts=F("attempts") + 1):
        return
    delivery = WebhookDelivery.objects.select_related("endpoint").get(id=delivery_id)
    crash_point("webhook.claimed")
    if not _valid().filter(pk=delivery.endpoint_id).exists():
        _end(
            delivery,
            State.GIVEN_UP,
            gettext_noop("The URL was removed, or the person who added it left the workspace."),
        )
        return
    if delivery.attempts > MAX_ATTEMPTS:
        _end(delivery, State.GIVEN_UP, delivery.answer or gettext_noop("The message could not be delivered."))
        return
    try:
        answer = _send(delivery)
    except OutboundError as error:
        _fail(delivery, error.message)
    else:
        _judge(delivery, answer)


def signature(secret: str, message_id: str, timestamp: int, body: str) -> str:
    """Return a message's signature as defined in Standard Webhooks 1.0.0.

    It is "v1," followed by the base64-encoded HMAC-SHA256 of "id.timestamp.body".
    """
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _require_usable(url: str) -> None:
    # Imported here because this module loads httpx, which most processes never need.
    from editor.outbound.addresses import may_be_reached

    if len(url) > 500:
        raise UrlRefused(_("This URL is too long. Use at most 500 characters."))
    try:
        may_be = may_be_reached(url, outbound_rules())
    except OutboundError:
        raise UrlRefused(_("Enter a URL that starts with https:// or http://.")) from None
    if not may_be:
        raise UrlRefused(_("This URL is not allowed."))


def _body(edit: Edit, *, user_id: int) -> str:
    """Return the message.

    It contains what the API's status call would return to this user, except for the refusals. `api/docs`
    describes it.
    """
    event, status = _EVENTS[Edit.State(edit.state)]
    data: dict[str, object] = {"taskId": str(edit.id), "status": status, "engine": edit.engine_name}
    if edit.has_results:
        data["images"] = _images(edit, user_id=user_id)
    if not edit.is_success:
        data |= {"message": edit.failure_message, "charged": 0}
    assert edit.finished is not None
    payload = {"type": event, "timestamp": edit.finished.isoformat(), "data": data}
    return json.dumps(payload, separators=(",", ":"))


def _images(edit: Edit, *, user_id: int) -> list[dict[str, str]]:
    """Return signed URLs for the results.

    Returns none without PUBLIC_URL, or while the originals await approval. In these cases, the receiver can
    request the status instead.
    """
    if not settings.PUBLIC_URL or edit.finished is None or edit.is_withheld:
        return []
    until, site = edit.finished + timedelta(days=settings.RESULT_LINK_DAYS), settings.PUBLIC_URL
    return [
        {"url": links.signed_photo_url(result, user_id=user_id, expires=until, site=site)}
        for result in edit.results.all()
    ]


def _send(delivery: WebhookDelivery) -> Response:
    # Imported here because this module loads httpx, which most processes never need.
    from editor.outbound.calls import call

    timestamp, endpoint = int(database_now().timestamp()), delivery.endpoint
    return call(
        "POST",
        endpoint.url,
        rules=outbound_rules(),
        seconds=CALL_SECONDS,
        cap=0,  # Only the status counts.
        content=delivery.body.encode(),
        headers={
            "Content-Type": "application/json",
            "webhook-id": str(delivery.id),
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(endpoint.secret, str(delivery.id), timestamp, delivery.body),
        },
    )


def _judge(delivery: WebhookDelivery, answer: Response) -> None:
    if 200 <= answer.status < 300:
        _end(delivery, State.DELIVERED, f"Answered {answer.status}.")
    elif answer.status == 410:
        _end(
            delivery, State.GIVEN_UP, gettext_noop("The server returned 410 (Gone), so the URL was removed.")
        )
        _remove(delivery.endpoint)
    else:
        _fail(delivery, f"Answered {answer.status}.")


def _fail(delivery: WebhookDelivery, why: str) -> None:
    if delivery.attempts >= MAX_ATTEMPTS:
        _end(delivery, State.GIVEN_UP, why)
    else:
        # Add random delays to the retries, so that a receiver does not get all waiting deliveries at once.
        seconds = RETRY_DELAYS[delivery.attempts - 1] * (1 + secrets.randbelow(200) / 1000)
        ours = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
        ours.update(due=database_now() + timedelta(seconds=seconds), answer=why[:200])


def _end(delivery: WebhookDelivery, state: WebhookDelivery.State, why: str) -> None:
    done = timezone.now() if state == State.DELIVERED else None
    ours = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    ours.update(state=state, answer=why[:200], delivered=done)


def _remove(endpoint: WebhookEndpoint) -> None:
    WebhookEndpoint.objects.filter(pk=endpoint.pk, removed=None).update(removed=timezone.now())


def _valid() -> QuerySet[WebhookEndpoint]:
    """Return the endpoints that were not removed and whose creators may still see the edits."""
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
                logger.exception("Webhook delivery %s failed and will be retried.", delivery_id)
    except IndexError:
        pass  # The queue is empty.
    finally:
        connection.close()
