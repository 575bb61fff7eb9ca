"""Fixtures for everyone: the cast, and the rules of a run."""

import gc
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from math import ceil
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from editor.models import Membership, User, Workspace, triggers
from tests import cast
from tests.hostile_server import JPEG, HostileServer, answer

JOURNEYS = "tests/journeys"
LONG = (
    JOURNEYS, "tests/faults", "tests/models/test_rolling_upgrade", "tests/simulator",
    "tests/engine/test_operations", "tests/commands", "tests/imaging", "tests/test_load",
)  # fmt: skip


@pytest.fixture
def alice(db: None) -> User:
    """Owns her own workspace (400 credits) and the team's."""
    return cast.make_user("alice@example.org", name="Alice Ames")


@pytest.fixture
def bob(db: None) -> User:
    """On alice's team, once the fixture `team` is asked for; may edit there."""
    return cast.make_user("bob@example.org")


@pytest.fixture
def charlie(db: None) -> User:
    """A stranger to both."""
    return cast.make_user("charlie@example.org")


@pytest.fixture
def viewer(team: Workspace) -> User:
    """On alice's team, and may only look."""
    user = cast.make_user("viewer@example.org")
    cast.join(team, user, Membership.Role.VIEWER)
    return user


@pytest.fixture
def staff(db: None) -> User:
    """Runs the site: staff and superuser, on nobody's team."""
    return cast.make_staff()


@pytest.fixture
def team(alice: User, bob: User) -> Workspace:
    """alice's team workspace with bob as an editor and 400 credits."""
    workspace = cast.make_workspace(alice, name="Studio")
    cast.join(workspace, bob)
    return workspace


@pytest.fixture
def client_of() -> Callable[..., Client]:
    """A test client that is signed in as this user; staff have shown a second factor."""

    def sign_in(user: User, **options: bool) -> Client:
        client = Client(**options)  # type: ignore[arg-type]
        client.force_login(user)
        if user.is_staff:
            cast.show_second_factor(client, user)
        return client

    return sign_in


@pytest.fixture(autouse=True)
def _fresh_limits() -> Iterator[None]:
    """Rate limits are counted in the cache; one test's failed sign-ins are not the next one's."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def _no_files_are_left() -> Iterator[None]:
    """The rows of a test vanish with it; their files must too, or they are the next one's orphans."""
    yield
    for folder in (settings.PHOTOS_DIR, settings.WORK_DIR):
        for path in folder.glob("*"):  # the folders stay: warm children are confined to these very ones
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def _triggers_step_aside(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test with real transactions ends by emptying all tables, which the triggers would refuse;
    post_migrate, which the flush sends, puts them back."""
    marker = request.node.get_closest_marker("django_db")
    is_marked = marker is not None and bool(marker.kwargs.get("transaction"))
    flushes = is_marked or bool({"transactional_db", "live_server"} & set(request.fixturenames))
    if flushes:
        request.getfixturevalue("transactional_db")  # set up before us, so torn down after us
        triggers.put_back()
    yield
    if flushes:
        triggers.drop()


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses among them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what touches rows, and as slow the cases of a sampled test that are not in its sample."""
    families: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        asked = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or asked & {"db", "transactional_db", "django_db_setup"}:
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
    """Ten thousand tests and all that they import stay to the end: the collector need not look at them."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: who drives a browser waits for it, and who kills waits for a lease."""
    return (os.process_cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a file run in one process, so that what they share is made once; those that drive the
    browser do as well, one after another. What takes long goes first."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist tells no types
        def _split_scope(self, nodeid: str) -> str:
            return JOURNEYS if nodeid.startswith(JOURNEYS) else nodeid.partition("::")[0]

        def _assign_work_unit(self, node: Any) -> None:
            self.workqueue.move_to_end(min(self.workqueue, key=_turn), last=False)
            super()._assign_work_unit(node)

    return ByFile(config, log)


def _turn(file: str) -> int:
    """Files of quick tests come last: they fill the time that is left."""
    return next((turn for turn, folder in enumerate(LONG) if file.startswith(folder)), len(LONG))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[None]:  # the value sent in is the report
    report = yield
    return _failed_if_skipped(report)  # type: ignore[return-value]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    report = yield
    return _failed_if_skipped(report)  # type: ignore[return-value]


def _failed_if_skipped(report: object) -> object:
    """With REQUIRE_SERVICES=1 nothing may be skipped: a missing service is a failure."""
    is_skip = getattr(report, "outcome", "") == "skipped" and not hasattr(report, "wasxfail")
    if is_skip and os.environ.get("REQUIRE_SERVICES") == "1":
        report.outcome = "failed"  # type: ignore[attr-defined]
        report.longrepr = f"REQUIRE_SERVICES=1, but skipped: {report.longrepr}"  # type: ignore[attr-defined]
    return report


@pytest.fixture
def serving(settings: Any) -> Iterator[Callable[..., HostileServer]]:
    """A site that the operator has listed, with a photo at every address but those that a test names."""
    with ExitStack() as stack:

        def serve(**by_path: Any) -> HostileServer:
            photo = answer(200, cast.photo_bytes(120, 80), headers=JPEG)
            named = {f"/{name}": script for name, script in by_path.items()}
            server = stack.enter_context(HostileServer(photo, by_path=named))
            settings.OUTBOUND_ALLOWED_ORIGINS = [server.origin]
            return server

        yield serve
