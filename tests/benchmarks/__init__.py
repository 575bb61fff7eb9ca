"""Benchmarks for the limits that the product promises: `python -m tests.benchmarks [NAME...]`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A measured figure and its limit, which is a maximum or a minimum.

    `ok` is true if the figure is within the limit.
    """

    name: str
    measured: float
    limit: float | None
    unit: str
    ok: bool
