"""The API operations on edits. "create" and "query" come from the API specification; "cancel" and "list" are
additions."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from editor.api import bodies
from editor.api.auth import api_view
from editor.api.envelope import ApiError, Envelope, success
from editor.engine.plan import Refusal, Way
from editor.forms import EditForm, SearchForm, parse_variables
from editor.imaging.errors import PhotoError, SandboxError
from editor.models import DraftPhoto, Edit, RecipeVersion, ReferencePhoto, ResultPhoto
from editor.models.ids import parse_number, parse_uuid
from editor.options import EditOptions
from editor.providers.contract import Capabilities
from editor.services.core import links
from editor.services.core.access import Actor, Right
from editor.services.core.disk_space import DiskFull
from editor.services.core.errors import NotFound
from editor.services.editing import engines, idempotency, lifecycle, routing, submit
from editor.services.editing.refusals import refusals_of, ways_by_refusal
from editor.services.library import history, recipes
from editor.services.photos import drafts, photos

PROVIDER = "darkroom"
NO_SUCH_TASK = "This task does not exist, or you do not have access to it."
NO_SUCH_RECIPE = "recipe: This recipe does not exist, or you do not have access to it."
RECIPE_UNREADABLE = f"recipe: {recipes.UNREADABLE}"
LIST_LENGTH = 20  # The number of edits per page if the request sets no limit.
MAX_LIST_LENGTH = 100  # The maximum number of edits per page.
STATUSES = {
    Edit.State.QUEUED: "PENDING",
    Edit.State.SENDING: "RUNNING",
    Edit.State.RUNNING: "RUNNING",
    Edit.State.STORING: "RUNNING",
    Edit.State.SUCCESS: "SUCCESS",
    Edit.State.FAILED: "FAILED",
    Edit.State.CANCELLED: "FAILED",
}
# Load only the columns that a status needs, because clients poll it often.
_SHOWN = ("state", "price", "failure_code", "failure_message", "purged", "provider", "engine", "engine__name")
_IDEMPOTENCY_KEY = re.compile(r"[\x20-\x7e]{1,255}")
_A_DAY = (r"[12]\d{3}-\d\d-\d\d", "Send a date, such as 2026-11-23.")
# The API checks these search fields more strictly than the search form does, as its description promises.
_SEARCHED = {"favorite": ("true|false|1|0", "Send true or false."), "since": _A_DAY, "until": _A_DAY}
_BUSY_SECONDS = "2"
# For a replayed request, whose edit was valid for its engine, whatever that engine can do now.
_EVERYTHING = Capabilities(regions=True, points=True)
# Maps form fields to options of the edit.
_OPTIONS = {
    "aspect_ratio": "aspect_ratio",
    "output_format": "output_format",
    "outputs": "outputs",
    "region": "regions",
    "point": "points",
    "partial": "partial",
    "keep_everything_else": "keep_everything_else",
}
# Maps errors to the HTTP status and to the value of Retry-After, in seconds. An empty value omits the header.
_REFUSED: dict[type[Exception], tuple[int, str]] = {
    DiskFull: (507, ""),
    submit.QueueFull: (503, "60"),
    engines.NoEngine: (503, "60"),
    routing.EngineOff: (503, "60"),
    engines.EngineNotAllowed: (403, ""),
    submit.InsufficientCredits: (402, ""),
    idempotency.RequestInProgress: (409, "1"),
    idempotency.KeyReused: (422, ""),
}


@api_view("POST", rate_kind="creates", right=Right.EDIT)
def generate(request: HttpRequest, actor: Actor) -> Envelope:
    key = _idempotency_key(request)
    try:
        admission = _admit(actor, key)
        edit = _submit_once(actor, admission, bodies.parse_edit_request(request), key)
    except tuple(_REFUSED) as error:
        status, seconds = _REFUSED[type(error)]
        headers = {"Retry-After": seconds} if seconds else {}
        raise ApiError(status, str(error), headers, reason=getattr(error, "reason", "")) from None
    except submit.InvalidSubmission as error:
        name, sentence = next(iter(error.errors.items()))
        raise ApiError(400, bodies.field_error(name, sentence)) from None
    except routing.UnknownEngine as error:
        raise ApiError(400, f"engine: {error}") from None
    except recipes.InvalidVariables as error:
        raise ApiError(400, f"variables: {error}") from None
    headers = {"Idempotent-Replayed": "true"} if admission is None else {}
    return success(_task(request, actor, edit), headers=headers)


@api_view("GET", "HEAD", rate_kind="reads", right=Right.VIEW)
def status(request: HttpRequest, actor: Actor) -> Envelope:
    shown = Edit.objects.select_related("engine").only(*_SHOWN).with_refunds()
    edit = _find(actor, _single_parameter(request, "taskId") or "", shown)
    if edit.is_rejected:  # Its refusals need most of the other columns.
        edit = Edit.objects.select_related("engine").get(pk=edit.pk)
    charged = {} if edit.is_open else {"X-Credits-Charged": str(edit.charged_credits)}
    return success(_state(request, actor, edit), headers=charged)


@api_view("POST", rate_kind="reads", right=Right.EDIT)
def cancel(request: HttpRequest, actor: Actor) -> Envelope:
    task_id = bodies.parse_json(request).get("taskId")
    if task_id is not None and not isinstance(task_id, str):
        raise ApiError(400, "taskId: Send a string.")
    edit = _find(actor, task_id or "", Edit.objects.all())
    lifecycle.cancel(actor, edit)
    edit.refresh_from_db()
    return success(_state(request, actor, edit))


@api_view("GET", "HEAD", rate_kind="reads", right=Right.VIEW)
def edits(request: HttpRequest, actor: Actor) -> Envelope:
    limit = _limit(_single_parameter(request, "limit"))
    search = _search(request, actor)
    cursor = _single_parameter(request, "cursor")
    if cursor is not None and not search.has_key(cursor):
        raise ApiError(400, "cursor: Send the nextCursor of the previous page.")
    page = history.page_of(actor, search, size=limit, before=cursor or "")
    return success(
        {
            "edits": [_entry(request, actor, edit) for edit in page.rows],
            "nextCursor": page.older or None,
        }
    )


def _submit_once(
    actor: Actor, admission: submit.Admission | None, body: bodies.EditRequestBody, key: str | None
) -> Edit:
    """Return the edit for this request. A replayed request (`admission` is None) gets the existing edit, and
    any other request a new one."""
    form = body.form(_EVERYTHING if admission is None else _capabilities(actor, body))
    if key is None:
        assert admission is not None  # Only a request with an idempotency key can be a replay.
        return _submit(admission, body, form)
    fingerprint = _fingerprint(actor, body, form)
    if admission is None:
        return idempotency.get_created_edit(actor.user, key=key, fingerprint=fingerprint)
    return submit.get_or_create_edit(
        actor.user,
        lambda: _submit(admission, body, form, idempotency_key=key, fingerprint=fingerprint),
        key=key,
        fingerprint=fingerprint,
    )


def _capabilities(actor: Actor, body: bodies.EditRequestBody) -> Capabilities:
    """Return what a new edit may use. Raises EngineOff, EngineNotAllowed, and UnknownEngine."""
    if body.engine:
        return routing.capabilities(routing.find_engine(actor.workspace, body.engine))
    return routing.capabilities_in(actor.workspace)


def _submit(
    admission: submit.Admission,
    body: bodies.EditRequestBody,
    form: EditForm,
    *,
    idempotency_key: str | None = None,
    fingerprint: str = "",
) -> Edit:
    with _uploads(body.files) as drafts:
        submission = submit.Submission(
            prompt=form.prompt_text,
            options=form.options,
            drafts=drafts,
            image_urls=body.image_urls,
            engine=body.engine,
            source=Edit.Source.API,
            idempotency_key=idempotency_key,
            fingerprint=fingerprint,
        )
        if not body.has_recipe:
            return submit.submit_edit(admission, submission)
        version = _recipe(admission.actor, body.values["recipe"])
        values = parse_variables(body.values.get("variables", {}))
        options = _overlaid(version.options, body, form)
        engine = body.engine or recipes.engine_for(admission.actor, version)
        try:
            return recipes.run(
                admission, version, values, replace(submission, options=options, engine=engine)
            )
        except FileNotFoundError:
            raise ApiError(400, RECIPE_UNREADABLE) from None


def _recipe(actor: Actor, text: str) -> RecipeVersion:
    recipe_id = parse_uuid(text)
    if recipe_id is None:
        raise ApiError(404, NO_SUCH_RECIPE)
    try:
        return recipes.find_version(actor, recipe_id)
    except NotFound:
        raise ApiError(404, NO_SUCH_RECIPE) from None


def _overlaid(options: EditOptions, body: bodies.EditRequestBody, form: EditForm) -> EditOptions:
    """Return the recipe's options, overridden by the options that the request sets."""
    own = {
        option: getattr(form.options, option)
        for name, option in _OPTIONS.items()
        if body.values[name] or body.values[name] is False
    }
    return replace(options, **own)


