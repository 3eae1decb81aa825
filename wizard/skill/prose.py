"""The prose of a skill: its Markdown as headings, paragraphs, list items, table rows and code, each with its span."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from wizard.skill.prose_text import Text, plain, sentences
from wizard.skill.sections import Stretch, quieted, touches
from wizard.source import Source, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["heading", "paragraph", "item", "row", "code", "description"]

_FRONTMATTER = re.compile(r"\ufeff?(?:[ \t]{0,200}(?:\r\n|\n|\r)){0,50}---[ \t]{0,200}(?:\r\n|\n|\r|\Z)")
_FRONTMATTER_END = re.compile(r"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]{0,200}(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of prose between which nothing reads on: one paragraph, list item, table row, heading or code block, or
    the description in the frontmatter."""

    kind: BlockKind
    text: Text
    """What it says: plain for prose, the cells joined by ` | ` for a row, as it is for code."""
    span: Span
    """Its lines in the source, markers and the line end included."""
    headings: tuple[str, ...] = ()
    """The headings above it, the outermost first."""
    lead: str = ""
    """What introduces it under the same heading: the text right before a paragraph or a sample, the paragraph before
    a list or a table; empty where nothing does."""
    language: str = ""
    """Of a fenced block, in lower case; empty where it says none."""
    quoted: bool = False
    breaks: frozenset[int] = frozenset()
    """The places in the source of line ends that are meant: the next line's first word would have fitted there."""
    cells: tuple[Text, ...] = ()
    header: tuple[str, ...] = ()
    """The texts of a row's table header, empty where the table has none."""

    def sentences(self) -> tuple[Text, ...]:
        """Its sentences; those of a row, cell by cell. Code has none."""
        if self.kind == "code":
            return ()
        if self.cells:
            return tuple(sentence for cell in self.cells for sentence in sentences(cell))
        return tuple(sentences(self.text, self.breaks))


def body_start(text: str) -> int:
    """Where the body begins: behind the frontmatter where there is one, and behind a byte order mark."""
    opened = _FRONTMATTER.match(text)
    if opened is None:
        return 1 if text.startswith("\ufeff") else 0
    closed = _FRONTMATTER_END.search(text, opened.end())
    return closed.end() if closed else opened.end()


def parse_prose(source: Source, start: int | None = None, wanted: Sequence[Stretch] | None = None) -> tuple[Block, ...]:
    """The blocks of a skill's Markdown in their order.

    `start` is where the body begins; `body_start` finds it where it is not given. Raises nothing: every text is
    Markdown. Spans are of the source, whatever its line ends. With `wanted`, stretches of the source in
    their order, parts in which none of them lies may be left out: reading them takes most of the time. A block is read
    in full where it, its lead or one of the two headings right above it is wanted; of others only kind, span and
    headings are to be relied on.
    """
    begin = body_start(source.text) if start is None else start
    first_line = source.position(begin).line - 1
    markdown = source.text[begin:] if wanted is None else quieted(source.text, begin, wanted)
    return tuple(_Reader(source, begin, first_line, wanted).blocks(markdown))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _is_row(line: str) -> bool:
    bare = line.strip()
    return len(bare) > 1 and bare[0] == "|" and bare[-1] == "|"


def _is_rule(line: str) -> bool:
    """Whether a row only parts a table's header from its body."""
    return "-" in line and set(line) <= set(" \t|:-")


def _meant_breaks(raw: Text, lines: list[str]) -> frozenset[int]:
    """Where a paragraph's lines end though the next one's first word would have fitted: they were not wrapped."""
    width = max(map(len, lines))
    breaks = []
    at = 0
    for line, following in pairwise(lines):
        at += len(line) + 1
        words = following.split(None, 1)
        fitted = words and len(line) + len(words[0]) + 6 < width
        if "\t" in line or "\t" in following or (fitted and not _GOES_ON.match(following)):
            breaks.append(raw.offset(at - 1))
    return frozenset(breaks)


