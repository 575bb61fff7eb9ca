"""All that makes an Edit: one verb for the page, the API and every later door."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from editor.crash_points import crash_point
from editor.engine.plan import Plan
from editor.models import DraftPhoto, Edit, ReferencePhoto, ResultPhoto, User
from editor.models.clock import database_now
from editor.options import EditOptions
from editor.services import claims, credits, lifecycle, photos
from editor.services.access import Actor
from editor.services.credits import InsufficientCredits
from editor.services.routing import quote, refused_outputs, refused_regions

__all__ = [
    "DraftGone",
    "InstructionRefused",
    "InsufficientCredits",
    "NotOffered",
    "QueueFull",
    "find_submitted",
    "once",
    "require_credits",
    "require_room",
    "run_again",
    "submit_edit",
]


class InstructionRefused(Exception):
    """The engine will not do what was asked. Carries the plan; its text is the plan's sentence."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.message)
        self.plan = plan


class NotOffered(Exception):
    """The engine behind the site cannot be asked for this. Its text is a sentence for people."""


class QueueFull(Exception):
    """So many edits wait that one more would wait too long."""

    def __init__(self) -> None:
        super().__init__("Too many edits are waiting at the moment. Try again in a few minutes.")


class DraftGone(Exception):
    """A photo of the tray was used or discarded meanwhile."""

    def __init__(self) -> None:
        super().__init__("A photo is no longer here. Choose it again.")


def require_room() -> None:
    """The cheapest refusal, before an upload is read. Raises QueueFull."""
    if Edit.objects.filter(state=Edit.State.QUEUED).count() >= settings.MAX_QUEUED_EDITS:
        raise QueueFull


def require_credits(actor: Actor) -> None:
    """The cheap refusal, before anything is decoded. Raises InsufficientCredits. The purse itself
    decides at submit."""
    actor.workspace.refresh_from_db(fields=["balance", "held", "plan"])
    if actor.workspace.free < actor.workspace.price:
        raise InsufficientCredits


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


def submit_edit(
    actor: Actor,
    *,
    prompt: str,
    options: EditOptions,
    drafts: Sequence[DraftPhoto] = (),
    image_urls: Sequence[str] = (),
    submit_id: uuid.UUID,
    source: Edit.Source = Edit.Source.PAGE,
    idempotency_key: str | None = None,
    fingerprint: str = "",
) -> Edit:
    """Holds the price and queues the edit; the drafts become its references, in this order, or a worker
    fetches them from `image_urls`.

    Sending the same `submit_id` again, or the same idempotency key and fingerprint, gives the edit that
    exists. Raises PermissionDenied, InstructionRefused, InsufficientCredits and DraftGone; then nothing was
    written.
    """
    actor.require_edit()
    require_credits(actor)
    count = len(drafts) or len(image_urls)
    offer = quote(prompt=prompt, options=options, photos=count, workspace=actor.workspace)
    if offer.plan is not None and not offer.plan.accepted and source != Edit.Source.API:
        raise InstructionRefused(offer.plan)
    edit = Edit(
        workspace=actor.workspace,
        owner=actor.user,
        parent=_parent_of(drafts),
        prompt=prompt,
        plan=offer.plan.as_json() if offer.plan else None,
        image_urls=list(image_urls),
        source=source,
        api_key=actor.key,
        provider=offer.provider,
        base_url=offer.base_url,
        price=offer.price,
        submit_id=submit_id,
        idempotency_key=idempotency_key,
        fingerprint=fingerprint,
        **_columns(options),
        **_times(),
    )
    crash_point("submit.photos_stored")
    try:
        _queue(edit, drafts)
    except IntegrityError:
        existing = find_submitted(actor.user, submit_id)
        if existing is None and idempotency_key is not None:
            existing = claims.find_made(actor.user, key=idempotency_key, fingerprint=fingerprint)
        if existing is None:
            raise
        return existing
    crash_point("submit.committed")
    return edit


def _queue(edit: Edit, drafts: Sequence[DraftPhoto]) -> None:
    """The row, its hold, its photos and its wake-up, together or not at all."""
    with transaction.atomic():
        edit.save(force_insert=True)
        crash_point("submit.edit_inserted")
        credits.hold(edit)
        _take_over(drafts, edit)
        lifecycle.wake(edit.id, at=edit.due, priority=lifecycle.START)


def run_again(actor: Actor, edit: Edit, *, submit_id: uuid.UUID, partial: bool = False) -> Edit:
    """The same instruction and choices on copies of the same photos, as a new edit; on the same addresses
    when their photos never arrived. `partial`: this time what can be done of it.

    Sending the same `submit_id` again gives the edit that exists. Raises as `submit_edit` does, QueueFull and
    NotOffered; then no copy is left.
    """
    actor.require_edit()
    submitted = find_submitted(actor.user, submit_id)
    if submitted is None:
        require_room()
        require_credits(actor)
        options = replace(edit.options, partial=partial or edit.partial)
        _require_offered(options)
        submitted = _submit_copies(actor, edit, options, submit_id)
    return submitted


def _require_offered(options: EditOptions) -> None:
    """The engine behind the site may be another than the one that was asked before."""
    sentence = refused_outputs(options.outputs) or refused_regions(options.regions)
    if sentence:
        raise NotOffered(sentence)


def _submit_copies(actor: Actor, edit: Edit, options: EditOptions, submit_id: uuid.UUID) -> Edit:
    drafts: list[DraftPhoto] = []
    try:
        for reference in edit.references.all():
            drafts.append(photos.draft_from_reference(actor, reference))
        return submit_edit(
            actor,
            prompt=edit.prompt,
            options=options,
            drafts=drafts,
            image_urls=[] if drafts else edit.image_urls,
            submit_id=submit_id,
        )
    finally:
        # What an edit took over is no draft any more; the rest nobody asked for.
        for draft in drafts:
            photos.discard_draft(actor.user, draft.id)


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
