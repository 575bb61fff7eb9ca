"""Tests for the contract of all engines: the rules of the adapters, and the life of an edit.

The same tests run with the embedded engine, another site, another Darkroom, and a server of the images API.
What only one of them does is tested beside this file.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone
from PIL import Image

from editor.models import CreditEntry, DailyUsage, Edit, Engine, ProviderHealth, User, Workspace
from editor.options import EditOptions, Point, Region
from editor.providers import photo_editor
from editor.providers.contract import (
    UNAVAILABLE,
    Check,
    EditRequest,
    Provider,
    ProviderError,
    Ticket,
    Update,
    with_charge_note,
)
from editor.services.billing.credits import InsufficientCredits
from editor.services.editing import adapters, engines, lifecycle, submit
from editor.services.editing.engines import EngineNotAllowed, NoEngine
from tests import cast, scenes
from tests.engines import configure
from tests.hostile_server import after
from tests.providers.conftest import Advance, Requests, stopped_during_the_request
from tests.providers.far_ends import FAR_ENDS, REASON, Child, Failure, FarEnd, Site
from tests.providers.provider_factory import KEY, PROMPT_SECONDS, Watching
from tests.services.conftest import submitted as submitted

NAMES = list(FAR_ENDS)
SITES = [name for name in NAMES if name != "embedded"]
type Submitted = Callable[..., Edit]
type ClientOf = Callable[[User], Client]


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    made = Child()
    yield made
    made.close()


@pytest.fixture(params=NAMES)
def far_end(
    request: pytest.FixtureRequest, child: Child, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FarEnd]:
    """Start the site or the child process behind the adapter of the site's only engine."""
    settings.HEARTBEAT_SECONDS = 60  # The transaction of a test hides the lease from the heartbeat's thread.
    with FAR_ENDS[request.param](child) as made:
        if request.param == "embedded":
            monkeypatch.setattr(adapters, "_embedded", lambda _: made.make_provider())
        configure(settings, made.engine)
        yield made
    adapters.provider_named.cache_clear()


@pytest.fixture
def provider(far_end: FarEnd) -> Provider:
    return far_end.make_provider()


only_sites = pytest.mark.parametrize("far_end", SITES, indirect=True)


# ---- what an adapter keeps


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "lake.jpg"
    scenes.lake(300, 200).save(path, quality=95)
    return path


def worked_out(provider: Provider, ticket: Ticket, request: EditRequest) -> Update:
    """Poll until the task has ended, and return the last update."""
    for _ in range(20):
        update = provider.poll(ticket, request, Watching())
        ticket = update.ticket or ticket
        if update.state != "running":
            return update
    raise AssertionError("It never ends.")


def edited(provider: Provider, request: EditRequest) -> list[bytes]:
    update = worked_out(provider, provider.submit(request, Watching()), request)
    assert update.state == "succeeded", update.message
    came = provider.collect(list(update.arrivals), request, Watching())
    return [path.read_bytes() for path in came.values()]


def test_it_works_from_submit_to_a_picture(provider: Provider, request_for: Requests, photo: Path) -> None:
    request = request_for("make it black and white", photos=(photo,), output_format="png")
    ticket = provider.submit(request, Watching())
    assert ticket.task_id
    update = worked_out(provider, ticket, request)
    assert update.state == "succeeded", update.message
    [path] = provider.collect(list(update.arrivals), request, Watching()).values()
    assert path.parent == request.work_dir
    with Image.open(path) as result, Image.open(photo) as before:
        assert result.size == before.size == (300, 200)
        assert result.convert("RGB").tobytes() != before.convert("RGB").tobytes()


def test_the_same_asked_twice_gives_the_same(provider: Provider, request_for: Requests, photo: Path) -> None:
    request = request_for("make it black and white", photos=(photo,))
    assert edited(provider, request) == edited(provider, request)


