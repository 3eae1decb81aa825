"""The operation declares an identity although an equal one again means something: a log line, a stock movement,
clocking in. Or it keeps a message for long, and the same words may be meant again the next day.

Why: the second of two equal writes is answered from the record and never sent. Three boxes taken from the shelf in
two movements are then booked once. `scope: call` makes each call a write of its own; a short `keep` lets a message be
sent again. Where the identity names what no second one has (the time at which it happened, a number of its own), an
equal one is the same. It is a note where the API document itself makes the fields an identity.

Before:

    method: POST
    url: https://api.example.com/stock-movements
    identity: [sku, quantity]

After:

    method: POST
    url: https://api.example.com/stock-movements
    scope: call
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched, proposal, unique_fields
from wizard.lint.declared import key_place, with_value, write_of
from wizard.lint.fieldnames import is_a, name_of, own_number, repeats, thing_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation

_LONG = 2 * 3600
"""Seconds after which the same words are more likely meant than repeated."""


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or not operation.identity or operation.method != "POST":
        return
    if any(own_number(name_of(path)) or _is_when(path) for path in operation.identity):
        return
    if _tells_apart(context, operation):
        return
    if repeats(operation):
        yield Finding(
            span=key_place(context, "identity"),
            message="an equal one again is ordinary here, and the second would never be sent; `scope: call` fits",
            severity="info" if _is_proposed(context, operation) else None,
        )
        return
    thing = thing_of(operation)
    kept = operation.kept_for.seconds
    texts = any(is_a(name_of(path), "content", "note") for path in operation.identity)
    if thing is not None and thing.keep and texts and (kept is None or kept > _LONG):
        said = f"`keep: {operation.keep}`" if operation.keep else "no `keep`, so it is kept for 24h"
        yield Finding(
            span=key_place(context, "keep") if operation.keep else key_place(context, "identity"),
            message=f"{said}: the same words sent again the next day would not go out; `keep: {thing.keep}` fits",
            fix=with_value(context, "keep", thing.keep, title=f"Say `keep: {thing.keep}`"),
        )


def _is_when(path: FieldPath) -> bool:
    """Whether a field that each request has is the time at which it happened."""
    return not path.optional and is_a(name_of(path), "happened")


def _tells_apart(context: Context, operation: Operation) -> bool:
    """Whether by the document's words the identity has what no two have: a number that repeats are told by."""
    found = matched(context)
    if found is None:
        return False
    names = {path.name for path in operation.identity}
    key = proposal(context, found).key
    return bool(names & unique_fields(context, found)) or (key is not None and key.name in names)


def _is_proposed(context: Context, operation: Operation) -> bool:
    """Whether the identity is the one that the document's words make."""
    found = matched(context)
    names = {path.name for path in operation.identity}
    return found is not None and names == set(proposal(context, found).identity.fields)


RULE = Rule(
    name="repetition-declared-once",
    family="declaration",
    severity="warning",
    confidence="medium",
    summary="an identity where an equal write again is ordinary",
    check=check,
    why=__doc__ or "",
)
