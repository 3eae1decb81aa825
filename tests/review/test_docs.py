"""The page on reviews says what there is. `REWRITE_GOLDEN=1` writes its table of kinds anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

from wizard.review.formatting import format_names
from wizard.review.kind import load_kinds

PAGE = Path(__file__).parents[2] / "docs" / "review.md"
MADE = re.compile(r"(<!-- made: kinds -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def table() -> str:
    rows = [f"| `{name}` | {kind.summary} |" for name, kind in load_kinds().items()]
    return "\n".join(["| kind | what happened |", "|---|---|", *rows]) + "\n"


def test_the_page_lists_the_kinds_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("REWRITE_GOLDEN"):
        text = MADE.sub(lambda found: found[1] + table() + found[3], text)
        PAGE.write_text(text, encoding="utf-8")
    found = MADE.search(text)
    assert found is not None
    assert found[2] == table()


def test_the_page_lists_the_formats_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Formats")[2].partition("## In a pull request")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == sorted(format_names())
