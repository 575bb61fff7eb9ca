"""Tests that responses of any form become a ticket, an update, or a ProviderError.

A response counts as a success only if it contains a URL from which results can be fetched.
"""

import json
import re
import string
import time
import unicodedata
from dataclasses import asdict
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from editor.outbound import Response
from editor.providers import responses
from editor.providers.contract import ProviderError, Ticket
from editor.providers.photo_editor import PhotoEditorProvider
from tests.providers.provider_factory import FAILED, KEY, SUCCEEDED, make_provider

FEW_EXAMPLES = 300
MANY_EXAMPLES = 20_000
ALPHABET = set(string.ascii_letters + string.digits + "._:~-")
NAMES = (
    "code",
    "success",
    "data",
    "message",
    "msg",
    "error",
    "errors",
    "detail",
    "taskId",
    "status",
    "images",
    "url",
)
STATUSES = (200, 200, 200, 201, 204, 206, 301, 400, 401, 404, 408, 413, 429, 500, 503, 599)
DOOR = make_provider("https://photos.example.org")
LOOSE = make_provider("https://photos.example.org", loose_success=True, extensions=True)
TICKET = Ticket("task-1", {"started": 0.0})

words = st.sampled_from([*SUCCEEDED, *FAILED, "success", " Failed ", "PENDING", "true", "", "task-1", KEY])
urls = st.sampled_from(
    ["https://a.example.org/1.png", "http://b", "data:,x", "ftp://c/x", "//d", "https://", "https://[::1"]
)
texts = (
    st.text(st.characters(exclude_categories=())) | words | urls | st.text("\ud800\u202e<>\x00&", max_size=9)
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES) | texts, inner, max_size=6)
    ),
    max_leaves=12,
)
images = st.fixed_dictionaries({}, optional={"url": urls | values}) | values
data = st.fixed_dictionaries(
    {},
    optional={
        "taskId": st.text("az09._:~-/ \n", max_size=12) | values,
        "status": words | values,
        "images": st.lists(images, max_size=12) | values,
        "message": values,
        "error": values,
    },
)
envelopes = st.fixed_dictionaries(
    {},
    optional={
        "success": st.booleans() | st.sampled_from(["true", "TRUE", 1, 0, "1"]) | values,
        "code": values,
        "data": data | values,
        "message": values,
        "errors": st.lists(st.fixed_dictionaries({"message": values}), max_size=2) | values,
    },
)
broken = st.tuples(envelopes, st.integers(0, 400)).map(lambda it: json.dumps(it[0]).encode()[: it[1]])
bodies = (
    envelopes.map(lambda it: json.dumps(it).encode())
    | values.map(lambda it: json.dumps(it).encode())
    | broken
    | st.binary()
)
answered = st.builds(
    Response,
    status=st.sampled_from(STATUSES),
    headers=st.fixed_dictionaries(
        {}, optional={"retry-after": st.text("0123456789-. ,:aFrGMT", max_size=12)}
    ).map(httpx.Headers),
    content=bodies,
)


def examples(count: int) -> settings:
    return settings(
        max_examples=count, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )


def assert_for_people(message: str) -> None:
    message.encode()
    assert 0 < len(message) <= responses.MAX_MESSAGE_LENGTH + 30
    assert all(unicodedata.category(letter)[0] != "C" for letter in message)
    assert KEY not in message
    assert "://" not in message
    assert "ou were not charged" in message


def outcome_of(door: PhotoEditorProvider, answer: Response) -> Ticket | ProviderError:
    try:
        return door._ticket(answer, "black and white")
    except ProviderError as error:
        return error


def assert_storable(ticket: Ticket) -> None:
    json.dumps(asdict(ticket), allow_nan=False).encode()
    assert 1 <= len(ticket.task_id) <= 200
    assert set(ticket.task_id) <= ALPHABET


def assert_fetchable(places: list[str]) -> None:
    assert 1 <= len(places) <= responses.MAX_RESULTS
    assert len(set(places)) == len(places)
    assert all(place.isprintable() for place in places)
    assert all(
        urlsplit(place).scheme.lower() in ("http", "https") and urlsplit(place).hostname for place in places
    )


