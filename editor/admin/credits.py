"""The ledger: to be read. The database refuses anything else."""

from django.contrib import admin

from editor.admin.reading import ReadOnlyAdmin
from editor.models import CreditEntry


@admin.register(CreditEntry)
class CreditEntryAdmin(ReadOnlyAdmin[CreditEntry]):
    list_display = ("created", "workspace", "kind", "amount", "balance", "reason", "edit", "actor")
    list_filter = ("kind", "created")
    search_fields = ("workspace__name", "reason", "reference")
    list_select_related = ("workspace", "edit", "actor")
    fields = ("created", "workspace", "kind", "amount", "balance", "reason", "reference", "edit", "actor")
