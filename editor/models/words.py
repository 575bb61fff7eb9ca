"""The words of prompts, and the index that finds edits by them: FTS5 on SQLite, GIN on PostgreSQL."""

from typing import Any, ClassVar

from django.db import models

from editor.models.edits import Edit


class EditWords(models.Model):
    """The words of one edit's prompt, as `services.core.search` folds them, between spaces."""

    edit = models.OneToOneField(Edit, on_delete=models.CASCADE, related_name="words")
    workspace = models.ForeignKey(
        "editor.Workspace", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    text = models.TextField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["workspace", "-id"], name="words_of_a_workspace")]

    def __str__(self) -> str:
        return f"words of {self.edit}"


class WordsField(models.TextField[str, str]):
    """All words of a row; only `__holds` asks anything of it."""


@WordsField.register_lookup
class Holds(models.Lookup[str]):
    """Rows that hold every word of a query in the index's own language."""

    lookup_name = "holds"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        words, first = self.process_lhs(compiler, connection)
        query, second = self.process_rhs(compiler, connection)
        operator = "@@" if connection.vendor == "postgresql" else "MATCH"
        cast = "::tsquery" if connection.vendor == "postgresql" else ""
        return f"{words} {operator} {query}{cast}", (*first, *second)


class WordIndex(models.Model):
    """The index itself, made by a migration: an FTS5 table over EditWords on SQLite; on PostgreSQL a view of
    its column with a GIN index. `place` is the id there: later edits stand higher."""

    place = models.BigIntegerField(primary_key=True, db_column="rowid")
    edit = models.OneToOneField(Edit, on_delete=models.DO_NOTHING, related_name="word_index")
    workspace_id = models.BigIntegerField()
    words = WordsField(db_column="editor_wordindex")  # FTS5 calls all columns of a row by the table's name

    class Meta:
        managed = False
        db_table = "editor_wordindex"

    def __str__(self) -> str:
        return f"place {self.place}"
