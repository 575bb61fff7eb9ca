"""Run the named benchmarks in this folder, or all of them, and print one table."""

import importlib
import os
import pkgutil
import sys
from pathlib import Path

from tests.benchmarks import Row


def main(wanted: list[str]) -> int:
    """Return 1 if a figure misses its limit, 2 if a name is unknown, or 0 otherwise."""
    modules = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    there = sorted(name for name in modules if not name.startswith("_"))
    names = [name for name in there if not wanted or name in wanted]
    if unknown := sorted(set(wanted) - set(names)):
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(there)}.")  # noqa: T201
        return 2
    _set_up_django()
    rows = [(name, row) for name in names for row in _measure(name)]
    print(_table(rows))  # noqa: T201
    return 1 if any(row.limit is not None and not row.ok for _, row in rows) else 0


def _set_up_django() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()


def _measure(name: str) -> list[Row]:
    print(f"measuring {name} ...", file=sys.stderr)  # noqa: T201
    rows: list[Row] = importlib.import_module(f"tests.benchmarks.{name}").run()
    return rows


def _table(rows: list[tuple[str, Row]]) -> str:
    cells = [("benchmark", "what", "measured", "limit", "")] + [_cells(name, row) for name, row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(5)]
    return "\n".join(_line(line, widths) for line in cells)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    name, what, measured, limit, verdict = (
        cell.rjust(width) if column in (2, 3) else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return f"{name}  {what}  {measured}  {limit}  {verdict}".rstrip()


def _cells(name: str, row: Row) -> tuple[str, str, str, str, str]:
    limit = "" if row.limit is None else f"{row.limit:g} {row.unit}"
    verdict = "" if row.limit is None else "ok" if row.ok else "MISSED"
    return name, row.name, f"{row.measured:.4g} {row.unit}", limit, verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
