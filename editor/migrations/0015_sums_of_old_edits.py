"""What old edits have spent in their months, and the sums of the days on which they ended."""

import math
from collections import Counter

from django.db import migrations
from django.db.models import DateField, Sum
from django.db.models.functions import TruncMonth

_MEASURES = ("edits", "successes", "failures", "credits", "pace")
_FACTS = ("workspace_id", "owner_id", "api_key_id", "provider", "plan", "state", "price", "created", "finished")


def _rows(apps, schema_editor, model):
    return apps.get_model("editor", model).objects.using(schema_editor.connection.alias)


def fill_spendings(apps, schema_editor):
    edits, spendings = _rows(apps, schema_editor, "Edit"), _rows(apps, schema_editor, "Spending")
    kept = edits.exclude(state__in=["FAILED", "CANCELLED"]).order_by()
    kept = kept.annotate(month=TruncMonth("created", output_field=DateField()))
    for some, by in ((kept, ()), (kept.exclude(api_key=None), ("api_key",))):
        groups = some.values_list("workspace", "owner", "month", *by).annotate(Sum("price"))
        spendings.bulk_create(
            (
                spendings.model(
                    workspace_id=workspace, user_id=user, month=month, key_id=(key or [None])[0], amount=price
                )
                for workspace, user, month, *key, price in groups
            ),
            batch_size=1000,
        )


def fill_usage(apps, schema_editor):
    edits, usage = _rows(apps, schema_editor, "Edit"), _rows(apps, schema_editor, "DailyUsage")
    sums = {}
    ended = edits.exclude(finished=None).values(*_FACTS)
    for edit in ended.iterator(chunk_size=2000):
        for axis, name in _names(edit):
            group = (edit["workspace_id"], edit["finished"].date(), axis, name)
            sums.setdefault(group, Counter()).update(_added(edit))
    usage.bulk_create(
        (
            usage.model(
                workspace_id=workspace,
                day=day,
                axis=axis,
                name=name,
                **{measure: added[measure] for measure in _MEASURES},
            )
            for (workspace, day, axis, name), added in sums.items()
        ),
        batch_size=1000,
    )


def _names(edit):
    kinds = {step["kind"] for step in (edit["plan"] or {}).get("steps", [])}
    yield "person", str(edit["owner_id"])
    yield "engine", edit["provider"]
    yield "kind", kinds.pop() if len(kinds) == 1 else "several" if kinds else "unknown"
    if edit["api_key_id"] is not None:
        yield "key", str(edit["api_key_id"])


def _added(edit):
    if edit["state"] != "SUCCESS":
        return {"edits": 1, "failures": int(edit["state"] == "FAILED")}
    seconds = max(0.05, (edit["finished"] - edit["created"]).total_seconds())
    return {"edits": 1, "successes": 1, "credits": edit["price"], "pace": round(1000 * math.log(seconds))}


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0014_purse_of_a_team"),
    ]

    operations = [
        migrations.RunPython(fill_spendings, migrations.RunPython.noop),
        migrations.RunPython(fill_usage, migrations.RunPython.noop),
    ]
