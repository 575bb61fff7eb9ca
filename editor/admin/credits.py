"""Read-only lists of the ledger and of credit requests. The database refuses changes to the ledger."""

from django.contrib import admin

from editor.admin.columns import number_column
from editor.admin.read_only import ReadOnlyAdmin
from editor.models import CreditEntry, CreditRequest


@admin.register(CreditEntry)
class CreditEntryAdmin(ReadOnlyAdmin[CreditEntry]):
    amount_shown, balance_shown = (
        staticmethod(number_column("amount")),
        staticmethod(number_column("balance")),
    )
    list_display = (
        "created",
        "workspace",
        "kind",
        "amount_shown",
        "balance_shown",
        "reason",
        "edit",
        "actor",
    )
    list_filter = ("kind", "created")
    search_fields = ("workspace__name", "reason", "reference")
    list_select_related = ("workspace", "edit", "actor")
    fields = (*list_display[:-2], "reference", *list_display[-2:])


@admin.register(CreditRequest)
class CreditRequestAdmin(ReadOnlyAdmin[CreditRequest]):
    """The list of credit requests, including when credits were granted."""

    list_display = ("created", "workspace", "user", "note", "answered")
    list_filter = (("answered", admin.EmptyFieldListFilter),)
    search_fields = ("workspace__name", "user__email")
    list_select_related = ("workspace", "user")
    ordering = ("-id",)
    fields = ("created", "workspace", "user", "note", "answered")
