"""Tests that kill workers while an images API responds.

Each edit is charged at most once, and no request is sent twice.
"""

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from editor import crash_points
from editor.models import Edit, User
from tests import cast, processes
from tests.faults.test_another_site import assert_settled_once, ended_by, killed
from tests.faults.test_kills import ELSEWHERE
from tests.hostile_server import HostileServer, after, once, silence
from tests.providers.images_site import MODEL, ImagesSite
from tests.providers.provider_factory import KEY

pytestmark = pytest.mark.django_db(transaction=True)
# Maps the crash point at which a worker dies to the edit's final state, its failure code, and the number of
# requests that the server received.
UNSENT = {"sending.committed": ("FAILED", "unconfirmed", 0)}
POINTS = [point for point in crash_points.POINTS if not point.startswith(ELSEWHERE)]
# The crash points at which the response exists only on the worker's machine.
UNSTORED = {
    "sending.answer_read": "unconfirmed",
    "sending.task_saved": "result_unavailable",
    "running.polled": "result_unavailable",
    "running.word_written": "result_unavailable",
    "storing.collected": "result_unavailable",
}
type Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def site() -> Iterator[ImagesSite]:
    made = ImagesSite("xinference")
    with made.server:
        yield made


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts workers for this server.

    The workers are killed when the test ends.
    """
    running: list[subprocess.Popen[str]] = []

    def worker(server: HostileServer, **extra: str) -> subprocess.Popen[str]:
        place = {"OPENAI_IMAGES_BASE_URL": server.origin, "OPENAI_IMAGES_API_KEY": KEY}
        place |= {"OPENAI_IMAGES_MODEL": MODEL, "OPENAI_IMAGES_DIALECT": "xinference"}
        running.append(
            processes.start_worker(**{"EDIT_PROVIDER": "openai-images", "LEASE_SECONDS": "3"} | place | extra)
        )
        return running[-1]

    yield worker
    for process in running:
        if process.poll() is None:
            process.kill()
            process.communicate()


def queued(user: User, server: HostileServer) -> Edit:
    return cast.queue_edit(user, provider="openai-images", base_url=server.origin)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", POINTS)
def test_a_received_response_is_not_lost_wherever_a_worker_dies(
    alice: User, site: ImagesSite, start: Start, point: str
) -> None:
    edit = queued(alice, site.server)
    killed(start(site.server, CRASH_AT=point))
    ended = ended_by(start(site.server), edit)
    assert (ended.state, ended.failure_code, site.edits) == UNSENT.get(point, ("SUCCESS", "", 1))
    assert ended.results.count() == (ended.state == "SUCCESS")
    assert_settled_once(ended, captured=ended.state == "SUCCESS")
    assert not (settings.WORK_DIR / str(edit.id)).exists()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", UNSTORED)
def test_the_response_of_a_dead_machine_is_lost_and_never_requested_again(
    alice: User, site: ImagesSite, start: Start, point: str
) -> None:
    edit = queued(alice, site.server)
    killed(start(site.server, CRASH_AT=point))
    # The next worker runs on another machine, which does not have this folder.
    shutil.rmtree(settings.WORK_DIR / str(edit.id))
    ended = ended_by(start(site.server), edit)
    assert (ended.state, ended.failure_code, site.edits) == ("FAILED", UNSTORED[point], 1)
    assert_settled_once(ended, captured=False)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("point", ["sending.committed", "sending.answer_read", "running.polled"])
def test_a_repeatable_engine_finishes_every_edit(
    alice: User, site: ImagesSite, start: Start, point: str
) -> None:
    edit = queued(alice, site.server)
    killed(start(site.server, CRASH_AT=point, OPENAI_IMAGES_REPEATABLE="true"))
    ended = ended_by(start(site.server, OPENAI_IMAGES_REPEATABLE="true"), edit)
    assert (ended.state, site.edits) == ("SUCCESS", 1)
    assert_settled_once(ended, captured=True)


@pytest.mark.slow
def test_a_worker_killed_during_the_request_does_not_send_it_twice(alice: User, start: Start) -> None:
    with HostileServer(silence()) as server:
        edit = queued(alice, server)
        doomed = start(server)
        server.wait_for(1, seconds=300)
        doomed.kill()
        doomed.communicate()
        ended = ended_by(start(server), edit)
        assert (ended.state, ended.failure_code, len(server.requests)) == ("FAILED", "unconfirmed", 1)
        assert_settled_once(ended, captured=False)


@pytest.mark.slow
def test_a_worker_that_is_asked_to_stop_stores_the_response_first(alice: User, start: Start) -> None:
    site, stopping = ImagesSite("xinference"), threading.Event()
    with site.server as server:
        # The pause lets the worker notice the signal before the response comes.
        server.set_scripts("POST /v1/images/edits", once(stopping, after(3.0, site.edit)))
        edit = queued(alice, server)
        worker = start(server)
        server.wait_for(1, seconds=300)
        worker.terminate()
        stopping.set()
        output, _ = worker.communicate(timeout=600)
        edit.refresh_from_db()
        assert (edit.state, len(server.requests)) == ("SUCCESS", 1), output
        assert_settled_once(edit, captured=True)
