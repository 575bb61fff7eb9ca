"""Room on the disk. What is accepted must find a place, down to the row that says how it ended; so nothing is
begun once less than MIN_FREE_MEGABYTES is free, and everything goes on by itself when there is room again."""

import errno
import os
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

FULL = gettext_noop(
    "The disk of this site is full. Photos can be seen and saved, but nothing new can be made until "
    "whoever runs the site has made room."
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
# As SQLite says it, and PostgreSQL.
_NO_ROOM_WORDS = ("disk is full", "readonly database", "disk i/o error", "no space left on device")


class DiskFull(Exception):
    """There is no room for anything new. Its text is a sentence for people."""

    def __init__(self) -> None:
        super().__init__(_(FULL))


def is_short() -> bool:
    """Whether the data folder has too little room, or can't be written at all."""
    least = settings.MIN_FREE_MEGABYTES
    folders = (settings.DATA_DIR, settings.PHOTOS_DIR)
    return any(_has_less(folder, least) for folder in folders if folder.is_dir())


def is_nearly_out() -> bool:
    """Whether half of the room that is kept free is gone as well: what is left is for the rows."""
    return _has_less(settings.DATA_DIR, settings.MIN_FREE_MEGABYTES / 2)


def require() -> None:
    """Raises DiskFull when there is too little room for anything new."""
    if is_short():
        raise DiskFull


def is_about(error: BaseException | None) -> bool:
    """Whether this error tells of a disk that takes nothing more."""
    if isinstance(error, DatabaseError):
        return any(words in str(error).lower() for words in _NO_ROOM_WORDS)
    return isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in _NO_ROOM)


def _has_less(folder: Path, megabytes: float) -> bool:
    disk = os.statvfs(folder)
    free = disk.f_bavail * disk.f_frsize
    return bool(disk.f_flag & os.ST_RDONLY) or free < megabytes * 1024**2
