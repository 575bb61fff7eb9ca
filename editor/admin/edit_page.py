"""One edit as a person wants to see it: before and after, what was understood, how long each stage took, what
it cost, what the engine said, and what people did."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from editor.admin.verbs import VerbAdmin
from editor.models import AuditEntry, Edit, ResultPhoto
from editor.services import reviews
from editor.services.desk import cause_of
from editor.services.openings import Sight
from editor.services.usage import engine_name

SHAPES = {"": "The shape of photo 1"}
MOST_RECORDED = 50
FORMATS = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}


@dataclass(frozen=True)
class Lane:
    """A stage on the timeline: where it begins and how long it is, in percent of all, and in seconds."""

    label: str
    start: str
    length: str
    seconds: str


def show(request: HttpRequest, desk: VerbAdmin[Edit], edit: Edit, sight: Sight) -> HttpResponse:
    """The page; of a personal workspace that is shut only what tells nothing of its photos and prompts."""
    is_seen = sight.sees(edit.workspace)
    results = list(edit.results.all()) if is_seen and not edit.purged else []
    context = {
        **desk.admin_site.each_context(request),
        "title": _title(edit) if is_seen else f"{edit}",
        "opts": desk.opts,
        "edit": edit,
        "is_seen": is_seen,
        "open_until": sight.opened.get(edit.workspace_id),
        "verbs": desk.verbs_of(request, edit),
        "references": list(edit.references.all()) if is_seen and not edit.purged else [],
        "results": results,
        "selected": _selected(request, results),
        "lanes": lanes(edit, timezone.now()),
        "entries": edit.credit_entries.select_related("actor").order_by("id"),
        "comments": reviews.comments_of(edit) if is_seen else [],
        "recorded": recorded(edit),
        "engine": engine_facts(edit, is_seen=is_seen),
        "steps": (edit.plan or {}).get("steps", []),
        "left_out": (edit.plan or {}).get("not_understood", []),
        "asked_for": asked_for(edit),
        "open_address": _open_address(edit),
    }
    return render(request, "admin/edits/edit.html", context)


def recorded(edit: Edit) -> list[AuditEntry]:
    """What the record says of it, the newest first."""
    entries = AuditEntry.objects.filter(subject_kind="edit", subject_id=str(edit.pk))
    return list(entries.select_related("user").order_by("-id")[:MOST_RECORDED])


def lanes(edit: Edit, now: datetime) -> list[Lane]:
    """The stages that it has been through. Edits that were made before stages were noted have one."""
    end = edit.finished or now
    marks = [("In line", edit.created)]
    marks += [(label, moment) for label, moment in _stages(edit) if moment is not None]
    total = max((end - edit.created).total_seconds(), 0.001)
    ends = [*(moment for _, moment in marks[1:]), end]
    if len(marks) == 1 and edit.finished:
        marks = [("All of it", edit.created)]
    return [
        _lane(label, (start - edit.created).total_seconds(), (until - start).total_seconds(), total)
        for (label, start), until in zip(marks, ends, strict=True)
    ]


def engine_facts(edit: Edit, *, is_seen: bool) -> list[tuple[str, str]]:
    """What the engine was and said. Its ticket holds no secret, but nobody needs more than its name."""
    task = (edit.ticket or {}).get("task_id", "") if edit.base_url else ""
    facts = [
        ("Engine", engine_name(edit.provider)),
        ("Address", urlsplit(edit.base_url).netloc),
        ("Its task", str(task)),
        ("Ended with", _ending(edit)),
        ("Tries of this stage", str(edit.attempts) if edit.is_open else ""),
        ("Put off", _times(edit.put_offs)),
    ]
    if is_seen:
        facts += [("It said", edit.failure_message), ("Notes", " ".join(edit.notices))]
    return [(name, said) for name, said in facts if said]


def asked_for(edit: Edit) -> str:
    """The choices beside the words, in one line."""
    shape = f"Shape {edit.aspect_ratio}" if edit.aspect_ratio else SHAPES[""]
    results = "1 result" if edit.outputs == 1 else f"{edit.outputs} results"
    boxes = len(edit.regions)
    marked = "no box" if not boxes else "1 box" if boxes == 1 else f"{boxes} boxes"
    return f"{shape}, {FORMATS.get(edit.output_format, edit.output_format)}, {results}, {marked}."


def _stages(edit: Edit) -> Iterable[tuple[str, datetime | None]]:
    return (("Handed over", edit.sent), ("Worked on", edit.started), ("Results stored", edit.arrived))


def _lane(label: str, start: float, seconds: float, total: float) -> Lane:
    seconds = max(0.0, seconds)
    said = f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"
    return Lane(label, f"{100 * start / total:.1f}", f"{max(0.5, 100 * seconds / total):.1f}", said)


def _title(edit: Edit) -> str:
    words = " ".join(edit.prompt.split())
    return f"{words[:1].upper()}{words[1:80]}{'…' if len(words) > 80 else ''}" or str(edit)


def _ending(edit: Edit) -> str:
    if edit.is_open:
        return ""
    return cause_of(edit.failure_code) if edit.state == Edit.State.FAILED else edit.get_state_display()


def _times(count: int) -> str:
    return "" if not count else "Once" if count == 1 else f"{count} times"


def _selected(request: HttpRequest, results: list[ResultPhoto]) -> ResultPhoto | None:
    chosen = request.GET.get("result", "")
    first = results[0] if results else None
    return next((result for result in results if str(result.position) == chosen), first)


def _open_address(edit: Edit) -> str:
    address = reverse("admin:editor_workspace_do", args=["open"])
    back = reverse("admin:editor_edit_change", args=[edit.pk])
    return f"{address}?row={edit.workspace_id}&next={back}"
