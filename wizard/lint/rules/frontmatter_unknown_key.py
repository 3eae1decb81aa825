"""The frontmatter of a `SKILL.md` has a key that the specification does not know.

Known are `name`, `description`, `license`, `compatibility`, `metadata` and `allowed-tools`. Only the profile `strict`
reports it: four in ten public skills have other keys, and most clients pass over them.

Why: the reference validator refuses such a skill. What a client of your own needs can stand as texts under `metadata`.

Before:

    name: charge-account
    description: Charges a payment account.
    version: "1.2"

After:

    name: charge-account
    description: Charges a payment account.
    metadata:
      version: "1.2"
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.model import Context, Finding, Rule
from wizard.lint.skillform import KNOWN_KEYS
from wizard.operation.parsing import nearest


def check(context: Context) -> Iterator[Finding]:
    skill = context.skill
    if not context.strict or skill.form != "skill" or skill.root is None or skill.root.kind != "mapping":
        return
    for item in skill.root.items:
        if item.key is None or item.name in (*KNOWN_KEYS, "operation"):
            continue
        near = nearest(item.name, KNOWN_KEYS)
        hint = f"did you mean `{near}`?" if near else "put it under `metadata`"
        yield Finding(span=item.key.span, message=f"no specification knows the key `{item.name}`; {hint}")


RULE = Rule(
    name="frontmatter-unknown-key",
    family="file",
    severity="warning",
    confidence="high",
    summary="a SKILL.md has a key that strict clients refuse",
    check=check,
    why=__doc__ or "",
)
