"""The versions of a photo: edits that continue a result of another, as a tree from the first photo on."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

from editor.models import Edit, ReferencePhoto, ResultPhoto
from editor.models.edits import EditQuerySet

DEEPEST = 30  # edits from the first photo to the last
MOST = 80


@dataclass
class Version:
    """An edit, and those that continue one of its results, the oldest first."""

    edit: Edit
    later: list["Version"] = field(default_factory=list)

    @property
    def photo(self) -> ResultPhoto | None:
        return next(iter(self.edit.results.all()), None)

    def all(self) -> Iterator["Version"]:
        """It and all that continue it."""
        yield self
        for version in self.later:
            yield from version.all()

    @property
    def began_with(self) -> ReferencePhoto | None:
        return next(iter(self.edit.references.all()), None)


def versions_of(edit: Edit) -> Version | None:
    """The tree that a finished edit stands in, from its first edit on; None when it stands alone. What failed
    or lies in the trash is left out with all that continues it. It takes a query for each step of its
    longest line, and MOST edits."""
    first = _first_of(edit)
    root = Version(first)
    known = {first.pk: root}
    level = [root]
    while level and len(known) < MOST:
        level = list(_next(level, known))
    return root if root.later else None


def _first_of(edit: Edit) -> Edit:
    found = edit
    for _ in range(DEEPEST):
        before = _shown(edit).filter(results=found.parent_id).first() if found.parent_id else None
        if before is None:
            break
        found = before
    return found


def _next(level: list[Version], known: dict[uuid.UUID, Version]) -> Iterator[Version]:
    ids = [version.edit.pk for version in level]
    some = level[0].edit
    for edit in _shown(some).filter(parent__edit__in=ids).select_related("parent").order_by("id")[:MOST]:
        assert edit.parent is not None
        known[edit.pk] = version = Version(edit)
        known[edit.parent.edit_id].later.append(version)
        yield version


def _shown(edit: Edit) -> EditQuerySet:
    edits = Edit.objects.shown().filter(workspace=edit.workspace_id, state=Edit.State.SUCCESS)
    return edits.select_related("workspace").prefetch_related("results", "references")
