"""Lists the rules of the linter, all or those of a family, or explains one.

skill-wizard rules                          all rules, by family
skill-wizard rules prose-builds-key         what it finds, why, and an example before and after
skill-wizard rules prose-key                the rules of one family
skill-wizard rules --format json            for programs
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.cli.terminal import Palette, color_argument, columns
from wizard.layout import wrapped

if TYPE_CHECKING:
    from wizard.lint.model import Rule

SUMMARY = "list and explain the linter's rules"
LEAVES_NOTHING = True
_COLORS = {"error": "red", "warning": "yellow", "info": "cyan", "off": "dim"}
_FAMILIES = {
    "file": "the form of frontmatter and skill",
    "declaration": "the declaration against itself",
    "document": "the declaration against its API document",
    "repository": "the skills of a repository against each other",
    "prose-key": "prose and samples that make the model build a key",
    "prose": "prose that works against the host",
    "linter": "the linter's own comments and settings",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rule", metavar="RULE", nargs="?", help="the name of a rule or a family; without one all rules are listed"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    color_argument(parser)


def run(args: argparse.Namespace) -> int:
    import json
    from difflib import get_close_matches

    from wizard.errors import UsageError
    from wizard.lint.rulebook import FAMILIES, load_rule, load_rules, rule_names

    palette = Palette.of(args)
    name = (args.rule or "").lower().replace("_", "-")
    if args.rule is None or name in FAMILIES:
        wanted = (name,) if name else FAMILIES
        rules = {known: rule for known, rule in load_rules().items() if rule.family in wanted}
        if args.format == "json":
            print(json.dumps([_data(rule) for rule in rules.values()], ensure_ascii=False, indent=2))
            return Exit.CLEAN
        width = max(map(len, rules))
        room = columns(sys.stdout) if sys.stdout.isatty() else 200
        for family in wanted:
            print(f"{palette(family, 'bold')}: {_FAMILIES[family]}")
            for rule in rules.values():
                if rule.family == family:
                    severity = palette(f"{rule.severity:<7}", _COLORS[rule.severity])
                    first, *more = wrapped(rule.summary, room - width - 13)
                    print(f"  {severity}  {rule.name:<{width}}  {first}")
                    for line in more:
                        print(f"{'':{width + 13}}{line}")
            print()
        print("`skill-wizard rules NAME` explains a rule.")
        return Exit.CLEAN
    if name not in rule_names():
        near = get_close_matches(name, (*rule_names(), *FAMILIES), n=1, cutoff=0.5)
        raise UsageError(
            f"there is no rule or family `{args.rule}`",
            remedy=f"Did you mean `{near[0]}`?" if near else "`skill-wizard rules` lists them",
        )
    rule = load_rule(name)
    if args.format == "json":
        print(json.dumps(_data(rule), ensure_ascii=False, indent=2))
        return Exit.CLEAN
    print(_page(rule, palette, columns(sys.stdout) if sys.stdout.isatty() else 120), end="")
    return Exit.CLEAN


def _data(rule: Rule) -> dict[str, str]:
    return {
        "name": rule.name,
        "family": rule.family,
        "severity": rule.severity,
        "confidence": rule.confidence,
        "summary": rule.summary,
        "page": rule.why.strip(),
    }


def _page(rule: Rule, palette: Palette, width: int) -> str:
    from wizard.lint.rulebook import page_sections

    severity = palette(rule.severity, _COLORS[rule.severity])
    lines = [palette(rule.name, "bold"), f"{rule.family}, {severity}, {rule.confidence} confidence", ""]
    for section in page_sections(rule.why):
        if section.heading in ("before", "after"):
            lines += [palette(f"{section.heading.capitalize()}:", "bold"), "", section.text, ""]
        elif section.heading == "why":
            first, *more = _wrapped(f"Why: {section.text}", width)
            lines += [palette("Why:", "bold") + first.removeprefix("Why:"), *more, ""]
        else:
            lines += [*_wrapped(section.text, width), ""]
    lines += [
        palette("To allow it at one place:", "bold"),
        "",
        "above a block of the prose:",
        f"    <!-- skill-wizard: allow {rule.name}: the reason -->",
        "above a member of the frontmatter:",
        f"    # skill-wizard: allow {rule.name}: the reason",
    ]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text's paragraphs, an empty one between two."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [*wrapped(" ".join(paragraph.split()), width), ""]
    return lines[:-1]
