"""What the forms of the administration change is in the record, beside what verbs do."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest
from django.utils import translation

from editor.admin.money import lately_signed_in
from editor.models import Action, User
from editor.services.core import audit
from editor.services.core.access import reviewer


class RecordedPerson[M: Model](admin.ModelAdmin[M]):
    """Of a person, or of one of their ways to sign in: which fields staff changed, or what they took away.

    Whoever finds an open session must not give rights with it, or take a second factor away: that wants a
    sign-in of late.
    """

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *rest: Any, **named: Any
    ) -> Any:
        return lately_signed_in(super().changeform_view, request, object_id, *rest, **named)

    def delete_view(self, request: HttpRequest, object_id: str, *rest: Any) -> Any:
        return lately_signed_in(super().delete_view, request, object_id, *rest)

    def log_change(self, request: HttpRequest, obj: M, message: Any) -> Any:
        if isinstance(message, list):  # of a form; a verb has recorded what it did
            fields = [name for part in message for name in part.get("changed", {}).get("fields", [])]
            _record(request, obj, fields)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[M]) -> Any:
        for row in queryset:
            with translation.override(None):  # as Django names the fields of a change
                kind = str(row._meta.verbose_name)
            _record(request, row, [kind])
        return super().log_deletions(request, queryset)  # type: ignore[arg-type]


def _record(request: HttpRequest, row: Model, fields: list[str]) -> None:
    person = row if isinstance(row, User) else row.user  # type: ignore[attr-defined]
    assert isinstance(request.user, User)
    by = reviewer(request.user, person.personal_workspace)
    with transaction.atomic():
        audit.record(by, Action.USER_CHANGED, subject=person, detail={"fields": list(map(str, fields))})
