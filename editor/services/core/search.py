"""Full-text search: the words of a prompt, and how they are indexed and queried.

Every word is in the index twice: alone, and after its workspace's ID ("17xsky"). Therefore a search in one
workspace reads nothing of the others, even for words that are common there. Words contain only letters and
digits, and queries are built from nothing else.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, Max, OuterRef

from editor.models import Edit, EditWords, WordIndex
from editor.models.edits import EditQuerySet

MAX_WORD_LENGTH = 40
# Maximum number of words in a query. The longest words are kept, because they are the most selective.
MAX_WORDS = 12
EDITS_PER_BATCH = 1000
# A query is common if at least COMMON of the SAMPLE newest edits match it.
SAMPLE, COMMON = 5000, 50
# Characters of scripts without spaces between words. Each of these characters is indexed as a word.
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")
_EACH = {"sqlite": ('"{}"*', " AND "), "postgresql": ("'{}':*", " & ")}


def words_in(text: str) -> list[str]:
    """Return the distinct words of a text, without case and accents, in alphabetical order."""
    folded = _decomposed(_decomposed(text).casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return sorted({word[:MAX_WORD_LENGTH] for word in _WORD.findall(plain)})


def index(edits: Iterable[Edit]) -> None:
    """Add edits to the index. Call it in the transaction that inserts them."""
    EditWords.objects.bulk_create((_row(edit) for edit in edits), batch_size=EDITS_PER_BATCH)


def text_of(prompt: str, workspace_id: int) -> str:
    """Return the text that the index stores for a prompt."""
    words = words_in(prompt)
    return " ".join([*words_of_workspace(words, workspace_id), *words_of_workspace(words, None)])


def words_of_workspace(words: Iterable[str], workspace_id: int | None) -> list[str]:
    """Return the words in the form that the index stores, for one workspace or, with None, for all."""
    scope = "" if workspace_id is None else workspace_id
    return [f"{scope}x{word}" for word in words]


def matching(edits: EditQuerySet, text: str, *, workspace_id: int | None) -> EditQuerySet:
    """Return the edits whose prompts match the text, in this workspace or, with None, in all workspaces.

    A prompt matches if it contains, for each word of the text, a word that begins with it. The edits are
    annotated with their `place` in the index, which increases with time and is the key for paging.
    """
    words = sorted(words_in(text), key=len, reverse=True)[:MAX_WORDS]
    if not words:
        return edits.annotate(place=F("word_index__place")).none()
    each, between = _EACH[connection.vendor]
    query = between.join(each.format(word) for word in words_of_workspace(words, workspace_id))
    return _placed(edits, workspace_id, query).filter(word_index__words__holds=query)


def _placed(edits: EditQuerySet, workspace_id: int | None, query: str) -> EditQuerySet:
    """Annotate the edits with `place`, and order by it in a way that each database can execute fast.

    On PostgreSQL, the index's own workspace column lets a search for a common word walk the index from the
    newest row. A search in all workspaces should do so only for a common query; for others, `+ 0` prevents
    it.
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
    """Yield the edits whose index entry differs from their prompt."""
    for row in EditWords.objects.select_related("edit").iterator(chunk_size=EDITS_PER_BATCH):
        if row.text != text_of(row.edit.prompt, row.edit.workspace_id):
            yield row.edit


def is_index_sound() -> bool:
    """Check whether the index agrees with its rows.

    Only SQLite needs this check, because PostgreSQL maintains its index by itself.
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


def _row(edit: Edit) -> EditWords:
    text = text_of(edit.prompt, edit.workspace_id)
    return EditWords(edit=edit, workspace_id=edit.workspace_id, text=text)


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)
