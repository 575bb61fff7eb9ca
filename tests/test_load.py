"""A load test that takes one minute and checks only correctness.

Timings would not be meaningful on a busy machine. The command `python -m tests.load` measures them.
"""

import pytest

from tests import load

pytestmark = pytest.mark.slow


def test_under_load_nothing_is_lost_even_if_the_engine_fails_sometimes() -> None:
    with load.loaded_site() as (site, callers):
        held = callers.run(rate=1, seconds=45)
        assert load.violations(site, held) == []
        assert held.refused == 0
        assert len(held.tasks) == len(held.pages) == 45
        assert set(held.tasks.values()) == {"SUCCESS", "FAILED"}


def test_lost_tasks_and_wrong_balances_are_reported() -> None:
    with load.loaded_site() as (site, callers):
        held = callers.run(rate=1, seconds=2)
        held.tasks["never-ended"] = "RUNNING"
        site.manage("credits", "owner@example.org", "--grant", "1", "--reason", "unseen")
        output = "\n".join(load.violations(site, held))
    assert "never-ended has not ended" in output
    assert "the balance is" in output
