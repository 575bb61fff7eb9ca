"""Workspaces, which own edits, photos, and credits, and their members and invitations."""

from datetime import date
from functools import cached_property
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from editor.models.accounts import User, normalized_email
from editor.models.engines import Engine, available_engines, default_of, price_with
from editor.models.ids import random_slug


class WorkspaceQuerySet(models.QuerySet["Workspace"]):
    def locked(self) -> Self:
        """Lock the rows until the transaction ends.

        Other transactions can still insert rows that refer to the locked rows (FOR NO KEY UPDATE). A stricter
        lock could cause a deadlock, because the inserting transaction may hold a lock that this one needs
        next.
        """
        return self.select_for_update(no_key=True)


class Workspace(models.Model):
    """A personal or team workspace, and its credits.

    `balance` decreases only when credits are captured. `held` is reserved for open edits and is still part of
    the balance. `free_credits` is the amount that can be spent.
    """

    class Plan(models.TextChoices):
        FREE = "free", _("Free")
        PRO = "pro", _("PRO")

    MAX_NAME_LENGTH: ClassVar = 100
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    slug = models.SlugField(
        unique=True,
        default=random_slug,
        editable=False,
        help_text=_("Part of the URL. It does not change when the name changes."),
    )
    personal_user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="personal_workspace",
        help_text=_("The person whose personal workspace this is; empty for a team."),
    )
    plan = models.CharField(max_length=4, choices=Plan, default=Plan.FREE)
    balance = models.PositiveBigIntegerField(default=0, editable=False)
    held = models.PositiveBigIntegerField(default=0, editable=False)
    allowance = models.PositiveIntegerField(
        default=0,
        help_text=_(
            "Balance to which a team is topped up each month. "
            "MONTHLY_CREDITS sets the amount for personal workspaces."
        ),
    )
    topped_up = models.DateField(
        null=True, blank=True, editable=False, help_text="First day of the month of the last allowance."
    )
    retention_days = models.PositiveIntegerField(
        null=True,
        blank=True,
        editable=False,
        help_text=_(
            "The number of days after which edits move to the trash automatically; empty to keep them."
        ),
    )
    held_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("While the workspace is under a legal hold, nothing is permanently deleted."),
    )
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )
    hold_reason = models.CharField(max_length=300, blank=True, editable=False)
    approval_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When the team started to require approval; empty if it does not.",
    )
    internal_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When external engines were excluded; empty if they may be used.",
    )
    closed = models.DateTimeField(null=True, blank=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="editor.Membership", related_name="workspaces"
    )

    objects = WorkspaceQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(held__gte=0, balance__gte=F("held")), name="purse_is_never_negative"
            ),
            models.CheckConstraint(
                condition=Q(approval_since=None) | Q(personal_user=None), name="only_teams_require_approval"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """Return the name to show in a user's list of workspaces.

        The name of a personal workspace is an email address, so "Personal" is shown instead.
        """
        return self.name if self.is_team else gettext("Personal")

    @property
    def initials(self) -> str:
        """Return up to two letters for the workspace's icon."""
        return "".join(word[0] for word in self.title.split()[:2]).upper()

    @property
    def is_team(self) -> bool:
        return self.personal_user_id is None

    @property
    def is_on_hold(self) -> bool:
        return self.held_since is not None

    @property
    def requires_approval(self) -> bool:
        """Return whether only reviewers may see originals until an edit is approved."""
        return self.approval_since is not None

    @property
    def excludes_external(self) -> bool:
        """Return whether no photo of this workspace may go to an external engine."""
        return self.internal_since is not None

    def allows(self, engine: Engine) -> bool:
        """Return whether edits of this workspace may go to the engine."""
        return not (engine.is_external and self.excludes_external)

    @property
    def free_credits(self) -> int:
        return self.balance - self.held

    @property
    def is_low(self) -> bool:
        """Return whether a team's balance is so low that the team should request credits."""
        return self.is_team and self.balance < self.low_balance_threshold

    @property
    def low_balance_threshold(self) -> int:
        """Return the balance below which a team is low on credits.

        This is the price of ten edits or a tenth of the monthly allowance, whichever is higher.
        """
        return max(10 * self.price, self.allowance // 10)

    @property
    def can_afford_edit(self) -> bool:
        return self.free_credits >= self.lowest_price

    @property
    def monthly_credits(self) -> int:
        """Return the amount that the balance is topped up to each month, or 0 if it is not topped up."""
        if self.is_team:
            return self.allowance
        amount: int = settings.MONTHLY_CREDITS
        owner = User.objects.with_monthly_credits().filter(personal_workspace=self)
        return amount if amount and owner.exists() else 0

    def awaits_allowance(self, month: date) -> bool:
        """Return whether the allowance for the month that starts on this day has not been granted yet."""
        return (self.topped_up is None or self.topped_up < month) and self.monthly_credits > 0

    @property
    def price(self) -> int:
        """Return the number of credits that an edit with the default engine costs, regardless of its number
        of outputs."""
        return price_with(default_of(self.engines), self.plan)

    @property
    def lowest_price(self) -> int:
        """Return the price of an edit with the cheapest of the engines that are available here."""
        return min((engine.price_for(self.plan) for engine in self.engines), default=self.price)

    @cached_property
    def engines(self) -> list[Engine]:
        """The engines that take new edits in this workspace, in the order of EDIT_PROVIDER."""
        return [engine for engine in available_engines() if self.allows(engine)]


class Membership(models.Model):
    """A user's membership in a workspace, with a role that determines their rights."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        ADMIN = "admin", _("Admin")
        EDITOR = "editor", _("Editor")
        VIEWER = "viewer", _("Viewer")

    workspace = models.ForeignKey(Workspace, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=6, choices=Role, default=Role.EDITOR)
    cap = models.PositiveIntegerField(
        null=True, blank=True, help_text="Credits that the member may spend in a month; empty for no cap."
    )
    by_group = models.BooleanField(
        default=False,
        editable=False,
        help_text="Given by a group of the OpenID Connect issuer, and ended with it.",
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_for_a_user")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.workspace}: {self.role}"


class Invitation(models.Model):
    """A link that lets anyone who has it join a team.

    If `email` is set, only the account with that address can use the link. The row contains only a digest of
    the link's token, and a seed from which only the site can recompute the token. Therefore, a copy of the
    database does not grant access.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.PROTECT, related_name="invitations")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="Empty if a command created it.",
    )
    role = models.CharField(max_length=6, choices=Membership.Role)
    email = models.EmailField(
        blank=True, help_text="The only email address that can use it; empty if anyone with the link can."
    )
    is_mailed = models.BooleanField(default=False)
    seed = models.CharField(max_length=32, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    uses = models.PositiveSmallIntegerField(default=1)
    used = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(used__lte=F("uses")), name="invitation_is_not_used_up_twice"),
            models.CheckConstraint(condition=~Q(role="owner"), name="invitation_makes_no_owner"),
            models.CheckConstraint(
                condition=Q(uses=1) | Q(email="", role__in=("editor", "viewer")),
                name="invitation_of_many_is_plain",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email or 'a link'} to {self.workspace}: {self.role}"

    def is_for(self, email: str) -> bool:
        return self.email in ("", normalized_email(email))
