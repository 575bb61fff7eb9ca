"""Owners can exclude external engines from their workspace. Older code omits the new column."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("editor", "0048_engine_of_a_recipe")]

    operations = [
        migrations.AddField(
            model_name="workspace",
            name="internal_since",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="When external engines were excluded; empty if they may be used.",
                null=True,
            ),
        ),
    ]
