"""A value under `metadata` of a `SKILL.md` is no text.

The profile `lenient` reports it only of the declaration, `strict` of every value.

Why: the specification has `metadata` from text to text. Several clients drop a nested mapping, and with it the
declaration that stands in it; then nothing protects the write and nobody is told.

Before:

    metadata:
      outturn-operation:
        method: POST
        url: https://pay.example.com/charges

After:

    metadata:
      outturn-operation: |
        method: POST
        url: https://pay.example.com/charges
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.model import Context, Edit, Finding, Fix, Rule
from wizard.lint.skillform import frontmatter_fix
from wizard.skill.document import IN_SKILL
from wizard.yamltext.nodes import value_of


def check(context: Context) -> Iterator[Finding]:
    skill = context.skill
    holder = None if skill.root is None or skill.root.kind != "mapping" else skill.root.item("metadata")
    if skill.form != "skill" or holder is None or holder.key is None:
        return
    if holder.value.kind != "mapping":
        if context.strict and holder.value.span.start != holder.value.span.end:
            yield Finding(span=holder.key.span, message="`metadata` is a mapping from text to text")
        return
    for item in holder.value.items:
        if item.key is None or isinstance(value_of(item.value), str):
            continue
        ours = item.name == IN_SKILL[1]
        if not (ours or context.strict):
            continue
        if item.value.kind == "scalar":
            text = context.source.text[item.value.span.start : item.value.span.end]
            quoted = (
                Fix("Put it in quotes", (Edit(item.value.span, f'"{text}"'),)) if text and '"' not in text else None
            )
            yield Finding(span=item.value.span, message=f"`{item.name}` is a text; put it in quotes", fix=quoted)
        elif ours:
            from wizard.skill.editing import move_operation

            yield Finding(
                span=item.key.span,
                message="several clients drop a mapping under `metadata`; the declaration stands in one string",
                fix=frontmatter_fix(context, "Make it one string", move_operation),
                severity="error",
            )
        else:
            what = "mapping" if item.value.kind == "mapping" else "list"
            yield Finding(span=item.key.span, message=f"`{item.name}` is a {what}; several clients drop it")


RULE = Rule(
    name="metadata-not-strings",
    family="file",
    severity="warning",
    confidence="high",
    summary="a value under `metadata` is no text",
    check=check,
    why=__doc__ or "",
)
