"""The provider for servers of the OpenAI images API, `POST /v1/images/edits`.

The response to the request contains the results. The response is written to the edit's work folder, where
another worker can find it if this worker dies. A child process unpacks the response. The API cannot tell
whether a request has arrived. Therefore, a request that may have reached the server is not sent again, unless
the operator declares that requests may be repeated.
"""

import errno
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from editor.imaging.errors import ChildLost, JobError, SandboxError
from editor.imaging.sandbox import Sandbox, SandboxPool
from editor.outbound import OutboundError, Response, Rules
from editor.outbound.addresses import origin_of
from editor.outbound.calls import call, download
from editor.providers import advice, image_refusals, result_notices, sending, waits
from editor.providers.contract import (
    NO_RESULT,
    NOT_A_PHOTO,
    NOT_STORED,
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
)
from editor.providers.fetches import TOO_LARGE
from editor.providers.image_dialects import DIALECTS, Dialect, Size, fields_for, first_boxes, size_for
from editor.sentences import Sentence

EDITS_PATH, MODELS_PATH = "/images/edits", "/models"
CHECK_SECONDS = 15.0
DOWNLOAD_SECONDS = 60.0
# The pauses, in seconds, before another attempt to download a result.
DOWNLOAD_PAUSES = (1.0, 5.0)
# The maximum number of pixels in a photo that is sent. Models work with fewer pixels, so larger photos would
# only take longer.
SENT_PIXELS = 4_194_304
MAX_LIST_BYTES = 1024 * 1024  # maximum size in bytes of a list of models
_EXTRA_BYTES = 1024 * 1024  # allowance for everything in a response except its results

RESULT_LOST = Sentence(
    "The result was lost because a server stopped. You were not charged. You can run it again."
)
MISALIGNED = Sentence(
    "The engine moved the photo, and the result could not be fitted to it again. You were not charged. "
    "You can run it again."
)
NOT_EXAMINED = Sentence(
    "This site was too busy to find what your prompt names in the photo. You were not charged. "
    "You can run it again."
)
ONE_PHOTO = Sentence("This engine uses one photo. You were not charged. Remove the others and run it again.")
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
# Maps each reason why a result can be missing to a failure code and a message. The first reason that applies
# is reported.
_PROBLEMS = {
    "misaligned": ("result_invalid", MISALIGNED),
    "too_large": ("result_invalid", TOO_LARGE),
    "no_photo": ("result_unavailable", NOT_A_PHOTO),
    "other_origin": ("result_unavailable", NOT_A_PHOTO),
}


@dataclass(frozen=True)
class ImagesServer:
    """The configuration of one server.

    `base_url` may end with "/v1". `seconds` limits the duration of a request. `is_repeatable` means that a
    request whose outcome is unknown may be sent again. `outputs` is the maximum number of results that the
    site allows for one edit, and `result_bytes` is the maximum size of each result. The names of the server's
    settings begin with `prefix`.
    """

    base_url: str
    api_key: str
    model: str
    dialect: str
    rules: Rules
    seconds: float = 300.0
    is_repeatable: bool = False
    outputs: int = 4
    result_bytes: int = 200 * 1024 * 1024
    prefix: str = "OPENAI_IMAGES"


