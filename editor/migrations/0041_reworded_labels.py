"""Reword labels and help texts. No table changes."""

import django.db.models.deletion
import editor.models.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0040_turns"),
    ]

    operations = [
        migrations.AlterField(
            model_name="export",
            name="state",
            field=models.CharField(
                choices=[("building", "In progress"), ("ready", "Ready"), ("failed", "Failed")],
                default="building",
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="workspace",
            name="held_since",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="While the workspace is under a legal hold, nothing is permanently deleted.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="workspace",
            name="personal_user",
            field=models.OneToOneField(
                blank=True,
                help_text="The person whose personal workspace this is; empty for a team.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="personal_workspace",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="workspace",
            name="retention_days",
            field=models.PositiveIntegerField(
                blank=True,
                editable=False,
                help_text="The number of days after which edits move to the trash automatically; empty to keep them.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="workspace",
            name="slug",
            field=models.SlugField(
                default=editor.models.ids.random_slug,
                editable=False,
                help_text="Part of the URL. It does not change when the name changes.",
                unique=True,
            ),
        ),
    ]
