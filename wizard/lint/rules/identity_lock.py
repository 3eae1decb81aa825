"""The identity names a lock: a version, an ETag, a revision that was read before.

Why: a lock says what the writer saw, not what is written. After the write that landed unseen the version is another
one; the model reads it, sends the same change again, and it gets another key.

Before:

    identity: [status, version]

After:

    identity: [status]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, without_field, write_of
from wizard.lint.fieldnames import is_a, name_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None:
        return
    for path in operation.identity:
        name = name_of(path)
        if not is_a(name, "lock"):
            continue
        yield Finding(
            span=element(context, "identity", path),
            message=f"`{path.name}` is a lock: it changes with the write itself, and the repeat gets another key",
            fix=without_field(context, path),
        )


RULE = Rule(
    name="identity-lock",
    family="declaration",
    severity="error",
    confidence="medium",
    summary="the identity names a version token",
    check=check,
    why=__doc__ or "",
)
