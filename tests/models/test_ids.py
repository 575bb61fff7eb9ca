"""Tests for identifiers that sort by time."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest

from editor.models.ids import parse_number, parse_uuid, uuid7, uuid7_floor

MOMENT = datetime(2026, 3, 5, 12, tzinfo=UTC)


def test_later_identifiers_are_higher() -> None:
    made = [uuid7() for _ in range(1000)]
    assert made == sorted(made)
    assert {one.version for one in made} == {7}


def test_an_identifier_sorts_between_those_of_earlier_and_later_times() -> None:
    assert uuid7(MOMENT - timedelta(microseconds=1)) < uuid7_floor(MOMENT) <= uuid7(MOMENT)
    assert uuid7(MOMENT) < uuid7(MOMENT + timedelta(microseconds=1))
    assert uuid7(MOMENT).version == 7


def test_a_time_before_1970_has_the_lowest_floor() -> None:
    assert uuid7_floor(datetime.min.replace(tzinfo=UTC)).int == 0


def test_the_last_time_of_the_calendar_has_a_floor() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert uuid7(MOMENT) < uuid7_floor(last) <= uuid7(last)


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("9" * 18, 10**18 - 1), ("9" * 19, None), ("", None), ("-1", None), ("007", None)]
    + [(text, None) for text in ("1.0", " 1", "1\n", "1_0", "\u0663", "one", "1" * 5000)],
)
def test_only_plain_nonnegative_numbers_are_parsed(text: str, number: int | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text", ["0199f0c2-7a5e-7c3d-8f1b-2a9d6c4e5b70", "0199F0C2-7A5E-7C3D-8F1B-2A9D6C4E5B70"]
)
def test_a_uuid_with_hyphens_is_parsed(text: str) -> None:
    assert parse_uuid(text) == uuid.UUID(text)


@pytest.mark.parametrize("around", ["{%s}", "urn:uuid:%s", "%s\n", "%s0", " %s"])
def test_other_spellings_of_a_uuid_are_not_parsed(around: str) -> None:
    assert parse_uuid(around % "0199f0c2-7a5e-7c3d-8f1b-2a9d6c4e5b70") is None
    assert parse_uuid("0199f0c27a5e7c3d8f1b2a9d6c4e5b70") is None
