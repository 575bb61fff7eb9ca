"""Submit edits: one service function enforces every rule for all entry points."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from editor.crash_points import crash_point
from editor.engine.plan import Plan
from editor.models import Action, Batch, DraftPhoto, Edit, RecipeVersion, ReferencePhoto, ResultPhoto, User
from editor.models.clock import database_now
from editor.models.wording import number, translate_text
from editor.options import (
    ASPECT_RATIOS,
    KEEP_EVERYTHING_ELSE,
    MAX_PHOTOS,
    MAX_POINTS,
    MAX_REGIONS,
    OUTPUT_FORMATS,
    EditOptions,
    too_many_photos,
)
from editor.providers.contract import Capabilities
from editor.services.billing import credits
from editor.services.billing.credits import InsufficientCredits
from editor.services.core import audit, disk_space, search
from editor.services.core.access import Actor, Right, actor_in, reviewer_actor
from editor.services.editing import engines, idempotency, keeping, lifecycle
from editor.services.editing.quotes import AgreedQuote, digest_of_request, require_unchanged
from editor.services.editing.routing import (
    Quote,
    capabilities,
    capabilities_in,
    outputs_error,
    photos_error,
    points_error,
    quote,
    regions_error,
)
from editor.services.photos import drafts

__all__ = [
    "Admission",
    "DraftGone",
    "InsufficientCredits",
    "InvalidSubmission",
    "PromptRefused",
    "QueueFull",
    "Submission",
    "admit",
    "consume_drafts",
    "find_submitted",
    "get_or_create_edit",
    "kept_engine",
    "require_valid",
    "run_again",
    "submit_edit",
    "submit_together",
    "validation_errors",
]

# Error messages that the documented interface specifies word for word.
PROMPT_REQUIRED = gettext_noop("Prompt is required")
PHOTO_REQUIRED = gettext_noop("At least one image URL is required")
TOO_MANY_PHOTOS = too_many_photos()


@dataclass(frozen=True)
class Submission:
    """One requested edit.

    Its photos are drafts or URLs that a worker fetches, followed by the photos that its recipe supplies. Two
    submissions request the same edit if they have the same `submit_id`, or the same idempotency key and
    fingerprint.
    """

    prompt: str
    options: EditOptions = field(default_factory=EditOptions)
    drafts: Sequence[DraftPhoto] = ()
    image_urls: Sequence[str] = ()
    additional_drafts: Sequence[DraftPhoto] = ()
    recipe_version: RecipeVersion | None = None
    engine: str = ""  # the name of the requested engine, or "" for the choice of the site
    agreed: AgreedQuote | None = None  # what the page showed, if the edit was submitted from a page
    offer: Quote | None = None  # the quote for this request, if it was already made
    batch: Batch | None = None
    batch_position: int | None = None
    source: Edit.Source = Edit.Source.PAGE
    submit_id: uuid.UUID = field(default_factory=uuid.uuid4)
    idempotency_key: str | None = None
    fingerprint: str = ""
    repeated_edit: Edit | None = None  # the original edit, if this is a rerun
    reason: str = ""  # the reason why staff rerun the edit

    @property
    def photos(self) -> int:
        """Return the number of photos in the submission."""
        return (len(self.drafts) or len(self.image_urls)) + len(self.additional_drafts)

    @property
    def quote_key(self) -> tuple[str, EditOptions, int, str]:
        """Return what the quote depends on."""
        return self.prompt, self.options, self.photos, self.engine


@dataclass(frozen=True)
class Admission:
    """Permission for `actor` to submit up to `edits` edits. Only `admit` creates this object."""

    actor: Actor
    edits: int


class InvalidSubmission(Exception):
    """Raised when a submission is not valid.

    `errors` maps each invalid part, named as in `validation_errors`, to a message. The first message is the
    exception's text.
    """

    def __init__(self, wrong: dict[str, str]) -> None:
        super().__init__(next(iter(wrong.values())))
        self.errors = wrong


class PromptRefused(Exception):
    """Raised when the engine refuses the prompt.

    The exception contains the plan, and its text is the plan's message.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(translate_text(plan.message))
        self.plan = plan


class QueueFull(Exception):
    """Raised when the queue is full."""

    def __init__(self) -> None:
        super().__init__(_("Too many edits are waiting at the moment. Try again in a few minutes."))


class DraftGone(Exception):
    """Raised when a draft was used or deleted in the meantime."""

    def __init__(self) -> None:
        super().__init__(_("A photo was already used or removed, perhaps in another tab. Add it again."))


