"""The page on rehearsals says what there is. `REWRITE_GOLDEN=1` writes its tables anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from wizard.rehearse.behaviour import behaviour, behaviour_names
from wizard.rehearse.schedule import stories

PAGE = Path(__file__).parents[2] / "docs" / "rehearse.md"


def table(head: str, rows: dict[str, str]) -> str:
    lines = [f"| {head} | what happens |", "|---|---|", *(f"| `{name}` | {says} |" for name, says in rows.items())]
    return "\n".join(lines) + "\n"


TABLES = {
    "stories": table("story", {name: story.says for name, story in stories().items()}),
    "recipients": table("recipient", {name: behaviour(name).says for name in behaviour_names()}),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_page_lists_what_there_is(name: str) -> None:
    made = re.compile(rf"(<!-- made: {name} -->\n)(.*?)(<!-- end -->)", re.DOTALL)
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("REWRITE_GOLDEN"):
        text = made.sub(lambda found: found[1] + TABLES[name] + found[3], text)
        PAGE.write_text(text, encoding="utf-8")
    found = made.search(text)
    assert found is not None
    assert found[2] == TABLES[name]
