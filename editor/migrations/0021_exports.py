"""Exports: what somebody asked to have as a file of their own."""

import django.db.models.deletion
import django.utils.timezone
import editor.models.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0020_invitations"),
    ]

    operations = [
        migrations.CreateModel(
            name="Export",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=editor.models.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("building", "Being made"), ("ready", "Ready"), ("failed", "Failed")],
                        default="building",
                        max_length=8,
                    ),
                ),
                ("edits", models.PositiveIntegerField(help_text="Number of edits when the export was requested.")),
                ("done", models.PositiveIntegerField(default=0)),
                ("after", models.UUIDField(blank=True, null=True)),
                (
                    "moved",
                    models.DateTimeField(default=django.utils.timezone.now, help_text="When it last made progress."),
                ),
                ("expires", models.DateTimeField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="exports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "workspace",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exports",
                        to="editor.workspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "building")),
                        fields=("user",),
                        name="one_export_at_a_time",
                    )
                ],
            },
        ),
    ]
