"""Upgrades lose nothing: rows of an older database, brought to the newest state."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.models.old_database import OldDatabase, old_database

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


def test_a_star_on_an_edit_becomes_its_owners(old: OldDatabase) -> None:
    alice, bob = make_person(old, "alice@example.org"), make_person(old, "bob@example.org")
    team = old.rows("Workspace").create(name="Studio")
    of_alice = make_old_edit(old, alice, team, favourite=True)
    of_bob = make_old_edit(old, bob, team, favourite=True)
    make_old_edit(old, bob, team)
    old.upgrade()
    stars = set(old.rows("Favorite").values_list("user__email", "edit_id"))
    assert stars == {("alice@example.org", of_alice.pk), ("bob@example.org", of_bob.pk)}
    assert old.rows("Edit").count() == 3
