"""The provider for another site that implements the documented interface ("upstream site").

The interface defines no idempotency key, so at most one create request that could have reached the upstream
site is ever sent. Status requests and fetches of results may be repeated freely. The `Profile` contains our
assumptions about what the interface leaves open: which undocumented status words the site uses, and that no
work was done if it responds with 429.
"""

import json
import logging
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from editor.imaging.errors import ChildLost, JobError, SandboxError
from editor.imaging.sandbox import Sandbox, SandboxPool
from editor.outbound import OutboundError, Response, Rules
from editor.outbound.addresses import origin_of
from editor.outbound.calls import call, download
from editor.providers import advice, fetches, responses, result_notices, sending, waits
from editor.providers.contract import (
    BUSY,
    CREATE_SECONDS,
    FAILED,
    NO_RESULT,
    REJECTED,
    UNAVAILABLE,
    UNREADABLE,
    Capabilities,
    Check,
    EditRequest,
    Fault,
    ProviderError,
    Ticket,
    Update,
    Watch,
    uncharged,
    with_charge_note,
)
from editor.providers.profile import Profile
from editor.sentences import Sentence

logger = logging.getLogger(__name__)

CREATE_PATH, STATUS_PATH = "/api/photo-editor/generate", "/api/photo-editor/status"
STATUS_SECONDS = 15.0  # maximum seconds for a status request
DOWNLOAD_SECONDS = 60.0  # maximum seconds for the download of one result
ANSWER_BYTES = 1024 * 1024
NOT_FOUND_SECONDS = 60.0  # minimum age, in seconds, at which 404 responses can make a task fail
NOT_FOUND_ANSWERS = 3  # minimum number of consecutive 404 responses that make a task fail

# Key in the details of a ticket if the edit has boxes that the create request did not include. This happens
# if the edit was submitted while the site was configured as another Darkroom, and sent after that changed.
IGNORES_BOXES = "ignores_boxes"
FORGOTTEN = Sentence("The engine no longer has this edit. You were not charged. You can run it again.")
_MAX_UNKNOWN_WORDS = 50
_WAITING_WORDS = frozenset(("", "PENDING", "RUNNING", "QUEUED", "PROCESSING"))


