"""Take screenshots of the pages and their states, for review: `python -m tests.screenshots FOLDER [NAME...]`.

Each page is captured on a desktop and a phone, in light and dark mode: FOLDER/NAME-desktop-dark.png. For this
purpose, the command starts a separate site with accounts, a team, photos, and edits in every state. It prints
the errors that occur on the pages.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Error, Page

from tests.journeys.steps import add_photo, submit_form, tray_photos, wait_for_result, workers_asleep
from tests.portal import EMAIL, PASSWORD, Portal, chromium, portal, sign_in

FRESH = "fresh@example.org"
STAFF = "staff@example.org"
TEAM = "owner@demo.example"
VIEWER = "viewer@demo.example"
STRANGER = ""
PHOTO = Path(__file__).resolve().parent.parent / "static/img/samples/pier.webp"
PAGES = {
    STRANGER: {
        "landing": "/",
        "sign-in": "/accounts/login/",
        "sign-up": "/accounts/signup/",
        "reset": "/accounts/password/reset/",
        "reset-sent": "/accounts/password/reset/done/",
        "reset-stale": "/accounts/password/reset/key/1-nothing/",
        "confirm-sent": "/accounts/confirm-email/",
        "confirm-stale": "/accounts/confirm-email/nothing/",
        "join": "{invitation}",
        "join-stale": "/join/nothing/",
        "setup-used": "/setup/nothing/",
        "share": "{share}",
        "share-ended": "/share/nothing/",
        "api": "/api/docs/",
        "help": "/help/",
        "not-found-stranger": "/nowhere/",
    },
    FRESH: {
        "editor-first": "{fresh}",
        "history-empty": "{fresh}history/",
        "recipes-empty": "{fresh}recipes/",
        "trash-empty": "{fresh}trash/",
        "credits-low": "{fresh}credits/",
        "usage-empty": "{fresh}usage/",
    },
    EMAIL: {
        "editor": "{mine}",
        "history-nothing": "{mine}history/?q=nothing",
        "new-recipe": "{mine}recipes/new/",
        "new-batch": "{mine}batches/new/",
        "credits": "{mine}credits/",
        "usage": "{mine}usage/",
        "keys": "{mine}keys/",
        "webhooks": "{mine}webhooks/",
        "settings": "{mine}settings/",
        "trash": "{mine}trash/",
        "account": "/account/",
        "export": "/account/export/",
        "close-account": "/account/close/",
        "e-mail": "/accounts/email/",
        "password": "/accounts/password/change/",
        "two-factor": "/accounts/2fa/",
        "passkeys": "/accounts/2fa/webauthn/",
        "app": "/accounts/2fa/totp/activate/",
        "sign-out": "/accounts/logout/",
        "new-team": "/teams/new/",
        "not-found": "/nowhere/",
        "no-get": "{mine}history/star/",
        "result": "{result}",
        "result-of-four": "{four}",
        "result-other-shape": "{square}",
        "failed": "{failed}",
    },
    TEAM: {
        "team-editor": "{team}",
        "history": "{team}history/",
        "history-small": "{team}history/?density=dense&kind=color",
        "team-credits": "{team}credits/",
        "team-usage": "{team}usage/",
        "members": "{team}members/",
        "team-settings": "{team}settings/",
        "close-team": "{team}settings/close/",
        "team-keys": "{team}keys/",
        "team-recipes": "{team}recipes/",
    },
    VIEWER: {"viewer-editor": "{team}", "not-yours": "{team}settings/"},
    STAFF: {
        "desk": "/admin/",
        "desk-edits": "/admin/editor/edit/",
        "desk-edit": "{reviewed}",
        "desk-workspaces": "/admin/editor/workspace/",
        "desk-users": "/admin/editor/user/",
        "desk-credits": "/admin/editor/creditentry/",
        "desk-keys": "/admin/editor/apikey/",
        "desk-audit": "/admin/editor/auditentry/",
        "desk-engines": "/admin/editor/providerhealth/",
        "desk-webhooks": "/admin/editor/webhookendpoint/",
    },
}
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
type Prepare = Callable[[Page], None]


@dataclass
class ScreenshotSession:
    """A site to take screenshots of, with each account's stored browser state and the values used in URLs."""

    site: Portal
    browser: Browser
    folder: Path
    wanted: set[str]
    language: str
    storage_states: dict[str, Any] = field(default_factory=dict)
    url_values: dict[str, str] = field(default_factory=dict)

    def open(self, account: str, **options: Any) -> Page:
        kept = self.storage_states.get(account)
        return self.browser.new_context(storage_state=kept, **options).new_page()

    def wants(self, *names: str) -> bool:
        return not self.wanted or not self.wanted.isdisjoint(names)

    def take_screenshots(
        self, name: str, account: str, path: str, prepare: Prepare | None = None
    ) -> Iterator[str]:
        """Prepare a page, take its four screenshots, and yield its errors."""
        for size, options in SIZES.items() if self.wants(name) else ():
            page = self.open(account, locale=self.language, **options)
            complaints: list[str] = []
            page.on("pageerror", partial(_told, complaints))
            answer = page.goto(self.site.url + path.format(**self.url_values), wait_until="networkidle")
            if answer and answer.status >= 500:
                complaints.append(f"answers {answer.status}")
            if prepare:
                prepare(page)
            page.evaluate("scrollTo(0, 0)")
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                target = self.folder / f"{name}-{size}-{scheme}.png"
                page.screenshot(path=target, full_page=True, animations="disabled")
            if page.evaluate("document.documentElement.scrollWidth") > options["viewport"]["width"]:
                complaints.append("scrolls sideways")
            yield from (f"{name}, {size}: {complaint}" for complaint in complaints)
            page.context.close()


