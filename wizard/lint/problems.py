"""What reading a skill found wrong, as the findings of the rules that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wizard.lint.model import Context, Edit, Finding, Fix, Safety
from wizard.skill.document import SkillProblem


def reported(
    rule: str, *, title: str = "Write `{}`", safety: Callable[[str, str], Safety] | None = None
) -> Callable[[Context], Iterator[Finding]]:
    """The check of a rule whose problems are found while a skill is read.

    `safety(old, new)` says how safe it is to write the suggestion in place of what stands there; without it a person
    looks at it.
    """

    def check(context: Context) -> Iterator[Finding]:
        for problem in context.skill.problems:
            if problem.rule == rule:
                yield Finding(span=problem.span, message=said(problem), fix=_fix(context, problem, title, safety))

    return check


def remarked(rule: str) -> Callable[[Context], Iterator[Finding]]:
    """The check of a rule that reports what the run itself came upon."""

    def check(context: Context) -> Iterator[Finding]:
        for remark in context.remarks:
            if remark.rule == rule:
                yield Finding(span=remark.span, message=remark.message, fix=remark.fix)

    return check


def said(problem: SkillProblem) -> str:
    """A problem's message with its remedy."""
    return f"{problem.message}; {problem.remedy[:1].lower()}{problem.remedy[1:]}" if problem.remedy else problem.message


def _fix(
    context: Context, problem: SkillProblem, title: str, safety: Callable[[str, str], Safety] | None
) -> Fix | None:
    if not problem.suggestion:
        return None
    old = context.source.text[problem.span.start : problem.span.end]
    if old == problem.suggestion:
        return None
    how: Safety = "unsafe" if safety is None else safety(old.strip("'\""), problem.suggestion)
    return Fix(title.format(problem.suggestion), (Edit(problem.span, problem.suggestion),), how)


def one_slip(old: str, new: str) -> Safety:
    """Safe where one letter is missing, too many, another, or two are swapped."""
    return "safe" if distance_is_one(old, new) or old.lower() == new.lower() else "unsafe"


def distance_is_one(old: str, new: str) -> bool:
    """Whether one slip of the keyboard makes `old` of `new`."""
    if abs(len(old) - len(new)) > 1 or old == new:
        return False
    at = 0
    while at < min(len(old), len(new)) and old[at] == new[at]:
        at += 1
    left, right = old[at:], new[at:]
    swapped = len(left) == len(right) >= 2 and left[:2] == right[1::-1] and left[2:] == right[2:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped
