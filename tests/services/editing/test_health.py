"""Tests for an upstream URL's circuit breaker, and for the limit on edits in flight at this URL."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from editor.models import Edit, Engine, ProviderHealth, User
from editor.providers.contract import Fault
from editor.services.editing import health, leases
from tests import cast, clock

pytestmark = pytest.mark.django_db
ADDRESS = "https://photos.example.org"


def sent_to(user: User, base_url: str = ADDRESS, **columns: Any) -> Edit:
    return cast.make_edit(user, provider="photo-editor", base_url=base_url, **columns)


def fail(edit: Edit, times: int, fault: Fault = Fault.ENGINE) -> None:
    for _ in range(times):
        health.record_failure(edit, fault, "It answered 500.")


def row() -> ProviderHealth:
    return ProviderHealth.objects.get(base_url=ADDRESS)


def test_calls_are_not_delayed_before_anything_has_failed(alice: User) -> None:
    assert health.call_delay(sent_to(alice)) == 0


def test_failures_of_the_built_in_engine_never_open_the_breaker(alice: User) -> None:
    edit = sent_to(alice, base_url="")
    fail(edit, 20)
    assert health.call_delay(edit) == 0
    assert not ProviderHealth.objects.exists()


def test_the_breaker_opens_after_five_failures_in_a_row(alice: User) -> None:
    edit = sent_to(alice)
    fail(edit, 4)
    assert health.call_delay(edit) == 0
    with clock.at(timezone.now(), tick=False):
        fail(edit, 1)
        assert 25 < health.call_delay(edit) < 36
    assert row().message == "It answered 500."
    assert health.call_delay(sent_to(alice, base_url="https://other.example.org")) == 0


def test_a_success_in_between_resets_the_count(alice: User) -> None:
    edit = sent_to(alice)
    for _ in range(3):
        fail(edit, 4)
        health.record_success(edit)
    assert health.call_delay(edit) == 0


def test_the_breaker_opens_when_half_of_twenty_calls_in_a_minute_failed(alice: User) -> None:
    edit = sent_to(alice)
    for _ in range(9):
        fail(edit, 1)
        health.record_success(edit)
    fail(edit, 1)
    assert health.call_delay(edit) == 0
    fail(edit, 1)
    assert health.call_delay(edit) > 0


def test_failures_from_more_than_a_minute_ago_do_not_count(alice: User) -> None:
    edit = sent_to(alice)
    with clock.at(timezone.now() - timedelta(seconds=90), tick=False):
        for _ in range(9):
            fail(edit, 1)
            health.record_success(edit)
    fail(edit, 2)
    assert health.call_delay(edit) == 0


def test_failures_caused_by_the_request_do_not_open_the_breaker(alice: User) -> None:
    edit = sent_to(alice)
    fail(edit, 20, Fault.REQUEST)
    assert health.call_delay(edit) == 0


def test_a_failure_caused_by_the_operator_opens_the_breaker_immediately(alice: User) -> None:
    edit = sent_to(alice)
    fail(edit, 1, Fault.OPERATOR)
    assert health.call_delay(edit) > 0


def test_the_half_open_breaker_allows_one_call_at_a_time(alice: User) -> None:
    edit = sent_to(alice)
    fail(edit, 5)
    with clock.at(timezone.now() + timedelta(seconds=40), tick=False):
        assert [health.call_delay(edit) for _ in range(3)] == [0, 2, 2]
        health.record_success(edit)
        assert [health.call_delay(edit) for _ in range(3)] == [0, 0, 0]
        assert (row().times_opened, row().message) == (0, "")


def test_a_status_request_probes_the_engine_before_a_new_edit_does(alice: User) -> None:
    running, waiting = sent_to(alice, state="RUNNING"), sent_to(alice, state="QUEUED")
    fail(running, 5)
    with clock.at(timezone.now() + timedelta(seconds=40), tick=False):
        assert health.call_delay(waiting) > 0
        assert health.call_delay(running) == 0


def test_a_probe_without_a_response_is_eventually_replaced_by_another(alice: User) -> None:
    edit = sent_to(alice)
    fail(edit, 5)
    with clock.at(timezone.now() + timedelta(seconds=40), tick=False):
        assert health.call_delay(edit) == 0
    with clock.at(timezone.now() + timedelta(seconds=40 + 121), tick=False):
        assert health.call_delay(edit) == 0


def test_a_probe_of_a_synchronous_engine_lasts_as_long_as_an_edit_may_take(alice: User) -> None:
    edit = sent_to(alice, state="QUEUED")
    Engine.objects.update(seconds=300, capabilities={"answers_directly": True})
    edit = Edit.objects.get(pk=edit.pk)
    sent_to(alice, state="RUNNING")  # It is never polled, so a new edit probes.
    fail(edit, 5)
    start = timezone.now() + timedelta(seconds=40)
    with clock.at(start, tick=False):
        assert health.call_delay(edit) == 0
    with clock.at(start + timedelta(seconds=health.PROBE_SECONDS + 299), tick=False):
        assert health.call_delay(edit) > 0
    with clock.at(start + timedelta(seconds=health.PROBE_SECONDS + 301), tick=False):
        assert health.call_delay(edit) == 0


def test_each_opening_in_a_row_lasts_twice_as_long_up_to_five_minutes(alice: User) -> None:
    edit, now, lasted = sent_to(alice), timezone.now(), []
    for turn in range(6):
        with clock.at(now, tick=False):
            fail(edit, 5 if turn == 0 else 1)
            open_until = row().open_until
            assert open_until is not None
            lasted.append((open_until - now).total_seconds())
        now = open_until + timedelta(seconds=1)
    assert lasted == [pytest.approx(seconds, rel=0.11) for seconds in (30, 60, 120, 240, 300, 300)]


def test_a_long_wait_checks_every_minute_whether_the_breaker_is_closed(alice: User) -> None:
    edit, now = sent_to(alice), timezone.now()
    for turn in range(6):  # The last failure opens the breaker for five minutes.
        with clock.at(now, tick=False):
            fail(edit, 5 if turn == 0 else 1)
            assert 26 < health.call_delay(edit) <= 62
            now = row().open_until or now
    with clock.at(now - timedelta(minutes=3), tick=False):
        health.record_success(edit)  # A late response to an earlier request closes the breaker.
        assert health.call_delay(edit) == 0


def test_three_retries_a_minute_are_free_and_the_next_wait_for_another_minute(alice: User) -> None:
    edit = sent_to(alice)
    assert [health.retry_delay(edit, 2) for _ in range(5)] == [2, 2, 2, 62, 62]


def test_a_tenth_of_many_calls_may_be_retried(alice: User) -> None:
    edit = sent_to(alice)
    for _ in range(60):
        health.record_call(edit)
    assert [health.retry_delay(edit, 2) for _ in range(7)] == [2] * 6 + [62]


def test_the_limit_of_edits_in_flight_at_a_url_applies_across_all_owners(
    alice: User, bob: User, settings: Any
) -> None:
    settings.UPSTREAM_IN_FLIGHT, settings.RUNNING_PER_USER = 2, 10
    for state in ("SENDING", "STORING"):
        sent_to(bob, state=state)
    waiting = sent_to(alice, state="QUEUED")
    before = timezone.now()
    assert leases.claim(waiting.id) is None
    assert Edit.objects.get(id=waiting.id).due > before
    elsewhere = sent_to(alice, base_url="https://other.example.org", state="QUEUED")
    assert leases.claim(elsewhere.id) is not None
    assert leases.claim(uuid.uuid4()) is None
