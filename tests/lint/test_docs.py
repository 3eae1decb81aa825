"""The page on the linter says what there is. `REWRITE_GOLDEN=1` writes its tables anew."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wizard.lint.config import load_config
from wizard.lint.formatting import format_names
from wizard.lint.rulebook import FAMILIES, load_rules

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "lint.md"


def rules() -> Iterator[str]:
    yield "| family | rule | severity | finds |"
    yield "|---|---|---|---|"
    for family in FAMILIES:
        for name, rule in sorted(load_rules().items()):
            if rule.family == family:
                yield f"| {family} | `{name}` | {rule.severity} | {rule.summary} |"


def configuration() -> Iterator[str]:
    schema = json.loads((ROOT / "schemas" / "config.json").read_text(encoding="utf-8"))
    yield "| key | is |"
    yield "|---|---|"
    for name, member in schema["properties"].items():
        yield f"| `{name}` | {_said(schema, member)} |"


def _said(schema: dict[str, Any], member: dict[str, Any]) -> str:
    named = schema["$defs"].get(str(member.get("$ref", "")).rpartition("/")[2], {})
    said = str(member.get("description") or named["description"])
    default = member.get("default", named.get("default"))
    return said if default is None else f"{said} Default: `{json.dumps(default).strip(chr(34))}`."


@pytest.mark.parametrize("made", [rules, configuration])
def test_the_page_lists_what_there_is(made: Any) -> None:
    table = "\n".join(made()) + "\n"
    part = re.compile(rf"(<!-- made: {made.__name__} -->\n)(.*?)(<!-- end -->)", re.DOTALL)
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("REWRITE_GOLDEN"):
        text = part.sub(lambda found: found[1] + table + found[3], text)
        PAGE.write_text(text, encoding="utf-8")
    found = part.search(text)
    assert found is not None
    assert found[2] == table


def test_the_page_lists_the_formats_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Formats")[2].partition("## Where")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == sorted(format_names())


def test_its_example_of_a_configuration_can_be_read(tmp_path: Path) -> None:
    example = re.search(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    path = tmp_path / "skill-wizard.toml"
    path.write_text(example[1], encoding="utf-8")
    settings = load_config(str(path))
    assert dict(settings.rules)["skill-description"] == "off"
    assert settings.per_path[0].reason == "rewritten in March"


def test_the_files_that_it_names_are_there() -> None:
    named = re.findall(r"`((?:samples|schemas)/[\w/.-]+|action\.yml)`", PAGE.read_text(encoding="utf-8"))
    assert len(named) >= 5
    assert [name for name in named if not (ROOT / name).exists()] == []
