"""Tests that every third-party file of the engine is listed, and that its content matches the list."""

import hashlib
import re
from pathlib import Path

import pytest

ASSETS = Path(__file__).resolve().parents[2] / "editor" / "engine" / "assets"
OWN = ("README.md", "LICENSE.txt", "SOURCES.txt")
TOLD = re.findall(r"^\| (\S+) \|.*`([0-9a-f]{64})` \|$", (ASSETS / "README.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("name", "digest"), TOLD)
def test_third_party_files_match_their_digests_in_the_readme(name: str, digest: str) -> None:
    assert hashlib.sha256((ASSETS / name).read_bytes()).hexdigest() == digest


def test_every_third_party_file_is_listed_in_the_readme() -> None:
    found = {path.relative_to(ASSETS) for path in ASSETS.rglob("*") if path.is_file()}
    others = {
        str(path)
        for path in found
        if path.parts[0] not in ("props", "places", "source") and not path.name.endswith(OWN)
    }
    assert others <= {name for name, _ in TOLD}


def test_the_main_readme_mentions_the_readme_of_the_assets() -> None:
    assert "editor/engine/assets/README.md" in (ASSETS.parents[2] / "README.md").read_text()
