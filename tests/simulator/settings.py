"""The settings of a simulated site: the test settings with short deadlines and a queue ruled by chance."""

from tests.settings import *  # noqa: F403

DATABASES["default"]["NAME"] = str(DATA_DIR / "simulated.sqlite3")  # noqa: F405
DATABASES["default"]["CONN_HEALTH_CHECKS"] = False  # noqa: F405
TASKS = {"default": {"BACKEND": "tests.simulator.queue.LossyQueue"}}
LOGGING_CONFIG = None
PUBLIC_URL = "https://simulated.example.org"
EDIT_PROVIDER = "photo-editor"
PHOTO_EDITOR_BASE_URL = "https://engine.example.org"
PHOTO_EDITOR_API_KEY = "k3y"
MIN_FREE_MEGABYTES = 0
QUEUED_SECONDS = 240
BREAKER_SECONDS = 60
RUNNING_SECONDS = 120
STORING_SECONDS = 60
