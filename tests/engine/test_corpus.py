"""The measuring of lists of requests: `python -m tests.corpus FOLDER`."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests import corpus
from tests.corpus import main

ROWS = (
    ("1", "brighten the photo", "color"),
    ("2", "remove the lamp", "remove"),
    ("3", "add a unicorn", "add"),
)


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    folder = tmp_path / "lists"
    folder.mkdir()
    rows = [{"source": "ours", "id": name, "instruction": text, "kind": kind} for name, text, kind in ROWS]
    (folder / "ours.jsonl").write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    return folder


def printed(*arguments: object) -> str:
    out = io.StringIO()
    assert main([str(argument) for argument in arguments], out) == 0
    return out.getvalue()


def test_it_counts_what_is_carried_out_by_text_and_with_a_box(lists: Path) -> None:
    told = printed(lists)
    (line,) = [line.split() for line in told.splitlines() if line.startswith("ours")]
    assert line[:4] == ["ours", "3", "1", "33.3%"]
    assert line[4:6] == ["2", "66.7%"]
    assert [line.split()[:2] for line in told.splitlines()[4:]] == [
        ["add", "1"],
        ["color", "1"],
        ["remove", "1"],
    ]


def test_it_marks_a_second_box_exactly_where_two_are_asked_for(tmp_path: Path) -> None:
    wishes = (
        "paint the gargoyle red and paint the arch blue",
        "move the gargoyle to the left",
        "move the gargoyle",
    )
    rows = [{"source": "ours", "id": str(at), "instruction": text} for at, text in enumerate(wishes)]
    (tmp_path / "ours.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    drawn = csv.DictReader(io.StringIO(printed(tmp_path, "--draw", 3, "--box")))
    assert {row["source:id"]: row["plan says"] for row in drawn} == {
        "ours:0": "Make the marked gargoyle red; Make the arch in box 2 blue",
        "ours:1": "Move the marked gargoyle left",
        "ours:2": "",
    }
    labels = tmp_path / "labels.csv"
    labels.write_text("source:id,kind,label\nours:0,composition,right\nours:1,composition,right\n", "utf-8")
    told = [printed(tmp_path, "--sample", labels, *box) for box in ((), ("--box",))]
    assert [next(line.split()[2] for line in text.splitlines() if line[:3] == "all") for text in told] == [
        "0",
        "2",
    ]
    (line,) = [line.split() for line in printed(tmp_path).splitlines() if line.startswith("ours")]
    assert (line[2], line[4]) == ("0", "2")


def test_it_draws_the_same_requests_for_the_same_seed(lists: Path) -> None:
    drawn = list(csv.DictReader(io.StringIO(printed(lists, "--draw", 2, "--seed", 7))))
    assert len(drawn) == 2
    assert printed(lists, "--draw", 2, "--seed", 7) == printed(lists, "--draw", 2, "--seed", 7)
    every = {row["source:id"]: row for row in csv.DictReader(io.StringIO(printed(lists, "--draw", 9)))}
    assert every["ours:1"]["plan says"] == "Brighten the photo"
    assert every["ours:2"]["message"]
    assert every["ours:1"]["label"] == ""


def test_it_scores_the_plans_against_labels(lists: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "source:id,kind,label\nours:1,color,right\nours:2,remove,impossible\nours:9,add,right\n", "utf-8"
    )
    total = next(
        line.split() for line in printed(lists, "--sample", labels).splitlines() if line[:3] == "all"
    )
    assert total[1:9] == ["3", "1", "0", "0", "0", "1", "0", "1"]
    assert total[total.index("right") + 1 :][:2] == ["33.3%", "(6-79);"]


def test_it_scores_people_and_benchmarks_apart(tmp_path: Path) -> None:
    rows = [
        {"source": "GIER.user_request", "id": "1", "instruction": "brighten the photo"},
        {"source": "GIER.user_request", "id": "2", "instruction": "more contrast"},
        {"source": "some_bench", "id": "1", "instruction": "add a unicorn"},
    ]
    (tmp_path / "ours.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "source:id,kind,label\nGIER.user_request:1,color,right\nGIER.user_request:2,color,other\n"
        "some_bench:1,add,impossible\n",
        "utf-8",
    )
    tables = printed(tmp_path, "--sample", labels).split("\n\n")
    kinds, human, benchmark = (
        {line.split()[0]: line.split()[1:7] for line in table.splitlines()} for table in tables[:3]
    )
    assert kinds["all"] == ["3", "1", "0", "1", "0", "1"]
    assert human["all"] == human["color"] == ["2", "1", "0", "1", "0", "0"]
    assert benchmark["all"] == benchmark["add"] == ["1", "0", "0", "0", "0", "1"]
    assert ("human" in human, "benchmark" in benchmark) == (True, True)
    assert "right 50.0% (9-91); part 0.0% (0-66), other 50.0% (9-91)" in tables[1]


def test_it_doubts_a_label_whose_plan_has_changed(lists: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "source:id,kind,label,plan\nours:1,color,right,00000000\nours:2,remove,right,\n", "utf-8"
    )
    total = next(
        line.split() for line in printed(lists, "--sample", labels).splitlines() if line[:3] == "all"
    )
    assert total[1:9] == ["2", "0", "0", "0", "0", "0", "2", "0"]


def test_unread_is_what_people_asked_for_and_no_label_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        {"source": source, "id": str(at), "instruction": f"brighten the photo by {at}%"}
        for source in ("GIER.user_request", "some_bench")
        for at in range(1, 61)
    ]
    (tmp_path / "ours.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    monkeypatch.setattr(corpus, "LABELLED", tmp_path / "labels")
    unread = list(csv.DictReader(io.StringIO(printed(tmp_path, "--unread", "--draw", 99))))
    assert 10 < len(unread) < 30
    assert {row["source:id"].partition(":")[0] for row in unread} == {"GIER.user_request"}
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "read.csv").write_text(
        f"source:id,kind,label\n{unread[0]['source:id']},color,right\n"
    )
    left = csv.DictReader(io.StringIO(printed(tmp_path, "--unread", "--draw", 99)))
    assert {row["source:id"] for row in left} == {row["source:id"] for row in unread[1:]}


def test_it_says_that_a_folder_has_no_lists(tmp_path: Path) -> None:
    out = io.StringIO()
    assert main([str(tmp_path)], out) == 2
    assert "no lists" in out.getvalue()
