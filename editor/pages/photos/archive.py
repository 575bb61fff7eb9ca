"""Send results as a ZIP archive with a manifest.

The archive is created while it is being sent.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count

from django.http import Http404, StreamingHttpResponse
from django.utils.translation import get_language, gettext_lazy, override

from editor.models import Edit, ResultPhoto
from editor.models.photos import stem_of
from editor.pages.photos.media import first_words, open_file
from editor.services.core.spreadsheet import csv_of
from editor.services.photos import photos

AWAITS_APPROVAL = gettext_lazy("Awaiting approval")
COLUMNS = (
    *(gettext_lazy("photo"), gettext_lazy("name"), gettext_lazy("file"), gettext_lazy("prompt")),
    *(gettext_lazy("status"), gettext_lazy("credits"), gettext_lazy("reason")),
    *(gettext_lazy("engine"), gettext_lazy("model")),
)
MAX_STEM = 80  # maximum number of characters from the name of the uploaded photo
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')  # Windows does not allow these characters in file names.


class _Sink(io.RawIOBase):
    """A write-only stream that collects the archive's bytes until they are taken."""

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


def archive_response(
    numbered: Iterable[tuple[int, Edit]], *, by: int, name: str, refuses: bool = False
) -> StreamingHttpResponse:
    """Stream the results of edits as a ZIP archive to the user whose ID is `by`.

    Each edit is paired with its number in the manifest. File names consist of the name of the uploaded photo
    and words of the prompt. If a file is missing or awaits approval, it is left out, and the manifest reports
    this. With `refuses`, Http404 or Withheld is raised instead if the first result cannot be opened.
    """
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    pieces = _archive(numbered, by, refuses)
    # Create the first piece of the archive now, because errors cannot be reported after the response has
    # begun.
    begun = next(pieces)
    return StreamingHttpResponse(chain([begun], pieces), content_type="application/zip", headers=headers)


def _archive(numbered: Iterable[tuple[int, Edit]], by: int, refuses: bool) -> Iterator[bytes]:
    """Yield the archive in pieces, with only one photo in memory at a time."""
    # Read the language before creating the first piece, while the request is still active.
    language = get_language() or "en"
    sink, rows, taken = _Sink(), [], set[str]()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as folder:  # Photos are already compressed.
        for number, edit in numbered:
            names: list[str] = []
            for result in edit.results.all() if edit.finished and not edit.purged else ():
                result.edit = edit
                name = _unused(_name_of(edit, result), taken)
                try:
                    _pack(folder, name, result, by)
                    names.append(name)
                except (Http404, photos.Withheld):
                    if refuses and not names:
                        raise
                yield sink.taken()
            with override(language):
                rows.append(_row(number, edit, names))
        with override(language):
            folder.writestr("manifest.csv", csv_of(COLUMNS, rows))
    yield sink.taken()


def _pack(folder: zipfile.ZipFile, name: str, result: ResultPhoto, by: int) -> None:
    with open_file(result, "original", by=by) as file:
        folder.writestr(name, file.read())


def _name_of(edit: Edit, result: ResultPhoto) -> str:
    """Return a file name such as "IMG_2041-make-it-sepia.jpg".

    If there are several results, they are numbered.
    """
    uploaded = [stem_of(photo.name) for photo in edit.references.all()][:1]
    parts = [_FORBIDDEN.sub("_", part)[:MAX_STEM] for part in uploaded if part]
    parts += [first_words(edit)] if first_words(edit) else []
    parts += [str(result.position)] if edit.outputs > 1 else []
    return f"{'-'.join(parts) or 'result'}.{photos.EXTENSIONS[result.media_type]}"


def _unused(name: str, taken: set[str]) -> str:
    """Return the name, and add it to `taken`. If the archive already has this name, append a number."""
    stem, _dot, ending = name.rpartition(".")
    candidates = chain([name], (f"{stem} ({number}).{ending}" for number in count(2)))
    # macOS and Windows do not distinguish names that differ only in case.
    unused = next(candidate for candidate in candidates if candidate.casefold() not in taken)
    taken.add(unused.casefold())
    return unused


def _row(number: int, edit: Edit, names: Sequence[str]) -> list[object]:
    first_names = [reference.name for reference in edit.references.all()][:1]
    return [
        number,
        *(first_names or [""]),
        " ".join(names),
        edit.prompt,
        edit.get_state_display(),
        edit.charged_credits,
        edit.failure or (str(AWAITS_APPROVAL) if edit.is_success and edit.is_withheld and not names else ""),
        *edit.engine_and_model,
    ]
