"""Results on disk, so that a file which did not change is not looked at again.

A result is kept under a digest of all that it depends on: the file's text, the rules, the configuration that changes
what rules see, and the version. Nothing in the folder is needed: it may be deleted at any time, a broken file in it
counts as empty, and two runs at once lose at most what the other found.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from typing import Any

from wizard import __version__

FOLDER = ".skill-wizard-cache"
VARIABLE = "SKILL_WIZARD_CACHE_DIR"
FORM = 1
"""Of the files; another one is passed over."""
SHARDS = 16
KEPT = 4_000
"""Results that one shard keeps, the last used."""

_WATCHED = ("lint", "skill", "operation", "yamltext", "infer", "spec", "host", "emit")


def cache_folder(root: str | None, wanted: str | None = None) -> str:
    """Where results are kept: where the environment or the configuration says, in the project, else where the
    platform keeps caches."""
    chosen = os.environ.get(VARIABLE) or wanted
    if chosen:
        return chosen
    if root is not None:
        return os.path.join(root, FOLDER)
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "skill-wizard")


def rules_digest() -> bytes:
    """Of the code and the word lists that results come from, and of the libraries beside them."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    facts = [__version__, str(FORM), sys.version]
    for part in _WATCHED:
        _stamp(os.path.join(package, part), facts)
    for entry in sys.path:
        if entry.endswith("site-packages"):
            with suppress(OSError):
                facts.append(f"{entry} {os.stat(entry).st_mtime_ns}")
    return hashlib.blake2b("\0".join(facts).encode("utf-8", "surrogateescape"), digest_size=16).digest()


def _stamp(folder: str, facts: list[str]) -> None:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            _stamp(entry.path, facts)
        else:
            stat = entry.stat()
            facts.append(f"{entry.name} {stat.st_size} {stat.st_mtime_ns}")


class Cache:
    """Results by key. `None` as a folder keeps nothing."""

    def __init__(self, folder: str | None) -> None:
        self.folder = folder
        self.base = rules_digest() if folder is not None else b""
        self.shards: dict[int, dict[str, Any]] = {}
        self.used: dict[int, set[str]] = {}
        self.changed: set[int] = set()

    def key(self, *parts: bytes) -> str:
        """A digest of the parts, the rules and the version."""
        counted = [piece for part in parts for piece in (len(part).to_bytes(8, "big"), part)]
        return hashlib.blake2b(b"".join((self.base, *counted)), digest_size=16).hexdigest()

    def get(self, key: str) -> Any:
        """The result, made of JSON's values; None where there is none."""
        if self.folder is None:
            return None
        number = int(key[0], 16) % SHARDS
        found = self.shard(number).get(key)
        if found is not None:
            self.used.setdefault(number, set()).add(key)
        return found

    def put(self, key: str, result: Any) -> None:
        if self.folder is None:
            return
        number = int(key[0], 16) % SHARDS
        self.shard(number)[key] = result
        self.used.setdefault(number, set()).add(key)
        self.changed.add(number)

    def shard(self, number: int) -> dict[str, Any]:
        known = self.shards.get(number)
        if known is None:
            known = self.shards[number] = self.read(number)
        return known

    def path(self, number: int) -> str:
        return os.path.join(self.folder or "", f"lint-{FORM}-{number:x}.json")

    def read(self, number: int) -> dict[str, Any]:
        try:
            with open(self.path(number), "rb") as file:
                data = json.loads(file.read())
            entries = data["results"] if data["form"] == FORM else {}
            return entries if isinstance(entries, dict) else {}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def save(self) -> None:
        """Writes what is new. A folder that cannot be written is no error: the next run is only slower."""
        if self.folder is None or not self.changed:
            return
        try:
            self.prepare()
            for number in sorted(self.changed):
                entries = self.shards[number]
                used = self.used.get(number, set())
                kept = (
                    [key for key in entries if key not in used][-max(0, KEPT - len(used)) :] if len(used) < KEPT else []
                )
                ordered = {key: entries[key] for key in (*kept, *(key for key in entries if key in used))}
                self.write(number, json.dumps({"form": FORM, "results": ordered}, separators=(",", ":")))
        except OSError:
            return
        finally:
            self.changed.clear()

    def prepare(self) -> None:
        folder = self.folder or ""
        os.makedirs(folder, exist_ok=True)
        mark = os.path.join(folder, ".gitignore")
        if not os.path.exists(mark):
            with open(mark, "w", encoding="utf-8") as file:
                file.write("# Results of skill-wizard lint; safe to delete.\n*\n")

    def write(self, number: int, text: str) -> None:
        path = self.path(number)
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
