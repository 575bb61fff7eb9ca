"""Each old entry gets the balance after it, in the order of ids within its workspace. Entries are never
changed, so the trigger that says so steps aside, and is put back in the same transaction."""

from django.db import migrations

_TRIGGER = "credit_entry_is_not_changed"
_DEFINITION = {
    "sqlite": "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = %s",
    "postgresql": "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = %s AND NOT tgisinternal",
}
_DROP = {
    "sqlite": f"DROP TRIGGER {_TRIGGER}",
    "postgresql": f"DROP TRIGGER {_TRIGGER} ON editor_creditentry",
}
_FILL = """
    UPDATE editor_creditentry SET balance = said.balance
    FROM (
        SELECT id, SUM(
            CASE WHEN kind = 'capture' THEN -amount WHEN kind IN ('hold', 'release') THEN 0 ELSE amount END
        ) OVER (PARTITION BY workspace_id ORDER BY id) AS balance
        FROM editor_creditentry
    ) AS said
    WHERE said.id = editor_creditentry.id
"""


def fill(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute(_DEFINITION[connection.vendor], [_TRIGGER])
        # A database that is made anew has no triggers before its migrations are done, and no entries.
        definitions = [row[0] for row in cursor.fetchall()]
        for _ in definitions:
            cursor.execute(_DROP[connection.vendor])
        cursor.execute(_FILL)
        for definition in definitions:
            cursor.execute(definition)


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0006_entry_balance"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
