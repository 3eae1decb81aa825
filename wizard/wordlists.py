"""Word lists that travel with the package: TOML files in a folder, as they stand.

Reading TOML takes longer than a short run does otherwise, so what the released lists of a folder say lies beside them
as JSON, with the digest of each; a list that was changed since is read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

COMPILED = "tables.json"


@cache
def table(folder: str, name: str) -> Mapping[str, Any]:
    """What the list `name.toml` of a folder says. Raises OSError where there is none."""
    with open(os.path.join(folder, f"{name}.toml"), "rb") as file:
        data = file.read()
    known = _compiled(folder).get(name)
    if known is not None and known[0] == _digest(data):
        found: Mapping[str, Any] = known[1]
        return found
    return _read(data)


@cache
def _compiled(folder: str) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    try:
        with open(os.path.join(folder, COMPILED), "rb") as file:
            found = json.loads(file.read())
        return {name: (of, said) for name, (of, said) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data.replace(b"\r\n", b"\n"), digest_size=16).hexdigest()


def _read(data: bytes) -> Mapping[str, Any]:
    import tomllib

    return tomllib.loads(data.decode("utf-8").replace("\r\n", "\n"))


def compiled_text(folder: str) -> str:
    """What the JSON beside the lists of a folder should hold: a line for each list."""
    lines = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".toml"):
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            said = json.dumps([_digest(data), _read(data)], ensure_ascii=False, separators=(",", ":"))
            lines.append(f"{json.dumps(name.removesuffix('.toml'))}:{said}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
