"""Add the names of photos to the search index.

The previous release may still run and index only prompts. Its edits are found by their prompts alone.
"""

from collections import defaultdict
from typing import Any

from django.db import migrations, transaction

from editor.services.search import text_of

EDITS_PER_BATCH = 250  # A query for more takes too long on a busy machine.


def add_names(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    words = apps.get_model("editor", "EditWords").objects.using(alias)
    photos = apps.get_model("editor", "ReferencePhoto").objects.using(alias).exclude(name="")
    some = _ids_after(words, 0)
    while some:
        with transaction.atomic(using=alias):
            rows = list(words.filter(pk__in=some).select_related("edit"))
            names = defaultdict(list)
            named = photos.filter(edit__in=[row.edit_id for row in rows]).order_by("position")
            for edit_id, name in named.values_list("edit_id", "name"):
                names[edit_id].append(name.rpartition(".")[0] or name)
            changed = [row for row in rows if row.edit_id in names]
            for row in changed:
                row.text = text_of(" ".join([row.edit.prompt, *names[row.edit_id]]), row.workspace_id)
            words.bulk_update(changed, ["text"], batch_size=100)
        some = _ids_after(words, some[-1])
    if schema_editor.connection.vendor == "sqlite":
        # The triggers that keep the index up to date may be missing until the end of all migrations.
        schema_editor.execute("INSERT INTO editor_wordindex (editor_wordindex) VALUES ('rebuild')")


def _ids_after(words: Any, last: int) -> list[int]:
    return list(words.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:EDITS_PER_BATCH])


class Migration(migrations.Migration):
    atomic = False  # No lock is held longer than a batch takes, because the site may be in use.

    dependencies = [("editor", "0045_points")]

    operations = [migrations.RunPython(add_names, migrations.RunPython.noop)]
