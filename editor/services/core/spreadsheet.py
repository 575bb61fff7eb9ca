"""CSV files whose cells spreadsheets never evaluate as formulas."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.utils.functional import Promise

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_of(header: Sequence[str | Promise], rows: Iterable[Sequence[object]]) -> str:
    """Return the table as CSV.

    Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. Numbers remain
    numbers, and None becomes an empty cell.
    """
    return csv_lines([[str(name) for name in header]]) + csv_lines(rows)


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV lines without a header, for a table that is written in chunks."""
    file = io.StringIO(newline="")
    csv.writer(file).writerows([_safe(cell) for cell in row] for row in rows)
    return file.getvalue()


def _safe(cell: object) -> object:
    is_formula = isinstance(cell, str) and cell.lstrip(" ").startswith(_BEGINS_FORMULA)
    return f"'{cell}" if is_formula else cell