@contextmanager
def _uploads(files: Sequence[UploadedFile[Any]]) -> Iterator[list[DraftPhoto]]:
    """Store uploaded files as photos. When the block ends, delete those that no edit uses."""
    kept: list[DraftPhoto] = []
    try:
        for number, file in enumerate(files):
            kept.append(_kept(file, bodies.FILE_FIELDS[number]))
        yield kept
    finally:
        drafts.discard_uploads(kept)


def _kept(file: UploadedFile[Any], field: str) -> DraftPhoto:
    try:
        return drafts.store_upload(cast(Any, file), name=file.name or "")
    except PhotoError as error:
        is_large = (file.size or 0) > photos.limits().photo_bytes
        status = 503 if _is_site_problem(error) else 413 if is_large else 400
        headers = {"Retry-After": _BUSY_SECONDS} if status == 503 else {}
        raise ApiError(status, f"{field}: {error.message}", headers) from None


def _is_site_problem(error: PhotoError) -> bool:
    """Check whether the site is the problem, not the photo: the disk is full, or every decoder is busy."""
    cause = error.__cause__
    return isinstance(cause, OSError) or (isinstance(cause, SandboxError) and cause.kind == "busy")


def _fingerprint(actor: Actor, body: bodies.EditRequestBody, form: EditForm) -> str:
    """Return a hash of everything that distinguishes the request: workspace, prompt, options, photos, and
    engine."""
    distinguishing = {
        "workspace": actor.workspace.pk,
        "prompt": form.prompt_text,
        "options": form.options.as_json(),
        "imageUrls": body.image_urls,
        "files": [_digest(file) for file in body.files],
    }
    if body.engine:
        distinguishing |= {"engine": body.engine}  # Without it, the hash is that of the previous release.
    if body.has_recipe:
        # Use the recipe's ID, not its content, so that a repeated request counts as the same even if the
        # recipe has changed.
        distinguishing |= {name: body.values.get(name) for name in ("recipe", "variables")}
    return hashlib.sha256(json.dumps(distinguishing, sort_keys=True).encode()).hexdigest()


