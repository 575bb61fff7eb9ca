"""The settings of a simulated site.

They are the test settings, with short deadlines and with a queue that random decisions control.
"""

from editor.providers.engine_settings import EngineSettings
from tests.settings import *  # noqa: F403

EMBEDDED = EngineSettings("embedded", "embedded", seconds=120, runs_here=True)
UPSTREAM = EngineSettings(
    "photo-editor", "photo-editor", "https://engine.example.org", "k3y", seconds=120, is_external=True
)
# An engine whose response contains the results.
MODELS = EngineSettings(
    "openai-images", "openai-images", "https://models.example.org", "k3y", seconds=60, is_external=True
)

DATABASES["default"]["NAME"] = str(DATA_DIR / "simulated.sqlite3")  # noqa: F405
DATABASES["default"]["CONN_HEALTH_CHECKS"] = False  # noqa: F405
DATABASES["default"]["OPTIONS"]["timeout"] = 20  # noqa: F405
LEASE_SECONDS, HEARTBEAT_SECONDS = 12, 4  # as on a real site
TASKS["default"]["BACKEND"] = "tests.simulator.queue.LossyQueue"  # noqa: F405
LOGGING_CONFIG = None
PUBLIC_URL = "https://simulated.example.org"
MIN_FREE_MEGABYTES = 0
QUEUED_SECONDS = 240
BREAKER_SECONDS = 60
RUNNING_SECONDS = 120
ENGINES = (UPSTREAM, EMBEDDED)
STORING_SECONDS = 60
