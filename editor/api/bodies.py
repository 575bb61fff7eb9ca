"""Parse the body of an API request strictly.

The body is JSON or a multipart form. The result contains the values for the edit form.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from django.core.exceptions import NON_FIELD_ERRORS, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.datastructures import MultiValueDict

from editor.api.envelope import ApiError
from editor.forms import EditForm
from editor.options import MAX_PHOTOS
from editor.providers.contract import Capabilities
from editor.services.editing.submit import PHOTO_REQUIRED, TOO_MANY_PHOTOS

MAX_URL_LENGTH = 2_000
JSON_TYPE, FORM_TYPE = "application/json", "multipart/form-data"
FILE_FIELDS = tuple(f"file{number}" for number in range(MAX_PHOTOS))
BOOLEANS = {"true": True, "1": True, "false": False, "0": False, "": False}
# Maps form fields to API fields, in the order in which errors are reported.
FIELD_NAMES = {
    "prompt": "prompt",
    NON_FIELD_ERRORS: "imageUrls",
    "aspect_ratio": "aspectRatio",
    "output_format": "outputFormat",
    "outputs": "numImages",
    "region": "regions",
    "point": "points",
    "partial": "partial",
    "engine": "engine",
    "keep_everything_else": "keepEverythingElse",
    "recipe": "recipe",
    "variables": "variables",
}
_FILE_NAME = re.compile(r"file\d+")
# Error messages for these fields are sent without the field's name, because the API specification fixes the
# wording of some of them.
_WITHOUT_FIELD = ("prompt", "photos", NON_FIELD_ERRORS)
_BOX = ("image", "x", "y", "w", "h")
_POINT = ("image", "x", "y", "keep")


class InvalidValue(Exception):
    """Raised when a field has an invalid value. The message says which values are valid."""


@dataclass
class EditRequestBody:
    """The parsed body of an edit request.

    `values` and `errors` map the form's field names to values and to error messages. The photos are given as
    URLs or as files.
    """

    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    image_urls: list[str] = field(default_factory=list)
    files: list[UploadedFile[Any]] = field(default_factory=list)

    def parse(self, name: str, value: Any, reader: Callable[[Any], Any]) -> None:
        """Store a field's parsed value, or an error message if the value is invalid."""
        try:
            self.values[name] = reader(value)
        except InvalidValue as error:
            self.errors[name] = str(error)

    def parse_given(self, sent: Mapping[str, Any], readers: dict[str, Callable[[Any], Any]]) -> None:
        """Parse the fields that the request contains, even empty ones."""
        for name, reader in readers.items():
            if name in sent:
                self.parse(name, sent[name], reader)

    @property
    def has_recipe(self) -> bool:
        """Return whether the request names a recipe, even an invalid one, instead of a prompt."""
        return "recipe" in self.values or "recipe" in self.errors

    @property
    def engine(self) -> str:
        """Return the name of the requested engine, or an empty string."""
        return str(self.values.get("engine", ""))

    def form(self, can: Capabilities) -> EditForm:
        """Return the form, validated for an engine that can do this.

        If the request names a recipe, the form's prompt is empty. Raises ApiError.
        """
        photos = len(self.image_urls) or len(self.files)
        if self.has_recipe and photos:
            # The recipe may add photos, but their number is not known yet, so regions may refer to any photo.
            photos = max(photos, MAX_PHOTOS)
        form = EditForm(self.values, photos=photos, can=can)
        for name in FIELD_NAMES:
            if name in self.errors:
                raise ApiError(400, self.errors[name])
            if name in form.errors and not (name == "prompt" and self.has_recipe):
                raise ApiError(400, field_error(name, str(form.errors[name][0])))
        if self.has_recipe and self.values["prompt"]:
            raise ApiError(400, "Send prompt or recipe, not both.")
        if "variables" in self.values and not self.has_recipe:
            raise ApiError(400, "variables: Also send the recipe that uses them.")
        return form


def parse_edit_request(request: HttpRequest) -> EditRequestBody:
    """Parse an edit request. Raises ApiError if the body has the wrong type or cannot be parsed."""
    readers = {JSON_TYPE: _from_json, FORM_TYPE: _from_form}
    return readers[_content_type(request, *readers)](request)


def field_error(name: str, sentence: str) -> str:
    """Return the error message, preceded by the name that the API uses for the field."""
    return sentence if name in _WITHOUT_FIELD else f"{FIELD_NAMES[name]}: {sentence}"


def parse_json(request: HttpRequest) -> dict[str, Any]:
    """Return the body, which must be a JSON object. Raises ApiError otherwise."""
    _content_type(request, JSON_TYPE)
    return _json_object(request)


