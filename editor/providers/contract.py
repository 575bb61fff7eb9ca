"""The interface that every provider implements: plain values and one exception."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from editor.options import MAX_PHOTOS, EditOptions
from editor.sentences import Sentence

# Messages that both the providers and the lifecycle of an edit use.
UNCONFIRMED = Sentence(
    "We could not confirm that the engine received this edit. You were not charged. You can run it again."
)
UNREACHABLE = Sentence("The engine could not be reached. You were not charged. You can run it again.")
CREATE_SECONDS = 90.0  # The maximum time, in seconds, to wait for the response to a create request.
NO_RESULT = Sentence("The engine sent no result. You were not charged. You can run it again.")
NOT_A_PHOTO = Sentence(
    "The engine sent a result that cannot be opened. You were not charged. You can run it again."
)
NOT_STORED = Sentence("The result could not be saved. You were not charged. You can run it again.")
UNAVAILABLE = Sentence("The service is not available at the moment. You were not charged.")
BUSY = Sentence("The engine is busy. You were not charged. You can run it again later.")
REJECTED = Sentence("The engine refused this edit. You were not charged.")
FAILED = Sentence("The engine could not do this edit. You were not charged.")
KEEPS_CRASHING = Sentence("The engine stopped working on this edit. You were not charged.")
UNREADABLE = Sentence("A photo of this edit could not be read. You were not charged.")
_NOT_CHARGED = "You were not charged."


def uncharged(sentence: str) -> Sentence:
    """Return the reason for a failure, followed by the statement that the user was not charged."""
    return Sentence("%(said)s You were not charged.", said=Sentence.of(sentence))


def with_charge_note(message: str) -> str:
    """Return the reason as a sentence, followed by the statement that the user was not charged.

    The statement is not repeated if the reason already contains it, as a reason from another Darkroom does.
    """
    sentence = message if message.endswith((".", "!", "?", "…")) else f"{message}."
    return sentence if _NOT_CHARGED in sentence else uncharged(sentence)


@dataclass(frozen=True)
class Capabilities:
    """The features of an engine.

    The form, the validation of the form, and the plan preview depend on them.
    """

    max_outputs: int = 4
    regions: bool = False
    points: bool = False
    plans: bool = False  # The engine can describe in advance what it will do.
    idempotent_submit: bool = False  # After a crash, an unfinished submit may be sent again.
    # The response to a submit contains the results, so only the machine that received the response has them.
    answers_directly: bool = False
    max_photos: int = MAX_PHOTOS
    puts_back: bool = False  # Everything outside an area can be put back from the photo.


class Watch(Protocol):
    """The connection between running work and the worker that runs it."""

    def report(self, fraction: float) -> None:
        """Report the completed fraction, from 0 to 1."""

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Register a function that aborts the work when the edit is cancelled or its lease is lost."""


@dataclass(frozen=True)
class EditRequest:
    """One edit as a provider sees it.

    - `photos` are upright sRGB files, photo 1 first.
    - `work_dir` is the edit's temporary folder.
    - `token` distinguishes this worker's files from those of other workers.
    - `photo_urls` are URLs from which an upstream site may fetch the photos. There may be none.
    - `kept` contains the numbers, counted from 1, of results that an earlier `collect` has already delivered.
    - `plan` is the plan that was shown and stored at submit, if the engine makes plans.
    - `view_scales` contains for each photo the factor by which its sides are scaled for people while the
      original is withheld.
    - `find_area` returns the file of a mask on photo 1 (not black where it may change; see `put_back`), made
      now if necessary, or None if it is not found. It is set if everything else is to be put back. Raises
      ProviderError if the edit must not go on without it, and SandboxError.
    - `analyze` returns the file of photo 1's analysis, made now if necessary, or None if the edit must do
      without. Raises SandboxError("stopped") if the edit was stopped meanwhile.
    - `prepared` contains what `Provider.prepare` returned.
    """

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
    analyze: Callable[[Watch], Path | None] | None = None
    find_area: Callable[[Watch], Path | None] | None = None
    prepared: Any = None


