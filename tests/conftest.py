"""Fixtures for all tests, and rules for test runs."""

import gc
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from editor.imaging import interactive as pools
from editor.imaging.sandbox import PREVIEW
from editor.models import Membership, User, Workspace, triggers
from editor.services.core import rates
from editor.services.editing import previews
from editor.services.photos import analysis, interactive, photos
from tests import cast, clock
from tests.hostile_server import JPEG, HostileServer, answer

JOURNEYS = "tests/journeys"
LONG = (
    JOURNEYS, "tests/faults", "tests/models/test_rolling_upgrade", "tests/simulator",
    "tests/engine/test_operations", "tests/commands", "tests/imaging", "tests/test_load",
)  # fmt: skip


@pytest.fixture
def alice(db: None) -> User:
    """The owner of a personal workspace (400 credits) and of the team."""
    return cast.make_user("alice@example.org", name="Alice Ames")


@pytest.fixture
def bob(db: None) -> User:
    """An editor on alice's team if the test uses the fixture `team`."""
    return cast.make_user("bob@example.org")


@pytest.fixture
def charlie(db: None) -> User:
    """A user who is a stranger to alice and bob."""
    return cast.make_user("charlie@example.org")


@pytest.fixture
def viewer(team: Workspace) -> User:
    """A viewer on alice's team."""
    user = cast.make_user("viewer@example.org")
    cast.join(team, user, Membership.Role.VIEWER)
    return user


@pytest.fixture
def staff(db: None) -> User:
    """A staff member and superuser who belongs to no team."""
    return cast.make_staff()


@pytest.fixture
def team(alice: User, bob: User) -> Workspace:
    """Alice's team workspace, which has 400 credits and bob as an editor."""
    workspace = cast.make_workspace(alice, name="Studio")
    cast.join(workspace, bob)
    return workspace


@pytest.fixture
def client_of() -> Callable[..., Client]:
    """Return a function that returns a test client with a signed-in user.

    Staff have already provided a second factor.
    """

    def sign_in(user: User, **options: bool) -> Client:
        client = Client(**options)  # type: ignore[arg-type]
        client.force_login(user)
        if user.is_staff:
            cast.show_second_factor(client, user)
        return client

    return sign_in


@pytest.fixture(autouse=True)
def _photos_are_not_analyzed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off photo analysis, which takes seconds.

    Tests that need analyses use the fixture `analyzing`.
    """
    monkeypatch.setattr(analysis, "analysis_memory", lambda: None)


@pytest.fixture(autouse=True)
def _child_processes_may_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for previews and uploads, because child processes start slowly on a busy machine."""
    monkeypatch.setattr(photos.upload_pool, "_patience", 120)
    monkeypatch.setattr(interactive, "PREVIEW", replace(PREVIEW, wall_seconds=600))
    monkeypatch.setattr(pools, "PATIENCE", 600)
    monkeypatch.setattr(previews, "PLAN_SECONDS", 600)


@pytest.fixture(autouse=True)
def _engines_of_the_test(settings: Any) -> None:
    """Restore the list of engines after each test, because the edit factories add engines."""
    settings.ENGINES = settings.ENGINES


@pytest.fixture(autouse=True)
def _fresh_limits() -> Iterator[None]:
    """Clear the cache and the in-memory counters, both of which track rate limits.

    Otherwise, failed sign-ins in one test would affect the next test.
    """
    rates._counts.clear()
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def new_minute() -> Iterator[None]:
    """Start the test at the start of a minute, so that no rate limit is reset during the test."""
    with clock.new_minute():
        yield


