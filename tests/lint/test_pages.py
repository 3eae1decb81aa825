"""The examples of the rules' pages: what stands under `Before` is found, and what stands under `After` is not."""

from __future__ import annotations

import re
import textwrap

import pytest
import yaml

from wizard.lint.engine import Request, lint
from wizard.lint.rulebook import load_rule, load_rules, page_sections
from wizard.lint.settings import Settings

NEED_MORE = {"file-unreadable", "probe-without-since", "method-missing", "url-missing"}
"""Of the families below; their examples need bytes, a document, or less than a whole declaration."""
FAMILIES = ("file", "declaration", "prose-key", "prose")
FENCES = {"sample-fills-key": "bash", "app-code-fills-key": "js"}
NAMES = [name for name, rule in load_rules().items() if rule.family in FAMILIES and name not in NEED_MORE]


def example(name: str, heading: str) -> str:
    text = next(section.text for section in page_sections(load_rule(name).why) if section.heading == heading)
    return re.sub(r" {4,}\(.*\)$", "", textwrap.dedent(text), flags=re.MULTILINE)


def operation_spec(members: str, prose: str = "Call it.") -> str:
    """A spec with the members of an example, and those that it leaves out."""
    try:
        data = yaml.safe_load(members)
    except yaml.YAMLError:
        data = None
    given = data if isinstance(data, dict) else {}
    more = [] if "method" in given else ["method: POST"]
    more += [] if "url" in given else ["url: https://api.example.com/bookings"]
    fields = [name.rstrip("?") for name in given.get("identity") or () if isinstance(name, str)]
    if fields and "body" not in given and given.get("method") != "PUT":
        more.append(f"body: {fields}")
    operation = textwrap.indent("\n".join([*more, members]), "  ")
    return f"---\nname: x\ndescription: Does x.\noperation:\n{operation}\n---\n\n{prose}\n"


def text_of(name: str, heading: str) -> tuple[str, str]:
    """The path and the text of a file that an example stands for."""
    family, said = load_rule(name).family, example(name, heading)
    if family == "file":
        if name == "skill-name":
            path, _, said = said.partition("\n")
            return path, said
        if said.startswith(("---", "#")):
            return "x/SKILL.md", said
        more = "".join(f"{key}: x\n" for key in ("name", "description") if f"{key}:" not in said)
        return "x/SKILL.md", f"---\n{more}{said}\n---\n\nText.\n"
    if said.startswith("operation:") or family == "declaration":
        front, _, prose = said.partition("\n---\n")
        inner = textwrap.dedent(front.partition("\n")[2]) if front.startswith("operation:") else front
        return "x.md", operation_spec(inner, prose or "Call it.")
    if name in FENCES:
        said = f"```{FENCES[name]}\n{said}\n```"
    return "x.md", operation_spec("", said) if family == "prose" else f"---\nname: x\ndescription: x\n---\n\n{said}\n"


@pytest.mark.parametrize("heading", ["before", "after"])
@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_one(name: str, heading: str) -> None:
    path, text = text_of(name, heading)
    settings = Settings(select=(name,), profile="strict", cache=False)
    report = lint(Request(paths=(path,), texts={path: text}, cache=False), settings)
    assert not report.broken
    assert bool(report.findings) == (heading == "before"), text
