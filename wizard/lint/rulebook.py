"""The rules: their names without importing any, one or all of them loaded, and what a selection means."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from wizard.discover import module_names
from wizard.lint import rules

if TYPE_CHECKING:
    from wizard.lint.model import Rule

FAMILIES = ("file", "declaration", "document", "repository", "prose-key", "prose", "linter")
WORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "words")
FAMILIES_OF = os.path.join(WORDS, "families.json")
ALL = "all"
"""In a selection: every rule that is not off."""


@cache
def rule_names() -> tuple[str, ...]:
    """The names of all rules, sorted; imports none."""
    return tuple(sorted(name.replace("_", "-") for name in module_names(rules)))


@cache
def load_rule(name: str) -> Rule:
    """One rule by its name, which is known."""
    module = import_module(f"{rules.__name__}.{name.replace('-', '_')}")
    found: Rule = module.RULE
    return found


@cache
def _loaded() -> dict[str, Rule]:
    return {}


def load_rules() -> dict[str, Rule]:
    """Every rule by its name."""
    return _load(rule_names())


def load_families(wanted: Collection[str], *, document: bool = True) -> list[Rule]:
    """The rules of some families, sorted by name; without a `document`, none of those that need one."""
    known = _families()
    found = _load([name for name in rule_names() if _wanted(known.get(name), wanted, document)])
    return [
        rule for name, rule in sorted(found.items()) if rule.family in wanted and (document or not rule.needs_document)
    ]


def _wanted(known: Sequence[Any] | None, wanted: Collection[str], document: bool) -> bool:
    if known is None:
        return True
    family, needs_document = known
    return family in wanted and (document or not needs_document)


def _load(names: Iterable[str]) -> dict[str, Rule]:
    loaded = _loaded()
    for name in names:
        if name not in loaded:
            loaded[name] = load_rule(name)
    return loaded


@cache
def _families() -> dict[str, Sequence[Any]]:
    """The family of each rule that was released, and whether it needs a document, so that no rule is loaded to ask for
    it. One that is not among them is loaded."""
    import json

    try:
        with open(FAMILIES_OF, "rb") as file:
            found: dict[str, Sequence[Any]] = json.loads(file.read())
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def families_text() -> str:
    """What the file of families that travels with the package should hold."""
    import json

    lines = [
        f"{json.dumps(name)}: {json.dumps([rule.family, rule.needs_document])}"
        for name, rule in sorted(load_rules().items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def known_words() -> tuple[str, ...]:
    """What a selection may name: rules, families and `all`."""
    return (*rule_names(), *FAMILIES, ALL)


def selects(words: Iterable[str], rule: str, family: str) -> bool:
    """Whether one of the words means the rule; `all` does not mean those that are off."""
    return any(word in (rule, family) for word in words)


class Section(NamedTuple):
    """A part of a rule's page: its heading in lower case, and its text."""

    heading: str
    text: str


_HEADING = re.compile(r"^(Why|Before|After):[ \t]*", re.MULTILINE)


def page_sections(why: str) -> tuple[Section, ...]:
    """A rule's page taken apart: `what` is all before its first heading, then `why`, `before` and `after`."""
    parts = _HEADING.split(why.strip())
    found = [Section("what", parts[0].strip())]
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        found.append(Section(heading.lower(), text.strip("\n").rstrip()))
    return tuple(found)