def admit(actor: Actor, *, edits: int = 1) -> Admission:
    """Check cheaply whether the actor may submit this many edits now.

    An entry point calls this once for each submission, before it decodes an upload, and passes the result on.
    The balance and the membership are checked again in the transaction that holds the price. Raises
    Forbidden, DiskFull, NoEngine, EngineNotAllowed, QueueFull, and InsufficientCredits, in this order.
    """
    actor.require(Right.EDIT)
    disk_space.require_free_disk()
    engines.require_engine(actor.workspace)
    if Edit.objects.filter(state=Edit.State.QUEUED).count() + edits > settings.MAX_QUEUED_EDITS:
        raise QueueFull
    credits.require_credits(actor, edits=edits)
    return Admission(actor, edits)


def submit_edit(admission: Admission, submission: Submission) -> Edit:
    """Hold the price, queue the edit, and return it.

    Returns the existing edit if this submission was already made. Raises InvalidSubmission,
    PromptRefused, EngineOff, EngineNotAllowed, UnknownEngine, QuoteChanged, InsufficientCredits,
    DraftGone, and NotFound if the actor is no longer a member of the workspace; in these cases, nothing has
    been written.
    """
    try:
        [edit] = submit_together(admission, [submission])
    except IntegrityError:
        user = admission.actor.user
        existing_edit = find_submitted(user, submission.submit_id) or _find_keyed(user, submission)
        if existing_edit is None:
            raise
        return existing_edit
    return edit


def submit_together(admission: Admission, submissions: Sequence[Submission]) -> list[Edit]:
    """Queue one edit per submission under a single hold, or queue none.

    If the batch has no row yet, one is created in the same transaction. Raises the same exceptions as
    `submit_edit`, and raises IntegrityError if one of the submissions was already made.
    """
    if len(submissions) > admission.edits:
        raise ValueError(f"Admitted for {admission.edits} edits, not for {len(submissions)}.")
    edits = _edits_of(admission.actor, submissions)
    crash_point("submit.photos_stored")
    _queue(admission.actor, edits, submissions)
    crash_point("submit.committed")
    return edits


def validation_errors(
    *, prompt: str, options: EditOptions, photos: int, can: Capabilities | None = None
) -> dict[str, str]:
    """Return a message for each part of an edit that is not valid for an engine that can do this.

    Without `can`, the engine is the default engine.

    The names include "region" for the regions, "point" for the points, and "photos" for the number of photos.
    """
    can = can or capabilities()
    sentences = {
        "prompt": _prompt_error(prompt),
        "photos": _count_error(photos, can),
        "aspect_ratio": _choice_error(options.aspect_ratio, ASPECT_RATIOS, may_lack=True),
        "output_format": _choice_error(options.output_format, OUTPUT_FORMATS),
        "outputs": outputs_error(options.outputs, can),
        "region": _regions_error(options, photos, can),
        "point": _points_error(options, photos, can),
    }
    return {name: translate_text(sentence) for name, sentence in sentences.items() if sentence}


def require_valid(prompt: str, options: EditOptions, photos: int, can: Capabilities) -> None:
    """Check a request for an engine that can do this. Raises InvalidSubmission."""
    if wrong := validation_errors(prompt=prompt, options=options, photos=photos, can=can):
        raise InvalidSubmission(wrong)


def find_submitted(user: User, submit_id: uuid.UUID) -> Edit | None:
    """Return the edit that an earlier submission of this form created, or None."""
    return Edit.objects.filter(owner=user, submit_id=submit_id).first()


def get_or_create_edit(user: User, create: Callable[[], Edit], *, key: str, fingerprint: str) -> Edit:
    """Return the edit that this idempotency key has created, or call `create` if there is none.

    `create` must give the edit the same key and fingerprint. Raises idempotency.KeyReused and
    idempotency.RequestInProgress.
    """
    edit = idempotency.find_created_edit(user, key=key, fingerprint=fingerprint)
    if edit is None:
        with idempotency.claim_key(user, key=key, fingerprint=fingerprint):
            # The first request may have ended between the query and the claim.
            edit = idempotency.find_created_edit(user, key=key, fingerprint=fingerprint) or create()
    return edit


def consume_drafts(drafts: Sequence[DraftPhoto]) -> None:
    """Remove drafts from their trays, because a new row takes over their files.

    Call this function in the transaction that creates the new row. Raises DraftGone if a draft no longer
    exists.
    """
    in_trays = [draft.id for draft in drafts if not draft._state.adding]
    deleted, _ = DraftPhoto.objects.filter(id__in=in_trays).delete()
    if deleted != len(in_trays):
        raise DraftGone


