"""The skill has no `description`, or one that strict clients refuse.

A description says in the third person what the skill does and when to use it, in at most 1,024 characters and without
angle brackets.

The profile `lenient` reports the form only where the skill holds a declaration, and a missing description always.

Why: the description is all that a model sees of a skill until it opens it. Without one the skill is never chosen;
several clients refuse a longer one, and some take what stands in angle brackets for markup.

Before:

    ---
    name: charge-account
    ---

After:

    ---
    name: charge-account
    description: Charges a payment account. Use when a booking is to be paid.
    ---
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.model import Context, Finding, Rule
from wizard.lint.skillform import declares, description_problem, head_span


def check(context: Context) -> Iterator[Finding]:
    skill = context.skill
    if skill.frontmatter is None or skill.root is None:
        return
    value = skill.frontmatter.get("description")
    if value is None or (isinstance(value, str) and not value.strip()):
        span = skill.key_span("description") or head_span(skill)
        yield Finding(span=span, message="the frontmatter gives no `description`")
        return
    span = skill.span("description") or head_span(skill)
    if not isinstance(value, str):
        yield Finding(span=span, message="`description` is a text; put it in quotes")
    elif skill.form == "skill" and (context.strict or declares(skill)):
        said = description_problem(value)
        if said:
            yield Finding(span=span, message=said)


RULE = Rule(
    name="skill-description",
    family="file",
    severity="warning",
    confidence="high",
    summary="the skill has no description, or one that strict clients refuse",
    check=check,
    why=__doc__ or "",
)
