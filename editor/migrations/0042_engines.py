"""Engines become rows, to which edits and the health of engines refer. 0043 fills the new columns."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0041_reworded_labels"),
    ]

    operations = [
        migrations.CreateModel(
            name="Engine",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=50)),
                ("provider", models.CharField(max_length=50)),
                ("base_url", models.CharField(blank=True, max_length=500)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("position", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("runs_here", models.BooleanField(default=False)),
                ("is_external", models.BooleanField(default=True)),
                ("capabilities", models.JSONField(blank=True, default=dict)),
                ("in_flight", models.PositiveIntegerField(default=4)),
                ("seconds", models.PositiveIntegerField(default=900)),
                ("price_free", models.PositiveIntegerField(blank=True, null=True)),
                ("price_pro", models.PositiveIntegerField(blank=True, null=True)),
                ("switched_off", models.DateTimeField(blank=True, null=True)),
                ("switch_reason", models.CharField(blank=True, max_length=300)),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("name", "provider", "base_url"), name="one_engine_for_a_name_and_address"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("price_free", None), ("price_free__gt", 0), _connector="OR"),
                            models.Q(("price_pro", None), ("price_pro__gt", 0), _connector="OR"),
                        ),
                        name="an_edit_costs_something",
                    ),
                ]
            },
        ),
        migrations.AddField(
            model_name="edit",
            name="engine",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="edits",
                to="editor.engine",
            ),
        ),
        migrations.RemoveConstraint(model_name="providerhealth", name="one_health_for_an_address"),
        migrations.AddField(
            model_name="providerhealth",
            name="engine",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="health",
                to="editor.engine",
            ),
        ),
        migrations.AddConstraint(
            model_name="providerhealth",
            constraint=models.UniqueConstraint(
                condition=models.Q(("engine", None)),
                fields=("provider", "base_url"),
                name="one_health_without_an_engine",
            ),
        ),
    ]
