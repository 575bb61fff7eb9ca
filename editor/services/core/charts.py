"""Bar charts that the server draws as SVG.

A chart measures 300 by 100 units, and the page stretches it. The labels are HTML.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from editor.models import wording

WIDTH, HEIGHT = 300, 100
STEPS = 4  # number of grid lines above the baseline
_FILLED = 0.68  # width of a bar, as a share of its slot


@dataclass(frozen=True)
class Bar:
    """One value in a chart, with its label, its tooltip, and whether it is highlighted."""

    value: int
    label: str
    title: str
    is_highlighted: bool = False


@dataclass(frozen=True)
class Column:
    """A drawn bar and the surrounding slot that reacts to the pointer. The numbers are SVG units, as text."""

    bar: Bar
    x: str
    y: str
    width: str
    height: str
    slot_x: str
    slot_width: str


@dataclass(frozen=True)
class Chart:
    """The drawn bars, and the labels of the grid lines from top to bottom."""

    columns: list[Column]
    ticks: list[str]


def draw_chart(bars: Sequence[Bar]) -> Chart:
    """Draw all bars on the same scale, which ends at a round number."""
    step = _round_step(max((bar.value for bar in bars), default=0))
    place = WIDTH / max(1, len(bars))
    columns = [_column(bar, number * place, place, step * STEPS) for number, bar in enumerate(bars)]
    return Chart(columns, [wording.number(step * number) for number in range(STEPS, -1, -1)])


def _column(bar: Bar, left: float, place: float, top: int) -> Column:
    height = HEIGHT * bar.value / top
    return Column(
        bar,
        x=f"{left + place * (1 - _FILLED) / 2:.2f}",
        y=f"{HEIGHT - height:.2f}",
        width=f"{place * _FILLED:.2f}",
        height=f"{height:.2f}",
        slot_x=f"{left:.2f}",
        slot_width=f"{place:.2f}",
    )


def _round_step(most: int) -> int:
    """Return the smallest round step whose STEPS multiples reach `most`.

    A round step is an integer that is 1, 2, 2.5, or 5 times a power of ten.
    """
    least = max(1, math.ceil(most / STEPS))
    power = int("1".ljust(len(str(least)), "0"))
    return next(step for step in (power, 2 * power, 5 * power // 2, 5 * power, 10 * power) if step >= least)
