"""Example instructions that are offered as ideas if they would change the current photo."""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from editor.engine.analyzing import load_analysis
from editor.engine.catalog import Declaration, catalog
from editor.engine.errors import PlanRefused
from editor.engine.plan import Target
from editor.options import EditKind, EditOptions, Region

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis
    from editor.imaging.picture import Picture

_SEEN = 8  # minimum visible difference in a color channel, in levels from 0 to 255
_ENOUGH = 0.0005  # an idea is offered only if it visibly changes at least this share of the photo's pixels
_PATIENCE = 3  # maximum wall-clock seconds for each second of CPU time, because the machine may be busy
_PHOTOS = "photos"  # key under which an example states how many photos it needs
_BOXES = "boxes"  # key under which an example states how many boxes it needs


class Idea(NamedTuple):
    """An instruction and its kind.

    `is_special` is true if the instruction refers to a box, to another photo, or to something that not every
    photo shows.
    """

    kind: EditKind
    words: str
    is_special: bool


def ideas(*, photos: int, boxes: int, seed: int) -> list[Idea]:
    """Return one random example of each operation that works with this number of photos and boxes.

    The ideas alternate between the kinds. Within each kind, one plain idea comes first, followed by all
    special ideas and then by the other plain ones. `seed` determines the order within these groups.
    """
    chance = random.Random(seed)  # noqa: S311 (the random numbers only shuffle ideas)
    found: dict[EditKind, list[Idea]] = {kind: [] for kind in EditKind}
    for declaration in catalog().values():
        allowed = [
            (words, held)
            for words, held in declaration.examples.items()
            if held.get(_PHOTOS, 1) <= photos and held.get(_BOXES, 0) <= boxes
        ]
        if allowed:
            words, held = chance.choice(allowed)
            idea = Idea(declaration.kind, words, _is_special(declaration, held))
            found[declaration.kind].append(idea)
    rows = zip_longest(*(_ordered(of_one_kind, chance) for of_one_kind in found.values()))
    return [idea for row in rows for idea in row if idea is not None]


def _ordered(of_one_kind: list[Idea], chance: random.Random) -> list[Idea]:
    chance.shuffle(of_one_kind)
    plain = [idea for idea in of_one_kind if not idea.is_special]
    return [*plain[:1], *(idea for idea in of_one_kind if idea.is_special), *plain[1:]]


def _is_special(declaration: Declaration, held: Mapping[str, Any]) -> bool:
    target = Target.from_json(held.get("target", {"what": "whole"}))
    is_named = target.what in ("region", "face", "text", "thing")
    return (
        is_named or _PHOTOS in held or (declaration.kind is EditKind.REMOVE and "faces" in declaration.uses)
    )


def suggest_ideas(
    photos: Sequence[str],
    regions: Sequence[Mapping[str, Any]] = (),
    *,
    seed: int,
    enough: int,
    seconds: float,
    analysis_path: str | None = None,
) -> dict[str, list[str]]:
    """Return, by kind, the ideas that visibly change photo 1, special ones first.

    At most `enough` ideas of each kind are returned, and the search stops after `seconds` of CPU time. This
    runs in the sandbox: `photos` are paths, and all other arguments and the result are JSON-safe.
    `analysis_path` is the file of photo 1's analysis, if there is one. Raises PhotoError if a photo cannot be
    read.
    """
    candidates = ideas(photos=len(photos), boxes=len(regions), seed=seed)
    return filter_ideas(
        candidates, photos, regions, enough=enough, seconds=seconds, analysis=load_analysis(analysis_path)
    )


def filter_ideas(
    candidates: Iterable[Idea],
    photos: Sequence[str],
    regions: Sequence[Mapping[str, Any]] = (),
    *,
    enough: int,
    seconds: float,
    analysis: "Analysis | None" = None,
) -> dict[str, list[str]]:
    """Return those of the given ideas that visibly change photo 1. Otherwise, works like `suggest_ideas`."""
    from editor.imaging.codecs import STORED, load

    pictures = [load(path, STORED) for path in photos]
    options = EditOptions(regions=tuple(Region(**region) for region in regions))
    memory: dict[Any, Any] = {}
    found: dict[str, list[str]] = {kind: [] for kind in EditKind}
    until = (time.process_time() + seconds, time.monotonic() + _PATIENCE * seconds)
    for idea in candidates:
        is_late = time.process_time() > until[0] or time.monotonic() > until[1]
        is_wanted = len(found[idea.kind]) < enough and not is_late
        if is_wanted and _changes(idea.words, pictures, options, memory, analysis):
            found[idea.kind].insert(0 if idea.is_special else len(found[idea.kind]), idea.words)
    return found


def _changes(
    words: str,
    pictures: "list[Picture]",
    options: EditOptions,
    memory: dict[Any, Any],
    analysis: "Analysis | None",
) -> bool:
    from editor.engine.language.explain import explain
    from editor.engine.run import carry_out

    plan = explain(words, photos=len(pictures), regions=options.regions)
    try:
        result = carry_out(plan, pictures, options, cache=memory, analysis=analysis)[0]
    except PlanRefused:
        return False
    return _differs(result.pixels, pictures[0].pixels)


def _differs(after: Any, before: Any) -> bool:
    if after.shape != before.shape:
        return True
    off = abs(after.astype("int32") - before.astype("int32")).max(axis=2)
    return bool((off > _SEEN).mean() > _ENOUGH)
