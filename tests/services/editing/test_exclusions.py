"""Owners exclude external engines from a workspace, and from then on nothing is sent to them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from editor.models import AuditEntry, Edit, User, Workspace
from editor.services.core.errors import Forbidden
from editor.services.editing import adapters, engines, exclusions, lifecycle, routing, submit
from editor.services.photos import drafts
from tests import cast
from tests.engines import EMBEDDED, another_site, configure
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
OUTSIDE = another_site("https://photos.example.org", is_external=True, price_free=60)
INSIDE = another_site("http://10.0.0.5:8000", name="studio")
type Submit = Callable[..., Edit]


def exclude(user: User, workspace: Workspace | None = None) -> None:
    exclusions.exclude_external(cast.actor_of(user, workspace), is_excluded=True)


def again(workspace: Workspace) -> Workspace:
    return Workspace.objects.get(pk=workspace.pk)


def names_in(workspace: Workspace) -> list[str]:
    return [engine.name for engine in engines.available_in(again(workspace))]


def queued_outside(user: User, **columns: Any) -> Edit:
    place = {"provider": OUTSIDE.provider, "base_url": OUTSIDE.base_url}
    return cast.make_edit(user, state="QUEUED", **place | columns)


def test_a_workspace_uses_the_first_engine_that_it_allows(
    alice: User, settings: Any, team: Workspace
) -> None:
    configure(settings, OUTSIDE, INSIDE, EMBEDDED)
    assert names_in(team) == ["photo-editor", "studio", "embedded"]
    assert (team.price, engines.default_engine(team).name) == (60, "photo-editor")
    exclude(alice, team)
    assert names_in(team) == ["studio", "embedded"]
    assert (again(team).price, engines.default_engine(again(team)).name) == (40, "studio")
    assert names_in(alice.personal_workspace)[0] == "photo-editor", "other workspaces still use it"
    exclusions.exclude_external(cast.actor_of(alice, team), is_excluded=False)
    assert names_in(team)[0] == "photo-editor"


def test_each_change_is_recorded_once(alice: User, team: Workspace) -> None:
    exclude(alice, team)
    exclude(alice, team)
    exclusions.exclude_external(cast.actor_of(alice, team), is_excluded=False)
    entries = AuditEntry.objects.filter(action="engines_set").order_by("id")
    assert [entry.detail for entry in entries] == [{"excluded": True}, {"excluded": False}]


def test_only_an_owner_may_exclude(bob: User, team: Workspace) -> None:
    team.memberships.filter(user=bob).update(role="admin")
    with pytest.raises(Forbidden):
        exclude(bob, team)
    assert not again(team).excludes_external


def test_naming_an_excluded_engine_is_refused_before_credits_are_held(alice: User, settings: Any) -> None:
    configure(settings, EMBEDDED, OUTSIDE)
    exclude(alice)
    actor = cast.actor_of(alice, again(alice.personal_workspace))
    draft = drafts.create_draft(actor, cast.photo_file(), name="photo.jpg")
    named = submit.Submission(prompt="sepia", drafts=[draft], engine="photo-editor")
    with pytest.raises(engines.EngineNotAllowed, match="photo-editor is excluded from this workspace"):
        submit.submit_edit(submit.admit(actor), named)
    assert not Edit.objects.exists()
    assert again(alice.personal_workspace).held == 0


def test_an_exclusion_between_the_quote_and_the_hold_refuses_the_edit(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(settings, OUTSIDE, INSIDE)
    actor = cast.actor_of(alice)
    draft = drafts.create_draft(actor, cast.photo_file(), name="photo.jpg")
    quote = routing.quote

    def quoted(*given: Any, **named: Any) -> Any:
        offer = quote(*given, **named)
        exclude(alice)
        return offer

    monkeypatch.setattr(submit, "quote", quoted)
    with pytest.raises(engines.EngineNotAllowed):
        submit.submit_edit(submit.admit(actor), submit.Submission(prompt="sepia", drafts=[draft]))
    assert not Edit.objects.exists()
    assert again(alice.personal_workspace).held == 0
    assert alice.drafts.count() == 1, "the photo is not lost"


def test_without_an_allowed_engine_the_page_names_what_the_owner_can_do(
    client_of: Callable[[User], Client], alice: User, settings: Any
) -> None:
    configure(settings, OUTSIDE)
    exclude(alice)
    with pytest.raises(engines.EngineNotAllowed):
        submit.admit(cast.actor_of(alice, again(alice.personal_workspace)))
    page = client_of(alice).get("/w/alice/").text
    assert "An owner can allow external engines in the settings of the workspace." in page


@pytest.mark.parametrize("how", ["a worker", "the sweep"])
def test_an_exclusion_ends_waiting_edits_without_a_charge_but_not_sent_edits(
    alice: User, settings: Any, how: str
) -> None:
    configure(settings, EMBEDDED, OUTSIDE)
    waiting, own = queued_outside(alice), cast.make_edit(alice, state="QUEUED")
    sent = queued_outside(alice)
    Edit.objects.filter(pk=sent.pk).update(state="RUNNING")
    exclude(alice)
    if how == "a worker":
        lifecycle.advance.call(str(waiting.pk))
    else:
        lifecycle.sweep()
    for edit in (waiting, own, sent):
        edit.refresh_from_db()
    assert (waiting.state, waiting.failure_code) == ("FAILED", "engine_unavailable")
    assert waiting.failure_message == engines.ENGINE_EXCLUDED
    assert (own.state, sent.state) == ("QUEUED", "RUNNING")
    workspace = again(alice.personal_workspace)
    assert (workspace.balance, workspace.held) == (400, own.price + sent.price)
    cast.assert_ledger_balances(workspace)


def test_an_exclusion_while_photos_are_prepared_prevents_sending_them(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(settings, OUTSIDE)
    scripted = ScriptedEngine(on_prepare=lambda request: exclude(alice))
    monkeypatch.setattr(adapters, "provider_named", lambda *_: scripted)
    edit = queued_outside(alice, references=0)
    lifecycle.advance.call(str(edit.pk))
    edit.refresh_from_db()
    assert (edit.state, edit.failure_message) == ("FAILED", engines.ENGINE_EXCLUDED)
    assert scripted.calls == []


def test_owners_can_change_the_exclusion_and_admins_can_only_see_it(
    client_of: Callable[[User], Client], alice: User, bob: User, team: Workspace, settings: Any
) -> None:
    configure(settings, EMBEDDED, OUTSIDE)
    team.memberships.filter(user=bob).update(role="admin")
    owner, admin = client_of(alice), client_of(bob)
    page = owner.get("/w/studio/settings/").text
    assert "Use external engines in this workspace" in page
    assert "photos.example.org" in page
    page = owner.post("/w/studio/settings/engines/", follow=True).text
    assert "External engines are now excluded." in page
    assert again(team).excludes_external
    page = admin.get("/w/studio/settings/").text
    assert "Only an owner can change this." in page
    assert "Use external engines in this workspace" not in page
    owner.post("/w/studio/settings/engines/", {"external": "1"})
    assert not again(team).excludes_external


def test_a_site_without_external_engines_does_not_show_the_setting(
    client_of: Callable[[User], Client], alice: User
) -> None:
    assert "External engines" not in client_of(alice).get("/w/alice/settings/").text
