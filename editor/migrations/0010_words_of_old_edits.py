"""Edits of before become findable, in the order of their time."""

from itertools import batched
from typing import Any

from django.db import migrations

from editor.services.search import text_of

AT_ONCE = 1000


def index_all(apps: Any, schema_editor: Any) -> None:
    connection = schema_editor.connection
    edits = apps.get_model("editor", "Edit").objects.using(connection.alias)
    words = apps.get_model("editor", "EditWords")
    rows = (
        words(edit_id=edit, workspace_id=workspace, text=text_of(prompt, workspace))
        for edit, prompt, workspace in edits.order_by("id")
        .values_list("id", "prompt", "workspace_id")
        .iterator(chunk_size=AT_ONCE)
    )
    for some in batched(rows, AT_ONCE, strict=False):
        words.objects.using(connection.alias).bulk_create(some)
    if connection.vendor == "sqlite":
        schema_editor.execute("INSERT INTO editor_wordindex (editor_wordindex) VALUES ('rebuild')")


def forget_all(apps: Any, schema_editor: Any) -> None:
    apps.get_model("editor", "EditWords").objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):
    dependencies = [("editor", "0009_edit_words")]

    operations = [migrations.RunPython(index_all, forget_all)]