def run_again(
    admission: Admission,
    edit: Edit,
    *,
    submit_id: uuid.UUID,
    partial: bool = False,
    engine: str | None = None,
    agreed: AgreedQuote | None = None,
    source: Edit.Source = Edit.Source.PAGE,
    reason: str = "",
) -> Edit:
    """Submit an edit's prompt and options again, with copies of its photos, as a new edit.

    If the photos of its URLs never arrived, the URLs are used again. With `partial`, the part of the
    prompt that the engine understood is applied this time. `engine` is the name of the engine that was
    chosen; without it, the edit keeps its engine while that is on. `agreed` is the quote that was shown, if
    any. `reason` says why staff run the edit again. Returns the existing edit if `submit_id` was already
    used. Raises the same exceptions as `submit_edit`, and OSError if a photo cannot be read; in this case, no
    copy remains.
    """
    with drafts.copies(edit.references.select_related("edit__parent")) as copies:
        submission = Submission(
            prompt=edit.prompt,
            options=replace(edit.options, partial=partial or edit.partial),
            drafts=() if edit.awaits_photos else copies,
            image_urls=edit.image_urls if edit.awaits_photos else (),
            additional_drafts=copies if edit.awaits_photos else (),
            recipe_version=edit.recipe_version,
            engine=kept_engine(edit) if engine is None else engine,
            agreed=agreed,
            source=source,
            submit_id=submit_id,
            repeated_edit=edit,
            reason=reason,
        )
        return submit_edit(admission, submission)


def kept_engine(edit: Edit) -> str:
    """Return the name of the engine with which an edit is run again: that of the edit while it is on, or ""
    for the choice of the site."""
    engine = engines.engine_of(edit)
    return engine.name if engine in engines.available_in(edit.workspace) else ""


def _queue(actor: Actor, edits: Sequence[Edit], submissions: Sequence[Submission]) -> None:
    """Insert the edits with their holds, photos, and wake-ups, or insert nothing.

    In a batch, only RUNNING_PER_USER edits are woken. Each edit that ends wakes the next one.
    """
    with transaction.atomic():
        batch = submissions[0].batch
        if batch is not None and batch._state.adding:
            batch.save(force_insert=True)
        Edit.objects.bulk_create(edits)
        crash_point("submit.edit_inserted")
        credits.hold(edits)
        # A member who has left in the meantime no longer has a cap in this workspace, so check the membership
        # again.
        actor_in(actor.user, actor.workspace).require(Right.EDIT)
        engines.require_allowed(actor.workspace.pk, {edit.engine for edit in edits if edit.engine})
        _take_over(edits, submissions)
        search.index(edits)
        _record(actor, edits, submissions)
        for edit in edits[: settings.RUNNING_PER_USER]:
            lifecycle.wake(edit, at=edit.due, priority=lifecycle.start_priority(edit))


def _find_keyed(user: User, submission: Submission) -> Edit | None:
    key = submission.idempotency_key
    return (
        None
        if key is None
        else idempotency.find_created_edit(user, key=key, fingerprint=submission.fingerprint)
    )


def _edits_of(actor: Actor, submissions: Sequence[Submission]) -> list[Edit]:
    """Return the unsaved edits for these submissions. Identical requests are quoted only once.

    Raises InvalidSubmission, PromptRefused, EngineOff, UnknownEngine, and QuoteChanged.
    """
    offers: dict[tuple[str, EditOptions, int, str], Quote] = {}
    for submission in submissions:
        if submission.quote_key not in offers:
            offers[submission.quote_key] = _offer(actor, submission)
    times = _times()
    return [_edit_of(actor, one, offers[one.quote_key], times) for one in submissions]


def _offer(actor: Actor, submission: Submission) -> Quote:
    prompt, options, count = submission.prompt, submission.options, submission.photos
    require_valid(prompt, options, count, capabilities_in(actor.workspace, submission.engine))
    offer = submission.offer
    if offer is None or submission.engine not in ("", offer.engine.name):
        offer = quote(actor, prompt=prompt, options=options, photos=count, engine=submission.engine)
    require_valid(prompt, options, count, can := capabilities(offer.engine))
    if unable := keeping.error(offer.area, options, can):
        raise InvalidSubmission({KEEP_EVERYTHING_ELSE: translate_text(unable)})
    if submission.agreed is not None:
        request = digest_of_request(prompt, options, submission.drafts, submission.engine)
        require_unchanged(submission.agreed, offer, named=submission.engine, request=request)
    # An API client learns about a refused prompt from the status of its task, just like about any other
    # failure.
    if offer.plan is not None and not offer.plan.accepted and submission.source != Edit.Source.API:
        raise PromptRefused(offer.plan)
    return offer


