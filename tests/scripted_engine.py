"""An engine whose responses are decided by the test."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from editor.providers.contract import Capabilities, Check, EditRequest, Ticket, Update, Watch

type Answer = Callable[[EditRequest], Any]


def _succeeds(request: EditRequest) -> Update:
    return Update(state="succeeded", arrivals=tuple({"n": n} for n in range(request.options.outputs)))


@dataclass
class ScriptedEngine:
    """A provider that records its calls.

    `on_submit`, `on_poll`, and `on_collect` return a value or raise an exception. By default, the results are
    copies of photo 1.
    """

    key: str = "scripted"
    model: str = "scripted-1"
    idempotent_submit: bool = False
    answers_directly: bool = False
    max_outputs: int = 4
    on_submit: Answer = lambda request: Ticket(task_id=f"task-{request.edit_id}")
    on_poll: Answer = _succeeds
    on_collect: Answer | None = None
    on_prepare: Answer | None = None
    on_recover: Answer | None = None
    calls: list[str] = field(default_factory=list)

    def capabilities(self) -> Capabilities:
        return Capabilities(
            idempotent_submit=self.idempotent_submit,
            answers_directly=self.answers_directly,
            max_outputs=self.max_outputs,
        )

    def warm(self) -> None:
        self.calls.append("warm")

    def prepare(self, request: EditRequest, watch: Watch) -> Any:
        return self.on_prepare(request) if self.on_prepare else None

    def submit(self, request: EditRequest, watch: Watch) -> Ticket:
        self.calls.append("submit")
        ticket: Ticket = self.on_submit(request)
        return ticket

    def recover(self, request: EditRequest) -> Ticket | None:
        return self.on_recover(request) if self.on_recover else None

    def poll(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        self.calls.append("poll")
        update: Update = self.on_poll(request)
        return update

    def collect(self, arrivals: list[dict[str, Any]], request: EditRequest, watch: Watch) -> dict[int, Path]:
        self.calls.append("collect")
        if self.on_collect is not None:
            return dict(enumerate(self.on_collect(request), start=1))
        return {
            n: Path(shutil.copyfile(request.photos[0], request.work_dir / f"{request.token}-{n}"))
            for n in range(1, len(arrivals) + 1)
        }

    def check(self) -> Check:
        return Check(True, ("A scripted engine.",))
