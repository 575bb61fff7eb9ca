"""Tests for the rate limit that applies to each API key."""

from typing import Any

import pytest
import time_machine
from django.test import Client

from editor.models import Edit, RateCount, User
from editor.services.core import rates
from tests import cast
from tests.api.calls import ACCOUNT, STATUS, data_of, json_fields, message_of, send
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _few_requests_are_allowed(settings: Any) -> None:
    settings.API_CREATES_PER_MINUTE = 2
    settings.API_READS_PER_MINUTE = 3


def test_creates_beyond_the_limit_are_refused_until_the_next_minute(api: Client) -> None:
    with time_machine.travel("2026-05-04 12:00:20Z", tick=False) as clock:
        answers = [send(api, json_fields()) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
        assert (
            message_of(answers[2], 429) == "This API key can make 2 such requests a minute. Wait 40 seconds."
        )
        assert answers[2].headers["Retry-After"] == "40"
        clock.move_to("2026-05-04 12:01:00Z")
        assert send(api, json_fields()).status_code == 200
    assert Edit.objects.count() == 3


def test_every_response_says_how_many_requests_are_left(api: Client) -> None:
    with time_machine.travel("2026-05-04 12:00:20Z", tick=False):
        read, wrong = api.get(ACCOUNT), api.get(STATUS)
        assert read.headers["RateLimit-Policy"] == '"reads";q=3;w=60'
        assert read.headers["RateLimit"] == '"reads";r=2;t=40'
        assert (wrong.status_code, wrong.headers["RateLimit"]) == (400, '"reads";r=1;t=40')
        created = send(api, {})
        assert (created.status_code, created.headers["RateLimit"]) == (400, '"creates";r=1;t=40')


def test_a_500_response_says_how_many_requests_are_left_too(
    api: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("editor.api.edits._find", breaks)
    api.raise_request_exception = False
    response = api.get(STATUS, {"taskId": "x"})
    assert response.status_code == 500
    assert response.headers["RateLimit"].startswith('"reads";r=2')


@pytest.mark.usefixtures("new_minute")
def test_reads_and_creates_are_counted_separately_for_each_key(
    api: Client, program: Program, alice: User
) -> None:
    for _ in range(3):
        assert api.get(ACCOUNT).status_code == 200
    assert api.get(ACCOUNT).status_code == 429
    assert send(api, json_fields()).status_code == 200
    assert data_of(program(alice).get(ACCOUNT))["held"] == 40


@pytest.mark.usefixtures("new_minute")
def test_a_rate_limited_create_holds_no_credits(api: Client, alice: User) -> None:
    for _ in range(5):
        send(api, json_fields())
    assert Edit.objects.count() == 2
    alice.personal_workspace.refresh_from_db()
    assert alice.personal_workspace.held == 80
    cast.assert_ledger_balances(alice.personal_workspace)


def test_old_counts_are_deleted(api: Client) -> None:
    with time_machine.travel("2026-05-04 12:00Z", tick=False) as clock:
        api.get(ACCOUNT)
        clock.move_to("2026-05-04 12:59Z")
        rates.delete_old_rates()
        assert RateCount.objects.count() == 1
        clock.move_to("2026-05-04 13:01Z")
        rates.delete_old_rates()
        assert not RateCount.objects.exists()
