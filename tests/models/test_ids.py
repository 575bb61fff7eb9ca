"""Identifiers that sort by time."""

from datetime import UTC, datetime, timedelta

import pytest

from editor.models.ids import uuid7, uuid7_floor

MOMENT = datetime(2026, 3, 5, 12, tzinfo=UTC)


def test_later_ones_are_higher() -> None:
    made = [uuid7() for _ in range(1000)]
    assert made == sorted(made)
    assert {one.version for one in made} == {7}


def test_one_of_a_moment_lies_between_its_neighbors() -> None:
    assert uuid7(MOMENT - timedelta(microseconds=1)) < uuid7_floor(MOMENT) <= uuid7(MOMENT)
    assert uuid7(MOMENT) < uuid7(MOMENT + timedelta(microseconds=1))
    assert uuid7(MOMENT).version == 7


@pytest.mark.parametrize("moment", [datetime.min, datetime.max])
def test_any_moment_has_a_floor(moment: datetime) -> None:
    assert uuid7_floor(moment.replace(tzinfo=UTC)).int >= 0