@dataclass(frozen=True)
class Ticket:
    """The data needed to find the work again after a crash.

    The data is small and JSON-safe, and contains neither image data nor secrets.
    """

    task_id: str
    details: dict[str, Any] = field(default_factory=dict)


class Fault(StrEnum):
    """The party that is held responsible for a failure in the engine's health record."""

    # The request itself is wrong.
    REQUEST = "request"
    # The engine did not respond correctly.
    ENGINE = "engine"
    # Only the operator can fix this fault. The engine's URL, key, or account is wrong, so every request
    # fails.
    OPERATOR = "operator"


@dataclass(frozen=True)
class Update:
    """The status of a task as the engine reports it: "running", "succeeded", or "failed".

    `arrivals` describe where the results can be found, as plain values defined by the provider. `warnings`
    are shown to the user. If the provider knows them, each of the `arrivals` includes:

    - the `view_scale` at which the result may be shown
    - `kind`, the format in which the engine sent the result, if the provider has converted it
    - the `requested_size` of the result, as its width and height in pixels
    - the `outcome` of putting the photo back into the result

    While the task runs, `ticket` replaces the previous ticket. `trouble` tells the operator why the response
    was unusable or what must be fixed; it counts against the engine's health. `code` is set only for
    failures.
    """

    state: str
    arrivals: tuple[dict[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    message: str = ""
    poll_after: float = 0.0  # seconds until the next status call
    ticket: Ticket | None = None
    trouble: str = ""
    fault: Fault = Fault.ENGINE
    code: str = "engine_failed"


class ProviderError(Exception):
    """Raised when a request to an engine has failed.

    `message` is safe for users; the raw text belongs in the log. `code` is one of rejected, unconfirmed,
    timeout, engine_unavailable, engine_failed, result_unavailable, result_invalid, storage, and stopped. If
    `retry_after` (seconds) is set, the same stage may be tried again, because nothing was done. `detail` is
    meant only for the operator. `partial_results` contains the results that a `collect` did fetch, by number
    from 1. `refusals` are the refused parts of a rejected prompt, in the JSON format of a plan.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        retry_after: float | None = None,
        fault: Fault = Fault.REQUEST,
        detail: str = "",
        partial_results: Mapping[int, Path] | None = None,
        refusals: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.fault = fault
        self.detail = detail
        self.partial_results = partial_results or {}
        self.refusals = list(refusals)


@dataclass(frozen=True)
class Check:
    """The outcome of checking an engine without an edit.

    It tells whether the engine works, and contains lines for the operator.
    """

    is_usable: bool
    lines: tuple[str, ...]


class Provider(Protocol):
    """An adapter for an engine.

    The methods raise only ProviderError and the imaging package's ChildLost. After ChildLost, the stage is
    repeated, as it is when a worker dies.
    """

    key: str
    model: str

    def capabilities(self) -> Capabilities:
        """Return what the engine can do."""

    def warm(self) -> None:
        """Prepare for the first edit in the background, and return immediately."""

    def prepare(self, request: EditRequest, watch: Watch) -> Any:
        """Return what `submit` needs besides the request, such as smaller photos.

        Everything that takes long or may crash happens here, because nothing is sent. May be called
        repeatedly.
        """

    def submit(self, request: EditRequest, watch: Watch) -> Ticket:
        """Submit the prepared work. What is not prepared yet is prepared first.

        At most one submit of an edit may ever reach the engine, unless the engine has `idempotent_submit`.
        """

    def recover(self, request: EditRequest) -> Ticket | None:
        """Return the ticket of a submit whose worker died, if the response is on this machine."""

    def poll(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        """Return the status of the work. This method may be called repeatedly."""

    def collect(
        self, arrivals: list[dict[str, Any]], request: EditRequest, watch: Watch
    ) -> Mapping[int, Path]:
        """Fetch the results into `request.work_dir` and return their paths, by number from 1.

        Results in `request.kept` are skipped. This method may be called repeatedly. If some results cannot be
        fetched, the ProviderError contains the others.
        """

    def check(self) -> Check:
        """Check whether the engine can be used, without spending credits. Never raises."""
