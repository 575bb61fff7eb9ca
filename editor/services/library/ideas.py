"""Ideas for the user's photos: example prompts that the engine has tried on these photos."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from django.core.cache import cache as memory

from editor.engine.ideas import ideas
from editor.imaging.errors import JobError, SandboxError
from editor.imaging.memory import takes_turns
from editor.imaging.sandbox import IDEAS, SandboxPool
from editor.models import DraftPhoto
from editor.models.clock import database_now
from editor.options import Region
from editor.services.editing.routing import capabilities
from editor.services.photos import analysis, photos

type Box = dict[str, Any]
IDEAS_PER_KIND = 3
# Maximum number of seconds for trying ideas on photos.
MAX_TRY_SECONDS = 5.0
# Number of seconds for which tried ideas are cached, and number of seconds for which a failed attempt is
# cached.
CACHE_SECONDS, FAILURE_CACHE_SECONDS = 24 * 3600, 60
# Ideas for a new photo wait this long for its analysis, so that they can name what the photo shows.
ANALYSIS_WAIT = timedelta(seconds=20)
# Ideas are tried for only one request at a time. Uploads and edits have priority, so no user waits for this.
trial_pool = SandboxPool(
    IDEAS,
    size=1,
    patience=0.0,
    access=photos.reach,
    lock=photos.large_child_lock if takes_turns() else None,
)


@dataclass(frozen=True)
class Suggestions:
    """One idea of each kind, as pairs of a kind and the idea's text.

    If `is_tried` is true, the ideas were tried on these photos. If `is_pending` is true, tried ideas may be
    available soon.
    """

    ideas: list[tuple[str, str]]
    is_tried: bool = False
    is_pending: bool = False


def suggest_ideas(
    drafts: Sequence[DraftPhoto], regions: Sequence[Region], *, turn: int, may_wait: bool
) -> Suggestions:
    """Return ideas for these photos.

    Each `turn` gives different ideas. If there are photos, the engine has tried the ideas on them, now or
    earlier in this workspace. With `may_wait`, untried ideas are tried now, unless the analysis of a new
    photo is expected soon. Raises no exceptions.
    """
    if not drafts or not capabilities().plans:
        return Suggestions(_general(turn))
    boxes = [region.as_json() for region in regions if region.image == 1]
    key = _key(drafts, boxes)
    found: dict[str, list[str]] | None = memory.get(key)
    if found is None and may_wait and not _is_analysis_expected(drafts[0]):
        found = _tried(drafts, boxes)
        if found is not None:
            memory.set(key, found, CACHE_SECONDS if found else FAILURE_CACHE_SECONDS)
    if not found:
        return Suggestions(_general(turn), is_pending=found is None)
    return Suggestions(
        [(kind, of_kind[turn % len(of_kind)]) for kind, of_kind in found.items() if of_kind], is_tried=True
    )


def _is_analysis_expected(draft: DraftPhoto) -> bool:
    is_new = draft.created > database_now() - ANALYSIS_WAIT
    return is_new and analysis.is_available() and not analysis.is_stored(draft)


def _content(draft: DraftPhoto) -> str:
    return draft.sha256[:32]


def _general(turn: int) -> list[tuple[str, str]]:
    """Return the first general idea of each kind. A general idea does not depend on a photo."""
    first: dict[str, str] = {}
    for idea in ideas(photos=1, boxes=0, seed=turn):
        first.setdefault(idea.kind, idea.words)
    return list(first.items())


def _key(drafts: Sequence[DraftPhoto], boxes: Sequence[Box]) -> str:
    """Return the cache key for the tried ideas, derived from the content of the photos and the regions."""
    content = json.dumps([drafts[0].workspace_id, *map(_content, drafts), boxes])
    return f"ideas-{hashlib.sha256(content.encode()).hexdigest()}"


def _tried(drafts: Sequence[DraftPhoto], boxes: Sequence[Box]) -> dict[str, list[str]] | None:
    """Return the tried ideas by kind.

    Returns None while ideas are being tried on other photos or an edit needs the machine's memory, and an
    empty result if trying the ideas fails.
    """
    try:
        with photos.small_copies(drafts) as paths, photos.work_folder() as folder:
            found = analysis.stored(drafts[0], folder)
            answer = trial_pool.call(
                "editor.engine.ideas:suggest_ideas",
                photos=paths,
                regions=boxes,
                seed=int(_content(drafts[0])[:8], 16),
                enough=IDEAS_PER_KIND,
                seconds=MAX_TRY_SECONDS,
                analysis_path=str(found) if found else None,
                is_wanted=lambda: _are_wanted(drafts[0]),
            )
    except SandboxError as error:
        return None if error.kind in ("busy", "stopped") else {}
    except (JobError, OSError):
        return {}
    return cast(dict[str, list[str]], answer)


def _are_wanted(draft: DraftPhoto) -> bool:
    """Return whether ideas should still be tried on a draft.

    They should not once the draft has left the tray, for example because it was submitted: trying ideas would
    slow down its edit. They should not, either, while other work is waiting for the machine's memory.
    """
    return not photos.large_child_lock.is_awaited() and DraftPhoto.objects.filter(pk=draft.pk).exists()
