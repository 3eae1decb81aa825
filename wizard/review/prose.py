"""What the prose of a skill says of building keys, as the linter's rules find it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wizard.lint.model import Context
from wizard.lint.rulebook import load_rules
from wizard.skill.document import SkillDocument

FAMILY = "prose-key"


@dataclass(frozen=True, slots=True)
class KeyProse:
    """One place of a skill's prose."""

    rule: str
    message: str
    words: str
    """The text of the place, its blanks as one."""
    start: int
    end: int


def key_prose(skill: SkillDocument) -> tuple[KeyProse, ...]:
    """What the linter's rules on prose that builds keys find in a skill, by place."""
    context = Context(source=skill.source)
    found = {}
    for rule in load_rules().values():
        if rule.family != FAMILY or rule.severity == "off":
            continue
        for one in rule.check(context):
            words = " ".join(skill.source.text[one.span.start : one.span.end].split())
            found[one.span, rule.name] = KeyProse(rule.name, one.message, words, one.span.start, one.span.end)
    return tuple(found[place] for place in sorted(found))


def new_ones(old: Iterable[KeyProse], new: Iterable[KeyProse]) -> Iterator[KeyProse]:
    """What was not said before, in the same words."""
    left = Counter((one.rule, one.words) for one in old)
    for one in new:
        if left[one.rule, one.words] > 0:
            left[one.rule, one.words] -= 1
        else:
            yield one
