"""Store email addresses with internationalized domains in Punycode, as browsers submit them.

Until now such an account could not sign in if it was created with the domain in Unicode. An address stays as it
is if another account has its other spelling, or if its domain cannot be encoded.
"""

import unicodedata
from contextlib import suppress
from typing import Any

import idna
from django.db import IntegrityError, migrations, transaction


def normalize_all(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    for app, model in (("editor", "User"), ("account", "EmailAddress"), ("editor", "Invitation")):
        rows = apps.get_model(app, model).objects.using(alias)
        pairs = rows.values_list("pk", "email").iterator()
        for key, email in [pair for pair in pairs if not pair[1].isascii()]:
            with suppress(IntegrityError, idna.IDNAError), transaction.atomic(using=alias):
                rows.filter(pk=key).update(email=normalized(email))


def normalized(email: str) -> str:
    local, _, domain = unicodedata.normalize("NFKC", email).lower().rpartition("@")
    return f"{local}@{idna.encode(domain, uts46=True).decode()}"


class Migration(migrations.Migration):
    dependencies = [
        ("editor", "0046_photo_names_in_search"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(normalize_all, migrations.RunPython.noop)]
