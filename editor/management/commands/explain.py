"""Print, as JSON, the plan that the embedded engine makes for a prompt: manage.py explain."""

import json
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from editor.engine.language.explain import explain
from editor.engine.language.trace import format_trace
from editor.engine.plan import Plan, Refusal
from editor.management.marks import add_marks
from editor.options import MAX_PHOTOS, Point, Region

_LINES = (
    "print a plan for each line of standard input; a line is a JSON string, or an object with "
    '"instruction" and optionally "photos" (a number), "regions" (boxes such as [{"x": 0.1, "y": 0.1, '
    '"w": 0.3, "h": 0.3, "image": 1}]), and "points" (such as [{"x": 0.5, "y": 0.5, "keep": true}])'
)

_TRACE = "show which construction matched which words at what cost, and where the closest other one stopped"


class Command(BaseCommand):
    """Prints the plan for one prompt or, given JSON Lines, one plan per line."""

    help = "Shows the plan that the embedded engine makes for a prompt."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("text", nargs="?", help="the prompt, in English")
        parser.add_argument("--jsonl", action="store_true", help=_LINES)
        parser.add_argument("--trace", action="store_true", help=_TRACE)
        add_marks(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        has_marks = options["region"] or options["point"]
        if options["jsonl"] and (has_marks or options["trace"] or options["text"] is not None):
            raise CommandError(
                "With --jsonl, put the prompts, boxes, and points in the lines of standard input."
            )
        if options["jsonl"]:
            self._explain_lines()
        elif options["text"] is None:
            raise CommandError("Enter a prompt, or use --jsonl with lines on standard input.")
        else:
            plan = explain(options["text"], regions=options["region"], points=options["point"])
            output = (
                _trace(plan) if options["trace"] else json.dumps(plan.as_json(), ensure_ascii=False, indent=1)
            )
            self._say(output)

    def _explain_lines(self) -> None:
        bad = 0
        for number, line in enumerate(sys.stdin, 1):
            try:
                answer = _plan(line).as_json()
            except (ValueError, TypeError) as error:
                answer = {"error": f"Line {number}: {error}"}
                bad += 1
            self._say(json.dumps(answer, ensure_ascii=False))
        if bad:
            raise CommandError(f"{bad} lines could not be read.")

    def _say(self, text: str) -> None:
        """Print a line, with lone surrogates replaced by question marks because they cannot be encoded."""
        self.stdout.write(text.encode(errors="replace").decode())


def _trace(plan: Plan) -> str:
    """Return the parsed prompt, followed by its steps and refusals, one per line."""
    steps = [f"step      {step.says}" for step in plan.steps]
    refused = [line for refusal in plan.not_understood for line in _refusal_lines(refusal)]
    others = [f"try       engine: {engine.name}" for engine in settings.ENGINES if not engine.runs_here]
    return "\n".join([format_trace(plan.instruction), *steps, *refused, *(others if refused else [])])


def _refusal_lines(refusal: Refusal) -> list[str]:
    ways = [f"try       {way.kind.value}: {way.text}" for way in refusal.ways]
    return [f"refused   {refusal.words}: {refusal.hint}", *ways]


def _plan(line: str) -> Plan:
    """Return the plan for a line of input.

    Raises ValueError or TypeError, with a message, if the line is invalid.
    """
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("this is not valid JSON.") from None
    fields = {"instruction": given} if isinstance(given, str) else given
    if not isinstance(fields, dict) or not isinstance(fields.get("instruction"), str):
        raise ValueError('a line must be a JSON string or an object with "instruction".')
    return explain(
        fields["instruction"], photos=_photos(fields), regions=_regions(fields), points=_points(fields)
    )


def _photos(fields: dict[str, Any]) -> int:
    photos = fields.get("photos", 1)
    if not isinstance(photos, int) or not 1 <= photos <= MAX_PHOTOS:
        raise ValueError(f"photos must be a number from 1 to {MAX_PHOTOS}.")
    return photos


def _regions(fields: dict[str, Any]) -> tuple[Region, ...]:
    regions = fields.get("regions", [])
    if not isinstance(regions, list) or not all(isinstance(region, dict) for region in regions):
        raise ValueError("regions must be a list of boxes.")
    return tuple(Region(**region) for region in regions)


def _points(fields: dict[str, Any]) -> tuple[Point, ...]:
    points = fields.get("points", [])
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise ValueError("points must be a list of points.")
    return tuple(Point(**point) for point in points)
