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

from wizard.lint.declared import no_identity
from wizard.lint.fieldnames import is_a, name_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation


def check(context: Context) -> Iterator[Finding]:
    return no_identity(context, _fault, by_name=True)


def _fault(_: Operation, path: FieldPath) -> str:
    if not is_a(name_of(path), "lock"):
        return ""
    return "a lock: it changes with the write itself, and the repeat gets another key"


RULE = Rule(
    name="identity-lock",
    family="declaration",
    severity="error",
    confidence="medium",
    summary="the identity names a version token",
    check=check,
    why=__doc__ or "",
)
