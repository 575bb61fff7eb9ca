"""Versions of a photo: a tree of edits that continue from each other's results."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

from editor.models import Edit, ReferencePhoto, ResultPhoto
from editor.models.edits import EditQuerySet

MAX_DEPTH = 30  # maximum number of edits in a chain from the first photo to the latest result
MAX_VERSIONS = 80


@dataclass
class Version:
    """An edit, and the versions that continue from one of its results, oldest first."""

    edit: Edit
    children: list["Version"] = field(default_factory=list)

    @property
    def photo(self) -> ResultPhoto | None:
        return next(iter(self.edit.results.all()), None)

    def walk(self) -> Iterator["Version"]:
        """Yield this version and all versions that continue from it."""
        yield self
        for version in self.children:
            yield from version.walk()

    @property
    def first_photo(self) -> ReferencePhoto | None:
        return next(iter(self.edit.references.all()), None)


def version_tree(edit: Edit) -> Version | None:
    """Return the tree that contains a finished edit, or None if the tree has only one edit.

    The tree starts at the first edit. Failed edits and edits in the trash are left out, along with everything
    that continues from them. This function uses one query per level of the tree, and the tree stops growing
    at about MAX_VERSIONS edits.
    """
    first = _first_of(edit)
    root = Version(first)
    known = {first.pk: root}
    level = [root]
    while level and len(known) < MAX_VERSIONS:
        level = list(_next(level, known))
    return root if root.children else None


def _first_of(edit: Edit) -> Edit:
    found = edit
    for _ in range(MAX_DEPTH):
        before = _shown(edit).filter(results=found.parent_id).first() if found.parent_id else None
        if before is None:
            break
        found = before
    return found


def _next(level: list[Version], known: dict[uuid.UUID, Version]) -> Iterator[Version]:
    ids = [version.edit.pk for version in level]
    some = level[0].edit
    for edit in (
        _shown(some).filter(parent__edit__in=ids).select_related("parent").order_by("id")[:MAX_VERSIONS]
    ):
        assert edit.parent is not None
        known[edit.pk] = version = Version(edit)
        known[edit.parent.edit_id].children.append(version)
        yield version


def _shown(edit: Edit) -> EditQuerySet:
    edits = Edit.objects.not_in_trash().filter(workspace=edit.workspace_id, state=Edit.State.SUCCESS)
    return edits.select_related("workspace").prefetch_related("results", "references")