class OpenAIImagesProvider:
    """The provider for one server. `sandbox` prepares photos and unpacks responses."""

    key = "openai-images"

    def __init__(self, server: ImagesServer, sandbox: Sandbox | SandboxPool) -> None:
        self.model = server.model or self.key
        self._server = server
        self._dialect: Dialect = DIALECTS[server.dialect]
        self._sandbox = sandbox
        self._url = (
            server.base_url if urlsplit(server.base_url).path.endswith("/v1") else f"{server.base_url}/v1"
        )
        origins = server.rules.allowed_origins | {origin_of(server.base_url)}
        self._rules = replace(server.rules, allowed_origins=origins)

    def capabilities(self) -> Capabilities:
        """Return the capabilities of the dialect, within the site's limits."""
        return Capabilities(
            max_outputs=min(self._server.outputs, self._dialect.outputs),
            regions=True,
            idempotent_submit=self._server.is_repeatable,
            answers_directly=True,
            max_photos=self._dialect.photos,
            puts_back=True,
        )

    def warm(self) -> None:
        """Do nothing, because nothing needs to be prepared."""

    def prepare(self, request: EditRequest, watch: Watch) -> list[dict[str, Any]]:
        """Return the photos as the server gets them, of which the first may have a mask.

        Raises ProviderError and ChildLost.
        """
        if len(request.photos) > (most := self._dialect.photos):
            raise ProviderError("rejected", ONE_PHOTO if most == 1 else _too_many(most))
        stop = sending.stop_event(watch)
        os.utime(request.work_dir)  # Old work folders are deleted, and this edit may have waited for long.
        _area_of(request, watch)  # An edit that must not change everything may end here.
        try:
            return [
                self._in_child(
                    "editor.imaging.model_input:prepare",
                    stop,
                    source=str(path),
                    target_stem=str(request.work_dir / f"{request.token}-sent-{number}"),
                    most_pixels=SENT_PIXELS,
                    boxes=first_boxes(request.options.regions) if number == 1 else [],
                    mask=self._dialect.mask or "",
                )
                for number, path in enumerate(request.photos, start=1)
            ]
        except JobError as error:
            raise ProviderError("engine_failed", UNREADABLE, detail=error.message) from error

    def submit(self, request: EditRequest, watch: Watch) -> Ticket:
        """Send the request, and write the response to the work folder. Raises ProviderError.

        The error allows a retry only if the server cannot have received the request, refused it before doing
        any work, or may receive it twice.
        """
        inputs = request.prepared or self.prepare(request, watch)
        stop = sending.stop_event(watch)
        target = request.work_dir / f"{request.token}-answer.part"
        try:
            answer = self._send(request, inputs, target, stop)
            if 200 <= answer.status < 300:
                _seal(target, _answer_of(request))
        except OutboundError as error:
            raise self._error_without_response(error) from error
        except OSError as error:
            target.unlink(missing_ok=True)
            is_full = error.errno in _DISK_FULL
            code, message = ("storage", NOT_STORED) if is_full else ("engine_failed", UNREADABLE)
            raise ProviderError(code, message, detail=f"A file could not be used: {error}") from error
        if not 200 <= answer.status < 300:
            raise self._refusal(answer, request)
        return _ticket(request)

    def recover(self, request: EditRequest) -> Ticket | None:
        """Return the ticket if the complete response for the edit is in its work folder."""
        return _ticket(request) if _answer_of(request).is_file() else None

    def poll(self, ticket: Ticket, request: EditRequest, watch: Watch) -> Update:
        """Unpack the response.

        This changes nothing outside the work folder, so it may be repeated.
        """
        stop = sending.stop_event(watch)
        if not _answer_of(request).is_file():
            return Update("failed", message=RESULT_LOST, code="result_unavailable")
        try:
            answer = self._in_child(
                "editor.imaging.image_answers:unpack",
                stop,
                time_factor=request.options.outputs,
                source=str(_answer_of(request)),
                target_stem=_stem(request),
                most_bytes=self._server.result_bytes,
            )
        except JobError as error:
            return _failed(
                "result_unavailable", NO_RESULT, f"The engine's response was unusable: {error.message}"
            )
        return self._update(answer, request, _area_of(request, watch), stop)

    def collect(self, arrivals: list[dict[str, Any]], request: EditRequest, watch: Watch) -> dict[int, Path]:
        """Return the files that `poll` wrote. If they are missing, unpack the response again."""
        paths = _paths(arrivals)
        if not all(path.is_file() for number, path in paths.items() if number not in request.kept):
            update = self.poll(_ticket(request), request, watch)
            if update.state == "failed":
                raise ProviderError(update.code, update.message, detail=update.trouble)
            paths = _paths(update.arrivals)
        return {number: path for number, path in paths.items() if number not in request.kept}

    def check(self) -> Check:
        """Request the list of models.

        This request is free of charge and tests the URL, the network, and the key.
        """
        try:
            answer = call(
                "GET",
                self._url + MODELS_PATH,
                rules=self._rules,
                seconds=CHECK_SECONDS,
                cap=MAX_LIST_BYTES,
                headers=self._headers,
            )
        except OutboundError as error:
            return advice.on_error(error, prefix=self._server.prefix)
        server = self._server
        return advice.on_models(
            answer, prefix=server.prefix, model=server.model, has_key=bool(server.api_key)
        )

    # ---- the request

    @property
    def _headers(self) -> dict[str, str]:
        key = self._server.api_key
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _send(
        self, request: EditRequest, inputs: Sequence[dict[str, Any]], target: Path, stop: threading.Event
    ) -> Response:
        server, options = self._server, request.options
        size = self._size(inputs[0], request)
        name = "image" if len(inputs) == 1 else "image[]"
        files = [
            (name, sending.form_file(f"photo{n}", Path(photo["photo"])))
            for n, photo in enumerate(inputs, start=1)
        ]
        if inputs[0]["mask"]:
            files.append((self._dialect.mask_field, sending.form_file("mask", Path(inputs[0]["mask"]))))
        return call(
            "POST",
            self._url + EDITS_PATH,
            rules=self._rules,
            seconds=server.seconds,
            silence=server.seconds,
            cap=options.outputs * (server.result_bytes * 4 // 3) + _EXTRA_BYTES,
            headers=self._headers,
            data=fields_for(
                self._dialect, model=server.model, prompt=request.prompt, options=options, size=size
            ),
            files=files,
            stop=stop,
            target=target,
        )

    def _size(self, photo: dict[str, Any], request: EditRequest) -> Size | None:
        measured = (photo["width"], photo["height"])
        return size_for(self._dialect, self._server.model, measured, request.options.aspect_ratio)

    def _error_without_response(self, error: OutboundError) -> ProviderError:
        if error.kind == "too_large":
            detail = f"A request failed: {error.message}"
            return ProviderError("result_invalid", TOO_LARGE, fault=Fault.ENGINE, detail=detail)
        return sending.error_without_response(
            error, request="A request", is_repeatable=self._server.is_repeatable
        )

    def _refusal(self, answer: Response, request: EditRequest) -> ProviderError:
        return image_refusals.error_of(
            answer,
            prompt=request.prompt,
            hidden=self._server.api_key,
            host=urlsplit(self._server.base_url).hostname or "",
            is_repeatable=self._server.is_repeatable,
        )

    # ---- the results

    def _update(
        self, answer: dict[str, Any], request: EditRequest, area: Path | None, stop: threading.Event
    ) -> Update:
        results = answer["results"]
        fetched = self._all_fetched(results[: request.options.outputs], request, stop)
        found = [
            self._put_back(self._inspected(result, stop), number, request, area, stop)
            for number, result in enumerate(fetched, start=1)
        ]
        usable = [result for result in found if "path" in result]
        if not usable:
            return self._nothing_usable(answer, found)
        size = self._requested_size(request, stop)
        return Update(
            "succeeded",
            arrivals=tuple(_arrival(one, size) for one in usable),
            warnings=tuple(_notices(usable, len(results), request)),
        )

    def _nothing_usable(self, answer: dict[str, Any], found: Sequence[dict[str, Any]]) -> Update:
        """Return the update for a response that has no usable result.

        If the model explains why, its explanation becomes the message.
        """
        problems = {result["problem"] for result in found}
        detail = f"The engine sent no usable result: {', '.join(sorted(problems)) or 'none at all'}."
        for problem, (code, message) in _PROBLEMS.items():
            if problem in problems:
                return _failed(code, message, detail)
        host = urlsplit(self._server.base_url).hostname or ""
        words = image_refusals.refusal_of(answer["rest"], hidden=self._server.api_key, host=host)
        if words:
            return Update("failed", message=words, code="rejected")
        return _failed("result_unavailable", NO_RESULT, detail)

    def _all_fetched(
        self, results: Sequence[dict[str, Any]], request: EditRequest, stop: threading.Event
    ) -> list[dict[str, Any]]:
        """Download the results that are given as URLs, in parallel, because a URL may be silent."""
        targets = [Path(f"{_stem(request)}-{number}") for number in range(1, len(results) + 1)]
        with ThreadPoolExecutor(len(results) or 1, thread_name_prefix="fetch") as pool:
            return list(pool.map(partial(self._fetched, stop=stop), results, targets))

    def _fetched(self, result: dict[str, Any], target: Path, *, stop: threading.Event) -> dict[str, Any]:
        """Download a result that is given as a URL of the server itself or of a listed origin."""
        if "url" not in result:
            return result
        if not self._is_listed(result["url"]):
            return {"problem": "other_origin"}
        is_downloaded = self._download(result["url"], target, stop)
        return {"downloaded": str(target)} if is_downloaded else {"problem": "no_photo"}

    def _inspected(self, result: dict[str, Any], stop: threading.Event) -> dict[str, Any]:
        if "downloaded" not in result:
            return result
        inspected: dict[str, Any] = self._in_child(
            "editor.imaging.image_answers:inspect", stop, source=result["downloaded"]
        )
        return inspected

    def _is_listed(self, url: str) -> bool:
        try:
            return origin_of(url) in self._rules.allowed_origins
        except OutboundError:
            return False

    def _download(self, url: str, target: Path, stop: threading.Event) -> bool:
        """Download a result.

        If another attempt may help, try again, because only this machine knows the result's URL.
        """
        for pause in (*DOWNLOAD_PAUSES, 0.0):
            try:
                download(
                    url,
                    target,
                    rules=self._rules,
                    seconds=DOWNLOAD_SECONDS,
                    cap=self._server.result_bytes,
                    stop=stop,
                    redirects=0,
                )
            except OutboundError as error:
                if error.kind == "stopped":
                    raise ProviderError("stopped", error.message) from error
                if error.kind in ("refused", "too_large"):
                    return False
                stop.wait(pause)
            else:
                return True
        return False

    def _put_back(
        self,
        result: dict[str, Any],
        number: int,
        request: EditRequest,
        area: Path | None,
        stop: threading.Event,
    ) -> dict[str, Any]:
        """Put the photo back outside its boxes or the area that may change, if it has any."""
        boxes = first_boxes(request.options.regions)
        if "path" not in result or not (boxes or area):
            return result
        target = f"{_stem(request)}-{number}-kept.png"
        try:
            facts = self._in_child(
                "editor.imaging.put_back:put_back",
                stop,
                photo=str(request.photos[0]),
                result=result["path"],
                target=target,
                boxes=boxes,
                mask=None if boxes else str(area),
            )
        except JobError:
            return {"problem": "no_photo"}
        if facts["outcome"] == "misaligned":
            return {"problem": "misaligned"}
        if facts["outcome"] == "other_shape":
            return result | {"outcome": "other_shape"}
        kept = {"path": target, "outcome": facts["outcome"]}
        return result | kept | _view_scale(request, facts["scale"])

    def _requested_size(self, request: EditRequest, stop: threading.Event) -> Size:
        """Return the size that the results should have. If no size is sent, it is the size of photo 1."""
        photo = self._in_child("editor.imaging.image_answers:inspect", stop, source=str(request.photos[0]))
        return self._size(photo, request) or (photo["width"], photo["height"])

    def _in_child(self, function: str, stop: threading.Event, **arguments: Any) -> Any:
        """Run a job in the sandbox. Raises JobError, ChildLost, and ProviderError."""
        try:
            return self._sandbox.call(function, is_wanted=lambda: not stop.is_set(), **arguments)
        except ChildLost:
            raise
        except SandboxError as error:
            if error.kind == "stopped":
                raise ProviderError("stopped", error.message) from error
            code = "storage" if error.kind == "full" else "engine_failed"
            raise ProviderError(code, uncharged(error.message), detail=error.message) from error


def _area_of(request: EditRequest, watch: Watch) -> Path | None:
    """Return the file of the mask of what may change, if everything else is to be put back."""
    if request.find_area is None:
        return None
    try:
        return request.find_area(watch)
    except SandboxError as error:
        if error.kind == "stopped":
            raise ProviderError("stopped", error.message) from error
        raise ProviderError(
            "engine_failed", NOT_EXAMINED, retry_after=waits.jitter(), detail=error.message
        ) from error


def _too_many(most: int) -> Sentence:
    return Sentence(
        "This engine uses at most %(most)s photos. You were not charged. Remove some and run it again.",
        most=most,
    )


def _ticket(request: EditRequest) -> Ticket:
    return Ticket(request.edit_id)


def _answer_of(request: EditRequest) -> Path:
    """Return the path of the response.

    The path depends on the edit and not on the worker, so another worker can find the response.
    """
    return request.work_dir / "answer.json"


def _stem(request: EditRequest) -> str:
    return str(request.work_dir / f"{request.token}-result")


def _seal(part: Path, answer: Path) -> None:
    """Rename a complete response to its final name.

    The response must survive a power failure, because the server sends it only once.
    """
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(answer)


def _view_scale(request: EditRequest, scale: float) -> dict[str, float]:
    """Return the `view_scale` of a result that contains photo 1 at this scale, if the photo has one."""
    return {"view_scale": min(1.0, request.view_scales[0] / scale)} if request.view_scales else {}


def _arrival(result: dict[str, Any], size: Size) -> dict[str, Any]:
    kept = {name: result.get(name) for name in ("path", "view_scale", "kind", "outcome")}
    return kept | {"requested_size": size}


def _notices(usable: Sequence[dict[str, Any]], count: int, request: EditRequest) -> list[str]:
    outcomes = {result.get("outcome") for result in usable}
    return [
        *result_notices.extra_results(count, request.options),
        *result_notices.put_back(outcomes, keeps=request.find_area is not None),
    ]


def _paths(arrivals: Sequence[dict[str, Any]]) -> dict[int, Path]:
    return {number: Path(arrival["path"]) for number, arrival in enumerate(arrivals, start=1)}


def _failed(code: str, message: str, trouble: str) -> Update:
    return Update("failed", message=message, code=code, trouble=trouble, fault=Fault.ENGINE)
