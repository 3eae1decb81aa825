"""Which query parameters say who is calling: the transport adds them to each request, so that no declaration names
them.

A name alone does not tell: `key` is an API key here and the key of a cache there, and a token may be what is traded.
What says who is calling is asked for throughout a document, or its security schemes name it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from wizard.spec.model import ApiDocument

_KEPT = "required in the query"
_SHARE = 10
"""One operation of so many, at least, asks for a credential."""
_FEW = 3
"""In a document of so few operations a credential may be asked for once."""


def says_who_calls(document: ApiDocument, name: str) -> bool:
    """Whether a required query parameter of that name is a credential, going by how the document uses it."""
    kept = vars(document).get(_KEPT)
    if kept is None:
        # Worked out once for a document, and kept with it: each of a thousand operations asks.
        kept = vars(document)[_KEPT] = frozenset(_schemes(document)), _required(document)
    schemes, required = kept
    count, total = required[name], len(document.operations)
    return name in schemes or (count * _SHARE >= total and (count > 1 or total <= _FEW))


def _required(document: ApiDocument) -> Counter[str]:
    return Counter(
        name
        for operation in document.operations
        for name in {one.name for one in operation.parameters_in("query") if one.required}
    )


def _schemes(document: ApiDocument) -> Iterator[str]:
    for holder in (document.root.get("components"), document.root):
        if not isinstance(holder, dict):
            continue
        for member in ("securitySchemes", "securityDefinitions"):
            schemes: Any = holder.get(member)
            for scheme in schemes.values() if isinstance(schemes, dict) else ():
                if isinstance(scheme, dict) and scheme.get("type") == "apiKey" and scheme.get("in") == "query":
                    yield str(scheme.get("name", ""))
