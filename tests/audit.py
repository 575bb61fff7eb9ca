"""Asks whether a package of ours has a known fault: `uv run --group test python -m tests.audit`.

It hands every pin of pyproject.toml to pip-audit, which asks the advisory database of the package index. Exit
code 0 when none is known, 1 and a list when one is, 2 when it could not be asked, as without a network.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from tests.proofs import ROOT

# Strict: a package of which nothing could be learned is no package without a fault.
COMMAND = (
    "uv",
    "tool",
    "run",
    "pip-audit",
    "--strict",
    "--no-deps",
    "--disable-pip",
    "--progress-spinner",
    "off",
)
NOT_ASKED = "Nobody could be asked about known faults: this needs a network, and uv.\n"
_FINDINGS = "Found "


def pins() -> dict[str, str]:
    """The version of each package that pyproject.toml pins."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    ours = project["project"]
    lines = [*ours["dependencies"], *project["tool"]["uv"]["constraint-dependencies"]]
    for group in (*project["dependency-groups"].values(), *ours["optional-dependencies"].values()):
        lines += group
    parts = (line.partition("==") for line in lines)
    return {name.partition("[")[0]: version for name, _, version in parts}


def main() -> int:
    """Answers the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text("\n".join(f"{name}=={version}" for name, version in pins().items()))
        try:
            done = subprocess.run(
                [*COMMAND, "--requirement", str(requirements)], capture_output=True, text=True, check=False
            )
        except FileNotFoundError:
            sys.stderr.write(NOT_ASKED)
            return 2
    sys.stdout.write(done.stdout)
    if done.returncode and _FINDINGS not in done.stderr:
        sys.stderr.write(f"{NOT_ASKED}{done.stderr[-500:]}")
        return 2
    sys.stderr.write(done.stderr)
    return int(bool(done.returncode))


if __name__ == "__main__":
    sys.exit(main())
