"""The status of an edit that a user is waiting for.

A single row contains all the data for the running page and its polls.
"""

import json
import uuid
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from editor.models import Edit
from editor.models.wording import TranslatedText, translate_text
from editor.options import sides_of
from editor.sentences import from_json_data
from editor.services.photos import analysis

# Query for the status of an edit. The placeholder image comes from photo 1. A user who has left the workspace
# or closed their account gets no row. For each other owner, at most RUNNING_PER_USER waiting edits count as
# ahead of this edit, because the rest start after this edit. Edits in a batch do not count as ahead of single
# edits.
_SQL = """
    SELECT edit.revision, edit.state, edit.progress, edit.outputs, edit.created, edit.aspect_ratio,
        photo.placeholder, photo.width, photo.height,
        edit.notices, CASE WHEN edit.state = 'RUNNING' AND edit.progress = %s THEN edit.plan END,
        CASE WHEN edit.state = 'QUEUED' THEN (
            SELECT SUM(CASE WHEN owner_id = edit.owner_id OR waiting < %s THEN waiting ELSE %s END)
            FROM (
                SELECT earlier.owner_id, COUNT(*) AS waiting
                FROM editor_edit earlier
                WHERE earlier.state IN ('QUEUED', 'SENDING', 'RUNNING', 'STORING')
                    AND earlier.state = 'QUEUED' AND earlier.id < edit.id
                    AND (earlier.batch_id IS NULL OR edit.batch_id IS NOT NULL)
                GROUP BY earlier.owner_id
            ) AS line
        ) END
    FROM editor_edit edit
    JOIN editor_membership member ON member.workspace_id = edit.workspace_id AND member.user_id = %s
    JOIN editor_user reader ON reader.id = member.user_id AND reader.is_active
    LEFT JOIN editor_referencephoto photo ON photo.edit_id = edit.id AND photo.position = 1
    WHERE edit.id = %s AND edit.trashed IS NULL
"""
_USUAL_SIDES = (3, 2)


class EditStatus(NamedTuple):
    """The status of an edit.

    `notices` can be translated. `sides` is the expected ratio of a result's width to its height.
    `edits_ahead` is the number of waiting edits ahead of this one, or 0 once it has started. `is_analyzing`
    is true while photo 1 is being analyzed. During the analysis, `thing` is the first thing that the plan
    names, if any.
    """

    revision: int
    state: str
    progress: int
    outputs: int
    created: datetime
    placeholder: str
    sides: tuple[int, int]
    edits_ahead: int
    is_analyzing: bool = False
    thing: str = ""
    notices: tuple[str, ...] = ()

    @property
    def positions(self) -> range:
        return range(1, self.outputs + 1)

    @property
    def notices_shown(self) -> list[TranslatedText]:
        """Return the notices in the active language."""
        return [translate_text(notice) for notice in self.notices]

    @property
    def has_ended(self) -> bool:
        return self.state in Edit.TERMINAL


def status_of(edit_id: uuid.UUID, *, user_id: int) -> EditStatus | None:
    """Return the status in one query, or None if there is no such edit or this user may not see it."""
    key = Edit._meta.pk.get_db_prep_value(edit_id, connection)
    most = settings.RUNNING_PER_USER
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [round(100 * analysis.PROGRESS), most, most, user_id, key])
        row = cursor.fetchone()
    if row is None:
        return None
    revision, state, progress, outputs, created, ratio, placeholder, width, height, notices, plan, ahead = row
    return EditStatus(
        revision=revision,
        state=state,
        progress=progress,
        outputs=outputs,
        created=_moment(created),
        placeholder=placeholder or "",
        sides=sides_of(ratio) if ratio else (width, height) if width else _USUAL_SIDES,
        edits_ahead=int(ahead or 0),
        is_analyzing=bool(plan),
        thing=_named_thing(plan) if plan else "",
        notices=tuple(map(from_json_data, json.loads(notices) if isinstance(notices, str) else notices)),
    )


def _named_thing(plan: str | dict[str, Any]) -> str:
    """Return the noun for the first thing that a plan names, or an empty string.

    SQLite returns the plan as JSON text.
    """
    steps = ((json.loads(plan) if isinstance(plan, str) else plan) or {}).get("steps", [])
    return next((noun for step in steps if (noun := step.get("target", {}).get("noun"))), "")


def _moment(created: datetime | str) -> datetime:
    """Convert a time from the database to a datetime, because SQLite returns text in UTC."""
    return datetime.fromisoformat(created).replace(tzinfo=UTC) if isinstance(created, str) else created
