
import django.db.models.deletion
import django.utils.timezone
import editor.models.ids
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0017_recipes_and_batches"),
    ]

    operations = [
        migrations.CreateModel(
            name="Comment",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=editor.models.ids.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("text", models.TextField()),
                ("box", models.JSONField(blank=True, null=True)),
                ("result", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddIndex(
            model_name="edit",
            index=models.Index(fields=["workspace", "owner", "-id"], name="edits_of_a_member"),
        ),
        migrations.AddIndex(
            model_name="edit",
            index=models.Index(fields=["workspace", "state", "-id"], name="edits_of_a_workspace_by_state"),
        ),
        migrations.AddIndex(
            model_name="edit",
            index=models.Index(
                condition=models.Q(("finished", None)),
                fields=["workspace", "-id"],
                name="open_edits_of_a_workspace",
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="comments",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="edit",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="comments", to="editor.edit"
            ),
        ),
        migrations.AddConstraint(
            model_name="comment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("box__isnull", True), ("result__isnull", True)),
                    models.Q(("box__isnull", False), ("result__isnull", False)),
                    _connector="OR",
                ),
                name="a_box_lies_on_a_result",
            ),
        ),
    ]
