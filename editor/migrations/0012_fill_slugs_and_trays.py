"""Slugs for the workspaces that are there, and the workspace of the drafts in their trays."""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery
from django.utils.text import slugify

from editor.models.ids import random_slug


def fill(apps: Any, schema_editor: Any) -> None:
    alias = schema_editor.connection.alias
    workspaces = apps.get_model("editor", "Workspace").objects.using(alias)
    for workspace in workspaces.filter(slug=None).iterator():
        words = "" if workspace.personal_user_id else slugify(workspace.name)[:30].strip("-")
        workspaces.filter(pk=workspace.pk).update(slug=f"{words}-{random_slug()[:4]}" if words else random_slug())
    own = workspaces.filter(personal_user=OuterRef("user")).values("pk")[:1]
    apps.get_model("editor", "DraftPhoto").objects.using(alias).update(workspace=Subquery(own))


class Migration(migrations.Migration):
    dependencies = [("editor", "0011_slugs_and_trays")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
