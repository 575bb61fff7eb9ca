"""Measures the instruction language on lists of requests: `python -m tests.corpus FOLDER`.

A list is a file of JSON lines with `source`, `id` and `instruction`, and `kind` where it is known. The lists
are other people's words and stay outside of the repository; labels name rows as `source:id` and hold no text.

With a box means: one place is marked, and a second one where the answer to the first asks for two boxes.

Unread are the requests of people that are set aside by hash: no file of labels/ names them, and nobody who
writes patterns reads them.
"""

import argparse
import csv
import hashlib
import json
import math
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from editor.engine.language.explain import explain
from editor.engine.plan import Plan
from editor.options import Region

type Planned = Callable[[str], Plan]
"""The plan for an instruction, with or without boxes."""

BOX = (Region(0.3, 0.3, 0.4, 0.4),)
BOXES = (Region(0.1, 0.3, 0.35, 0.4), Region(0.55, 0.3, 0.35, 0.4))
ASKING_FOR_TWO = ("both with boxes", "its own box")  # what the hints say
LABELLED = Path(__file__).parent / "labels"
UNREAD = "unread"
HUMAN = ("gier", "ma5k", "image_editing_request")  # how the sources that people wrote for real photos begin
DRAWN = ("source:id", "request", "plan says", "message", "kind", "label", "plan")
LABELS = {
    "right": "carried out, and all of it as asked",
    "part": "carried out, but only a part of it, or with something small beside it",
    "other": "carried out, but something else",
    "possible": "refused, though the engine could do it",
    "impossible": "refused, and rightly so",
}
CARRIED_OUT = ("right", "part", "other")


@dataclass(frozen=True)
class Row:
    """One request of a list."""

    key: str  # source:id
    instruction: str
    kind: str | None = None


@dataclass(frozen=True)
class Label:
    """What a reader thought of a plan; `plan` is the mark of the plan that was read, if it was noted."""

    kind: str
    label: str
    plan: str = ""


@dataclass
class Count:
    """How many requests were read, and how many of them are carried out."""

    rows: int = 0
    by_text: int = 0
    with_box: int = 0
    seconds: float = 0.0

    def add(self, by_text: Plan, with_box: Plan, seconds: float) -> None:
        self.rows += 1
        self.by_text += by_text.accepted
        self.with_box += with_box.accepted
        self.seconds += seconds


def main(arguments: Sequence[str], out: TextIO = sys.stdout) -> int:
    """Exit code 2 when the folder holds no lists."""
    chosen = _parser().parse_args(arguments)
    lists = dict(_lists(chosen.folder, chosen.lists))
    if chosen.unread:
        lists = _unread(lists)
    if not lists:
        out.write(f"There are no lists (*.jsonl) in {chosen.folder}.\n")
        return 2
    planned = _with_box if chosen.box else explain
    if chosen.draw:
        _draw(lists, chosen.draw, chosen.seed, planned, out)
    elif chosen.sample:
        _score(lists, chosen.sample, planned, out)
    else:
        _report(lists, out)
    return 0


def _with_box(instruction: str) -> Plan:
    """The plan for one box, or for two where the answer asks for them: a person follows the hint."""
    plan = explain(instruction, regions=BOX)
    asks = not plan.accepted and any(hint in plan.message for hint in ASKING_FOR_TWO)
    return explain(instruction, regions=BOXES) if asks else plan


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lists", nargs="*", help="only the lists with these names")
    parser.add_argument(
        "--box", action="store_true", help="draw or score with a box, and a second one where it is asked for"
    )
    parser.add_argument("--draw", type=int, metavar="N", help="N requests with their plans, to be labelled")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unread", action="store_true", help="only what nobody who writes patterns has read")
    parser.add_argument(
        "--sample", type=Path, metavar="CSV", help="score against labels: source:id,kind,label"
    )
    return parser


