"""The text says something else of the key or the reference than the declaration does.

It says that the recipient takes no key where one is declared, or it has the model fill in the reference, which the
host fills in.

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

from collections.abc import Iterator

from wizard.lint.keyprose.detect import Hit, detect
from wizard.lint.keyprose.found import blocks_of, declared, lowered
from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.keyprose.names import same_name
from wizard.lint.keyprose.sayings import sayings_of
from wizard.lint.model import Context, Finding, Related, Rule
from wizard.operation.model import Operation

_TOLD = frozenset(
    {"prose-builds-key", "prose-new-key-on-retry", "prose-reuses-key", "sample-fills-key", "row-asks-for-key"}
)


def check(context: Context) -> Iterator[Finding]:
    operation = declared(context)
    if operation is None:
        return
    if operation.key is not None:
        place = context.skill.operation_span("key")
        for saying in sayings_of(context, "prose-contradicts-declaration"):
            yield Finding(
                span=saying.span,
                message="the text says that no key is taken, and the declaration names one",
                related=(Related(place, "declared here"),) if place else (),
            )
    yield from _reference(context, operation)


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
        if hit.rule in _TOLD and same_name(hit.name, name):
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
