"""What a workspace has used: sums that grow as edits end, and what they say about a month or a year."""

import math
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from editor.models import DailyUsage, Edit

Axis = DailyUsage.Axis
MEASURES = ("edits", "successes", "failures", "credits", "pace")
SEVERAL, UNKNOWN = "several", "unknown"
_SHORTEST = 0.05  # seconds; a logarithm needs some


@dataclass(frozen=True)
class Sums:
    """Edits that ended, those of them that succeeded and failed, and the credits that they cost."""

    edits: int = 0
    successes: int = 0
    failures: int = 0
    credits: int = 0
    pace: int = 0

    @property
    def share(self) -> float | None:
        """Of those that nobody cancelled, how many succeeded, from 0 to 1; None without any."""
        judged = self.successes + self.failures
        return self.successes / judged if judged else None

    @property
    def seconds(self) -> float | None:
        """The usual time of a success: the geometric mean, which a slow one hardly moves. (Sums know no
        median.)"""
        return math.exp(self.pace / 1000 / self.successes) if self.successes else None

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*(getattr(self, name) + getattr(other, name) for name in MEASURES))


def count(edit: Edit, state: Edit.State, finished: datetime) -> None:
    """Counts an edit that ends in this state. Belongs in the transaction that ends it, which holds the
    lock of its workspace."""
    rows = [
        DailyUsage(workspace_id=edit.workspace_id, day=finished.date(), axis=axis, name=name)
        for axis, name in names_of(edit).items()
    ]
    DailyUsage.objects.bulk_create(rows, ignore_conflicts=True)
    same = Q()
    for row in rows:
        same |= Q(axis=row.axis, name=row.name)
    added = sums_of(edit, state, finished)
    changes = {name: F(name) + getattr(added, name) for name in MEASURES}
    DailyUsage.objects.filter(same, workspace=edit.workspace_id, day=finished.date()).update(**changes)


def names_of(edit: Edit) -> dict[Axis, str]:
    """Under which names an edit counts."""
    names = {Axis.PERSON: str(edit.owner_id), Axis.ENGINE: edit.provider, Axis.KIND: kind_of(edit)}
    return names if edit.api_key_id is None else {**names, Axis.KEY: str(edit.api_key_id)}


def kind_of(edit: Edit) -> str:
    """What its plan does: one kind of step, or several."""
    kinds = {step["kind"] for step in (edit.plan or {}).get("steps", [])}
    return kinds.pop() if len(kinds) == 1 else SEVERAL if kinds else UNKNOWN


def sums_of(edit: Edit, state: Edit.State, finished: datetime) -> Sums:
    """What one edit adds."""
    if state != Edit.State.SUCCESS:
        return Sums(edits=1, failures=int(state == Edit.State.FAILED))
    seconds = max(_SHORTEST, (finished - edit.created).total_seconds())
    return Sums(edits=1, successes=1, credits=edit.price, pace=round(1000 * math.log(seconds)))
