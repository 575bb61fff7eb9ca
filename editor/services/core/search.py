"""Edits found by the words of their prompts: which words there are, and how they are kept and asked for.

Every word stands in the index twice, alone and behind its workspace's number ("17xsky"): so a search in one
workspace reads nothing of the others, however common its words are there. Words are letters and digits alone,
and no query is ever made of anything else.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, Max, OuterRef

from editor.models import Edit, EditWords, WordIndex
from editor.models.edits import EditQuerySet

LONGEST_WORD = 40
MOST_WORDS = 12  # of a query: the longest ones, which say most
EDITS_PER_BATCH = 1000
SAMPLE, COMMON = 5000, 50  # of so many newest edits so many hold a query that is common
# Scripts without spaces between words are found by their characters.
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")
_EACH = {"sqlite": ('"{}"*', " AND "), "postgresql": ("'{}':*", " & ")}


def words_in(text: str) -> list[str]:
    """The different words of a text, without case and accents, in alphabetical order."""
    folded = _decomposed(_decomposed(text).casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return sorted({word[:LONGEST_WORD] for word in _WORD.findall(plain)})


def index(edits: Iterable[Edit]) -> None:
    """Makes edits findable. Belongs in the transaction that inserts them."""
    EditWords.objects.bulk_create((_row(edit) for edit in edits), batch_size=EDITS_PER_BATCH)


def text_of(prompt: str, workspace_id: int) -> str:
    """What the index keeps of a prompt."""
    words = words_in(prompt)
    return " ".join([*words_of_workspace(words, workspace_id), *words_of_workspace(words, None)])


def words_of_workspace(words: Iterable[str], workspace_id: int | None) -> list[str]:
    """The words as the index has them, for one workspace or for all."""
    scope = "" if workspace_id is None else workspace_id
    return [f"{scope}x{word}" for word in words]


def matching(edits: EditQuerySet, text: str, *, workspace_id: int | None) -> EditQuerySet:
    """Those of the edits that lie in this workspace, or anywhere, and whose prompt has, for every word of the
    text, a word that begins so. They carry their `place`, which rises with their time: lists of them are kept
    by it."""
    words = sorted(words_in(text), key=len, reverse=True)[:MOST_WORDS]
    if not words:
        return edits.annotate(place=F("word_index__place")).none()
    each, between = _EACH[connection.vendor]
    query = between.join(each.format(word) for word in words_of_workspace(words, workspace_id))
    return _placed(edits, workspace_id, query).filter(word_index__words__holds=query)


def _placed(edits: EditQuerySet, workspace_id: int | None, query: str) -> EditQuerySet:
    """PostgreSQL is told the workspace by the index's own column: of a word that every other prompt has, it
    finds the newest from the newest on. Through all workspaces it must look that way for words that are
    common, and for no others (so the + 0)."""
    is_postgresql = connection.vendor == "postgresql"
    place = F("word_index__place")
    if workspace_id is None:
        is_walked = not is_postgresql or _is_common(query)
        return edits.annotate(place=place if is_walked else place + 0).order_by("-place")
    of_workspace = {"word_index__workspace_id" if is_postgresql else "workspace_id": workspace_id}
    return edits.annotate(place=place).filter(**of_workspace).order_by("-place")


def _is_common(query: str) -> bool:
    """Whether one in a hundred of the newest edits holds the query."""
    newest = (WordIndex.objects.aggregate(newest=Max("place"))["newest"] or 0) - SAMPLE
    holding = WordIndex.objects.filter(place__gt=newest, words__holds=query).values_list("place")
    return len(holding[:COMMON]) == COMMON


def unindexed() -> Iterator[Edit]:
    """Edits that no search finds, though they have a prompt: one that was purged has none."""
    return (
        Edit.objects.exclude(prompt="")
        .exclude(Exists(EditWords.objects.filter(edit=OuterRef("pk"))))
        .iterator()
    )


def misindexed() -> Iterator[Edit]:
    """Edits that are found by other words than their prompt's."""
    for row in EditWords.objects.select_related("edit").iterator(chunk_size=EDITS_PER_BATCH):
        if row.text != text_of(row.edit.prompt, row.edit.workspace_id):
            yield row.edit


def is_index_sound() -> bool:
    """Whether the index holds what its rows say. PostgreSQL sees to that itself."""
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
