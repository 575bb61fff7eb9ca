"""Tables of claims.

Each line names the tests that prove a claim or, after "- ", gives the reason why there is no test.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Claim:
    """One line of a table: either the pytest names of the `tests`, or the `reason` why there are none."""

    name: str
    tests: tuple[str, ...]
    reason: str


def claims(table: str) -> list[Claim]:
    """Return all lines of `<table>.tsv` except the header."""
    lines = (FOLDER / f"{table}.tsv").read_text().splitlines()[1:]
    return [_claim(*line.split("\t")) for line in lines]


def is_there(test: str) -> bool:
    """Return whether the test "path/to/test_file.py::test_name" exists."""
    path, _, name = test.partition("::")
    file = ROOT / path
    return file.is_file() and bool(re.search(rf"^def {re.escape(name)}\(", file.read_text(), re.MULTILINE))


def _claim(name: str, proof: str) -> Claim:
    if proof.startswith("- "):
        return Claim(name, (), proof[2:])
    return Claim(name, tuple(proof.split()), "")
