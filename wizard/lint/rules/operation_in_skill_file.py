"""A `SKILL.md` has a top-level `operation:` in its frontmatter.

Why: the reference validator of Agent Skills refuses it, and the clients that go by it do not load the skill. In a
`SKILL.md` the declaration stands as YAML text in one string under `metadata`, which passes every validator; or in an
operation spec, a Markdown file beside it. The fix moves it into the string.

Before:

    name: charge-account
    description: Charges a payment account.
    operation:
      method: POST
      url: https://pay.example.com/charges

After:

    name: charge-account
    description: Charges a payment account.
    metadata:
      outturn-operation: |
        method: POST
        url: https://pay.example.com/charges
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.model import Context, Finding, Rule
from wizard.lint.skillform import frontmatter_fix


def check(context: Context) -> Iterator[Finding]:
    skill = context.skill
    if skill.form != "skill" or skill.operation_path != ("operation",):
        return
    from wizard.skill.editing import move_operation

    yield Finding(
        span=skill.key_span("operation") or skill.body_span,
        message="strict clients refuse a SKILL.md with a top-level `operation`; put it under `metadata`",
        fix=frontmatter_fix(context, "Move it into a string under `metadata`", move_operation),
    )


RULE = Rule(
    name="operation-in-skill-file",
    family="file",
    severity="error",
    confidence="high",
    summary="a SKILL.md has a top-level `operation`",
    check=check,
    why=__doc__ or "",
)
