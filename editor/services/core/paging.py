"""Lists by key, the newest first: a page costs the same wherever it lies, and nothing is counted."""

from dataclasses import dataclass

from django.db.models import Model, QuerySet, UUIDField

from editor.models.ids import read_number, read_uuid


@dataclass(frozen=True)
class Page[M: Model]:
    """The rows of one page. `newer` is the key to ask `after`, `older` the one to ask `before`; each is
    empty where nothing lies."""

    rows: list[M]
    newer: str = ""
    older: str = ""


def page_by_key[M: Model](
    rows: QuerySet[M], *, size: int, before: str = "", after: str = "", key: str = "pk"
) -> Page[M]:
    """The `size` rows older than the key `before`, or newer than `after`; else, and for a key that is none,
    the newest. `key` names the column that says what is newer: ids of 64 bits or of version 7."""
    rows = rows.order_by(f"-{key}")
    if is_key(rows, before, key):
        return _older(rows, before, size, key)
    if is_key(rows, after, key):
        nearest = rows.filter(**{f"{key}__gt": after}).order_by(key)
        found = list(nearest[: size + 1])
        if len(found) > size:
            shown = found[:size][::-1]
            return Page(shown, newer=_key_of(shown[0], key), older=_key_of(shown[-1], key))
    # Fewer rows than a page are newer: then the newest page shows them all.
    return _older(rows, "", size, key)


def is_key(rows: QuerySet[Model], text: str, key: str = "pk") -> bool:
    """Whether this text can be a key of these rows."""
    is_uuid = key == "pk" and isinstance(rows.model._meta.pk, UUIDField)
    return bool(read_uuid(text) if is_uuid else read_number(text))


def _older[M: Model](rows: QuerySet[M], before: str, size: int, key: str) -> Page[M]:
    found = list((rows.filter(**{f"{key}__lt": before}) if before else rows)[: size + 1])
    shown = found[:size]
    return Page(
        shown,
        newer=_key_of(shown[0], key) if before and shown else "",
        older=_key_of(shown[-1], key) if len(found) > size else "",
    )


def _key_of(row: Model, key: str) -> str:
    return str(getattr(row, key))
