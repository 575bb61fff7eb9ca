"""Edits have a trash, workspaces a retention and a legal hold, both off."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0018_comments_and_indexes_of_a_history"),
    ]

    operations = [
        migrations.AddField(
            model_name="edit",
            name="purge_due",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="edit",
            name="trashed",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="edit",
            name="trashed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="workspace",
            name="closed",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="workspace",
            name="held_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="workspace",
            name="held_since",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="While a legal hold stands, nothing is purged.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="workspace",
            name="hold_reason",
            field=models.CharField(blank=True, editable=False, max_length=300),
        ),
        migrations.AddField(
            model_name="workspace",
            name="retention_days",
            field=models.PositiveIntegerField(
                blank=True,
                editable=False,
                help_text="After so many days an edit goes to the trash by itself; empty for never.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="edit",
            index=models.Index(
                condition=models.Q(("purged__isnull", True), ("trashed__isnull", False)),
                fields=["workspace", "-id"],
                name="edits_in_the_trash",
            ),
        ),
        migrations.AddIndex(
            model_name="edit",
            index=models.Index(
                condition=models.Q(("purged__isnull", True), ("trashed__isnull", False)),
                fields=["purge_due"],
                name="trash_by_due_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="edit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("purge_due__isnull", True), ("trashed__isnull", True)),
                    models.Q(
                        ("finished__isnull", False), ("purge_due__isnull", False), ("trashed__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="only_ended_edits_are_in_the_trash",
            ),
        ),
    ]
