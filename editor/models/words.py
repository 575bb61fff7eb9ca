"""The words in prompts, and the full-text index over them: FTS5 on SQLite, GIN on PostgreSQL."""

from typing import Any, ClassVar

from django.db import models

from editor.models.edits import Edit


class EditWords(models.Model):
    """The words in one edit's prompt, separated by spaces and normalized by `services.core.search`."""

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
    """A column that contains all of a row's words and supports only the `__holds` lookup."""


@WordsField.register_lookup
class Holds(models.Lookup[str]):
    """A lookup for rows that match a query in the language of the database's full-text index."""

    lookup_name = "holds"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        words, first = self.process_lhs(compiler, connection)
        query, second = self.process_rhs(compiler, connection)
        operator = "@@" if connection.vendor == "postgresql" else "MATCH"
        cast = "::tsquery" if connection.vendor == "postgresql" else ""
        return f"{words} {operator} {query}{cast}", (*first, *second)


class WordIndex(models.Model):
    """The full-text index, created by a migration.

    On SQLite, it is an FTS5 table over EditWords. On PostgreSQL, it is a view of EditWords whose text column
    has a GIN index. `place` is the row's ID in EditWords and is higher for later edits.
    """

    place = models.BigIntegerField(primary_key=True, db_column="rowid")
    edit = models.OneToOneField(Edit, on_delete=models.DO_NOTHING, related_name="word_index")
    workspace_id = models.BigIntegerField()
    # An FTS5 table has a hidden column that has the same name as the table and represents all of a row's
    # columns.
    words = WordsField(db_column="editor_wordindex")

    class Meta:
        managed = False
        db_table = "editor_wordindex"

    def __str__(self) -> str:
        return f"place {self.place}"
