"""Full-text search: how the words in prompts and photo names are indexed and queried.

Every word is in the index twice: by itself, and preceded by its workspace's ID ("17xsky"). Therefore, a
search in one workspace reads no entries from other workspaces, even if a word is common there. Words contain
only letters and digits, and queries are built from such words only.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, Max, OuterRef

from editor.models import Edit, EditWords, ReferencePhoto, WordIndex
from editor.models.edits import EditQuerySet
from editor.models.photos import stem_of

MAX_WORD_LENGTH = 40
# Maximum number of words in a query. The longest words are kept, because they are the most selective.
MAX_WORDS = 12
EDITS_PER_BATCH = 1000
# A query is common if at least COMMON of the SAMPLE newest edits match it.
SAMPLE, COMMON = 5000, 50
# Characters from scripts that do not put spaces between words. Each of these characters is indexed as a word.
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")
_EACH = {"sqlite": ('"{}"*', " AND "), "postgresql": ("'{}':*", " & ")}


def words_in(text: str) -> list[str]:
    """Return the distinct words in a text, in alphabetical order. Ignores case and accents."""
    folded = _decomposed(_decomposed(text).casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return sorted({word[:MAX_WORD_LENGTH] for word in _WORD.findall(plain)})


def index(edits: Iterable[Edit]) -> None:
    """Add edits to the index. Call this function in the transaction that inserts them and their photos."""
    for some in batched(edits, EDITS_PER_BATCH, strict=False):
        EditWords.objects.bulk_create(
            EditWords(edit=edit, workspace_id=edit.workspace_id, text=text)
            for edit, text in zip(some, _texts_of(some), strict=True)
        )


def index_again(edit: Edit) -> None:
    """Update the index entry of an edit after photos were added to the edit."""
    EditWords.objects.filter(edit=edit).update(text=_texts_of([edit])[0])


def text_of(written: str, workspace_id: int) -> str:
    """Return the text that the index stores for a prompt and its photos' names."""
    words = words_in(written)
    return " ".join([*words_of_workspace(words, workspace_id), *words_of_workspace(words, None)])


def words_of_workspace(words: Iterable[str], workspace_id: int | None) -> list[str]:
    """Return the words as the index stores them, for one workspace or, if None, for all workspaces."""
    scope = "" if workspace_id is None else workspace_id
    return [f"{scope}x{word}" for word in words]


def matching(edits: EditQuerySet, text: str, *, workspace_id: int | None) -> EditQuerySet:
    """Return the edits that match the text in this workspace, or in all workspaces if the ID is None.

    An edit matches if each word in the text is the beginning of a word in its prompt or in its photos' names.
    The edits are annotated with their `place` in the index, which increases over time and is the key for
    paging.
    """
    words = sorted(words_in(text), key=len, reverse=True)[:MAX_WORDS]
    if not words:
        return edits.annotate(place=F("word_index__place")).none()
    each, between = _EACH[connection.vendor]
    query = between.join(each.format(word) for word in words_of_workspace(words, workspace_id))
    return _placed(edits, workspace_id, query).filter(word_index__words__holds=query)


def _placed(edits: EditQuerySet, workspace_id: int | None, query: str) -> EditQuerySet:
    """Annotate the edits with `place`, and order them by `place` in a way that is fast on each database.

    PostgreSQL's index has a workspace column. Therefore, a search for a common word in one workspace can read
    the index backward from the newest row. A search in all workspaces should do so only if the query is
    common. For other queries, `+ 0` prevents it.
    """
    is_postgresql = connection.vendor == "postgresql"
    place = F("word_index__place")
    if workspace_id is None:
        is_walked = not is_postgresql or _is_common(query)
        return edits.annotate(place=place if is_walked else place + 0).order_by("-place")
    of_workspace = {"word_index__workspace_id" if is_postgresql else "workspace_id": workspace_id}
    return edits.annotate(place=place).filter(**of_workspace).order_by("-place")


def _is_common(query: str) -> bool:
    """Check whether at least 1 in 100 of the newest edits matches the query."""
    newest = (WordIndex.objects.aggregate(newest=Max("place"))["newest"] or 0) - SAMPLE
    holding = WordIndex.objects.filter(place__gt=newest, words__holds=query).values_list("place")
    return len(holding[:COMMON]) == COMMON


def unindexed() -> Iterator[Edit]:
    """Yield the edits that have a prompt but are missing from the index. Purged edits have no prompt."""
    return (
        Edit.objects.exclude(prompt="")
        .exclude(Exists(EditWords.objects.filter(edit=OuterRef("pk"))))
        .iterator()
    )


def misindexed() -> Iterator[Edit]:
    """Yield the edits whose index entry does not match their prompt and their photos' names.

    The names may be missing, because the previous release indexed only prompts.
    """
    rows = EditWords.objects.select_related("edit").iterator(chunk_size=EDITS_PER_BATCH)
    for some in batched(rows, EDITS_PER_BATCH, strict=False):
        for row, text in zip(some, _texts_of([row.edit for row in some]), strict=True):
            if row.text not in (text, text_of(row.edit.prompt, row.edit.workspace_id)):
                yield row.edit


def is_index_sound() -> bool:
    """Check whether the index is consistent with its rows.

    Only SQLite needs this check, because PostgreSQL maintains the index automatically.
    """
    if connection.vendor != "sqlite":
        return True
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO editor_wordindex (editor_wordindex, rank) VALUES ('integrity-check', 1)"
            )
    except DatabaseError:
        return False
    return True


def _texts_of(edits: Sequence[Edit]) -> list[str]:
    """Return the texts that the index stores for these edits, in the same order."""
    names = defaultdict(list)
    photos = ReferencePhoto.objects.filter(edit__in=[edit.pk for edit in edits])
    for edit_id, name in photos.values_list("edit_id", "name"):
        names[edit_id].append(stem_of(name))
    return [text_of(" ".join([edit.prompt, *names[edit.pk]]), edit.workspace_id) for edit in edits]


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)
