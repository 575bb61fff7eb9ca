"""Arrows point down any distance, never up, never sideways between rooms: read from the import tree."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

DOORS = ("pages", "api", "admin", "probes", "signin", "middleware", "management")
# Each room may import those of its line, and what is for everyone.
BELOW = {
    **dict.fromkeys(
        DOORS,
        (
            "forms",
            "services",
            "models",
            "providers",
            "outbound",
            "imaging",
            "engine",
            "logs",
            "broker",
            "bell",
        ),
    ),
    "forms": ("services", "models", "providers", "outbound", "imaging", "engine"),
    "services": ("models", "providers", "outbound", "imaging", "engine", "logs"),
    "models": (),
    "providers": ("outbound", "imaging", "engine"),
    "engine": ("imaging",),
    "imaging": (),
    "outbound": (),
    "logs": (),
    "broker": (),
    "bell": (),
    "cache": (),
    "locale": (),
    "options": (),
    "sentences": (),
    "crash_points": (),
}
FOR_EVERYONE = ("options", "sentences", "crash_points")
# They put the rooms together, so they import any, and nobody imports them.
WIRING = ("urls", "apps", "migrations")
WITHOUT_DJANGO = ("outbound", "imaging", "engine", "options", "sentences", "crash_points", "providers")
# Highest first: each imports only those after it.
SERVICES = (
    "closing",
    "exports",
    "batches",
    "recipes",
    "submit",
    "ideas",
    "identities",
    "groups",
    "invitations",
    "accounts",
    "former_addresses",
    "blocks",
    "members",
    "backup",
    "snapshots",
    "retention",
    "shares",
    "reviews",
    "desk",
    "workers",
    "openings",
    "trash",
    "history",
    "versions",
    "edit_status",
    "metrics",
    "checkups",
    "lifecycle",
    "results",
    "leases",
    "pace",
    "health",
    "invariants",
    "routing",
    "webhooks",
    "fetching",
    "credit_requests",
    "credits",
    "usage",
    "notices",
    "caps",
    "drafts",
    "photos",
    "storage",
    "audit",
    "access",
    "links",
    "search",
    "idempotency",
    "rates",
    "paging",
    "space",
    "letters",
    "zones",
    "schema",
    "spreadsheet",
    "charts",
)
# (room, module) -> why this import is allowed although the rules above forbid it.
EXCEPTIONS = {
    ("admin", "editor.pages.media"): "one module sends photo bytes",
    ("management", "photoeditor_site.server.supervisor"): "`start` runs the site's server",
}


@dataclass(frozen=True)
class Arrow:
    """One import: `source` and `target` are dotted names of modules."""

    source: str
    target: str
    line: int

    def __str__(self) -> str:
        return f"{self.source}, line {self.line}, imports {self.target}"


def complaints(root: Path) -> list[str]:
    """What is wrong with the arrows of the tree under `root`, one sentence each."""
    modules = _modules(root)
    arrows = [arrow for name, path in modules.items() for arrow in _arrows(name, path, modules)]
    found = [f"{arrow}: {why}" for arrow in dict.fromkeys(arrows) if (why := _fault(arrow))]
    rooms = {_part(name, 1) for name in modules} - {""}
    found += [f"editor.{room} is a room without a place" for room in sorted(rooms - set(BELOW) - set(WIRING))]
    return found


def test_every_arrow_of_the_project_points_down() -> None:
    assert complaints(ROOT) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("pages/edits.py", "from editor.forms import EditForm"),
        ("pages/edits.py", "from editor.models import Edit"),
        ("pages/edits.py", "from editor.pages import media"),
        ("pages/edits.py", "from . import media"),
        ("admin/edits.py", "from editor.pages import media"),
        ("services/submit.py", "from editor.services import lifecycle"),
        ("services/photos.py", "from .access import Actor"),
        ("services/photos.py", "from editor.imaging.codecs import PhotoError"),
        ("engine/run.py", "import editor.imaging.codecs"),
        ("engine/run.py", "from editor.options import Region"),
        ("models/edits.py", "from editor import options"),
        ("urls.py", "from editor import pages, probes"),
        ("management/commands/start.py", "from photoeditor_site.server.supervisor import supervise"),
    ],
)
def test_it_accepts_an_arrow_that_points_down(tmp_path: Path, path: str, line: str) -> None:
    _write_tree(tmp_path, path, line)
    assert complaints(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "line", "why"),
    [
        ("models/edits.py", "from editor.services import photos", "models may not import services"),
        ("services/photos.py", "from editor.pages import edits", "services may not import pages"),
        ("services/photos.py", "from editor import forms", "services may not import forms"),
        ("pages/edits.py", "from editor.api.edits import create", "pages may not import api"),
        ("pages/edits.py", "from editor import probes", "pages may not import probes"),
        ("admin/edits.py", "from editor.pages import edits", "admin may not import pages"),
        ("api/edits.py", "from ..pages import edits", "api may not import pages"),
        ("imaging/codecs.py", "import editor.engine.run", "imaging may not import engine"),
        ("engine/run.py", "from editor.models import Edit", "engine may not import models"),
        ("engine/run.py", "from editor.providers import contract", "engine may not import providers"),
        ("providers/embedded.py", "from editor.services import photos", "providers may not import services"),
        ("options.py", "from editor.imaging import codecs", "options may not import imaging"),
        ("services/photos.py", "from editor.services import submit", "photos stands below submit"),
        ("services/photos.py", "def late():\n    from . import lifecycle", "photos stands below lifecycle"),
        ("services/tools.py", "from editor.services import photos", "has no place in the order"),
        ("engine/run.py", "from django.conf import settings", "engine knows no Django"),
        ("providers/embedded.py", "import django", "providers knows no Django"),
        ("pages/edits.py", "from photoeditor_site import settings", "photoeditor_site belongs to nobody"),
        ("pages/edits.py", "import editor.urls", "urls belongs to nobody"),
        ("helpers.py", "", "a room without a place"),
    ],
)
def test_it_refuses_an_arrow_that_points_up_or_sideways(
    tmp_path: Path, path: str, line: str, why: str
) -> None:
    _write_tree(tmp_path, path, line)
    found = complaints(tmp_path)
    assert len(found) == 1
    assert why in found[0]


def test_nothing_in_the_engine_imports_in_a_circle() -> None:
    modules = {name: path for name, path in _modules(ROOT).items() if name.startswith("editor.engine.")}
    files, packages = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name, path in modules.items():
        for arrow in _arrows(name, path, modules):
            source, target = _package(name, modules), _package(arrow.target, modules)
            if arrow.target in modules and arrow.target != name:
                files[name].add(arrow.target)
                if not f"{source}.".startswith(f"{target}.") and not f"{target}.".startswith(f"{source}."):
                    packages[source].add(target)
    TopologicalSorter(files).prepare()
    TopologicalSorter(packages).prepare()  # raises a CycleError that names it


def _package(name: str, modules: dict[str, Path]) -> str:
    is_package = name not in modules or modules[name].name == "__init__.py"
    return name if is_package else name.rpartition(".")[0]


def _write_tree(root: Path, path: str, line: str) -> None:
    """A tree of empty modules, and this line in one of them."""
    names = "pages/edits pages/media api/edits admin/edits probes forms urls options models/edits"
    names += " services/submit services/lifecycle services/photos services/access imaging/codecs engine/run"
    names += " providers/contract providers/embedded management/commands/start"
    for name in [*(f"{name}.py" for name in names.split()), path]:
        file = root / "editor" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / "__init__.py").touch()
        file.write_text(line if name == path else "")


def _modules(root: Path) -> dict[str, Path]:
    """Every module of the app, by its dotted name; a package by its own."""
    found = {}
    for path in sorted((root / "editor").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _arrows(name: str, path: Path, modules: dict[str, Path]) -> Iterator[Arrow]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (Arrow(name, alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _arrows_from(name, node, package, modules)


def _arrows_from(name: str, node: ast.ImportFrom, package: str, modules: dict[str, Path]) -> Iterator[Arrow]:
    """`from a import b` points at a.b when that is a module, else at a."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    origin = ".".join([*above, *([node.module] if node.module else [])])
    for alias in node.names:
        target = f"{origin}.{alias.name}"
        yield Arrow(name, target if target in modules else origin, node.lineno)


