"""Tests of races between API clients. They use real threads and the database of the test run."""

import io
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from editor.models import ApiKey, Edit, IdempotencyClaim, RateCount, User
from editor.services.core import rates
from editor.services.maintenance import invariants
from editor.services.people import accounts
from tests import cast
from tests.api.calls import ACCOUNT, balance_of, json_fields, originals, send, send_form
from tests.faults.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
KEY = {"Idempotency-Key": "one of a crowd"}
CROWD = 12


@pytest.fixture
def secret(alice: User) -> str:
    return accounts.create_api_key(cast.actor_of(alice), name="k")[1]


def program(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


def test_simultaneous_repeats_of_a_request_create_one_edit(alice: User, secret: str) -> None:
    answers = at_once(lambda _: send(program(secret), json_fields(), **KEY), times=CROWD)
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses[200] >= 1
    assert set(statuses) <= {200, 409}
    tasks = {answer.json()["data"]["taskId"] for answer in answers if answer.status_code == 200}
    assert tasks == {str(Edit.objects.get().id)}
    assert balance_of(alice) == (400, 40)
    assert not IdempotencyClaim.objects.exists()
    assert not invariants.find_violations(with_files=False)


def test_simultaneous_repeats_of_an_upload_create_one_edit_with_one_photo(alice: User, secret: str) -> None:
    data = cast.photo_bytes()

    def upload(_: int) -> Any:
        file = io.BytesIO(data)
        file.name = "a.jpg"
        return send_form(program(secret), {"prompt": "warmer", "file0": file}, **KEY)

    answers = at_once(upload, times=CROWD)
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert Edit.objects.get().references.count() == 1
    assert balance_of(alice) == (400, 40)
    assert originals() == 1
    assert not invariants.find_violations()


def test_only_one_of_two_requests_with_the_same_key_creates_an_edit(alice: User, secret: str) -> None:
    prompts = ("warmer", "colder")
    answers = at_once(
        lambda number: send(program(secret), json_fields(prompt=prompts[number % 2]), **KEY), times=CROWD
    )
    assert {answer.status_code for answer in answers} <= {200, 409, 422}
    edit = Edit.objects.get()
    made = [answer.json()["data"] for answer in answers if answer.status_code == 200]
    assert made
    assert all((task["taskId"], task["prompt"]) == (str(edit.id), edit.prompt) for task in made)
    assert balance_of(alice) == (400, 40)


def test_many_programs_never_spend_more_than_the_balance(alice: User, secret: str) -> None:
    answers = at_once(lambda _: [send(program(secret), json_fields()).status_code for _ in range(4)], times=4)
    statuses = Counter(status for answer in answers for status in answer)
    assert statuses == {200: 10, 402: 6}
    assert balance_of(alice) == (400, 400)
    assert not invariants.find_violations(with_files=False)


def test_simultaneous_requests_all_count_toward_the_rate_limit(
    alice: User, secret: str, settings: Any
) -> None:
    settings.API_READS_PER_MINUTE = 20
    answers = at_once(lambda _: [program(secret).get(ACCOUNT).status_code for _ in range(4)], times=8)
    statuses = Counter(status for answer in answers for status in answer)
    # If a new minute began during the test, there are two rate-limit windows.
    windows = RateCount.objects.count()
    assert statuses[200] <= 20 * windows
    assert statuses[200] + statuses[429] == 32
    assert statuses[429] == 12 or windows == 2


def test_simultaneous_counts_are_not_lost(alice: User) -> None:
    at_once(lambda _: [rates.count("crowd", limit=1000) for _ in range(25)], times=8)
    assert sum(RateCount.objects.values_list("count", flat=True)) == 200


def test_simultaneous_first_uses_of_a_key_all_succeed(alice: User, secret: str) -> None:
    answers = at_once(lambda _: program(secret).get(ACCOUNT).status_code, times=8)
    assert answers == [200] * 8
    assert ApiKey.objects.get().last_used is not None
