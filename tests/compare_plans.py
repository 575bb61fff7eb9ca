"""Compare new plans with frozen ones: `python -m tests.compare_plans FILE [--family tone] [--show other]`.

FILE contains JSON lines. In each line, "t" is a prompt, "0" is its plan without a box, and "b" is its plan
with a box. "p" and "pb" are the same two plans with a second photo. If the frozen plan was accepted, the new
plan is "equal", "other", or "refused". If the frozen plan was refused, the new plan is "new" or "neither". A
file whose name starts with "held" contains rows that developers must not read, so only its totals are
printed.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from editor.engine.catalog import catalog
from editor.engine.language.explain import explain
from editor.engine.language.phrases import number_words
from editor.engine.plan import Amount, Plan, Step, Target
from editor.options import EditKind, Region

REGION = Region(0.1, 0.1, 0.3, 0.3)
SCENES: Mapping[str, dict[str, Any]] = {
    "0": {},
    "b": {"regions": (REGION,)},
    "p": {"photos": 2},
    "pb": {"photos": 2, "regions": (REGION,)},
}
TONE = (
    "brightness exposure contrast highlights shadows clarity saturation vibrance warmth tint sharpness blur "
    "denoise dehaze enhance white_balance low_light"
)
FRAMES = (
    "crop zoom resize print_size rotate flip straighten upright trim extend stretch center shift collage "
    "file_format border frame"
)
THINGS = (
    "move_thing copy_thing resize_thing rotate_thing flip_thing count_thing prop prop_instead emoji sticker "
    "text text_instead watermark shape arrow speech_bubble shadow"
)
FAMILIES = {
    **dict.fromkeys(TONE.split(), "tone"),
    **dict.fromkeys(FRAMES.split(), "frames"),
    **dict.fromkeys(THINGS.split(), "things"),
    "recolor": "recolor",
}
FAMILIES_BY_KIND = {
    EditKind.COLOR: "looks",
    EditKind.ADD: "looks",
    EditKind.REMOVE: "erase",
    EditKind.BACKGROUND: "backgrounds",
    EditKind.COMPOSITION: "frames",
}
# Operations whose pixels depend only on the region; the name of the thing in it is only shown to people.
UNNAMED = frozenset(
    {
        "erase",
        "prop_instead",
        "text_instead",
        "crop",
        "zoom",
        "move_thing",
        "copy_thing",
        "resize_thing",
        "rotate_thing",
        "flip_thing",
    }
)
OUTCOMES = ("equal", "other", "refused", "new")


def main(arguments: Sequence[str], out: TextIO = sys.stdout) -> int:
    chosen = _parser().parse_args(arguments)
    is_secret = chosen.file.name.startswith("held")
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds, shown = list[float](), 0
    for row in map(json.loads, chosen.file.read_text("utf-8").strip().split("\n")[:: chosen.every]):
        for name in chosen.scenes.split(","):
            if name not in row:
                continue
            started = time.process_time()
            new = explain(row["t"], **SCENES[name])
            seconds.append(time.process_time() - started)
            family = _family(row[name] if row[name]["accepted"] else new.as_json())
            outcome = outcome_of(row[name], new)
            counts[family][outcome] += 1
            is_shown = outcome == chosen.show and chosen.family in ("", family) and not is_secret
            if is_shown and shown < chosen.most:
                shown += 1
                out.write(f"{name} {row['t']!r}\n   was {_told(row[name])}\n   is  {_told(new.as_json())}\n")
    out.write(_table(counts))
    seconds.sort()
    speed = len(seconds) / (sum(seconds) or 1)
    out.write(f"{speed:.0f} a second of CPU, 95% within {seconds[int(0.95 * len(seconds))] * 1000:.1f} ms\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.compare_plans", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--scenes", default="0", help="which plans, as 0,b,p,pb")
    parser.add_argument("--family", default="", help="show only those of: tone, looks, erase, ...")
    parser.add_argument("--show", choices=OUTCOMES, help="print rows of this outcome")
    parser.add_argument("--most", type=int, default=40, help="maximum number to print")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth row")
    return parser


def outcome_of(old: Mapping[str, Any], new: Plan) -> str:
    """Return how a new plan compares with the frozen plan."""
    if not old["accepted"]:
        return "new" if new.accepted else "neither"
    if not new.accepted:
        return "refused"
    return "equal" if _steps(old) == _steps(new.as_json()) else "other"


def _steps(plan: Mapping[str, Any]) -> list[str]:
    """Return the steps in a form that does not depend on their order, wording, or names."""
    passing = {"words", "says", "kind"}
    steps: list[dict[str, Any]] = [
        {
            name: sorted(value, key=json.dumps) if name == "keep" else value
            for name, value in step.items()
            if name not in passing and value not in (None, [])
        }
        for step in plan["steps"]
    ]
    for step in steps:
        target = step["target"]
        if step["operation"] in UNNAMED and target.get("what") == "region":
            step["target"] = {"what": "region", "boxes": target.get("boxes")}
    return sorted(json.dumps(step, sort_keys=True) for step in steps)


def _family(plan: Mapping[str, Any]) -> str:
    found = {_family_of(step["operation"]) for step in plan["steps"]}
    return found.pop() if len(found) == 1 else "mixed" if found else "none"


def _family_of(operation: str) -> str:
    return FAMILIES.get(operation) or FAMILIES_BY_KIND[catalog()[operation].kind]


def _told(plan: Mapping[str, Any]) -> str:
    return "; ".join(_steps(plan)) if plan["accepted"] else f"refused: {plan['message']}"


def summary(plan: Plan) -> str:
    """Return a plan on one line, in the format used by the grammar's examples."""
    return "; ".join(map(_summary, plan.steps)) if plan.accepted else "refused"


def _summary(step: Step) -> str:
    words = [step.operation, _target(step.target)]
    for name, value in sorted(step.values.items(), key=lambda item: item[0] != "amount"):
        if isinstance(value, Amount):
            words.append("" if step.amount is None else number_words(value.share))
            words.append(f"({number_words(value.number or 0)} {value.unit})" if value.unit else "")
        else:
            words.append(f"{name}={_target(value) if isinstance(value, Target) else value}")
    words += [f"photo={step.photo}"] if step.photo else []
    words += [f"keep={_target(target) or 'whole'}" for target in step.keep]
    return " ".join(filter(None, words))


def _target(target: Target) -> str:
    """Return a short name for a target: an empty string for the whole photo, or "box" for the drawn box."""
    what = {"whole": "", "thing": "", "region": "box", "place": ""}.get(target.what, target.what)
    numbers = ",".join(map(str, target.boxes)) if target.boxes not in ((), (1,)) else ""
    owner = f"of {target.of}" if target.of else ""
    words = (what, numbers, target.color, target.noun, target.place, str(target.count or ""), owner)
    return " ".join(word for word in words if word)


def _table(counts: Mapping[str, Counter[str]]) -> str:
    total = sum(counts.values(), Counter[str]())
    lines = [f"{'family':<12}" + "".join(f"{name:>9}" for name in OUTCOMES) + "  equal of accepted\n"]
    for family, count in [*sorted(counts.items()), ("all", total)]:
        accepted = count["equal"] + count["other"] + count["refused"]
        share = f"{100 * count['equal'] / accepted:.1f}%" if accepted else "-"
        lines.append(f"{family:<12}" + "".join(f"{count[name]:>9}" for name in OUTCOMES) + f"  {share}\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
