from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0007_old_entries_get_their_balance"),
    ]

    operations = [
        migrations.AlterField(
            model_name="creditentry",
            name="balance",
            field=models.PositiveBigIntegerField(help_text="Balance of the workspace after this entry."),
        ),
    ]
