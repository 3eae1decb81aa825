"""What stands in the place of a key in a sample: made on the spot, a template, a literal, a variable, a type."""

from __future__ import annotations

import re
from typing import Literal

from wizard.lint.keyprose.lexicon import Lexicon
from wizard.lint.keyprose.reading import place_kind

ValueKind = Literal["made", "template", "place", "literal", "variable", "type", "none"]
"""`place` is a bare place to fill (`<key>`), `type` a declaration, `none` nothing."""

MAX_VALUE = 400

_NOTHING = re.compile(r"[\s.…\"'`\\]*|<?(?:null|none|undefined|nil)>?|\[?redacted\]?|x{3,}|<(?:field|column)s?>|\*{3,}")
_BRACKETED = re.compile(r"[\w:-]\[[a-z][a-z_ ]{2,40}\]")
"""A place in square brackets behind something else: `order-[ORDER_ID]`."""
_VARIABLE = re.compile(r"\$?\{?[a-z_][\w.]*\}?(?:\[[^\]\n]{0,40}\])?")
_QUOTES = "\"'`"


def value_end(text: str, start: int, *, stops: str) -> int:
    """Where the value that begins at `start` ends: behind its quotes, else before one of `stops` or the line's end.

    Brackets and shell substitutions inside are kept whole. Looks at `MAX_VALUE` characters at most.
    """
    limit = min(len(text), start + MAX_VALUE)
    at = start
    if text.startswith('\\"', at):
        closing = text.find('\\"', at + 2, limit)
        return closing + 2 if closing >= 0 else _line_end(text, at, limit)
    quote = text[at] if at < limit and text[at] in _QUOTES else ""
    if not quote and text[at : at + 2] in ('f"', "f'"):
        quote, at = text[at + 1], at + 1
    if quote:
        return _quoted_end(text, at + 1, limit, quote)
    depth = 0
    while at < limit:
        char = text[at]
        if char == "\n" or (depth == 0 and char in stops):
            break
        if char in "([{":
            depth += 1
        elif char in ")]}":
            if depth == 0:
                break
            depth -= 1
        elif char == "<" and depth == 0:
            closing = text.find(">", at, min(limit, at + 80))
            if closing >= 0 and "\n" not in text[at:closing]:
                at = closing
        elif char in _QUOTES:
            at = _quoted_end(text, at + 1, limit, char) - 1
        at += 1
    return at


def _quoted_end(text: str, at: int, limit: int, quote: str) -> int:
    depth = 0
    while at < limit:
        char = text[at]
        if char == "\\" and at + 1 < limit:
            at += 2
            continue
        if text.startswith("$(", at):
            depth += 1
            at += 2
            continue
        if char == ")" and depth:
            depth -= 1
        elif char == "\n" and quote != "`":
            return at
        elif char == quote and depth == 0:
            return at + 1
        at += 1
    return at


def _line_end(text: str, start: int, limit: int) -> int:
    end = text.find("\n", start, limit)
    return limit if end < 0 else end


def value_kind(value: str, lexicon: Lexicon, *, bare_words: bool = False) -> ValueKind:
    """The kind of a value as it is written, quotes and all, in lower case.

    `bare_words` is whether a word without quotes is a text, as it is in a shell, and not a variable.
    """
    bare = value.strip().rstrip(",;").strip()
    inner = bare.removeprefix("f").strip("\\\"'`").strip()
    quoted = bare != inner
    if _NOTHING.fullmatch(inner) or _NOTHING.fullmatch(bare):
        return "none"
    if lexicon.code["makers"].search(inner):
        return "made"
    if lexicon.code["types"].fullmatch(inner):
        return "type"
    if _BRACKETED.search(inner):
        return "template"
    kind = place_kind(inner, lexicon)
    if kind is not None:
        if kind == "value" and inner.startswith("$"):
            return "variable"
        return "place" if kind == "value" else ("made" if kind == "made" else "template")
    if not quoted and _VARIABLE.fullmatch(inner) and (inner[0] == "$" or not bare_words):
        return "variable"
    # A literal that says of itself that the reader makes one up.
    return "made" if lexicon.code["made_up"].search(inner) else "literal"
