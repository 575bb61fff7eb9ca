"""The admin page on which staff read, search, and export the audit log."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.read_only import ReadOnlyAdmin
from editor.models import Action, AuditEntry, wording
from editor.services.core import audit

MAX_SEARCH_LENGTH = 200


class ActionFilter(admin.SimpleListFilter):
    title, parameter_name = gettext_lazy("action"), "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(action.value, str(action.label)) for action in Action]

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        return audit.Search(action=self.value() or "").filter(queryset)


@admin.register(AuditEntry)
class AuditAdmin(ReadOnlyAdmin[AuditEntry]):
    list_display = ("when", "who", "what", "subject", "where", "why", "door", "number")
    list_display_links = ("what",)
    list_filter = (ActionFilter,)
    list_select_related = ("user", "workspace")
    search_fields = ("reason",)  # This only enables the search box; get_search_results does the search.
    search_help_text = gettext_lazy(
        "Search by email address, workspace slug, entry number, ID of the affected item, or words in the "
        "reason"
    )
    change_list_template = "admin/audit.html"
    fields = ("when", "who", "what", "subject", "where", "why", "details", "door", "number", "hash")
    readonly_fields = fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        return audit.Search(words=search_term[:MAX_SEARCH_LENGTH]).filter(queryset), False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export)
        return [path("export/", view, name="editor_auditentry_export"), *super().get_urls()]

    def export(self, request: HttpRequest) -> StreamingHttpResponse:
        """Stream all entries that match the list's search and filters, as CSV."""
        if not self.has_view_permission(request):
            raise PermissionDenied(_("You don't have permission to read the audit log."))
        words, action = request.GET.get("q", "")[:MAX_SEARCH_LENGTH], request.GET.get("action", "")
        lines: Iterator[str] = audit.export(audit.Search(words=words, action=action), "csv")
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        name = f"audit-{timezone.now():%Y-%m-%d}.csv"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    @admin.display(description=gettext_lazy("Time"))
    def when(self, entry: AuditEntry) -> str:
        return wording.moment(entry.created)

    @admin.display(description=gettext_lazy("Person"))
    def who(self, entry: AuditEntry) -> str:
        return entry.user.email if entry.user else _("the site")

    @admin.display(description=gettext_lazy("Action"))
    def what(self, entry: AuditEntry) -> str:
        return entry.words

    @admin.display(description=gettext_lazy("Subject"))
    def subject(self, entry: AuditEntry) -> str:
        return f"{entry.subject_kind} {entry.subject_id}".strip()

    @admin.display(description=gettext_lazy("Workspace"))
    def where(self, entry: AuditEntry) -> str:
        return entry.workspace.slug if entry.workspace else ""

    @admin.display(description=gettext_lazy("Reason"))
    def why(self, entry: AuditEntry) -> str:
        return entry.reason

    @admin.display(description=gettext_lazy("Details"))
    def details(self, entry: AuditEntry) -> str:
        """Return the entry's details as text, in which each value follows its name."""
        return ", ".join(f"{name.replace('_', ' ')}: {_plain(value)}" for name, value in entry.detail.items())


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
