"""The recipient of the ticket-triage plan: takes replies and refunds on port 8085, and prints each one that it takes.

    python recipient.py [PORT]

A refund is taken once for each Idempotency-Key; the same key gets the first answer. GET /log says what was taken.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

taken: list[dict[str, Any]] = []
requests: list[str] = []
by_key: dict[str, dict[str, Any]] = {}
lock = Lock()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.answer(200, {"taken": taken, "requests": requests})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers.get("Idempotency-Key", "")
        with lock:
            requests.append(self.path)
            if key in by_key:
                self.answer(201, by_key[key])
                return
            entry = {"id": f"{self.path.strip('/')}-{len(taken) + 1}", **body}
            taken.append({"path": self.path, **entry})
            if key:
                by_key[key] = entry
        print(f"took {self.path}: {json.dumps(body)}", flush=True)
        self.answer(201, entry)

    def answer(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8085), Handler) as server:
        print(f"listening on {server.server_port}", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
