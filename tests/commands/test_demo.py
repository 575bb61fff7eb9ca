"""Tests that `manage.py demo` creates a team with consistent data."""

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from editor.management import demo
from editor.models import Comment, Edit, Favorite, User, Workspace
from editor.services.maintenance import invariants
from tests.cast import path_of

pytestmark = pytest.mark.django_db


def make(edits: int) -> str:
    out = io.StringIO()
    call_command("demo", edits=edits, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_it_creates_a_team_without_violated_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "EDITS_WITH_PHOTOS", 12)
    output = make(30)
    team = Workspace.objects.get(name="Demo team")
    assert f"/w/{team.slug}/ with 30 edits" in output
    assert invariants.find_violations() == []
    assert Edit.objects.filter(workspace=team).count() == 30
    pictured = list(Edit.objects.filter(purged=None).order_by("-id"))
    assert pictured == list(Edit.objects.order_by("-id")[:12])
    for edit in pictured:
        assert path_of(edit.references.get()).is_file()
        assert edit.results.count() == (1 if edit.is_success else 0)
    assert Comment.objects.exists()
    assert Favorite.objects.exists()


def test_its_users_can_sign_in_with_the_printed_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "EDITS_WITH_PHOTOS", 0)
    output = make(3)
    found = re.search(r"password: (\S+)", output)
    assert found is not None
    team = Workspace.objects.get(name="Demo team")
    for user in User.objects.all():
        assert user.email in output
        client = Client()
        assert client.login(email=user.email, password=found[1])
        assert client.get("/").headers["Location"] == f"/w/{team.slug}/"
        assert client.get(f"/w/{team.slug}/history/").status_code == 200
        assert client.get(f"/w/{team.slug}/credits/").status_code == 200


def test_a_second_demo_is_refused() -> None:
    make(0)
    with pytest.raises(CommandError, match="The demo team already exists"):
        make(0)


@pytest.mark.parametrize("count", [-1, 10_000_001])
def test_it_rejects_an_invalid_number_of_edits(count: int) -> None:
    with pytest.raises(CommandError, match="--edits must be between 0 and 10,000,000"):
        make(count)


def test_edits_are_distributed_among_several_teams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "EDITS_WITH_PHOTOS", 0)
    made = demo.make_demo(edits=20, teams=2)
    assert [team.edits.count() for team in made.teams] == [10, 10]
    assert invariants.find_violations() == []
