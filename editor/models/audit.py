"""The audit log: append-only entries that are linked by a chain of hashes."""

import hashlib
import json
from datetime import UTC
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Action(models.TextChoices):
    """An action that the audit log records, with its label.

    Entries store the action's name, which must not change when the label does.
    """

    TEAM_MADE = "team_made", _("Created a team")
    TEAM_RENAMED = "team_renamed", _("Renamed a team")
    WORKSPACE_CLOSED = "workspace_closed", _("Closed a workspace")
    ACCOUNT_MADE = "account_made", _("Created an account")
    ACCOUNT_CLOSED = "account_closed", _("Closed an account")
    MEMBER_ADDED = "member_added", _("Added a member")
    MEMBER_REMOVED = "member_removed", _("Removed a member")
    ROLE_CHANGED = "role_changed", _("Changed a role")
    TEAM_HANDED_OVER = "team_handed_over", _("Transferred a team")
    INVITED = "invited", _("Created an invitation")
    INVITATION_REVOKED = "invitation_revoked", _("Revoked an invitation")
    CAP_SET = "cap_set", _("Changed a cap")
    KEY_MADE = "key_made", _("Created an API key")
    KEY_REVOKED = "key_revoked", _("Revoked an API key")
    KEY_BLOCKED = "key_blocked", _("Blocked an API key")
    KEY_UNBLOCKED = "key_unblocked", _("Unblocked an API key")
    WEBHOOK_ADDED = "webhook_added", _("Added a webhook")
    WEBHOOK_REMOVED = "webhook_removed", _("Removed a webhook")
    RETENTION_SET = "retention_set", _("Changed the retention period")
    HOLD_SET = "hold_set", _("Placed a legal hold")
    HOLD_LIFTED = "hold_lifted", _("Lifted a legal hold")
    EXPORTED = "exported", _("Requested an export")
    GRANTED = "granted", _("Granted credits")
    CORRECTED = "corrected", _("Corrected credits")
    REFUNDED = "refunded", _("Refunded an edit")
    PLAN_CHANGED = "plan_changed", _("Changed the plan")
    ALLOWANCE_SET = "allowance_set", _("Changed the monthly allowance")
    USER_CHANGED = "user_changed", _("Changed an account")
    USER_BLOCKED = "user_blocked", _("Blocked a user")
    USER_UNBLOCKED = "user_unblocked", _("Unblocked a user")
    SIGN_IN_RESET = "sign_in_reset", _("Reset a sign-in")
    EDIT_CANCELLED = "edit_cancelled", _("Cancelled an edit")
    EDIT_RETRIED = "edit_retried", _("Retried an edit")
    EDIT_HIDDEN = "edit_hidden", _("Hid an edit")
    EDIT_SHOWN = "edit_shown", _("Unhid an edit")
    EDIT_DELETED = "edit_deleted", _("Moved an edit to the trash")
    EDIT_RESTORED = "edit_restored", _("Restored an edit")
    EDITS_PURGED = "edits_purged", _("Permanently deleted edits")
    REVIEW_ASKED = "review_asked", _("Requested a review")
    REVIEW_TAKEN_BACK = "review_taken_back", _("Withdrew a review request")
    EDIT_APPROVED = "edit_approved", _("Approved an edit")
    EDIT_DECLINED = "edit_declined", _("Declined an edit")
    APPROVAL_TAKEN_BACK = "approval_taken_back", _("Withdrew an approval")
    APPROVAL_SET = "approval_set", _("Changed whether edits need approval")
    ENGINES_SET = "engines_set", _("Changed whether external engines may be used")
    SHARED = "shared", _("Created a share link")
    SHARE_REVOKED = "share_revoked", _("Revoked a share link")
    ENGINE_OFF = "engine_off", _("Switched off an engine")
    ENGINE_ON = "engine_on", _("Switched on an engine")
    PERSONAL_OPENED = "personal_opened", _("Opened a personal workspace for review")
    PERSONAL_SHUT = "personal_shut", _("Ended the review of a personal workspace")


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    def unchained(self) -> Self:
        """Limit to entries that are not in the chain yet, in the order in which they will be appended."""
        return self.filter(number=None).order_by("id")

    def chained(self) -> Self:
        return self.filter(number__isnull=False).order_by("number")


class AuditEntry(models.Model):
    """A record of one action: its user, object, workspace, entry point, and reason.

    The entry is written without a number, in the action's transaction. Housekeeping later adds it to the
    chain by setting its number and hash, once. Triggers reject every other change. People are identified only
    by ID, so that no personal data remains here after an account is closed.
    """

    number = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        unique=True,
        help_text="Position in the chain; empty until housekeeping adds the entry.",
    )
    hash = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the previous entry's hash and of this entry."
    )
    # The name of an Action. The field has no choices, so that a new action does not require a migration.
    action = models.CharField(max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    door = models.CharField(
        max_length=10, help_text="page, api, admin, or command; or site for actions of the site itself."
    )
    subject_kind = models.CharField(max_length=30, blank=True)
    subject_id = models.CharField(max_length=36, blank=True)
    workspace = models.ForeignKey(
        "editor.Workspace", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=300, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(number=None, hash="") | (Q(number__isnull=False) & ~Q(hash="")),
                name="a_number_comes_with_its_hash",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(number=None), name="audit_waiting"),
            models.Index(fields=["workspace", "-id"], name="audit_of_a_workspace"),
            models.Index(fields=["user", "-id"], name="audit_of_a_user"),
            models.Index(fields=["action", "-id"], name="audit_of_an_action"),
            models.Index(fields=["subject_kind", "subject_id", "-id"], name="audit_of_a_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_kind} {self.subject_id}".strip()

    @property
    def words(self) -> str:
        """Return the action's translated label, or its stored name if this version does not know it."""
        return str(dict(Action.choices).get(self.action, self.action))

    def content(self) -> dict[str, Any]:
        """Return the entry's contents as plain JSON values."""
        created = self.created.astimezone(UTC).isoformat(timespec="microseconds")
        return {**{name: getattr(self, name) for name in HASHED_FIELDS}, "created": created}

    def hash_after(self, previous: str) -> str:
        """Return this entry's hexadecimal SHA-256 hash, chained to the previous entry's hash.

        The hash covers `previous` and the entry's contents, including its number, as one JSON text with
        sorted keys and no spaces.
        """
        text = json.dumps({"previous": previous, **self.content()}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


# Fields that, together with the time, make up an entry. The hash covers them, and triggers reject changes to
# them.
HASHED_FIELDS = (
    "number",
    "id",
    "action",
    "user_id",
    "door",
    "subject_kind",
    "subject_id",
    "workspace_id",
    "reason",
    "detail",
)


class AuditHead(models.Model):
    """The end of the audit log's chain, in a single row that only moves forward.

    The row also reveals whether entries were removed from the end of the chain.
    """

    number = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"
