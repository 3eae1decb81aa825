"""The skill has no `name`, or one that strict clients refuse.

A `SKILL.md` is named like its folder: 1 to 64 of the letters a to z, digits and single hyphens. An operation spec has
a name of its own, of any form; the host keeps its records under it.

The profile `lenient` reports the form of a name only where the skill holds a declaration, and a missing name always.

Why: the reference validator and several clients refuse a skill whose name differs from its folder or has other signs
in it. Others load it under the folder's name, and a reader looks for it in vain.

Before:

    skills/charge-account/SKILL.md
    ---
    name: Charge Account
    ---

After:

    skills/charge-account/SKILL.md
    ---
    name: charge-account
    ---
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.lint.model import Context, Edit, Finding, Fix, Rule
from wizard.lint.skillform import declares, head_span, name_problem


def check(context: Context) -> Iterator[Finding]:
    skill = context.skill
    if skill.frontmatter is None or skill.root is None:
        return
    value = skill.frontmatter.get("name")
    if value is None or (isinstance(value, str) and not value.strip()):
        yield Finding(span=skill.key_span("name") or head_span(skill), message="the frontmatter gives no `name`")
        return
    span = skill.span("name") or head_span(skill)
    if not isinstance(value, str):
        yield Finding(span=span, message="`name` is a text; put it in quotes")
        return
    if skill.form == "skill" and (context.strict or declares(skill)):
        said = name_problem(value, context.folder)
        if said:
            yield Finding(span=span, message=said, fix=_fix(context, value))


def _fix(context: Context, value: str) -> Fix | None:
    name = context.folder
    if not name or name_problem(name, name):
        name = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")[:64].strip("-")
        if not name or name_problem(name, context.folder):
            return None
    span = context.skill.span("name")
    return None if span is None else Fix(f"Name it `{name}`", (Edit(span, name),), "unsafe")


RULE = Rule(
    name="skill-name",
    family="file",
    severity="warning",
    confidence="high",
    summary="the skill has no name, or one that strict clients refuse",
    check=check,
    why=__doc__ or "",
)
