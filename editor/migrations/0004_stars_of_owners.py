"""A star that stood on an edit becomes its owner's."""

from typing import Any

from django.db import migrations

AT_ONCE = 1000


def stars_become_rows(apps: Any, schema_editor: Any) -> None:
    edits = apps.get_model("editor", "Edit").objects.using(schema_editor.connection.alias)
    favorites = apps.get_model("editor", "Favorite").objects.using(schema_editor.connection.alias)
    starred = edits.filter(favourite=True).values_list("owner_id", "id", "created")
    rows = [
        favorites.model(user_id=owner, edit_id=edit, created=created)
        for owner, edit, created in starred.iterator(chunk_size=AT_ONCE)
    ]
    favorites.bulk_create(rows, batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("editor", "0003_favorite")]

    operations = [migrations.RunPython(stars_become_rows, migrations.RunPython.noop)]
