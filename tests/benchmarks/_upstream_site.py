"""An upstream site for benchmarks: `... -m tests.benchmarks._upstream_site RESULT TASK CREATE EVERY`.

It implements the interface on a free port, and prints the number of this port. A task takes TASK seconds, the
response to a create request takes CREATE seconds, and every result is the file RESULT. One in EVERY tasks
fails. Half of the failures occur as early as the create request, which gets status 500. The duration of the
tasks varies by 5%, so that tasks do not end at the same time as the polls. GET /log returns when each task
was done, GET /asked returns when its status was requested, and GET /prompts returns how often each prompt was
sent.
"""

import itertools
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


def main(result: str, task_seconds: float, create_seconds: float, fault_every: int) -> None:
    """Serve until the process is killed."""
    picture, done = Path(result).read_bytes(), dict[str, float]()
    prompts, calls = Counter[str](), defaultdict[str, list[float]](list)
    numbers = itertools.count(1)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if calls := re.search(rb'name="prompt"\r\n\r\n(.*?)\r\n', body):
                prompts[calls[1].decode()] += 1
            time.sleep(create_seconds)
            number = next(numbers)
            if fault_every and number % (2 * fault_every) == 0:
                self.send_error(500)
                return
            name = f"task-{number}"
            done[name] = time.time() + task_seconds * random.uniform(0.975, 1.025)
            self._say({"taskId": name, "numImages": 1})

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            if url.path == "/log":
                self._send(json.dumps(done).encode())
            elif url.path == "/prompts":
                self._send(json.dumps(prompts).encode())
            elif url.path == "/asked":
                self._send(json.dumps(calls).encode())
            elif url.path.startswith("/results/"):
                self._send(picture)
            else:
                name = parse_qs(url.query)["taskId"][0]
                calls[name].append(time.time())
                self._say(self._state(name) if time.time() >= done[name] else {"status": "RUNNING"})

        def _state(self, name: str) -> dict[str, Any]:
            if fault_every and int(name.removeprefix("task-")) % fault_every == 0:
                return {"status": "FAILED", "message": "The engine could not do it."}
            images = [{"url": f"http://{self.headers['Host']}/results/{name}.png"}]
            return {"status": "SUCCESS", "images": images}

        def _say(self, data: dict[str, Any]) -> None:
            self._send(json.dumps({"code": 0, "success": True, "data": data}).encode())

        def _send(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 512

        def handle_error(self, *_: Any) -> None:
            """Ignore the error, because the client may have been killed in the meantime."""

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)  # noqa: T201
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))
