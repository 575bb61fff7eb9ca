"""Batches apply one prompt or recipe to many photos.

A batch has one quote, one hold, and one edit per photo.
"""

import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

from django.db import IntegrityError
from django.db.models import Count, Exists, OuterRef, Sum
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from editor.engine.plan import Plan
from editor.models import Batch, DraftPhoto, Edit, Engine, RecipePhoto, RecipeVersion
from editor.options import MAX_BATCH_PHOTOS, EditOptions
from editor.services.core.access import Actor, Right
from editor.services.core.errors import NotFound
from editor.services.editing import engines, lifecycle, quotes, routing, submit
from editor.services.editing.submit import Admission, InvalidSubmission, PromptRefused, Submission
from editor.services.library import recipes
from editor.services.photos import drafts

NO_PHOTOS = gettext_noop("Add the photos first.")
TOO_MANY = format_lazy(gettext_lazy("Add at most {most} photos to a batch."), most=MAX_BATCH_PHOTOS)


@dataclass(frozen=True)
class Order:
    """A requested batch: a prompt, or a recipe with its values, to apply to each of these photos."""

    prompt: str = ""
    options: EditOptions = field(default_factory=EditOptions)
    drafts: Sequence[DraftPhoto] = ()
    recipe_version: RecipeVersion | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    engine: str = ""  # the name of the requested engine, or "" for the choice of the site
    submit_id: uuid.UUID = field(default_factory=uuid.uuid4)


@dataclass(frozen=True)
class BatchQuote:
    """The engine, the price, and the plan of a batch before it is submitted. `each` is the quote of one
    photo."""

    prompt: str
    photos: int
    each: routing.Quote

    @property
    def engine(self) -> Engine:
        return self.each.engine

    @property
    def plan(self) -> Plan | None:
        return self.each.plan

    @property
    def price_per_photo(self) -> int:
        return self.each.price

    @property
    def price(self) -> int:
        return self.photos * self.price_per_photo


class PriceChanged(quotes.QuoteChanged):
    """Raised when the price differs from the price to which the user agreed."""

    def __init__(self) -> None:
        super().__init__(_("The quote has changed. Check it again before you continue."))


@dataclass(frozen=True)
class Progress:
    """A batch's progress: the latest edit of each photo, in order.

    Edits in the trash are listed separately, because their credits still count.
    """

    edits: list[Edit]
    deleted: list[Edit] = field(default_factory=list)

    @property
    def succeeded(self) -> list[Edit]:
        return [edit for edit in self.edits if edit.is_success]

    @property
    def failed(self) -> list[Edit]:
        return [edit for edit in self.edits if edit.state == Edit.State.FAILED]

    @property
    def cancelled(self) -> list[Edit]:
        return [edit for edit in self.edits if edit.state == Edit.State.CANCELLED]

    @property
    def running(self) -> list[Edit]:
        return [edit for edit in self.open if edit.state != Edit.State.QUEUED]

    @property
    def waiting(self) -> list[Edit]:
        return [edit for edit in self.open if edit.state == Edit.State.QUEUED]

    @property
    def open(self) -> list[Edit]:
        return [edit for edit in self.edits if edit.is_open]

    @property
    def ended(self) -> int:
        return len(self.edits) - len(self.open)

    @property
    def captured_credits(self) -> int:
        """Return the number of captured credits, minus refunds."""
        return sum(edit.charged_credits for edit in self._paid_for)

    @property
    def held_credits(self) -> int:
        """Return the number of held credits."""
        return sum(edit.price for edit in self.open)

    @property
    def returned_credits(self) -> int:
        """Return the number of credits that were released or refunded."""
        return sum(edit.price for edit in self._paid_for) - self.captured_credits - self.held_credits

    @property
    def _paid_for(self) -> list[Edit]:
        return [*self.edits, *self.deleted]


def quote_batch(actor: Actor, order: Order) -> BatchQuote:
    """Return a batch's price and plan, without decoding a photo or holding credits.

    Raises Forbidden, InvalidSubmission, recipes.InvalidVariables, routing.EngineOff, routing.UnknownEngine,
    and PromptRefused.
    """
    actor.require(Right.EDIT)
    if sentence := _count_error(len(order.drafts)):
        raise InvalidSubmission({"photos": sentence})
    one = _submission(order, order.drafts[:1])
    count = 1 + len(_recipe_photos(order))
    submit.require_valid(
        one.prompt, one.options, count, routing.capabilities_in(actor.workspace, order.engine)
    )
    offer = routing.quote(actor, prompt=one.prompt, options=one.options, photos=count, engine=order.engine)
    submit.require_valid(one.prompt, one.options, count, routing.capabilities(offer.engine))
    if offer.plan is not None and not offer.plan.accepted:
        raise PromptRefused(offer.plan)
    return BatchQuote(one.prompt, len(order.drafts), offer)


def submit_batch(
    admission: Admission,
    order: Order,
    *,
    agreed_price: int | None,
    agreed: quotes.AgreedQuote | None = None,
) -> Batch:
    """Hold the price of all photos, queue an edit for each, and return the batch.

    `agreed_price` is the number of credits in the quote that was shown, if one was shown, and `agreed` is
    what that quote said about the engine. Returns the existing batch if this `submit_id` was already used.
    Raises the same exceptions as `quote_batch`, and InsufficientCredits, PriceChanged, quotes.QuoteChanged,
    DraftGone, and OSError if a photo of the recipe cannot be read; in these cases, nothing has been written
    or held.
    """
    actor = admission.actor
    offer = quote_batch(actor, order)
    if agreed is not None:
        quotes.require_unchanged(agreed, offer.each, named=order.engine, request="")
    if offer.price != agreed_price:
        raise PriceChanged
    batch = _batch_of(actor, order, offer)
    try:
        _submit_each(admission, batch, replace(order, engine=offer.engine.name))
    except IntegrityError:
        existing_batch = find_submitted(actor, order.submit_id)
        if existing_batch is None:
            raise
        return existing_batch
    return batch


