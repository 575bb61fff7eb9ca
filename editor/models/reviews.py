"""Feedback on edits: comments, review steps, and share links for guests."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from editor.models.edits import Edit
from editor.models.ids import uuid7
from editor.options import Region


class Comment(models.Model):
    """A member's plain-text comment on an edit.

    `box`, if set, is a rectangle on result number `result`, in fractions of that result's width and height.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    edit = models.ForeignKey("editor.Edit", on_delete=models.PROTECT, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comments")
    text = models.TextField()
    box = models.JSONField(null=True, blank=True)
    result = models.PositiveSmallIntegerField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(box__isnull=True, result__isnull=True)
                | Q(box__isnull=False, result__isnull=False),
                name="a_box_lies_on_a_result",
            )
        ]

    def __str__(self) -> str:
        return self.text[:60]

    @property
    def region(self) -> Region | None:
        return Region(**self.box) if self.box else None


class Review(models.Model):
    """One step in an edit's review: who changed the review state, and their comment."""

    _DID: ClassVar = {
        Edit.ReviewState.DRAFT: gettext_noop("returned it to draft"),
        Edit.ReviewState.IN_REVIEW: gettext_noop("sent it to review"),
        Edit.ReviewState.APPROVED: gettext_noop("approved it"),
        Edit.ReviewState.DECLINED: gettext_noop("declined it"),
    }

    edit = models.ForeignKey(Edit, on_delete=models.PROTECT, related_name="reviews")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=9, choices=Edit.ReviewState)
    comment = models.TextField(blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(state="declined", comment=""), name="a_decline_says_why")
        ]

    def __str__(self) -> str:
        return f"{self.edit}: {self.get_state_display()}"

    @property
    def action_phrase(self) -> str:
        """Return what the actor did, as a phrase that follows a name."""
        return gettext(self._DID[Edit.ReviewState(self.state)])


class Share(models.Model):
    """A link that lets anyone who has it view an edit.

    The row contains only a digest of the link's token, and a seed from which only the site can recompute the
    token. Therefore, a copy of the database does not grant access.
    """

    edit = models.ForeignKey(Edit, on_delete=models.PROTECT, related_name="shares")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    comment = models.TextField(blank=True, help_text="Shown to the guest next to the photos.")
    shows_prompt = models.BooleanField(default=True)
    allows_download = models.BooleanField(default=False)
    seed = models.CharField(max_length=32, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"a link to {self.edit}"
