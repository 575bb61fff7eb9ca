"""Benchmarks for the limits that the product promises: `python -m tests.benchmarks [NAME...]`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure and its limit, which is a maximum or a minimum; `ok` is true if it is met."""

    name: str
    measured: float
    limit: float | None
    unit: str
    ok: bool
