"""Functions that send API requests and check the responses."""

import json
from typing import Any

from django.conf import settings
from django.test import Client

from editor.models import CreditEntry, DraftPhoto, Edit, IdempotencyClaim, User, Workspace
from editor.services.maintenance import invariants
from tests import cast

GENERATE = "/api/photo-editor/generate"
STATUS = "/api/photo-editor/status"
CANCEL = "/api/photo-editor/cancel"
EDITS = "/api/photo-editor/edits"
ACCOUNT = "/api/photo-editor/account"
URL = "https://example.org/photo.jpg"


def json_fields(**fields: Any) -> dict[str, Any]:
    """Return the fields of a valid JSON request, with these changes."""
    return {"prompt": "black and white", "imageUrls": [URL], **fields}


def send(client: Client, body: Any, **headers: str) -> Any:
    """Send a create request as JSON. If the body is bytes, it is sent unchanged."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    # The test client omits the content type if there is no body.
    headers = {"Content-Type": "application/json", **headers}
    return client.post(GENERATE, data, content_type="application/json", headers=headers)


def send_form(client: Client, fields: dict[str, Any], **headers: str) -> Any:
    """Send a create request as a multipart form."""
    return client.post(GENERATE, fields, headers=headers)


def form(**fields: Any) -> dict[str, Any]:
    """Return the fields of a valid multipart request, with these changes."""
    return {"prompt": "black and white", "file0": cast.photo_file("lake.jpg"), **fields}


def data_of(response: Any, status: int = 200) -> dict[str, Any]:
    """Check the envelope of a successful response and return its data."""
    body: dict[str, Any] = response.json()
    assert response.status_code == status, body
    assert set(body) == {"code", "success", "data"}
    assert body["code"] == 0
    assert body["success"] is True
    data: dict[str, Any] = body["data"]
    return data


def message_of(response: Any, status: int) -> str:
    """Check the envelope of an error response and return its message."""
    body = response.json()
    assert response.status_code == status, body
    assert response.headers["Content-Type"] == "application/json"
    assert body == {
        "code": status,
        "success": False,
        "message": body["message"],
        "data": None,
        "requestId": response.headers["X-Request-Id"],
    }
    message: str = body["message"]
    assert message
    assert message[0].isalpha()
    return message


def balance_of(user: User) -> tuple[int, int]:
    workspace = Workspace.objects.get(personal_user=user)
    return workspace.balance, workspace.held


def assert_nothing_happened(user: User, balance_and_held: tuple[int, int] = (400, 0)) -> None:
    """Check that the request left behind no edit, photo, file, credit entry, or idempotency claim."""
    assert not Edit.objects.exists()
    assert not DraftPhoto.objects.exists()
    assert not CreditEntry.objects.exclude(kind="grant").exists()
    assert not IdempotencyClaim.objects.exists()
    assert balance_of(user) == balance_and_held
    assert_no_files()
    assert not invariants.find_violations()


def assert_no_files() -> None:
    assert [path for path in settings.PHOTOS_DIR.rglob("*") if path.is_file()] == []


def originals() -> int:
    """Return the number of stored photos, not counting their derivatives."""
    return len(list(settings.PHOTOS_DIR.rglob("*.jpg")))
