from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('editor', '0032_failures_as_words_and_values'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='time_zone',
            field=models.CharField(blank=True, db_default='', default='', help_text="Empty to use the browser's setting.", max_length=64),
        ),
    ]
