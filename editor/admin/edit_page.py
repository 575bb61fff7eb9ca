"""The admin page of an edit: its photos, its plan, the duration of each stage, the cost, and the history."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from editor.admin.row_actions import RowActionAdmin
from editor.models import AuditEntry, Edit, ResultPhoto, wording
from editor.services.editing.engines import engine_of
from editor.services.editing.step_texts import stored_step_text
from editor.services.maintenance.dashboard import cause_of
from editor.services.people.openings import ReviewAccess
from editor.services.sharing import comments

MAX_AUDIT_ENTRIES = 50
FORMATS = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}


@dataclass(frozen=True)
class TimelineStage:
    """A stage on the timeline.

    `start` and `length` are percentages of the total time. `seconds` is the duration, formatted as text.
    """

    label: str
    start: str
    length: str
    seconds: str


def show(
    request: HttpRequest, model_admin: RowActionAdmin[Edit], edit: Edit, access: ReviewAccess
) -> HttpResponse:
    """Return the page of an edit.

    Photos and prompts are left out if the reviewer may not see the edit's workspace.
    """
    is_seen = access.allows(edit.workspace)
    results = list(edit.results.all()) if is_seen and not edit.purged else []
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _title(edit) if is_seen else f"{edit}",
        "opts": model_admin.opts,
        "edit": edit,
        "is_seen": is_seen,
        "open_until": access.open_until.get(edit.workspace_id),
        "verbs": model_admin.actions_with_urls(request, edit),
        "references": list(edit.references.all()) if is_seen and not edit.purged else [],
        "results": results,
        "selected": _selected(request, results),
        "lanes": timeline(edit, timezone.now()),
        "entries": edit.credit_entries.select_related("actor").order_by("id"),
        "comments": comments.comments_of(edit) if is_seen else [],
        "recorded": audit_entries(edit),
        "engine": engine_facts(edit, is_seen=is_seen),
        "steps": [
            (step.get("kind", ""), stored_step_text(step)) for step in (edit.plan or {}).get("steps", [])
        ],
        "left_out": (edit.plan or {}).get("not_understood", []),
        "asked_for": options_summary(edit),
        "open_address": _open_address(edit),
    }
    return render(request, "admin/edits/edit.html", context)


def audit_entries(edit: Edit) -> list[AuditEntry]:
    """Return the audit log entries about the edit, newest first."""
    entries = AuditEntry.objects.filter(subject_kind="edit", subject_id=str(edit.pk))
    return list(entries.select_related("user").order_by("-id")[:MAX_AUDIT_ENTRIES])


def timeline(edit: Edit, now: datetime) -> list[TimelineStage]:
    """Return the stages that the edit has gone through so far.

    Old edits, whose stages were not recorded, have only one.
    """
    end = edit.finished or now
    marks = [(_("Queued"), edit.created)]
    marks += [(label, moment) for label, moment in _stages(edit) if moment is not None]
    total = max((end - edit.created).total_seconds(), 0.001)
    ends = [*(moment for label, moment in marks[1:]), end]
    if len(marks) == 1 and edit.finished:
        marks = [(_("Total"), edit.created)]
    return [
        _lane(label, (start - edit.created).total_seconds(), (until - start).total_seconds(), total)
        for (label, start), until in zip(marks, ends, strict=True)
    ]


def engine_facts(edit: Edit, *, is_seen: bool) -> list[tuple[str, str]]:
    """Return facts about the engine and its response.

    From the ticket, only the task ID is shown.
    """
    engine = engine_of(edit)
    task = (edit.ticket or {}).get("task_id", "") if not edit.runs_here else ""
    facts = [
        (_("Engine"), engine.title),
        (_("Model"), engine.model),
        (_("Address"), urlsplit(engine.base_url).netloc),
        (_("Task ID"), str(task)),
        (_("Outcome"), _ending(edit)),
        (_("Attempts at this stage"), str(edit.attempts) if edit.is_open else ""),
        (_("Postponed"), _times(edit.put_offs)),
    ]
    if is_seen:
        facts += [(_("Message"), edit.failure_message), (_("Notes"), " ".join(map(str, edit.notices_shown)))]
    return [(name, value) for name, value in facts if value]


def options_summary(edit: Edit) -> str:
    """Return the options of the edit as one line of text."""
    shape = _("Same shape as photo 1")
    if edit.aspect_ratio:
        shape = _("Shape %(ratio)s") % {"ratio": edit.aspect_ratio}
    results = ngettext("%(n)s result", "%(n)s results", edit.outputs) % {"n": edit.outputs}
    boxes = len(edit.regions)
    marked = ngettext("%(n)s box", "%(n)s boxes", boxes) % {"n": boxes} if boxes else _("no boxes")
    return f"{shape}, {FORMATS.get(edit.output_format, edit.output_format)}, {results}, {marked}."


def _stages(edit: Edit) -> Iterable[tuple[str, datetime | None]]:
    return (
        (_("Sent to the engine"), edit.sent),
        (_("Processing"), edit.started),
        (_("Results stored"), edit.arrived),
    )


def _lane(label: str, start: float, seconds: float, total: float) -> TimelineStage:
    seconds = max(0.0, seconds)
    width = max(0.5, 100 * seconds / total)
    return TimelineStage(label, f"{100 * start / total:.1f}", f"{width:.1f}", wording.duration(seconds))


def _title(edit: Edit) -> str:
    words = " ".join(edit.prompt.split())
    return f"{words[:1].upper()}{words[1:80]}{'…' if len(words) > 80 else ''}" or str(edit)


def _ending(edit: Edit) -> str:
    if edit.is_open:
        return ""
    return cause_of(edit.failure_code) if edit.state == Edit.State.FAILED else edit.get_state_display()


def _times(count: int) -> str:
    return ngettext("%(n)s time", "%(n)s times", count) % {"n": count} if count else ""


def _selected(request: HttpRequest, results: list[ResultPhoto]) -> ResultPhoto | None:
    chosen = request.GET.get("result", "")
    first = results[0] if results else None
    return next((result for result in results if str(result.position) == chosen), first)


def _open_address(edit: Edit) -> str:
    address = reverse("admin:editor_workspace_do", args=["open"])
    back = reverse("admin:editor_edit_change", args=[edit.pk])
    return f"{address}?row={edit.workspace_id}&next={back}"
