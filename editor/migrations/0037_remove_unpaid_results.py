"""Remove the results of edits that ended uncharged: until now such edits kept what was stored before their end.

Only rows are removed. `photos.remove_orphans` removes their files within the next two hours, as it does for any
file that no row names.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.db import migrations, transaction

EDITS_PER_BATCH = 1000


def remove_unpaid_results(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    results, drafts, edits = (
        apps.get_model("editor", name).objects.using(alias) for name in ("ResultPhoto", "DraftPhoto", "Edit")
    )
    for unpaid in chain(_batches(edits, "CANCELLED"), _batches(edits, "FAILED")):
        with transaction.atomic(using=alias):
            removed = list(results.filter(edit__in=unpaid).values_list("pk", flat=True))
            if removed:
                # What continued such a result has a copy of its own.
                drafts.filter(parent__in=removed).update(parent=None)
                edits.filter(parent__in=removed).update(parent=None)
                results.filter(pk__in=removed).delete()


def _batches(edits: Any, state: str) -> Iterator[list[Any]]:
    """Yield the IDs of the unpaid edits of this state, along the index `edits_by_state`."""
    ended = edits.filter(state=state).order_by("-id").values_list("id", "failure_code")
    some = list(ended[:EDITS_PER_BATCH])
    while some:
        yield [edit_id for edit_id, code in some if code != "incomplete"]
        some = list(ended.filter(id__lt=some[-1][0])[:EDITS_PER_BATCH])


class Migration(migrations.Migration):
    atomic = False  # no lock is held longer than a batch takes: the site may be in use

    dependencies = [("editor", "0036_history_by_kind")]

    operations = [migrations.RunPython(remove_unpaid_results, migrations.RunPython.noop)]
