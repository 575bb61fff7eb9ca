"""Tests that everything that the documents link or refer to exists, and that the README stays short."""

import re
from importlib.util import find_spec
from pathlib import Path
from types import CodeType

import pytest
from django.core.management import get_commands, load_command_class

from editor.engine.operations.color import looks
from editor.management.commands.help_settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
CONTRIBUTING = ROOT / ".github/CONTRIBUTING.md"
DOCS = [README, ROOT / "photoeditor_site/deploy/README.md", *sorted((ROOT / ".github").glob("*.md"))]
MOST_LINES = 160
# Names that look like settings but are not. They are set by the reader, by a test run, or in another
# project's file.
NO_SETTINGS = {"DARKROOM_KEY", "REQUIRE_SERVICES", "UPDATE_PICTURES"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_readme_is_short_and_has_the_two_commands() -> None:
    text = README.read_text()
    assert len(text.splitlines()) <= MOST_LINES
    for command in ("pip install uv && uv run manage.py start", "uv run --group test pytest"):
        assert f"```sh\n{command}\n```" in text


@pytest.mark.parametrize("path", DOCS, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
        if not link.startswith("https://"):
            file, _, anchor = link.partition("#")
            target = path.parent / file if file else path
            assert target.exists(), link
            assert not anchor or anchor in _anchors(target), link


def _anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub creates for the headings."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCS, ids=name_of)
def test_every_setting_command_option_and_module_exists(path: Path) -> None:
    text = path.read_text()
    named = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`", text))
    assert named - set(SETTINGS) - NO_SETTINGS == set()
    commands = re.findall(r"manage\.py (\w+)([^\n`]*)", text)
    assert {command for command, _ in commands} - {"migrate"} <= set(get_commands())
    for command, rest in commands:
        parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]+", rest):
            assert option in parser._option_string_actions, f"{command} {option}"
    for module in re.findall(r"python -m (tests(?:\.\w+)*)", text):
        assert find_spec(module), module


@pytest.mark.parametrize("path", DOCS, ids=name_of)
def test_every_path_in_the_documents_exists(path: Path) -> None:
    roots = "editor|photoeditor_site|templates|static|tests"
    text = path.read_text()
    created = re.findall(r"[Cc]reate `([^`]+)`", text)
    for named in re.findall(rf"`((?:{roots})/[\w./-]*)`", text):
        assert (ROOT / named).exists() or named in created, named


def test_the_code_of_the_first_changes_uses_names_that_exist() -> None:
    look, view, test = re.findall(r"```python\n(.*?)```", CONTRIBUTING.read_text(), re.DOTALL)
    [function] = [part for part in compile(look, "look", "exec").co_consts if isinstance(part, CodeType)]
    assert {"look", "Pixels", *function.co_names} - {"abs", "min"} <= set(vars(looks))
    for code in (view, test):
        exec("\n".join(line for line in code.splitlines() if line.startswith(("import", "from"))), {})