def _fault(arrow: Arrow) -> str:
    """Why this arrow may not be; empty when it may."""
    room, package = _part(arrow.source, 1), _part(arrow.target, 0)
    if (room, arrow.target) in EXCEPTIONS:
        return ""
    if package == "photoeditor_site":
        return "photoeditor_site belongs to nobody"
    if package in ("django", "allauth", "django_tasks_db", "django_htmx"):
        return f"{room} knows no Django" if room in WITHOUT_DJANGO else ""
    return _fault_inside(arrow, room, _part(arrow.target, 1)) if package == "editor" else ""


def _fault_inside(arrow: Arrow, room: str, target: str) -> str:
    if room in WIRING or not target:
        return ""
    if target in WIRING:
        return f"{target} belongs to nobody"
    if room == target:
        return _fault_in_services(arrow) if room == "services" else ""
    may = (*BELOW.get(room, ()), *FOR_EVERYONE)
    return "" if target in may else f"{room} may not import {target}"


def _fault_in_services(arrow: Arrow) -> str:
    source, target = _part(arrow.source, 2), _part(arrow.target, 2)
    for service in (source, target):
        if service not in SERVICES:
            return f"services.{service} has no place in the order"
    is_down = SERVICES.index(source) <= SERVICES.index(target)
    return "" if is_down else f"{source} stands below {target}"


def _part(name: str, number: int) -> str:
    parts = name.split(".")
    return parts[number] if len(parts) > number else ""
