"""Operations of a document by the names that people call them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from wizard.errors import UsageError
from wizard.spec.model import ApiDocument, ApiOperation

_MOST_NEAR = 3


def select(document: ApiDocument, names: Sequence[str]) -> tuple[ApiOperation, ...]:
    """The operations of these names (`createBooking`, `POST /bookings`), all where no name is given.

    They come in the document's order. Raises UsageError for a name that none has, with the nearest ones.
    """
    if not names:
        return document.operations
    wanted: set[int] = set()
    for name in names:
        found = [at for at, operation in enumerate(document.operations) if _is_called(operation, name)]
        if not found:
            raise UsageError(f"no operation is called `{name}`", place=document.source, remedy=_remedy(document, name))
        wanted.update(found)
    return tuple(operation for at, operation in enumerate(document.operations) if at in wanted)


def _is_called(operation: ApiOperation, name: str) -> bool:
    if operation.operation_id == name:
        return True
    method, _, path = name.strip().partition(" ")
    return operation.method == method.upper() and operation.path == path.strip()


def _remedy(document: ApiDocument, name: str) -> str:
    known = [one for each in document.operations for one in (each.operation_id, each.name) if one]
    lower = {one.lower(): one for one in known}
    near = [lower[one] for one in get_close_matches(name.lower(), list(lower), n=_MOST_NEAR, cutoff=0.5)]
    if near:
        return f"Did you mean {' or '.join(f'`{one}`' for one in near)}?"
    if not known:
        return "The document has no operations."
    return f"It has {len(document.operations)}; `skill-wizard propose {document.source}` shows them."
