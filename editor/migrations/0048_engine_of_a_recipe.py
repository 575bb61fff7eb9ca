from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("editor", "0047_one_spelling_of_emails")]

    operations = [
        # The previous release writes versions without this column.
        migrations.AddField(
            model_name="recipeversion",
            name="engine",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The name of the engine to use; empty for the choice of the site.",
                max_length=50,
            ),
        ),
    ]
