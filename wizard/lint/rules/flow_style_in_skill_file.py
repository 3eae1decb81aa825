"""The frontmatter of a `SKILL.md` has a list or mapping in flow style (`[a, b]`, `{a: b}`).

The profile `lenient` reports it only where the skill holds a declaration. What stands inside the string
`outturn-operation` may be written in any style, and so may all that an operation spec holds.

Why: the reference validator reads a stricter YAML that has no flow style, and refuses the whole file.

Before:

    allowed-tools: [Bash, Read]

After:

    allowed-tools:
      - Bash
      - Read
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.model import Context, Finding, Rule
from wizard.lint.skillform import declares, frontmatter_fix
from wizard.yamltext.nodes import Node


def check(context: Context) -> Iterator[Finding]:
    skill = context.skill
    if skill.form != "skill" or skill.root is None or not (context.strict or declares(skill)):
        return
    from wizard.skill.editing import frontmatter_in_lines

    for node in _flows(skill.root):
        shown = "`[…]`" if node.kind == "sequence" else "`{…}`"
        fix = frontmatter_fix(context, "Write it in block style", frontmatter_in_lines) if node.items else None
        yield Finding(span=node.span, message=f"strict clients refuse flow style ({shown}) in a SKILL.md", fix=fix)


def _flows(node: Node) -> Iterator[Node]:
    """The outermost collections in flow style."""
    if node.flow:
        yield node
        return
    for item in node.items:
        yield from _flows(item.value)


RULE = Rule(
    name="flow-style-in-skill-file",
    family="file",
    severity="warning",
    confidence="high",
    summary="a SKILL.md has flow style in its frontmatter",
    check=check,
    why=__doc__ or "",
)
