"""Tests that pages and emails use the user's language, and that programs and logs use English.

The user's language is the account's language or, if the account has none, the browser's language.
"""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from editor.models import Membership, User, Workspace
from editor.services.billing import low_balance
from editor.services.core import links
from editor.services.people import invitations
from tests import cast

pytestmark = pytest.mark.django_db
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
PO = Path("editor/locale/de/LC_MESSAGES/django.po")
_needs_gettext = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="Install gettext for this test.")


def entries(path: Path, *, only: str = "") -> str:
    """Return the sorted entries of a catalog, or only its `untranslated` or `fuzzy` entries."""
    command = ["msgattrib", "--no-wrap", "--sort-output", "--no-location", *([f"--{only}"] if only else [])]
    text = subprocess.run([*command, path], capture_output=True, text=True, check=True).stdout
    return text.partition("\n\n")[2]


@_needs_gettext
def test_the_compiled_catalog_matches_its_source(tmp_path: Path) -> None:
    made = tmp_path / "django.mo"
    subprocess.run(["msgfmt", "--check", "-o", made, PO], check=True)
    assert made.read_bytes() == PO.with_suffix(".mo").read_bytes(), "run manage.py compilemessages"


@_needs_gettext
def test_every_message_is_translated(tmp_path: Path, settings: Any) -> None:
    found = tmp_path / "de/LC_MESSAGES/django.po"
    found.parent.mkdir(parents=True)
    shutil.copy(PO, found)
    settings.LOCALE_PATHS = [tmp_path]
    call_command("makemessages", verbosity=0)
    assert entries(found, only="untranslated") == entries(found, only="only-fuzzy") == ""
    assert entries(found) == entries(PO), "run manage.py makemessages and translate the new messages"


def test_the_placeholders_of_a_translation_match_its_message() -> None:
    for block in PO.read_text().split("\n\n")[1:]:
        told = re.findall(r'^(msgid|msgid_plural|msgstr(?:\[\d\])?) "(.*)"$', block, re.MULTILINE)
        names = {name: set(re.findall(r"%\((\w+)\)", text)) for name, text in told}
        full = names.get("msgid_plural", names["msgid"])
        for name in set(names) - {"msgid"}:
            assert names[name] in (full, names["msgid"]), block


@pytest.mark.parametrize(
    ("account", "header", "cookie", "spoken"),
    [
        ("", "", "", "en"),
        ("", "de-CH, en;q=0.3", "", "de"),
        ("", "fr, de;q=0.3", "", "de"),
        ("", "fr", "", "en"),
        ("", "de", "en", "en"),
        ("de", "en", "en", "de"),
        ("en", "de", "de", "en"),
    ],
)
def test_the_language_of_a_page_follows_the_account_cookie_and_browser(
    alice: User, client_of: Callable[..., Client], account: str, header: str, cookie: str, spoken: str
) -> None:
    alice.set_language(account)
    client = client_of(alice)
    if cookie:
        client.cookies["language"] = cookie
    response = client.get("/account/", headers={"Accept-Language": header} if header else {})
    assert f'<html lang="{spoken}"' in response.content.decode()
    assert response.headers["Content-Language"] == spoken
    assert {"Accept-Language", "Cookie"} <= set(response.headers["Vary"].split(", "))


def test_error_pages_use_the_language_of_the_user(alice: User, client_of: Callable[..., Client]) -> None:
    alice.set_language("de")
    for response in (
        client_of(alice).get("/nowhere/"),
        Client().get("/", headers={**GERMAN, "Host": "nobody.example"}),
        Client(enforce_csrf_checks=True).post("/account/theme/", headers=GERMAN),
    ):
        assert '<html lang="de"' in response.content.decode()


@pytest.mark.parametrize(
    "path", ["/api/photo-editor/account", "/api/openapi.json", "/api/nothing", "/healthz"]
)
def test_responses_for_programs_are_in_english(path: str) -> None:
    response = Client().get(path, headers=GERMAN)
    assert "Content-Language" not in response.headers
    assert response.content == Client().get(path).content or b"requestId" in response.content


