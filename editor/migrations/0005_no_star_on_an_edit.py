from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("editor", "0004_stars_of_owners")]

    operations = [migrations.RemoveField(model_name="edit", name="favourite")]
