import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("editor", "0010_words_of_old_edits")]
    operations = [
        migrations.AddField("workspace", "slug", models.SlugField(null=True, editable=False)),
        migrations.AddField(
            "draftphoto",
            "workspace",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drafts",
                to="editor.workspace",
            ),
        ),
    ]
