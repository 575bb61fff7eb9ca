"""All that makes an Edit: one Submission, one verb that holds every rule, for every door."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from editor.crash_points import crash_point
from editor.engine.plan import Plan
from editor.models import DraftPhoto, Edit, ReferencePhoto, ResultPhoto, User
from editor.models.clock import database_now
from editor.options import ASPECT_RATIOS, MAX_PHOTOS, MAX_REGIONS, OUTPUT_FORMATS, EditOptions
from editor.services import claims, credits, lifecycle, photos, search, space
from editor.services.access import Actor, Right
from editor.services.credits import InsufficientCredits
from editor.services.routing import quote, refused_outputs, refused_regions

__all__ = [
    "DraftGone",
    "InstructionRefused",
    "InsufficientCredits",
    "InvalidSubmission",
    "QueueFull",
    "Submission",
    "admit",
    "find_submitted",
    "once",
    "run_again",
    "submit_edit",
    "wrong_with",
]

# Word for word as the interface gives them.
PROMPT_REQUIRED = "Prompt is required"
PHOTO_REQUIRED = "At least one image URL is required"
TOO_MANY_PHOTOS = f"Maximum {MAX_PHOTOS} images allowed"


@dataclass(frozen=True)
class Submission:
    """One edit as it is asked for. Its photos are drafts, or addresses that a worker fetches; the same
    `submit_id`, or the same idempotency key and fingerprint, ask for the same edit."""

    prompt: str
    options: EditOptions = field(default_factory=EditOptions)
    drafts: Sequence[DraftPhoto] = ()
    image_urls: Sequence[str] = ()
    source: Edit.Source = Edit.Source.PAGE
    submit_id: uuid.UUID = field(default_factory=uuid.uuid4)
    idempotency_key: str | None = None
    fingerprint: str = ""

    @property
    def photos(self) -> int:
        """How many come with it."""
        return len(self.drafts) or len(self.image_urls)


class InvalidSubmission(Exception):
    """What is asked for cannot be. `wrong` has a sentence for each part, as `wrong_with` names them; the
    first is its text."""

    def __init__(self, wrong: dict[str, str]) -> None:
        super().__init__(next(iter(wrong.values())))
        self.wrong = wrong


class InstructionRefused(Exception):
    """The engine will not do what was asked. Carries the plan; its text is the plan's sentence."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.message)
        self.plan = plan


class QueueFull(Exception):
    """So many edits wait that one more would wait too long."""

    def __init__(self) -> None:
        super().__init__("Too many edits are waiting at the moment. Try again in a few minutes.")


class DraftGone(Exception):
    """A photo of the tray was used or discarded meanwhile."""

    def __init__(self) -> None:
        super().__init__("A photo is no longer here. Choose it again.")


def submit_edit(actor: Actor, submission: Submission) -> Edit:
    """Holds the price and queues the edit; its drafts become its references, in their order.

    What was submitted before is answered with its edit. Else, in this order, the right to edit, room on the
    disk and in the queue, credits, what is asked for, the instruction, and the purse itself decide. Raises
    PermissionDenied, DiskFull, QueueFull, InsufficientCredits, InvalidSubmission, InstructionRefused, and
    DraftGone; then nothing was written.
    """
    actor.require(Right.EDIT)
    found = find_submitted(actor.user, submission.submit_id)
    if found is not None:
        return found
    admit(actor)
    edit = _edit_of(actor, submission)
    crash_point("submit.photos_stored")
    try:
        _queue(edit, submission.drafts)
    except IntegrityError:
        found = find_submitted(actor.user, submission.submit_id) or _find_keyed(actor.user, submission)
        if found is None:
            raise
        return found
    crash_point("submit.committed")
    return edit


def admit(actor: Actor) -> None:
    """The cheap refusals with which `submit_edit` begins: a door asks for them before it decodes an upload.
    Raises PermissionDenied, DiskFull, QueueFull, and InsufficientCredits; the purse itself decides at the
    end."""
    actor.require(Right.EDIT)
    space.require()
    if Edit.objects.filter(state=Edit.State.QUEUED).count() >= settings.MAX_QUEUED_EDITS:
        raise QueueFull
    credits.require(actor)


def wrong_with(*, prompt: str, options: EditOptions, photos: int) -> dict[str, str]:
    """What of this cannot be asked for: sentences by the name of what is wrong, "region" for the boxes,
    "photos" for how many there are."""
    sentences = {
        "prompt": _wrong_prompt(prompt),
        "photos": PHOTO_REQUIRED if photos < 1 else TOO_MANY_PHOTOS if photos > MAX_PHOTOS else "",
        "aspect_ratio": _wrong_choice(options.aspect_ratio, ASPECT_RATIOS, ", or none"),
        "output_format": _wrong_choice(options.output_format, OUTPUT_FORMATS),
        "outputs": refused_outputs(options.outputs),
        "region": _wrong_regions(options, photos),
    }
    return {name: sentence for name, sentence in sentences.items() if sentence}


def find_submitted(user: User, submit_id: uuid.UUID) -> Edit | None:
    """The edit that this form has already made."""
    return Edit.objects.filter(owner=user, submit_id=submit_id).first()


