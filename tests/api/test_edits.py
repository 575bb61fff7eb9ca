"""Tests for cancelling and listing edits through the API."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from editor.models import Edit, Engine, Favorite, User
from editor.models.ids import uuid7
from editor.services.billing import credits
from tests import cast
from tests.api.calls import CANCEL, EDITS, STATUS, balance_of, data_of, message_of
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db


def cancel(client: Client, body: Any) -> Any:
    return client.post(CANCEL, body, content_type="application/json")


def task_ids(response: Any) -> list[str]:
    return [edit["taskId"] for edit in data_of(response)["edits"]]


def test_a_cancelled_task_is_failed_and_its_credits_are_released(api: Client, alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    data = data_of(cancel(api, {"taskId": str(edit.id)}))
    assert data == {
        "status": "FAILED",
        "engine": "embedded",
        "message": "You cancelled this edit. You were not charged.",
        "charged": 0,
    }
    assert Edit.objects.get().state == "CANCELLED"
    assert balance_of(alice) == (400, 0)
    cast.assert_ledger_balances(edit.workspace)


def test_cancelling_a_finished_task_changes_nothing(api: Client, alice: User) -> None:
    edit = cast.make_edit(alice)
    for _ in range(2):
        assert data_of(cancel(api, {"taskId": str(edit.id)}))["status"] == "SUCCESS"
    assert balance_of(alice) == (360, 0)
    cast.assert_ledger_balances(edit.workspace)


def test_cancelling_requires_an_existing_task_of_the_workspace(api: Client, charlie: User) -> None:
    theirs = cast.make_edit(charlie, state="RUNNING")
    assert message_of(cancel(api, {}), 400) == "taskId is required"
    assert "taskId" in message_of(cancel(api, {"taskId": 5}), 400)
    assert "JSON object" in message_of(cancel(api, [1]), 400)
    for task_id in (str(theirs.id), str(uuid.uuid4()), "x"):
        assert "task does not exist" in message_of(cancel(api, {"taskId": task_id}), 404)
    assert "application/json" in message_of(api.post(CANCEL, {"taskId": str(theirs.id)}), 415)
    theirs.refresh_from_db()
    assert theirs.is_open


def test_a_list_entry_contains_all_fields_of_an_edit(api: Client, alice: User) -> None:
    done = cast.make_edit(alice, aspect_ratio="1:1", output_format="webp", outputs=2, prompt="warmer")
    failed = cast.make_edit(alice, state="FAILED")
    entries = data_of(api.get(EDITS))["edits"]
    assert [entry["taskId"] for entry in entries] == [str(failed.id), str(done.id)]
    images = entries[1].pop("images")
    assert [image["url"].split("/")[-1] for image in images] == ["result-1.jpeg", "result-2.jpeg"]
    assert entries[1] == {
        "taskId": str(done.id),
        "status": "SUCCESS",
        "prompt": "warmer",
        "aspectRatio": "1:1",
        "outputFormat": "webp",
        "numImages": 2,
        "engine": "embedded",
        "created": done.created.isoformat(),
        "finished": done.finished.isoformat() if done.finished else None,
        "charged": 40,
    }
    assert (entries[0]["status"], entries[0]["charged"]) == ("FAILED", 0)
    assert entries[0]["message"] == "The sky could not be found."


def test_a_refund_is_subtracted_from_the_charge(
    api: Client, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    partly, fully, charged = (cast.make_edit(alice) for _ in range(3))
    credits.refund(None, partly, amount=15, reason="Half of it was right")
    credits.refund(None, fully, reason="The wrong sky")
    # one query each for the key, its use, the rate limit, the edits, their photos, and their results
    with django_assert_num_queries(6):
        entries = data_of(api.get(EDITS))["edits"]
    assert [entry["charged"] for entry in entries] == [40, 0, 25]
    for edit, rest in ((partly, "25"), (fully, "0"), (charged, "40")):
        assert api.get(STATUS, {"taskId": str(edit.id)}).headers["X-Credits-Charged"] == rest
    assert balance_of(alice) == (400 - 25 - 40, 0)


def test_the_pages_of_the_list_neither_repeat_nor_skip_edits(api: Client, alice: User, charlie: User) -> None:
    made = [str(cast.make_edit(alice, price=1).id) for _ in range(7)]
    cast.make_edit(charlie)
    seen, cursor = [], None
    for size in (3, 3, 1):
        response = api.get(EDITS, {"limit": "3"} | ({"cursor": cursor} if cursor else {}))
        cursor = data_of(response)["nextCursor"]
        assert len(task_ids(response)) == size
        seen += task_ids(response)
        cast.make_edit(alice, price=1)  # An edit created between two requests must not shift pages.
    assert seen == list(reversed(made))
    assert cursor is None


def test_the_list_can_be_filtered_by_status(api: Client, alice: User) -> None:
    states = ("QUEUED", "SENDING", "RUNNING", "STORING", "SUCCESS", "FAILED", "CANCELLED")
    made = {state: str(cast.make_edit(alice, state=state, price=1).id) for state in states}
    expected = {
        "PENDING": {"QUEUED"},
        "RUNNING": {"SENDING", "RUNNING", "STORING"},
        "SUCCESS": {"SUCCESS"},
        "FAILED": {"FAILED", "CANCELLED"},
    }
    for word, inside in expected.items():
        assert set(task_ids(api.get(EDITS, {"state": word}))) == {made[state] for state in inside}


def test_the_list_can_be_searched_like_the_history(api: Client, alice: User) -> None:
    made = [str(cast.make_edit(alice, prompt=f"darker sky {number}", price=1).id) for number in range(5)]
    other = cast.make_edit(alice, prompt="a red car", id=uuid7(datetime(2026, 1, 5, 23, 59, tzinfo=UTC)))
    Favorite.objects.create(user=alice, edit=other)
    first = api.get(EDITS, {"q": "sky dark", "limit": "3"})
    rest = api.get(EDITS, {"q": "sky dark", "limit": "3", "cursor": data_of(first)["nextCursor"]})
    assert task_ids(first) + task_ids(rest) == made[::-1]
    assert data_of(rest)["nextCursor"] is None
    for only in ({"favorite": "true"}, {"since": "2026-01-05", "until": "2026-01-05"}, {"q": "RED c"}):
        assert task_ids(api.get(EDITS, only)) == [str(other.id)]
    for none in ({"favorite": "true", "q": "sky"}, {"until": "2026-01-04"}, {"q": "%"}):
        assert task_ids(api.get(EDITS, none)) == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("limit=0", "1 to 100"),
        ("limit=101", "1 to 100"),
        ("limit=-1", "1 to 100"),
        ("limit=", "1 to 100"),
        ("state=", "PENDING"),
        ("cursor=", "nextCursor"),
        ("limit=ten", "1 to 100"),
        ("limit=%D9%A1", "1 to 100"),
        ("limit=1&limit=2", "more than once"),
        ("state=running", "PENDING, RUNNING, SUCCESS, FAILED"),
        ("state=QUEUED", "PENDING, RUNNING, SUCCESS, FAILED"),
        ("state=SUCCESS&state=FAILED", "more than once"),
        ("cursor=x", "nextCursor"),
        ("cursor=%00", "nextCursor"),
        (f"cursor={uuid.UUID(int=1)}&q=sky", "nextCursor"),
        ("cursor=7", "nextCursor"),
        ("since=yesterday", "since"),
        ("until=9999-12-31", "until"),
        ("until=2026-02-30", "until"),
        ("since=2026-01-01&since=2026-01-02", "more than once"),
        (f"q={'x' * 201}", "q"),
        ("q=%00", "q"),
    ],
)
def test_invalid_list_parameters_are_rejected(api: Client, query: str, words: str) -> None:
    assert words in message_of(api.get(f"{EDITS}?{query}"), 400)


def test_the_number_of_queries_does_not_grow_with_the_list(
    api: Client, alice: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        cast.make_edit(alice, price=1, references=2)
    api.get(EDITS)
    with django_assert_max_num_queries(5):
        assert len(task_ids(api.get(EDITS))) == 3
    for _ in range(20):
        cast.make_edit(alice, price=1)
    with django_assert_max_num_queries(5):
        assert len(task_ids(api.get(EDITS, {"limit": "23"}))) == 23


@pytest.mark.parametrize("is_on", [True, False])
def test_the_number_of_queries_does_not_grow_with_the_refused_edits_of_the_list(
    api: Client, alice: User, django_assert_num_queries: DjangoAssertNumQueries, is_on: bool
) -> None:
    cast.make_refused_edit(alice)
    if not is_on:
        Engine.objects.update(switched_off=timezone.now())
    api.get(EDITS)
    # one query each for the key, the rate limit, the edits, their photos, their results, and the engines
    with django_assert_num_queries(6):
        [entry] = data_of(api.get(EDITS, {"state": "FAILED"}))["edits"]
    assert entry["refusals"][0]["words"] == "zorble"
    for _ in range(20):
        cast.make_refused_edit(alice)
    with django_assert_num_queries(6):
        entries = data_of(api.get(EDITS, {"limit": "21"}))["edits"]
    assert sum(len(entry["refusals"]) for entry in entries) == 21


def test_the_account_returns_the_balance_the_price_and_the_limits(
    api: Client, program: Program, alice: User
) -> None:
    cast.make_edit(alice, state="RUNNING")
    data = data_of(api.get("/api/photo-editor/account"))
    limits = data.pop("limits")
    assert data == {
        "workspace": "alice@example.org's workspace",
        "slug": "alice",
        "plan": "free",
        "balance": 400,
        "held": 40,
        "free": 360,
        "price": 40,
        "capLeft": None,
        "engines": [{"name": "embedded", "model": "darkroom-engine-1", "price": 40, "host": ""}],
    }
    assert limits == {
        "images": 5,
        "imageMegabytes": 20,
        "imageMegapixels": 40,
        "promptCharacters": 2000,
        "numImages": 4,
        "createsPerMinute": 60,
        "readsPerMinute": 600,
        "resultLinkDays": 7,
    }
    pro = cast.make_user("pro@example.org", plan="pro")
    assert data_of(program(pro).get("/api/photo-editor/account"))["price"] == 35


@pytest.mark.parametrize(
    "search", [{"since": ""}, {"until": "01/02/2026"}, {"since": "2026-13-01"}, {"favorite": "perhaps"}]
)
def test_the_error_names_the_invalid_search_parameter(api: Client, search: dict[str, str]) -> None:
    assert message_of(api.get(EDITS, search), 400).startswith(f"{next(iter(search))}: ")
