"""Text as it reads, every character of it knowing where it stands in the source.

Quote marks, emphasis, links and tags are taken out so that patterns meet words only; what they find is still a
stretch of the source.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wizard.source import Span

_FAR = 1 << 60
CODE_SPAN = re.compile(r"``[^\n]{1,300}?``|`[^`\n]{1,300}`")
"""Code within a line; longer ones are taken for text, so that no unclosed backtick costs the rest of the file."""

_MARKUP = re.compile(
    r"(?P<code>``[^\n]{1,300}?``|`[^`\n]{1,300}`)"
    r"|(?P<comment><!--.{0,300}?-->)"
    r"|(?P<image>!\[[^\[\]\n]{0,300}\]\([^()\n]{0,1000}\))"
    r"|\[(?P<label>[^\[\]\n]{1,300})\]\([^()\n]{0,1000}\)"
    r"|(?P<break><br ?/?>)"
    r"|(?P<tag></?(?:a|b|i|em|strong|code|kbd|p|div|span|sub|sup|details|summary|ul|ol|li|td|tr|th|table|tbody|thead)"
    r"(?: [^<>\n]{0,300})?/?>)"
    r"|(?P<emphasis>\*{1,3}|(?<![A-Za-z0-9])__|__(?![A-Za-z0-9]))"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])",
    re.IGNORECASE | re.DOTALL,
)
_MAY_BE_MARKUP = re.compile(r"[*<\[\\]|__")
_SENTENCE_END = re.compile(
    r"[。！？]{1,9}[」』”\"')）]{0,3}\s{0,99}"
    r"|(?<![.!?])[.!?]{1,9}[\"')\]”*]{0,5}\s{1,99}(?=[^\sa-z])"
    r"|:[ \t]{0,99}\n\s{0,99}"
    r"|\n\s{0,99}(?=[|{}\[\"✅❌✔✗✓✘☑⚠]|[-*•+→] |\d{1,2}[.)] |[A-Za-z-]{1,40}: )"
)
_CLAUSE_END = re.compile(r"[;；]\s{0,99}")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|resp|max|min)|^\s*\d{1,3}[a-z]?)\.$", re.IGNORECASE
)


Run = tuple[int, int]
"""Where a run of characters begins in a text, and where in the source; within it both go on side by side."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text, and where each of its characters stands in the source: in runs, for most of it is as it was written."""

    text: str
    runs: tuple[Run, ...]
    """The first begins at 0; there is one even in an empty text, which then says where that stands."""

    @classmethod
    def of(cls, source: str, start: int, end: int) -> Text:
        """The stretch of the source as it is."""
        return cls(source[start:end], ((0, start),))

    @classmethod
    def joined(cls, parts: Sequence[Text], between: str) -> Text:
        """The parts in their order with `between` between them; empty where there are none."""
        if not parts:
            return cls("", ((0, 0),))
        runs: list[Run] = []
        at = 0
        for index, part in enumerate(parts):
            if index:
                before = parts[index - 1].whole.end
                if before and not any(later.text for later in parts[index:]):
                    before -= 1  # behind it there may be nothing to stand at
                runs.extend((at + step, before) for step in range(len(between)))
                at += len(between)
            runs.extend((at + start, place) for start, place in part.runs)
            at += len(part.text)
        return cls(between.join(part.text for part in parts), tuple(runs))

    def offset(self, at: int) -> int:
        """Where the character at `at` stands in the source; of the place behind the last one, where that goes on."""
        start, place = self.runs[bisect_right(self.runs, (at, _FAR)) - 1]
        return place + at - start

    @property
    def offsets(self) -> tuple[int, ...]:
        """The offset of every character, and of the place behind the last."""
        end = len(self.text)
        return (*(self.offset(at) for at in range(end)), self.whole.end)

    def part(self, start: int, end: int) -> Text:
        """The characters from `start` to `end`."""
        first = bisect_right(self.runs, (start, _FAR))
        inside = [(at - start, place) for at, place in self.runs[first:] if at < end]
        return Text(self.text[start:end], ((0, self.offset(start)), *inside))

    def stripped(self) -> Text:
        """Without white space at its ends."""
        start = len(self.text) - len(self.text.lstrip())
        return self.part(start, max(start, len(self.text.rstrip())))

    def span(self, start: int, end: int) -> Span:
        """Where the characters from `start` to `end` stand in the source."""
        first = self.offset(start)
        return Span(first, self.offset(end - 1) + 1 if end > start else first)

    @property
    def whole(self) -> Span:
        return self.span(0, len(self.text))


def plain(text: Text) -> Text:
    """The text without emphasis, links' targets, images, comments and tags; code within a line is kept as it is.

    A line break written as a tag becomes a line end. Placeholders in angle brackets (`<order-id>`) are kept.
    """
    if _MAY_BE_MARKUP.search(text.text) is None:
        return text
    parts: list[Text] = []
    at = 0
    for found in _MARKUP.finditer(text.text):
        parts.append(text.part(at, found.start()))
        at = found.end()
        if found["code"] is not None:
            parts.append(text.part(found.start(), found.end()))
        elif found["label"] is not None:
            parts.append(plain(text.part(found.start("label"), found.end("label"))))
        elif found["escape"] is not None:
            parts.append(text.part(found.end() - 1, found.end()))
        elif found["break"] is not None:
            parts.append(Text("\n", ((0, text.offset(found.start())),)))
    parts.append(text.part(at, len(text.text)))
    return Text.joined([part for part in parts if part.text] or parts[:1], "")


def sentences(text: Text, breaks: frozenset[int] = frozenset()) -> Iterator[Text]:
    """The sentences of a plain text, in their order, without the white space around them.

    `breaks` are the places in the source of line ends that part what stands on both sides.
    """
    yield from _parted(text, _SENTENCE_END, breaks)


def clauses(sentence: Text) -> Iterator[Text]:
    """The parts of a sentence between semicolons; most have one."""
    yield from _parted(sentence, _CLAUSE_END, frozenset())


def _parted(text: Text, pattern: re.Pattern[str], breaks: frozenset[int]) -> Iterator[Text]:
    code = [(found.start(), found.end()) for found in CODE_SPAN.finditer(text.text)]
    begin, index = 0, 0
    for start, end in _ends(text, pattern, breaks):
        while index < len(code) and code[index][1] <= start:
            index += 1
        if start < begin or (index < len(code) and code[index][0] <= start):
            continue
        if text.text[start] == "." and _ABBREVIATION.search(text.text, max(begin, start - 12), start + 1):
            continue
        yield from _some(text.part(begin, end))
        begin = end
    yield from _some(text.part(begin, len(text.text)))


def _ends(text: Text, pattern: re.Pattern[str], breaks: frozenset[int]) -> list[tuple[int, int]]:
    ends = [found.span() for found in pattern.finditer(text.text)]
    if breaks:
        ends += [(at, at + 1) for at, char in enumerate(text.text) if char == "\n" and text.offset(at) in breaks]
        ends.sort()
    return ends


def _some(text: Text) -> Iterator[Text]:
    stripped = text.stripped()
    if stripped.text:
        yield stripped
