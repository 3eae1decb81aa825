"""The API document has the key at another place: in a header and not in the body, or deeper in the body.

Why: the recipient looks for it where its document says. A key elsewhere is ignored, and the repeat is carried out.

Before:

    key: field Idempotency-Key

After:

    key: header Idempotency-Key
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wizard.lint.against import matched, places_of
from wizard.lint.declared import operation_of, place, with_value
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.model import KeyPlace
from wizard.operation.printing import print_key


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None or operation.key is None:
        return
    key = operation.key
    shown = places_of(found, key.name)
    same = [one for one in shown if one[0] == key.place and (one[1] == key.name or key.place == "header")]
    if not shown or same:
        return
    where, name = shown[0]
    near = f"{where} {name}"
    yield Finding(
        span=place(context, "key"),
        message=f"{found.name} takes it as `{near}`, not as `{key.place} {key.name}`",
        fix=with_value(context, "key", _moved(key, where, name), title=f"Write `{near}`"),
    )


def _moved(key: KeyPlace, where: str, name: str) -> Any:
    moved: Any = where
    return print_key(replace(key, place=moved, name=name, quoted=key.quoted and where == "header"))


RULE = Rule(
    name="key-elsewhere",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="the key goes to another place in the document",
    check=check,
    why=__doc__ or "",
)
