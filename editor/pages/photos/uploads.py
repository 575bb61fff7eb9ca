"""Limit uploads while they arrive, so that neither memory nor the disk ever holds more than is allowed."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest
from django.utils.translation import gettext as _

from editor.options import MAX_PHOTOS

FORM_BYTES = 1024 * 1024  # maximum bytes of a form, not including its photos


class CappedUploadHandler(FileUploadHandler):
    """An upload handler that limits the size of photos.

    It must precede the handlers that store files. It keeps one byte more than a photo may have, and drops the
    rest. From the extra byte, later code can tell that the photo is too large. If a request declares a length
    that is too large, it is refused before it is read. Only a signed-in user may send photos. Without this
    check, the CSRF check would read the body of a stranger's request before any view checks who sent it.
    """

    def handle_raw_input(
        self,
        input_data: Any,
        META: Mapping[str, Any],  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: str | None = None,
    ) -> None:
        photos = photo_bytes_per_request() if _is_signed_in(self.request) else 0
        if content_length > photos + FORM_BYTES:
            raise RequestDataTooBig(_("This upload is too large."))

    def new_file(self, *arguments: Any, **options: Any) -> None:
        super().new_file(*arguments, **options)
        self._room = _cap() + 1

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        kept = raw_data[: self._room]
        self._room -= len(kept)
        return kept or None

    def file_complete(self, file_size: int) -> None:
        """Do nothing, because the handlers after this one create the file."""


class NamelessUploadHandler(FileUploadHandler):
    """An upload handler that writes to an unnamed file.

    The system deletes the file when this process ends, however it ends. The file still contains the photo's
    metadata, such as the location and the camera.
    """

    def new_file(self, *arguments: Any, **options: Any) -> None:
        super().new_file(*arguments, **options)
        folder: Path = settings.WORK_DIR
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - The request closes the file.

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._file.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedFile[Any]:
        self._file.seek(0)
        how = (self.content_type, file_size, self.charset, self.content_type_extra)
        return UploadedFile(self._file, self.file_name, *how)

    def upload_interrupted(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


def photo_bytes_per_request() -> int:
    """Return the maximum number of bytes of all photos of one request."""
    return MAX_PHOTOS * _cap()


def _is_signed_in(request: HttpRequest | None) -> bool:
    """Check the account to which the session belongs, because anyone can make up a session cookie."""
    return request is not None and request.user.is_authenticated


def _cap() -> int:
    megabytes: int = settings.MAX_PHOTO_MEGABYTES
    return megabytes * 1024 * 1024
