"""The declaration of a skill and the places of its parts, as rules ask for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wizard.lint.model import Context, Finding, Fix
from wizard.lint.skillform import frontmatter_fix, head_span
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import Operation
from wizard.source import Span
from wizard.yamltext.nodes import value_of


def operation_of(context: Context) -> Operation | None:
    """The operation that the file declares; None where there is none, or the file is the API document."""
    return None if context.whole else context.skill.operation


def write_of(context: Context) -> Operation | None:
    """The operation, where it is a write."""
    operation = operation_of(context)
    return operation if operation is not None and operation.is_write else None


def raw(context: Context) -> Mapping[str, Any]:
    """The mapping as it is written; empty where there is none."""
    skill = context.skill
    value: Any = skill.frontmatter
    if skill.inner is not None:
        value = value_of(skill.inner)
    else:
        for step in skill.operation_path:
            value = value.get(step) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def misspelt(context: Context, *members: str) -> bool:
    """Whether one of the operation's members stands there under a name that nobody reads: `unknown-key` says so, and
    that it is missing needs no saying."""
    return any(one.rule == "unknown-key" and one.suggestion in members for one in context.skill.problems)


def place(context: Context, *path: str | int) -> Span:
    """The place of a value of the operation; where it has none, of what holds it; of the operation's key at last."""
    skill = context.skill
    for length in range(len(path), 0, -1):
        span = skill.operation_span(*path[:length])
        if span is not None and span.start != span.end:
            return span
        span = skill.operation_key_span(*path[:length])
        if span is not None:
            return span
    return skill.operation_key_span() or head_span(skill)


def key_place(context: Context, *path: str | int) -> Span:
    """The place of a member's key."""
    return context.skill.operation_key_span(*path) or place(context, *path)


def element(context: Context, member: str, path: FieldPath) -> Span:
    """The place of a field's name in a list of the operation (`identity`, `body`)."""
    values = raw(context).get(member)
    for index, value in enumerate(values if isinstance(values, list) else ()):
        if isinstance(value, str) and _parsed(value) == path.required():
            return place(context, member, index)
    return place(context, member)


def name_element(context: Context, member: str, name: str) -> Span:
    """The place of a plain name in a list of the operation (`query`, `header`)."""
    values = raw(context).get(member)
    if isinstance(values, list) and name in values:
        return place(context, member, values.index(name))
    return place(context, member)


def _parsed(text: str) -> FieldPath | None:
    try:
        return FieldPath.parse(text).required()
    except FieldPathError:
        return None


def touches(one: FieldPath, other: FieldPath) -> bool:
    """Whether one field is the other, or a part of it."""
    return one.required().covers(other.required()) or other.required().covers(one.required())


def without(context: Context, member: str, *paths: FieldPath, title: str, safety: str = "safe") -> Fix | None:
    """The fix that takes fields out of a list of the operation; the member goes where nothing is left of it."""
    values = raw(context).get(member)
    if not isinstance(values, list):
        return None
    gone = [path.required() for path in paths]
    kept = [value for value in values if not (isinstance(value, str) and _parsed(value) in gone)]
    return with_value(context, member, kept or None, title=title, safety=safety)


def with_value(context: Context, *path: Any, title: str, safety: str = "unsafe") -> Fix | None:
    """The fix that gives a member of the operation another value: the last of `path`, None takes the member out."""
    *steps, value = path

    def edited(skill: Any) -> str:
        from wizard.skill.editing import edit_frontmatter
        from wizard.yamltext.editing import REMOVED

        return edit_frontmatter(skill, {(*skill.operation_path, *steps): REMOVED if value is None else value})

    fix = frontmatter_fix(context, title, edited)
    return None if fix is None else Fix(fix.title, fix.edits, "safe" if safety == "safe" else "unsafe")


def without_field(context: Context, path: FieldPath) -> Fix | None:
    """The fix that takes a field out of the identity; none where it would leave nothing."""
    operation = context.skill.operation
    if operation is None or len(operation.identity) < 2:
        return None
    return without(context, "identity", path, title=f"Take `{path.name}` out of the identity", safety="unsafe")


def no_identity(
    context: Context, fault: Callable[[Operation, FieldPath], str], *, by_name: bool = False
) -> Iterator[Finding]:
    """A finding for each field of a write's identity of which `fault` says what is wrong; empty where nothing is.

    The message is the field's name, `is`, and what `fault` says; the fix takes the field out. `by_name` says that
    `fault` goes by the field's name alone: where the API document is there, and by its words the field belongs to the
    identity, nothing is said.
    """
    operation = write_of(context)
    if operation is None:
        return
    for path in operation.identity:
        wrong = fault(operation, path)
        if wrong and not (by_name and _document_has_it(context, path)):
            yield Finding(
                span=element(context, "identity", path),
                message=f"`{path.name}` is {wrong}",
                fix=without_field(context, path),
            )


def _document_has_it(context: Context, path: FieldPath) -> bool:
    """Whether the document's own words make a field part of the identity, as a proposal reads them."""
    from wizard.lint.against import matched, proposal

    found = matched(context)
    return found is not None and path.name in proposal(context, found).identity.fields


def quoted_name(name: str) -> str:
    """A field's name as it stands in YAML, inside brackets too."""
    quoted = name.replace("'", "''")
    return f"'{quoted}'" if re.search(r"[\[\]{}\"':?,#&*!|>%@`$]", name) else name
