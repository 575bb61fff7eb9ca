"""Upstream sites for tests of providers.

No test sends a request to another machine.
"""

import errno
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from editor.engine.language.explain import explain
from editor.models import Edit, User
from editor.options import EditOptions
from editor.providers.contract import EditRequest
from editor.services.editing import adapters, leases
from tests import cast
from tests.engines import another_site, configure
from tests.hostile_server import HostileServer, Script
from tests.providers.provider_factory import KEY
from tests.services.conftest import advance as advance

type Serve = Callable[..., HostileServer]
type Requests = Callable[..., EditRequest]
type PointAt = Callable[..., None]
type Queue = Callable[..., Edit]
type Advance = Callable[..., Edit]


@pytest.fixture(autouse=True)
def _only_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket.connect_ex

    def connect_ex(end: socket.socket, address: tuple[str, int]) -> int:
        return real(end, address) if address[0].startswith("127.") else errno.ENETUNREACH

    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that starts servers. The servers stop when the test ends."""
    with ExitStack() as stack:

        def start(*scripts: Script, **options: object) -> HostileServer:
            return stack.enter_context(HostileServer(*scripts, **options))  # type: ignore[arg-type]

        yield start


@pytest.fixture
def request_for(tmp_path: Path) -> Requests:
    """Return a function that returns an edit request for one small photo or for the given photos."""

    def make(
        prompt: str = "black and white",
        photos: tuple[Path, ...] = (),
        urls: tuple[str, ...] = (),
        **options: object,
    ) -> EditRequest:
        photo = tmp_path / "photo.jpg"
        photo.write_bytes(cast.photo_bytes(48, 32))
        asked = EditOptions(**options)  # type: ignore[arg-type]
        return EditRequest(
            edit_id="0198c0de-0000-7000-8000-000000000001",
            prompt=prompt,
            options=asked,
            photos=photos or (photo,),
            work_dir=tmp_path,
            token=3,
            photo_urls=urls,
            plan=explain(prompt, regions=asked.regions, partial=asked.partial).as_json(),
        )

    return make


@pytest.fixture
def point_at(settings: Any) -> Iterator[PointAt]:
    """Return a function that configures an upstream site as the engine."""

    def set_up(server: HostileServer, **changes: Any) -> None:
        for name in [name for name in changes if name.isupper()]:
            setattr(settings, name, changes.pop(name))
        configure(settings, another_site(server.origin, **{"api_key": KEY} | changes))

    yield set_up
    adapters.provider_named.cache_clear()


@pytest.fixture
def queued(settings: Any) -> Queue:
    """Return a function that creates an edit of a small photo, to be sent to the upstream site."""

    def make(user: User, **columns: Any) -> Edit:
        engine = settings.ENGINES[0]
        place = {"provider": engine.provider, "base_url": engine.base_url}
        edit = cast.make_edit(user, state="QUEUED", **place | columns)
        for reference in edit.references.all():
            reference.key = f"aa/{reference.id.hex}.jpg"
            reference.save(update_fields=["key"])
            path = cast.path_of(reference)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(cast.photo_bytes())
        return edit

    return make


def stopped_during_the_request(
    edit: Edit, server: HostileServer, advance: Advance, *, is_last_call: bool
) -> Edit:
    """Advance the edit. As soon as the server has received the request, tell this process to stop."""

    def stop() -> None:
        server.wait_for(1)
        leases.release_all(is_last_call=is_last_call)

    stopper = threading.Thread(target=stop)
    stopper.start()
    try:
        return advance(edit)
    finally:
        stopper.join()
