"""Edits. An edit's row is also its job, with its state, lease, due time, and deadline."""

from datetime import datetime, timedelta
from functools import cached_property
from math import ceil
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce, StrIndex
from django.db.models.lookups import GreaterThan
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from editor.models.credits import CreditEntry
from editor.models.ids import uuid7
from editor.models.photos import ResultPhoto
from editor.models.wording import TranslatedText, WithNotices, translate_text
from editor.options import KEEP_EVERYTHING_ELSE, EditKind, EditOptions, Point, Region


def has_step_of_kind(kind: EditKind) -> GreaterThan:
    """Return the condition that a step in the plan has this kind.

    The condition searches the JSON text. Both databases format JSON the same way and escape quotation marks
    in strings, so only a step can match. LIKE is not used, because PostgreSQL would then expect few matches
    and sort the whole workspace. The string is part of the SQL statement, because SQLite uses a partial index
    only for constants.
    """
    json_text = RawSQL(f"""'"kind": "{kind}"'""", (), models.TextField())  # noqa: S611 - The kind is a constant.
    return GreaterThan(
        StrIndex(Cast("plan", models.TextField()), json_text), RawSQL("0", (), models.IntegerField())
    )


class EditQuerySet(models.QuerySet["Edit"]):
    def open(self) -> Self:
        """Limit to open edits.

        The filter uses two redundant columns, because each of them has an index.
        """
        return self.filter(state__in=Edit.OPEN, finished=None)

    def due(self, now: datetime) -> Self:
        """Limit to edits that are open, due, and unleased."""
        return self.open().claimable(now)

    def claimable(self, now: datetime) -> Self:
        """Limit to edits that are due and unleased.

        Use this filter on edits that are already known to be open.
        """
        return self.filter(Q(lease_until__isnull=True) | Q(lease_until__lt=now), due__lte=now)

    def first_of_each_batch(self, edits: "EditQuerySet") -> Self:
        """Limit to single edits and to the first edit from each batch among `edits`."""
        earlier = edits.filter(batch=models.OuterRef("batch"), id__lt=models.OuterRef("id"))
        return self.filter(Q(batch=None) | ~models.Exists(earlier))

    def not_in_trash(self) -> Self:
        """Limit to edits that are neither in the trash nor purged."""
        return self.filter(trashed__isnull=True)

    def in_trash(self) -> Self:
        """Limit to edits that are in the trash and can be restored."""
        return self.filter(trashed__isnull=False, purged__isnull=True, hidden__isnull=True)

    def newest_first(self) -> Self:
        return self.order_by("-id")

    def with_step_of_kind(self, kind: str) -> Self:
        """Limit to edits whose plan has a step of this kind.

        If the kind is not a value of EditKind, no edits match.
        """
        return self.filter(has_step_of_kind(EditKind(kind))) if kind in EditKind else self.none()

    def with_result_shape(self, shape: str) -> Self:
        """Limit to edits whose first result is `wide`, `square`, or `tall`."""
        side = {"wide": Q(width__gt=F("height")), "square": Q(width=F("height"))}
        is_so = side.get(shape, Q(width__lt=F("height")))
        # An ended edit has only results that may be shown (invariant I18). The condition used by
        # `ResultPhoto.objects` would add a join, which would mislead PostgreSQL's planner.
        first = ResultPhoto.stored.filter(is_so, edit=OuterRef("pk"), position=1)
        return self.filter(Exists(first), finished__isnull=False)

    def with_is_favorite(self, user_id: int) -> Self:
        """Annotate each edit with `is_favorite`: whether this person has starred it."""
        stars = Favorite.objects.filter(user_id=user_id, edit=OuterRef("pk"))
        return self.annotate(is_favorite=Exists(stars))

    def with_refunds(self) -> Self:
        """Read `refunded_credits` along with each edit."""
        refund = CreditEntry.objects.filter(edit=OuterRef("pk"), kind=CreditEntry.Kind.REFUND)
        return self.annotate(refunded_credits=Coalesce(Subquery(refund.values("amount")), 0))


