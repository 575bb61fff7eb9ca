"""A Redis server on loopback for tests, which can be stopped and started again."""

import shutil
import subprocess
import time
from pathlib import Path

import redis

SERVER = shutil.which("redis-server")


class RedisServer:
    """A server on a port, or on a socket in a temporary folder. The server stores nothing on disk."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.url = f"redis://127.0.0.1:{port}/0" if port else f"unix://{folder}/redis.sock"
        socket = [] if port else ["--unixsocket", f"{folder}/redis.sock"]
        self._command = [str(SERVER), "--port", str(port), *socket, "--save", "", "--dir", str(folder)]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 300
        while time.monotonic() < until:
            try:
                with redis.Redis.from_url(self.url) as client:
                    client.ping()
            except redis.ConnectionError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError("Redis did not start.")

    def flush(self) -> None:
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
