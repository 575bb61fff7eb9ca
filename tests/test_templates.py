"""Tests that templates and static files follow the strict Content-Security-Policy."""

import re
from pathlib import Path
from typing import Any

import allauth
import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
BANNED = {
    "hx-on runs eval": r"\bhx-on\b",
    "js: values run eval": r"[\"'{,]\s*js:",
    "a trigger filter runs eval": r"hx-trigger=\"[^\"]*\[",
    "an inline handler": r"<[^>]*\son[a-z]+=",
    "a style attribute": r"<[^>]*\sstyle=",
    "an inline style sheet": r"<style\b",
    "an inline script": r"<script(?![^>]*\ssrc=)",
    "a script address": r"javascript:",
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT / "templates").as_posix()


# Mail programs do not support style sheets.
PAGES = [path for path in TEMPLATES if path.parent.name != "mail"]


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_no_template_violates_the_content_security_policy(path: Path) -> None:
    text = path.read_text()
    found = [f"{what}: {banned[0]}" for what in BANNED if (banned := re.search(BANNED[what], text))]
    assert found == []


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_no_line_of_a_template_is_longer_than_120_characters(path: Path) -> None:
    long = [number for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > 120]
    assert not long, f"wrap lines {long} at 120 characters"


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_every_static_file_and_icon_in_a_template_exists(path: Path) -> None:
    text = path.read_text()
    icons = set(re.findall(r'<symbol id="([^"]+)"', (ROOT / "static/vendor/icons.svg").read_text()))
    for name in re.findall(r"{% static ['\"]([^'\"]+)['\"] %}", text):
        if not name.startswith("admin/"):
            assert (ROOT / "static" / name).is_file(), name
    named = set(re.findall(r"components/icon\.html[\"'] with name=[\"']([^\"']+)", text))
    assert named <= icons


def test_a_script_calls_only_functions_that_exist() -> None:
    """A missing function stops a script only when it is called, for example on a page without other tests."""
    shared = {"addEventListener", "clearInterval", "clearTimeout", "createImageBitmap", "fetch"}
    shared |= {"getSelection", "import", "matchMedia", "setInterval", "setTimeout"}
    shared |= set(re.findall(r"globalThis\.(\w+) =", (ROOT / "static/js/app.js").read_text()))
    for path in (ROOT / "static/js").glob("*.js"):
        code = re.sub(r'//.*$|"[^"\n]*"', "", path.read_text(), flags=re.MULTILINE)
        declared = re.findall(r"\b(?:const|let|function) (\w+)", code)
        listed = re.findall(r"[,{]\s*(\w+)", code)  # names in imports and destructured values
        called = set(re.findall(r"(?<![.\w#$])([a-z]\w*)\(", code))
        assert called - shared <= {*declared, *listed}, path.name


def test_no_script_uses_eval() -> None:
    for path in (ROOT / "static/js").glob("*.js"):
        assert not re.search(r"\beval\(|new Function|document\.write|localStorage", path.read_text()), (
            path.name
        )


def test_the_style_sheet_refers_only_to_existing_files(tmp_path: Path, settings: Any) -> None:
    """In production, the names of static files depend on their content. Computing these names fails if a
    url() refers to a missing file.
    """
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert list(tmp_path.glob("css/app.*.css"))


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_a_template_links_at_most_two_style_sheets(path: Path) -> None:
    assert len(re.findall(r'rel="stylesheet"', path.read_text())) <= 2


_CHANGES = "email_changed|email_confirm|email_deleted|password_changed|password_set|recovery|totp|webauthn"
NEVER_SHOWN = {
    "ours extend these frames, and they extend our layout": r".*/base\w*\.(html|txt)",
    "codes by mail and phones are off": r"account/.*(confirm_\w+_code|phone|login_code|_code_).*",
    "each account has one address, changed on one page": r"account/(email|verified_email_required)\.html",
    "mails about changes are off": rf".*/email/({_CHANGES}|account_|password_reset_[ms])\w*\.txt",
    "sign-up takes a password": r"account/signup_by_passkey\.html|mfa/webauthn/signup_form\.html",
    "no browser is trusted": r"mfa/trust\.html",
    "only stock pages include them": r".*/snippets/.*",
    "editor/signin/oidc.py asks the issuer": r"socialaccount/(messages/.*|connections|login|signup).*",
}


def test_every_sign_in_page_and_email_has_its_own_template() -> None:
    stock = Path(allauth.__file__).parent / "templates"
    rooms = [stock / room for room in ("account", "mfa", "socialaccount")]
    for path in [path for room in rooms for path in room.rglob("*.*")]:
        name = path.relative_to(stock).as_posix()
        is_never_shown = any(re.fullmatch(pattern, name) for pattern in NEVER_SHOWN.values())
        assert is_never_shown or (ROOT / "templates" / name).is_file(), name
