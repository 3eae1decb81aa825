"""Names of skills and files: 1 to 64 of a-z, 0-9 and single hyphens, each once, fit for every file system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

from wizard.emit.words import words
from wizard.spec.model import ApiOperation

MAX_NAME = 64
MAX_API_NAME = 32

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER = re.compile(r"[^a-z0-9]+")


def slug(text: str, *, limit: int = MAX_NAME, humps: bool = True) -> str:
    """A text as a name; empty where it has no letter or digit of ASCII. `createBooking` is `create-booking`.

    Without `humps` a capital inside a word begins no new one: `GitHub` is `github`.
    """
    plain = unicodedata.normalize("NFKD", text[:500])
    plain = "".join(char for char in plain if not unicodedata.combining(char) and char not in "'’")
    parts = _OTHER.sub("-", (_HUMP.sub("-", plain) if humps else plain).lower()).strip("-").split("-")
    forbidden = words("names")["words"]
    parts = [part for part in parts if part and not any(word in part for word in forbidden)]
    return cut("-".join(parts), limit)


def cut(name: str, limit: int) -> str:
    """A name at most `limit` long, cut between its words where it can be."""
    if len(name) <= limit:
        return name
    head = name[:limit]
    hyphen = head.rfind("-") if name[limit] != "-" else limit
    return (head[:hyphen] if hyphen >= limit // 2 else head).strip("-")


def usable(name: str) -> str:
    """A name that is no device, and nothing that tools read as something else."""
    table = words("names")
    if name in table["devices"] or name in table["files"]:
        return f"{name}-operation"
    return name


_NOT_A_NAME = re.compile(
    r"(?i)\A\s*the\b|\([^()]*\)|\b(?:rest|http|public|open|official)?[ -]?apis?\b|\bopenapi\b|\bswagger\b"
    r"|\b(?:specification|spec|documentation|docs)\b|\bv?\d+(?:\.\d+)*\b"
)


def api_name(title: str, servers: Iterable[str] = ()) -> str:
    """The name of a document's skill: from its title, else from its host, else `api`."""
    name = slug(_NOT_A_NAME.sub(" ", title[:500]), limit=MAX_API_NAME, humps=False)
    name = name or slug(title, limit=MAX_API_NAME, humps=False)
    for server in servers:
        if name:
            break
        host = re.match(r"[a-z]+://([^/:?#{}]+)", server)
        name = slug(host[1], limit=MAX_API_NAME) if host else ""
    return usable(name or "api")


def operation_names(
    operations: Iterable[ApiOperation],
    taken: Mapping[str, str] | None = None,
    *,
    prefix: str = "",
    others: Iterable[str] = (),
    other_prefix: str = "",
) -> dict[str, str]:
    """A name for each operation (`POST /bookings`), in the document's order, so that it depends on no selection.

    `taken` has names that are given already, by operation; they stay. `prefix` stands before every new name. A name
    that is among `others` (those of other documents) gets `other_prefix` before it.
    """
    known = dict(taken or {})
    foreign = set(others)
    used = set(known.values()) | foreign
    names: dict[str, str] = {}
    for operation in operations:
        if operation.name in names:
            continue
        name = known.get(operation.name) or _free(operation, used, prefix, foreign, other_prefix)
        used.add(name)
        names[operation.name] = name
    return names


def _free(operation: ApiOperation, used: set[str], prefix: str, foreign: set[str], other_prefix: str) -> str:
    by_path = slug(f"{operation.method} {operation.path}")
    first = slug(operation.operation_id) or by_path or "operation"
    tried = [_joined(prefix, first), _joined(prefix, by_path or first)]
    if tried[0] in foreign:
        tried = [_joined(other_prefix, first), *tried[1:]]
    for name in tried:
        if name not in used:
            return name
    number = 2
    while (name := f"{cut(tried[0], MAX_NAME - len(str(number)) - 1)}-{number}") in used:
        number += 1
    return name


def _joined(prefix: str, name: str) -> str:
    if not prefix or name == prefix or name.startswith(f"{prefix}-"):
        return usable(name)
    return usable(cut(f"{cut(prefix, MAX_NAME // 2)}-{name}", MAX_NAME))
