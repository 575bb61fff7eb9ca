import django.db.models.deletion
import editor.models.ids
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("editor", "0012_fill_slugs_and_trays")]
    operations = [
        migrations.AlterField(
            "workspace",
            "slug",
            models.SlugField(
                default=editor.models.ids.random_slug,
                editable=False,
                help_text="Stands in the address. It stays when the name changes.",
                unique=True,
            ),
        ),
        migrations.AlterField(
            "draftphoto",
            "workspace",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drafts",
                to="editor.workspace",
            ),
        ),
    ]
