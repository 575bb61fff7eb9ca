"""Storage for photos and exports. Every file has a key.

Files are stored either in local folders or in a bucket that all machines share. STORAGE_URL selects the
bucket. Stored files are never changed.
"""

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

# Maximum seconds until a bucket accepts a connection, and maximum seconds between two received bytes.
CONNECT_SECONDS, READ_SECONDS = 5, 20
MAX_ATTEMPTS = 2
UNAVAILABLE_RETRY_SECONDS = 5.0  # number of seconds until work that needs an unavailable bucket is retried
EXPORTS = "exports/"  # prefix for the keys of exports; all other keys belong to photos
_CHUNK = 256 * 1024
_NO_FILE = (errno.ENOENT, errno.EISDIR, errno.ELOOP)


class StorageUnavailable(OSError):
    """Raised when the bucket does not respond or gives an unexpected response. The work can be done later."""


class StorageBackend(Protocol):
    """A storage backend. Every stored file has a key.

    Methods raise FileNotFoundError if a file is missing. They also raise StorageUnavailable and other
    OSErrors. `is_shared` says whether all of the site's machines share this storage.
    """

    is_shared: bool

    def save(self, files: Mapping[str, Path]) -> None:
        """Store these files in this order, each under its key, so that they survive a power failure.

        The source files may be moved.
        """

    def open(self, key: str) -> BinaryIO:
        """Open the stored file as a stream for reading."""

    def local_path(self, key: str, folder: Path) -> Path:
        """Return the path of a local copy of the file, downloading it into the folder if necessary."""

    def remove(self, key: str) -> None:
        """Delete the stored file. A second call has no effect."""

    def size(self, key: str) -> int:
        """Return the size of the stored file in bytes."""

    def keys(self, *, older: float = 0, under: str = "") -> Iterator[str]:
        """Yield the keys of files that are older than `older` seconds.

        These are photos, or exports if `under` is EXPORTS.
        """

    def problem(self) -> str:
        """Return why this storage cannot be used now, or an empty string. The message is for the operator."""


@cache
def get_backend() -> StorageBackend:
    """Return the backend that STORAGE_URL selects."""
    return Bucket(**settings.BUCKET) if settings.BUCKET else Folder()


class Folder:
    """The local folders for stored files: PHOTOS_DIR for photos, and the data folder for exports."""

    is_shared = False

    def save(self, files: Mapping[str, Path]) -> None:
        targets = {self._path(key): source for key, source in files.items()}
        for target, source in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            source.chmod(0o600)
            sync(source)
            os.replace(source, target)
        # Sync the parent folder too, because this folder may be new. Otherwise, it could disappear in a power
        # failure.
        for folder in {near for target in targets for near in (target.parent, target.parent.parent)}:
            sync(folder)

    def open(self, key: str) -> BinaryIO:
        try:
            return open(self._path(key), "rb", opener=_without_following)
        except OSError as error:
            if error.errno in _NO_FILE:
                raise FileNotFoundError(errno.ENOENT, "it is not a stored photo") from error
            raise

    def local_path(self, key: str, folder: Path) -> Path:
        return self._path(key)

    def remove(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def size(self, key: str) -> int:
        return self._path(key).lstat().st_size

    def keys(self, *, older: float = 0, under: str = "") -> Iterator[str]:
        for path in older_than(older, self._root(under).glob(f"{under}*" if under else "*/*")):
            yield path.relative_to(self._root(under)).as_posix()

    def problem(self) -> str:
        return ""

    def _path(self, key: str) -> Path:
        return self._root(key) / key

    def _root(self, key: str) -> Path:
        root: Path = settings.DATA_DIR if key.startswith(EXPORTS) else settings.PHOTOS_DIR
        return root


class Bucket:
    """A bucket in S3 or a compatible service, accessed with django-storages."""

    is_shared = True

    def __init__(self, **options: Any) -> None:
        from botocore.config import Config
        from storages.backends.s3 import S3Storage

        config = Config(
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"total_max_attempts": MAX_ATTEMPTS},
            s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            # Services other than Amazon's do not support Amazon's newer checksums.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        self._storage = S3Storage(**options, client_config=config)

    def save(self, files: Mapping[str, Path]) -> None:
        with _bucket_errors():
            for key, source in files.items():
                self._bucket.upload_file(str(source), key)

    def open(self, key: str) -> BinaryIO:
        with _bucket_errors():
            return io.BufferedReader(_ObjectStream(self._bucket.Object(key).get()["Body"]), _CHUNK)

    def local_path(self, key: str, folder: Path) -> Path:
        path = folder / f"stored-{key.replace('/', '-')}"
        if not path.exists():
            draft = path.with_suffix(f".{os.getpid()}")
            with _bucket_errors():
                self._bucket.download_file(key, str(draft))
            draft.rename(path)
        return path

    def remove(self, key: str) -> None:
        with _bucket_errors():
            self._bucket.Object(key).delete()

    def rename(self, key: str, to: str) -> None:
        with _bucket_errors():
            self._bucket.copy({"Bucket": self._bucket.name, "Key": key}, to)
        self.remove(key)

    def size(self, key: str) -> int:
        with _bucket_errors():
            return int(self._bucket.Object(key).content_length)

    def keys(self, *, older: float = 0, under: str = "") -> Iterator[str]:
        oldest = time.time() - older
        with _bucket_errors():
            for found in self._bucket.objects.filter(Prefix=under):
                if found.last_modified.timestamp() < oldest:
                    yield found.key

    def problem(self) -> str:
        try:
            with _bucket_errors():
                self._bucket.meta.client.head_bucket(Bucket=self._bucket.name)
        except FileNotFoundError:
            return f"the bucket {self._bucket.name} does not exist; create it"
        except StorageUnavailable as error:
            return str(error)
        return ""

    @property
    def _bucket(self) -> Any:
        """Return this thread's bucket resource.

        Each thread has its own, because boto3 resources are not thread-safe.
        """
        return self._storage.connection.Bucket(self._storage.bucket_name)


class _ObjectStream(io.RawIOBase):
    """The bytes of an object, as a raw stream."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _bucket_errors():
            data = self._body.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._body.close()
        super().close()


@contextmanager
def _bucket_errors() -> Iterator[None]:
    """Convert boto3's many errors to FileNotFoundError and StorageUnavailable."""
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except ClientError as error:
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        if status == 404:
            raise FileNotFoundError(errno.ENOENT, "the file is not in the bucket") from error
        raise StorageUnavailable(
            f"the bucket refused the request ({error.response.get('Error', {}).get('Code')})"
        ) from error
    except (BotoCoreError, Boto3Error) as error:
        raise StorageUnavailable(f"the bucket is not responding ({type(error).__name__})") from error


def sync(path: Path) -> None:
    """Wait until a file's bytes, or a folder's entries, will survive a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def older_than(seconds: float, paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths that were last written more than this many seconds ago."""
    oldest = time.time() - seconds
    return (path for path in paths if is_older(path, oldest))


def is_older(path: Path, time_stamp: float) -> bool:
    """Check whether the path was last written before this time.

    Returns False for a file that has just been deleted.
    """
    try:
        return path.lstat().st_mtime < time_stamp
    except FileNotFoundError:
        return False


def _without_following(path: str, flags: int) -> int:
    """Open a file without following symbolic links, so that no other file can be served as a photo."""
    return os.open(path, flags | os.O_NOFOLLOW)
