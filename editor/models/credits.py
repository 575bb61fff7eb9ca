"""The ledger, and what hangs on it. Entries are only ever added: triggers refuse to change or delete one."""

import re
from datetime import date
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from editor.models.wording import worded


class CreditEntryQuerySet(models.QuerySet["CreditEntry"]):
    def moving(self) -> Self:
        """Without holds and releases, which move nothing but what is reserved."""
        return self.filter(kind__in=["grant", "adjustment", "capture", "refund"])


class CreditEntry(models.Model):
    """One line of a workspace's ledger.

    `amount` is signed only for an adjustment; a grant adds, a capture takes, a refund gives some of that
    back, a hold and its release move nothing but what is reserved. In the order of their ids, the `balance`
    of each is that of the one before and what this one moves.
    """

    class Kind(models.TextChoices):
        GRANT = "grant", _("Grant")
        ADJUSTMENT = "adjustment", _("Correction")
        HOLD = "hold", _("Held for an edit")
        CAPTURE = "capture", pgettext_lazy("statement", "Edit")
        RELEASE = "release", _("Released")
        REFUND = "refund", _("Refund")

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
                fields=["edit"], condition=Q(kind="refund"), name="one_refund_for_an_edit"
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
                | Q(kind__in=["hold", "capture", "release", "refund"], edit__isnull=False),
                name="edit_entries_name_their_edit",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["workspace", "-id"], name="statement_of_a_workspace")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"

    @property
    def why(self) -> str:
        """Its reason; where the site wrote it, in the language that is spoken."""
        month = re.fullmatch(r"allowance-(\d{4})-(\d\d)", self.reference)
        if month is None:
            return worded(self.reason)
        first = date(int(month[1]), int(month[2]), 1)
        return gettext("Allowance of %(month)s") % {"month": date_format(first, "YEAR_MONTH_FORMAT")}

    @property
    def moved(self) -> int:
        """What the entry adds to the balance."""
        sign = {self.Kind.CAPTURE: -1, self.Kind.HOLD: 0, self.Kind.RELEASE: 0}
        return sign.get(self.Kind(self.kind), 1) * self.amount


class Spending(models.Model):
    """What a member, or one of their keys, has spent in a calendar month (UTC): the prices of the edits that
    were submitted in it, but for those that ended without a charge. Caps are decided by it."""

    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="spendings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="spendings")
    key = models.ForeignKey(
        "editor.ApiKey",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="spendings",
        help_text="Empty for the member's own row, which counts what their keys spend too.",
    )
    month = models.DateField(help_text="Its first day.")
    amount = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["workspace", "user", "month"],
                condition=Q(key=None),
                name="one_spending_of_a_member_in_a_month",
            ),
            models.UniqueConstraint(
                fields=["key", "month"],
                condition=Q(key__isnull=False),
                name="one_spending_of_a_key_in_a_month",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} in {self.month:%Y-%m}"


class CreditRequest(models.Model):
    """A member's wish for credits. It stands until credits come."""

    workspace = models.ForeignKey(
        "editor.Workspace", on_delete=models.PROTECT, related_name="credit_requests"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="credit_requests"
    )
    note = models.CharField(max_length=300, blank=True)
    day = models.DateField(help_text="One a day.")
    answered = models.DateTimeField(null=True, blank=True, help_text="When credits came.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user", "day"], name="one_credit_request_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.workspace}"
