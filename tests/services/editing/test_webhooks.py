"""Tests that webhooks lose nothing, sign everything, and do not reach forbidden addresses."""

import base64
import hashlib
import hmac
import json
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import Edit, Photo, User, WebhookDelivery, WebhookEndpoint, Workspace
from editor.outbound import Response, calls
from editor.services.core.access import find_signed_photo
from editor.services.core.errors import Forbidden
from editor.services.core.links import unsign_photo_url
from editor.services.editing import lifecycle, webhooks
from editor.services.people import members
from tests import cast
from tests.hostile_server import HostileServer, Received, Script, answer, redirect, reset, silence
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
type Submit = Callable[..., Edit]
type Advance = Callable[..., Edit]
type Listening = Callable[..., HostileServer]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long for receivers, because a busy machine may deliver slowly."""
    monkeypatch.setattr(webhooks, "CALL_SECONDS", 600.0)


@pytest.fixture
def listening(settings: Any) -> Iterator[Listening]:
    """Yield a function that starts a receiver with these scripts and registers its URL for a user."""
    servers: list[HostileServer] = []

    def listen(owner: User, *scripts: Script) -> HostileServer:
        server = HostileServer(*scripts)
        servers.append(server.__enter__())
        settings.OUTBOUND_ALLOWED_ORIGINS = [server.origin]
        webhooks.add_endpoint(cast.actor_of(owner), url=f"{server.origin}/told")
        return server

    yield listen
    for server in servers:
        server.__exit__(None, None, None)


def made_due() -> None:
    WebhookDelivery.objects.update(due=timezone.now() - timedelta(seconds=1))


def attempt() -> WebhookDelivery:
    """Make the only delivery due now, attempt the delivery, and return it."""
    made_due()
    webhooks.deliver(WebhookDelivery.objects.get().id)
    return WebhookDelivery.objects.get()


def checked(received: Received, endpoint: WebhookEndpoint) -> Any:
    """Check the signature as specified in Standard Webhooks 1.0.0, and return the JSON body."""
    headers = received.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + received.body
    key = base64.b64decode(endpoint.secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    assert 24 <= len(key) <= 64
    return received.json()


def test_a_successful_edit_is_delivered_with_its_results(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    advance: Advance,
    listening: Listening,
    settings: Any,
) -> None:
    settings.PUBLIC_URL = "https://darkroom.example.org"
    server = listening(alice, answer(204))
    edit = advance(submitted(alice), times=3)
    delivery = attempt()
    message = checked(server.requests[0], WebhookEndpoint.objects.get())
    assert (message["type"], message["data"]["taskId"], message["data"]["status"]) == (
        "edit.succeeded",
        str(edit.id),
        "SUCCESS",
    )
    signed = unsign_photo_url(message["data"]["images"][0]["url"])
    assert signed is not None
    assert signed.photo_id == edit.results.get().id
    assert server.requests[0].headers["webhook-id"] == str(delivery.id)
    assert (delivery.state, delivery.attempts, delivery.answer) == ("DELIVERED", 1, "Answered 204.")


def test_a_cancelled_edit_is_delivered_with_its_reason(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    server = listening(alice, answer(200))
    edit = submitted(alice)
    lifecycle.cancel(cast.actor_of(alice), edit)
    attempt()
    assert server.requests[0].json() | {"timestamp": ""} == {
        "type": "edit.cancelled",
        "timestamp": "",
        "data": {
            "taskId": str(edit.id),
            "status": "FAILED",
            "engine": "scripted",
            "message": "You cancelled this edit. You were not charged.",
            "charged": 0,
        },
    }


def test_cancelling_an_edit_repeatedly_creates_one_delivery(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    listening(alice)
    edit = submitted(alice)
    for _ in range(3):
        lifecycle.cancel(cast.actor_of(alice), edit)
    assert WebhookDelivery.objects.count() == 1


def test_only_webhooks_of_the_edits_workspace_receive_it(
    alice: User, bob: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    listening(bob)
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    assert not WebhookDelivery.objects.exists()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (answer(500, b"oh"), "Answered 500."),
        (answer(404), "Answered 404."),
        (redirect("http://127.0.0.1:1/"), "Answered 302."),
        (reset(), "The connection was lost before the response was complete."),
    ],
)
def test_a_delivery_that_fails_is_retried_later(
    alice: User,
    engine: ScriptedEngine,
    submitted: Submit,
    listening: Listening,
    script: Script,
    says: str,
) -> None:
    server = listening(alice, script, answer(200))
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    before = timezone.now()
    delivery = attempt()
    assert (delivery.state, delivery.attempts, delivery.answer) == ("WAITING", 1, says)
    assert delivery.due - before > timedelta(seconds=4)
    assert delivery.due - timezone.now() < timedelta(seconds=7)
    delivery = attempt()
    assert (delivery.state, delivery.attempts) == ("DELIVERED", 2)
    first, second = server.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body


@pytest.mark.parametrize(
    "script",
    [
        answer(200, "<html>" + "x" * 100_000),
        answer(200, b"ok", headers={"Content-Encoding": "br"}),
        answer(200, b"{}", length=50),
    ],
    ids=["large", "brotli", "broken off"],
)
def test_the_body_of_a_response_does_not_matter(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening, script: Script
) -> None:
    listening(alice, script)
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    delivery = attempt()
    assert (delivery.state, delivery.answer) == ("DELIVERED", "Answered 200.")


def test_a_delivery_is_given_up_after_days_and_can_be_replayed_manually(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    server = listening(alice, *[answer(503)] * 10, answer(200))
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    waited = 0.0
    for _ in range(9):
        waited += (attempt().due - timezone.now()).total_seconds()
    assert 3 * 24 * 3600 < waited < 4 * 24 * 3600
    delivery = attempt()
    assert (delivery.state, delivery.attempts) == ("GIVEN_UP", 10)
    webhooks.replay(cast.actor_of(alice), delivery)
    assert attempt().state == "DELIVERED"
    assert len(server.requests) == 11


def test_a_url_that_returns_410_receives_nothing_more(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    listening(alice, answer(410))
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    assert attempt().state == "GIVEN_UP"
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    assert WebhookDelivery.objects.count() == 1


def test_a_removed_url_receives_no_waiting_deliveries(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    server = listening(alice)
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    webhooks.remove_endpoint(cast.actor_of(alice), WebhookEndpoint.objects.get())
    assert (attempt().state, server.requests) == ("GIVEN_UP", [])


def test_delivering_twice_sends_one_request(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    server = listening(alice)
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    made_due()
    delivery_id = WebhookDelivery.objects.get().id
    webhooks.deliver(delivery_id)
    webhooks.deliver(delivery_id)
    assert len(server.requests) == 1


def test_a_delivery_interrupted_by_a_crash_is_retried_after_its_lease(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    server = listening(alice)
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    claimed = timezone.now() + webhooks.LEASE
    WebhookDelivery.objects.update(due=claimed, attempts=1)
    assert webhooks.deliver_due() == 0
    assert attempt().state == "DELIVERED"
    assert len(server.requests) == 1


@pytest.mark.django_db(transaction=True)
def test_a_receiver_that_does_not_respond_does_not_block_other_deliveries(
    alice: User, bob: User, listening: Listening, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = listening(alice, silence()), listening(bob, answer(200))
    settings.OUTBOUND_ALLOWED_ORIGINS = [slow.origin, quick.origin]
    call = calls.call

    def call_slow_one_briefly(method: str, url: str, *, seconds: float, **how: Any) -> Response:
        return call(method, url, seconds=1.0 if url.startswith(slow.origin) else seconds, **how)

    monkeypatch.setattr(calls, "call", call_slow_one_briefly)
    for user in (alice, bob):
        edit = cast.make_edit(user, state="QUEUED")
        lifecycle.cancel(cast.actor_of(user), edit)
    webhooks.deliver_due()
    deliveries = {delivery.endpoint.made_by_id: delivery for delivery in WebhookDelivery.objects.all()}
    assert (deliveries[bob.pk].state, deliveries[alice.pk].answer) == (
        "DELIVERED",
        "The server did not respond in time.",
    )
    assert threading.active_count() < 20


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://169.254.169.254/latest", "http://[::1]/", "https://a.org:22/"]
)
def test_a_forbidden_url_cannot_be_added(alice: User, url: str) -> None:
    with pytest.raises(webhooks.UrlRefused, match="not allowed"):
        webhooks.add_endpoint(cast.actor_of(alice), url=url)


def test_nothing_is_sent_to_a_host_name_with_a_private_address(
    alice: User, engine: ScriptedEngine, submitted: Submit
) -> None:
    webhooks.add_endpoint(cast.actor_of(alice), url="http://localhost/")
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    assert attempt().answer == "This URL is not allowed."


def test_the_webhooks_of_a_former_member_receive_nothing_more(
    alice: User, bob: User, team: Workspace
) -> None:
    team.memberships.filter(user=bob).update(role="admin")
    webhooks.add_endpoint(cast.actor_of(bob, team), url="https://a.example.org/")
    lifecycle.cancel(cast.actor_of(alice, team), cast.make_edit(alice, workspace=team, state="QUEUED"))
    team.memberships.filter(user=bob).delete()
    assert attempt().state == "GIVEN_UP"
    lifecycle.cancel(cast.actor_of(alice, team), cast.make_edit(alice, workspace=team, state="QUEUED"))
    assert WebhookDelivery.objects.count() == 1


def test_result_urls_in_a_webhook_become_invalid_when_its_creator_is_removed(
    alice: User, bob: User, team: Workspace, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://darkroom.example.org"
    team.memberships.filter(user=bob).update(role="admin")
    for user in (alice, bob):
        webhooks.add_endpoint(cast.actor_of(user, team), url=f"https://{user.pk}.example.org/")
    edit = cast.make_edit(alice, workspace=team, state="STORING", outputs=2, results=2)
    assert lifecycle.finish(edit, Edit.State.SUCCESS)
    members.remove(cast.actor_of(alice, team), team.memberships.get(user=bob))

    def seen_by(user: User) -> list[Photo | None]:
        body = json.loads(WebhookDelivery.objects.get(endpoint__made_by=user).body)
        signed = [unsign_photo_url(image["url"]) for image in body["data"]["images"]]
        return [find_signed_photo(one) if one else None for one in signed]

    assert seen_by(alice) == list(edit.results.all())
    assert seen_by(bob) == [None, None]


def test_a_url_with_many_deliveries_does_not_block_another_url(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[uuid.UUID] = []
    monkeypatch.setattr(webhooks, "deliver", told.append)
    for user, times in ((alice, 10), (bob, 1)):
        webhooks.add_endpoint(cast.actor_of(user), url="https://a.example.org/")
        for _ in range(times):
            lifecycle.cancel(cast.actor_of(user), cast.make_edit(user, state="QUEUED"))
    made_due()
    assert webhooks.deliver_due() == webhooks.DELIVERIES_PER_URL + 1
    owners = WebhookDelivery.objects.filter(id__in=told).values_list("edit__owner", flat=True)
    assert set(owners) == {alice.pk, bob.pk}


def test_many_waiting_deliveries_to_one_url_do_not_delay_others(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receiver that is down must not delay other deliveries.

    The deliveries to this receiver have been due for the longest time.
    """
    monkeypatch.setattr(webhooks, "DELIVERIES_PER_RUN", 6)
    test_a_url_with_many_deliveries_does_not_block_another_url(alice, bob, monkeypatch)


