"""The text says something else of the call, its key or its fields than the declaration does.

It says that the recipient takes no key where one is declared, or takes one where none is; that keys are remembered
for another time; it names another key, or puts down another method or URL as the call; it says that a field of the
identity may be left out which the host requires, or the other way round; or it has the model fill in the reference,
which the host fills in.

Why: one of the two is wrong. If the recipient takes no key, a declared one makes the host send a write again that
nothing dedupes. If it does, a reviewer who reads the text takes the write for unprotected. And a reference that the
model makes up is replaced by the host's, so that the model tells its user a number that nobody stored.

Before:

    operation:
      key: header Idempotency-Key
    ---
    This API does not support idempotency keys.

After:

    operation:
      key: header Idempotency-Key
    ---
    The recipient keeps keys for a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from wizard.lint.keyprose.claims import optional_fields, other_call, other_names
from wizard.lint.keyprose.described import is_of_another_field
from wizard.lint.keyprose.detect import Hit, detect
from wizard.lint.keyprose.found import blocks_of, declared, lowered
from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.keyprose.names import same_name
from wizard.lint.keyprose.sayings import Saying, sayings_of
from wizard.lint.model import Confidence, Context, Finding, Related, Rule, Severity
from wizard.operation.model import Operation
from wizard.source import Span

_ANSWER = re.compile(r"[`*]{0,3}[1-5](?:\d\d|xx)\b", re.IGNORECASE)
"""How an item begins that says what an answer means."""
_TOLD = frozenset(
    {"prose-builds-key", "prose-new-key-on-retry", "prose-reuses-key", "sample-fills-key", "row-asks-for-key"}
)


def check(context: Context) -> Iterator[Finding]:
    operation = declared(context)
    if operation is None:
        return
    for saying in sayings_of(context, "prose-contradicts-declaration"):
        said = _of_the_key(operation, saying)
        if said and not is_of_another_field(saying.block.text.text, operation):
            yield _finding(context, saying.span, said, "key")
    yield from _of_the_call(context, operation)
    yield from _reference(context, operation)


def _of_the_key(operation: Operation, saying: Saying) -> str:
    """What is wrong with what a sentence says of keys; empty where nothing is."""
    key = operation.key
    if saying.about == "takes":
        return "the text says that a key is taken, and the declaration names none" if key is None else ""
    if key is None:
        return ""
    if saying.about != "kept":
        return "the text says that no key is taken, and the declaration names one"
    unit = saying.language.units.get(saying.parts["unit"]) if saying.language is not None else None
    if unit is None or key.remembered_for is None:
        return ""
    seconds = int(saying.parts["count"]) * unit
    if seconds == key.remembered_for.seconds:
        return ""
    return f"the text says that keys are remembered for another time than the declared `for: {key.remembered_for}`"


def _of_the_call(context: Context, operation: Operation) -> Iterator[Finding]:
    if not operation.is_write:
        return
    call = other_call(context, operation)
    if call is not None:
        said = f"the text puts down `{call.said}`, and `{operation.method} {operation.url}` is declared"
        yield _finding(context, call.span, said, "method", confidence="medium")
    for name in other_names(context, operation):
        own = operation.key.name if operation.key is not None else ""
        said = f"the text names `{name.said}`, and the key is declared as `{own}`"
        yield _finding(context, name.span, said, "key", confidence="medium")
    for path, claim in optional_fields(context, operation):
        if path.optional:
            said = f"the text says that `{path.required().name}` has to be there, and the identity lets it be missing"
        else:
            said = (
                f"the text lets `{path.name}` be left out, and a request without it is refused: the identity has no `?`"
            )
        severity: Severity | None = "info" if path.optional else None
        yield replace(_finding(context, claim.span, said, "identity"), severity=severity)


def _finding(context: Context, span: Span, message: str, member: str, confidence: Confidence | None = None) -> Finding:
    place = context.skill.operation_key_span(member) if member == "identity" else context.skill.operation_span(member)
    related = (Related(place, "declared here"),) if place else ()
    return Finding(span=span, message=message, related=related, confidence=confidence)


def _reference(context: Context, operation: Operation) -> Iterator[Finding]:
    if operation.reference is None or not operation.host_fills_reference:
        return
    place = context.skill.operation_span("reference")
    name = operation.reference.path.segments[-1].name
    for hit in _told(context, name):
        yield Finding(
            span=hit.span,
            message=f"the model is told to fill in `{name}`, which the host fills in",
            related=(Related(place, "the host fills it in"),) if place else (),
        )


def _told(context: Context, name: str) -> Iterator[Hit]:
    """The places where the text has the model fill in a field of that name."""
    names = lexicon().names((name,))
    if next(names.find(lowered(context)), None) is None:
        return
    for hit in detect(blocks_of(context), names, lexicon()):
        answer = hit.block.kind == "item" and _ANSWER.match(hit.block.text.text)
        if hit.rule in _TOLD and same_name(hit.name, name) and not answer:
            yield hit


RULE = Rule(
    name="prose-contradicts-declaration",
    family="prose",
    severity="warning",
    confidence="high",
    summary="the text says otherwise than the declaration",
    check=check,
    why=__doc__ or "",
)
