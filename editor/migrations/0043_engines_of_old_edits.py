"""Give old edits, and the health of their engines, the row of their engine.

Edits that nodes of the release before submit meanwhile get theirs from `engines.assign_engines`.
"""

from typing import Any

from django.db import migrations

EDITS_PER_BATCH = 250  # An update of more takes too long on a busy machine.


def assign_engines(apps: Any, schema_editor: Any) -> None:
    edits, engines, healths = (
        apps.get_model("editor", name).objects.using(schema_editor.connection.alias)
        for name in ("Edit", "Engine", "ProviderHealth")
    )
    rows: dict[tuple[str, str], int] = {}
    some = _first_of(edits)
    while some:
        for place in {(provider, base_url) for _, provider, base_url in some}:
            ids = [edit_id for edit_id, *columns in some if tuple(columns) == place]
            edits.filter(pk__in=ids, engine=None).update(engine_id=_row(engines, rows, place))
        some = _first_of(edits.filter(id__gt=some[-1][0]))
    for health in list(healths.filter(engine=None)):
        healths.filter(pk=health.pk).update(engine_id=_row(engines, rows, (health.provider, health.base_url)))


def _first_of(edits: Any) -> list[tuple[Any, str, str]]:
    return list(edits.order_by("id").values_list("id", "provider", "base_url")[:EDITS_PER_BATCH])


def _row(engines: Any, rows: dict[tuple[str, str], int], place: tuple[str, str]) -> int:
    """Return the ID of the engine at this address. It is off until the site starts with it."""
    if place not in rows:
        provider, base_url = place
        columns = {"runs_here": not base_url, "is_external": bool(base_url)}
        identity = {"name": provider, "provider": provider, "base_url": base_url}
        rows[place] = engines.get_or_create(**identity, defaults=columns)[0].pk
    return rows[place]


class Migration(migrations.Migration):
    atomic = False  # no lock is held longer than a batch takes: the site may be in use

    dependencies = [("editor", "0042_engines")]

    operations = [migrations.RunPython(assign_engines, migrations.RunPython.noop)]
