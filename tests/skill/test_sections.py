"""Parts of a Markdown text that are emptied: what is left reads as before."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from wizard.skill.prose import Block, parse_prose
from wizard.skill.sections import quieted
from wizard.source import Source

TEXT = """\
Before any heading.

# One

Nothing here.

## Wanted things

- a
- b

### Deeper

Under a wanted heading.

## Two

```sh
# no heading

curl
```

A wanted word.

# Three

Nothing.
"""


def wanted(text: str) -> bool:
    return "wanted" in text


def places(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer("wanted", text.lower())]


def test_what_is_not_wanted_is_emptied_and_every_line_keeps_its_number() -> None:
    quiet = quieted(TEXT, 0, places(TEXT))
    assert quiet.count("\n") == TEXT.count("\n")
    gone = [line for line, left in zip(TEXT.split("\n"), quiet.split("\n"), strict=True) if line and not left]
    assert gone == ["Before any heading.", "Nothing here.", "# Three", "Nothing."]


def test_a_heading_that_may_be_part_of_something_is_no_cut() -> None:
    for inside in ("wanted\n# B\n\nx\n", "<!--\n\n# B\n\n-->\nwanted\n", "~~~\n\n# B\n\n~~~\nwanted\n"):
        text = f"# A\n\n{inside}"
        assert quieted(text, 0, places(text)) == text
    assert quieted("# A\n\nTitle\n===\n\nx\n", 0, []) == "# A\n\nTitle\n===\n\nx\n"


LINES = [
    "# One",
    "## Two",
    "### wanted three",
    "plain words",
    "a wanted word",
    "- item",
    "  - inner wanted",
    "> quoted",
    "```",
    "~~~",
    "| a | wanted |",
    "|---|---|",
    "    code wanted",
    "",
    "",
    "",
    "<!-- x",
    "-->",
    "===",
    "---",
    "1. first",
    "\t# tab",
    "",
]
ENDS = st.sampled_from(["\n", "\r\n"])
MARKDOWN = st.builds(lambda lines, end: end.join(lines) + end, st.lists(st.sampled_from(LINES), max_size=25), ENDS)


@given(MARKDOWN)
@example("# Wanted wanted\n\nx\n## B\ny\n\n### C\n\nz\n")
@example("# A\n\nx\n## wanted\ny\n\n### C\n\nz\n")
@example("# A\n\nwanted\n===\n\n## C\n\nz\n")
@example("# One\n## Two\n\n### wanted three\n")
def test_a_block_that_is_wanted_or_stands_under_what_is_is_read_as_before(text: str) -> None:
    source = Source("SKILL.md", text)

    def counts(block: Block) -> bool:
        over = block.kind != "heading" and any(map(wanted, block.headings[-2:]))
        return wanted(block.text.text) or wanted(block.lead) or over

    whole = [block for block in parse_prose(source, 0) if counts(block)]
    some = [block for block in parse_prose(source, 0, places(text)) if counts(block)]
    assert some == whole


def test_html_that_is_closed_is_no_hindrance() -> None:
    text = "# A\n\n<!-- x\n\n# B\n\n-->\n\n# C\n\nwanted\n"
    assert quieted(text, 0, places(text)) == "\n" * 8 + "# C\n\nwanted\n"
    for html in ("<pre>\n\n# B\n", "<pre>\n```\n\n# B\n```\n</pre>\n"):
        text = f"# A\n\n{html}\n# C\n\nwanted\n"
        assert quieted(text, 0, places(text)) == text
