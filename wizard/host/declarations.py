"""The declarations that records were made under, kept beside them by their digest: a person who looks at a record
months later, and the probe that they ask for, need what was declared then."""

from __future__ import annotations

import json

from wizard.host.prepare import Prepared
from wizard.host.record import Record
from wizard.host.store import Document, Store
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation

KIND = "operation"


def remember(store: Store, prepared: Prepared, known: set[tuple[str, str]]) -> None:
    """Keeps the declaration of a call that is about to be claimed. `known` are workspaces and digests that the store
    is known to hold; it grows."""
    workspace, digest = prepared.call.workspace, prepared.declaration
    if (workspace, digest) in known:
        return
    if store.document(workspace, KIND, digest) is None:
        # Another worker may be faster, with the same text.
        store.write([Document(workspace, KIND, digest, json.dumps(print_operation(prepared.operation)))])
    known.add((workspace, digest))


def recall(store: Store, record: Record) -> Operation | None:
    """The declaration that a record was made under; None where the store does not have it."""
    found = store.document(record.workspace, KIND, record.declaration)
    return None if found is None else parse_operation(json.loads(found.body))[0]
