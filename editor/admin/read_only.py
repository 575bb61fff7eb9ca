"""Base classes for the admin site: read-only lists that are paged by key."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db import DataError
from django.db.models import Model
from django.http import HttpRequest

from editor.admin import model_order
from editor.services.core.paging import page_by_key


class _ChangeList(ChangeList):
    """A list that redirects to its unfiltered URL if a filter is unknown or has an invalid value.

    Some invalid values, such as a date in the year 0, are detected only by the database.
    """

    def get_filters(self, request: HttpRequest) -> Any:
        try:
            return super().get_filters(request)
        except DisallowedModelAdminLookup as error:
            raise IncorrectLookupParameters(str(error)) from error

    def get_results(self, request: HttpRequest) -> None:
        try:
            self._get_results(request)
        except (ValueError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters(str(error)) from error

    def _get_results(self, request: HttpRequest) -> None:
        super().get_results(request)


class _KeyedList(_ChangeList):
    """A list that is paged by key, newest first.

    The rows are never counted, so all pages load equally fast.
    """

    def __init__(self, request: HttpRequest, *arguments: Any, **options: Any) -> None:
        parameters = request.GET.copy()
        # Remove the page keys from the query string, so that filter links lead to the first page.
        self._before, self._after = (parameters.pop(name, [""])[-1] for name in ("before", "after"))
        request.GET = parameters  # type: ignore[assignment]
        super().__init__(request, *arguments, **options)

    def _get_results(self, request: HttpRequest) -> None:
        key = cast(KeysetPagedAdmin[Any], self.model_admin).list_key(request)
        page = page_by_key(
            self.queryset, size=self.list_per_page, before=self._before, after=self._after, key=key
        )
        self.result_list = page.rows
        self.result_count = self.full_result_count = len(page.rows)
        self.show_full_result_count = self.can_show_all = self.multi_page = False
        self.show_admin_actions = True
        self.newer = self.get_query_string({"after": page.newer}) if page.newer else ""
        self.older = self.get_query_string({"before": page.older}) if page.older else ""


class TolerantListAdmin:
    """A list that never shows an error page, whatever the query string contains."""

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return _ChangeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only the filters that the list offers.

        If other columns could be filtered, a URL could reveal hidden values, such as a prompt or a secret,
        letter by letter.
        """
        list_filter = cast(admin.ModelAdmin[Any], self).get_list_filter(request)
        filters = (one[0] if isinstance(one, tuple) else one for one in list_filter)
        offered = {getattr(one, "parameter_name", one) for one in filters}
        return lookup.partition("__")[0] in offered


class KeysetPagedAdmin[M: Model](TolerantListAdmin, admin.ModelAdmin[M]):
    """A list that is paged by key and always sorted by ID, newest first."""

    ordering = ("-id",)
    sortable_by = ()
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    change_list_template = "admin/keyed_list.html"

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return _KeyedList

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        title = model_order.label_of(self.opts)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def list_key(self, request: HttpRequest) -> str:
        """Return the column that the list is paged by.

        Newer rows have larger values in this column.
        """
        return "pk"


class _WithoutForms:
    """A list without forms, because service functions create, change, and delete the rows."""

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyAdmin[M: Model](_WithoutForms, KeysetPagedAdmin[M]):
    actions_selection_counter = True


class ReadOnlyInline[M: Model](_WithoutForms, admin.TabularInline[M, Any]):
    extra = 0
    template = "admin/rows.html"
    can_delete = False
    show_change_link = False
