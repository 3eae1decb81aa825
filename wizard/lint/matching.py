"""Which operation of a document a declaration means: the same method, and a path that fits behind a server's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from wizard.operation.model import Operation
    from wizard.spec.model import ApiDocument, ApiOperation

    Targets = tuple[dict[str, list[ApiOperation]], list[tuple[str, ApiOperation]], dict[str, list[ApiOperation]]]

_VARIABLE = re.compile(r"\{[^{}]*\}")
_VERSION = re.compile(r"(?<=/)v\d[^/]*(?=/|$)")
_MARK = "{}"
_KEPT = "operations by target"


def operation_of(document: ApiDocument, operation: Operation) -> ApiOperation | None:
    """The document's operation that a declaration means; None where there is none.

    Of several under one path it is the one with the declared fixed query and fragment (`/#Action=CreateQueue`).
    """
    found = _matches(document, operation, [operation.method])
    return min(found, key=lambda one: _apart(one.path, operation.url), default=None)


def _apart(own: str, url: str) -> int:
    """How far what stands behind a document's path is from what stands behind a declared one."""
    query, fragment = _behind(own)
    declared_query, declared_fragment = _behind(url)
    fixed, given = ({part for part in text.split("&") if part} for text in (query, declared_query))
    # What the document's path fixes has to be there; a declared query may hold more, and best holds nothing more.
    return 3 * len(fixed - given) + len(given - fixed) + (fragment != declared_fragment)


def _behind(text: str) -> tuple[str, str]:
    """Query and fragment of a URL or path."""
    head, _, fragment = text.partition("#")
    return head.partition("?")[2], fragment


def of_other_methods(document: ApiDocument, operation: Operation) -> tuple[ApiOperation, ...]:
    """What the document has under the declaration's path with other methods."""
    methods = {found.method for found in document.operations} - {operation.method}
    return tuple(_matches(document, operation, methods))


def _matches(
    document: ApiDocument, operation: Operation, methods: Iterable[str], *, near: bool = False
) -> Iterator[ApiOperation]:
    """The operations of some methods that a declaration's URL fits. `near`: the document only lies near it."""
    path = path_of(operation.url)
    behind, anywhere, alone = _targets(document)
    wanted = set(methods)
    known = [found for found in behind.get(path, ()) if found.method in wanted]
    if not known:
        # A gateway has a host of its own, and its paths need not begin as those of the document's servers do.
        host = _host(operation.url)
        places = [path] if near else _ends(path)
        fits = ([one for one in alone.get(own, ()) if one.method in wanted] for own in places)
        known = [
            one for one in next(filter(None, fits), ())
            if host not in _hosts(document, one)
            and _of_version(path.removesuffix(_plain(one.path)), bases_of(document, one))
        ]  # fmt: skip
    yield from known
    ends = [
        (-len(own), found) for own, found in anywhere if found.method in wanted and (path == own or path.endswith(own))
    ]
    ends.sort(key=lambda one: one[0])
    yield from (found for _, found in ends)


def _ends(path: str) -> Iterator[str]:
    """A path, and what is left of it without its first names, the longest first."""
    yield path
    while (start := path.find("/", 1)) > 0:
        path = path[start:]
        yield path


def _of_version(path: str, bases: Iterable[str]) -> bool:
    """Whether what stands before a document's path names no version, or one that a server's path names, too."""
    own = set(_VERSION.findall(path))
    named = [set(_VERSION.findall(base)) for base in bases]
    return not own or not all(named) or any(own & one for one in named)


def _targets(document: ApiDocument) -> Targets:
    """The document's operations by their paths behind the servers', in its order, those of no server with their own
    path, and those of a server by their own alone.

    Worked out once for a document, and kept with it: there may be a thousand declarations to be looked up.
    """
    kept: Targets | None = vars(document).get(_KEPT)
    if kept is None:
        behind: dict[str, list[ApiOperation]] = {}
        alone: dict[str, list[ApiOperation]] = {}
        anywhere = []
        for found in document.operations:
            own = _plain(found.path)
            bases = bases_of(document, found)
            for path in dict.fromkeys(base + own for base in bases):
                behind.setdefault(path, []).append(found)
            if not bases:
                anywhere.append((own, found))
            else:
                alone.setdefault(own, []).append(found)
        kept = vars(document)[_KEPT] = behind, anywhere, alone
    return kept


def fits_document(document: ApiDocument, operation: Operation) -> bool:
    """Whether a document that lies near may be meant: it has the host, or the operation."""
    if next(_matches(document, operation, [operation.method], near=True), None) is not None:
        return True
    return _host(operation.url) in map(_host, document.servers)


def _host(url: str) -> str:
    return urlsplit(_VARIABLE.sub("x", url)).netloc.lower()


def _hosts(document: ApiDocument, found: ApiOperation) -> set[str]:
    return set(map(_host, found.servers or document.servers))


def target(operation: Operation) -> str:
    """What a declaration sends to, for comparing: host in lower case and path, its variables without their names."""
    parts = urlsplit(_VARIABLE.sub("x", operation.url))
    port = {"http": 80, "https": 443}.get(parts.scheme.lower())
    host = parts.netloc.lower().removesuffix(f":{port}")
    behind = re.search(r"[?#].*", operation.url)
    return f"{parts.scheme.lower()}://{host}{path_of(operation.url)}{behind[0] if behind else ''}"


def path_of(url: str) -> str:
    """The path of a declared URL, its variables without their names, without a trailing slash."""
    rest = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*", "", url)
    return _plain(re.split(r"[?#]", rest, maxsplit=1)[0])


def _plain(path: str) -> str:
    return _VARIABLE.sub(_MARK, re.split(r"[?#]", path, maxsplit=1)[0]).rstrip("/")


def bases_of(document: ApiDocument, found: ApiOperation) -> tuple[str, ...]:
    """The paths of the servers, without a trailing slash; none where the document names no server."""
    servers = found.servers or document.servers
    bases = []
    for server in servers:
        base = path_of(server) if "://" in server else _plain(server)
        if base not in bases:
            bases.append(base)
    return tuple(bases)


UNREAD_OPERATION = re.compile(r"#/paths/([^/]+)/(?:\w+/)?\$ref")
"""The pointer of a reference that stands for all operations under a path, or for one."""


def unread_at(document: ApiDocument, operation: Operation) -> bool:
    """Whether the document has something under the declaration's path that could not be read."""
    path = path_of(operation.url)
    for problem in document.problems:
        found = UNREAD_OPERATION.fullmatch(problem.pointer)
        if found and path.endswith(_plain(found[1].replace("~1", "/").replace("~0", "~"))):
            return True
    return False


def nearest_path(document: ApiDocument, operation: Operation) -> str:
    """The path of the nearest operation as a URL would have it, behind that of a server; empty where none is near."""
    near = nearest_operation(document, operation)
    return "" if near is None else next(iter(bases_of(document, near)), "") + near.path


def nearest_operation(document: ApiDocument, operation: Operation) -> ApiOperation | None:
    """The operation of the same method whose path looks most like the declared one; None where none is near."""
    from difflib import SequenceMatcher

    path = path_of(operation.url)
    best, found = 0.75, None
    for other in document.operations:
        if other.method != operation.method:
            continue
        for base in bases_of(document, other) or ("",):
            ratio = SequenceMatcher(None, path, base + _plain(other.path)).ratio()
            if ratio > best:
                best, found = ratio, other
    return found
