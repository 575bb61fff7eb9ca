"""Review of edits: what was asked, what came of it, and cancelling."""

import json
import uuid
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.views.main import SEARCH_VAR
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from editor.admin.reading import ReadOnlyAdmin, ReadOnlyInline
from editor.models import Edit, Photo, ReferencePhoto, ResultPhoto, User
from editor.models.edits import EditQuerySet
from editor.pages.media import send
from editor.services import lifecycle
from editor.services.access import reviewer
from editor.services.history import Search

LONGEST_REASON = 300
LONGEST_SEARCH = 200
KINDS: dict[str, type[ReferencePhoto] | type[ResultPhoto]] = {
    "references": ReferencePhoto,
    "results": ResultPhoto,
}


def thumbnail(photo: Photo) -> SafeString:
    kind = "results" if isinstance(photo, ResultPhoto) else "references"
    address = reverse("admin:editor_edit_photo", args=[kind, photo.pk])
    return format_html('<img class="thumb" src="{}" width="96" height="64" alt="" loading="lazy">', address)


class _PhotoInline[M: Photo](ReadOnlyInline[M]):
    fields: ClassVar[Any] = ("picture", "position", "dimensions", "media_type", "size", "sha256")
    readonly_fields = fields
    ordering = ("position",)

    @admin.display(description="")
    def picture(self, photo: Photo) -> SafeString:
        return thumbnail(photo)

    @admin.display(description="Pixels")
    def dimensions(self, photo: Photo) -> str:
        return f"{photo.width} x {photo.height}"


class ReferenceInline(_PhotoInline[ReferencePhoto]):
    model = ReferencePhoto
    verbose_name_plural = "photos it starts from"


class ResultInline(_PhotoInline[ResultPhoto]):
    model = ResultPhoto
    verbose_name_plural = "results"


class ReasonForm(ActionForm):
    """Beside the choice of an action: why. The edit's owner reads it."""

    reason = forms.CharField(max_length=LONGEST_REASON, required=False, label="Reason:")


@admin.register(Edit)
class EditAdmin(ReadOnlyAdmin[Edit]):
    action_form = ReasonForm
    list_display = ("picture", "beginning", "state", "owner", "price", "took", "created")
    list_display_links = ("picture", "beginning")
    list_filter = ("state", ("workspace__plan", admin.ChoicesFieldListFilter), "source", "created")
    search_fields = ("prompt",)  # there is a search; get_search_results says how
    search_help_text = "Words of the prompt, or the whole e-mail address of who made it"
    list_select_related = ("owner", "workspace")
    actions = ("cancel",)
    inlines = (ReferenceInline, ResultInline)
    fieldsets = (
        (None, {"fields": ("prompt", ("state", "failure_message"), ("owner", "workspace"), "price")}),
        (
            "Asked for",
            {"fields": (("aspect_ratio", "output_format", "outputs"), ("regions", "partial"), "image_urls")},
        ),
        ("What the engine planned", {"fields": ("plan_text",)}),
        (
            "The job",
            {
                "classes": ("collapse",),
                "fields": (
                    ("id", "source", "api_key"),
                    ("provider", "base_url"),
                    ("progress", "attempts", "failure_code"),
                    ("created", "due", "deadline"),
                    ("finished", "trashed", "purge_due", "purged"),
                ),
            },
        ),
    )
    readonly_fields = ("plan_text",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Edit]:
        return super().get_queryset(request).prefetch_related("references", "results")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Edit], search_term: str
    ) -> tuple[QuerySet[Edit], bool]:
        return _asked(search_term).among(cast(EditQuerySet, queryset), workspace_id=None), False

    def list_key(self, request: HttpRequest) -> str:
        return _asked(request.GET.get(SEARCH_VAR, "")).key

    def get_urls(self) -> list[URLPattern]:
        photo = self.admin_site.admin_view(self.photo)
        return [
            path("photo/<str:kind>/<uuid:photo_id>/", photo, name="editor_edit_photo"),
            *super().get_urls(),
        ]

    def photo(self, request: HttpRequest, kind: str, photo_id: uuid.UUID) -> FileResponse:
        """The small derivative of anyone's photo, for those who may review edits."""
        if not self.has_view_permission(request):
            raise PermissionDenied("You may not review edits.")
        found = KINDS[kind].objects.filter(pk=photo_id).first() if kind in KINDS else None
        if found is None:
            raise Http404("There is no such photo.")
        return send(found, "360", by=cast(User, request.user).pk)

    @admin.display(description="")
    def picture(self, edit: Edit) -> SafeString | str:
        first = [*edit.results.all(), *edit.references.all()][:1]
        return thumbnail(first[0]) if first and not edit.purged else ""

    @admin.display(description="Prompt")
    def beginning(self, edit: Edit) -> str:
        return Truncator(edit.prompt).chars(90)

    @admin.display(description="Took")
    def took(self, edit: Edit) -> str:
        return f"{edit.seconds:.1f} s" if edit.seconds is not None else ""

    @admin.display(description="Plan")
    def plan_text(self, edit: Edit) -> SafeString:
        return format_html("<pre>{}</pre>", json.dumps(edit.plan, indent=1, ensure_ascii=False))

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("editor.change_edit")

    @admin.action(description="Cancel the selected edits", permissions=["cancel"])
    def cancel(self, request: HttpRequest, edits: QuerySet[Edit]) -> None:
        reason = request.POST.get("reason", "").strip()[:LONGEST_REASON]
        if not reason:
            self.message_user(
                request, "Nothing was cancelled: give a reason beside the action.", messages.ERROR
            )
            return
        reviewing = cast(User, request.user)
        ended = {
            edit: lifecycle.cancel(reviewer(reviewing, edit.workspace), edit, reason=reason) for edit in edits
        }
        cancelled = [edit for edit, was_open in ended.items() if was_open]
        for edit in cancelled:
            self.log_change(request, edit, f"Cancelled: {reason}")
        self.message_user(request, _count(len(cancelled), len(ended)), messages.SUCCESS)


def _asked(text: str) -> Search:
    """An address finds what its person made; anything else is words."""
    text = text.replace("\x00", "").strip()[:LONGEST_SEARCH]
    if "@" not in text:
        return Search(words=text)
    made_by = User.objects.filter(email__iexact=text).values_list("pk", flat=True).first()
    return Search(made_by=made_by or 0)


def _count(cancelled: int, chosen: int) -> str:
    return f"{cancelled} cancelled, {chosen - cancelled} had already ended."
