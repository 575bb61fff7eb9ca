"""What every engine's door speaks: plain values in and out, and one error."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from editor.options import EditOptions
from editor.sentences import Sentence

# What a door and the life of an edit both have to say.
UNCONFIRMED = Sentence(
    "We could not confirm that the engine received this edit. You were not charged. You can run it again."
)
UNREACHABLE = Sentence("The engine could not be reached. You were not charged. You can run it again.")
CREATE_SECONDS = 90.0  # how long an engine's answer to a create is waited for
NO_RESULT = Sentence("The engine sent no result. You were not charged. You can run it again.")
NOT_STORED = Sentence("Could not store the result. You were not charged. You can run it again.")


def uncharged(sentence: str) -> Sentence:
    """A reason for people, and that it cost nothing."""
    return Sentence("%(said)s You were not charged.", said=sentence)


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do; the form, its checks and the plan line follow it."""

    max_outputs: int = 4
    regions: bool = False
    plans: bool = False  # it can say beforehand what it will do
    idempotent_submit: bool = False  # a submit found half done may be repeated


@dataclass(frozen=True)
class EditRequest:
    """One edit, as an engine sees it. `photos` are upright sRGB files, photo 1 first; `work_dir` is the
    edit's own folder for files on their way; `token` tells this worker's files from another's; `photo_urls`
    are addresses at which another site may fetch the photos, empty where there are none; `kept` are the
    numbers, from 1, of the results that a `collect` has brought before and that need not come again; `plan`
    is what was shown and stored at submit, where the engine makes plans; `view_scales` is for each photo the
    scale, along a side, at which people may see it while its original is withheld."""

    edit_id: str
    prompt: str
    options: EditOptions
    photos: tuple[Path, ...]
    work_dir: Path
    token: int
    photo_urls: tuple[str, ...] = ()
    kept: frozenset[int] = frozenset()
    plan: Mapping[str, Any] | None = None
    view_scales: tuple[float, ...] = ()


@dataclass(frozen=True)
class Ticket:
    """What finds the work again after a crash: small, JSON-safe, without bytes and without a secret."""

    task_id: str
    details: dict[str, Any] = field(default_factory=dict)


class Fault(StrEnum):
    """Whose fault it is, for the engine's health."""

    REQUEST = "request"  # what was asked: the engine is well
    ENGINE = "engine"  # it did not answer as it should
    OPERATOR = "operator"  # its address, key or account: nothing can go well until somebody mends it


@dataclass(frozen=True)
class Update:
    """The engine's word: "running", "succeeded" or "failed". `arrivals` say where the results are, in
    the provider's own plain terms, and at which `view_scale` each may be seen if the engine can tell;
    `warnings` are shown to the user.

    While it runs, `ticket` replaces the one that was asked with. `trouble` says, to the operator, why this
    answer says nothing, or what must be mended: it counts against the engine's health. `code` is a
    failure's."""

    state: str
    arrivals: tuple[dict[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    message: str = ""
    poll_after: float = 0.0  # seconds
    ticket: Ticket | None = None
    trouble: str = ""
    fault: Fault = Fault.ENGINE
    code: str = "engine_failed"


class Watch(Protocol):
    """How long work stays in touch with the worker that runs it."""

    def report(self, fraction: float) -> None:
        """Tells how much is done, 0 to 1."""

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Registers what ends the work at once, when the edit is no longer ours or was cancelled."""


class ProviderError(Exception):
    """An engine did not do it. `message` is safe for users; the raw text belongs in the log.

    `code` is one of ours: rejected unconfirmed timeout engine_unavailable engine_failed
    result_unavailable result_invalid storage stopped. With `retry_after` (seconds) the same stage may be
    tried again, since nothing was done. `detail` is for the operator alone. `came` holds the results that a
    `collect` did bring, by their number from 1.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retry_after: float | None = None,
        fault: Fault = Fault.REQUEST,
        detail: str = "",
        came: Mapping[int, Path] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.fault = fault
        self.detail = detail
        self.came = came or {}


@dataclass(frozen=True)
class Check:
    """What a look at an engine, without an edit, brought: whether it can be used, and lines to read."""

    is_well: bool
    lines: tuple[str, ...]


class Provider(Protocol):
    """A door to an engine. Only ProviderError leaves it, and imaging's ChildLost, for which the stage is
    tried again as after a worker's death."""

    key: str
    model: str

    def capabilities(self) -> Capabilities:
        """What the engine can do."""

    def warm(self) -> None:
        """Gets ready ahead of the first edit; returns at once."""

    def submit(self, request: EditRequest, watch: Watch) -> Ticket:
        """Hands the work over; at most one submit of an edit may ever reach an engine, unless
        `idempotent_submit`."""

    def poll(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        """Asks for the state of the work. May be repeated freely."""

    def collect(
        self, arrivals: list[dict[str, Any]], request: EditRequest, watch: Watch
    ) -> Mapping[int, Path]:
        """Brings the results but for `request.kept` into `request.work_dir`, by their number from 1; its
        ProviderError carries those that came although others did not. May be repeated freely."""

    def check(self) -> Check:
        """Looks whether the engine can be used, without spending anything. Raises nothing."""
