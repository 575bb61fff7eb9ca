"""Where the bytes of photos and exports lie, each under its key: in folders of this machine, or in a bucket
that all nodes of the site share (STORAGE_URL). What is kept is never changed."""

import errno
import io
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from django.conf import settings

ANSWER_SECONDS, READ_SECONDS = 5, 20  # for a bucket to take a connection, and to go on
TRIES = 2
AWAY_SECONDS = 5.0  # after which what needs a bucket that is away is tried again
EXPORTS = "exports/"  # how their keys begin; all others are photos
_CHUNK = 256 * 1024
_NO_FILE = (errno.ENOENT, errno.EISDIR, errno.ELOOP)


class StorageAway(OSError):
    """The bucket does not answer, or not as it should. What needs it can be done later."""


class Place(Protocol):
    """Raises FileNotFoundError for what is not there, StorageAway and other OSErrors. One that `is_shared`
    lies beneath all machines of the site."""

    is_shared: bool

    def keep(self, files: Mapping[str, Path]) -> None:
        """Keeps these files, in this order, each under its key; they outlive a power cut, and their old
        places may be empty."""

    def open(self, key: str) -> BinaryIO:
        """The bytes, as they come."""

    def local(self, key: str, folder: Path) -> Path:
        """A file of this machine's with these bytes, in the folder if there is none yet."""

    def remove(self, key: str) -> None:
        """Doing it twice changes nothing."""

    def size(self, key: str) -> int:
        """In bytes."""

    def keys(self, *, older: float = 0, under: str = "") -> Iterator[str]:
        """What is kept for longer than so many seconds: the photos, or what is `under` EXPORTS."""

    def shortcoming(self) -> str:
        """Why it cannot be used as it is, for whoever runs the site; empty when it can."""


@cache
def place() -> Place:
    """The one that STORAGE_URL names."""
    return Bucket(**settings.BUCKET) if settings.BUCKET else Folder()


class Folder:
    """PHOTOS_DIR, and a folder for the exports beside it."""

    is_shared = False

    def keep(self, files: Mapping[str, Path]) -> None:
        targets = {self._path(key): source for key, source in files.items()}
        for target, source in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            source.chmod(0o600)
            sync(source)
            os.replace(source, target)
        # A folder may not yet know the one in it for good, whoever made that.
        for folder in {near for target in targets for near in (target.parent, target.parent.parent)}:
            sync(folder)

    def open(self, key: str) -> BinaryIO:
        try:
            return open(self._path(key), "rb", opener=_without_following)
        except OSError as error:
            if error.errno in _NO_FILE:
                raise FileNotFoundError(errno.ENOENT, "it is no file of ours") from error
            raise

    def local(self, key: str, folder: Path) -> Path:
        return self._path(key)

    def remove(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def size(self, key: str) -> int:
        return self._path(key).lstat().st_size

    def keys(self, *, older: float = 0, under: str = "") -> Iterator[str]:
        for path in older_than(older, self._root(under).glob(f"{under}*" if under else "*/*")):
            yield path.relative_to(self._root(under)).as_posix()

    def shortcoming(self) -> str:
        return ""

    def _path(self, key: str) -> Path:
        return self._root(key) / key

    def _root(self, key: str) -> Path:
        root: Path = settings.DATA_DIR if key.startswith(EXPORTS) else settings.PHOTOS_DIR
        return root


class Bucket:
    """By django-storages, which knows the makers of buckets; for S3 and what speaks as it does."""

    is_shared = True

    def __init__(self, **options: Any) -> None:
        from botocore.config import Config
        from storages.backends.s3 import S3Storage

        config = Config(
            connect_timeout=ANSWER_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"total_max_attempts": TRIES},
            s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            # Others than Amazon do not know its newer checksums.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        self._storage = S3Storage(**options, client_config=config)

    def keep(self, files: Mapping[str, Path]) -> None:
        with _answering():
            for key, source in files.items():
                self._bucket.upload_file(str(source), key)

    def open(self, key: str) -> BinaryIO:
        with _answering():
            return io.BufferedReader(_Arriving(self._bucket.Object(key).get()["Body"]), _CHUNK)

    def local(self, key: str, folder: Path) -> Path:
        path = folder / f"stored-{key.replace('/', '-')}"
        if not path.exists():
            draft = path.with_suffix(f".{os.getpid()}")
            with _answering():
                self._bucket.download_file(key, str(draft))
            draft.rename(path)
        return path

    def remove(self, key: str) -> None:
        with _answering():
            self._bucket.Object(key).delete()

    def size(self, key: str) -> int:
        with _answering():
            return int(self._bucket.Object(key).content_length)

    def keys(self, *, older: float = 0, under: str = "") -> Iterator[str]:
        oldest = time.time() - older
        with _answering():
            for found in self._bucket.objects.filter(Prefix=under):
                if found.last_modified.timestamp() < oldest:
                    yield found.key

    def shortcoming(self) -> str:
        try:
            with _answering():
                self._bucket.meta.client.head_bucket(Bucket=self._bucket.name)
        except FileNotFoundError:
            return f"there is no bucket {self._bucket.name}: make it"
        except StorageAway as error:
            return str(error)
        return ""

    @property
    def _bucket(self) -> Any:
        """Of this thread: boto3 wants it so."""
        return self._storage.connection.Bucket(self._storage.bucket_name)


class _Arriving(io.RawIOBase):
    """The bytes of an object while they come."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _answering():
            data = self._body.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._body.close()
        super().close()


@contextmanager
def _answering() -> Iterator[None]:
    """Translates boto3's many errors into two."""
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        if status == 404:
            raise FileNotFoundError(errno.ENOENT, "it is not in the bucket") from error
        raise StorageAway(f"the bucket refuses ({error.response.get('Error', {}).get('Code')})") from error
    except (BotoCoreError, Boto3Error) as error:
        raise StorageAway(f"the bucket does not answer ({type(error).__name__})") from error


def sync(path: Path) -> None:
    """Waits until the bytes of a file, or the names in a folder, will outlive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def older_than(seconds: float, paths: Iterable[Path]) -> Iterator[Path]:
    """Those that were last written longer ago."""
    oldest = time.time() - seconds
    return (path for path in paths if is_older(path, oldest))


def is_older(path: Path, time_stamp: float) -> bool:
    """What vanishes while it is looked at is not."""
    try:
        return path.lstat().st_mtime < time_stamp
    except FileNotFoundError:
        return False


def _without_following(path: str, flags: int) -> int:
    """Opens no link: nothing but a photo's own file may be served as one."""
    return os.open(path, flags | os.O_NOFOLLOW)