def test_a_state_may_be_asked_for_and_results_fetched_again(
    provider: Provider, request_for: Requests, photo: Path
) -> None:
    request = request_for("make it black and white", photos=(photo,))
    ticket = provider.submit(request, Watching())
    first, second = (worked_out(provider, ticket, request) for _ in range(2))
    assert (first.state, first.arrivals) == (second.state, second.arrivals)
    once, twice = (
        provider.collect(list(first.arrivals), request, Watching())[1].read_bytes() for _ in range(2)
    )
    assert once == twice


def test_results_that_were_lost_come_again(provider: Provider, request_for: Requests, photo: Path) -> None:
    request = request_for("make it black and white", photos=(photo,))
    update = worked_out(provider, provider.submit(request, Watching()), request)
    for path in provider.collect(list(update.arrivals), request, Watching()).values():
        path.unlink()
    came = provider.collect(list(update.arrivals), request, Watching())
    assert [path.is_file() for path in came.values()] == [True]


def test_a_ticket_survives_its_way_through_a_row(
    provider: Provider, request_for: Requests, photo: Path
) -> None:
    request = request_for("make it black and white", photos=(photo,))
    ticket = provider.submit(request, Watching())
    again = Ticket(**json.loads(json.dumps(asdict(ticket))))
    assert worked_out(provider, again, request).state == "succeeded"


def test_what_it_does_not_understand_is_rejected_with_a_sentence(
    provider: Provider, request_for: Requests, photo: Path
) -> None:
    with pytest.raises(ProviderError) as error:
        provider.submit(request_for("add a flobberwick", photos=(photo,)), Watching())
    assert (error.value.code, error.value.retry_after) == ("rejected", None)
    assert "flobberwick" in error.value.message
    assert error.value.message.endswith((".", "?", "!"))


def test_a_stop_ends_the_work_at_once(
    far_end: FarEnd, provider: Provider, request_for: Requests, photo: Path
) -> None:
    request, watch = request_for("sharpen it", photos=(photo,)), Watching()
    far_end.hang()
    stopper = threading.Thread(target=_stop_soon, args=(watch, far_end))
    stopper.start()
    started = time.monotonic()
    with pytest.raises(ProviderError) as error:
        provider.poll(provider.submit(request, watch), request, watch)
    stopper.join()
    assert (error.value.code, error.value.retry_after) == ("stopped", None)
    assert time.monotonic() - started < PROMPT_SECONDS
    far_end.recover()
    assert edited(provider, request)


def _stop_soon(watch: Watching, far_end: FarEnd) -> None:
    while not (watch.stops and far_end.received):
        time.sleep(0.01)
    time.sleep(1)
    for stop in watch.stops:
        stop()


def test_it_says_honestly_what_it_can(provider: Provider, request_for: Requests, photo: Path) -> None:
    can = provider.capabilities()
    results = edited(provider, request_for("make it sepia", photos=(photo,), outputs=can.max_outputs))
    assert len(results) == can.max_outputs
    assert provider.capabilities() == can


def test_it_says_that_it_works(provider: Provider) -> None:
    check = provider.check()
    assert (type(check), check.is_usable) == (Check, True)
    assert all(line.endswith(".") for line in check.lines)


def test_getting_ready_returns_at_once(provider: Provider) -> None:
    started = time.monotonic()
    provider.warm()
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("photo_bytes", [b"", b"no photo", None], ids=["empty", "junk", "gone"])
def test_nothing_but_its_own_error_leaves_it(
    provider: Provider, request_for: Requests, photo: Path, photo_bytes: bytes | None
) -> None:
    request = request_for("make it black and white", photos=(photo,))
    photo.unlink() if photo_bytes is None else photo.write_bytes(photo_bytes)
    stages: list[Any] = []
    try:
        stages.append(provider.submit(request, Watching()))
        stages.append(worked_out(provider, stages[0], request))
    except ProviderError as error:
        stages.append(error)
    assert isinstance(stages[-1], (ProviderError, Update))


# ---- what becomes of an edit


def balance_and_held(user: User) -> tuple[int, int]:
    workspace = Workspace.objects.get(personal_user=user)
    cast.assert_ledger_balances(workspace)
    return workspace.balance, workspace.held


