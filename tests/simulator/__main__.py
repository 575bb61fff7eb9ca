"""Start the simulator with a fixed hash seed and an in-memory database.

This way, the seed decides everything.
"""

import os
import sys

if os.environ.get("PYTHONHASHSEED") != "0":
    os.environ |= {"PYTHONHASHSEED": "0", "DJANGO_SETTINGS_MODULE": "tests.simulator.settings"}
    if os.access("/dev/shm", os.W_OK):
        os.environ["TMPDIR"] = "/dev/shm"
    os.execv(sys.executable, [sys.executable, "-m", "tests.simulator", *sys.argv[1:]])

if __name__ == "__main__":
    import django

    django.setup()
    from tests.simulator import cli

    sys.exit(cli.main(sys.argv[1:]))
