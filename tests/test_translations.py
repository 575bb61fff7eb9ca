"""Tests that pages and emails use the user's language, and that programs and logs use English.

The user's language is the account's language or, if the account has none, the browser's language.
"""

import ast
import gettext
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from editor.engine.errors import PlanRefused, mark
from editor.engine.language.explain import explain
from editor.engine.plan import Plan, Step, Target
from editor.engine.run import carry_out, edit_files
from editor.engine.seen import say_seen
from editor.engine.vision.things import COCO
from editor.imaging.picture import Picture
from editor.management.commands.makemessages import engine_messages
from editor.models import Membership, User, Workspace
from editor.models.wording import translate_text
from editor.options import EditOptions
from editor.sentences import Sentence, to_json_data
from editor.services.billing import low_balance
from editor.services.core import links
from editor.services.editing import lifecycle
from editor.services.editing.fetching import FetchFailed
from editor.services.people import invitations
from tests import cast, scenes
from tests.engine.test_seen import seen

pytestmark = pytest.mark.django_db
GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}
PO = Path("editor/locale/de/LC_MESSAGES/django.po")
ENGINE = Path("editor/engine")
FOR_DEVELOPERS = frozenset({"CatalogError", "GrammarError", "PatternError", "ValueError"})
NOT_SHOWN = frozenset({"boxed", "examples", "paired", "preview", "refused"})  # keys of TOML tables
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


def _shown_to_people(text: object) -> bool:
    return isinstance(text, str) and bool(re.search(r"^[A-Z“%{].* .*[\w%})”][.!?]$", text, re.DOTALL))


def _text(node: ast.expr) -> object:
    """Return the text of a string or an f-string, with {} for inserted values."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) else None


def _strings(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the strings in code, without docstrings, arguments of Sentence, and errors for developers."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "Sentence":
            for value in node.keywords:
                yield from _strings(value)
            return
        if node.func.id in FOR_DEVELOPERS:
            return
    if isinstance(node, ast.JoinedStr | ast.Constant):
        yield node
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        for child in ast.iter_child_nodes(node):
            yield from _strings(child)


def _toml_strings(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        data = [value for name, value in data.items() if name not in NOT_SHOWN]
    if isinstance(data, list):
        for value in data:
            yield from _toml_strings(value)
    elif isinstance(data, str):
        yield data


def test_every_sentence_of_the_engine_can_be_translated() -> None:
    """A sentence in Python is a `Sentence`, and a sentence in TOML has a key that `makemessages` knows."""
    plain = [
        f"{path}:{string.lineno}: {_text(string)}"
        for path in ENGINE.rglob("*.py")
        for string in _strings(ast.parse(path.read_text("utf-8")))
        if _shown_to_people(_text(string))
    ]
    messages = engine_messages()
    plain += [
        f"{path}: {text}"
        for path in ENGINE.rglob("*.toml")
        for text in _toml_strings(tomllib.loads(path.read_text("utf-8")))
        if _shown_to_people(text) and text not in messages
    ]
    assert plain == []


def _calls() -> Iterator[ast.Call]:
    """Yield the calls in the engine's code that make a sentence from a template."""
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == "Sentence" and node.args:
                yield node


def test_every_template_of_the_engine_gets_its_values() -> None:
    for call in _calls():
        template, names = call.args[0], {value.arg for value in call.keywords}
        assert not isinstance(template, ast.JoinedStr | ast.BinOp), ast.unparse(call)
        if isinstance(template, ast.Constant) and names:
            assert names == set(re.findall(r"%\((\w+)\)s", str(template.value))), ast.unparse(call)


def test_every_sentence_of_the_engine_is_translated() -> None:
    templates = (call.args[0] for call in _calls())
    sentences = {str(one.value) for one in templates if isinstance(one, ast.Constant)} | engine_messages()
    assert len(sentences) > 400
    with PO.with_suffix(".mo").open("rb") as file:
        german = gettext.GNUTranslations(file)
    german.add_fallback(_NoTranslation())
    assert sorted(text for text in sentences if german.gettext(text) is None) == []


class _NoTranslation(gettext.NullTranslations):
    def gettext(self, message: str) -> Any:
        return None


