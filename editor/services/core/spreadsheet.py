"""CSV that a spreadsheet opens as what it says: no cell of it is a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.utils.functional import Promise

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_of(header: Sequence[str | Promise], rows: Iterable[Sequence[object]]) -> str:
    """The table as text. A text that a spreadsheet would calculate gets an apostrophe before it; numbers stay
    numbers, None is an empty cell."""
    return csv_lines([[str(name) for name in header]]) + csv_lines(rows)


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Some lines of such a table, of one that is written bit by bit."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([_safe(cell) for cell in row] for row in rows)
    return file.getvalue()


def _safe(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell.lstrip(" ").startswith(_BEGINS_FORMULA)
    return f"'{cell}" if is_formula else cell
