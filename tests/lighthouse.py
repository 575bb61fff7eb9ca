"""Run Lighthouse with a phone profile: `python -m tests.lighthouse [--runs N] [PAGE...]`.

This is a command for developers. It needs npx, which installs Lighthouse, and Debian's Chromium. For each
page, it prints one line with the medians. It exits with 1 if a limit is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.journeys.steps import add_photo, enter_prompt, submit_form, wait_for_result
from tests.portal import CHROMIUM, Portal, portal, sign_in
from tests.ports import free_port

PHOTO = Path(__file__).resolve().parent.parent / "static/img/samples/coffee.webp"
VERSION = "13.5.0"
TRIES = 3
MIN_SCORES = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}
LCP_SECONDS = 1.8
CODE_KB = {"script": 24.0, "stylesheet": 16.0, "all": 64.0}
NAMES = ("landing", "editor", "result", "history")
CODE_RESOURCE_TYPES = ("document", "script", "stylesheet", "font", "icon")


def measure(address: str, port: int, folder: Path) -> dict[str, Any]:
    """Run Lighthouse once and return its report.

    Lighthouse uses the browser that listens on this port, along with that browser's cookies. On a busy
    machine, a run sometimes fails to record when the page starts. Such a run is repeated.
    """
    report = folder / "report.json"
    for attempt in range(TRIES):
        ended = _run(address, port, report, check=attempt == TRIES - 1)
        if ended.returncode == 0:
            break
    data: dict[str, Any] = json.loads(report.read_text())
    return data


def _run(address: str, port: int, report: Path, *, check: bool) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [
            "npx",
            "--yes",
            f"lighthouse@{VERSION}",
            address,
            "--quiet",
            "--output=json",
            f"--output-path={report}",
            f"--port={port}",
            "--disable-storage-reset",
        ],
        check=check,
        stdout=subprocess.DEVNULL,
        timeout=180,
    )


def figures(report: dict[str, Any], cookies: str) -> dict[str, float]:
    """Return the figures that have a limit: the scores, LCP in seconds, CLS, and the code size in KB.

    The code size is measured after compression and does not include headers.
    """
    audits = report["audits"]
    items = audits["network-requests"]["details"]["items"]
    sent = (item for item in items if item["url"].startswith("http"))
    code = {item["url"]: item for item in sent if _kind(item) in CODE_RESOURCE_TYPES}
    sizes = {address: _kilobytes(address, cookies) for address in code}
    kinds = ("script", "stylesheet")
    return {
        **{name: 100 * (report["categories"][name]["score"] or 0) for name in MIN_SCORES},
        "lcp": audits["largest-contentful-paint"]["numericValue"] / 1000,
        "cls": audits["cumulative-layout-shift"]["numericValue"],
        **{kind: sum(sizes[one] for one, item in code.items() if _kind(item) == kind) for kind in kinds},
        "all": sum(sizes.values()),
    }


def failed(report: dict[str, Any]) -> list[str]:
    """Return the names of the audits that lowered the score."""
    weighed = [ref for name in MIN_SCORES for ref in report["categories"][name]["auditRefs"] if ref["weight"]]
    scores = {ref["id"]: report["audits"][ref["id"]]["score"] for ref in weighed}
    return [name for name, score in scores.items() if score is not None and score < 0.9]


def missed_limits(figures_found: dict[str, float]) -> Iterator[str]:
    yield from (
        f"{name} {figures_found[name]:.0f} < {least}"
        for name, least in MIN_SCORES.items()
        if figures_found[name] < least
    )
    yield from (
        f"{name} {figures_found[name]:.1f} KB > {most}"
        for name, most in CODE_KB.items()
        if figures_found[name] > most
    )
    if figures_found["lcp"] > LCP_SECONDS:
        yield f"LCP {figures_found['lcp']:.2f} s > {LCP_SECONDS}"
    if round(figures_found["cls"], 3) > 0:
        yield f"CLS {figures_found['cls']:.3f} > 0"


def _kind(item: dict[str, Any]) -> str:
    is_icon = item.get("mimeType") == "image/svg+xml"
    return "icon" if is_icon else str(item.get("resourceType", "")).lower()


def _kilobytes(address: str, cookies: str) -> float:
    headers = {"Accept-Encoding": "gzip", "Cookie": cookies}
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return len(answer.read()) / 1024


def _pages(page: Page, site: Portal) -> dict[str, str]:
    """Create an edit so that a result and a history exist, and return the URLs by page name."""
    sign_in(page, site)
    editor = page.url
    add_photo(page, PHOTO)
    enter_prompt(page, "turn the red dishes blue")
    submit_form(page)
    wait_for_result(page, 60)
    return {"editor": editor, "result": page.url, "history": f"{editor}history/"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lighthouse", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="PAGE", help=", ".join(NAMES))
    arguments = parser.parse_intermixed_args()
    runs, names = arguments.runs, arguments.names or NAMES
    with tempfile.TemporaryDirectory() as made, portal() as site, sync_playwright() as playwright:
        folder, port = Path(made), free_port()
        browser = playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=CHROMIUM,
            args=["--no-sandbox", f"--remote-debugging-port={port}"],
        )
        is_fine = "landing" not in names or _tell("landing", f"{site.url}/", port, folder, runs, "")
        pages = _pages(browser.new_page(), site)
        cookies = "; ".join(f"{one.get('name')}={one.get('value')}" for one in browser.cookies())
        for name, address in pages.items():
            if name in names:
                is_fine = _tell(name, address, port, folder, runs, cookies) and is_fine
        browser.close()
    return 0 if is_fine else 1


def _tell(name: str, address: str, port: int, folder: Path, runs: int, cookies: str) -> bool:
    """Print a page's medians and the limits that it fails to meet. Return whether it meets all limits."""
    reports = [measure(address, port, folder) for _ in range(runs)]
    each = [figures(report, cookies) for report in reports]
    found = {key: median(one[key] for one in each) for key in each[0]}
    wrong = list(missed_limits(found))
    wrong += failed(reports[0]) if wrong else []
    medians = " ".join(f"{key} {value:.2f}".replace(".00", "") for key, value in found.items())
    sys.stdout.write(f"{name}: {medians}{'  MISSED: ' + ', '.join(wrong) if wrong else ''}\n")
    sys.stdout.flush()
    return not wrong


if __name__ == "__main__":
    sys.exit(main())
