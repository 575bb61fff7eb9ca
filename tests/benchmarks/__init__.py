"""Measurements that the product's promises rest on: `python -m tests.benchmarks [NAME...]`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure, and the most (or, as `ok` says, the least) that it may be."""

    name: str
    measured: float
    limit: float | None
    unit: str
    ok: bool