def _edit_of(actor: Actor, submission: Submission, offer: Quote, times: dict[str, Any]) -> Edit:
    return Edit(
        workspace=actor.workspace,
        owner=actor.user,
        parent=_parent_of(submission.drafts),
        prompt=submission.prompt,
        plan=offer.plan.as_json() if offer.plan else keeping.stored(offer.area, submission.options),
        image_urls=list(submission.image_urls),
        recipe_version=submission.recipe_version,
        batch=submission.batch,
        batch_position=submission.batch_position,
        source=submission.source,
        api_key=actor.key,
        engine=offer.engine,
        provider=offer.engine.provider,
        base_url=offer.engine.base_url,
        price=offer.price,
        submit_id=submission.submit_id,
        idempotency_key=submission.idempotency_key,
        fingerprint=submission.fingerprint,
        **_columns(submission.options),
        **times,
    )


def _take_over(edits: Sequence[Edit], submissions: Sequence[Submission]) -> None:
    """Transfer the drafts' files to the edits' reference photos without copying them."""
    consume_drafts([draft for submission in submissions for draft in submission.drafts])
    ReferencePhoto.objects.bulk_create(
        reference
        for edit, submission in zip(edits, submissions, strict=True)
        for reference in _references(edit, submission)
    )


def _record(actor: Actor, edits: Sequence[Edit], submissions: Sequence[Submission]) -> None:
    """Record the edits that staff ran again."""
    for edit, submission in zip(edits, submissions, strict=True):
        if actor.staff is not None and submission.repeated_edit is not None:
            audit.record(
                reviewer_actor(actor.staff, actor.workspace),
                Action.EDIT_RETRIED,
                subject=submission.repeated_edit,
                reason=submission.reason,
                detail={"edit": str(edit.pk)},
            )


def _references(edit: Edit, submission: Submission) -> list[ReferencePhoto]:
    """Return the reference photos for the drafts.

    Photos that a worker later fetches from URLs are placed before these.
    """
    first = len(submission.image_urls) + 1
    return [
        ReferencePhoto(edit=edit, position=position, name=draft.name, **draft.file_fields())
        for position, draft in enumerate((*submission.drafts, *submission.additional_drafts), start=first)
    ]


def _prompt_error(prompt: str) -> str:
    limit = settings.MAX_PROMPT_CHARACTERS
    too_long = _("Use at most %(limit)s characters. You entered %(count)s.") % {
        "limit": number(limit),
        "count": number(len(prompt)),
    }
    return PROMPT_REQUIRED if not prompt else too_long if len(prompt) > limit else ""


def _count_error(photos: int, can: Capabilities) -> str:
    if photos < 1:
        return PHOTO_REQUIRED
    return TOO_MANY_PHOTOS if photos > MAX_PHOTOS else photos_error(photos, can)


def _choice_error(word: str, choices: Sequence[str], *, may_lack: bool = False) -> str:
    if word in choices or (not word and may_lack):
        return ""
    sentence = _("Choose one of %(choices)s, or none.") if may_lack else _("Choose one of %(choices)s.")
    return sentence % {"choices": ", ".join(choices)}


def _regions_error(options: EditOptions, photos: int, can: Capabilities) -> str:
    if len(options.regions) > MAX_REGIONS:
        return _("Draw at most %(most)s boxes.") % {"most": MAX_REGIONS}
    missing = [region.image for region in options.regions if region.image > photos]
    if missing:
        return _("A box is on photo %(photo)s, which is missing. Add the photo or delete the box.") % {
            "photo": missing[0]
        }
    return regions_error(options.regions, can)


def _points_error(options: EditOptions, photos: int, can: Capabilities) -> str:
    points = options.points
    if len(points) > MAX_POINTS:
        return _("Use at most %(most)s points.") % {"most": MAX_POINTS}
    missing = [point.image for point in points if point.image > photos]
    if missing:
        return _("A point is on photo %(photo)s, which is missing. Add the photo or delete the point.") % {
            "photo": missing[0]
        }
    if points and not any(point.keep for point in points):
        return _("Add a point that selects something. So far, points only take something away.")
    return points_error(points, can)


def _parent_of(drafts: Sequence[DraftPhoto]) -> ResultPhoto | None:
    return drafts[0].parent if drafts else None


def _columns(options: EditOptions) -> dict[str, Any]:
    return {
        "aspect_ratio": options.aspect_ratio,
        "output_format": options.output_format,
        "outputs": options.outputs,
        "regions": [asdict(region) for region in options.regions],
        "points": [asdict(point) for point in options.points],
        "partial": options.partial,
    }


def _times() -> dict[str, Any]:
    now = database_now()
    return {"created": now, "due": now, "deadline": now + timedelta(seconds=settings.QUEUED_SECONDS)}
