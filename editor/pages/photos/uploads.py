"""Uploads are cut while they arrive: neither memory nor disk ever holds more than what is allowed."""

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

FORM_BYTES = 1024 * 1024  # what a form may weigh beside its photos


class CappedUploadHandler(FileUploadHandler):
    """Stands before the handlers that keep files. A photo over the limit keeps its first byte too many,
    so that whoever reads it can say so in a sentence; the rest is let go. A request that says it is larger
    than five photos can be is not read at all, and nobody who isn't signed in brings photos: the check of
    the form's token reads the body before any view asks who sent it."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Mapping[str, Any],  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: str | None = None,
    ) -> None:
        photos = MAX_PHOTOS * _cap() if _is_signed_in(self.request) else 0
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
        """The handlers behind this one make the file."""


class NamelessUploadHandler(FileUploadHandler):
    """Keeps an upload as it came, place and camera still in it, in a file without a name: the system takes
    it back when this process ends, however it ends."""

    def new_file(self, *arguments: Any, **options: Any) -> None:
        super().new_file(*arguments, **options)
        folder: Path = settings.WORK_DIR
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - the request closes it

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._file.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedFile[Any]:
        self._file.seek(0)
        how = (self.content_type, file_size, self.charset, self.content_type_extra)
        return UploadedFile(self._file, self.file_name, *how)

    def upload_interrupted(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()


def _is_signed_in(request: HttpRequest | None) -> bool:
    """A made-up session cookie is none: what counts is the account behind it."""
    return request is not None and request.user.is_authenticated


def _cap() -> int:
    megabytes: int = settings.MAX_PHOTO_MEGABYTES
    return megabytes * 1024 * 1024
