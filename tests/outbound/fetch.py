"""Make one request in a separate process: `python -m tests.outbound.fetch call|download|upload ORIGIN
FOLDER`.

The process prints how the request ended, and by how many megabytes its peak memory grew.
"""

import contextlib
import json
import sys
from pathlib import Path

from editor.outbound import OutboundError, Rules, calls

CAP = 1024 * 1024


def main(what: str, origin: str, folder: Path) -> None:
    rules = Rules(allowed_origins=frozenset({origin}))
    calls.call("GET", f"{origin}/warm", rules=rules, seconds=60, cap=CAP)
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # Reset the recorded peak memory.
    before = _peak()
    try:
        ended = _fetch(what, origin, rules, folder)
    except OutboundError as error:
        ended = error.kind
    print(json.dumps({"ended": ended, "megabytes": (_peak() - before) / 1024}))  # noqa: T201


def _fetch(what: str, origin: str, rules: Rules, folder: Path) -> str:
    if what == "download":
        calls.download(origin, folder / "got", rules=rules, seconds=120, cap=150 * CAP)
        return f"{(folder / 'got').stat().st_size} bytes"
    photos = sorted(folder.glob("photo-*")) if what == "upload" else []
    files = [("photo", (photo.name, photo, "image/png")) for photo in photos]
    method = "POST" if files else "GET"
    return str(calls.call(method, origin, rules=rules, seconds=120, cap=CAP, files=files).status)


def _peak() -> int:
    """Return the peak memory in kilobytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