def once(user: User, make: Callable[[], Edit], *, key: str, fingerprint: str) -> Edit:
    """Makes an edit once for an Idempotency-Key of this user, however often it is asked for: `make` gives
    it the same key and fingerprint. Raises claims.OtherRequest and claims.StillAnswering."""
    edit = claims.find_made(user, key=key, fingerprint=fingerprint)
    if edit is None:
        with claims.claimed(user, key=key, fingerprint=fingerprint):
            # The first request may have ended between the look and the claim.
            edit = claims.find_made(user, key=key, fingerprint=fingerprint) or make()
    return edit


def _queue(edit: Edit, drafts: Sequence[DraftPhoto]) -> None:
    """The row, its hold, its photos and its wake-up, together or not at all."""
    with transaction.atomic():
        edit.save(force_insert=True)
        search.index([edit])
        crash_point("submit.edit_inserted")
        credits.hold([edit])
        _take_over(drafts, edit)
        lifecycle.wake(edit.id, at=edit.due, priority=lifecycle.START)


def run_again(actor: Actor, edit: Edit, *, submit_id: uuid.UUID, partial: bool = False) -> Edit:
    """The same instruction and choices on copies of the same photos, as a new edit; on the same addresses
    when their photos never arrived. `partial`: this time what can be done of it.

    Sending the same `submit_id` again gives the edit that exists. Raises as `submit_edit` does; then no copy
    is left.
    """
    actor.require(Right.EDIT)
    submitted = find_submitted(actor.user, submit_id)
    if submitted is not None:
        return submitted
    admit(actor)
    drafts: list[DraftPhoto] = []
    try:
        drafts += photos.drafts_from_edit(actor, edit)
        return submit_edit(
            actor,
            Submission(
                prompt=edit.prompt,
                options=replace(edit.options, partial=partial or edit.partial),
                drafts=drafts,
                image_urls=[] if drafts else edit.image_urls,
                submit_id=submit_id,
            ),
        )
    finally:
        # What an edit took over is no draft any more; the rest nobody asked for.
        for draft in drafts:
            photos.discard_draft(actor, draft.id)


def _find_keyed(user: User, submission: Submission) -> Edit | None:
    key = submission.idempotency_key
    return None if key is None else claims.find_made(user, key=key, fingerprint=submission.fingerprint)


def _edit_of(actor: Actor, submission: Submission) -> Edit:
    """The edit that this asks for, not yet saved. Raises InvalidSubmission and InstructionRefused."""
    prompt, options, count = submission.prompt, submission.options, submission.photos
    if wrong := wrong_with(prompt=prompt, options=options, photos=count):
        raise InvalidSubmission(wrong)
    offer = quote(prompt=prompt, options=options, photos=count, workspace=actor.workspace)
    # A program hears of it as of every failure: from its task.
    if offer.plan is not None and not offer.plan.accepted and submission.source != Edit.Source.API:
        raise InstructionRefused(offer.plan)
    return Edit(
        workspace=actor.workspace,
        owner=actor.user,
        parent=_parent_of(submission.drafts),
        prompt=prompt,
        plan=offer.plan.as_json() if offer.plan else None,
        image_urls=list(submission.image_urls),
        source=submission.source,
        api_key=actor.key,
        provider=offer.provider,
        base_url=offer.base_url,
        price=offer.price,
        submit_id=submission.submit_id,
        idempotency_key=submission.idempotency_key,
        fingerprint=submission.fingerprint,
        **_columns(options),
        **_times(),
    )


def _take_over(drafts: Sequence[DraftPhoto], edit: Edit) -> None:
    """The references own the drafts' files from now on; nothing is copied."""
    references = [
        ReferencePhoto(edit=edit, position=position, name=draft.name, **draft.facts())
        for position, draft in enumerate(drafts, start=1)
    ]
    in_trays = [draft.id for draft in drafts if not draft._state.adding]
    deleted, _ = DraftPhoto.objects.filter(id__in=in_trays).delete()
    if deleted != len(in_trays):
        raise DraftGone
    ReferencePhoto.objects.bulk_create(references)


def _wrong_prompt(prompt: str) -> str:
    limit = settings.MAX_PROMPT_CHARACTERS
    too_long = f"Use at most {limit:,} characters. There are {len(prompt):,}."
    return PROMPT_REQUIRED if not prompt else too_long if len(prompt) > limit else ""


def _wrong_choice(word: str, choices: Sequence[str], otherwise: str = "") -> str:
    is_offered = word in choices or (not word and otherwise)
    return "" if is_offered else f"Choose one of {', '.join(choices)}{otherwise}."


def _wrong_regions(options: EditOptions, photos: int) -> str:
    if len(options.regions) > MAX_REGIONS:
        return f"Mark at most {MAX_REGIONS} boxes."
    missing = [region.image for region in options.regions if region.image > photos]
    return refused_regions(options.regions) or (
        f"A region is on photo {missing[0]}, which was not sent." if missing else ""
    )


def _parent_of(drafts: Sequence[DraftPhoto]) -> ResultPhoto | None:
    return drafts[0].parent if drafts else None


def _columns(options: EditOptions) -> dict[str, Any]:
    return {
        "aspect_ratio": options.aspect_ratio,
        "output_format": options.output_format,
        "outputs": options.outputs,
        "regions": [asdict(region) for region in options.regions],
        "partial": options.partial,
    }


def _times() -> dict[str, Any]:
    now = database_now()
    return {"created": now, "due": now, "deadline": now + timedelta(seconds=settings.QUEUED_SECONDS)}