def test_the_placeholders_of_a_translation_match_its_message() -> None:
    for block in PO.read_text().split("\n\n")[1:]:
        matches = re.findall(r'^(msgid|msgid_plural|msgstr(?:\[\d\])?) "(.*)"$', block, re.MULTILINE)
        names = {name: set(re.findall(r"%\((\w+)\)", text)) for name, text in matches}
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
    urls = {}
    for language in ("en", "de"):
        with translation.override(language):
            urls[language] = f"/s/{links.sign_status(edit, alice)}/"
    english, german = (Client().get(urls[language]) for language in ("en", "de"))
    assert german.headers["Content-Language"] == "de"
    assert german.headers["ETag"] != english.headers["ETag"]
    known = {"If-None-Match": english.headers["ETag"]}
    assert Client().get(urls["de"], headers=known).status_code == 200
    assert Client().get(urls["en"], headers=known).status_code == 304


def test_emails_are_in_the_language_of_the_recipient(
    team: Workspace, alice: User, bob: User, settings: Any
) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    cast.join(team, admin := cast.make_user("dana@example.org"), Membership.Role.ADMIN)
    admin.set_language("de")
    low_balance.tell_of_low_balance.call(team.pk, 1200)
    messages = {message.to[0]: message for message in mail.outbox}
    assert messages["alice@example.org"].subject == "[Darkroom] Studio is low on credits"
    assert messages["dana@example.org"].subject == "[Darkroom] Studio hat nur noch wenige Credits"
    assert "1.200 Credits" in messages["dana@example.org"].body
    german = messages["dana@example.org"]
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
    """A string counts as text if it starts with a capital letter or is passed to `translate`.

    Values in the string are replaced with {}.
    """
    scripts = {path.name: path.read_text() for path in Path("static/js").glob("*.js")}
    known = set(re.findall(r'^  "([^"]+)":', scripts.pop("words.de.js"), re.MULTILINE))
    joined = "\n".join(re.sub(r"` \+\s+`", "", text) for text in scripts.values())
    code = re.sub(r"^\s*//.*$|throw new Error\(.*\)", "", joined, flags=re.MULTILINE)
    texts = re.findall(r"[\"`]([A-Z][^\"`]*? [^\"`]*)[\"`]|translate\([\"`]([^\"`]+)[\"`]", code)
    sentences = {re.sub(r"\$\{[^}]*\}", "{}", one or other) for one, other in texts}
    assert {text for text in sentences - known if re.search("[a-z]", text)} == set()


def test_a_refused_prompt_is_explained_in_german(alice: User, client_of: Callable[..., Client]) -> None:
    """The hint is in German, and the words of the prompt stay in English."""
    alice.set_language("de")
    sent = {"prompt": "add an octopus on the shelf", "draft": str(cast.make_draft(alice).id)}
    page = client_of(alice).post("/w/alice/preview/", sent).text
    hint = "Ich habe kein Foto von „octopus“. Zeichnen Sie an der gewünschten Stelle einen Rahmen, "
    assert f'<p class="plan__hint">{hint}dann kann ich es als Emoji hinzufügen.</p>' in page
    assert '<mark lang="en">add an octopus on the shelf</mark>' in page


def test_words_of_a_prompt_are_never_translated() -> None:
    """“center” is also a word of the engine's sentences, which has a German translation."""
    center = mark("center")
    with translation.override("de"):
        assert translate_text(center) == "Zeichnen Sie einen Rahmen um „center“."
        assert translate_text(to_json_data(center)) == "Zeichnen Sie einen Rahmen um „center“."


URL_GONE = "This URL could not be reached."  # The catalog has a translation.
FETCH_FAILED = "Photo %(number)s could not be used: %(why)s"


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence("I don't know the word “%(word)s”. Say it in other words.", word=URL_GONE),
        Sentence(lifecycle.CANCELLED_WITH_REASON, reason=URL_GONE),
    ],
)
def test_what_a_person_wrote_is_never_translated_even_if_it_is_a_sentence(sentence: Sentence) -> None:
    with translation.override("de"):
        shown = translate_text(to_json_data(sentence))
    assert URL_GONE in shown
    assert shown != str(sentence)


def test_a_sentence_in_a_sentence_is_translated_also_if_an_earlier_release_stored_it_as_a_string() -> None:
    stored = to_json_data(FetchFailed(2, URL_GONE).sentence)
    former = {"words": FETCH_FAILED, "values": {"number": 2, "why": URL_GONE}}
    assert stored != former
    with translation.override("de"):
        why = translation.gettext(URL_GONE)
        assert why != URL_GONE
        for data in (stored, former):
            assert translate_text(data) == f"Foto 2 konnte nicht verwendet werden: {why}"


