"""The ledger. Entries are only ever added: triggers refuse to change or delete one."""

from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class CreditEntryQuerySet(models.QuerySet["CreditEntry"]):
    def moving(self) -> Self:
        """Without holds and releases, which move nothing but what is reserved."""
        return self.filter(kind__in=["grant", "adjustment", "capture"])


class CreditEntry(models.Model):
    """One line of a workspace's ledger.

    `amount` is signed only for an adjustment; a grant adds, a capture takes, a hold and its release
    move nothing but what is reserved. In the order of their ids, the `balance` of each is that of the one
    before and what this one moves.
    """

    class Kind(models.TextChoices):
        GRANT = "grant", "Grant"
        ADJUSTMENT = "adjustment", "Correction"
        HOLD = "hold", "Held for an edit"
        CAPTURE = "capture", "Edit"
        RELEASE = "release", "Released"

    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="credit_entries")
    edit = models.ForeignKey(
        "editor.Edit", on_delete=models.PROTECT, null=True, blank=True, related_name="credit_entries"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    amount = models.BigIntegerField()
    balance = models.PositiveBigIntegerField(help_text="Of the workspace, after this entry.")
    reference = models.CharField(
        max_length=100, blank=True, help_text="Makes what is sent twice arrive once."
    )
    reason = models.CharField(max_length=300, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = CreditEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "credit entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["edit"], condition=Q(kind="hold"), name="one_hold_for_an_edit"),
            models.UniqueConstraint(
                fields=["edit"],
                condition=Q(kind__in=["capture", "release"]),
                name="one_settlement_for_an_edit",
            ),
            models.UniqueConstraint(
                fields=["workspace", "reference"],
                condition=~Q(reference=""),
                name="one_entry_for_a_reference",
            ),
            models.CheckConstraint(
                condition=Q(kind="adjustment") | Q(amount__gte=0), name="only_adjustments_are_negative"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["grant", "adjustment"], edit__isnull=True)
                | Q(kind__in=["hold", "capture", "release"], edit__isnull=False),
                name="edit_entries_name_their_edit",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "-created"], name="entries_of_a_workspace")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"

    @property
    def moved(self) -> int:
        """What the entry adds to the balance."""
        sign = {self.Kind.CAPTURE: -1, self.Kind.HOLD: 0, self.Kind.RELEASE: 0}
        return sign.get(self.Kind(self.kind), 1) * self.amount
