import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('editor', '0037_remove_unpaid_results'),
    ]

    operations = [
        migrations.CreateModel(
            name='FormerAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(db_index=True, max_length=64)),
                ('had_signup_credits', models.BooleanField()),
                ('topped_up', models.DateField(help_text="First day of the month of the last allowance.", null=True)),
                ('created', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name='user',
            name='awaits_signup_credits',
            field=models.BooleanField(db_default=False, default=False, editable=False, help_text='Signed up without an invitation, and gets SIGNUP_CREDITS when the address is verified.'),
        ),
    ]
