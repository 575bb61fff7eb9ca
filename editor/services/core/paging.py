"""Key-based pagination, newest rows first.

Loading a page takes the same time no matter how far down the list it is, and rows are never counted.
"""

from dataclasses import dataclass

from django.db.models import Model, QuerySet, UUIDField

from editor.models.ids import parse_number, parse_uuid


@dataclass(frozen=True)
class Page[M: Model]:
    """The rows on one page.

    To get the next newer rows, pass `newer` as `after`. To get the next older rows, pass `older` as `before`.
    A key is empty if there are no such rows.
    """

    rows: list[M]
    newer: str = ""
    older: str = ""


def page_by_key[M: Model](
    rows: QuerySet[M], *, size: int, before: str = "", after: str = "", key: str = "pk"
) -> Page[M]:
    """Return the next `size` rows that are older than the key `before`, or newer than the key `after`.

    Without a valid key, returns the newest rows. `key` names the column that defines the order: a 64-bit ID
    or a version 7 UUID.
    """
    rows = rows.order_by(f"-{key}")
    if is_key(rows, before, key):
        return _older(rows, before, size, key)
    if is_key(rows, after, key):
        nearest = rows.filter(**{f"{key}__gt": after}).order_by(key)
        found = list(nearest[: size + 1])
        if len(found) > size:
            shown = found[:size][::-1]
            return Page(shown, newer=_key_of(shown[0], key), older=_key_of(shown[-1], key))
    # There are too few newer rows to fill a page, so return the newest page, which contains all of them.
    return _older(rows, "", size, key)


def is_key(rows: QuerySet[Model], text: str, key: str = "pk") -> bool:
    """Check whether this text is a possible key for these rows."""
    is_uuid = key == "pk" and isinstance(rows.model._meta.pk, UUIDField)
    return bool(parse_uuid(text) if is_uuid else parse_number(text))


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
