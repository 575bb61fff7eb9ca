"""The settings of a test run: those of the product, in a data folder that is deleted afterward."""

import atexit
import os
import shutil
import sys
import tempfile

_data_dir = tempfile.mkdtemp(prefix="darkroom-test-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)
os.environ["DATA_DIR"] = _data_dir
os.environ["TESTING"] = "1"
# One thread for each process, like the child that decodes photos: with more, threads that wait for each other
# would waste CPU time.
for _threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
# A run starts hundreds of processes, and one that must compile all its imports takes four times as long.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for _folder in ("static", "photos", "work"):  # `start` creates these folders on a real site.
    os.mkdir(f"{_data_dir}/{_folder}")
os.environ.setdefault(
    "SECRET_KEY", "a-key-for-tests-only-that-is-long-enough-for-the-deploy-check-0123456789"
)

from photoeditor_site.settings import *  # noqa: E402, F403

# Nothing of a test run must survive a power cut, so it never waits for the disk.
os.fsync = lambda fd: None
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"  # noqa: F405
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, as on a real site, because threads and processes share it.
    DATABASES["default"]["TEST"] = {"NAME": f"{_data_dir}/test.sqlite3"}  # noqa: F405
    _options = DATABASES["default"]["OPTIONS"]  # noqa: F405
    _options["init_command"] = _options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
