"""A key of the declared `shape` does not fit what the API document says of its place: `maxLength`, `minLength`,
`pattern`, `format` or `enum`. A sample key is derived and validated against the schema.

Why: the recipient refuses every request, or cuts the key, and then two writes may have the same one.

Before:

    key: {in: header, name: Request-Key, shape: hex64}      (maxLength: 36)

After:

    key: header Request-Key
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from wizard.lint.against import field_of, matched, parameter_of
from wizard.lint.declared import operation_of, place, raw
from wizard.lint.model import Finding, Rule
from wizard.lint.samplekey import refusal, sample_key
from wizard.operation.model import SHAPES

if TYPE_CHECKING:
    from wizard.lint.model import Context
    from wizard.lint.samplekey import Shape
    from wizard.spec.model import ApiOperation


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None:
        return
    if operation.key is not None:
        yield from _of(context, found, "key", operation.key.place, operation.key.name, operation.key.shape)
    if operation.reference is not None and operation.host_fills_reference:
        yield from _of(context, found, "reference", "field", operation.reference.name, operation.reference.shape)


def _of(
    context: Context, found: ApiOperation, member: str, where: str, name: str, shape: Shape
) -> Iterator[Finding]:  # fmt: skip
    shown = field_of(found, name) if where == "field" else parameter_of(found, where, name)
    if shown is None:
        return
    why = refusal(sample_key(shape), shown.shape)
    if not why:
        return
    fitting = next((other for other in SHAPES if not refusal(sample_key(other), shown.shape)), None)
    hint = f"; `shape: {fitting}` fits" if fitting else "; no shape fits"
    span = place(context, member, "shape") if _has_shape(context, member) else place(context, member)
    yield Finding(
        span=span, message=f"a `{shape}` key such as {sample_key(shape)[:13]}… does not fit `{name}`: {why}{hint}"
    )


def _has_shape(context: Context, member: str) -> bool:
    value = raw(context).get(member)
    return isinstance(value, Mapping) and "shape" in value


RULE = Rule(
    name="key-does-not-fit",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="a derived key is refused by the schema of its place",
    check=check,
    why=__doc__ or "",
)