def find_submitted(actor: Actor, submit_id: uuid.UUID) -> Batch | None:
    """Return the batch that an earlier submission of this form created, or None."""
    return Batch.objects.filter(owner=actor.user, submit_id=submit_id).first()


def find_batch(actor: Actor, batch_id: uuid.UUID) -> Batch:
    """Return this batch if it belongs to the actor's workspace.

    Raises NotFound if it does not, if the batch does not exist, or if all its edits are deleted.
    """
    batches = Batch.objects.select_related("owner", "workspace", "recipe_version__recipe")
    shown = Exists(Edit.objects.not_in_trash().filter(batch=OuterRef("pk")))
    batch = batches.filter(shown, id=batch_id, workspace=actor.workspace).first()
    if batch is None:
        raise NotFound("There is no such batch.")
    return batch


def progress_of(batch: Batch) -> Progress:
    """Return a batch's progress, using a constant number of queries.

    If a photo's latest edit is in the trash, the photo is left out, so that an earlier, failed edit does not
    reappear.
    """
    edits = (
        batch.edits.select_related("workspace", "engine")
        .prefetch_related("references", "results")
        .with_refunds()
        .order_by("batch_position", "id")
    )
    latest = {edit.batch_position: edit for edit in edits}.values()
    shown = [edit for edit in latest if edit.trashed is None]
    deleted = [edit for edit in latest if edit.trashed is not None]
    return Progress(shown, deleted)


def etag_of(batch: Batch) -> str:
    """Return text that changes whenever an edit in the batch changes. Uses one query."""
    totals = batch.edits.aggregate(edits=Count("id"), revisions=Sum("revision"))
    return f"{totals['edits']}-{totals['revisions']}"


def retry_failed(admission: Admission, batch: Batch, failed: Sequence[Edit], *, submit_id: uuid.UUID) -> int:
    """Submit a batch's failed edits again under one hold, and return their number.

    Of two simultaneous retries, only one takes effect, because each photo in a batch has at most one edit
    that is open or has succeeded. Raises OSError if a photo cannot be read. Also raises InsufficientCredits,
    InvalidSubmission, and PromptRefused. In all these cases, nothing has been written.
    """
    with ExitStack() as copied:
        again = [
            Submission(
                prompt=edit.prompt,
                options=edit.options,
                engine=engines.engine_of(edit).name,  # The page shows no other one.
                drafts=copied.enter_context(drafts.copies(edit.references.all())),
                submit_id=_id_of(submit_id, edit.batch_position or 0),
                recipe_version=batch.recipe_version,
                batch=batch,
                batch_position=edit.batch_position,
            )
            for edit in failed
        ]
        try:
            submit.submit_together(admission, again)
        except IntegrityError:
            return 0
    return len(failed)


def cancel_rest(actor: Actor, batch: Batch) -> int:
    """Cancel a batch's open edits, and return their number.

    The photos are processed in reverse order, so that no waiting edit starts in the meantime. Raises
    Forbidden.
    """
    actor.require(Right.EDIT)
    still_open = list(batch.edits.open().order_by("-id"))
    return sum(lifecycle.cancel(actor, edit) for edit in still_open)


def _submit_each(admission: Admission, batch: Batch, order: Order) -> None:
    with ExitStack() as copied:
        submissions = [
            replace(
                _submission(order, [draft]),
                additional_drafts=copied.enter_context(drafts.copies(_recipe_photos(order))),
                submit_id=_id_of(order.submit_id, number),
                batch=batch,
                batch_position=number,
                engine=order.engine,
            )
            for number, draft in enumerate(order.drafts, start=1)
        ]
        submit.submit_together(admission, submissions)


def _submission(order: Order, drafts: Sequence[DraftPhoto]) -> Submission:
    """Return a submission that contains these photos. Raises recipes.InvalidVariables."""
    if order.recipe_version is None:
        return Submission(prompt=order.prompt, options=order.options, drafts=drafts)
    submission = Submission(prompt="", options=order.recipe_version.options, drafts=drafts)
    return recipes.fill_submission(order.recipe_version, order.variables, submission)


def _recipe_photos(order: Order) -> list[RecipePhoto]:
    return list(order.recipe_version.photos.all()) if order.recipe_version else []


def _batch_of(actor: Actor, order: Order, offer: BatchQuote) -> Batch:
    return Batch(
        workspace=actor.workspace,
        owner=actor.user,
        prompt=offer.prompt,
        recipe_version=order.recipe_version,
        variables=dict(order.variables),
        photos=offer.photos,
        price=offer.price,
        submit_id=order.submit_id,
    )


def _id_of(submit_id: uuid.UUID, number: int) -> uuid.UUID:
    """Return the submit ID for this photo's edit. If the form is sent again, the ID is the same."""
    return uuid.uuid5(submit_id, str(number))


def _count_error(photos: int) -> str:
    return _(NO_PHOTOS) if photos < 1 else str(TOO_MANY) if photos > MAX_BATCH_PHOTOS else ""