_GOES_ON = re.compile(r"\s{0,20}[a-z][a-z'-]{0,30}(?![\w(]| ?[:=\u2014\u2013-]| \()")
"""A line that begins in the middle of a sentence, and not with the name of a field."""


class _Lead:
    """What introduces a block: its text is worked out when somebody asks."""

    __slots__ = ("_text", "token", "wanted")

    def __init__(self, text: str = "", wanted: bool = False, token: Token | None = None) -> None:
        self._text, self.wanted, self.token = text, wanted, token

    def text(self, reader: _Reader) -> str:
        if self.token is not None:
            self._text = plain(reader.raw(self.token)).stripped().text
            self.token = None
        return self._text


class _Row:
    """A row of a table: its lines and what its cells hold; their texts are worked out when somebody asks."""

    __slots__ = ("_cells", "contents", "span")

    def __init__(self, span: Span) -> None:
        self.span = span
        self.contents: list[str] = []
        self._cells: tuple[Text, ...] | None = None

    def cells(self, reader: _Reader) -> tuple[Text, ...]:
        if self._cells is None:
            cells: list[Text] = []
            for content in self.contents:
                cells.append(reader.cell(content, self.span, cells))
            self._cells = tuple(cells)
        return self._cells


class _Reader:
    """Walks over the block tokens, which know their lines only, and finds each line's text in the source."""

    def __init__(self, source: Source, begin: int, first_line: int, wanted: Sequence[Stretch] | None) -> None:
        self.source = source
        self.begin = begin
        self.first_line = first_line
        self.wanted = wanted
        self.headings: list[tuple[int, str, bool]] = []
        """Of each heading that is open its level, its title and whether it is wanted."""
        self.lead = self.introduction = _Lead()

    def blocks(self, markdown: str) -> Iterator[Block]:
        quotes = items = level = 0
        header = row = _Row(Span(0, 0))
        in_header = in_cell = False
        for token in _parser().parse(markdown):
            match token.type:
                case "blockquote_open" | "blockquote_close":
                    quotes += token.nesting
                case "list_item_open" | "list_item_close":
                    items += token.nesting
                case "heading_open" | "heading_close":
                    level = int(token.tag[1]) if token.nesting == 1 else 0
                case "table_open":
                    header = _Row(Span(0, 0))
                case "thead_open" | "thead_close":
                    in_header = token.nesting == 1
                case "tr_open":
                    row = _Row(self.lines(token))
                case "tr_close" if in_header:
                    header = row
                case "tr_close":
                    yield self.row(row, header, quotes > 0)
                case "th_open" | "td_open" | "th_close" | "td_close":
                    in_cell = token.nesting == 1
                case "inline" if in_cell:
                    row.contents.append(token.content)
                case "inline" if level:
                    yield self.heading(token, level, quotes > 0)
                case "inline" | "html_block":
                    yield from self.prose(token, "item" if items else "paragraph", quotes > 0)
                case "fence" | "code_block":
                    yield self.code(token, quotes > 0)
                case _:
                    pass

    def lines(self, token: Token) -> Span:
        """The stretch of the source that a token's lines are."""
        first, end = token.map or (0, 0)
        return Span(self.line_start(first), self.line_start(end))

    def line_start(self, line: int) -> int:
        starts = self.source.line_starts
        index = self.first_line + line
        return max(self.begin, starts[index]) if index < len(starts) else len(self.source.text)

    def wants(self, span: Span) -> bool:
        """Whether the lines of a block hold something wanted."""
        return self.wanted is None or touches(self.wanted, span.start, span.end)

    def needs(self, own: bool, lead: _Lead) -> bool:
        """Whether a block is to be read in full."""
        return own or lead.wanted or any(wanted for _, _, wanted in self.headings[-2:])

    def thin(self, kind: BlockKind, span: Span, quoted: bool) -> Block:
        """A block in which nobody finds anything."""
        return Block(kind, Text("", ((0, span.start),)), span, self.chain, quoted=quoted)

    def raw(self, token: Token, skipped: int = 0) -> Text:
        """A token's content line by line as it stands in the source, without the marks of what holds it."""
        first = (token.map or (0, 0))[0] + skipped
        content = token.content.removesuffix("\n")
        parts = [self.find(line, first + index) for index, line in enumerate(content.split("\n"))]
        return Text.joined(parts, "\n")

    def find(self, content: str, line: int) -> Text:
        start, end = self.line_start(line), self.line_start(line + 1)
        whole = self.source.text[start:end].rstrip("\r\n")
        at = whole.rfind(content)
        if at < 0:  # the parser counts a tab or a NUL otherwise than it stands there
            content = content.strip()
            at = max(0, whole.rfind(content))
        return Text.of(self.source.text, start + at, min(start + at + len(content), start + len(whole)))

    def prose(self, token: Token, kind: BlockKind, quoted: bool) -> Iterator[Block]:
        span = self.lines(token)
        own = self.wants(span)
        lead = self.introduction if kind == "item" else self.lead
        if not self.needs(own, lead) and "|" not in token.content:
            said = _Lead(token=token)
            yield self.thin(kind, span, quoted)
        else:
            raw = self.raw(token)
            lines = raw.text.split("\n")
            if all(_is_row(line) for line in lines):
                yield from self.loose_rows(raw, lines, quoted)
                return
            text = plain(raw).stripped()
            yield Block(
                kind, text, span, self.chain, lead.text(self), quoted=quoted, breaks=_meant_breaks(raw, lines)
            )  # fmt: skip
            said = _Lead(text.text, own)
        if kind != "item":
            self.introduction = said
        self.lead = said

    def loose_rows(self, raw: Text, lines: list[str], quoted: bool) -> Iterator[Block]:
        """Table rows that no table's header stands over."""
        at = 0
        for line in lines:
            if not _is_rule(line):
                row = _Row(raw.span(at, at + len(line)))
                row.contents = [content.strip() for content in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
                yield self.row(row, _Row(row.span), quoted)
            at += len(line) + 1

    def cell(self, content: str, row: Span, before: list[Text]) -> Text:
        start = before[-1].whole.end if before else row.start
        for written in (content, content.replace("|", r"\|")):
            at = self.source.text.find(written, start, row.end)
            if at >= 0:
                return plain(Text.of(self.source.text, at, at + len(written)))
        return Text("", ((0, start),))

    def row(self, row: _Row, header: _Row, quoted: bool) -> Block:
        if not self.needs(self.wants(row.span), self.introduction):
            return self.thin("row", row.span, quoted)
        cells = row.cells(self)
        titles = tuple(cell.text for cell in header.cells(self))
        return Block(
            "row", Text.joined(cells, " | "), row.span, self.chain, self.introduction.text(self),
            quoted=quoted, cells=cells, header=titles,
        )  # fmt: skip

    def heading(self, token: Token, level: int, quoted: bool) -> Block:
        text = plain(self.raw(token)).stripped()
        self.headings = [above for above in self.headings if above[0] < level]
        span = self.lines(token)
        block = Block("heading", text, span, self.chain, quoted=quoted)
        self.headings.append((level, text.text, self.wants(span)))
        self.lead = self.introduction = _Lead()
        return block

    def code(self, token: Token, quoted: bool) -> Block:
        span = self.lines(token)
        if not self.needs(self.wants(span), self.lead):
            return self.thin("code", span, quoted)
        fenced = token.type == "fence"
        text = self.raw(token, skipped=1 if fenced else 0)
        info = token.info.strip().split(None, 1) if fenced else []
        language = info[0].strip("{}.").lower() if info else ""
        return Block("code", text, span, self.chain, self.lead.text(self), language, quoted)

    @property
    def chain(self) -> tuple[str, ...]:
        return tuple(title for _, title, _ in self.headings)
