"""The results of a batch as one zip with a manifest, sent while it is made."""

import io
import zipfile
from collections.abc import Iterator, Sequence

from django.http import Http404

from editor.models import Edit, ResultPhoto
from editor.pages.media import file_name, opened
from editor.services import photos
from editor.services.spreadsheet import csv_of

WAITS = "Waits for approval"
COLUMNS = ("photo", "name", "file", "sentence", "state", "credits", "reason")


class _Sink(io.RawIOBase):
    """What the archive writes, taken away piece by piece."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._written += data
        return len(data)

    def taken(self) -> bytes:
        data = bytes(self._written)
        self._written.clear()
        return data


def batch_archive(edits: Sequence[Edit], *, by: int) -> Iterator[bytes]:
    """For this user, one picture at a time in memory. A file that is gone or waits for approval is left out,
    and the manifest says so."""
    sink, rows = _Sink(), []
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as folder:  # pictures are compressed already
        for edit in edits:
            names = []
            for result in edit.results.all() if edit.is_success and not edit.purged else ():
                result.edit = edit
                name = f"{edit.batch_position:03}-{file_name(result)}"
                if _packed(folder, name, result, by):
                    names.append(name)
                yield sink.taken()
            rows.append(_row(edit, names))
        folder.writestr("manifest.csv", csv_of(COLUMNS, rows))
    yield sink.taken()


def _packed(folder: zipfile.ZipFile, name: str, result: ResultPhoto, by: int) -> bool:
    try:
        with opened(result, "original", by=by) as file:
            folder.writestr(name, file.read())
    except (Http404, photos.Withheld):
        return False
    return True


def _row(edit: Edit, names: Sequence[str]) -> list[object]:
    brought = [reference.name for reference in edit.references.all()][:1]
    return [
        edit.batch_position,
        *(brought or [""]),
        " ".join(names),
        edit.prompt,
        edit.get_state_display(),
        edit.price if edit.is_success else 0,
        edit.failure_message or (WAITS if edit.is_success and edit.is_withheld and not names else ""),
    ]