def entries_of(edit: Edit) -> list[str]:
    return sorted(CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True))


def counted(edit: Edit) -> tuple[int, int, int, int]:
    """Return what the usage of the edit's engine contains: edits, successes, failures, and credits."""
    rows = DailyUsage.objects.filter(axis=DailyUsage.Axis.ENGINE, name=engines.engine_of(edit).name)
    return rows.values_list("edits", "successes", "failures", "credits").get()


def read_again(user: User) -> User:
    """Return the user as another request reads it. A workspace keeps its engines in memory."""
    return User.objects.get(pk=user.pk)


def ended(edit: Edit, advance: Advance) -> Edit:
    """Run the edit's stages until nothing can follow."""
    return advance(edit, times=8)


@pytest.mark.django_db
def test_an_edit_is_sent_stored_charged_and_counted_once(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    edit = submitted(alice)
    assert (edit.state, balance_and_held(alice), far_end.received) == ("QUEUED", (400, 40), 0)
    edit = ended(edit, advance)
    assert (edit.state, edit.failure_message) == ("SUCCESS", "")
    assert (far_end.received, balance_and_held(alice), entries_of(edit)) == (1, (360, 0), ["capture", "hold"])
    assert counted(edit) == (1, 1, 0, 40)
    assert None not in (edit.sent, edit.started, edit.arrived)
    with Image.open(cast.path_of(edit.results.get())) as result:
        assert (result.format, result.size) == ("PNG", (48, 32))
    assert not ProviderHealth.objects.filter(failures__gt=0).exists()


@pytest.mark.django_db
def test_as_many_results_as_the_engine_makes_are_stored_for_the_price_of_one_edit(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    most = far_end.make_provider().capabilities().max_outputs
    edit = ended(submitted(alice, outputs=most, output_format="webp"), advance)
    assert (edit.state, edit.failure_message) == ("SUCCESS", "")
    assert [result.position for result in edit.results.order_by("position")] == list(range(1, most + 1))
    assert {result.media_type for result in edit.results.all()} == {"image/webp"}
    assert (far_end.received, balance_and_held(alice)) == (1, (360, 0))


def notices_of(edit: Edit) -> list[str]:
    return [str(notice) for notice in edit.notices_shown]


@pytest.mark.django_db
@only_sites
def test_what_the_engine_did_not_honor_is_a_notice_on_the_result(
    alice: User,
    far_end: Site,
    submitted: Submitted,
    advance: Advance,
    client_of: ClientOf,
) -> None:
    far_end.play(far_end.results(cast.photo_bytes(48, 32, format="JPEG"), count=3))
    edit = ended(submitted(alice, aspect_ratio="16:9"), advance)
    assert (edit.state, edit.failure_message) == ("SUCCESS", "")
    number, *others = notices_of(edit)
    assert edit.notices[0]["values"] == {"came": 3, "asked": 1}
    assert number == "The engine made 3 results. You asked for 1, so the others were left out."
    assert others[:2] == [
        "The result does not have the requested shape, 16:9.",
        "The engine sent the result as JPEG, which loses fine details. It was saved as PNG.",
    ]
    result = edit.results.get()
    assert ((result.width, result.height), result.media_type) == ((48, 32), "image/png")
    assert (far_end.received, balance_and_held(alice), entries_of(edit)) == (1, (360, 0), ["capture", "hold"])
    page = client_of(alice).get(f"/edits/{edit.id}/").text
    assert all(notice in page for notice in (number, *others))


@pytest.mark.django_db
def test_a_result_that_is_as_requested_has_no_notice(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    edit = ended(submitted(alice, output_format="jpeg"), advance)
    assert (edit.state, notices_of(edit)) == ("SUCCESS", [])


def beyond(far_end: FarEnd) -> Iterator[EditOptions]:
    """Yield options that the engine cannot carry out."""
    can = far_end.make_provider().capabilities()
    yield EditOptions(outputs=can.max_outputs + 1)
    if not can.regions:
        yield EditOptions(regions=(Region(0.1, 0.1, 0.5, 0.5),))
    if not can.points:
        yield EditOptions(points=(Point(0.5, 0.5),))


@pytest.mark.django_db
def test_what_the_engine_cannot_do_is_refused_before_anything_is_held(
    alice: User, far_end: FarEnd, submitted: Submitted
) -> None:
    for options in beyond(far_end):
        with pytest.raises(submit.InvalidSubmission) as error:
            submitted(alice, **vars(options))
        assert str(error.value).endswith(".")
    assert (Edit.objects.count(), balance_and_held(alice), far_end.received) == (0, (400, 0), 0)


@pytest.mark.django_db
def test_an_edit_that_costs_more_than_the_balance_is_refused_before_anything_is_sent(
    far_end: FarEnd, submitted: Submitted
) -> None:
    Engine.objects.update(price_free=60)
    dora = cast.make_user("dora@example.org", credits=59)
    with pytest.raises(InsufficientCredits, match="Insufficient credits"):
        submitted(dora)
    assert (Edit.objects.count(), balance_and_held(dora), far_end.received) == (0, (59, 0), 0)


@pytest.mark.django_db
def test_an_engine_that_is_off_gets_nothing_and_its_waiting_edits_end_uncharged(
    alice: User, staff: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    edit = submitted(alice)
    engines.switch_off(staff, Engine.objects.configured().get(), reason="It is being repaired.")
    edit = ended(edit, advance)
    assert (edit.state, edit.failure_code) == ("FAILED", "engine_unavailable")
    with pytest.raises(NoEngine):
        submitted(read_again(alice))
    assert (far_end.received, balance_and_held(alice), entries_of(edit)) == (0, (400, 0), ["hold", "release"])


@pytest.mark.django_db
def test_photos_go_to_an_external_engine_only_if_the_workspace_allows_it(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    engine = Engine.objects.configured().get()
    Engine.objects.update(is_external=not engine.runs_here)
    waiting = submitted(alice)
    Workspace.objects.update(internal_since=timezone.now())
    alice, waiting = read_again(alice), ended(waiting, advance)
    if engine.runs_here:
        assert (waiting.state, submitted(alice).state) == ("SUCCESS", "QUEUED")
        return
    assert (waiting.state, waiting.failure_code) == ("FAILED", "engine_unavailable")
    with pytest.raises(EngineNotAllowed):
        submitted(alice)
    assert (far_end.received, balance_and_held(alice)) == (0, (400, 0))


# ---- what becomes of an edit if its engine fails

CODES = {
    Failure.REFUSAL: {"rejected"},
    Failure.WRONG_KEY: {"engine_unavailable"},
    Failure.ERROR: {"unconfirmed", "engine_failed"},
    Failure.SILENCE: {"unconfirmed", "timeout"},
    Failure.DROPPED: {"unconfirmed", "engine_failed"},
    Failure.GARBAGE: {"unconfirmed", "result_unavailable", "engine_failed"},
    Failure.BROKEN_RESULT: {"result_unavailable", "result_invalid"},
}
IN_CHILD = [failure for failure in CODES if failure is not Failure.WRONG_KEY]
FAILING = [(name, failure) for name in NAMES for failure in (IN_CHILD if name == "embedded" else CODES)]


@pytest.mark.django_db
@pytest.mark.parametrize(("far_end", "failure"), FAILING, indirect=["far_end"])
def test_a_failure_ends_the_edit_uncharged_and_it_was_sent_once(
    alice: User,
    far_end: FarEnd,
    submitted: Submitted,
    advance: Advance,
    client_of: ClientOf,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    settings: Any,
    failure: Failure,
) -> None:
    if failure is Failure.SILENCE:
        limit_calls(settings, monkeypatch, seconds=3)
    far_end.fail(failure)
    edit = ended(submitted(alice), advance)
    assert edit.state == "FAILED"
    assert edit.failure_code in CODES[failure]
    assert failure is Failure.REFUSAL or "ou were not charged." in edit.failure_message
    assert (far_end.received, edit.results.count()) == (1, 0)
    assert (balance_and_held(alice), entries_of(edit)) == ((400, 0), ["hold", "release"])
    assert counted(edit) == (1, 0, 1, 0)
    assert_nothing_leaks(edit, client_of(alice), caplog)


def limit_calls(settings: Any, monkeypatch: pytest.MonkeyPatch, *, seconds: int) -> None:
    """Wait at most this number of seconds for the response to a request."""
    monkeypatch.setattr(photo_editor, "CREATE_SECONDS", float(seconds))
    [engine] = settings.ENGINES
    if not engine.runs_here:
        configure(settings, replace(engine, seconds=seconds))


def assert_nothing_leaks(edit: Edit, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """Check that people read no key, host, path, or trace, and that no key is in a row or in the log."""
    page = client.get(f"/edits/{edit.id}/")
    assert page.status_code == 200
    for secret in (KEY, "127.0.0.1", "gpu-7", "Traceback", "RuntimeError", "/srv/", "jobs.py"):
        assert secret not in edit.failure_message
        assert secret not in page.text
    rows = [Edit.objects.filter(id=edit.id).values(), ProviderHealth.objects.values()]
    assert KEY not in caplog.text + str([list(row) for row in rows])


@pytest.mark.django_db
def test_a_refusal_says_why_and_does_not_count_against_the_engine(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    far_end.fail(Failure.REFUSAL)
    edit = ended(submitted(alice), advance)
    assert with_charge_note(edit.failure_message) == with_charge_note(REASON)
    assert not ProviderHealth.objects.filter(failures__gt=0).exists()
    far_end.recover()
    assert ended(submitted(alice), advance).state == "SUCCESS"


@pytest.mark.django_db
@only_sites
def test_a_wrong_key_opens_the_breaker_and_people_read_a_neutral_sentence(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    far_end.fail(Failure.WRONG_KEY)
    first, second = submitted(alice), submitted(alice)
    assert ended(first, advance).failure_message == UNAVAILABLE
    row = ProviderHealth.objects.get()
    assert (row.times_opened, "401" in row.message) == (1, True)
    assert (advance(second).state, far_end.received) == ("QUEUED", 1)


@pytest.mark.django_db
@only_sites
def test_a_busy_engine_gets_the_edit_again_after_its_pause(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    far_end.fail(Failure.BUSY)
    edit = advance(submitted(alice))
    assert (edit.state, edit.put_offs, balance_and_held(alice)) == ("QUEUED", 1, (400, 40))
    assert timedelta(seconds=10) < edit.due - timezone.now() <= timedelta(seconds=20)
    far_end.recover()
    edit = ended(edit, advance)
    assert (edit.state, balance_and_held(alice)) == ("SUCCESS", (360, 0))


@pytest.mark.django_db
def test_fewer_results_than_were_requested_are_shown_and_not_charged(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance, settings: Any
) -> None:
    # Another site makes several results only of photos that it can fetch.
    settings.PUBLIC_URL = "https://darkroom.example.org"
    adapters.provider_named.cache_clear()
    far_end.fail(Failure.FEWER_RESULTS)
    edit = ended(submitted(alice, outputs=2), advance)
    assert (edit.state, edit.failure_code, edit.results.count()) == ("FAILED", Edit.INCOMPLETE, 1)
    assert (far_end.received, balance_and_held(alice)) == (1, (400, 0))


LEAKS = (
    f"Bearer {KEY} / {KEY} may not edit photos",
    "No faces at gpu-7.models.internal:8000 or 127.0.0.1, please",
    'Traceback (most recent call last): File "/srv/app/server.py", line 7, in edit',
    "RuntimeError: CUDA out of memory at /srv/vllm/worker.py",
)


@pytest.mark.django_db
@only_sites
@pytest.mark.parametrize(
    ("status", "leaks"), [(400, LEAKS), (401, LEAKS[:1]), (429, LEAKS[:1]), (500, LEAKS[:1])]
)
def test_no_message_contains_a_key_a_host_or_a_trace(
    alice: User,
    far_end: Site,
    submitted: Submitted,
    advance: Advance,
    client_of: ClientOf,
    caplog: pytest.LogCaptureFixture,
    status: int,
    leaks: Sequence[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    for leak in leaks:
        far_end.play(far_end.refusal(status, leak))
        assert_nothing_leaks(ended(submitted(alice), advance), client_of(alice), caplog)


# ---- what becomes of an edit that is cancelled or whose worker dies


@pytest.mark.django_db
def test_an_edit_that_is_cancelled_while_it_waits_is_never_sent(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    edit = submitted(alice)
    assert lifecycle.cancel(cast.actor_of(alice), edit)
    edit = ended(edit, advance)
    assert (edit.state, far_end.received) == ("CANCELLED", 0)
    assert (balance_and_held(alice), entries_of(edit)) == ((400, 0), ["hold", "release"])


def test_an_edit_that_is_cancelled_while_its_engine_works_ends_at_once_and_uncharged(
    transactional_db: None,
    alice: User,
    far_end: FarEnd,
    submitted: Submitted,
    advance: Advance,
    settings: Any,
) -> None:
    settings.HEARTBEAT_SECONDS = 0.2
    far_end.hang()
    edit = submitted(alice)

    def cancel() -> None:
        while not far_end.received:
            time.sleep(0.01)
        lifecycle.cancel(cast.actor_of(alice), Edit.objects.get(id=edit.id))
        connections.close_all()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    edit = ended(edit, advance)
    canceller.join()
    assert (edit.state, far_end.received, edit.results.count()) == ("CANCELLED", 1, 0)
    assert (balance_and_held(alice), entries_of(edit)) == ((400, 0), ["hold", "release"])


@pytest.mark.django_db
def test_an_edit_whose_worker_died_while_it_was_sent_is_sent_again_only_if_that_is_safe(
    alice: User, far_end: FarEnd, submitted: Submitted, advance: Advance
) -> None:
    edit = submitted(alice)
    Edit.objects.filter(id=edit.id).update(state="SENDING")
    edit = ended(edit, advance)
    if far_end.make_provider().capabilities().idempotent_submit:
        assert (edit.state, far_end.received, balance_and_held(alice)) == ("SUCCESS", 1, (360, 0))
    else:
        assert (edit.state, edit.failure_code, far_end.received) == ("FAILED", "unconfirmed", 0)
        assert balance_and_held(alice) == (400, 0)


@pytest.mark.django_db
@only_sites
def test_a_worker_that_has_to_stop_waits_for_the_response(
    alice: User, far_end: Site, submitted: Submitted, advance: Advance
) -> None:
    far_end.play(after(1.0, far_end.edit))
    edit = stopped_during_the_request(submitted(alice), far_end.server, advance, is_last_call=False)
    assert edit.lease_until is None
    assert edit.state == ("SUCCESS" if edit.answers_directly else "RUNNING")
    edit = ended(edit, advance)
    assert (edit.state, far_end.received, balance_and_held(alice)) == ("SUCCESS", 1, (360, 0))


@pytest.mark.django_db
@only_sites
def test_the_last_call_ends_an_edit_that_must_not_be_sent_again(
    alice: User, far_end: Site, submitted: Submitted, advance: Advance
) -> None:
    far_end.hang()
    edit = stopped_during_the_request(submitted(alice), far_end.server, advance, is_last_call=True)
    far_end.recover()
    if far_end.make_provider().capabilities().idempotent_submit:
        assert (edit.state, edit.lease_until, edit.attempts) == ("SENDING", None, 0)
        edit = ended(edit, advance)
        assert (edit.state, far_end.received, balance_and_held(alice)) == ("SUCCESS", 1, (360, 0))
    else:
        assert (edit.state, edit.failure_code, far_end.received) == ("FAILED", "unconfirmed", 1)
        assert balance_and_held(alice) == (400, 0)
