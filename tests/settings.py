"""The settings of a test run: the product's own, in a data folder that vanishes afterwards."""

import atexit
import os
import shutil
import sys
import tempfile

_data_dir = tempfile.mkdtemp(prefix="darkroom-test-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)
os.environ["DATA_DIR"] = _data_dir
os.environ["TESTING"] = "1"
# One core for each process, as for the child that works on pixels: cores that wait for each other spin.
for _threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
# A run starts hundreds of processes; one that has to compile all that it imports takes four times as long.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for _folder in ("static", "photos", "work"):  # as `start` makes them
    os.mkdir(f"{_data_dir}/{_folder}")
os.environ.setdefault(
    "SECRET_KEY", "a-key-for-tests-only-that-is-long-enough-for-the-deploy-check-0123456789"
)

from photoeditor_site.settings import *  # noqa: E402, F403

# Nothing of a run is to outlive a power cut, so it waits for no disk.
os.fsync = lambda fd: None
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"  # noqa: F405
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, as in life: threads and processes share it.
    DATABASES["default"]["TEST"] = {"NAME": f"{_data_dir}/test.sqlite3"}  # noqa: F405
    _options = DATABASES["default"]["OPTIONS"]  # noqa: F405
    _options["init_command"] = _options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