@examples(FEW_EXAMPLES)
@given(answer=answered, door=st.sampled_from([DOOR, LOOSE]))
def test_any_response_becomes_a_ticket_an_update_or_a_provider_error(
    answer: Response, door: PhotoEditorProvider
) -> None:
    assert_taken(answer, door)


@pytest.mark.slow
@examples(MANY_EXAMPLES)
@given(answer=answered, door=st.sampled_from([DOOR, LOOSE]))
def test_thousands_of_responses_become_a_ticket_an_update_or_a_provider_error(
    answer: Response, door: PhotoEditorProvider
) -> None:
    assert_taken(answer, door)


def assert_taken(answer: Response, door: PhotoEditorProvider) -> None:
    assert_read(answer.content)
    assert_create(answer, door)
    assert_status(answer, door)


def assert_read(content: bytes) -> None:
    payload = responses.data_of(responses.body_of(content))
    responses.status_word(payload).encode()
    assert set(responses.task_id_of(payload) or "") <= ALPHABET
    assert responses.redacted(content.decode("utf-8", "replace"), hidden=KEY).isprintable()


def assert_create(answer: Response, door: PhotoEditorProvider) -> None:
    outcome = outcome_of(door, answer)
    if isinstance(outcome, ProviderError):
        assert_for_people(outcome.message)
        assert KEY not in outcome.detail
        assert outcome.retry_after is None or 1 <= outcome.retry_after <= 120
        assert outcome.code in ("rejected", "unconfirmed", "engine_unavailable")
    else:
        body = responses.body_of(answer.content)
        assert 200 <= answer.status < 300
        assert body["success"] in (True, False) or door is LOOSE
        assert_storable(outcome)
        if "images" in outcome.details:
            assert body["success"] is not False
            assert_fetchable(outcome.details["images"])


def assert_status(answer: Response, door: PhotoEditorProvider) -> None:
    update, body = door._update(TICKET, answer, ""), responses.body_of(answer.content)
    assert update.state in ("running", "succeeded", "failed")
    assert KEY not in update.trouble
    if update.state == "succeeded":
        assert answer.status in range(200, 300)
        assert body["success"] is True or door is LOOSE
        assert str(body["data"]["status"]).strip().upper() in SUCCEEDED
        assert_fetchable([arrival["url"] for arrival in update.arrivals])
    elif update.state == "failed":
        assert_for_people(update.message)
        assert update.code in ("engine_failed", "result_unavailable")
    else:
        assert 1 <= update.poll_after <= 120
        assert_storable(update.ticket or TICKET)


@pytest.mark.parametrize(
    "hostile", ["<" * 6000, "a-" * 3000, "https://" * 700, "\u202e" * 6000, "0a" * 3000, "bearer " * 900]
)
def test_cleaning_a_hostile_message_is_fast(hostile: str) -> None:
    started = time.process_time()
    responses.message_of({"message": hostile})
    responses.redacted(hostile)
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("task 0198c0de-0000-7000-8000-000000000001 failed", None),
        ("key sk-live-0123456789abcdefghij is wrong", "key [hidden] is wrong"),
        (f"key {KEY} is wrong", "key [hidden] is wrong"),
        ("Authorization: Bearer abc.def", "Authorization: [hidden]"),
        (
            "got https://cdn.example.org/a.png?sig=abc&exp=1 today",
            "got https://cdn.example.org/a.png?[hidden] today",
        ),
        ("line one\r\n  line two\x00\u202e", "line one line two"),
    ],
)
def test_texts_for_operators_keep_task_ids_but_hide_secrets(text: str, shown: str | None) -> None:
    assert responses.redacted(text, hidden=KEY) == (shown or text)


@pytest.mark.parametrize("before", [5_990, 4_090, 8_180])
def test_truncation_leaves_no_part_of_a_key(before: int) -> None:
    text = " " * before + KEY
    assert "k3y" not in responses.message_of({"message": text}, hidden=KEY)
    assert "k3y" not in DOOR._detail("It said", Response(400, {}, (text[10:] + "x" * 9_000).encode()))


def test_a_key_with_zero_width_spaces_is_hidden_too() -> None:
    spread = "\u200b".join(KEY)
    assert not re.search("CANARY", responses.message_of({"message": f"bad {spread}"}, hidden=KEY))
