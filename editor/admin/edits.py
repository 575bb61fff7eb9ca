"""The admin list of edits, with prompts, people, results, and actions."""

import uuid
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin import edit_page
from editor.admin.edit_actions import ROW_ACTIONS
from editor.admin.edit_filters import (
    EngineFilter,
    PlaceFilter,
    ReviewFilter,
    StateFilter,
    TeamFilter,
    TimeFilter,
    workspace_in,
)
from editor.admin.read_only import ReadOnlyAdmin
from editor.admin.row_actions import RowActionAdmin
from editor.models import Edit, User, wording
from editor.models.edits import EditQuerySet
from editor.pages.photos.media import SIZES, send
from editor.services.library.history import Search
from editor.services.people.openings import ReviewAccess, find_reviewed_photo, review_access_of

MAX_SEARCH_LENGTH = 200


@admin.register(Edit)
class EditAdmin(RowActionAdmin[Edit], ReadOnlyAdmin[Edit]):
    row_actions = ROW_ACTIONS
    list_display = ("pic", "sentence", "who", "status", "engine_title", "cost", "when")
    list_display_links = ("sentence",)
    list_filter = (ReviewFilter, StateFilter, TeamFilter, EngineFilter, TimeFilter, PlaceFilter)
    search_fields = ("prompt",)  # This only enables the search box; get_search_results does the search.
    search_help_text = gettext_lazy(
        "Search by words in the prompt, or by the full email address of the person who created the edit"
    )
    list_select_related = ("owner", "workspace", "api_key", "engine")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Edit]:
        """Return edits with all the data that a row of the list shows.

        get_changelist_instance adds whether the reviewer may see each edit's photos and prompt.
        """
        edits = super().get_queryset(request).select_related("owner", "workspace", "engine")
        return edits.prefetch_related("references", "results")

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changes = super().get_changelist_instance(request)
        access = review_access_of(cast(User, request.user))
        for edit in changes.result_list:
            edit.is_seen = access.allows(edit.workspace)
        return changes

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Edit], search_term: str
    ) -> tuple[QuerySet[Edit], bool]:
        """Search only those prompts that the reviewer may see.

        Otherwise, a search would reveal hidden prompts.
        """
        search = _search_of(search_term)
        edits = search.filter(cast(EditQuerySet, queryset), workspace_id=workspace_in(request))
        return self._review_access(request).filter(edits) if search.words else edits, False

    def list_key(self, request: HttpRequest) -> str:
        return _search_of(request.GET.get(SEARCH_VAR, "")).key

    def get_urls(self) -> list[URLPattern]:
        photo = self.admin_site.admin_view(self.photo)
        return [
            path("photo/<str:kind>/<uuid:photo_id>/<str:size>/", photo, name="editor_edit_photo"),
            *super().get_urls(),
        ]

    def photo(self, request: HttpRequest, kind: str, photo_id: uuid.UUID, size: str) -> HttpResponseBase:
        """Send a photo that belongs to an edit if the reviewer may currently see it."""
        if not self.has_view_permission(request):
            raise PermissionDenied(_("You don't have permission to review edits."))
        if size not in SIZES:
            raise Http404("There is no such photo.")
        return send(
            find_reviewed_photo(cast(User, request.user), kind, photo_id),
            size,
            by=cast(User, request.user).pk,
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show an edit. The page has no form, so nothing can be posted here."""
        edit = self.get_object(request, object_id)
        if edit is None:
            raise Http404("There is no such edit.")
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request, edit):
            raise PermissionDenied(_("You can't change an edit here. Use an action instead."))
        return edit_page.show(request, self, edit, review_access_of(cast(User, request.user)))

    def row_name(self, row: Edit) -> str:
        return _("%(edit)s by %(email)s") % {"edit": row, "email": row.owner.email}

    @admin.display(description="")
    def pic(self, edit: Edit) -> SafeString:
        photos = [*edit.references.all()[:1], *edit.results.all()[:1]] if not edit.purged else []
        return _fragment("admin/edits/duo.html", edit=edit, photos=photos)

    @admin.display(description=gettext_lazy("Prompt"))
    def sentence(self, edit: Edit) -> str:
        if edit.purged:
            return _("Permanently deleted")
        is_seen = getattr(edit, "is_seen", False)
        return Truncator(edit.prompt).chars(90) if is_seen else _("Personal. Give a reason to see it.")

    @admin.display(description=gettext_lazy("Person"))
    def who(self, edit: Edit) -> SafeString:
        return format_html(
            '<bdi>{}</bdi><br><span class="quiet"><bdi>{}</bdi>{}</span>',
            edit.owner.email,
            edit.workspace.title,
            _(", with an API key") if edit.api_key_id else "",
        )

    @admin.display(description=gettext_lazy("Status"))
    def status(self, edit: Edit) -> SafeString:
        return _fragment("admin/edits/flags.html", edit=edit)

    # Django would show the field if the column had its name.
    @admin.display(description=gettext_lazy("Engine"))
    def engine_title(self, edit: Edit) -> str:
        return edit.engine.title if edit.engine else edit.provider

    @admin.display(description=gettext_lazy("Price"))
    def cost(self, edit: Edit) -> str:
        if edit.is_open:
            return _("%(n)s held") % {"n": edit.price}
        return str(edit.price if edit.is_success else 0)

    @admin.display(description=gettext_lazy("Time"))
    def when(self, edit: Edit) -> str:
        is_today = timezone.localdate(edit.created) == timezone.localdate()
        return wording.time_of_day(edit.created) if is_today else wording.moment(edit.created)

    def _review_access(self, request: HttpRequest) -> ReviewAccess:
        return review_access_of(cast(User, request.user))


def _fragment(template: str, **context: Any) -> SafeString:
    return SafeString(render_to_string(template, context).strip())


def _search_of(text: str) -> Search:
    """Return a search for the text.

    If the text contains "@", the search matches the person's email address. Otherwise, it matches words of
    the prompt.
    """
    text = text.replace("\x00", "").strip()[:MAX_SEARCH_LENGTH]
    if "@" not in text:
        return Search(words=text)
    made_by = User.objects.with_email(text).values_list("pk", flat=True).first()
    return Search(made_by=made_by or 0)
