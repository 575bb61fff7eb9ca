"""Tests that the declared operations are consistent, have pixel functions, and are understood in prompts."""

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from editor.engine import catalog
from editor.engine.canvas import OPERATIONS
from editor.engine.catalog import CatalogError, Declaration, Field, Stage
from editor.engine.language.explain import explain
from editor.engine.operations import find_operation
from editor.engine.plan import BadStep, Plan, Step, Target
from editor.options import EditKind, Region

ROOT = Path(__file__).resolve().parents[2]
LONGEST_TOML_LINE = 200  # maximum number of characters, because longer lines are hard to review in a diff
HINTS = {"amount": "Amount", "length": "Amount", "number": "float", "count": "int", "flag": "bool"}
BOXES = (Region(0.38, 0.3, 0.24, 0.3), Region(0.1, 0.1, 0.2, 0.2))
COMMON = ("kind", "operation", "keep", "words", "says")
ALL = {name: find_operation(name) for name in catalog.catalog()}
EXAMPLES = [(told.name, words, held) for told, words, held in catalog.examples()]


def test_every_operation_has_its_function_and_declaration_in_one_folder() -> None:
    assert set(catalog.catalog()) == set(OPERATIONS)
    for name, carry in ALL.items():
        assert f".operations.{catalog.catalog()[name].kind}." in f"{carry.__module__}."


@pytest.mark.parametrize("name", sorted(ALL))
def test_the_parameters_of_an_operation_match_its_declared_fields(name: str) -> None:
    fields = catalog.catalog()[name].fields
    for parameter in inspect.signature(ALL[name]).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.name != "canvas":
            assert str(parameter.annotation) in _hints(fields[parameter.name])


def _hints(field: Field) -> tuple[str, ...]:
    """Return the type annotations that a parameter may have.

    An amount with a default is passed as a number from 0 to 1.
    """
    if field.type == "amount" and field.default is not None:
        return ("<class 'float'>",)
    hint = {"target": "Target"}.get(field.type, HINTS.get(field.type, "str"))
    always = field.default is not None or field.required
    full = {"Amount": "editor.engine.plan.Amount", "Target": "editor.engine.plan.Target"}.get(hint, hint)
    return (f"<class '{full}'>",) if always else (f"{full} | None",)


@pytest.mark.parametrize(("name", "words", "held"), EXAMPLES, ids=[words for _, words, _ in EXAMPLES])
def test_each_example_of_an_operation_is_parsed_as_declared(
    name: str, words: str, held: Mapping[str, Any]
) -> None:
    wanted = {"target": {"what": "whole"}} | {k: v for k, v in held.items() if k not in ("boxes", "photos")}
    plan = explain(words, photos=held.get("photos", 1), regions=BOXES[: held.get("boxes", 0)])
    assert plan.accepted, plan.message
    (step,) = plan.steps
    data = {key: value for key, value in step.as_json().items() if value is not None and key not in COMMON}
    assert (step.operation, data) == (name, wanted)


@pytest.mark.parametrize("operation", sorted(ALL))
def test_a_step_and_its_defaults_survive_json(operation: str) -> None:
    needed = {"prop": "apple"} if "prop" in catalog.catalog()[operation].fields else {}
    step = Step(operation, Target("region", boxes=(1,)), needed)
    assert Step.from_json(step.as_json()) == step
    full = Step(
        operation, values={name: value for name, value in step.parameters.items() if value is not None}
    )
    assert Step.from_json(full.as_json()) == full


@pytest.mark.parametrize(
    ("operation", "values"),
    [
        ("sparkle", {}),
        ("brightness", {"amount": 0.5}),  # An amount must not be a plain number.
        ("frame", {"style": "golden"}),
        ("shape", {"shape": "blob"}),
        ("arrow", {"direction": "sideways"}),
        ("prop", {"prop": "unicorn"}),
        ("prop", {}),
        ("crop", {"ratio": "wide"}),
        ("rotate", {"degrees": 7200.0}),
        ("sepia", {"text": "Hi"}),
    ],
)
def test_a_step_that_does_not_match_a_declaration_is_rejected(operation: str, values: dict[str, Any]) -> None:
    with pytest.raises(BadStep):
        Step(operation, values=values)