@pytest.fixture(autouse=True)
def _no_files_are_left() -> Iterator[None]:
    """Delete each test's files.

    The test's rows are rolled back, so its files would be orphans in the next test.
    """
    yield
    for folder in (settings.PHOTOS_DIR, settings.WORK_DIR):
        # Keep the folders themselves, because running child processes are confined to exactly these folders.
        for path in folder.glob("*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _triggers_step_aside(request: pytest.FixtureRequest) -> Iterator[None]:
    """Drop the triggers before the cleanup that follows a test with real transactions.

    The cleanup empties all tables, which the triggers would prevent. It then sends post_migrate, which
    recreates the triggers.
    """
    marker = request.node.get_closest_marker("django_db")
    is_marked = marker is not None and bool(marker.kwargs.get("transaction"))
    flushes = is_marked or bool({"transactional_db", "live_server"} & set(request.fixturenames))
    if flushes:
        # Request that fixture here, so that it is torn down after this one.
        request.getfixturevalue("transactional_db")
        triggers.recreate()
    yield
    if flushes:
        triggers.drop()


def pytest_configure(config: pytest.Config) -> None:
    _set_priority(config, niceness=19)


def pytest_unconfigure(config: pytest.Config) -> None:
    _set_priority(config, niceness=0)


def _set_priority(config: pytest.Config, *, niceness: int) -> None:
    """Set the priority of all test processes together, which the sites that they start do not share.

    Previews have the lowest priority, so they would wait until no other test needs the CPU. Linux shares the
    CPU among sessions first ("autogroup" in sched(7)), and each site has its own session.
    """
    is_first = not hasattr(config, "workerinput")
    if is_first:
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(niceness))


@pytest.hookimpl(tryfirst=True)  # This must run before `-m` selects tests.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use the database and tests that are slow.

    The cases of a sampled test that are not in the sample also count as slow.
    """
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db", "django_db_setup"}:
            item.add_marker("rows")
        if item.get_closest_marker("sampled"):
            families[item.nodeid.partition("[")[0]].append(item)
    for cases in families.values():
        _mark_all_but_a_sample(cases)


def _mark_all_but_a_sample(cases: list[pytest.Item]) -> None:
    for marker in cases[0].iter_markers("sampled"):
        sample = cases[:: ceil(len(cases) / marker.args[0])]
        for case in cases:
            if case not in sample:
                case.add_marker("slow")


def pytest_collection_finish() -> None:
    """Exclude collected tests and imported modules from garbage collection, because they remain in use."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of test processes, which is one more than the number of cores.

    Browser tests and kill tests spend most of their time waiting.
    """
    return (os.process_cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run all tests in a file in one process, so that they share their setup.

    All browser tests also run in one process, one after another. Long files start first.
    """
    from xdist.scheduler import LoadScopeScheduling

    # xdist has no type information.
    class ByFile(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return JOURNEYS if nodeid.startswith(JOURNEYS) else nodeid.partition("::")[0]

        def _assign_work_unit(self, node: Any) -> None:
            self.workqueue.move_to_end(min(self.workqueue, key=_turn), last=False)
            super()._assign_work_unit(node)

    return ByFile(config, log)


def _turn(file: str) -> int:
    """Return a test file's position in the queue. Quick files come last and fill the remaining time."""
    return next((turn for turn, folder in enumerate(LONG) if file.startswith(folder)), len(LONG))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[None]:  # pytest sends the report to the `yield`.
    report = yield
    return _failed_if_skipped(report)  # type: ignore[return-value]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    report = yield
    return _failed_if_skipped(report)  # type: ignore[return-value]


def _failed_if_skipped(report: object) -> object:
    """Turn a skipped test into a failure if REQUIRE_SERVICES=1, which requires all services."""
    is_skip = getattr(report, "outcome", "") == "skipped" and not hasattr(report, "wasxfail")
    if is_skip and os.environ.get("REQUIRE_SERVICES") == "1":
        report.outcome = "failed"  # type: ignore[attr-defined]
        report.longrepr = f"REQUIRE_SERVICES=1, but skipped: {report.longrepr}"  # type: ignore[attr-defined]
    return report


@pytest.fixture
def serving(settings: Any) -> Iterator[Callable[..., HostileServer]]:
    """Return a function that starts a site that is on the operator's list of allowed origins.

    The site serves a photo at every URL except those that the test specifies.
    """
    with ExitStack() as stack:

        def serve(**by_path: Any) -> HostileServer:
            photo = answer(200, cast.photo_bytes(120, 80), headers=JPEG)
            named = {f"/{name}": script for name, script in by_path.items()}
            server = stack.enter_context(HostileServer(photo, by_path=named))
            settings.OUTBOUND_ALLOWED_ORIGINS = [server.origin]
            return server

        yield serve