def _content_type(request: HttpRequest, *allowed: str) -> str:
    given = (request.content_type or "").lower()
    if given not in allowed:
        raise ApiError(415, f"Send the body as {' or '.join(allowed)}, and set Content-Type to match.")
    charset = (request.content_params or {}).get("charset", "utf-8").strip("\"'").lower()
    if charset not in ("utf-8", "utf8"):
        raise ApiError(400, "Send the body in UTF-8.")
    if request.headers.get("Transfer-Encoding") and not request.headers.get("Content-Length"):
        raise ApiError(400, "Send the body with a Content-Length, not in chunks.")
    return given


def _from_json(request: HttpRequest) -> EditRequestBody:
    body = _json_object(request)
    parsed = EditRequestBody()
    readers: dict[str, Callable[[Any], Any]] = {
        "prompt": _text("prompt"),
        "aspect_ratio": _text("aspectRatio"),
        "output_format": _text("outputFormat"),
        "outputs": _count,
        "region": _boxes,
        "point": _points,
        "partial": _truth("partial"),
        "keep_everything_else": _truth("keepEverythingElse"),
        "engine": _text("engine"),
    }
    for name, reader in readers.items():
        parsed.parse(name, body.get(FIELD_NAMES[name]), reader)
    parsed.parse_given(body, {"recipe": _recipe, "variables": _texts})
    try:
        parsed.image_urls = _addresses(body.get("imageUrls"))
    except InvalidValue as error:
        parsed.errors[NON_FIELD_ERRORS] = str(error)
    return parsed


def _from_form(request: HttpRequest) -> EditRequestBody:
    texts, files = _form_parts(request)
    for name in (*FIELD_NAMES.values(), *FILE_FIELDS):
        if len(texts.getlist(name)) + len(files.getlist(name)) > 1:
            raise ApiError(400, f"{name} was sent more than once. Send it once.")
    parsed = EditRequestBody()
    readers: dict[str, Callable[[Any], Any]] = {
        "prompt": str,
        "aspect_ratio": str,
        "output_format": str,
        "outputs": _count_in_text,
        "region": _boxes_in_text,
        "point": _points_in_text,
        "partial": _truth_in_text("partial"),
        "keep_everything_else": _truth_in_text("keepEverythingElse"),
        "engine": str,
    }
    for name, reader in readers.items():
        parsed.parse(name, texts.get(FIELD_NAMES[name], ""), reader)
    parsed.parse_given(texts, {"recipe": _recipe, "variables": _texts_in_text})
    try:
        parsed.files = _numbered(texts, files)
    except InvalidValue as error:
        parsed.errors[NON_FIELD_ERRORS] = str(error)
    return parsed


