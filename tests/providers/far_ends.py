"""The far ends of the adapters: other sites, and the child process of the embedded engine.

All of them can be made to fail in the same ways, so that one test suite can check the life of an edit.
"""

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from editor.imaging.sandbox import EDIT, OUR_PACKAGES, Sandbox
from editor.options import Limits
from editor.providers import photo_editor
from editor.providers.contract import Provider
from editor.providers.embedded import EmbeddedProvider
from editor.providers.engine_settings import EngineSettings
from tests import cast
from tests.engines import EMBEDDED, another_site
from tests.hostile_server import HostileServer, Script, answer, reset, silence
from tests.imaging import jobs
from tests.providers.images_site import EDITS, MODEL, ImagesSite
from tests.providers.provider_factory import KEY, make_images_provider, make_provider
from tests.providers.upstream import Upstream

CREATE = f"POST {photo_editor.CREATE_PATH}"
REASON = jobs.REASON
HTML = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>"
_PROFILE = replace(EDIT, packages=(*OUR_PACKAGES, "tests.imaging"))
_EDIT_FILES = "editor.engine.run:edit_files"


class Failure(StrEnum):
    """The ways in which an engine fails."""

    BUSY = "busy"
    REFUSAL = "refusal"
    WRONG_KEY = "wrong key"
    ERROR = "error"
    SILENCE = "silence"
    DROPPED = "dropped"
    GARBAGE = "garbage"
    BROKEN_RESULT = "broken result"
    FEWER_RESULTS = "fewer results"


