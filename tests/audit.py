"""Check the pinned packages for known vulnerabilities: `uv run --group test python -m tests.audit`.

It passes every version pinned in pyproject.toml to pip-audit, which queries the package index's advisory
database. The exit code is 0 if no vulnerability is known, 1 if any is found, and 2 if the database cannot be
queried, for example because there is no network.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from tests.proofs import ROOT

# The audit is strict: a package that cannot be checked must not count as free of vulnerabilities.
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
DATABASE_UNREACHABLE = "The check for known vulnerabilities could not be done: it needs a network and uv.\n"
_FINDINGS = "Found "


def pins() -> dict[str, str]:
    """Return the pinned version of each package in pyproject.toml."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    ours = project["project"]
    lines = [*ours["dependencies"], *project["tool"]["uv"]["constraint-dependencies"]]
    for group in (*project["dependency-groups"].values(), *ours["optional-dependencies"].values()):
        lines += group
    parts = (line.partition("==") for line in lines)
    return {name.partition("[")[0]: version for name, _, version in parts}


def main() -> int:
    """Run the check and return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        requirements = Path(folder) / "requirements.txt"
        requirements.write_text("\n".join(f"{name}=={version}" for name, version in pins().items()))
        try:
            done = subprocess.run(
                [*COMMAND, "--requirement", str(requirements)], capture_output=True, text=True, check=False
            )
        except FileNotFoundError:
            sys.stderr.write(DATABASE_UNREACHABLE)
            return 2
    sys.stdout.write(done.stdout)
    if done.returncode and _FINDINGS not in done.stderr:
        sys.stderr.write(f"{DATABASE_UNREACHABLE}{done.stderr[-500:]}")
        return 2
    sys.stderr.write(done.stderr)
    return int(bool(done.returncode))


if __name__ == "__main__":
    sys.exit(main())
