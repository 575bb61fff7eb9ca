"""The provider for the embedded engine, which runs in a child process of the worker."""

from pathlib import Path
from typing import Any

from editor.engine.analyzing import needs_analysis
from editor.engine.plan import BadStep, Plan
from editor.imaging.errors import ChildLost, JobError, SandboxError
from editor.imaging.memory import analysis_memory
from editor.imaging.sandbox import Sandbox
from editor.options import Limits
from editor.providers.contract import (
    KEEPS_CRASHING,
    NOT_STORED,
    Capabilities,
    Check,
    EditRequest,
    ProviderError,
    Ticket,
    Update,
    Watch,
)
from editor.sentences import Sentence, from_json_data, join_sentences

_SENTENCES = {
    "timeout": (
        "timeout",
        Sentence(
            "This edit needed too much computing time and was stopped. You were not charged. "
            "Try a smaller photo, fewer steps, or fewer results."
        ),
    ),
    "memory": (
        "engine_failed",
        Sentence("This edit needs too much memory. You were not charged. Try a smaller photo."),
    ),
    "crashed": ("engine_failed", KEEPS_CRASHING),
    "full": ("storage", NOT_STORED),
    "stopped": ("stopped", Sentence("The edit was stopped.")),
}
NO_ANALYSIS = "For exact outlines, give this machine at least 2 GB of memory. Edits work without them."


class EmbeddedProvider:
    """The embedded engine as a provider.

    `submit` returns immediately and uses the edit's ID as the task ID. `poll` edits the photos and may be
    repeated.
    """

    key = "embedded"
    model = "darkroom-engine-1"

    def __init__(self, sandbox: Sandbox, limits: Limits, models_dir: Path | None = None) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._models_dir = models_dir

    def capabilities(self) -> Capabilities:
        """Return the capabilities of the embedded engine.

        Points need masks, which are possible only with enough memory.
        """
        return Capabilities(
            max_outputs=self._limits.outputs,
            regions=True,
            points=analysis_memory() is not None,
            plans=True,
            idempotent_submit=True,
        )

    def warm(self) -> None:
        """Start the child process before the first edit."""
        self._sandbox.warm()

    def prepare(self, request: EditRequest, watch: Watch) -> None:
        """Do nothing, because a submit needs only the plan."""

    def submit(self, request: EditRequest, watch: Watch) -> Ticket:
        """Accept the stored plan.

        If the plan is refused, raises ProviderError("rejected") with the plan's message.
        """
        plan = _plan(request)
        if not plan.accepted:
            raise ProviderError("rejected", plan.message)
        return Ticket(task_id=request.edit_id)

    def recover(self, request: EditRequest) -> Ticket | None:
        """Return None, because a submit leaves no response on this machine."""
        return None

    def poll(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        """Apply the stored plan in the child process.

        The child process writes the results to the request's work folder.
        """
        watch.on_stop(self._sandbox.stop)
        answer = self._work(request, watch)
        return Update(
            state="succeeded",
            arrivals=tuple(
                {"path": output["path"], "view_scale": output["view_scale"]} for output in answer["outputs"]
            ),
            warnings=tuple(map(from_json_data, answer["notices"])),
        )

    def collect(self, arrivals: list[dict[str, Any]], request: EditRequest, watch: Watch) -> dict[int, Path]:
        """Return the files that `poll` wrote, and create them again if this machine does not have all of
        them.
        """
        paths = _missing_paths(arrivals, request)
        if not all(path.is_file() for path in paths.values()):
            watch.on_stop(self._sandbox.stop)
            answer = self._work(request, watch)
            paths = _missing_paths(answer["outputs"], request)
        return paths

    def check(self) -> Check:
        """Check that the engine works by brightening a small photo in the child process."""
        # Imported here because the import takes half a second.
        from editor.engine.language.explain import explain

        try:
            works = self._sandbox.call("editor.engine.run:brightens_gray", plan=explain("brighter").as_json())
        except SandboxError as error:
            return Check(False, (f"The embedded engine does not work here: {error.message}",))
        if not works:
            return Check(False, ("The embedded engine runs, but its results are wrong.",))
        works = "The embedded engine works. It needs no key and no network."
        return Check(True, (works,) if analysis_memory() else (works, NO_ANALYSIS))

    def _work(self, request: EditRequest, watch: Watch) -> dict[str, Any]:
        try:
            analysis = _analysis(request, watch)
            answer: dict[str, Any] = self._sandbox.call(
                "editor.engine.run:edit_files",
                on_progress=watch.report,
                # All results share one CPU limit, which grows with the number of paid results.
                time_factor=request.options.outputs,
                plan=_stored_plan(request),
                photo_paths=[str(path) for path in request.photos],
                options=request.options.as_json(),
                output_stem=str(request.work_dir / f"{request.token}-result"),
                models_dir=str(self._models_dir) if self._models_dir else None,
                with_derivatives=True,
                view_scales=list(request.view_scales),
                analysis_path=str(analysis) if analysis else None,
            )
        except JobError as refusal:
            refusals = refusal.details.get("not_understood", ())
            raise ProviderError("rejected", refusal.message, refusals=refusals) from refusal
        except ChildLost:
            raise
        except SandboxError as error:
            raise ProviderError(*_SENTENCES[error.kind]) from error
        return answer


def _analysis(request: EditRequest, watch: Watch) -> Path | None:
    """Return the file that contains photo 1's analysis.

    Return None if the plan cannot use the analysis or if it is not available.
    """
    is_useful = request.analyze is not None and needs_analysis(_plan(request).steps, request.options)
    return request.analyze(watch) if request.analyze is not None and is_useful else None


def _stored_plan(request: EditRequest) -> dict[str, Any]:
    if request.plan is None:
        raise ProviderError("rejected", Sentence("This edit was stored without its plan. Run it again."))
    return dict(request.plan)


def _plan(request: EditRequest) -> Plan:
    try:
        return Plan.from_json(_stored_plan(request), partial=request.options.partial)
    except BadStep as error:
        sentence = join_sentences(error.sentence, Sentence("Run this edit again."))
        raise ProviderError("rejected", sentence) from error


def _missing_paths(outputs: list[dict[str, Any]], request: EditRequest) -> dict[int, Path]:
    """Return the paths of the results that are not in the storage yet, by number.

    The paths are in the request's own work folder, because the sandbox reaches no work folder of another
    node, even on the same machine.
    """
    paths = {
        number: request.work_dir / Path(output["path"]).name for number, output in enumerate(outputs, start=1)
    }
    return {number: path for number, path in paths.items() if number not in request.kept}
