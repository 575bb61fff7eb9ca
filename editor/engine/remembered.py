"""Keep small photos, along with what was found in them, in a child process's memory between jobs.

If the photos need too much memory, the least recently used photos are dropped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np

from editor.engine.analyzing import load_analysis
from editor.engine.pixels import copy_size
from editor.imaging.codecs import STORED, load
from editor.imaging.picture import Picture, Pixels

if TYPE_CHECKING:
    from editor.engine.vision.analysis import Analysis

LONGEST_SIDE = 640  # maximum side of a small photo, in pixels
MOST_BYTES = 64 * 1024**2  # maximum total size of all photos, analyses, and findings, in bytes
_DEEPEST = 6  # maximum nesting depth to which the size of findings is counted


@dataclass(eq=False)
class RememberedPhoto:
    """A small photo, its analysis (if any), and what plans have found in it (see `Canvas.cache`).

    `newest_preview` holds the request for the newest preview and its answer (see `preview.preview_files`).
    """

    picture: Picture
    analysis: "Analysis | None" = None
    findings: dict[Any, Any] = field(default_factory=dict)
    analysis_name: str = ""
    newest_preview: tuple[str, dict[str, Any]] = ("", {})

    @property
    def size(self) -> int:
        """The size in memory, in bytes."""
        embedding = self.analysis and self.analysis.embedding
        known = embedding.values.nbytes if embedding else 0
        return self.picture.pixels.nbytes + known + _size_of(self.findings)

    def forget_old_findings(self) -> None:
        """Delete findings from pixels and analyses that no longer exist."""
        for key, (source, _) in list(self.findings.items()):
            if source() is None:
                del self.findings[key]


_photos: dict[str, RememberedPhoto] = {}  # photos by file name, the least recently used first


def look_at(photo_path: str, analysis_path: str | None = None) -> RememberedPhoto:
    """Return the photo in a file, reduced to LONGEST_SIDE, along with its analysis.

    File names must be unique, and a file's content must never change. Raises PhotoError if the photo cannot
    be read. An analysis that cannot be read is ignored.
    """
    name = Path(photo_path).name
    found = _photos.pop(name, None) or RememberedPhoto(reduced(load(photo_path, STORED), LONGEST_SIDE))
    _photos[name] = found
    analysis_name = Path(analysis_path).name if analysis_path else ""
    if analysis_name != found.analysis_name:
        found.analysis, found.analysis_name = load_analysis(analysis_path), analysis_name
        # Earlier findings may be less exact than those of the new analysis.
        found.findings.clear()
        found.newest_preview = ("", {})
    return found


def forget_surplus(most: int = MOST_BYTES) -> None:
    """Drop findings that are no longer needed, and reduce the memory of all photos to `most` bytes.

    The least recently used photos are dropped first, and then the findings in the last photo.
    """
    for photo in _photos.values():
        photo.forget_old_findings()
    while len(_photos) > 1 and sum(photo.size for photo in _photos.values()) > most:
        del _photos[next(iter(_photos))]
    for photo in _photos.values():
        if photo.size > most:
            photo.findings.clear()


def reduced(picture: Picture, longest: int) -> Picture:
    """Return the picture, scaled down if necessary so that neither side exceeds `longest` pixels."""
    size = copy_size(longest, picture.width, picture.height)
    if size == (picture.width, picture.height):
        return picture
    small = cast(Pixels, cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA))
    return Picture(small, picture.notices, picture.view_scale)


def _size_of(value: Any, depth: int = 0) -> int:
    """Return the approximate size of a value in bytes.

    It is the size of all arrays in the value, plus a small amount for everything else.
    """
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if depth == _DEEPEST:
        return 64
    parts: list[Any] = []
    if is_dataclass(value):
        parts = [getattr(value, one.name) for one in fields(value)]
    elif isinstance(value, Mapping):
        parts = list(value.values())
    elif isinstance(value, (tuple, list, set, frozenset)):
        parts = list(value)
    return 64 + sum(_size_of(part, depth + 1) for part in parts)
