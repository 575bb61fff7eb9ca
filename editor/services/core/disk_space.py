"""Free disk space.

An accepted edit needs space for its files and for the row that records its outcome. Therefore, nothing new
starts while less than MIN_FREE_MEGABYTES is free. Everything resumes automatically once there is enough space
again.
"""

import errno
import os
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

FULL_MESSAGE = gettext_noop(
    "The disk of this site is full. You can view and download photos, but new edits and uploads have to wait "
    "until an administrator frees up space."
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
# Parts of SQLite and PostgreSQL error messages that indicate that the disk is full or read-only.
_NO_ROOM_WORDS = ("disk is full", "readonly database", "disk i/o error", "no space left on device")


class DiskFull(Exception):
    """Raised when there is no space for anything new. The exception's message is shown to users."""

    def __init__(self) -> None:
        super().__init__(_(FULL_MESSAGE))


def is_low() -> bool:
    """Check whether the data folder or the photo folder has too little space or is read-only."""
    return any(_has_less(folder, settings.MIN_FREE_MEGABYTES) for folder in _folders())


def free_bytes() -> int:
    """Return the free bytes for the data folder or the photo folder, whichever has less."""
    return min(map(_free_bytes, _folders()))


def is_nearly_full() -> bool:
    """Check whether more than half of the reserved space is used.

    The other half is kept for database rows.
    """
    return _has_less(settings.DATA_DIR, settings.MIN_FREE_MEGABYTES / 2)


def require_free_disk() -> None:
    """Raise DiskFull if there is too little space for anything new."""
    if is_low():
        raise DiskFull


def is_disk_error(error: BaseException | None) -> bool:
    """Check whether this error indicates that the disk is full or read-only."""
    if isinstance(error, DatabaseError):
        return any(words in str(error).lower() for words in _NO_ROOM_WORDS)
    return isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in _NO_ROOM)


def _folders() -> list[Path]:
    return [folder for folder in (settings.DATA_DIR, settings.PHOTOS_DIR) if folder.is_dir()]


def _has_less(folder: Path, megabytes: float) -> bool:
    is_read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
    return bool(is_read_only) or _free_bytes(folder) < megabytes * 1024**2


def _free_bytes(folder: Path) -> int:
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize
