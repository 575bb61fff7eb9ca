"""Browser checks of WCAG 2.2 AA.

The checks run all rules of axe. They also measure names, headings, contrast, target sizes, and focus as users
experience them.
"""

from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

_CHECKS = Path(__file__).with_suffix(".js").read_text().rstrip()
# The axe rules for colors. All other rules give the same results in light and dark mode.
OF_COLORS = ["color-contrast", "link-in-text-block"]
_NAMED = {
    "button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "slider", "progressbar",
    "dialog", "heading", "spinbutton", "image", "img",
}  # fmt: skip


def find_violations(page: Page) -> list[str]:
    """Return a sentence for each violation on the current page."""
    page.wait_for_load_state()
    found = [*_nameless(page), *_measured(page, "structure"), *_measured(page, "smallTargets")]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        _measured(page, "settled")
        found += [f"{scheme}: {faint}" for faint in _measured(page, "faintTexts")]
        found += [f"{scheme}: {violation}" for violation in _axe(page, OF_COLORS if scheme == "dark" else [])]
    return found


def find_violations_by_tab(page: Page, most: int = 80) -> list[str]:
    """Tab through the page, and return a sentence for each focused element that cannot be seen."""
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
    """Return the violations of these axe rules, or of all rules if the list is empty.

    The script is evaluated rather than loaded, so the page's security policy remains in force.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # This makes axe list only one node for each rule that passes.
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    options |= {"runOnly": rules} if rules else {"rules": {"target-size": {"enabled": True}}}
    violations = page.evaluate("asked => axe.run(asked).then(results => results.violations)", options)
    return [
        f"axe: {violation['help']} ({violation['id']}): {node['html'][:200]}"
        for violation in violations
        for node in violation["nodes"]
    ]


def _measured(page: Page, check: str) -> Any:
    return page.evaluate(f"{_CHECKS}.{check}()")


def _nameless(page: Page) -> list[str]:
    """Return a sentence for each element that has no name in the accessibility tree of screen readers."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    return [
        f"a {node['role']['value']} has no name: {node.get('properties')}"
        for node in tree["nodes"]
        if not node["ignored"]
        and node["role"]["value"] in _NAMED
        and not node.get("name", {}).get("value", "").strip()
    ]
