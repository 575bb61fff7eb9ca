"""What WCAG 2.2 AA asks of a page and a browser can measure: all rules of axe, and names, headings, contrast,
targets and focus as people meet them."""

from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

_CHECKS = Path(__file__).with_suffix(".js").read_text().rstrip()
# Of its rules, those that look at colors; what the others look at is the same in the dark.
OF_COLORS = ["color-contrast", "link-in-text-block"]
_NAMED = {
    "button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "slider", "progressbar",
    "dialog", "heading", "spinbutton", "image", "img",
}  # fmt: skip


def complaints(page: Page) -> list[str]:
    """What is wrong with the page as it is now; one sentence each."""
    page.wait_for_load_state()
    found = [*_nameless(page), *_measured(page, "structure"), *_measured(page, "smallTargets")]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        _measured(page, "settled")
        found += [f"{scheme}: {faint}" for faint in _measured(page, "faintTexts")]
        found += [f"{scheme}: {violation}" for violation in _axe(page, OF_COLORS if scheme == "dark" else [])]
    return found


def complaints_by_tab(page: Page, most: int = 80) -> list[str]:
    """Goes through the page by Tab; what cannot be seen while it is focused."""
    found = []
    page.evaluate("document.activeElement?.blur()")
    for _ in range(most):
        page.keyboard.press("Tab")
        seen = _measured(page, "focused")
        if "ended" in seen:
            break
        if not seen["isShown"]:
            found.append(f"no focus is seen at {seen['html']}")
        if not seen["isFree"]:
            found.append(f"something covers {seen['html']}")
    return found


def _axe(page: Page, rules: list[str]) -> list[str]:
    """The violations of these rules, or of all. Evaluated, not loaded: the page's security policy stays as
    it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # Of what is right, axe then writes down one node and not all.
    asked: dict[str, Any] = {"resultTypes": ["violations"]}
    asked |= {"runOnly": rules} if rules else {"rules": {"target-size": {"enabled": True}}}
    violations = page.evaluate("asked => axe.run(asked).then(results => results.violations)", asked)
    return [
        f"axe: {violation['help']} ({violation['id']}): {node['html'][:200]}"
        for violation in violations
        for node in violation["nodes"]
    ]


def _measured(page: Page, check: str) -> Any:
    return page.evaluate(f"{_CHECKS}.{check}()")


def _nameless(page: Page) -> list[str]:
    """By the tree that the browser gives to a screen reader."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    return [
        f"a {node['role']['value']} has no name: {node.get('properties')}"
        for node in tree["nodes"]
        if not node["ignored"]
        and node["role"]["value"] in _NAMED
        and not node.get("name", {}).get("value", "").strip()
    ]
