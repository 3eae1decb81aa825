"""Reading an API document: a path, a URL or `-`, whatever its version and syntax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from wizard.spec.check import check
from wizard.spec.fetch import Fetched, fetch
from wizard.spec.files import Access, DocumentFile, DocumentFiles, Node
from wizard.spec.model import ApiDocument
from wizard.spec.operations import Operations
from wizard.spec.root import check_root, version_of
from wizard.spec.shapes import text
from wizard.spec.text import read_text, without_collector


def read_document(
    source: str | Path, *, overlays: Sequence[str | Path] = (), allow_remote: bool = False, allow_outside: bool = False
) -> ApiDocument:
    """Reads an API document: Swagger 2.0, OpenAPI 3.0, 3.1 or 3.2, in JSON or YAML.

    `source` is a path, an `http(s)` URL, or `-` for standard input; `overlays` are OpenAPI Overlays (paths or URLs)
    to be applied in their order. `allow_remote` follows `$ref`s to URLs, `allow_outside` follows those to files
    outside the document's folder; without them they are problems of the document. What is broken is passed over and
    is in `problems`. Raises DocumentError where nothing can be read (no such file, no JSON or YAML, no API document,
    no overlay), LimitError where it is larger, deeper or more entangled than we read.
    """
    access = Access(remote=allow_remote, outside=allow_outside)
    fetched, more = fetch(source), [fetch(overlay) for overlay in overlays]
    with without_collector():
        return _document(fetched, more, access)


def read_bytes(data: bytes, name: str = "-", *, overlays: Mapping[str, bytes] | None = None) -> ApiDocument:
    """Reads an API document from its bytes; `name` is what messages call it. `overlays`: name to bytes.

    A `$ref` to another file or a URL leads nowhere and is a problem. Raises what `read_document` raises.
    """
    given = [Fetched(overlay, None, text) for overlay, text in (overlays or {}).items()]
    with without_collector():
        return _document(Fetched(name, None, data), given, Access())


def _document(fetched: Fetched, overlays: Sequence[Fetched], access: Access) -> ApiDocument:
    read = read_text(fetched.data, fetched.name)
    check_root(read.value, fetched.name)
    files = DocumentFiles(DocumentFile("", fetched.location, read), access)
    for overlay in overlays:
        files.overlay(DocumentFile(overlay.name, overlay.location, read_text(overlay.data, overlay.name)))
    root = Node(files.root, "#", files.root.root)
    version = version_of(root, files)
    operations = Operations(files, root, version)
    found = operations.read()
    check(files)
    info = root.mapping("info")
    tags: dict[str, str] = {}
    listed = root.value.get("tags")
    for tag in listed if isinstance(listed, list) else []:
        if isinstance(tag, dict) and text(tag.get("name")):
            tags[text(tag["name"])] = text(tag.get("description"))

    return ApiDocument(
        title=text(info.get("title")),
        openapi=version,
        source=fetched.name,
        root=root.value,
        operations=found,
        problems=tuple(files.problems),
        servers=operations.servers,
        description=text(info.get("description")),
        version=text(info.get("version")),
        tags=tags,
        webhooks=tuple(dict.fromkeys(operations.webhooks)),
        locate=files.locate,
        resolve=operations.raw.resolve,
        raw=operations.raw,
    )
