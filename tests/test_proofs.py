"""Tests that the tables name existing tests for every fault and for every requirement of ASVS 5.0, level
1.
"""

import re
import subprocess
from importlib import metadata

import pytest

from tests import audit
from tests.proofs import claims, is_there

# OWASP ASVS 5.0.0, level 1: 70 requirements, counted by section.
SECTIONS = {
    "1.2": 5, "1.3": 2, "1.5": 1, "2.1": 1, "2.2": 2, "2.3": 1, "3.2": 2, "3.3": 1, "3.4": 2,
    "3.5": 3, "4.1": 1, "4.4": 1, "5.2": 2, "5.3": 2, "6.1": 1, "6.2": 8, "6.3": 2, "6.4": 2,
    "7.2": 4, "7.4": 2, "8.1": 1, "8.2": 2, "8.3": 1, "9.1": 3, "9.2": 1, "10.4": 5, "11.3": 2,
    "11.4": 1, "12.1": 1, "12.2": 2, "13.4": 1, "14.2": 1, "14.3": 1, "15.1": 1, "15.2": 1, "15.3": 1,
}  # fmt: skip
LEVEL_1 = [f"{section}.{number}" for section, most in SECTIONS.items() for number in range(1, most + 1)]
MUST = {"asvs": LEVEL_1, "faults": [str(row) for row in range(1, 116)]}


@pytest.mark.parametrize("table", MUST)
def test_every_row_occurs_once_and_in_order(table: str) -> None:
    assert [claim.name for claim in claims(table)] == MUST[table]


@pytest.mark.parametrize("table", MUST)
def test_every_named_test_exists(table: str) -> None:
    gone = [f"{claim.name}: {test}" for claim in claims(table) for test in claim.tests if not is_there(test)]
    assert gone == []


@pytest.mark.parametrize("table", MUST)
def test_a_row_without_a_test_gives_a_reason(table: str) -> None:
    reasons = [claim.reason for claim in claims(table) if not claim.tests]
    assert all(reason.endswith(".") and len(reason) > 10 for reason in reasons)


def test_every_fault_except_one_has_a_test() -> None:
    """Fault 35 has no test, because it cannot occur."""
    assert [claim.name for claim in claims("faults") if not claim.tests] == ["35"]


def test_every_package_is_pinned() -> None:
    """The pins include indirect dependencies, so that no new version is installed unnoticed."""
    pinned = {_plain(name): version for name, version in audit.pins().items()}
    there = {_plain(found.metadata["Name"]): found.version for found in metadata.distributions()}
    assert {name: version for name, version in there.items() if pinned.get(name) != version} == {}


@pytest.mark.parametrize(
    ("code", "output", "answer"),
    [(0, "", 0), (1, "Found 2 known vulnerabilities in 1 package", 1), (1, "could not be audited", 2)],
)
def test_an_audit_that_could_not_run_is_not_reported_as_clean(
    monkeypatch: pytest.MonkeyPatch, code: int, output: str, answer: int
) -> None:
    done = subprocess.CompletedProcess([], code, "", output)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert audit.main() == answer


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