def _digest(file: UploadedFile[Any]) -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _admit(actor: Actor, key: str | None) -> submit.Admission | None:
    """Admit a new edit, or return None if an earlier request with this key has already created one.

    Raises the same exceptions as `submit.admit`.
    """
    if _is_replay(actor, key):
        return None
    try:
        return submit.admit(actor)
    except (
        submit.InsufficientCredits,
        submit.QueueFull,
        engines.NoEngine,
        engines.EngineNotAllowed,
        DiskFull,
    ):
        # The other request may have spent the last credits in the meantime.
        if _is_replay(actor, key):
            return None
        raise


def _is_replay(actor: Actor, key: str | None) -> bool:
    return key is not None and idempotency.has_created_edit(actor.user, key=key)


def _idempotency_key(request: HttpRequest) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        raise ApiError(400, "Idempotency-Key: Send 1 to 255 plain characters, such as a UUID.")
    return key


def _find(actor: Actor, task_id: str, edits: QuerySet[Edit]) -> Edit:
    """Return the edit with this ID in the key's workspace.

    Raises the same ApiError whether the ID is unknown, malformed, or from another workspace.
    """
    if not task_id:
        raise ApiError(400, "taskId is required")
    edit = None
    if parse_uuid(task_id):
        edit = edits.filter(id=task_id, workspace=actor.workspace, trashed=None).first()
    if edit is None:
        raise ApiError(404, NO_SUCH_TASK)
    return edit


