"""The settings of a test run: the product's settings, with a data folder that is deleted afterward."""

import atexit
import os
import shutil
import sys
import tempfile

_data_dir = tempfile.mkdtemp(prefix="darkroom-test-")
atexit.register(shutil.rmtree, _data_dir, ignore_errors=True)
os.environ["DATA_DIR"] = _data_dir
os.environ["TESTING"] = "1"
# Like the child process that decodes photos, each process uses one thread. More threads would waste CPU time
# waiting for each other.
for _threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
# A test run starts hundreds of processes. Without compiled files, a process takes four times as long to
# import everything.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
for _folder in ("static", "photos", "work"):  # `start` creates these folders on a real site.
    os.mkdir(f"{_data_dir}/{_folder}")
os.environ.setdefault(
    "SECRET_KEY", "a-key-for-tests-only-that-is-long-enough-for-the-deploy-check-0123456789"
)

from photoeditor_site.settings import *  # noqa: E402, F403

# A test run never waits for the disk, because none of its data needs to survive a power cut.
os.fsync = lambda fd: None
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"  # noqa: F405
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # The test database is a file, as on a real site, because threads and processes share it.
    DATABASES["default"]["TEST"] = {"NAME": f"{_data_dir}/test.sqlite3"}  # noqa: F405
    _options = DATABASES["default"]["OPTIONS"]  # noqa: F405
    _options["timeout"] = 120  # On a busy machine, one of many threads may wait long for its turn to write.
    _options["init_command"] = _options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
# A test's transaction keeps other connections from writing to SQLite, so a heartbeat could not renew the
# lease and would stop a stage that takes long on a busy machine. Tests of heartbeats set a shorter time.
HEARTBEAT_SECONDS = 600.0
# A claim must still hold when the next one is made, however slow the machine is.
LEASE_SECONDS = 600
