"""The words of prompts, and the index over them in the database's own way; the next migration fills it."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import editor.models.words

FTS5 = [
    "CREATE VIRTUAL TABLE editor_wordindex USING fts5(edit_id UNINDEXED, workspace_id UNINDEXED, text, "
    "content='editor_editwords', content_rowid='id', detail='none', tokenize='ascii')",
]
# An array of words, since its own parser would take them apart. Every insert pays for its own place: a
# search never waits for a list of pending ones.
GIN = [
    "ALTER TABLE editor_editwords ADD COLUMN vector tsvector "
    "GENERATED ALWAYS AS (array_to_tsvector(string_to_array(text, ' '))) STORED",
    "CREATE INDEX edit_words_by_word ON editor_editwords USING gin (vector) WITH (fastupdate = off)",
    "CREATE VIEW editor_wordindex AS SELECT id AS rowid, edit_id, workspace_id, vector AS editor_wordindex "
    "FROM editor_editwords",
]
MAKE = {"sqlite": FTS5, "postgresql": GIN}
UNMAKE = {
    "sqlite": ["DROP TABLE editor_wordindex"],
    "postgresql": ["DROP VIEW editor_wordindex"],  # column and index go with the table
}


def make_index(apps: Any, schema_editor: Any) -> None:
    for statement in MAKE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unmake_index(apps: Any, schema_editor: Any) -> None:
    for statement in UNMAKE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("editor", "0008_every_entry_has_its_balance")]

    operations = [
        migrations.CreateModel(
            name="EditWords",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="editor.workspace",
                    ),
                ),
                ("text", models.TextField()),
                (
                    "edit",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="words", to="editor.edit"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            "EditWords", models.Index(fields=["workspace", "-id"], name="words_of_a_workspace")
        ),
        migrations.CreateModel(
            name="WordIndex",
            fields=[
                ("place", models.BigIntegerField(db_column="rowid", primary_key=True, serialize=False)),
                ("workspace_id", models.BigIntegerField()),
                ("words", editor.models.words.WordsField(db_column="editor_wordindex")),
            ],
            options={"db_table": "editor_wordindex", "managed": False},
        ),
        migrations.RunPython(make_index, unmake_index),
    ]