class PhotoEditorProvider:
    """The provider for one base URL.

    `api_key` is sent only to that URL. `sandbox` shrinks photos that are too large to upload.
    """

    key = "photo-editor"
    model = "photo-editor"

    def __init__(self, base_url: str, api_key: str, profile: Profile, sandbox: Sandbox | SandboxPool) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._profile = profile
        self._sandbox = sandbox
        self._unknown_words: set[str] = set()

    def capabilities(self) -> Capabilities:
        """Return the capabilities that the profile allows.

        Several outputs can be requested in only two ways: in JSON, if the site can fetch our photos by URL,
        or in a form, if the site supports the extensions.
        """
        profile = self._profile
        return Capabilities(
            max_outputs=profile.outputs if profile.lends or profile.extensions else 1,
            regions=profile.extensions,
            idempotent_submit=profile.extensions,
        )

    def warm(self) -> None:
        """Do nothing, because nothing needs to be prepared."""

    def prepare(self, request: EditRequest, watch: Watch) -> list[Path]:
        """Return the photos, shrunk if necessary, because stored reference photos may exceed the upload
        limit. Raises ProviderError and ChildLost.
        """
        try:
            return [self._small_enough(path, request.work_dir) for path in request.photos]
        except OSError as error:
            raise ProviderError("engine_failed", UNREADABLE, detail=f"A photo is missing: {error}") from error

    def submit(self, request: EditRequest, watch: Watch) -> Ticket:
        """Send the create request and return the ticket of its task. Raises ProviderError.

        The error allows a retry only if the request cannot have reached the upstream site, was refused before
        any work was done, or can be repeated safely.
        """
        photos = request.prepared or self.prepare(request, watch)
        try:
            answer = self._create(request, photos, sending.stop_event(watch))
        except OutboundError as error:
            raise sending.error_without_response(
                error, request="A create request", is_repeatable=self._profile.extensions
            ) from error
        # One of our photo files is missing. Files are opened first, so nothing has been sent yet.
        except OSError as error:
            raise ProviderError("engine_failed", UNREADABLE, detail=f"A photo is missing: {error}") from error
        ticket = self._ticket(answer, request.prompt)
        ignores_boxes = bool(request.options.regions) and not self._profile.extensions
        return replace(ticket, details=ticket.details | {IGNORES_BOXES: True}) if ignores_boxes else ticket

    def recover(self, request: EditRequest) -> Ticket | None:
        """Return None, because a submit leaves no response on this machine."""
        return None

    def poll(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        """Return the status of the task.

        If the response cannot be read, the edit continues to run.
        """
        update = self._status(ticket, request, watch)
        if update.state != "succeeded":
            return update
        warnings = [*result_notices.extra_results(len(update.arrivals), request.options)]
        if IGNORES_BOXES in ticket.details:
            warnings.append(result_notices.BOXES_IGNORED)
        return replace(update, warnings=tuple(warnings))

    def collect(self, arrivals: list[dict[str, Any]], request: EditRequest, watch: Watch) -> dict[int, Path]:
        """Fetch the results into the work folder.

        They are fetched in parallel, because the time limit for storing results is short and a slow or silent
        URL must not delay the other results.
        """
        stop = sending.stop_event(watch)
        urls = {n: arrival["url"] for n, arrival in enumerate(arrivals[: request.options.outputs], start=1)}
        wanted = urls.keys() - request.kept
        with ThreadPoolExecutor(len(wanted) or 1, thread_name_prefix="fetch") as pool:
            arriving = {
                n: pool.submit(self._fetched, urls[n], request.work_dir / f"{request.token}-result-{n}", stop)
                for n in sorted(wanted)
            }
        return fetches.all_of(arriving)

    def check(self) -> Check:
        """Request the status of a task that does not exist.

        This request is free of charge and tests the URL, the network, and the key.
        """
        try:
            answer = self._call("GET", STATUS_PATH, threading.Event(), params={"taskId": "darkroom-check"})
        except OutboundError as error:
            return advice.on_error(error, prefix=self._profile.prefix)
        return advice.on_answer(
            answer, path=STATUS_PATH, has_key=bool(self._api_key), prefix=self._profile.prefix
        )

    # ---- create

    def _create(self, request: EditRequest, photos: list[Path], stop: threading.Event) -> Response:
        fields: dict[str, Any] = {
            "prompt": request.prompt,
            "aspectRatio": request.options.aspect_ratio,
            "outputFormat": request.options.output_format,
        } | self._extended(request)
        fields = {name: value for name, value in fields.items() if value not in ("", None)}
        headers = {"Idempotency-Key": request.edit_id} if self._profile.extensions else {}
        if request.options.outputs > 1 and request.photo_urls and not self._profile.extensions:
            body = fields | {"imageUrls": list(request.photo_urls), "numImages": request.options.outputs}
            return self._call("POST", CREATE_PATH, stop, headers=headers, json=body)
        files = [
            (f"file{number}", sending.form_file(f"photo{number}", path)) for number, path in enumerate(photos)
        ]
        return self._call("POST", CREATE_PATH, stop, headers=headers, data=fields, files=files)

    def _extended(self, request: EditRequest) -> dict[str, Any]:
        """Return the form fields that only another Darkroom understands."""
        options = request.options
        if not self._profile.extensions:
            return {}
        return {
            "numImages": str(options.outputs),
            "partial": "true" if options.partial else "",
            "regions": json.dumps([region.as_json() for region in options.regions])
            if options.regions
            else "",
        }

    def _small_enough(self, path: Path, work_dir: Path) -> Path:
        most = self._profile.photo_bytes
        if path.stat().st_size <= most:
            return path
        try:
            smaller = self._sandbox.call(
                "editor.imaging.stored_photos:shrink",
                source=str(path),
                target_stem=str(work_dir / f"fitted-{path.stem}"),
                most_bytes=most,
            )
        except ChildLost:
            raise
        except (JobError, SandboxError) as error:
            why = Sentence.of(error.message)
            reason = uncharged(Sentence("A photo could not be made small enough. %(why)s", why=why))
            raise ProviderError("engine_failed", reason) from error
        return Path(smaller)

    def _unconfirmed(self, detail: str) -> ProviderError:
        """Return the error for a create request that may have arrived.

        The request is sent again only if the upstream site promises to recognize repeated requests.
        """
        return sending.unconfirmed(detail, is_repeatable=self._profile.extensions)

    def _ticket(self, answer: Response, prompt: str) -> Ticket:
        """Interpret the response to a create request. Raises ProviderError unless the task was accepted."""
        body = responses.body_of(answer.content)
        data, status = responses.data_of(body), answer.status
        task_id, urls = responses.task_id_of(data), responses.result_urls(data)
        is_success = responses.is_success(body, loose=self._profile.loose_success)
        if not 200 <= status < 300:
            raise self._not_accepted(answer, body, prompt)
        if task_id and (is_success or body.get("success") is False):
            return Ticket(task_id, {"started": time.time()})
        if is_success and urls:
            return Ticket("at-once", {"started": time.time(), "images": urls})
        if body.get("success") is False:
            raise self._rejected(answer, body, prompt)
        raise self._unconfirmed(self._detail("A create request returned", answer))

    def _not_accepted(self, answer: Response, body: dict[str, Any], prompt: str) -> ProviderError:
        status, detail = answer.status, self._detail("A create request returned", answer)
        if status == 429:
            again = waits.retry_after(answer) if self._profile.retries_busy else None
            return ProviderError("engine_unavailable", BUSY, retry_after=again, detail=detail)
        is_busy = body.get("success") is False and body.get("code") == 503
        if status == 503 and self._profile.extensions and is_busy:
            # An upstream Darkroom that is too busy refuses the request before creating anything.
            return ProviderError(
                "engine_unavailable", BUSY, retry_after=waits.retry_after(answer), detail=detail
            )
        # Our retry arrived while the first request was still being handled.
        is_being_answered = status == 409 and self._profile.extensions
        if status in (408, 425) or status >= 500 or status < 200 or is_being_answered:
            return self._unconfirmed(detail)
        if status < 400 or status in (401, 402, 403, 404, 405, 407):
            return ProviderError("engine_unavailable", UNAVAILABLE, fault=Fault.OPERATOR, detail=detail)
        return self._rejected(answer, body, prompt)

    def _rejected(self, answer: Response, body: dict[str, Any], prompt: str) -> ProviderError:
        """Return the error for a refused create request.

        A lack of credits at the upstream site is a problem for the operator, not for the user. However, the
        message may quote a prompt that mentions credits, and such a prompt must not take the engine out of
        service.
        """
        message = self._reason_in(body)
        detail = self._detail("A create request was refused with", answer)
        is_shortage, is_quoted = (
            responses.mentions_missing_credits(responses.message_of(body)),
            responses.mentions_missing_credits(prompt),
        )
        if is_shortage and not is_quoted:
            return ProviderError("engine_unavailable", UNAVAILABLE, fault=Fault.OPERATOR, detail=detail)
        reason = with_charge_note(message) if message and not is_shortage else REJECTED
        return ProviderError("rejected", reason, detail=detail)

    # ---- status

    def _status(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        if "images" in ticket.details:
            return _arrived(ticket.details["images"])
        try:
            stop = sending.stop_event(watch)
            answer = self._call("GET", STATUS_PATH, stop, params={"taskId": ticket.task_id})
        except OutboundError as error:
            if error.kind == "stopped":
                raise ProviderError("stopped", error.message) from error
            return _running(
                ticket, trouble=f"A status request failed: {error.message}", fault=_fault_of(error)
            )
        return self._update(ticket, answer, request.prompt)

    def _update(self, ticket: Ticket, answer: Response, prompt: str) -> Update:
        if answer.status == 404:
            return _not_found(ticket)
        if answer.status == 429:
            return replace(_running(ticket), poll_after=waits.retry_after(answer))
        body = responses.body_of(answer.content)
        data = responses.data_of(body)
        echoed = responses.task_id_of(data)
        is_ours = echoed in (None, ticket.task_id)
        if not 200 <= answer.status < 300 or not body or not is_ours:
            fault = _fault_of_status(answer.status)
            detail = self._detail("A status request returned", answer)
            update = _running(ticket, trouble=detail, fault=fault)
            is_said = "retry-after" in answer.headers
            return replace(update, poll_after=waits.retry_after(answer)) if is_said else update
        if responses.status_word(data) in self._profile.failed:
            return self._failed(answer, body, data, prompt)
        return self._by_word(ticket, body, data)

    def _failed(self, answer: Response, body: dict[str, Any], data: dict[str, Any], prompt: str) -> Update:
        """Return the update for a failed task.

        As with a create request, a lack of credits at the upstream site is a problem for the operator, not
        for the user.
        """
        if not any(responses.mentions_missing_credits(responses.message_of(place)) for place in (data, body)):
            message = self._reason(body, data)
            return Update("failed", message=with_charge_note(message) if message else FAILED)
        if responses.mentions_missing_credits(prompt):
            return Update("failed", message=FAILED)
        detail = self._detail("A task failed with", answer)
        return Update(
            "failed", message=UNAVAILABLE, code="engine_unavailable", trouble=detail, fault=Fault.OPERATOR
        )

    def _by_word(self, ticket: Ticket, body: dict[str, Any], data: dict[str, Any]) -> Update:
        word = responses.status_word(data)
        if word in self._profile.succeeded and responses.is_success(body, loose=self._profile.loose_success):
            return _arrived(responses.result_urls(data))
        self._notice(word)
        return _found_again(ticket)

    def _reason(self, body: dict[str, Any], data: dict[str, Any]) -> str:
        """Return the reason why a task failed.

        If the envelope reports success, its message ("OK") is about the status call and is ignored.
        """
        sources = [data] if responses.is_success(body) else [data, body]
        return next(filter(None, map(self._reason_in, sources)), "")

    def _reason_in(self, body: Mapping[str, Any]) -> str:
        host = urlsplit(self._base_url).hostname or ""
        return responses.reason_of(body, hidden=self._api_key, host=host)

    def _notice(self, word: str) -> None:
        """Log each unknown status word once. All of them count as pending."""
        is_new = word not in _WAITING_WORDS | self._unknown_words
        if is_new and len(self._unknown_words) < _MAX_UNKNOWN_WORDS:
            self._unknown_words.add(word)
            shown = responses.redacted(word)
            logger.warning(
                "%s returned the unknown status %r, which counts as running.", self._base_url, shown
            )

    def _detail(self, start: str, answer: Response) -> str:
        """Return the beginning of the response, without keys and signatures, for the operator."""
        text = responses.beginning_of(answer.content, hidden=self._api_key)
        return f"{start} {answer.status}: {text}".rstrip(": ")

    # ---- results

    def _fetched(self, url: str, target: Path, stop: threading.Event) -> Path:
        """Download one result.

        The result may come from a public address or from the engine's origin, which is allowed because the
        operator configured it.
        """
        download(
            url,
            target,
            rules=self._rules(),
            seconds=DOWNLOAD_SECONDS,
            cap=self._profile.result_bytes,
            stop=stop,
        )
        return target

    def _rules(self) -> Rules:
        rules = self._profile.rules
        return replace(rules, allowed_origins=rules.allowed_origins | {origin_of(self._base_url)})

    def _call(
        self,
        method: str,
        path: str,
        stop: threading.Event,
        *,
        headers: dict[str, str] | None = None,
        **body: Any,
    ) -> Response:
        return call(
            method,
            self._base_url + path,
            rules=self._rules(),
            seconds=CREATE_SECONDS if method == "POST" else STATUS_SECONDS,
            cap=ANSWER_BYTES,
            headers=self._headers | (headers or {}),
            stop=stop,
            **body,
        )


def _running(ticket: Ticket, *, trouble: str = "", fault: Fault = Fault.ENGINE) -> Update:
    started = ticket.details.get("started", 0.0)
    return Update("running", poll_after=waits.poll_interval(started), trouble=trouble, fault=fault)


def _arrived(urls: list[str]) -> Update:
    if not urls:
        return Update("failed", message=NO_RESULT, code="result_unavailable")
    return Update("succeeded", arrivals=tuple({"url": url} for url in urls))


def _not_found(ticket: Ticket) -> Update:
    """Count a 404 response to a status call.

    The task fails only after several of these responses and some time. Just after the create request, the
    response may come from one of the upstream site's servers that does not know the task yet.
    """
    times = int(ticket.details.get("not_found", 0)) + 1
    if times >= NOT_FOUND_ANSWERS and time.time() - ticket.details.get("started", 0.0) >= NOT_FOUND_SECONDS:
        return Update("failed", message=FORGOTTEN)
    counted = replace(ticket, details=ticket.details | {"not_found": times})
    return replace(_running(ticket), ticket=counted)


def _found_again(ticket: Ticket) -> Update:
    """Reset the count of 404 responses, because the upstream site knows the task."""
    if "not_found" not in ticket.details:
        return _running(ticket)
    details = {name: value for name, value in ticket.details.items() if name != "not_found"}
    return replace(_running(ticket), ticket=replace(ticket, details=details))


def _fault_of_status(status: int) -> Fault:
    """Return who is at fault, according to the HTTP status of a failed status call.

    A refused call concerns only its task. If the status is 401, 402, or 403, the operator is at fault. For
    all other failures, the engine is at fault.
    """
    if status in (401, 402, 403):
        return Fault.OPERATOR
    return Fault.REQUEST if 400 <= status < 500 and status != 408 else Fault.ENGINE


def _fault_of(error: OutboundError) -> Fault:
    return Fault.OPERATOR if error.kind in ("refused", "tls") else Fault.ENGINE