def take(folder: Path, wanted: set[str], language: str = "en") -> Iterator[str]:
    """Take the requested screenshots, or all if none were requested, and yield the errors on the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        portal(SIGNUP="open", EMAIL_URL="smtp://127.0.0.1:9", STAFF_TWO_FACTOR="false") as site,
        chromium() as browser,
    ):
        studio = ScreenshotSession(site, browser, folder, wanted, language)
        _furnish(studio)
        for account, pages in PAGES.items():
            for name, path in pages.items():
                yield from studio.take_screenshots(name, account, path)
        for name, prepare in STATES.items():
            yield from studio.take_screenshots(name, EMAIL, "{mine}", prepare)
        for name, (path, prepared) in ON_A_RESULT.items():
            yield from studio.take_screenshots(name, EMAIL, path, prepared)
        yield from studio.take_screenshots("too-few", FRESH, "{fresh}", STATES["plan"])
        yield from studio.take_screenshots("history-picked", TEAM, "{team}history/", _pick)
        yield from _under_way(studio)


def _told(complaints: list[str], error: Error) -> None:
    complaints.append(str(error))


def _furnish(studio: ScreenshotSession) -> None:
    """Create accounts, a team, and edits that belong to the owner.

    Some of the edits have succeeded, some have failed, and some are shared.
    """
    site, places = studio.site, studio.url_values
    site.manage("create_user", FRESH, "--password", PASSWORD, "--credits", "10")
    site.manage("create_user", STAFF, "--password", PASSWORD, "--staff")
    output = site.manage("demo", "--edits", "60")
    team, of_demo = output.split("/w/")[1].split("/")[0], output.rpartition(": ")[2].strip()
    places["invitation"] = _path(site, site.manage("invite", team, "--role", "editor").strip())
    places["team"] = f"/w/{team}/"
    for account in (EMAIL, FRESH, STAFF, TEAM, VIEWER):
        page = studio.open(STRANGER)
        sign_in(page, site, account, of_demo if account in (TEAM, VIEWER) else PASSWORD)
        studio.storage_states[account] = page.context.storage_state()
        places |= {EMAIL: {"mine": _path(site, page.url)}, FRESH: {"fresh": _path(site, page.url)}}.get(
            account, {}
        )
        page.context.close()
    page = studio.open(EMAIL)
    for name, words, results in (
        ("result", "replace the sky with a starry night", 1),
        ("square", "crop to a square", 1),
        ("four", "make the photo warmer and add a thin white border", 4),
    ):
        page.goto(site.url + places["mine"])
        _write(page, words, results)
        submit_form(page)
        wait_for_result(page)
        places[name] = _path(site, page.url)
    page.goto(site.url + places["result"])
    places["share"] = _shared(page, site)
    _edit_further(page)
    places["failed"] = _failed(page, site)
    page.context.close()
    desk = studio.open(STAFF)
    desk.goto(f"{site.url}/admin/editor/edit/?state=finished")
    places["reviewed"] = str(desk.locator("th.field-sentence a").first.get_attribute("href"))
    desk.context.close()


def _path(site: Portal, address: str) -> str:
    return re.sub(r"^https?://[^/]+", "", address.removeprefix(site.url)).partition("?")[0]


def _write(page: Page, words: str, results: int = 1) -> None:
    while tray_photos(page).count():
        with page.expect_response("**/remove/"):
            page.locator("[data-remove]").first.click()
    add_photo(page, PHOTO)
    with page.expect_response("**/preview/*"):
        page.locator("#prompt").fill(words)
    if results > 1:
        page.locator(f"input[name=outputs][value='{results}']").check(force=True)


def _shared(page: Page, site: Portal) -> str:
    page.locator(".share-new summary").click()
    page.locator("#share-comment").fill("This one is for the poster.")
    page.locator("input[name=allows_download]").check()
    page.locator("form[action$='/shares/'] button").click()
    return _path(site, page.locator("[id^=share-][readonly]").first.input_value())


def _edit_further(page: Page) -> None:
    """Edit the result two more times, so that the photo has several versions."""
    for words in ("make it black and white", "add a white border"):
        page.locator("form[action$='/further/'] button").click()
        with page.expect_response("**/preview/*"):
            page.locator("#prompt").fill(words)
        page.locator("#send").click()
        wait_for_result(page)


def _failed(page: Page, site: Portal) -> str:
    key = site.manage("create_api_key", EMAIL, "--name", "Pictures").strip()
    answer = page.request.post(
        f"{site.url}/api/photo-editor/generate",
        headers={"Authorization": f"Bearer {key}"},
        multipart={
            "file0": {"name": PHOTO.name, "mimeType": "image/webp", "buffer": PHOTO.read_bytes()},
            "prompt": "replace the sky with a starry night and remove the dragon",
        },
    )
    assert answer.ok, answer.text()
    return f"/edits/{answer.json()['data']['taskId']}/"


def _refused(page: Page) -> None:
    page.locator("#send").click()
    page.wait_for_load_state("networkidle")


def _mark(page: Page) -> None:
    page.locator("[data-point]").click()
    page.locator("[data-point-add]").click()
    page.wait_for_timeout(1000)


def _with(words: str, *then: Prepare) -> Prepare:
    """Return a function that prepares the page: it uploads the photo, enters the prompt, and then runs the
    given steps.
    """

    def prepare(page: Page) -> None:
        _write(page, words)
        for step in then:
            step(page)

    return prepare


def _add_four(page: Page) -> None:
    for _ in range(4):
        add_photo(page, PHOTO)


STATES = {
    "plan": _with("replace the sky with a starry night and brighten the photo a little"),
    "plan-partly": _with("replace the sky with a starry night and remove the dragon"),
    "plan-overruled": _with("crop to 1:1", lambda page: page.locator("input[value='4:5']").check(force=True)),
    "refused": _with("remove the dragon", _refused),
    "marked": _with("make this brighter", _mark),
    "five-photos": _with("put photo 2 into the background of photo 1", _add_four),
}


def _view(page: Page) -> None:
    page.locator("[data-viewer]").click()
    page.wait_for_timeout(1000)


def _pick(page: Page) -> None:
    for box in page.locator("[data-pick]").all()[:3]:
        box.check(force=True)


ON_A_RESULT: dict[str, tuple[str, Prepare]] = {
    "viewer": ("{result}", _view),
    "side-by-side": ("{four}", lambda page: page.locator("[data-view][value=side]").check(force=True)),
    "other-format": ("{result}", lambda page: page.locator(".take summary").click()),
}


def _under_way(studio: ScreenshotSession) -> Iterator[str]:
    """Take the screenshots of a waiting edit that is then cancelled, and of a running edit."""
    if not studio.wants("waiting", "running", "cancelled"):
        return
    page = studio.open(EMAIL)
    for name in ("waiting", "running"):
        page.goto(studio.site.url + studio.url_values["mine"])
        _write(page, "replace the sky with a starry night", 4)
        if name == "running":
            submit_form(page)
            page.wait_for_selector("#status[data-state=RUNNING]", timeout=60_000)
        with workers_asleep(studio.site):
            if name == "waiting":
                submit_form(page)
            page.wait_for_selector("#status")
            yield from studio.take_screenshots(name, EMAIL, _path(studio.site, page.url))
            if name == "waiting":
                page.locator("#run-act").click()
                page.locator("#cancel [value=yes]").click()
                page.wait_for_selector(".ended")
        if name == "waiting":
            yield from studio.take_screenshots("cancelled", EMAIL, _path(studio.site, page.url))
    page.context.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--language", default="en", help="the browser's: en (the default) or de")
    arguments = parser.parse_intermixed_args()
    for wrong in take(arguments.folder, set(arguments.names), arguments.language):
        sys.stderr.write(f"{wrong}\n")


if __name__ == "__main__":
    main()
