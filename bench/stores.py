"""Claims and settlings per second, and the worst wait for one: SQLite and PostgreSQL, 1, 4 and 16 clients.

    python bench/stores.py [--seconds 3] [--clients 1 4 16] [--postgresql URL] [--json]

Each client is a process of its own that claims a write and settles it, as fast as it can, every one on the disk.
Without `--postgresql` the PostgreSQL of the tests is started for the occasion, with fsync on. Compare the rows of one
run with each other; the machine decides the rest.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wizard.host.conformance import claim, completed, lease_of, new_write, workspace
from wizard.host.store import Claimed, open_store

ROOT = Path(__file__).resolve().parent.parent


def client(url: str, space: str, number: int, seconds: float, ready: Any, go: Any, results: Any) -> None:
    """One client: how many writes it claimed and settled, and how long each claim and each settling took."""
    store = open_store(url)
    lease = lease_of(store, space, f"turn {number}", f"client {number}")
    claims: list[float] = []
    settlings: list[float] = []
    ready.put(number)
    go.wait()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        write = new_write(space, f"{number:08x}{len(claims):056x}")
        began = time.monotonic()
        result = claim(store, lease, write)
        claims.append(time.monotonic() - began)
        assert isinstance(result, Claimed), result
        began = time.monotonic()
        assert store.settle(result.record, completed(result.record)) is not None
        settlings.append(time.monotonic() - began)
    results.put((claims, settlings))
    store.close()


def measure(url: str, clients: int, seconds: float) -> dict[str, Any]:
    """One row: writes per second of all clients together, and the waits in milliseconds."""
    open_store(url).close()
    space, spawn = workspace(), multiprocessing.get_context("spawn")
    ready, go, results = spawn.Queue(), spawn.Event(), spawn.Queue()
    processes = [
        spawn.Process(target=client, args=(url, space, number, seconds, ready, go, results))
        for number in range(clients)
    ]
    for process in processes:
        process.start()
    for _ in processes:
        ready.get(timeout=120)
    began = time.monotonic()
    go.set()
    found = [results.get(timeout=seconds + 120) for _ in processes]
    elapsed = time.monotonic() - began
    for process in processes:
        process.join()
    counts = [len(claims) for claims, _ in found]
    claims = sorted(wait for one, _ in found for wait in one)
    settlings = sorted(wait for _, one in found for wait in one)
    return {
        "clients": clients,
        "per_second": round(sum(counts) / elapsed),
        "fewest_of_a_client": round(min(counts) / elapsed),
        "most_of_a_client": round(max(counts) / elapsed),
        "claim_ms": {"median": _ms(claims, 0.5), "p99": _ms(claims, 0.99), "worst": _ms(claims, 1)},
        "settle_ms": {"median": _ms(settlings, 0.5), "p99": _ms(settlings, 0.99), "worst": _ms(settlings, 1)},
    }


def _ms(waits: list[float], part: float) -> float:
    return round(1000 * waits[min(int(part * len(waits)), len(waits) - 1)], 1)


@contextmanager
def stores(postgresql: str | None) -> Iterator[dict[str, str]]:
    """The URLs of the stores to measure."""
    folder = Path(tempfile.mkdtemp(prefix="wizard-bench-"))
    server: Any = None
    try:
        urls = {"SQLite": f"sqlite:{folder / 'records.db'}", "PostgreSQL": postgresql or ""}
        if not postgresql:
            server = _server(folder / "pg")
            urls["PostgreSQL"] = server.url
        yield urls
    finally:
        if server is not None:
            server.crash()
        shutil.rmtree(folder, ignore_errors=True)


def _server(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("host_tests", ROOT / "tests" / "host" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder.parent.chmod(0o755)
    folder.mkdir()
    server = module.Server(folder)
    settings = f"-k {folder} -c listen_addresses= -c fsync=on -c max_connections=100"
    server._do("pg_ctl", "-w", "-t", "120", "-l", str(folder / "log"), "-o", settings, "start")
    return server


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each row is measured (default: 3)")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16], help="default: 1 4 16")
    parser.add_argument("--postgresql", metavar="URL", help="an existing database instead of one for the occasion")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    rows = []
    with stores(args.postgresql) as urls:
        for name, url in urls.items():
            for clients in args.clients:
                rows.append({"store": name, **measure(url, clients, args.seconds)})
                if not args.json:
                    _print(rows[-1], first=len(rows) == 1)
    if args.json:
        print(json.dumps({"version": 1, "seconds": args.seconds, "rows": rows}, indent=2))
    return 0


def _print(row: dict[str, Any], *, first: bool) -> None:
    if first:
        print(f"{'':12}{'clients':>8}{'writes/s':>10}{'of a client':>16}{'claim ms: median':>18}{'p99':>8}{'worst':>8}"
              f"{'settle: median':>16}{'p99':>8}{'worst':>8}")  # fmt: skip
    claims, settlings = row["claim_ms"], row["settle_ms"]
    share = f"{row['fewest_of_a_client']} to {row['most_of_a_client']}"
    print(
        f"{row['store']:12}{row['clients']:>8}{row['per_second']:>10}{share:>16}{claims['median']:>18}{claims['p99']:>8}"
        f"{claims['worst']:>8}{settlings['median']:>16}{settlings['p99']:>8}{settlings['worst']:>8}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