def test_a_delivery_that_always_raises_an_error_is_given_up(
    alice: User, engine: ScriptedEngine, submitted: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhooks.add_endpoint(cast.actor_of(alice), url="https://a.example.org/")
    lifecycle.cancel(cast.actor_of(alice), submitted(alice))

    def broken(delivery: WebhookDelivery) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(webhooks, "_send", broken)
    for _ in range(len(webhooks.RETRY_DELAYS) + 2):
        with suppress(RuntimeError):
            attempt()
    assert WebhookDelivery.objects.get().state == "GIVEN_UP"


def test_old_deliveries_are_deleted_once_they_are_delivered(
    alice: User, engine: ScriptedEngine, submitted: Submit
) -> None:
    webhooks.add_endpoint(cast.actor_of(alice), url="https://a.example.org/")
    for _ in range(2):
        lifecycle.cancel(cast.actor_of(alice), submitted(alice))
    WebhookDelivery.objects.update(created=timezone.now() - timedelta(days=31))
    newest = WebhookDelivery.objects.latest("id")
    WebhookDelivery.objects.filter(id=newest.id).update(state="DELIVERED")
    webhooks.delete_old_deliveries()
    assert WebhookDelivery.objects.get().state == "WAITING"


@pytest.mark.parametrize(
    "url", ["", "ftp://a.org/", "https://u:p@a.org/", "javascript:alert(1)", "https://" + "a" * 500]
)
def test_an_invalid_url_is_refused(alice: User, url: str) -> None:
    with pytest.raises(webhooks.UrlRefused):
        webhooks.add_endpoint(cast.actor_of(alice), url=url)
    assert not WebhookEndpoint.objects.exists()


def test_a_url_can_be_registered_only_once(alice: User) -> None:
    webhooks.add_endpoint(cast.actor_of(alice), url="https://a.example.org/")
    with pytest.raises(webhooks.UrlRefused, match="already registered"):
        webhooks.add_endpoint(cast.actor_of(alice), url="https://a.example.org/")


def test_the_number_of_urls_is_limited(alice: User) -> None:
    for number in range(webhooks.MAX_ENDPOINTS):
        webhooks.add_endpoint(cast.actor_of(alice), url=f"https://a.example.org/{number}")
    with pytest.raises(webhooks.UrlRefused, match="Remove one first"):
        webhooks.add_endpoint(cast.actor_of(alice), url="https://a.example.org/more")


def test_a_viewer_cannot_add_a_url(viewer: User, team: Workspace) -> None:
    with pytest.raises(Forbidden):
        webhooks.add_endpoint(cast.actor_of(viewer, team), url="https://a.example.org/")


def test_the_signature_matches_an_example_of_the_reference_libraries() -> None:
    """The key, the ID, the timestamp, the text, and the signature come from an example in the reference
    libraries.
    """
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    signed = webhooks.signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_body_is_valid_json_even_if_the_prompt_has_special_characters(
    alice: User, engine: ScriptedEngine, submitted: Submit, listening: Listening
) -> None:
    server = listening(alice)
    edit = submitted(alice)
    Edit.objects.filter(id=edit.id).update(prompt='“ü” \u2028 \\ "')
    lifecycle.cancel(cast.actor_of(alice), edit)
    attempt()
    assert json.loads(server.requests[0].body)["data"]["taskId"] == str(edit.id)
    assert uuid.UUID(server.requests[0].headers["webhook-id"])
