"""The column stays as it is: nodes of the release before read and write it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("editor", "0033_account_time_zone")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("checkup", "told", "notified"),
                migrations.AlterField(
                    "checkup",
                    "notified",
                    models.DateTimeField(blank=True, db_column="told", null=True),
                ),
            ]
        )
    ]
