"""Tests for the German site: texts, dates, numbers, and values that scripts and drawings read."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from editor.models import Action, Edit, User, Workspace
from editor.services.core import audit
from tests import clock
from tests.cast import make_draft, make_edit, make_staff, photo_file

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
GERMAN = {"Accept-Language": "de"}
WORDS = {
    "": ("Was soll sich ändern?", "Fotos bearbeiten"),
    "history/": ("Prompts durchsuchen", "Alle auswählen", "nicht berechnet"),
    "credits/": ("Eine Bearbeitung kostet", "Kontoauszug"),
    "recipes/": ("Neues Rezept",),
    "members/": ("Personen", "Einladung erstellen", "Bearbeiter"),
    "keys/": ("Noch keine API-Schlüssel.", "Schlüssel erstellen"),
    "usage/": ("November 2026", "Nach Person", "50 %"),
    "webhooks/": ("URL hinzufügen",),
    "trash/": ("Der Papierkorb ist leer",),
    "settings/": ("Freigabe verlangen", "Aufbewahrungspflicht"),
}


@pytest.mark.parametrize("path", WORDS)
def test_a_page_is_german(client_of: SignIn, alice: User, team: Workspace, path: str) -> None:
    with clock.at(datetime(2026, 11, 22, 12, tzinfo=UTC)):
        make_edit(alice, workspace=team)
        make_edit(alice, workspace=team, state="FAILED")
        page = client_of(alice).get(f"/w/{team.slug}/{path}", headers=GERMAN)
    assert [words for words in WORDS[path] if words not in page.text] == []


def test_errors_about_photos_are_in_german(client_of: SignIn, alice: User) -> None:
    message = "Diese Datei ist kein unterstütztes Foto"
    client = client_of(alice)
    sent = client.post("/w/alice/drafts/", {"photo": photo_file("a.jpg", b"no photo")}, headers=GERMAN)
    assert (sent.status_code, sent.text.startswith(message)) == (422, True)
    plain = {"prompt": "darker", "photos": photo_file("a.jpg", b"no photo")}
    assert f"a.jpg: {message}" in client.post("/w/alice/", plain, headers=GERMAN).text


def german(client: Client, model: str) -> str:
    return client.get(f"/admin/editor/{model}/", headers=GERMAN).text


def test_the_admin_pages_are_in_german(client_of: SignIn, alice: User, team: Workspace) -> None:
    make_edit(alice, workspace=team, review_state="in_review")
    client = client_of(make_staff())
    start = client.get("/admin/", headers=GERMAN).text
    assert [words for words in ("keine Bearbeitung wartet", "Warten auf Prüfung") if words not in start] == []
    assert "Monatskontingent" in client.get("/admin/editor/workspace/", headers=GERMAN).text
    changed = client.get(f"/admin/editor/workspace/{team.pk}/change/", headers=GERMAN).text
    assert "Arbeitsbereich ändern" in changed
    audit.record(alice, Action.KEY_REVOKED, subject=alice)
    assert [words for words in ("Quelle", "Nummer") if words not in german(client, "auditentry")] == []
    assert "Webhooks" in german(client, "webhookendpoint")


def test_numbers_for_scripts_and_drawings_are_not_localized(client_of: SignIn, alice: User) -> None:
    sent = {"prompt": "", "region": "0.1,0.2,0.3,0.4", "draft": str(make_draft(alice).pk)}
    text = client_of(alice).post("/w/alice/", sent, headers=GERMAN).text
    assert 'name="region" value="0.1,0.2,0.3,0.4"' in text
    drawn = re.findall(r'<rect x="([^"%]+)%?" y="([^"%]+)%?" width="([^"%]+)%?"\s+height="([^"%]+)%?"', text)
    assert [float(number) for drawing in drawn for number in drawing]


def test_the_typical_time_of_a_running_edit_is_not_localized(client_of: SignIn, alice: User) -> None:
    finished = make_edit(alice)
    Edit.objects.filter(pk=finished.pk).update(finished=finished.created + timedelta(seconds=2.5))
    edit = make_edit(alice, state="RUNNING")
    page = client_of(alice).get(f"/edits/{edit.pk}/", headers=GERMAN).text
    assert 'data-usual="2.5"' in page