def run_engine(plan: Any, folder: Path, **options: Any) -> dict[str, Any]:
    """Carry out a plan on a photo of 64 by 48 pixels."""
    scenes.lake(64, 48).save(folder / "photo.jpg")
    return edit_files(
        plan, [str(folder / "photo.jpg")], EditOptions(**options).as_json(), str(folder / "result")
    )


@pytest.mark.parametrize(
    ("prompt", "english", "german"),
    [
        (
            "make it sepia and remove the motorcycle",
            "“remove the motorcycle”: I can't find the motorcycle. Draw a box around the motorcycle.",
            "„remove the motorcycle“: Ich kann „motorcycle“ nicht finden. "
            "Zeichnen Sie einen Rahmen um „motorcycle“.",
        ),
        (
            "set it to 5000 dpi",
            "“set it to 5000 dpi”: I can't use this resolution. Ask for 36 to 1,200 dpi.",
            "„set it to 5000 dpi“: Diese Auflösung ist nicht möglich. "
            "Nennen Sie eine Auflösung von 36 bis 1.200 dpi.",
        ),
    ],
)
def test_a_refusal_by_the_engine_is_stored_in_english_and_shown_in_german(
    alice: User, client_of: Callable[..., Client], tmp_path: Path, prompt: str, english: str, german: str
) -> None:
    with pytest.raises(PlanRefused) as refused:
        run_engine(explain(prompt).as_json(), tmp_path)
    data = json.loads(json.dumps(to_json_data(refused.value.message)))
    edit = cast.make_edit(alice, state="FAILED", failure_code="rejected", failure_said=data)
    assert edit.failure == refused.value.message == english
    alice.set_language("de")
    assert f"<p>{german}</p>" in client_of(alice).get(f"/edits/{edit.id}/").text


def test_things_in_the_photo_are_named_in_german(alice: User, client_of: Callable[..., Client]) -> None:
    bus = Plan("remove the bus", (Step("erase", Target("thing", noun="bus"), words=(0, 14)),))
    found = seen(("dog", 0.9), ("dog", 0.8), ("horse", 0.8), sky=0.9)
    with pytest.raises(PlanRefused) as refused:
        carry_out(bus, [Picture(np.full((64, 64, 3), 120, np.uint8))], EditOptions(), analysis=found)
    assert "I see two dogs, a horse and the sky." in refused.value.message
    data = json.loads(json.dumps(to_json_data(refused.value.message)))
    edit = cast.make_edit(alice, state="FAILED", failure_code="rejected", failure_said=data)
    alice.set_language("de")
    page = client_of(alice).get(f"/edits/{edit.id}/").text
    assert "Auf dem Foto erkenne ich zwei Hunde, ein Pferd und den Himmel." in page


def test_a_stored_list_of_things_from_an_earlier_release_is_still_shown() -> None:
    """Earlier releases stored the names as strings."""
    stored = {
        "words": "I see %(things)s.",
        "values": {"things": {"words": "%(thing)s", "values": {"thing": "a dog"}}},
    }
    with translation.override("de"):
        assert translate_text(stored) == "Auf dem Foto erkenne ich „a dog“."


@pytest.mark.parametrize("kind", COCO)
def test_everything_that_the_detector_knows_has_a_german_name(kind: str) -> None:
    with translation.override("de"):
        shown = translate_text(say_seen(seen((kind, 0.9))))
        assert re.search(r"erkenne ich (eine?n?) [A-ZÄÖÜ]\w+", shown)
        shown = translate_text(say_seen(seen(*[(kind, 0.9)] * 2)))
        assert re.search(r"erkenne ich zwei [A-ZÄÖÜ]\w+", shown)


def test_a_notice_about_an_omitted_part_is_shown_in_german(alice: User, tmp_path: Path) -> None:
    """The worker reads the plan from the row, so the plan keeps its sentences translatable."""
    plan = json.loads(json.dumps(explain("make it sepia and add a flobberwick").as_json()))
    edit = cast.make_edit(alice, notices=run_engine(plan, tmp_path, partial=True)["notices"])
    unknown = "I don't know the word “flobberwick”. Say it in other words."
    assert edit.notices_shown == [f"I left out “add a flobberwick”. {unknown}"]
    with translation.override("de"):
        (notice,) = edit.notices_shown
    unknown = "Das Wort „flobberwick“ kenne ich nicht. Sagen Sie es mit anderen Worten."
    assert (notice, notice.lang) == (f"„add a flobberwick“ habe ich ausgelassen. {unknown}", "")