@dataclass
class Site:
    """A site that edits photos until it plays a failure. `create` is the place of its create requests.

    `body_of` returns its response for a failed request with a given message, and `results` returns a script
    that sends a photo as the result, `count` times.
    """

    engine: EngineSettings
    make_provider: Callable[[], Provider]
    server: HostileServer
    create: str
    edit: Script
    body_of: Callable[[str], Any]
    results: Callable[..., Script]

    @property
    def received(self) -> int:
        """The number of edits that the site has received. A repeated request with the same key is one
        edit.
        """
        sent = [request for request in self.server.requests if request.method == "POST"]
        return len({request.headers.get("idempotency-key", str(request.number)) for request in sent})

    @property
    def failures(self) -> Mapping[Failure, Script]:
        return {
            Failure.BUSY: self.refusal(429, "Too many requests.", {"Retry-After": "20"}),
            Failure.REFUSAL: self.refusal(400, REASON),
            Failure.WRONG_KEY: self.refusal(401, f"Incorrect API key provided: {KEY}"),
            Failure.ERROR: answer(500, HTML),
            Failure.SILENCE: silence(),
            Failure.DROPPED: reset(),
            Failure.GARBAGE: answer(200, HTML),
            Failure.BROKEN_RESULT: self.results(HTML.encode()),
            Failure.FEWER_RESULTS: self.results(cast.photo_bytes(48, 32, format="PNG")),
        }

    def refusal(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> Script:
        """Return a response that refuses the request with this message."""
        return answer(status, self.body_of(message), headers=headers)

    def fail(self, failure: Failure) -> None:
        self.play(self.failures[failure])

    def hang(self) -> None:
        self.play(silence())

    def play(self, script: Script) -> None:
        self.server.set_scripts(self.create, script)

    def recover(self) -> None:
        self.play(self.edit)


class Child(Sandbox):
    """A child process for the embedded engine. If `job` is set, the child runs it instead of the engine.

    `edits` contains the work folder of each edit that the child was given.
    """

    def __init__(self) -> None:
        super().__init__(_PROFILE)
        self.job: Callable[..., Any] | None = None
        self.edits: set[Path] = set()

    def call(self, function: Callable[..., Any] | str, /, *given: Any, **arguments: Any) -> Any:
        if function == _EDIT_FILES:
            self.edits.add(Path(arguments["output_stem"]).parent)
            function = self.job or function
        return super().call(function, *given, **arguments)

    def run_instead(self, job: Callable[..., Any] | None) -> None:
        """Run this job instead of the engine, or None for the engine. A job that never ends gets 1 s."""
        self.job = job
        profile = replace(_PROFILE, cpu_seconds=1) if job is jobs.never_edits else _PROFILE
        if profile != self.profile:
            self.profile = profile
            self.stop()  # The next job starts a new child process.


@dataclass
class Embedded:
    """The child process of the embedded engine, in which other code than the engine can run."""

    child: Child
    engine: EngineSettings = EMBEDDED
    failures: Mapping[Failure, Callable[..., Any]] = field(
        default_factory=lambda: {
            Failure.REFUSAL: jobs.refuses_an_edit,
            Failure.ERROR: jobs.fails_at_an_edit,
            Failure.SILENCE: jobs.never_edits,
            Failure.DROPPED: jobs.dies_at_an_edit,
            Failure.GARBAGE: jobs.makes_garbage,
            Failure.BROKEN_RESULT: jobs.makes_a_broken_result,
            Failure.FEWER_RESULTS: jobs.makes_one_result,
        }
    )

    def make_provider(self) -> Provider:
        return EmbeddedProvider(self.child, Limits())

    @property
    def received(self) -> int:
        """The number of edits that the child process was given. A repeated job is the same edit."""
        return len(self.child.edits)

    def fail(self, failure: Failure) -> None:
        self.child.run_instead(self.failures[failure])

    def hang(self) -> None:
        self.child.run_instead(jobs.waits_with_an_edit)

    def recover(self) -> None:
        self.child.run_instead(None)


type FarEnd = Site | Embedded


@contextmanager
def embedded(child: Child) -> Iterator[Embedded]:
    child.edits.clear()
    yield Embedded(child)
    child.run_instead(None)


@contextmanager
def photo_editor_site(_: Child, **profile: Any) -> Iterator[Site]:
    site = Upstream()
    with site.server as server:
        options = {"is_darkroom": True} if profile else {}
        yield Site(
            another_site(server.origin, api_key=KEY, **options),
            lambda: make_provider(server.origin, **profile),
            server,
            CREATE,
            site.create,
            lambda message: {"code": 400, "success": False, "message": message, "data": None},
            lambda photo, count=1: _results_at_once(server, photo, count),
        )


def another_darkroom(child: Child) -> AbstractContextManager[Site]:
    return photo_editor_site(child, extensions=True)


@contextmanager
def images_server(child: Child) -> Iterator[Site]:
    site = ImagesSite("xinference")
    with site.server as server:
        place: dict[str, Any] = {"base_url": server.origin, "api_key": KEY, "model": MODEL, "seconds": 300}
        yield Site(
            EngineSettings("openai-images", "openai-images", options={"dialect": "xinference"}, **place),
            lambda: make_images_provider(server.origin, dialect="xinference", sandbox=child),
            server,
            EDITS,
            site.edit,
            lambda message: {"error": {"message": message, "type": "invalid_request_error", "code": None}},
            lambda photo, count=1: answer(200, {"data": [{"b64_json": _base64(photo)}] * count}),
        )


def _base64(photo: bytes) -> str:
    return base64.b64encode(photo).decode()


def _results_at_once(server: HostileServer, photo: bytes, count: int) -> Script:
    place = f"/result-{len(photo)}.png"
    server.set_scripts(place, answer(200, photo))
    data = {"images": [{"url": f"{server.origin}{place}?{number}"} for number in range(count)]}
    return answer(200, {"code": 0, "success": True, "data": data})


FAR_ENDS: Mapping[str, Callable[[Child], AbstractContextManager[FarEnd]]] = {
    "embedded": embedded,
    "photo-editor": photo_editor_site,
    "another Darkroom": another_darkroom,
    "openai-images": images_server,
}