def _single_parameter(request: HttpRequest, name: str) -> str | None:
    given = request.GET.getlist(name)
    if len(given) > 1:
        raise ApiError(400, f"{name} was sent more than once. Send it once.")
    return given[0] if given else None


def _limit(text: str | None) -> int:
    limit = LIST_LENGTH if text is None else parse_number(text)
    if not limit or limit > MAX_LIST_LENGTH:
        raise ApiError(400, f"limit: Send a number from 1 to {MAX_LIST_LENGTH}.")
    return limit


def _states(word: str) -> list[Edit.State]:
    states = [state for state, outside in STATUSES.items() if outside == word]
    if not states:
        raise ApiError(400, f"state: Choose one of {', '.join(dict.fromkeys(STATUSES.values()))}.")
    return states


def _search(request: HttpRequest, actor: Actor) -> history.Search:
    given = {name: _single_parameter(request, name) for name in ("q", "favorite", "since", "until")}
    for name, (pattern, sentence) in _SEARCHED.items():
        if given[name] is not None and not re.fullmatch(pattern, given[name] or "", re.ASCII):
            raise ApiError(400, f"{name}: {sentence}")
    form = SearchForm({name: value for name, value in given.items() if value is not None})
    for field, sentences in form.errors.items():
        raise ApiError(400, f"{field}: {sentences[0]}")
    state = _single_parameter(request, "state")
    return form.search(actor, states=() if state is None else _states(state))


def _task(request: HttpRequest, actor: Actor, edit: Edit) -> dict[str, Any]:
    """Return an edit as the response to the request that created it.

    A replay returns the same values, including the URLs of uploads.
    """
    return {
        "provider": PROVIDER,
        "model": engines.model_of(edit),
        "engine": engines.engine_of(edit).name,
        "taskId": str(edit.id),
        "prompt": edit.prompt,
        "aspectRatio": edit.aspect_ratio,
        "inputImages": edit.image_urls
        or [_address(request, actor, one, since=edit.created) for one in edit.references.all()],
        "numImages": edit.outputs,
    }


def _state(request: HttpRequest, actor: Actor, edit: Edit) -> dict[str, Any]:
    """Return an edit's status.

    If the edit has ended, also return the name of the engine that carried it out, which may be a stand-in,
    and the results or the reason why it failed.
    """
    edit.workspace = actor.workspace  # The edits of a list share it, so its engines are read only once.
    state: dict[str, Any] = {"status": STATUSES[Edit.State(edit.state)]}
    if not edit.is_open:
        state["engine"] = edit.engine_name
    if edit.has_results:
        now = timezone.now()
        shown = [] if edit.purged else edit.results.all()
        state["images"] = [{"url": _address(request, actor, result, since=now)} for result in shown]
    if not edit.is_open and not edit.is_success:
        state |= {"message": edit.failure_message, "charged": 0}
    if refusals := refusals_of(edit):
        state["refusals"] = [_refusal(*one) for one in ways_by_refusal(edit, refusals)]
    return state


def _refusal(refusal: Refusal, ways: Sequence[Way]) -> dict[str, Any]:
    return {
        "words": refusal.words,
        "reason": refusal.reason.value,
        "hint": refusal.hint,
        "ways": [way.as_json() for way in ways],
    }


def _entry(request: HttpRequest, actor: Actor, edit: Edit) -> dict[str, Any]:
    return {
        "taskId": str(edit.id),
        "prompt": edit.prompt,
        "aspectRatio": edit.aspect_ratio,
        "outputFormat": edit.output_format,
        "numImages": edit.outputs,
        "engine": edit.engine_name,
        "created": edit.created.isoformat(),
        "finished": edit.finished.isoformat() if edit.finished else None,
        "charged": edit.charged_credits,
        **_state(request, actor, edit),
    }


def _address(
    request: HttpRequest, actor: Actor, photo: ResultPhoto | ReferencePhoto, *, since: datetime
) -> str:
    """Return a signed URL that is valid for RESULT_LINK_DAYS.

    The URL grants the same access that the key's user has.
    """
    site = settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")
    expires = since + timedelta(days=settings.RESULT_LINK_DAYS)
    return links.signed_photo_url(photo, user_id=actor.user.pk, expires=expires, site=site)
