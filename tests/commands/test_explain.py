import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engines import EMBEDDED, another_site


def explained(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("explain", *arguments, stdout=out)
    return json.loads(out.getvalue())


def explained_lines(
    text: str, monkeypatch: pytest.MonkeyPatch, *, fails: bool = False
) -> list[dict[str, Any]]:
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    if fails:
        with pytest.raises(CommandError):
            call_command("explain", "--jsonl", stdout=out)
    else:
        call_command("explain", "--jsonl", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_it_prints_the_plan_of_a_prompt() -> None:
    plan = explained("make the red car blue")
    assert plan["accepted"]
    assert plan["steps"][0]["operation"] == "recolor"
    assert plan["steps"][0]["target"] == {"color": "red", "noun": "car"}


def test_a_region_option_becomes_a_box_for_the_prompt() -> None:
    plan = explained("darken the marked area", "--region", "0.1,0.1,0.3,0.3")
    assert plan["steps"][0]["target"] == {"what": "region", "boxes": [1]}


def test_point_options_become_a_selection_for_the_prompt() -> None:
    plan = explained("make the lamp post blue", "--point", "0.5,0.5", "--point=0.1,0.1,away")
    assert plan["steps"][0]["target"] == {
        "what": "region",
        "noun": "lamp post",
        "boxes": [1],
        "selected": "",
    }
    assert plan["steps"][0]["says"] == "Make the selected lamp post blue"


def test_input_lines_can_contain_points(monkeypatch: pytest.MonkeyPatch) -> None:
    line = {"instruction": "remove it", "points": [{"x": 0.5, "y": 0.5, "kind": "dog"}]}
    (plan,) = explained_lines(json.dumps(line), monkeypatch)
    assert [step["says"] for step in plan["steps"]] == ["Erase the dog"]
    (answer,) = explained_lines(json.dumps(line | {"points": [7]}), monkeypatch, fails=True)
    assert answer == {"error": "Line 1: points must be a list of points."}


def test_arguments_cannot_be_combined_with_input_lines() -> None:
    for other in ("make it darker", "--region=0.1,0.1,0.3,0.3", "--point=0.1,0.1"):
        with pytest.raises(CommandError, match="in the lines of standard input"):
            call_command("explain", "--jsonl", other)


def test_a_trace_shows_which_construction_matched_which_words() -> None:
    out = io.StringIO()
    call_command("explain", "brighten the photo zorble", "--trace", stdout=out)
    output = out.getvalue()
    assert "en/tone.toml" in output
    assert "UNREAD" in output
    assert "refused   brighten the photo zorble: " in output


def test_a_trace_of_a_refusal_names_the_other_engines_of_the_site(settings: Any) -> None:
    settings.ENGINES = (EMBEDDED, another_site(name="studio"))
    for text, is_refused in (("add a dragon", True), ("make it warmer", False)):
        out = io.StringIO()
        call_command("explain", text, "--trace", stdout=out)
        assert ("try       engine: studio" in out.getvalue()) is is_refused


def test_it_requires_a_prompt_or_input_lines() -> None:
    with pytest.raises(CommandError, match="Enter a prompt, or use --jsonl"):
        call_command("explain")


def test_it_prints_one_plan_per_input_line_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    region = {"x": 0.1, "y": 0.1, "w": 0.3, "h": 0.3}
    lines = [
        json.dumps("make it brighter"),
        json.dumps({"instruction": "remove the marked area", "regions": [region]}),
        json.dumps({"instruction": "use photo 2 as the background", "photos": 2}),
    ]
    plans = explained_lines("\n".join(lines), monkeypatch)
    assert [plan["accepted"] for plan in plans] == [True] * 3
    assert plans[1]["steps"][0]["target"] == {"what": "region", "boxes": [1]}
    assert plans[2]["steps"][0]["photo"] == 2


def test_a_lone_surrogate_does_not_prevent_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    half, whole = explained_lines('"\\ud800 brighter"\n"make it brighter"\n', monkeypatch)
    assert half["instruction"] == "? brighter"
    assert whole["accepted"]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "",
        "7",
        "null",
        '{"text": "x"}',
        '{"instruction": 1}',
        '{"instruction": "x", "photos": 9}',
        '{"instruction": "x", "regions": [{"x": 2}]}',
        '{"instruction": "x", "regions": 5}',
        "[" * 100_000,
    ],
)
def test_an_invalid_input_line_gives_an_error_line_and_the_rest_is_done(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = explained_lines(f'{line}\n"make it brighter"\n', monkeypatch, fails=True)
    assert answers[0]["error"].startswith("Line 1: ")
    assert answers[1]["accepted"]
