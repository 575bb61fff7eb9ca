"""The admin pages that show the health of the engines and the tasks in the queue."""

import django_tasks_db.admin
from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from editor.admin.read_only import ReadOnlyAdmin, TolerantListAdmin
from editor.models import ProviderHealth

admin.site.unregister(DBTaskResult)


@admin.register(ProviderHealth)
class ProviderHealthAdmin(ReadOnlyAdmin[ProviderHealth]):
    list_display = ("__str__", "failures", "open_until", "message", "changed")
    list_select_related = ("engine",)


@admin.register(DBTaskResult)
class TaskAdmin(TolerantListAdmin, django_tasks_db.admin.DBTaskResultAdmin):
    """The list of queued tasks, whose model the package django-tasks-db defines."""
