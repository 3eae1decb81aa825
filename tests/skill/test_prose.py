"""Prose read as blocks: what each says, where it stands, and what stands over it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wizard.skill.prose import Block, body_start, parse_prose
from wizard.source import Source

SKILL = """\
---
name: charge
---

# Charge **a guest**

Call the API.
Do it once.

- First [the booking](https://hotel.example.com).
- Then

  ```bash
  curl -X POST \\
    -d '{}'
  ```

> Quoted `code`.
> It goes on.

| Field | Meaning |
|-------|---------|
| `a\\|b` | one<br>two |

## Answers

Text.
"""


def blocks(text: str) -> list[Block]:
    return list(parse_prose(Source("SKILL.md", text)))


def shown(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text.text) for block in blocks(text)]


def test_blocks_are_read_in_their_order() -> None:
    assert shown(SKILL) == [
        ("heading", "Charge a guest"),
        ("paragraph", "Call the API.\nDo it once."),
        ("item", "First the booking."),
        ("item", "Then"),
        ("code", "curl -X POST \\\n  -d '{}'"),
        ("paragraph", "Quoted `code`.\nIt goes on."),
        ("row", "`a\\|b` | one\ntwo"),
        ("heading", "Answers"),
        ("paragraph", "Text."),
    ]


def test_a_block_knows_what_stands_over_it() -> None:
    by_text = {block.text.text: block for block in blocks(SKILL)}
    code = by_text["curl -X POST \\\n  -d '{}'"]
    assert code.language == "bash"
    assert code.headings == ("Charge a guest",)
    assert code.lead == "Then"
    assert by_text["First the booking."].lead == "Call the API.\nDo it once."
    row = by_text["`a\\|b` | one\ntwo"]
    assert row.header == ("Field", "Meaning")
    assert [cell.text for cell in row.cells] == ["`a\\|b`", "one\ntwo"]
    assert by_text["Quoted `code`.\nIt goes on."].quoted
    assert by_text["Text."].headings == ("Charge a guest", "Answers")
    assert by_text["Text."].lead == ""


def test_a_block_stands_where_its_lines_stand() -> None:
    for block in blocks(SKILL):
        lines = SKILL[block.span.start : block.span.end]
        assert lines.endswith("\n")
        assert lines in SKILL
    code = next(block for block in blocks(SKILL) if block.kind == "code")
    assert SKILL[code.span.start : code.span.end].startswith("  ```bash\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_character_knows_its_place(newline: str, mark: str) -> None:
    text = mark + SKILL.replace("\n", newline)
    found = blocks(text)
    assert [(block.kind, block.text.text) for block in found] == shown(SKILL)
    for block in found:
        check_places(text, block)


def check_places(text: str, block: Block) -> None:
    for piece in (block.text, *block.cells, *block.sentences()):
        assert len(piece.offsets) == len(piece.text) + 1
        assert list(piece.offsets) == sorted(piece.offsets)
        for char, offset in zip(piece.text, piece.offsets, strict=False):
            assert char in " |\n" or text[offset] == char
        assert 0 <= piece.whole.start <= piece.whole.end <= len(text)


PIECES = st.sampled_from(
    [
        "# A heading",
        "Some text, and more of it.",
        "- an item",
        "  - one below it",
        "> quoted",
        "> > twice",
        "```json",
        "```",
        "{}",
        "| a | b |",
        "|---|---|",
        "1. first",
        "    indented",
        "",
        "<!-- a comment -->",
        "<details>",
        "**bold",
        "~~~",
        "`code` and `` `more` ``",
        "[link](there) ![image](here)",
        "\ttab",
        "a\\",
        "***",
        "\u2003wide",
        "a\x00b",
        "幂等。键",
    ]
)


@given(
    st.lists(PIECES, max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\ufeff", "---\nname: x\n---\n"]),
)
@example(["| a | b |", "|---|---|", "Some text, and more of it."], "\n", "")
def test_every_text_is_read_and_every_place_holds(lines: list[str], newline: str, before: str) -> None:
    text = before + newline.join(lines)
    for block in blocks(text):
        check_places(text, block)
        assert 0 <= block.span.start <= block.span.end <= len(text)


def test_the_body_begins_behind_the_frontmatter() -> None:
    assert body_start("no frontmatter") == 0
    assert body_start("\ufeffno frontmatter") == 1
    assert body_start("---\nname: x\n---\nbody") == len("---\nname: x\n---\n")
    assert body_start("\ufeff---\r\nname: x\r\n---\r\nbody") == len("\ufeff---\r\nname: x\r\n---\r\n")
    assert body_start("---\nnever ends") == len("---\n")


def test_rows_without_a_table_are_rows() -> None:
    assert shown("| `a` | b |\n| `c` | d |\n") == [("row", "`a` | b"), ("row", "`c` | d")]


def test_a_line_that_was_not_wrapped_ends_a_sentence() -> None:
    meant = "Amount: what is charged, in pence, without a sign\nKey: any\nNote: shown to the guest on the bill\n"
    (block,) = blocks(meant)
    assert [sentence.text for sentence in block.sentences()] == meant.strip().split("\n")
    (wrapped,) = blocks("This line goes on until the words no longer fit into\nit, and here it ends.\n")
    assert len(wrapped.sentences()) == 1