class Edit(WithNotices):
    """One request to change 1 to 5 photos, from submission to its final state.

    QUEUED -> SENDING -> RUNNING -> STORING -> SUCCESS | FAILED | CANCELLED; the first terminal state is
    final.

    Only `services.editing.lifecycle` writes `state`, and every write by a worker checks its `token`.
    """

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("Queued")
        SENDING = "SENDING", _("Sending")
        RUNNING = "RUNNING", _("Running")
        STORING = "STORING", _("Storing")
        SUCCESS = "SUCCESS", _("Finished")
        FAILED = "FAILED", _("Failed")
        CANCELLED = "CANCELLED", _("Cancelled")

    OPEN: ClassVar = (State.QUEUED, State.SENDING, State.RUNNING, State.STORING)
    TERMINAL: ClassVar = (State.SUCCESS, State.FAILED, State.CANCELLED)
    INCOMPLETE: ClassVar = "incomplete"  # failure code of an edit for which only some results arrived
    REJECTED: ClassVar = "rejected"  # failure code of an edit that its engine refused

    class ReviewState(models.TextChoices):
        DRAFT = "draft", _("Draft")
        IN_REVIEW = "in_review", _("In review")
        APPROVED = "approved", _("Approved")
        DECLINED = "declined", _("Declined")

    class Source(models.TextChoices):
        PAGE = "page", _("Page")
        API = "api", _("API")
        ADMIN = "admin", _("Admin")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="edits")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="edits")
    parent = models.ForeignKey(
        "editor.ResultPhoto",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="continued_by",
        help_text="The result that this edit continues.",
    )

    # The request
    prompt = models.TextField()
    aspect_ratio = models.CharField(max_length=5, blank=True)
    output_format = models.CharField(max_length=4, default="png")
    outputs = models.PositiveSmallIntegerField(default=1)
    regions = models.JSONField(default=list, blank=True)
    points = models.JSONField(
        default=list, db_default=models.Value([], output_field=models.JSONField()), blank=True
    )
    partial = models.BooleanField(default=False)
    # If the engine makes no plans, this may only be what `services.editing.keeping` stores.
    plan = models.JSONField(null=True, blank=True)
    image_urls = models.JSONField(default=list, blank=True)  # URLs from which a worker fetches the photos
    api_key = models.ForeignKey(
        "editor.ApiKey", on_delete=models.PROTECT, null=True, blank=True, related_name="edits"
    )
    source = models.CharField(max_length=5, choices=Source, default=Source.PAGE)

    recipe_version = models.ForeignKey(
        "editor.RecipeVersion",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        db_index=False,
        related_name="edits",
    )
    batch = models.ForeignKey(
        "editor.Batch",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        db_index=False,
        related_name="edits",
    )
    # The photo's number within its batch.
    batch_position = models.PositiveSmallIntegerField(null=True, blank=True)

    # Fields for the engine and the price. An edit lacks its engine only if it comes from a node running an
    # older release, which has no engine rows. The next sweep assigns the engine.
    engine = models.ForeignKey(
        "editor.Engine", on_delete=models.PROTECT, null=True, blank=True, db_index=False, related_name="edits"
    )
    # For nodes running that older release. These fields identify the same engine as `engine`.
    provider = models.CharField(max_length=50)
    base_url = models.CharField(max_length=500, blank=True)
    ticket = models.JSONField(null=True, blank=True)
    # descriptions of where the engine's results can be found
    arrivals = models.JSONField(default=list, blank=True)
    price = models.PositiveIntegerField()

    # The job
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    lease_until = models.DateTimeField(null=True, blank=True)
    # Time at which a worker claimed the edit to start it.
    claimed = models.DateTimeField(null=True, blank=True, editable=False)
    token = models.PositiveIntegerField(default=0)
    due = models.DateTimeField()
    deadline = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    put_offs = models.PositiveSmallIntegerField(default=0)  # number of times that the engine refused to start
    progress = models.PositiveSmallIntegerField(default=0)  # percent
    revision = models.PositiveIntegerField(default=1)

    # The most recent time at which the edit entered each stage.
    sent = models.DateTimeField(null=True, blank=True, editable=False)
    started = models.DateTimeField(null=True, blank=True, editable=False)
    arrived = models.DateTimeField(null=True, blank=True, editable=False)

    # The outcome
    failure_code = models.CharField(max_length=40, blank=True)
    # The failure message in English.
    failure_message = models.TextField(blank=True)
    # The failure message with its values, for translation.
    failure_said = models.JSONField(null=True, blank=True)

    # The review state. `models.Review` stores the history of its changes.
    review_state = models.CharField(max_length=9, choices=ReviewState, default=ReviewState.DRAFT)

    # Identifiers that are used to recognize a repeated submission.
    submit_id = models.UUIDField()
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)

    # Deletion: an edit in the trash can be restored until it is purged. A legal hold prevents purging.
    trashed = models.DateTimeField(null=True, blank=True)
    trashed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    purge_due = models.DateTimeField(null=True, blank=True)
    purged = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    finished = models.DateTimeField(null=True, blank=True)

    # Fields for an edit that staff have hidden. Such an edit is in the trash, but is invisible there and
    # never purged.
    hidden = models.DateTimeField(null=True, blank=True, editable=False)
    hidden_reason = models.CharField(max_length=300, blank=True, editable=False)

    objects = EditQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "submit_id"], name="one_edit_for_a_submit"),
            models.UniqueConstraint(
                fields=["owner", "idempotency_key"], name="one_edit_for_an_idempotency_key"
            ),
            models.UniqueConstraint(
                fields=["batch", "batch_position"],
                condition=Q(batch__isnull=False) & ~Q(state__in=["FAILED", "CANCELLED"]),
                name="one_edit_for_a_photo_of_a_batch",
            ),
            models.CheckConstraint(condition=Q(progress__lte=100), name="progress_is_a_percentage"),
            models.CheckConstraint(
                condition=Q(state__in=["SUCCESS", "FAILED", "CANCELLED"], finished__isnull=False)
                | Q(state__in=["QUEUED", "SENDING", "RUNNING", "STORING"], finished__isnull=True),
                name="finished_says_when",
            ),
            models.CheckConstraint(
                condition=Q(trashed__isnull=True, purge_due__isnull=True)
                | Q(trashed__isnull=False, purge_due__isnull=False, finished__isnull=False),
                name="only_ended_edits_are_in_the_trash",
            ),
            models.CheckConstraint(
                condition=Q(review_state="draft") | Q(state="SUCCESS"),
                name="only_finished_edits_are_reviewed",
            ),
            models.CheckConstraint(
                condition=Q(hidden__isnull=True) | Q(trashed__isnull=False, purged__isnull=True),
                name="what_is_hidden_is_out_of_sight",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due"],
                condition=Q(state__in=["QUEUED", "SENDING", "RUNNING", "STORING"]),
                name="open_edits_by_due_time",
            ),
            # `services.editing.turns` uses only the second of these indexes to read all waiting edits.
            models.Index(
                fields=[
                    *("state", "workspace", "owner", "provider", "base_url"),
                    *("batch", "due", "created", "claimed"),
                ],
                condition=Q(state="QUEUED"),
                name="waiting_edits_by_line",  # for nodes running an older release, which has no engine rows
            ),
            models.Index(
                fields=[
                    *("state", "workspace", "owner", "engine"),
                    *("batch", "due", "created", "claimed"),
                ],
                condition=Q(state="QUEUED"),
                name="waiting_edits_by_turn",
            ),
            models.Index(fields=["id"], condition=Q(engine=None), name="edits_without_an_engine"),
            models.Index(
                fields=["claimed"], condition=Q(claimed__isnull=False), name="edits_that_are_being_begun"
            ),
            # Indexes for the history: all edits; edits by owner, state, or engine; and open edits.
            models.Index(fields=["workspace", "-id"], name="edits_of_a_workspace"),
            models.Index(fields=["workspace", "owner", "-id"], name="edits_of_a_member"),
            models.Index(fields=["workspace", "state", "-id"], name="edits_of_a_workspace_by_state"),
            models.Index(fields=["workspace", "engine", "-id"], name="workspace_edits_by_engine"),
            models.Index(
                fields=["workspace", "-id"], condition=Q(finished=None), name="open_edits_of_a_workspace"
            ),
            *(
                models.Index(
                    fields=["workspace", "-id"],
                    condition=Q(has_step_of_kind(kind)),
                    name=f"edits_that_{kind}",
                )
                for kind in EditKind
            ),
            # Indexes for reviews: a workspace's edits by review state, and all edits that await review.
            models.Index(fields=["review_state", "workspace", "-id"], name="edits_by_review_state"),
            models.Index(fields=["owner", "state"], name="edits_of_an_owner_by_state"),
            models.Index(fields=["batch", "id"], condition=Q(batch__isnull=False), name="edits_of_a_batch"),
            models.Index(
                fields=["recipe_version", "id"],
                condition=Q(recipe_version__isnull=False),
                name="edits_of_a_recipe",
            ),
            models.Index(
                fields=["workspace", "-id"],
                condition=Q(trashed__isnull=False, purged__isnull=True),
                name="edits_in_the_trash",
            ),
            models.Index(
                fields=["purge_due"],
                condition=Q(trashed__isnull=False, purged__isnull=True),
                name="trash_by_due_time",
            ),
            # Indexes for staff queries across all workspaces.
            models.Index(fields=["state", "-id"], name="edits_by_state"),
            models.Index(fields=["state", "-finished", "failure_code"], name="ended_edits_by_time"),
            models.Index(fields=["engine", "-id"], name="edits_by_engine"),
            models.Index(fields=["review_state", "-id"], name="edits_by_review"),
            models.Index(fields=["-id"], condition=Q(hidden__isnull=False), name="hidden_edits_by_time"),
        ]

    def __str__(self) -> str:
        """Return a name that does not contain the prompt.

        Not everyone who sees the name may read the prompt.
        """
        return str(_("Edit %(id)s") % {"id": self.short_id})

    @property
    def short_id(self) -> str:
        """Return a part of the ID that is long enough to distinguish edits."""
        return f"{self.pk.hex[:8]}-{self.pk.hex[-4:]}".upper()

    @property
    def is_open(self) -> bool:
        return self.state not in self.TERMINAL

    @property
    def is_interrupted_with_results(self) -> bool:
        """Return whether the worker of a due edit crashed or lost its lease when results may have arrived."""
        arrived = {self.State.STORING}
        if self.answers_directly:
            arrived |= {self.State.SENDING, self.State.RUNNING}
        return self.state in arrived and self.lease_until is not None

    @property
    def is_success(self) -> bool:
        return self.state == self.State.SUCCESS

    @property
    def is_rejected(self) -> bool:
        """Return whether the edit failed because its engine refused the prompt, or a part of it."""
        return self.failure_code == self.REJECTED

    @property
    def has_results(self) -> bool:
        """Return whether the edit has results to show.

        It has results if it succeeded, or if it ended with some of its results.
        """
        return self.is_success or self.failure_code == self.INCOMPLETE

    @property
    def failure(self) -> TranslatedText:
        """Return the reason for the failure in the active language."""
        return translate_text(self.failure_said or self.failure_message)

    @cached_property
    def refunded_credits(self) -> int:
        """The number of the edit's credits that were refunded. `with_refunds` reads it for many edits."""
        return sum(self.credit_entries.filter(kind="refund").values_list("amount", flat=True))

    @property
    def charged_credits(self) -> int:
        """Return the number of credits that the edit cost, less its refund."""
        return self.price - self.refunded_credits if self.is_success else 0

    @property
    def photo_count(self) -> int:
        """Return the number of photos, also if some still need to be downloaded."""
        return len(self.image_urls) or self.references.count()

    @property
    def awaits_photos(self) -> bool:
        """Return whether photos that were given as URLs still need to be downloaded."""
        return bool(self.image_urls) and not self.references.filter(position=1).exists()

    @property
    def writes_files(self) -> bool:
        """Return whether the next stage writes files.

        A stage that only polls another site does not.
        """
        is_polling = self.state == self.State.RUNNING and not (self.runs_here or self.answers_directly)
        return self.state != self.State.SENDING and not is_polling

    @property
    def runs_here(self) -> bool:
        """Return whether the workers themselves edit the pixels.

        With other engines, the workers mostly wait.
        """
        return self.engine.runs_here if self.engine else not self.base_url

    @property
    def engine_and_model(self) -> tuple[str, str]:
        """Return the name of the engine, and the name of its model if it is known."""
        return (self.engine.name, self.engine.model) if self.engine else (self.provider, "")

    @property
    def answers_directly(self) -> bool:
        """Return whether the response of the engine contains the results. Only the machine that received it
        has them."""
        return self.engine is not None and self.engine.answers_directly

    @property
    def engine_name(self) -> str:
        """Return the name of the engine, also of an edit that has no engine row yet."""
        return self.engine.name if self.engine else self.provider

    @property
    def is_engine_off(self) -> bool:
        """Return whether the engine is off, so that it does not accept new edits."""
        return self.engine is not None and not self.engine.is_on

    @property
    def is_external(self) -> bool:
        """Return whether the photos go to an external engine."""
        return self.engine is not None and self.engine.is_external

    @property
    def is_engine_excluded(self) -> bool:
        """Return whether the owners of the workspace excluded the engine."""
        return self.is_external and self.workspace.excludes_external

    @property
    def calls_engine(self) -> bool:
        """Return whether the next stage calls the engine, which may be paused. Unpacking a response that has
        arrived is no call."""
        if self.state == self.State.QUEUED:
            return not self.awaits_photos
        return self.state == self.State.RUNNING and not self.answers_directly

    @property
    def can_be_deleted(self) -> bool:
        return not self.is_open and self.purged is None

    @property
    def can_be_reviewed(self) -> bool:
        return self.is_success and self.trashed is None

    @property
    def is_approved(self) -> bool:
        return self.review_state == self.ReviewState.APPROVED

    @property
    def is_in_review(self) -> bool:
        return self.review_state == self.ReviewState.IN_REVIEW

    @property
    def is_withheld(self) -> bool:
        """Return whether the team requires approval and this edit has not been approved."""
        return self.workspace.requires_approval and not self.is_approved

    @property
    def days_left(self) -> int:
        """Return the number of days, rounded up, until the edit is purged from the trash."""
        left = self.purge_due - timezone.now() if self.purge_due else timedelta(0)
        return max(0, ceil(left / timedelta(days=1)))

    @property
    def options(self) -> EditOptions:
        return EditOptions(
            aspect_ratio=self.aspect_ratio,
            output_format=self.output_format,
            outputs=self.outputs,
            regions=tuple(Region(**region) for region in self.regions),
            points=tuple(Point(**point) for point in self.points),
            partial=self.partial,
            keep_everything_else=(self.plan or {}).get(KEEP_EVERYTHING_ELSE),
        )

    @property
    def seconds(self) -> float | None:
        """Return the number of seconds from submission to end, or None if the edit is open."""
        return (self.finished - self.created).total_seconds() if self.finished else None


class Favorite(models.Model):
    """A person's star on an edit. Only that person sees it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="favorites")
    edit = models.ForeignKey(Edit, on_delete=models.CASCADE, related_name="favorites")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "edit"], name="one_favorite_for_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} starred {self.edit}"
