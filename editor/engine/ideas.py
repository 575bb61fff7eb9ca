"""Ideas: the operations' own examples, and which of them would do something for a photo, by trying them."""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from editor.engine.catalog import Declaration, catalog
from editor.engine.plan import Target
from editor.engine.refused import Refused
from editor.options import EditKind, EditOptions, Region

if TYPE_CHECKING:
    from editor.imaging.picture import Picture

_SEEN = 8  # levels of 255
_ENOUGH = 0.0005  # of the photo
_PATIENCE = 3  # seconds on the clock for each second of work: the machine has other work, too
_PHOTOS = "photos"  # the key of an example for how many photos it needs
_BOXES = "boxes"  # the key of an example for how many boxes it needs


class Idea(NamedTuple):
    """An instruction and its kind; `is_special` when it speaks of a box, of another photo, or of something
    that may be on photo 1 and may not."""

    kind: EditKind
    words: str
    is_special: bool


def ideas(*, photos: int, boxes: int, seed: int) -> list[Idea]:
    """What so many photos and boxes allow, an example of each operation, by turns of each kind, in an order
    by the seed: a plain one, then the special ones, then the others."""
    chance = random.Random(seed)  # noqa: S311 (an order, no secret)
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
    rows = zip_longest(*(_ordered(told, chance) for told in found.values()))
    return [idea for row in rows for idea in row if idea is not None]


def _ordered(told: list[Idea], chance: random.Random) -> list[Idea]:
    chance.shuffle(told)
    plain = [idea for idea in told if not idea.is_special]
    return [*plain[:1], *(idea for idea in told if idea.is_special), *plain[1:]]


def _is_special(declaration: Declaration, held: Mapping[str, Any]) -> bool:
    target = Target.from_json(held.get("target", {"what": "whole"}))
    is_named = target.what in ("region", "face", "text", "thing")
    return (
        is_named or _PHOTOS in held or (declaration.kind is EditKind.REMOVE and "faces" in declaration.uses)
    )


def tried(
    photos: Sequence[str],
    regions: Sequence[Mapping[str, Any]] = (),
    *,
    seed: int,
    enough: int,
    seconds: float,
) -> dict[str, list[str]]:
    """By kind, the ideas that change what photo 1 shows, the special ones first: `enough` of each kind, or
    what so many seconds of work have found. For the sandbox: `photos` are paths, all else is JSON-safe.
    Raises PhotoError."""
    told = ideas(photos=len(photos), boxes=len(regions), seed=seed)
    return changing(told, photos, regions, enough=enough, seconds=seconds)


def changing(
    told: Iterable[Idea],
    photos: Sequence[str],
    regions: Sequence[Mapping[str, Any]] = (),
    *,
    enough: int,
    seconds: float,
) -> dict[str, list[str]]:
    """As `tried`, of these ideas."""
    from editor.imaging.codecs import STORED, load

    pictures = [load(path, STORED) for path in photos]
    options = EditOptions(regions=tuple(Region(**region) for region in regions))
    memory: dict[Any, Any] = {}
    found: dict[str, list[str]] = {kind: [] for kind in EditKind}
    until = (time.process_time() + seconds, time.monotonic() + _PATIENCE * seconds)
    for idea in told:
        is_late = time.process_time() > until[0] or time.monotonic() > until[1]
        is_wanted = len(found[idea.kind]) < enough and not is_late
        if is_wanted and _changes(idea.words, pictures, options, memory):
            found[idea.kind].insert(0 if idea.is_special else len(found[idea.kind]), idea.words)
    return found


def _changes(words: str, pictures: "list[Picture]", options: EditOptions, memory: dict[Any, Any]) -> bool:
    from editor.engine.language.explain import explain
    from editor.engine.run import carry_out

    plan = explain(words, photos=len(pictures), regions=options.regions)
    try:
        made = carry_out(plan, pictures, options, memory=memory)[0]
    except Refused:
        return False
    return _differs(made.pixels, pictures[0].pixels)


def _differs(made: Any, before: Any) -> bool:
    if made.shape != before.shape:
        return True
    off = abs(made.astype("int32") - before.astype("int32")).max(axis=2)
    return bool((off > _SEEN).mean() > _ENOUGH)
