"""Tests that a module imports only modules of lower layers.

It must not import modules of a higher layer or of its own layer. The tests read the import statements of the
whole app.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ENTRY_POINTS = ("pages", "api", "admin", "probes", "signin", "middleware", "management")
BELOW_ENTRY_POINTS = (
    "actors",
    "forms",
    "services",
    "models",
    "providers",
    "outbound",
    "imaging",
    "engine",
    "logs",
    "broker",
    "wakeups",
)
# Each part of the app, with the parts that it may import. All parts may also import FOR_EVERYONE.
ALLOWED = {
    **dict.fromkeys(ENTRY_POINTS, BELOW_ENTRY_POINTS),
    "actors": ("services", "models"),
    "forms": ("services", "models", "providers", "outbound", "imaging", "engine"),
    "services": ("models", "providers", "outbound", "imaging", "engine", "logs"),
    "models": (),
    "providers": ("outbound", "imaging", "engine"),
    "engine": ("imaging",),
    "imaging": (),
    "outbound": (),
    "logs": (),
    "broker": (),
    "wakeups": (),
    "cache": (),
    "locale": (),
    "options": (),
    "sentences": (),
    "former_sentences": (),
    "crash_points": (),
}
FOR_EVERYONE = ("options", "sentences", "crash_points")
# Modules that connect the parts. They may import any part, and no part imports them.
WIRING = ("urls", "apps", "migrations")
WITHOUT_DJANGO = ("outbound", "imaging", "engine", "options", "sentences", "crash_points", "providers")
WITHOUT_HTTP = ("services", "models")
DJANGO_PACKAGES = ("django", "allauth", "django_tasks_db", "django_htmx")
# The service packages and their modules, highest first. A module imports only modules that come after it.
SERVICES = {
    "people": (
        "closing",
        "identities",
        "groups",
        "invitations",
        "accounts",
        "blocks",
        "members",
        "openings",
        "former_addresses",
    ),
    "sharing": ("shares", "reviews", "comments"),
    "maintenance": (
        "exports",
        "backup",
        "snapshots",
        "retention",
        "dashboard",
        "workers",
        "trash",
        "metrics",
        "checkups",
        "invariants",
        "schema",
    ),
    "library": ("batches", "recipes", "ideas", "history", "versions"),
    "editing": (
        "submit",
        "previews",
        "edit_status",
        "exclusions",
        "lifecycle",
        "stand_ins",
        "results",
        "leases",
        "turns",
        "pacing",
        "health",
        "quotes",
        "refusals",
        "routing",
        "keeping",
        "step_texts",
        "engines",
        "adapters",
        "webhooks",
        "fetching",
        "idempotency",
    ),
    "photos": ("selections", "drafts", "interactive", "analysis", "photos", "storage"),
    "billing": ("credit_requests", "credits", "usage", "caps", "low_balance"),
    "core": (
        "audit",
        "access",
        "errors",
        "links",
        "search",
        "rates",
        "paging",
        "disk_space",
        "emails",
        "zones",
        "spreadsheet",
        "charts",
        "tasks",
    ),
}
# Modules that remain at former paths because queued tasks and migrations refer to them. They import the moved
# code. No other module imports them.
STORED_PATHS = (
    "editor.services.lifecycle",
    "editor.services.exports",
    "editor.services.notices",
    "editor.services.search",
)
# Exceptions to the rules above. Each maps a part and a module to the reason why the part may import the
# module.
EXCEPTIONS = {
    ("admin", "editor.pages.photos.media"): "one module sends photo bytes",
    ("management", "photoeditor_site.server.supervisor"): "`start` runs the site's server",
}


@dataclass(frozen=True)
class Import:
    """One import. `source` and `target` are dotted module names."""

    source: str
    target: str
    line: int

    def __str__(self) -> str:
        return f"{self.source}, line {self.line}, imports {self.target}"


def violations(root: Path) -> list[str]:
    """Return a sentence for each import below `root` that breaks a rule."""
    modules = _modules(root)
    imports = [found for name, path in modules.items() for found in _imports(name, path, modules)]
    sentences = [f"{one}: {why}" for one in dict.fromkeys(imports) if (why := _violation(one))]
    parts = {_segment(name, 1) for name in modules} - {""}
    sentences += [
        f"editor.{part} has no place in ALLOWED" for part in sorted(parts - set(ALLOWED) - set(WIRING))
    ]
    return sentences


def test_every_import_of_the_project_is_from_a_lower_layer() -> None:
    assert violations(ROOT) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("pages/editing/edits.py", "from editor.forms import EditForm"),
        ("pages/editing/edits.py", "from editor.actors import acting"),
        ("pages/editing/edits.py", "from editor.models import Edit"),
        ("pages/editing/edits.py", "from editor.pages.photos import media"),
        ("admin/edits.py", "from editor.pages.photos import media"),
        ("services/editing/submit.py", "from editor.services.editing import lifecycle"),
        ("services/photos/photos.py", "from editor.services.core.access import Actor"),
        ("services/photos/photos.py", "from ..core.access import Actor"),
        ("services/photos/photos.py", "from editor.imaging.codecs import PhotoError"),
        ("services/photos/__init__.py", "from editor.services.photos.photos import make_large"),
        ("services/lifecycle.py", "from editor.services.editing.lifecycle import advance"),
        ("engine/run.py", "import editor.imaging.codecs"),
        ("engine/run.py", "from editor.options import Region"),
        ("models/edits.py", "from editor import options"),
        ("urls.py", "from editor import pages, probes"),
        ("management/commands/start.py", "from photoeditor_site.server.supervisor import supervise"),
    ],
)
def test_an_import_from_a_lower_layer_is_accepted(tmp_path: Path, path: str, line: str) -> None:
    _write_tree(tmp_path, path, line)
    assert violations(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "line", "why"),
    [
        ("models/edits.py", "from editor.services.photos import photos", "models may not import services"),
        (
            "services/photos/photos.py",
            "from editor.pages.editing import edits",
            "services may not import pages",
        ),
        ("services/photos/photos.py", "from editor import forms", "services may not import forms"),
        ("pages/editing/edits.py", "from editor.api.edits import create", "pages may not import api"),
        ("pages/editing/edits.py", "from editor import probes", "pages may not import probes"),
        ("admin/edits.py", "from editor.pages.editing import edits", "admin may not import pages"),
        ("api/edits.py", "from ..pages.editing import edits", "api may not import pages"),
        ("imaging/codecs.py", "import editor.engine.run", "imaging may not import engine"),
        ("engine/run.py", "from editor.models import Edit", "engine may not import models"),
        ("engine/run.py", "from editor.providers import contract", "engine may not import providers"),
        ("providers/embedded.py", "from editor.services.photos import photos", "may not import services"),
        ("options.py", "from editor.imaging import codecs", "options may not import imaging"),
        (
            "services/photos/photos.py",
            "from editor.services.editing import submit",
            "photos is below editing",
        ),
        ("services/core/access.py", "from editor.services.photos import photos", "core is below photos"),
        (
            "services/editing/lifecycle.py",
            "def late():\n    from . import submit",
            "lifecycle is below submit",
        ),
        ("services/photos/tools.py", "from editor.services.core import access", "has no place in SERVICES"),
        ("services/tools.py", "from editor.services.core import access", "has no place in SERVICES"),
        (
            "services/editing/submit.py",
            "from editor.services.lifecycle import advance",
            "only for stored paths",
        ),
        ("services/editing/submit.py", "from django.http import Http404", "services knows no HTTP"),
        ("pages/editing/edits.py", "from editor.services.search import text_of", "for stored paths"),
        ("engine/run.py", "from django.conf import settings", "engine may not import Django"),
        ("providers/embedded.py", "import django", "providers may not import Django"),
        (
            "pages/editing/edits.py",
            "from photoeditor_site import settings",
            "may not import photoeditor_site",
        ),
        ("pages/editing/edits.py", "import editor.urls", "nothing may import urls"),
        ("helpers.py", "", "has no place in ALLOWED"),
    ],
)
def test_an_import_from_a_higher_or_equal_layer_is_reported(
    tmp_path: Path, path: str, line: str, why: str
) -> None:
    _write_tree(tmp_path, path, line)
    sentences = violations(tmp_path)
    assert len(sentences) == 1
    assert why in sentences[0]


def test_neither_modules_nor_packages_have_circular_imports() -> None:
    modules = _modules(ROOT)
    files, packages = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name, path in modules.items():
        for one in _imports(name, path, modules):
            source, target = _package(name, modules), _package(one.target, modules)
            if one.target in modules and one.target != name and not _is_package(one.target, modules):
                files[name].add(one.target)
                if not f"{source}.".startswith(f"{target}.") and not f"{target}.".startswith(f"{source}."):
                    packages[source].add(target)
    # If there is a cycle, this raises a CycleError that contains the cycle.
    TopologicalSorter(files).prepare()
    TopologicalSorter(packages).prepare()


def _package(name: str, modules: dict[str, Path]) -> str:
    return name if _is_package(name, modules) else name.rpartition(".")[0]


def _is_package(name: str, modules: dict[str, Path]) -> bool:
    return name not in modules or modules[name].name == "__init__.py"


def _write_tree(root: Path, path: str, line: str) -> None:
    """Write a tree of modules. One of them contains this line, and all others are empty."""
    names = "pages/editing/edits pages/photos/media api/edits admin/edits probes forms actors urls options"
    names += " services/editing/submit services/editing/lifecycle services/photos/photos services/core/access"
    names += " models/edits imaging/codecs engine/run providers/contract providers/embedded"
    names += " management/commands/start services/lifecycle services/search"
    for name in [*(f"{name}.py" for name in names.split()), path]:
        file = root / "editor" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        for folder in (file.parent, file.parent.parent):
            if folder != root:
                (folder / "__init__.py").touch()
        file.write_text(line if name == path else "")


def _modules(root: Path) -> dict[str, Path]:
    """Return the path of each of the app's modules by dotted name. A package has the name of its folder."""
    modules = {}
    for path in sorted((root / "editor").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def _imports(name: str, path: Path, modules: dict[str, Path]) -> Iterator[Import]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (Import(name, alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _imports_from(name, node, package, modules)


def _imports_from(
    name: str, node: ast.ImportFrom, package: str, modules: dict[str, Path]
) -> Iterator[Import]:
    """Yield the imported modules. If a.b is a module, `from a import b` imports a.b, and otherwise it imports
    a.
    """
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    origin = ".".join([*above, *([node.module] if node.module else [])])
    for alias in node.names:
        target = f"{origin}.{alias.name}"
        yield Import(name, target if target in modules else origin, node.lineno)


def _violation(one: Import) -> str:
    """Return the rule that this import violates, or an empty string."""
    part, package = _segment(one.source, 1), _segment(one.target, 0)
    if (part, one.target) in EXCEPTIONS:
        return ""
    if package == "photoeditor_site":
        return "the app may not import photoeditor_site"
    if package in DJANGO_PACKAGES:
        return _django_violation(one, part)
    return _app_violation(one, part, _segment(one.target, 1)) if package == "editor" else ""


def _django_violation(one: Import, part: str) -> str:
    if part in WITHOUT_DJANGO:
        return f"{part} may not import Django"
    if part in WITHOUT_HTTP and one.target.startswith("django.http"):
        return f"{part} knows no HTTP"
    return ""


def _app_violation(one: Import, part: str, target: str) -> str:
    if part in WIRING or not target:
        return ""
    if target in WIRING:
        return f"nothing may import {target}"
    if one.target in STORED_PATHS:
        return f"{one.target} is only for stored paths"
    if part == target:
        return _services_violation(one) if part == "services" else ""
    return "" if target in (*ALLOWED.get(part, ()), *FOR_EVERYONE) else f"{part} may not import {target}"


def _services_violation(one: Import) -> str:
    if one.source in STORED_PATHS:
        return ""
    ranks = []
    for name in (one.source, one.target):
        package, module = _segment(name, 2), _segment(name, 3)
        if package not in SERVICES or module not in ("", *SERVICES[package]):
            return f"{name} has no place in SERVICES"
        ranks.append(_rank(package, module))
    (source_package, source_module), (target_package, target_module) = ranks
    if source_package > target_package:
        return f"{_segment(one.source, 2)} is below {_segment(one.target, 2)}"
    if source_package == target_package and source_module > target_module:
        return f"{_segment(one.source, 3)} is below {_segment(one.target, 3)}"
    return ""


def _rank(package: str, module: str) -> tuple[int, int]:
    """Return a module's position, counted from the top. A package is above its modules."""
    return list(SERVICES).index(package), SERVICES[package].index(module) if module else -1


def _segment(name: str, number: int) -> str:
    segments = name.split(".")
    return segments[number] if len(segments) > number else ""
