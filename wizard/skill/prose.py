"""The prose of a skill: its Markdown as headings, paragraphs, list items, table rows and code, each with its span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from wizard.skill.prose_text import Text, plain, sentences
from wizard.source import Source, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["heading", "paragraph", "item", "row", "code"]

_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE_ROW = re.compile(r"[\s|:-]*-[\s|:-]*")
_FRONTMATTER = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_FRONTMATTER_END = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of prose between which nothing reads on: one paragraph, list item, table row, heading or code block."""

    kind: BlockKind
    text: Text
    """What it says: plain for prose, the cells joined by ` | ` for a row, as it is for code."""
    span: Span
    """Its lines in the source, markers and the line end included."""
    headings: tuple[str, ...] = ()
    """The headings above it, the outermost first."""
    lead: str = ""
    """What stands right before it under the same heading: the sentence that introduces a sample or a list."""
    language: str = ""
    """Of a fenced block, in lower case; empty where it says none."""
    quoted: bool = False
    cells: tuple[Text, ...] = ()
    header: tuple[str, ...] = ()
    """The texts of a row's table header, empty where the table has none."""

    def sentences(self) -> tuple[Text, ...]:
        """Its sentences; those of a row, cell by cell. Code has none."""
        if self.kind == "code":
            return ()
        if self.cells:
            return tuple(sentence for cell in self.cells for sentence in sentences(cell))
        return tuple(sentences(self.text))


def body_start(text: str) -> int:
    """Where the body begins: behind the frontmatter where there is one, and behind a byte order mark."""
    opened = _FRONTMATTER.match(text)
    if opened is None:
        return 1 if text.startswith("\ufeff") else 0
    closed = _FRONTMATTER_END.search(text, opened.end())
    return closed.end() if closed else opened.end()


def parse_prose(source: Source, start: int | None = None) -> tuple[Block, ...]:
    """The blocks of a skill's Markdown in their order.

    `start` is where the body begins; `body_start` finds it where it is not given. Raises nothing: every text is
    Markdown. Spans are of the source, whatever its line ends.
    """
    begin = body_start(source.text) if start is None else start
    first_line = source.position(begin).line - 1
    return tuple(_Reader(source, begin, first_line).blocks())


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


class _Reader:
    """Walks over the block tokens, which know their lines only, and finds each line's text in the source."""

    def __init__(self, source: Source, begin: int, first_line: int) -> None:
        self.source = source
        self.begin = begin
        self.first_line = first_line
        self.headings: list[tuple[int, str]] = []
        self.lead = ""

    def blocks(self) -> Iterator[Block]:
        tokens = _parser().parse(self.source.text[self.begin :])
        quotes = items = 0
        header: list[str] = []
        cells: list[Text] = []
        in_header = False
        level = 0
        for token in tokens:
            match token.type:
                case "blockquote_open" | "blockquote_close":
                    quotes += token.nesting
                case "list_item_open" | "list_item_close":
                    items += token.nesting
                case "heading_open":
                    level = int(token.tag[1])
                case "heading_close":
                    level = 0
                case "table_open":
                    header = []
                case "thead_open" | "thead_close":
                    in_header = token.nesting == 1
                case "tr_open":
                    cells = []
                    row = self.lines(token)
                case "tr_close":
                    if in_header:
                        header = [cell.text for cell in cells]
                    else:
                        yield self.row(cells, row, tuple(header), quotes > 0)
                case "inline" if level:
                    yield self.heading(token, level, quotes > 0)
                case "inline" if token.level >= 3 and self.in_cell(token, tokens):
                    cells.append(self.cell(token, row, cells))
                case "inline":
                    yield from self.text(token, "item" if items else "paragraph", quotes > 0)
                case "fence" | "code_block":
                    yield self.code(token, quotes > 0)
                case "html_block":
                    yield from self.text(token, "paragraph", quotes > 0)
                case _:
                    pass
