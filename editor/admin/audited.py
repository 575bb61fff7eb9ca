"""Record changes made with the admin site's forms in the audit log, as service functions do."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest
from django.utils import translation

from editor.admin.credit_permissions import with_recent_sign_in
from editor.models import Action, User
from editor.services.core import audit
from editor.services.core.access import reviewer_actor


class AuditedPersonAdmin[M: Model](admin.ModelAdmin[M]):
    """The admin of users and of the ways in which they sign in.

    Deletions and changes are recorded. For a change, the names of the changed fields are recorded, too. Both
    actions require a recent sign-in, so that someone who finds an unattended session cannot grant rights or
    remove a second factor.
    """

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *rest: Any, **named: Any
    ) -> Any:
        return with_recent_sign_in(super().changeform_view, request, object_id, *rest, **named)

    def delete_view(self, request: HttpRequest, object_id: str, *rest: Any) -> Any:
        return with_recent_sign_in(super().delete_view, request, object_id, *rest)

    def log_change(self, request: HttpRequest, obj: M, message: Any) -> Any:
        # Record only changes made with a form, for which Django passes the message as a list. Service
        # functions record their own changes.
        if isinstance(message, list):
            fields = [name for part in message for name in part.get("changed", {}).get("fields", [])]
            _record(request, obj, fields)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[M]) -> Any:
        for row in queryset:
            # Use the untranslated name, as Django does for the names of changed fields.
            with translation.override(None):
                kind = str(row._meta.verbose_name)
            _record(request, row, [kind])
        return super().log_deletions(request, queryset)  # type: ignore[arg-type]


def _record(request: HttpRequest, row: Model, fields: list[str]) -> None:
    person = row if isinstance(row, User) else row.user  # type: ignore[attr-defined]
    assert isinstance(request.user, User)
    by = reviewer_actor(request.user, person.personal_workspace)
    with transaction.atomic():
        audit.record(by, Action.USER_CHANGED, subject=person, detail={"fields": list(map(str, fields))})