def test_a_chosen_language_is_saved_in_the_account(alice: User, client_of: Callable[..., Client]) -> None:
    client = client_of(alice)
    for chosen in ("de", "en", ""):
        response = client.post("/account/language/", {"language": chosen, "next": "/account/"})
        assert response.headers["Location"] == "/account/"
        alice.refresh_from_db()
        assert alice.language == chosen
    assert client.post("/account/language/", {"language": "tlh"}).status_code == 400


def test_a_visitor_can_choose_the_language_for_the_browser() -> None:
    client = Client()
    client.post("/account/language/", {"language": "de"})
    assert '<html lang="de"' in client.get("/").content.decode()


def test_the_status_of_an_edit_has_the_language_of_its_page(alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    asked = {}
    for language in ("en", "de"):
        with translation.override(language):
            asked[language] = f"/s/{links.sign_status(edit, alice)}/"
    english, german = (Client().get(asked[language]) for language in ("en", "de"))
    assert german.headers["Content-Language"] == "de"
    assert german.headers["ETag"] != english.headers["ETag"]
    known = {"If-None-Match": english.headers["ETag"]}
    assert Client().get(asked["de"], headers=known).status_code == 200
    assert Client().get(asked["en"], headers=known).status_code == 304


def test_emails_are_in_the_language_of_the_recipient(
    team: Workspace, alice: User, bob: User, settings: Any
) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    cast.join(team, admin := cast.make_user("dana@example.org"), Membership.Role.ADMIN)
    admin.set_language("de")
    low_balance.tell_of_low_balance.call(team.pk, 1200)
    told = {message.to[0]: message for message in mail.outbox}
    assert told["alice@example.org"].subject == "[Darkroom] Studio is low on credits"
    assert told["dana@example.org"].subject == "[Darkroom] Studio hat nur noch wenige Credits"
    assert "1.200 Credits" in told["dana@example.org"].body
    german = told["dana@example.org"]
    assert isinstance(german, mail.EmailMultiAlternatives)
    assert '<html lang="de">' in str(german.alternatives[0][0])


def test_an_invitation_is_in_the_language_of_the_invited_account(team: Workspace, alice: User) -> None:
    charlie = cast.make_user("charlie@example.org", language="de")
    made = invitations.invite(
        cast.actor_of(alice, team), team, role=Membership.Role.EDITOR, email=charlie.email
    )
    with translation.override("en"):
        invitations.send(made, site="https://photos.example.org")
    assert mail.outbox[0].subject == "[Darkroom] Studio beitreten"


def test_a_password_reset_is_in_the_language_of_the_account(alice: User, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    alice.set_language("de")
    Client().post(
        reverse("account_reset_password"), {"email": alice.email}, headers={"Accept-Language": "en"}
    )
    assert "neues Passwort" in mail.outbox[0].body


def test_all_texts_in_scripts_are_translated() -> None:
    """A string counts as text if it starts with a capital letter or is passed to `said`.

    Values in the string are replaced with {}.
    """
    scripts = {path.name: path.read_text() for path in Path("static/js").glob("*.js")}
    known = set(re.findall(r'^  "([^"]+)":', scripts.pop("words.de.js"), re.MULTILINE))
    del scripts["docs.js"]  # The developer pages are available only in English.
    joined = "\n".join(re.sub(r"` \+\s+`", "", text) for text in scripts.values())
    code = re.sub(r"^\s*//.*$|throw new Error\(.*\)", "", joined, flags=re.MULTILINE)
    told = re.findall(r"[\"`]([A-Z][^\"`]*? [^\"`]*)[\"`]|said\([\"`]([^\"`]+)[\"`]", code)
    sentences = {re.sub(r"\$\{[^}]*\}", "{}", one or other) for one, other in told}
    assert {said for said in sentences - known if re.search("[a-z]", said)} == set()