def _lists(folder: Path, wanted: Sequence[str] | None) -> Iterator[tuple[str, list[Row]]]:
    for path in sorted(folder.glob("*.jsonl")):
        if not wanted or path.stem in wanted:
            yield path.stem, [_row(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _row(line: str) -> Row:
    data = json.loads(line)
    return Row(f"{data['source']}:{data['id']}", data["instruction"], data.get("kind"))


def _unread(lists: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Without what a label or its own list gives a kind: somebody has read that."""
    read = {key for path in LABELLED.glob("*.csv") for key, _ in _labels(path)}
    read |= {row.key for rows in lists.values() for row in rows if row.kind}
    return {
        name: [row for row in rows if row.key not in read and _is_human(row.key) and _is_set_aside(row.key)]
        for name, rows in lists.items()
    }


def _is_set_aside(key: str) -> bool:
    return int(hashlib.sha256(f"held:{key}".encode()).hexdigest(), 16) % 3 == 0


def _report(lists: dict[str, list[Row]], out: TextIO) -> None:
    """One line for each list and for each kind."""
    by_list: defaultdict[str, Count] = defaultdict(Count)
    by_kind: defaultdict[str, Count] = defaultdict(Count)
    for name, rows in lists.items():
        for row in rows:
            started = time.process_time()
            by_text, with_box = explain(row.instruction), _with_box(row.instruction)
            seconds = time.process_time() - started
            by_list[name].add(by_text, with_box, seconds)
            by_kind[row.kind or _kind_of(with_box)].add(by_text, with_box, seconds)
    out.write(_table("list", by_list))
    out.write("\n" + _table("kind", by_kind))


def _kind_of(plan: Plan) -> str:
    """The kind that most of a plan's steps have, of a refused plan too."""
    kinds = Counter(step.kind.value for step in plan.steps)
    return kinds.most_common(1)[0][0] if kinds else UNREAD


def _table(title: str, counts: dict[str, Count]) -> str:
    lines = [f"{title:<24} {'rows':>6} {'by text':>14} {'with a box':>14} {'plans/s':>8}\n"]
    return "".join([*lines, *(_line(name, count) for name, count in sorted(counts.items()))])


def _line(name: str, count: Count) -> str:
    speed = 2 * count.rows / count.seconds if count.seconds else 0.0
    shares = " ".join(f"{part:>6} {_percent(part, count.rows)}" for part in (count.by_text, count.with_box))
    return f"{name:<24} {count.rows:>6} {shares} {speed:>8.0f}\n"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0.0:6.1f}%"


def _draw(lists: dict[str, list[Row]], number: int, seed: int, planned: Planned, out: TextIO) -> None:
    """CSV of requests to be labelled. It holds their text: keep it out of the repository."""
    rows = sorted(_by_key(lists).values(), key=lambda row: row.key)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(DRAWN)
    for row in random.Random(seed).sample(rows, min(number, len(rows))):
        plan = planned(row.instruction)
        told = "; ".join(step.says for step in plan.steps) if plan.accepted else ""
        writer.writerow([row.key, row.instruction, told, plan.message, row.kind or "", "", _mark(plan)])


def _by_key(lists: dict[str, list[Row]]) -> dict[str, Row]:
    """The rows whose name stands for one request only; a row may be in two lists."""
    named: defaultdict[str, dict[str, Row]] = defaultdict(dict)
    for rows in lists.values():
        for row in rows:
            named[row.key].setdefault(row.instruction, row)
    return {key: next(iter(rows.values())) for key, rows in named.items() if len(rows) == 1}


def _mark(plan: Plan) -> str:
    """A short name of a plan: it changes when what will be done changes."""
    told = [step.says for step in plan.steps] if plan.accepted else []
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:8]


def _score(lists: dict[str, list[Row]], path: Path, planned: Planned, out: TextIO) -> None:
    """How many of the labelled requests are carried out rightly, by kind, with what is not known any more:
    all of them, then those of people and those of benchmarks apart."""
    rows, outcomes = _by_key(lists), list[tuple[str, str, str]]()
    for key, label in _labels(path):
        row = rows.get(key)
        outcome = _outcome(planned(row.instruction), label) if row else "missing"
        outcomes.append((key, label.kind or UNREAD, outcome))
    out.write(_scores("kind", outcomes))
    for title, is_human in (("human", True), ("benchmark", False)):
        out.write("\n" + _scores(title, [one for one in outcomes if _is_human(one[0]) is is_human]))
    out.write("\n" + "\n".join(f"{name}: {meaning}" for name, meaning in LABELS.items()))
    out.write("\nunsure: the plan is another one than the reader saw, or has no label\n")


def _is_human(key: str) -> bool:
    return key.lower().startswith(HUMAN)


def _scores(title: str, outcomes: Iterable[tuple[str, str, str]]) -> str:
    """A table of outcomes (key, kind, outcome), one line for each kind."""
    counts = defaultdict[str, Counter[str]](Counter)
    for _, kind, outcome in outcomes:
        counts[kind][outcome] += 1
        counts["all"][outcome] += 1
    columns = (*LABELS, "unsure", "missing")
    head = f"{title:<14} {'rows':>6} " + " ".join(f"{name:>10}" for name in columns)
    head += "  right of rows (95% interval); of carried out\n"
    return head + "".join(_scored(kind, count, columns) for kind, count in sorted(counts.items()))


def _scored(kind: str, count: Counter[str], columns: Iterable[str]) -> str:
    rows, accepted = count.total(), sum(count[label] for label in CARRIED_OUT)
    cells = " ".join(f"{count[name]:>10}" for name in columns)
    shares = f"right {_between(count['right'], rows)}; part {_between(count['part'], accepted)}"
    return f"{kind:<14} {rows:>6} {cells}  {shares}, other {_between(count['other'], accepted)}\n"


def _between(part: int, whole: int) -> str:
    """A share with the interval that holds it 19 times of 20, after Wilson."""
    if not whole:
        return "-"
    share, square = part / whole, 1.96**2 / whole
    middle = share + square / 2
    reach = math.sqrt(square * share * (1 - share) + square**2 / 4)
    low, high = (100 * (middle + side * reach) / (1 + square) for side in (-1, 1))
    return f"{100 * share:.1f}% ({low:.0f}-{high:.0f})"


def _outcome(plan: Plan, label: Label) -> str:
    """A label counts while the plan is the one that was read, or at least still carried out or refused."""
    if label.label not in LABELS or (label.plan and label.plan != _mark(plan)):
        return "unsure"
    was_accepted = label.label in CARRIED_OUT
    return label.label if was_accepted == plan.accepted else "unsure"


def _labels(path: Path) -> Iterator[tuple[str, Label]]:
    with path.open(newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            yield line["source:id"], Label(line["kind"], line["label"].strip(), line.get("plan") or "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
