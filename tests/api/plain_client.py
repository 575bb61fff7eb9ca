"""An API client as an outside developer would write it, using only the documentation.

It needs only the standard library. It relies on no undocumented status and uses no extension of the API.
"""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Sequence
from typing import Any

SUCCESS, FAILED = "SUCCESS", "FAILED"
TYPICAL_SECONDS = 30
LONGEST_WAIT = 4 * TYPICAL_SECONDS


class Refused(Exception):
    """Raised when the service returns an error. Contains the error message."""


class EditFailed(Exception):
    """Raised when the edit ends without a result."""


class PhotoEditor:
    """A client for the service at `base_url`."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self.base_url = base_url
        self.api_key = api_key

    def generate(self, prompt: str, image_urls: Sequence[str], **options: Any) -> dict[str, Any]:
        """Create an edit task from photos on the web.

        `options` are additional fields of the JSON body.
        """
        body = json.dumps({"prompt": prompt, "imageUrls": list(image_urls), **options}).encode()
        return self._call("/api/photo-editor/generate", body, "application/json")

    def generate_from_files(self, prompt: str, files: Sequence[bytes], **options: Any) -> dict[str, Any]:
        """Create an edit task from local photos."""
        boundary = uuid.uuid4().hex
        parts = [_field(boundary, name, str(value)) for name, value in {"prompt": prompt, **options}.items()]
        parts += [_file(boundary, f"file{number}", data) for number, data in enumerate(files)]
        body = b"".join([*parts, f"--{boundary}--\r\n".encode()])
        return self._call("/api/photo-editor/generate", body, f"multipart/form-data; boundary={boundary}")

    def status(self, task_id: str) -> dict[str, Any]:
        """Return the current state of a task."""
        return self._call("/api/photo-editor/status?" + urllib.parse.urlencode({"taskId": task_id}))

    def results(self, task_id: str) -> list[bytes]:
        """Wait until the edit is finished and return its images."""
        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            task = self.status(task_id)
            if task["status"] == SUCCESS:
                return [_download(image["url"]) for image in task["images"]]
            if task["status"] == FAILED:
                raise EditFailed(task)
            time.sleep(0.5)
        raise TimeoutError(f"Task {task_id} is not finished.")

    def _call(self, path: str, body: bytes | None = None, content_type: str = "") -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.api_key}"}
        if content_type:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self.base_url + path, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                envelope = json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                envelope = json.load(error)
        if envelope["code"] != 0 or envelope["success"] is not True:
            raise Refused(envelope["message"])
        data: dict[str, Any] = envelope["data"]
        return data


def _field(boundary: str, name: str, value: str) -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
    return f"{head}{value}\r\n".encode()


def _file(boundary: str, name: str, data: bytes) -> bytes:
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    )
    return head.encode() + data + b"\r\n"


def _download(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as response:
        data: bytes = response.read()
        return data
