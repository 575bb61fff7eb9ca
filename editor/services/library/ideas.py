"""Ideas for the photos at hand: examples of the engine's own, which were tried on them."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.core.cache import cache as memory

from editor.engine.ideas import ideas
from editor.imaging.errors import JobError, SandboxError
from editor.imaging.sandbox import EDIT, SandboxPool
from editor.models import DraftPhoto
from editor.options import Region
from editor.services.editing.routing import capabilities
from editor.services.photos import photos

type Box = dict[str, Any]
OF_EACH_KIND = 3
SECONDS = 5.0  # of work
KEPT_SECONDS, BROKEN_SECONDS = 24 * 3600, 60  # what a try has found, and that it broke
# One at a time, whoever asks, and nobody waits in line: uploads and edits go first.
triers = SandboxPool(EDIT, size=1, patience=0.0, reach=photos.reach)


@dataclass(frozen=True)
class Offer:
    """An idea of each kind: the kind and the words. `is_tried` on these photos; or else `is_near`: such may
    be had in a moment."""

    ideas: list[tuple[str, str]]
    is_tried: bool = False
    is_near: bool = False


def offer(drafts: Sequence[DraftPhoto], regions: Sequence[Region], *, turn: int, waits: bool) -> Offer:
    """What could be asked of these photos, each `turn` something else. With photos it is what has been tried
    on them, or on the same ones that were in the workspace before; with `waits` that is done now if it was
    not. Raises nothing."""
    if not drafts or not capabilities().plans:
        return Offer(_general(turn))
    boxes = [region.as_json() for region in regions if region.image == 1]
    key = _key(drafts, boxes)
    found: dict[str, list[str]] | None = memory.get(key)
    if found is None and waits:
        found = _tried(drafts, boxes)
        if found is not None:
            memory.set(key, found, KEPT_SECONDS if found else BROKEN_SECONDS)
    if not found:
        return Offer(_general(turn), is_near=found is None)
    return Offer([(kind, told[turn % len(told)]) for kind, told in found.items() if told], is_tried=True)


def _content(draft: DraftPhoto) -> str:
    return draft.sha256[:32]


def _general(turn: int) -> list[tuple[str, str]]:
    """The first of each kind: what no photo was seen for."""
    first: dict[str, str] = {}
    for idea in ideas(photos=1, boxes=0, seed=turn):
        first.setdefault(idea.kind, idea.words)
    return list(first.items())


def _key(drafts: Sequence[DraftPhoto], boxes: Sequence[Box]) -> str:
    """Under which a try is remembered: by what the photos show, and by where the boxes lie."""
    told = json.dumps([drafts[0].workspace_id, *map(_content, drafts), boxes])
    return f"ideas-{hashlib.sha256(told.encode()).hexdigest()}"


def _tried(drafts: Sequence[DraftPhoto], boxes: Sequence[Box]) -> dict[str, list[str]] | None:
    """None when somebody else's photos are being tried; nothing when these cannot be."""
    try:
        with photos.small_copies(drafts) as paths:
            answer = triers.call(
                "editor.engine.ideas:tried",
                photos=paths,
                regions=boxes,
                seed=int(_content(drafts[0])[:8], 16),
                enough=OF_EACH_KIND,
                seconds=SECONDS,
            )
    except SandboxError as error:
        return None if error.kind == "busy" else {}
    except (JobError, OSError):
        return {}
    return cast(dict[str, list[str]], answer)
