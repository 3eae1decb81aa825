"""The API document does not show the place that the key goes to.

Why: it may be right all the same: many vendors speak of their key on a page and not in the document. Nobody who reads
the document alone can see it, and no newer document will tell that it went. Note where it comes from.

Before:

    key: header Idempotency-Key

After:

    key: header Idempotency-Key     # https://docs.example.com/retries
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched, places_of
from wizard.lint.declared import operation_of, place
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None or operation.key is None:
        return
    key = operation.key
    if places_of(found, key.name):
        return  # It is there, or somewhere else, of which another rule speaks.
    if key.place == "field" and (found.body is None or found.body.cut):
        return
    yield Finding(span=place(context, "key"), message=f"{found.name} of the document shows no {key.place} `{key.name}`")


RULE = Rule(
    name="key-not-in-document",
    family="document",
    needs_document=True,
    severity="info",
    confidence="high",
    summary="the API document does not show the key",
    check=check,
    why=__doc__ or "",
)
