"""The permissions that staff can have on this site."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Permission
from django.db.models import ManyToManyField, QuerySet, Value
from django.db.models.functions import Concat

from editor.admin.credit_permissions import MOVE_CREDITS
from editor.admin.read_only import ReadOnlyAdmin


class PermissionChoices(admin.ModelAdmin[Any]):
    """An admin whose form offers only the permissions that have an effect."""

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: Any = None, **options: Any
    ) -> Any:
        if db_field.related_model is Permission:
            options["queryset"] = effective_permissions()
        return super().formfield_for_manytomany(db_field, request, **options)


def effective_permissions() -> QuerySet[Permission]:
    """Return the permissions that the admin site checks.

    Django has four for each model, but a model without forms can only be viewed and changed by actions.
    """
    name = Concat("content_type__app_label", Value("."), "codename")
    permissions = Permission.objects.select_related("content_type").alias(name_in_full=name)
    return permissions.filter(name_in_full__in=_names_in_full())


def _names_in_full() -> set[str]:
    names = {MOVE_CREDITS}
    for model, model_admin in admin.site._registry.items():
        changes = () if isinstance(model_admin, ReadOnlyAdmin) else ("add", "change", "delete")
        codenames = [get_permission_codename(action, model._meta) for action in (*changes, "view")]
        names.update(f"{model._meta.app_label}.{codename}" for codename in codenames)
        names.update(verb.right for verb in getattr(model_admin, "row_actions", ()))
    return names
