"""A server of the OpenAI images API that edits photos according to a dialect.

Each result is the negative of the photo.
"""

import base64
import email.parser
import email.policy
import io
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from PIL import Image, ImageOps

from tests.hostile_server import End, HostileServer, Piece, Received, answer
from tests.providers.provider_factory import KEY
from tests.providers.upstream import KNOWN_NOT, SLOW

MODEL = "gpt-image-2.6"
EDITS, MODELS = "POST /v1/images/edits", "GET /v1/models"
type Paint = Callable[[Image.Image], Image.Image]
type Form = dict[str, list[bytes]]


def negative(photo: Image.Image) -> Image.Image:
    return ImageOps.invert(photo)


def form_of(request: Received) -> Form:
    """Return the values of each field in a multipart body, whether they are files or texts."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    whole = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + request.body)
    form: Form = {}
    for part in whole.iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        form.setdefault(name, []).append(part.get_payload(decode=True))  # type: ignore[arg-type]
    return form


def encoded(image: Image.Image, kind: str) -> str:
    file = io.BytesIO()
    image.save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


@dataclass
class ImagesSite:
    """A server of this dialect, and the requests that it has received.

    `paint` is the model. A prompt that contains the word KNOWN_NOT is refused, and a prompt that contains the
    word SLOW is never answered.
    """

    dialect: str = "openai"
    paint: Paint = negative
    forms: list[Form] = field(default_factory=list)
    server: HostileServer = field(init=False)

    def __post_init__(self) -> None:
        listed = {"object": "list", "data": [{"id": MODEL, "object": "model"}]}
        self.server = HostileServer(answer(404), by_path={EDITS: self.edit, MODELS: answer(200, listed)})

    @property
    def edits(self) -> int:
        return len([request for request in self.server.requests if request.method == "POST"])

    @property
    def form(self) -> dict[str, str]:
        """The text fields of the only request."""
        [form] = self.forms
        files = ("image", "image[]", "mask", "mask_image")
        return {name: values[0].decode() for name, values in form.items() if name not in files}

    def edit(self, request: Received) -> Iterable[Piece]:
        form = form_of(request)
        self.forms.append(form)
        prompt = form["prompt"][0].decode()
        if SLOW in prompt:
            return itertools.chain([0.0], [End.STALL])
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return answer(401, self._error("Incorrect API key provided."))(request)
        refusal = f"I do not know what a {KNOWN_NOT} is." if KNOWN_NOT in prompt else self._objection(form)
        if refusal:
            return answer(400, self._error(refusal))(request)
        if "xinference" in self.dialect and form.get("size") == [b"auto"]:
            return answer(500, self._error("not enough values to unpack"))(request)
        return answer(200, {"created": 1, "data": self._results(form)})(request)

    def _error(self, message: str) -> Any:
        """Return an error in the format that these servers use."""
        if self.dialect == "sd-server":
            return {"error": message}
        if self.dialect in ("vllm-omni", "xinference", "sglang"):
            return {"detail": message}
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}

    def _objection(self, form: Form) -> str:
        """Return the reason why the server refuses the form, or an empty string."""
        photos = form.get("image", []) + form.get("image[]", [])
        if self.dialect == "openai" and "response_format" in form:
            return "Unknown parameter: 'response_format'."
        if self.dialect == "litellm" and ({"image", "image[]"} <= form.keys() or "mask" in form):
            return "Unsupported values."
        if self.dialect == "lemonade" and len(photos) > 1:
            return "Only one image is supported."
        if self.dialect == "openai" and "mask" in form and opened(form["mask"][0]).mode != "RGBA":
            return "Invalid mask image format - mask image missing alpha channel."
        return "" if photos else "An image is required."

    def _results(self, form: Form) -> list[dict[str, Any]]:
        photo = opened((form.get("image", []) + form.get("image[]", []))[0]).convert("RGB")
        size = self._usual_size(photo)
        if "size" in form:
            width, height = form["size"][0].split(b"x")
            size = (int(width), int(height))
        made = self.paint(photo.resize(size))
        mask = self._mask(form)
        if mask is not None:
            made = Image.composite(made, photo.resize(size), mask.resize(size))
        kind = form.get("output_format", [b"png" if self.dialect != "sglang" else b"jpeg"])[0].decode()
        kind = "jpeg" if self.dialect == "xinference" else kind
        if self.dialect == "xinference" and form.get("response_format") != [b"b64_json"]:
            return [{"url": "/root/.xinference/image/0.jpg"}]
        many = 1 if self.dialect == "sglang" else int(form["n"][0])
        return [{"b64_json": encoded(made, kind), "revised_prompt": None}] * many

    def _usual_size(self, photo: Image.Image) -> tuple[int, int]:
        return {"xinference": photo.size, "lemonade": (512, 512)}.get(self.dialect, (1024, 1024))

    def _mask(self, form: Form) -> Image.Image | None:
        """Return the mask as the server interprets it: the area that the model paints is white."""
        field_name = "mask_image" if self.dialect == "vllm-omni" else "mask"
        if field_name not in form or self.dialect in ("sglang", "litellm"):
            return None
        mask = opened(form[field_name][0])
        if self.dialect == "openai":
            return ImageOps.invert(mask.getchannel("A"))
        return mask.convert("L")


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))
