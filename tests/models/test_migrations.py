"""Tests that upgrades lose nothing. They migrate the rows of an older database to the latest state."""

import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from editor.models import triggers
from editor.services.core.search import text_of
from tests.models.old_database import ALIAS, OldDatabase, old_database
from tests.models.old_ledger import write_ledger
from tests.processes import ROOT, database_url

AT = timezone.now()


@pytest.fixture
def old(tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[OldDatabase]:
    with django_db_blocker.unblock(), old_database(tmp_path) as database:
        yield database


def make_person(old: OldDatabase, email: str) -> Any:
    return old.rows("User").create(email=email, password="!")


def make_old_edit(old: OldDatabase, owner: Any, workspace: Any, **fields: Any) -> Any:
    return old.rows("Edit").create(
        id=uuid.uuid4(),
        owner=owner,
        workspace=workspace,
        **{
            "prompt": "darker",
            "price": 40,
            "provider": "embedded",
            "submit_id": uuid.uuid4(),
            "due": AT,
            "deadline": AT,
            "state": "CANCELLED",
            "finished": AT,
            **fields,
        },
    )


@pytest.mark.slow
def test_an_old_star_becomes_a_star_of_the_edits_owner(old: OldDatabase) -> None:
    alice, bob = make_person(old, "alice@example.org"), make_person(old, "bob@example.org")
    team = old.rows("Workspace").create(name="Studio")
    of_alice = make_old_edit(old, alice, team, favourite=True)
    of_bob = make_old_edit(old, bob, team, favourite=True)
    make_old_edit(old, bob, team)
    old.upgrade()
    stars = set(old.rows("Favorite").values_list("user__email", "edit_id"))
    assert stars == {("alice@example.org", of_alice.pk), ("bob@example.org", of_bob.pk)}
    assert old.rows("Edit").count() == 3


@pytest.mark.slow
def test_each_workspace_gets_a_slug_and_each_draft_gets_a_workspace(old: OldDatabase) -> None:
    alice, bob = make_person(old, "alice@example.org"), make_person(old, "bob@example.org")
    own = {
        person: old.rows("Workspace").create(name=person.email, personal_user=person)
        for person in (alice, bob)
    }
    for _ in range(2):
        old.rows("Workspace").create(name="Café Studio")
    old.rows("Workspace").create(name="工房")
    facts = {"media_type": "image/jpeg", "width": 1, "height": 1, "size": 1, "sha256": "0" * 64}
    drafts = [
        old.rows("DraftPhoto").create(id=uuid.uuid4(), user=person, key=f"{number}.jpg", **facts)
        for number, person in enumerate((alice, bob))
    ]
    old.upgrade()
    slugs = list(old.rows("Workspace").order_by("id").values_list("slug", flat=True))
    assert len(set(slugs)) == 5
    assert not any("example" in slug for slug in slugs)
    assert all(re.fullmatch(r"cafe-studio-\w{4}", slug) for slug in slugs[2:4])
    assert [old.rows("DraftPhoto").get(pk=draft.pk).workspace_id for draft in drafts] == [
        own[alice].pk,
        own[bob].pk,
    ]


def manage(command: str, folder: Path) -> str:
    """Run a manage.py command on the old database and return the command's output."""
    settings = {"DJANGO_SETTINGS_MODULE": "photoeditor_site.settings", "DATA_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env={**os.environ, **settings, "DATABASE_URL": database_url(ALIAS)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_old_entries_get_their_balance(old: OldDatabase, tmp_path: Path) -> None:
    triggers.recreate(using=ALIAS)
    write_ledger(old)
    old.upgrade("0007_old_entries_get_their_balance")
    entries = old.rows("CreditEntry")
    assert entries.count() > 900
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(using=ALIAS):
        entries.update(balance=1)
    for workspace in old.rows("Workspace").all():
        assert entries.filter(workspace=workspace).latest("id").balance == workspace.balance
    manage("migrate", tmp_path)
    assert "All checks passed" in manage("verify", tmp_path)


@pytest.mark.slow
def test_old_edits_are_found_by_their_words(old: OldDatabase) -> None:
    alice = make_person(old, "alice@example.org")
    team = old.rows("Workspace").create(name="Studio")
    edits = [make_old_edit(old, alice, team, prompt=f"Number {number}") for number in range(1200)]
    old.upgrade()
    words = old.rows("EditWords").order_by("id").values_list("edit_id", "text")
    assert list(words) == [
        (edit.pk, text_of(edit.prompt, team.pk)) for edit in sorted(edits, key=lambda edit: edit.pk.hex)
    ]
    index = old.rows("WordIndex")
    assert index.model.objects.using(index.db).count() == 1200


@pytest.mark.slow
def test_old_edits_are_found_by_the_names_of_their_photos(old: OldDatabase) -> None:
    old.upgrade("0041_reworded_labels")
    alice = make_person(old, "alice@example.org")
    team = old.rows("Workspace").create(name="Studio", slug="studio")
    edits = [make_old_edit(old, alice, team, prompt="darker") for _ in range(3)]
    for edit, name in zip(edits, ("IMG_2041.jpg", "Lake.png", ""), strict=True):
        old.rows("EditWords").create(edit_id=edit.pk, workspace_id=team.pk, text=text_of("darker", team.pk))
        make_old_photo(old, "ReferencePhoto", edit_id=edit.pk, position=1, name=name)
    old.upgrade()
    texts = dict(old.rows("EditWords").values_list("edit_id", "text"))
    written = ["darker IMG_2041", "darker Lake", "darker"]
    assert [texts[edit.pk] for edit in edits] == [text_of(words, team.pk) for words in written]


@pytest.mark.slow
def test_old_edits_and_old_health_rows_refer_to_their_engines(old: OldDatabase) -> None:
    old.upgrade("0041_reworded_labels")
    alice = make_person(old, "alice@example.org")
    team = old.rows("Workspace").create(name="Studio", slug="studio")
    sites = [{"provider": "photo-editor", "base_url": f"https://{name}.example.org"} for name in "ab"]
    places = [{"provider": "embedded", "base_url": ""}, *sites]
    edits = [make_old_edit(old, alice, team, **place) for place in places * 4]
    old.rows("ProviderHealth").create(**sites[0], failures=3)
    with patch.object(import_module("editor.migrations.0043_engines_of_old_edits"), "EDITS_PER_BATCH", 5):
        old.upgrade("0044_indexes_by_engine")
    rows = {row.pk: row for row in old.rows("Engine")}
    assert len(rows) == 3
    assert {(row.name, row.runs_here, row.position) for row in rows.values()} == {
        ("embedded", True, None),
        ("photo-editor", False, None),
    }
    for edit in old.rows("Edit"):
        engine = rows[edit.engine_id]
        assert (edit.provider, edit.base_url) == (engine.provider, engine.base_url)
    assert old.rows("Edit").count() == len(edits)
    health = old.rows("ProviderHealth").get()
    assert (rows[health.engine_id].base_url, health.failures) == (sites[0]["base_url"], 3)
    # Nodes that run the previous release still write rows without an engine.
    old.rows("ProviderHealth").create(**places[0])
    late = make_old_edit(old, old.rows("User").get(), old.rows("Workspace").get())
    assert late.engine_id is None


@pytest.mark.slow
def test_old_email_domains_are_converted_to_punycode(old: OldDatabase) -> None:
    old.upgrade("0041_reworded_labels")
    emails = ["zoe@bücher.example", "both@bücher.example", "both@xn--bcher-kva.example", "alice@example.org"]
    people = [make_person(old, email) for email in emails]
    old.upgrade()
    found = dict(old.rows("User").values_list("pk", "email"))
    assert [found[person.pk] for person in people] == ["zoe@xn--bcher-kva.example", *emails[1:]]


def make_old_photo(old: OldDatabase, model: str, **fields: Any) -> Any:
    number = uuid.uuid4()
    facts = {"media_type": "image/jpeg", "width": 1, "height": 1, "size": 1, "sha256": "0" * 64}
    return old.rows(model).create(id=number, key=f"{number.hex}.jpg", **facts, **fields)


@pytest.mark.slow
def test_results_of_edits_that_ended_uncharged_are_removed(old: OldDatabase) -> None:
    old.upgrade("0036_history_by_kind")
    alice = make_person(old, "alice@example.org")
    team = old.rows("Workspace").create(name="Studio", slug="studio")
    ends: dict[str, dict[str, Any]] = {
        "cancelled": {"state": "CANCELLED", "failure_code": "cancelled"},
        "failed": {"state": "FAILED", "failure_code": "engine_failed"},
        "incomplete": {"state": "FAILED", "failure_code": "incomplete"},
        "finished": {"state": "SUCCESS"},
        "storing": {"state": "STORING", "finished": None},
    }
    results = {
        name: [
            make_old_photo(old, "ResultPhoto", edit=make_old_edit(old, alice, team, **end), position=1)
            for _ in range(120 if name == "cancelled" else 1)
        ]
        for name, end in ends.items()
    }
    unpaid, paid = results["cancelled"][7], results["finished"][0]
    in_tray = {
        parent: make_old_photo(old, "DraftPhoto", user=alice, workspace=team, parent=parent)
        for parent in (unpaid, paid)
    }
    later = {parent: make_old_edit(old, alice, team, parent=parent) for parent in (unpaid, paid)}
    edits = old.rows("Edit").count()
    triggers.recreate(using=ALIAS)
    with patch.object(import_module("editor.migrations.0037_remove_unpaid_results"), "EDITS_PER_BATCH", 50):
        old.upgrade()
    left = set(old.rows("ResultPhoto").values_list("pk", flat=True))
    assert left == {results[name][0].pk for name in ("incomplete", "finished", "storing")}
    assert old.rows("Edit").count() == edits
    for parent in (unpaid, paid):
        kept = parent.pk if parent is paid else None
        assert old.rows("DraftPhoto").get(pk=in_tray[parent].pk).parent_id == kept
        assert old.rows("Edit").get(pk=later[parent].pk).parent_id == kept
