"""What changed in the document for a declaration that was written before, in the words of a review."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wizard.session.state import Entry
from wizard.spec.model import ApiDocument


def what_changed(entry: Entry, document: ApiDocument) -> tuple[str, ...]:
    """What the document no longer bears of the written declaration, one sentence each; empty where nothing drifted."""
    if entry.written is None or not entry.written.drifted:
        return ()
    said = tuple(_changes(entry, document))
    return said or (
        "The document says something else of this operation; all that the declaration uses is still there.",
    )


def _changes(entry: Entry, document: ApiDocument) -> Iterator[str]:
    from wizard.review.comparing import found_in
    from wizard.review.kind import Declared, Pair

    assert entry.written is not None
    written, file = entry.written.operation, entry.written.file
    url = entry.proposed.url if entry.proposed is not None else written.url
    moved = _address(url) != _address(written.url)
    # Where the document has the operation elsewhere now, the rest is compared with what it says there.
    now = replace(written, url=url) if moved else written
    pair = Pair(
        before=Declared(name=file, operation=written, path=file),
        after=Declared(name=file, operation=now, path=file, document=document),
        drifted=True,
    )
    for kind, found in found_in(pair):
        if kind.name == "document-key-gone" and entry.key_source:
            # It never was in the document.
            continue
        yield f"{found.title.removesuffix('.')}: `{found.after}`." if kind.name == "url-changed" else found.title


def _address(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


def gone(held: dict[str, str], document: ApiDocument) -> tuple[str, ...]:
    """Operations that have a skill and that the document no longer has; `held` is operation to file."""
    from wizard.review.changes.document_operation_gone import no_more

    return tuple(f"{no_more(name)}; `{file}` stays" for name, file in held.items() if name not in document.by_name)
