"""A small upstream site that really edits photos. Each result is the negative of a photo."""

import email.parser
import email.policy
import io
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from PIL import Image, ImageOps

from tests.hostile_server import End, HostileServer, Piece, Received, answer

KNOWN_NOT = "flobberwick"
SLOW = "slowly"


@dataclass
class Upstream:
    """The tasks of the site, and the `server` that plays their scripts.

    A prompt that contains the word KNOWN_NOT is refused. If a prompt contains SLOW, its task never ends. Like
    another Darkroom, the site creates one task for all create requests that have the same Idempotency-Key.
    """

    waits: int = 1  # the number of pending responses before a task finishes
    tasks: dict[str, bytes] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)  # the number of results of each task
    asked: dict[str, int] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)  # the task of each Idempotency-Key
    prompts: list[str] = field(default_factory=list)
    server: HostileServer = field(init=False)

    def __post_init__(self) -> None:
        self.server = HostileServer(
            self._result,
            by_path={
                "POST /api/photo-editor/generate": self.create,
                "/api/photo-editor/status": self._status,
            },
        )

    @property
    def creates(self) -> int:
        return len([request for request in self.server.requests if request.method == "POST"])

    def create(self, request: Received) -> Iterable[Piece]:
        fields = _fields(request)
        prompt = fields["prompt"].decode()
        self.prompts.append(prompt)
        if KNOWN_NOT in prompt:
            return answer(400, _failed(f"I do not know what a {KNOWN_NOT} is."))(request)
        key = request.headers.get("idempotency-key", f"request {request.number}")
        name = self.keys.setdefault(key, f"task-{len(self.prompts)}")
        self.tasks[name] = (
            b"" if SLOW in prompt else _negative(fields["file0"], fields["outputFormat"].decode())
        )
        self.counts[name] = int(fields.get("numImages", b"1"))
        data = {
            "provider": "negative",
            "model": "negative-1",
            "taskId": name,
            "prompt": prompt,
            "numImages": self.counts[name],
        }
        return answer(200, {"code": 0, "success": True, "data": data})(request)

    def _status(self, request: Received) -> Iterable[Piece]:
        name = parse_qs(urlsplit(request.path).query).get("taskId", [""])[0]
        if name not in self.tasks:
            return answer(404, _failed("There is no such task."))(request)
        self.asked[name] = self.asked.get(name, 0) + 1
        if not self.tasks[name]:
            return itertools.chain([0.0], [End.STALL])
        if self.asked[name] <= self.waits:
            return answer(200, {"code": 0, "success": True, "data": {"status": "RUNNING"}})(request)
        images = [
            {"url": f"{self.server.origin}/results/{name}.png?{number}"}
            for number in range(self.counts[name])
        ]
        return answer(200, {"code": 0, "success": True, "data": {"status": "SUCCESS", "images": images}})(
            request
        )

    def _result(self, request: Received) -> Iterable[Piece]:
        name = request.path.partition("?")[0].removeprefix("/results/").removesuffix(".png")
        found = self.tasks.get(name)
        return (answer(200, found) if found else answer(404))(request)


def _failed(message: str) -> dict[str, object]:
    return {"code": 400, "success": False, "message": message, "data": None}


def _fields(request: Received) -> dict[str, bytes]:
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    whole = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + request.body)
    parts = {str(part.get_param("name", header="content-disposition")): part for part in whole.iter_parts()}
    return {name: part.get_payload(decode=True) for name, part in parts.items()}  # type: ignore[misc]


def _negative(photo: bytes, output_format: str) -> bytes:
    made = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as image:
        ImageOps.invert(image.convert("RGB")).save(made, output_format)
    return made.getvalue()
