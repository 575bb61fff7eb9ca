"""Tests that the settings create a row for each engine.

Staff can switch engines off and on, and edits refer to them.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from editor.models import AuditEntry, Edit, Engine, User, Workspace
from editor.models.engines import available_engines
from editor.services.core import audit
from editor.services.editing import adapters, engines, leases, lifecycle, routing, submit
from tests import cast
from tests.engines import EMBEDDED, another_site, configure, row_of
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db(transaction=True)
SITE = another_site("https://photos.example.org", api_key="k3y-CANARY", model="flux", price_free=60)


def listed() -> list[tuple[str, str]]:
    return [(row.name, row.base_url) for row in Engine.objects.configured()]


def test_the_settings_write_a_row_for_each_engine_in_their_order(settings: Any) -> None:
    configure(settings, EMBEDDED, SITE)
    embedded, site = Engine.objects.configured()
    assert (embedded.name, embedded.model, embedded.runs_here) == ("embedded", "darkroom-engine-1", True)
    assert embedded.capabilities["plans"] is True
    assert (site.name, site.model, site.price_free, site.runs_here) == ("photo-editor", "flux", 60, False)
    assert "CANARY" not in repr(list(Engine.objects.values()))


def test_engine_rows_are_created_on_first_use_if_the_site_was_not_started(settings: Any) -> None:
    settings.ENGINES = (EMBEDDED,)
    assert not Engine.objects.exists()
    assert engines.default_engine().name == "embedded"
    assert listed() == [("embedded", "")]


def test_an_edit_is_admitted_while_another_request_creates_the_engine_rows(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ENGINES = (EMBEDDED,)

    def available_before_another_writes_them() -> list[Engine]:
        seen = available_engines()
        engines.update_from_settings()
        return seen

    assert not Engine.objects.exists()
    monkeypatch.setattr(engines, "available_engines", available_before_another_writes_them)
    assert submit.admit(cast.actor_of(alice)).edits == 1


def test_a_changed_url_creates_a_new_row_and_switches_the_old_one_off(settings: Any) -> None:
    configure(settings, SITE)
    old = Engine.objects.get()
    configure(settings, replace(SITE, base_url="https://elsewhere.example.org"))
    assert listed() == [("photo-editor", "https://elsewhere.example.org")]
    old.refresh_from_db()
    assert not old.is_on
    assert adapters.settings_of(old.name, old.provider, old.base_url).api_key == ""
    configure(settings, SITE)
    old.refresh_from_db()
    assert old.is_on
    assert adapters.settings_of(old.name, old.provider, old.base_url).api_key == SITE.api_key


def test_changed_settings_update_the_row_with_the_same_url(settings: Any) -> None:
    configure(settings, SITE)
    configure(settings, replace(SITE, price_free=None, in_flight=9, model="flux-2"))
    row = Engine.objects.get()
    assert (row.price_free, row.in_flight, row.model) == (None, 9, "flux-2")


def test_engines_whose_settings_differ_from_their_rows_are_listed(settings: Any) -> None:
    settings.ENGINES = (EMBEDDED, SITE)
    assert engines.differences() == []
    configure(settings, EMBEDDED, SITE)
    assert engines.differences() == []
    settings.ENGINES = (SITE, EMBEDDED)
    assert engines.differences() == ["embedded", "photo-editor"]
    settings.ENGINES = (EMBEDDED, replace(SITE, price_pro=50))
    assert engines.differences() == ["photo-editor"]
    settings.ENGINES = (EMBEDDED, replace(SITE, api_key="rotated"))
    assert engines.differences() == []
    settings.ENGINES = (EMBEDDED,)
    assert engines.differences() == ["photo-editor"]


def test_a_switch_by_staff_survives_a_restart_and_is_in_the_audit_log(settings: Any, staff: User) -> None:
    configure(settings, EMBEDDED, SITE)
    embedded, site = Engine.objects.configured()
    assert engines.switch_off(staff, embedded, reason="It is too slow.")
    assert not engines.switch_off(staff, embedded, reason="Again.")
    configure(settings, EMBEDDED, SITE)
    embedded.refresh_from_db()
    assert (embedded.is_on, embedded.switch_reason) == (False, "It is too slow.")
    assert engines.default_engine() == site
    assert engines.switch_on(staff, embedded, reason="It is fast again.")
    assert engines.default_engine() == embedded
    entries = AuditEntry.objects.filter(subject_kind="engine", subject_id=str(embedded.pk)).order_by("id")
    assert [(one.action, one.reason, one.user) for one in entries] == [
        ("engine_off", "It is too slow.", staff),
        ("engine_on", "It is fast again.", staff),
    ]


def test_a_switch_needs_a_reason(staff: User) -> None:
    engine = row_of("embedded", "")
    with pytest.raises(audit.ReasonMissing):
        engines.switch_off(staff, engine, reason=" ")
    engine.refresh_from_db()
    assert engine.is_on


def test_without_an_engine_no_edit_is_admitted_but_the_form_can_be_shown(alice: User, staff: User) -> None:
    engines.switch_off(staff, engines.default_engine(), reason="Maintenance.")
    with pytest.raises(engines.NoEngine, match="No engine is on at the moment"):
        submit.admit(cast.actor_of(alice))
    assert routing.capabilities().max_outputs == 4, "the form can still be shown"


def test_a_new_edit_also_stores_its_engine_in_the_columns_of_the_previous_release(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    edit = submitted(alice)
    assert (edit.engine, edit.provider, edit.base_url) == (
        Engine.objects.get(name="embedded"),
        "embedded",
        "",
    )


@pytest.mark.parametrize("how", ["a worker", "the sweep"])
def test_an_edit_that_waits_for_an_engine_that_is_off_ends_without_a_charge(
    alice: User, staff: User, settings: Any, how: str
) -> None:
    configure(settings, SITE)
    place: dict[str, Any] = {"provider": "photo-editor", "base_url": SITE.base_url}
    waiting, running = (cast.make_edit(alice, state=state, **place) for state in ("QUEUED", "RUNNING"))
    if how == "a worker":
        engines.switch_off(staff, Engine.objects.get(), reason="The contract ended.")
        lifecycle.advance.call(str(waiting.pk))
    else:
        configure(settings, EMBEDDED)
        lifecycle.sweep()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.failure_code) == ("FAILED", "engine_unavailable")
    assert waiting.failure_message == (
        "The engine of this edit is off. You were not charged. You can run it again."
    )
    workspace = Workspace.objects.get(pk=waiting.workspace_id)
    assert (workspace.balance, workspace.held) == (400, running.price)
    cast.assert_ledger_balances(workspace)
    running.refresh_from_db()
    assert running.state == "RUNNING"


def test_a_node_does_not_start_edits_of_engines_missing_from_its_settings(alice: User, settings: Any) -> None:
    configure(settings, EMBEDDED, SITE)
    edit = cast.make_edit(alice, state="QUEUED", provider="photo-editor", base_url=SITE.base_url)
    settings.ENGINES = (EMBEDDED,)
    assert leases.claim(edit.pk) is None
    Edit.objects.update(due=timezone.now() - timedelta(seconds=1))
    settings.ENGINES = (EMBEDDED, SITE)
    assert leases.claim(edit.pk) == edit


def test_edits_from_a_node_of_the_previous_release_get_their_engine(
    alice: User, engine: ScriptedEngine, advance: Callable[..., Edit]
) -> None:
    edit = cast.make_edit(alice, state="QUEUED")
    ended = cast.make_edit(alice, provider="photo-editor", base_url="https://former.example.org")
    Edit.objects.update(engine=None)
    assert leases.claim(edit.pk) is None
    Edit.objects.open().update(due=timezone.now() - timedelta(seconds=1))
    lifecycle.sweep()
    assert Edit.objects.get(pk=edit.pk).engine == Engine.objects.get(name="embedded")
    assert advance(edit).state == "RUNNING"
    assert engines.assign_engines() == 1
    assert engines.assign_engines() == 0
    ended.refresh_from_db()
    assert ended.engine == Engine.objects.get(base_url="https://former.example.org")


def test_an_edit_from_the_previous_release_gets_the_engine_that_now_has_its_url(
    alice: User, settings: Any
) -> None:
    configure(settings, SITE)
    edit = cast.make_edit(alice, state="QUEUED", provider="photo-editor", base_url=SITE.base_url)
    Edit.objects.update(engine=None)
    configure(settings, replace(SITE, name="studio"))
    assert engines.assign_engines_of_open_edits() == 1
    edit.refresh_from_db()
    assert (edit.engine, edit.is_engine_off) == (Engine.objects.get(name="studio"), False)


def test_an_engine_that_edits_refer_to_is_never_deleted(alice: User) -> None:
    edit = cast.make_edit(alice)
    assert edit.engine is not None
    with pytest.raises(ProtectedError):
        edit.engine.delete()
    with pytest.raises(IntegrityError), connection.cursor() as cursor:
        cursor.execute("DELETE FROM editor_engine WHERE id = %s", [edit.engine.pk])


def test_a_second_row_for_an_engine_and_a_price_of_zero_are_refused() -> None:
    engine = row_of("embedded", "")
    with pytest.raises(IntegrityError), transaction.atomic():
        Engine.objects.create(name="embedded", provider="embedded")
    with pytest.raises(IntegrityError), transaction.atomic():
        Engine.objects.filter(pk=engine.pk).update(price_free=0)
