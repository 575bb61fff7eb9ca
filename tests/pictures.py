"""Pictures of the pages and their states, to look at: `python -m tests.pictures FOLDER [NAME...]`.

Each is taken on a desktop and a phone, in light and dark: FOLDER/NAME-desktop-dark.png. A site of its own is
started for it, with an account, a photo and an edit.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests import stills
from tests.journeys.steps import add_photo, send, wait_for_result, write
from tests.portal import Portal, chromium, portal, sign_in

STRANGERS = {
    "door": "/",
    "sign-in": "/accounts/login/",
    "sign-up": "/accounts/signup/",
    "reset": "/accounts/password/reset/",
    "reset-sent": "/accounts/password/reset/done/",
    "reset-stale": "/accounts/password/reset/key/1-nothing/",
    "confirm-sent": "/accounts/confirm-email/",
    "confirm-stale": "/accounts/confirm-email/nothing/",
    "join-stale": "/join/nothing/",
    "setup-used": "/setup/nothing/",
    "api": "/api/docs/",
    "not-found-stranger": "/nowhere/",
}
MEMBERS = {
    "editor": "/w/{slug}/",
    "history": "/w/{slug}/history/",
    "history-nothing": "/w/{slug}/history/?q=nothing",
    "recipes": "/w/{slug}/recipes/",
    "new-recipe": "/w/{slug}/recipes/new/",
    "new-batch": "/w/{slug}/batches/new/",
    "credits": "/w/{slug}/credits/",
    "usage": "/w/{slug}/usage/",
    "keys": "/w/{slug}/keys/",
    "webhooks": "/w/{slug}/webhooks/",
    "members": "/w/{slug}/members/",
    "settings": "/w/{slug}/settings/",
    "trash": "/w/{slug}/trash/",
    "account": "/account/",
    "e-mail": "/accounts/email/",
    "password": "/accounts/password/change/",
    "two-factor": "/accounts/2fa/",
    "passkeys": "/accounts/2fa/webauthn/",
    "app": "/accounts/2fa/totp/activate/",
    "sign-out": "/accounts/logout/",
    "new-team": "/teams/new/",
    "not-found": "/nowhere/",
    "result": "{result}",
}
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


def take(folder: Path, wanted: set[str]) -> Iterator[str]:
    """Takes the pictures that are wanted, all when none is named; yields what is wrong with a page."""
    folder.mkdir(parents=True, exist_ok=True)
    with portal(SIGNUP="open", EMAIL_URL="consolemail://") as site, chromium() as browser:
        state, places = _prepare(browser, site, folder)
        for kept, pages in ((None, STRANGERS), (state, MEMBERS)):
            for (size, options), scheme in product(SIZES.items(), ("light", "dark")):
                context = browser.new_context(storage_state=kept, color_scheme=scheme, **options)
                page = context.new_page()
                for name, path in pages.items():
                    if not wanted or name in wanted:
                        target = folder / f"{name}-{size}-{scheme}.png"
                        yield from _picture(page, site.url + path.format(**places), target)
                context.close()


def _prepare(browser: Browser, site: Portal, folder: Path) -> tuple[Any, dict[str, str]]:
    """Signs in and makes an edit: the browser's cookies, and what stands in addresses."""
    photo = folder / "desk.jpg"
    stills.still("desk").save(photo, quality=92)
    page = browser.new_context().new_page()
    sign_in(page, site)
    found = re.search(r"/w/([^/]+)/", page.url)
    assert found
    add_photo(page, photo)
    write(page, "turn the red mug blue")
    send(page)
    wait_for_result(page)
    photo.unlink()
    return page.context.storage_state(), {"slug": found[1], "result": page.url.removeprefix(site.url)}


def _picture(page: Page, address: str, target: Path) -> Iterator[str]:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    answer = page.goto(address, wait_until="networkidle")
    page.screenshot(path=target, full_page=True, animations="disabled")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        complaints.append("scrolls sideways")
    if answer and answer.status >= 500:
        complaints.append(f"answers {answer.status}")
    yield from (f"{target.name}: {complaint}" for complaint in complaints)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    asked = parser.parse_args()
    for wrong in take(asked.folder, set(asked.names)):
        sys.stderr.write(f"{wrong}\n")


if __name__ == "__main__":
    main()