def _json_object(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(
            _utf8(request),
            object_pairs_hook=_without_doubles,
            parse_constant=_no_constant,
            parse_int=_short_number,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ApiError(400, f"The body is not valid JSON. See {where}.") from None
    except RecursionError:
        raise ApiError(400, "The JSON is nested too deeply.") from None
    except ValueError as error:
        raise ApiError(400, f"The body is not valid JSON: {error}") from None
    if not isinstance(body, dict):
        raise ApiError(400, "Send a JSON object that contains the fields.")
    return body


def _utf8(request: HttpRequest) -> str:
    try:
        text = request.body.decode()
    except UnicodeDecodeError:
        raise ApiError(400, "Send the body in UTF-8.") from None
    except UnreadablePostError:
        raise ApiError(400, "The body is incomplete. Send the request again.") from None
    if not text:
        raise ApiError(400, "The body is empty. Send a JSON object.")
    if text[0] == "\ufeff":
        raise ApiError(400, "The body begins with a byte order mark. Send plain UTF-8 without it.")
    return text


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object contains the same name twice.")
    return found


def _short_number(digits: str) -> int:
    if len(digits) > 4_000:
        raise ValueError("a number has more than 4,000 digits.")
    return int(digits)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number.")


def _form_parts(
    request: HttpRequest,
) -> tuple[MultiValueDict[str, str], MultiValueDict[str, UploadedFile[Any]]]:
    try:
        return request.POST, request.FILES
    except TooManyFilesSent:
        raise ApiError(400, TOO_MANY_PHOTOS) from None
    except (MultiPartParserError, UnreadablePostError):
        raise ApiError(
            400,
            "The multipart form can't be read. Check that it is complete and that its boundary is correct.",
        ) from None


def _numbered(
    texts: Mapping[str, str], files: MultiValueDict[str, UploadedFile[Any]]
) -> list[UploadedFile[Any]]:
    """Return the files in order: file0, file1, and so on.

    Raises InvalidValue if a number is missing or if a file has any other name.
    """
    as_text = next((name for name in texts if _FILE_NAME.fullmatch(name)), None)
    if as_text is not None:
        raise InvalidValue(
            f"{as_text} was sent as text, not as a file. With curl, use -F {as_text}=@photo.jpg."
        )
    if texts.get("imageUrls"):
        raise InvalidValue(
            "Send imageUrls in a JSON request. In a multipart request, send the photos as files."
        )
    if files and FILE_FIELDS[0] not in files and all(name in FILE_FIELDS for name in files):
        raise InvalidValue(PHOTO_REQUIRED)
    if len(files) > MAX_PHOTOS:
        raise InvalidValue(TOO_MANY_PHOTOS)
    expected = FILE_FIELDS[: len(files)]
    if set(files) != set(expected):
        raise InvalidValue(
            f"Name the photos {FILE_FIELDS[0]}, {FILE_FIELDS[1]}, and so on up to {FILE_FIELDS[-1]}, "
            "without a gap."
        )
    return [cast(UploadedFile[Any], files[name]) for name in expected]


def _text(name: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value is not None and not isinstance(value, str):
            raise InvalidValue(f"{name}: Send a string.")
        return value or ""

    return read


def _count(value: Any) -> int | None:
    if type(value) is float and value.is_integer():
        return int(value)  # JSON does not distinguish 2.0 from 2, and some programs write every number so.
    if value is not None and type(value) is not int:
        raise InvalidValue("numImages: Send a whole number, such as 2.")
    return value


def _count_in_text(text: str) -> int | None:
    if text and not re.fullmatch(r"\d{1,3}", text, re.ASCII):
        raise InvalidValue("numImages: Send a whole number, such as 2.")
    return int(text) if text else None


def _truth(name: str) -> Callable[[Any], bool | None]:
    def read(value: Any) -> bool | None:
        if value is not None and type(value) is not bool:
            raise InvalidValue(f"{name}: Send true or false.")
        return value

    return read


def _truth_in_text(name: str) -> Callable[[str], bool | None]:
    def read(text: str) -> bool | None:
        if text not in BOOLEANS:
            raise InvalidValue(f"{name}: Send true or false.")
        return BOOLEANS[text] if text else None

    return read


def _recipe(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidValue("recipe: Send a string.")
    return value


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise InvalidValue('variables: Send an object with string values, such as {"color": "red"}.')
    return value


def _texts_in_text(text: str) -> dict[str, str]:
    return _texts(_json_in_text(text, "variables: Send an object with string values, as JSON."))


def _json_in_text(text: str, otherwise: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise InvalidValue(otherwise) from None


def _boxes(value: Any) -> list[dict[str, Any]]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(_is_box(box) for box in value):
        raise InvalidValue(
            'regions: Send boxes such as [{"image": 1, "x": 0.1, "y": 0.2, "w": 0.3, "h": 0.4}]. image is '
            "the number of the photo, starting at 1; the other values are fractions of its width and "
            "height."
        )
    return [{name: box[name] for name in _BOX if name in box} for box in value]


def _boxes_in_text(text: str) -> list[dict[str, Any]]:
    return _boxes(_json_in_text(text or "[]", "regions: Send a list of boxes, as JSON."))


def _points(value: Any) -> list[dict[str, Any]]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(_is_point(point) for point in value):
        raise InvalidValue(
            'points: Send points such as [{"image": 1, "x": 0.5, "y": 0.5, "keep": true}]. image is the '
            "number of the photo, starting at 1; x and y are fractions of its width and height; keep is "
            "false to take away what is at the point."
        )
    return [{name: point[name] for name in _POINT if name in point} for point in value]


def _points_in_text(text: str) -> list[dict[str, Any]]:
    return _points(_json_in_text(text or "[]", "points: Send a list of points, as JSON."))


def _is_point(point: Any) -> bool:
    return (
        isinstance(point, dict)
        and all(type(point.get(side)) in (int, float) for side in ("x", "y"))
        and type(point.get("image", 1)) is int
        and type(point.get("keep", True)) is bool
    )


def _is_box(box: Any) -> bool:
    """Check that a box has four numbers and that `image`, if given, is an integer."""
    return (
        isinstance(box, dict)
        and all(type(box.get(side)) in (int, float) for side in _BOX[1:])
        and type(box.get("image", 1)) is int
    )


def _addresses(value: Any) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InvalidValue(f"imageUrls: Send a list of 1 to {MAX_PHOTOS} URLs.")
    if len(value) <= MAX_PHOTOS:
        for number, address in enumerate(value, start=1):
            _require_address(number, address)
    return value


def _require_address(number: int, address: str) -> None:
    if len(address) > MAX_URL_LENGTH:
        raise InvalidValue(f"imageUrls: URL {number} is longer than {MAX_URL_LENGTH:,} characters.")
    if not _is_address(address):
        raise InvalidValue(
            f"imageUrls: URL {number} must be a complete URL that starts with http:// or https://, "
            "without a user name or password."
        )


def _is_address(text: str) -> bool:
    """Check only the syntax of a photo's URL.

    A worker checks later whether the URL is allowed and whether the photo can be downloaded.
    """
    if re.search(r"[\s\x00-\x20\x7f\\\ud800-\udfff]", text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and _has_plain_host(parts.netloc)
    except ValueError:
        return False


def _has_plain_host(netloc: str) -> bool:
    """Check that a URL contains no user name or password and that its port is not 0.

    Raises ValueError if the port is not a number.
    """
    return "@" not in netloc and urlsplit(f"//{netloc}").port != 0
