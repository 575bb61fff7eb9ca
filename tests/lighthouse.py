"""Lighthouse on a phone: `python -m tests.lighthouse [--runs N]`, the median of some runs of each page.

A developer's command: it takes the npm package of that name by npx, and Debian's Chromium. It prints a line
for each page, and ends with 1 where a limit is missed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page

from tests import stills
from tests.journeys.steps import add_photo, send, wait_for_result, write
from tests.portal import CHROMIUM, Portal, chromium, portal, sign_in

VERSION = "13.5.0"
LEAST = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}
LCP_SECONDS, CODE_KB = 1.8, {"script": 24.0, "stylesheet": 16.0, "all": 64.0}
OF_CODE = ("document", "script", "stylesheet", "font", "image/svg+xml")
FLAGS = "--headless --no-sandbox --disable-dev-shm-usage"


def measure(address: str, cookies: str, folder: Path) -> dict[str, Any]:
    """One run: its report, as Lighthouse writes it."""
    report, headers = folder / "report.json", folder / "headers.json"
    headers.write_text(json.dumps({"Cookie": cookies} if cookies else {}))
    subprocess.run(
        [
            *("npx", "--yes", f"lighthouse@{VERSION}", address, "--quiet", "--output=json"),
            *(f"--output-path={report}", f"--extra-headers={headers}", f"--chrome-flags={FLAGS}"),
        ],
        check=True,
        env={**os.environ, "CHROME_PATH": str(CHROMIUM)},
        stdout=subprocess.DEVNULL,
        timeout=180,
    )
    told: dict[str, Any] = json.loads(report.read_text())
    return told


def figures(report: dict[str, Any]) -> dict[str, float]:
    """What has a limit: the scores, LCP in seconds, CLS, and code in KB as it came over the wire."""
    audits = report["audits"]
    scores = {name: 100 * (report["categories"][name]["score"] or 0) for name in LEAST}
    items = audits["network-requests"]["details"]["items"]
    sizes = {kind: _kilobytes(items, kind) for kind in ("script", "stylesheet")}
    return {
        **scores,
        "lcp": audits["largest-contentful-paint"]["numericValue"] / 1000,
        "cls": audits["cumulative-layout-shift"]["numericValue"],
        **sizes,
        "all": sum(
            item["transferSize"] / 1024
            for item in items
            if item.get("resourceType", "").lower() in OF_CODE or item.get("mimeType") in OF_CODE
        ),
    }


def missed(found: dict[str, float]) -> Iterator[str]:
    yield from (f"{name} {found[name]:.0f} < {least}" for name, least in LEAST.items() if found[name] < least)
    yield from (
        f"{name} {found[name]:.1f} KB > {most}" for name, most in CODE_KB.items() if found[name] > most
    )
    if found["lcp"] > LCP_SECONDS:
        yield f"LCP {found['lcp']:.2f} s > {LCP_SECONDS}"
    if round(found["cls"], 3) > 0:
        yield f"CLS {found['cls']:.3f} > 0"


def _kilobytes(items: list[dict[str, Any]], kind: str) -> float:
    chosen = (item for item in items if item.get("resourceType", "").lower() == kind)
    return float(sum(item["transferSize"] for item in chosen)) / 1024


def _pages(page: Page, site: Portal, folder: Path) -> dict[str, str]:
    """Makes an edit, so that there is a result and a history."""
    photo = folder / "desk.jpg"
    stills.still("desk").save(photo, quality=92)
    sign_in(page, site)
    editor = page.url
    add_photo(page, photo)
    write(page, "turn the red mug blue")
    send(page)
    wait_for_result(page, 60)
    return {"editor": editor, "result": page.url, "history": f"{editor}history/"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lighthouse", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    is_fine = True
    with tempfile.TemporaryDirectory() as made, portal() as site:
        folder = Path(made)
        with chromium() as browser:
            context = browser.new_context()
            pages = _pages(context.new_page(), site, folder)
            cookies = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies())
        for name, address, sent in (
            ("door", f"{site.url}/", ""),
            *((name, address, cookies) for name, address in pages.items()),
        ):
            each = [figures(measure(address, sent, folder)) for _ in range(runs)]
            found = {key: median(one[key] for one in each) for key in each[0]}
            wrong = list(missed(found))
            is_fine = is_fine and not wrong
            told = " ".join(f"{key} {value:.2f}".replace(".00", "") for key, value in found.items())
            sys.stdout.write(f"{name}: {told}{'  MISSED: ' + ', '.join(wrong) if wrong else ''}\n")
            sys.stdout.flush()
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
