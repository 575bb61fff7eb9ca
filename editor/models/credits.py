"""The credit ledger, monthly spending, and credit requests. Triggers keep the ledger append-only."""

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

from editor.models.wording import translate_text


class CreditEntryQuerySet(models.QuerySet["CreditEntry"]):
    def changing_balance(self) -> Self:
        """Limit to entries that change the balance. This excludes holds and releases."""
        return self.filter(kind__in=["grant", "adjustment", "capture", "refund"])


class CreditEntry(models.Model):
    """One entry in a workspace's ledger.

    A grant adds to the balance, a capture subtracts from it, a refund returns part of a capture, and an
    adjustment may be positive or negative. A hold and its release change only the reserved amount. In order
    of ID, each entry's `balance` is the previous entry's balance plus the amount that this entry moves.
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
    balance = models.PositiveBigIntegerField(help_text="Balance of the workspace after this entry.")
    reference = models.CharField(
        max_length=100, blank=True, help_text="A second entry with the same reference is refused."
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
    def reason_shown(self) -> str:
        """Return the reason, translated if the site wrote it."""
        month = re.fullmatch(r"allowance-(\d{4})-(\d\d)", self.reference)
        if month is None:
            return translate_text(self.reason)
        first = date(int(month[1]), int(month[2]), 1)
        return gettext("Allowance of %(month)s") % {"month": date_format(first, "YEAR_MONTH_FORMAT")}

    @property
    def balance_change(self) -> int:
        """Return the signed number of credits that the entry adds to the balance."""
        sign = {self.Kind.CAPTURE: -1, self.Kind.HOLD: 0, self.Kind.RELEASE: 0}
        return sign.get(self.Kind(self.kind), 1) * self.amount


class Spending(models.Model):
    """The credits that a member, or one of their keys, has spent in a calendar month (UTC).

    This is the sum of the prices of all edits submitted in that month, except those that ended without a
    charge. Monthly caps are checked against this sum.
    """

    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="spendings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="spendings")
    key = models.ForeignKey(
        "editor.ApiKey",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="spendings",
        help_text="Empty for the member's own row, which also counts the spending of their keys.",
    )
    month = models.DateField(help_text="First day of the month.")
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
    """A member's request for credits, which remains open until credits are granted."""

    workspace = models.ForeignKey(
        "editor.Workspace", on_delete=models.PROTECT, related_name="credit_requests"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="credit_requests"
    )
    note = models.CharField(max_length=300, blank=True)
    day = models.DateField(help_text="Only one request is allowed for each day.")
    answered = models.DateTimeField(null=True, blank=True, help_text="When credits were granted.")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user", "day"], name="one_credit_request_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.workspace}"
