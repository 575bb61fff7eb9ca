from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0005_no_star_on_an_edit"),
    ]

    operations = [
        migrations.AddField(
            model_name="creditentry",
            name="balance",
            field=models.PositiveBigIntegerField(help_text="Balance of the workspace after this entry.", null=True),
        ),
        migrations.AlterField(
            model_name="creditentry",
            name="reference",
            field=models.CharField(
                blank=True, help_text="A second entry with the same reference is refused.", max_length=100
            ),
        ),
        migrations.RemoveConstraint(
            model_name="creditentry",
            name="one_grant_for_a_reference",
        ),
        migrations.AddConstraint(
            model_name="creditentry",
            constraint=models.UniqueConstraint(
                condition=~models.Q(reference=""),
                fields=("workspace", "reference"),
                name="one_entry_for_a_reference",
            ),
        ),
    ]
