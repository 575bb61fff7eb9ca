"""Index edits by the row of their engine. PostgreSQL builds these indexes while the site is in use."""

from typing import Any

from django.db import migrations, models


class AddIndexConcurrently(migrations.AddIndex):
    """Adds an index without locking the table. What an interrupted build left behind is replaced."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        how = "CONCURRENTLY " if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP INDEX {how}IF EXISTS {schema_editor.quote_name(self.index.name)}")
        schema_editor.add_index(model, self.index, **({"concurrently": True} if how else {}))


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("editor", "0043_engines_of_old_edits")]

    operations = [
        AddIndexConcurrently(
            model_name="edit",
            index=models.Index(
                condition=models.Q(("state", "QUEUED")),
                fields=["state", "workspace", "owner", "engine", "batch", "due", "created", "claimed"],
                name="waiting_edits_by_turn",
            ),
        ),
        AddIndexConcurrently(
            model_name="edit",
            index=models.Index(
                condition=models.Q(("engine", None)), fields=["id"], name="edits_without_an_engine"
            ),
        ),
        AddIndexConcurrently(
            model_name="edit",
            index=models.Index(fields=["workspace", "engine", "-id"], name="workspace_edits_by_engine"),
        ),
        AddIndexConcurrently(
            model_name="edit", index=models.Index(fields=["engine", "-id"], name="edits_by_engine")
        ),
        migrations.RemoveIndex(model_name="edit", name="edits_of_an_engine"),
        migrations.RemoveIndex(model_name="edit", name="edits_of_a_workspace_by_engine"),
    ]
