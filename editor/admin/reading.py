"""What every page of the administration starts from: it shows, and changes nothing."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db import DataError
from django.db.models import Model
from django.http import HttpRequest


class _ChangeList(ChangeList):
    """A value that only the database finds out to be none, as a year 0, leads to the whole list too."""

    def get_results(self, request: HttpRequest) -> None:
        try:
            super().get_results(request)
        except (ValueError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters(str(error)) from error


class SoundList:
    """A list that no address can break."""

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return _ChangeList


class _NothingChanges:
    """Rows are made, changed and ended by verbs, never by a form over their columns."""

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyAdmin[M: Model](_NothingChanges, SoundList, admin.ModelAdmin[M]):
    list_per_page = 50
    show_full_result_count = False
    actions_selection_counter = True


class ReadOnlyInline[M: Model](_NothingChanges, admin.TabularInline[M, Any]):
    extra = 0
    can_delete = False
    show_change_link = False