STORED: dict[str, Any] = {
    "target": {"what": "whole"},
    "amount": None,
    "color": None,
    "keep": [],
    "words": [0, 4],
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"operation": "rotate", "exact": [90.0, "degrees"]}, {"degrees": 90.0}),
        (
            {"operation": "brightness", "amount": 0.2, "exact": [20.0, "percent"]},
            {"amount": 0.2, "percent": 20.0},
        ),
        ({"operation": "exposure", "amount": -0.5, "exact": [1.0, "stops"]}, {"amount": -0.5, "stops": 1.0}),
        (
            {"operation": "border", "exact": [20.0, "pixels"], "color": "red"},
            {"amount": None, "pixels": 20.0},
        ),
        ({"operation": "crop", "choice": "4:5", "place": "top"}, {"ratio": "4:5", "place": "top"}),
        ({"operation": "crop", "choice": "800x600"}, {"size": "800x600"}),
        (
            {"operation": "crop", "choice": "closer", "exact": [84.0, "percent"]},
            {"mode": "closer", "percent": 84.0},
        ),
        ({"operation": "shape", "choice": "heart", "text": "filled"}, {"shape": "heart", "filled": True}),
        ({"operation": "prop", "choice": "ball", "exact": [3.0, "pieces"]}, {"prop": "ball", "count": 3}),
        ({"operation": "count_thing", "exact": [2.0, "more"]}, {"more": 2}),
        ({"operation": "watermark", "text": "Hi", "choice": "tiled"}, {"text": "Hi", "tiled": True}),
        (
            {"operation": "copy_thing", "place": "left", "beside": {"noun": "cup"}},
            {"beside": {"noun": "cup"}},
        ),
        ({"operation": "photo_background", "photo": 2}, {"photo": 2}),
    ],
)
def test_a_step_stored_in_the_old_format_is_converted(old: dict[str, Any], new: dict[str, Any]) -> None:
    data = Step.from_json(STORED | {"says": "x"} | old).as_json()
    assert {key: data[key] for key in new} == new
    assert not {"exact", "choice"} & set(data)
    assert Step.from_json(data).as_json() == data


@pytest.mark.parametrize("old", [{"choice": "golden"}, {"exact": [3.0, "pieces"]}, {"text": "filled"}])
def test_a_stored_step_with_unknown_values_is_refused(old: dict[str, Any]) -> None:
    step = STORED | {"operation": "frame", "says": "x"} | old
    with pytest.raises(BadStep, match="“frame” doesn't accept"):
        Plan.from_json({"instruction": "x", "steps": [step], "not_understood": [], "message": ""})


RIGHT = 'scope = "region"\n[fields]\n[en.examples]\n"sparkle" = {}\n'


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace("region", "corner", 1), "corner"),
        (lambda text: text.replace('"sparkle" = {}', ""), "no example"),
        (lambda text: 'stage = "late"\n' + text, "late"),
        (lambda text: "shiny = true\n" + text, "shiny"),
        (lambda text: 'local = "yes"\n' + text, "local must be true or false"),
        (lambda text: text.replace("[fields]", '[fields]\nglow = { type = "shine" }'), "no type shine"),
        (
            lambda text: text.replace("[fields]", '[fields]\nglow = { type = "flag", default = 3 }'),
            "default of glow",
        ),
        (
            lambda text: text.replace("[fields]", '[fields]\nglow = { type = "amount", units = ["ells"] }'),
            "units",
        ),
    ],
)
def test_an_invalid_declaration_raises_an_error_that_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str], why: str
) -> None:
    monkeypatch.setattr(catalog, "FOLDER", tmp_path)
    (tmp_path / "color").mkdir()
    path = tmp_path / "color" / "sparkle.toml"
    path.write_text(RIGHT)
    assert catalog._read(path) == Declaration(
        "sparkle",
        EditKind.COLOR,
        catalog.Scope.REGION,
        Stage.EDIT,
        commutes=frozenset({"turn"}),
        local=True,
        examples={"sparkle": {}},
    )
    path.write_text(change(RIGHT))
    with pytest.raises(CatalogError, match=f"color/sparkle.toml.*{why}"):
        catalog._read(path)


def test_a_folder_that_is_not_a_known_kind_raises_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "FOLDER", tmp_path)
    (tmp_path / "glow").mkdir()
    (tmp_path / "glow" / "sparkle.toml").write_text(RIGHT)
    with pytest.raises(CatalogError, match="no kind glow"):
        catalog._read(tmp_path / "glow" / "sparkle.toml")


def test_a_declaration_without_fields_gets_the_default_fields_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "FOLDER", tmp_path)
    usual = {"add": {"color", "amount", "place"}, "color": {"amount"}, "remove": set[str]()}
    for folder, names in usual.items():
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "sparkle.toml"
        path.write_text('[en.examples]\n"sparkle" = {}\n')
        assert set(catalog._read(path).fields) == names


def test_shared_modules_do_not_name_single_operations() -> None:
    engine = Path(catalog.__file__).parent
    shared = [*engine.glob("*.py"), *(engine / "language").glob("*.py")]
    fields = {name for found in catalog.catalog().values() for name in found.fields}
    named = {
        (path.name, name)
        for path in shared
        for name in re.findall(r"""["']([a-z]+(?:_[a-z]+)+)["']""", path.read_text("utf-8"))
        if name in ALL and name not in fields
    }
    assert named == set()


def test_no_line_of_a_toml_file_is_too_long_to_read() -> None:
    files = [ROOT / "pyproject.toml", *(ROOT / "editor").rglob("*.toml"), *(ROOT / "tests").rglob("*.toml")]
    too_long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if len(line) > LONGEST_TOML_LINE
    ]
    assert too_long == []
