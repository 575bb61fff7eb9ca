"""While an engine does not respond, waiting edits go to its stand-in: sent once, at the same price."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from editor.models import Edit, Engine, ProviderHealth, User
from editor.options import KEEP_EVERYTHING_ELSE
from editor.providers.contract import Fault
from editor.providers.engine_settings import EngineSettings
from editor.services.editing import adapters, engines, exclusions, health, routing
from editor.services.editing.keeping import AREA
from tests import cast
from tests.engines import configure
from tests.hostile_server import HostileServer, answer, reset
from tests.providers.conftest import Advance, Queue, Serve
from tests.providers.test_images_lives import B64, entries_of
from tests.providers.test_lives import balance_and_held

pytestmark = pytest.mark.django_db
RESULT = answer(200, {"data": [{"b64_json": B64}]})
MOVED = "The engine flux did not respond, so this edit went to sdxl. The price is the same."
type Configure = Callable[..., None]


def images_engine(name: str, server: HostileServer, **changes: Any) -> EngineSettings:
    usual: dict[str, Any] = {"seconds": 30, "price_free": 60, "options": {"dialect": "openai"}}
    return EngineSettings(name, "openai-images", base_url=server.origin, **usual | changes)


@pytest.fixture
def two_engines(settings: Any, serve: Serve) -> Iterator[Callable[..., tuple[HostileServer, HostileServer]]]:
    """Return a function that configures two engines, of which the second is the stand-in of the first."""

    def set_up(
        *scripts: Any, first: dict[str, Any] | None = None, second: dict[str, Any] | None = None
    ) -> tuple[HostileServer, HostileServer]:
        broken, other = serve(*scripts), serve(RESULT)
        one = images_engine("flux", broken, model="flux", stand_in="sdxl", **first or {})
        two = images_engine("sdxl", other, model="sdxl", **{"price_free": 20} | (second or {}))
        configure(settings, one, two)
        return broken, other

    yield set_up
    adapters.provider_named.cache_clear()


def open_breaker(edit: Edit) -> None:
    health.record_failure(edit, Fault.OPERATOR, "The engine returned 401.")


def test_a_waiting_edit_goes_to_the_stand_in_at_the_same_price_with_a_notice(
    alice: User, two_engines: Any, queued: Queue, advance: Advance, client_of: Callable[[User], Client]
) -> None:
    broken, other = two_engines(answer(401))
    first = advance(queued(alice, price=60))
    assert (first.failure_code, len(broken.requests)) == ("engine_unavailable", 1)
    edit = advance(queued(alice, price=60))
    assert (edit.state, edit.engine) == ("QUEUED", Engine.objects.get(name="sdxl"))
    assert (edit.base_url, balance_and_held(edit)) == (other.origin, (400, 60))
    client = client_of(alice)
    assert MOVED in " ".join(client.get(f"/edits/{edit.pk}/").text.split())
    edit = advance(edit)
    assert (edit.state, edit.price, balance_and_held(edit)) == ("SUCCESS", 60, (340, 0))
    assert (len(broken.requests), len(other.requests)) == (1, 1)
    assert entries_of(edit) == ["capture", "hold"]
    assert MOVED in client.get(f"/edits/{edit.pk}/").text
    with translation.override("de"):
        assert str(edit.notices_shown[0]) != MOVED
        assert "flux" in str(edit.notices_shown[0])


def test_an_edit_that_a_busy_engine_refused_may_go_to_the_stand_in_too(
    alice: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    broken, other = two_engines(answer(429, headers={"Retry-After": "1"}))
    edit = advance(queued(alice))
    assert (edit.state, edit.put_offs) == ("QUEUED", 1)
    open_breaker(edit)
    edit = advance(edit, times=2)
    assert (edit.state, len(broken.requests), len(other.requests)) == ("SUCCESS", 1, 1)


def test_an_edit_that_the_engine_may_have_received_never_goes_to_another(
    alice: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    repeatable = {"options": {"dialect": "openai", "repeatable": True}}
    broken, other = two_engines(reset(), first=repeatable)
    edit = advance(queued(alice))
    assert (edit.state, len(broken.requests)) == ("QUEUED", 1)
    open_breaker(edit)
    edit = advance(edit, times=2)
    assert (edit.engine, len(other.requests)) == (Engine.objects.get(name="flux"), 0)


def test_an_edit_that_got_no_response_ends_and_is_not_sent_to_the_stand_in(
    alice: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    broken, other = two_engines(reset())
    edit = queued(alice)
    advance(edit)
    open_breaker(edit)
    edit = advance(edit)
    assert (edit.failure_code, len(broken.requests), len(other.requests)) == ("unconfirmed", 1, 0)


def keeps_waiting(edit: Edit, advance: Advance, other: HostileServer) -> bool:
    open_breaker(edit)
    waiting = advance(edit)
    return (waiting.state, waiting.engine, other.requests) == ("QUEUED", edit.engine, [])


def test_an_edit_never_goes_from_an_internal_engine_to_an_external_stand_in(
    alice: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    # The start refuses such settings. A row may still change meanwhile.
    _, other = two_engines(RESULT, second={"is_external": True})
    assert keeps_waiting(queued(alice), advance, other)


def test_a_stand_in_that_is_off_or_excluded_gets_no_edit(
    alice: User, staff: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    outside = {"is_external": True}
    _, other = two_engines(RESULT, first=outside, second=outside)
    edit = queued(alice)
    exclusions.exclude_external(cast.actor_of(alice), is_excluded=True)
    assert advance(edit).failure_message == engines.ENGINE_EXCLUDED
    exclusions.exclude_external(cast.actor_of(alice), is_excluded=False)
    engines.switch_off(staff, Engine.objects.get(name="sdxl"), reason="Maintenance.")
    assert keeps_waiting(queued(alice), advance, other)


def test_a_stand_in_that_does_not_respond_either_gets_no_edit(
    alice: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    _, other = two_engines(RESULT)
    edit = queued(alice)
    row = Engine.objects.get(name="sdxl")
    ProviderHealth.objects.create(engine=row, provider="x", base_url=row.base_url, times_opened=1)
    assert keeps_waiting(edit, advance, other)


def test_a_stand_in_that_cannot_do_the_edit_does_not_get_it(
    alice: User, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    _, other = two_engines(RESULT, second={"options": {"dialect": "lemonade"}})
    assert routing.capabilities(Engine.objects.get(name="sdxl")).max_photos == 1
    assert keeps_waiting(queued(alice, references=2), advance, other)


@pytest.mark.parametrize("plan", [{AREA: {}}, {KEEP_EVERYTHING_ELSE: True}])
def test_a_stand_in_that_cannot_keep_everything_else_does_not_get_an_edit_that_does(
    alice: User, settings: Any, two_engines: Any, queued: Queue, advance: Advance, plan: dict[str, Any]
) -> None:
    _, other = two_engines(RESULT)
    one, two = settings.ENGINES
    configure(settings, one, replace(two, provider="photo-editor", options={}))
    assert keeps_waiting(queued(alice, plan=plan), advance, other)
    edit = advance(queued(alice, plan={KEEP_EVERYTHING_ELSE: False}))
    assert edit.engine is not None
    assert edit.engine.provider == "photo-editor"


def test_without_a_stand_in_an_edit_waits(
    alice: User, settings: Any, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    _, other = two_engines(RESULT)
    configure(settings, *(replace(engine, stand_in="") for engine in settings.ENGINES))
    assert keeps_waiting(queued(alice), advance, other)


def test_an_edit_goes_to_a_stand_in_only_once(
    alice: User, settings: Any, two_engines: Any, queued: Queue, advance: Advance
) -> None:
    broken, _ = two_engines(RESULT)
    one, two = settings.ENGINES
    configure(settings, one, replace(two, stand_in="flux"))
    edit = queued(alice)
    open_breaker(edit)
    edit = advance(edit)
    ProviderHealth.objects.update(times_opened=0, open_until=None)
    open_breaker(edit)
    assert keeps_waiting(edit, advance, broken)
