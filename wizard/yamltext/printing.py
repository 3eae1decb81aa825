"""Plain values printed as YAML or JSON text, in the form in which they stand best."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wizard.yamltext.nodes import scalar_value

# What stands unquoted is the same text to every reader of YAML 1.1 and 1.2.
_PLAIN = re.compile(r"[^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]+")
_FIRST = re.compile(r"[A-Za-z_/$.]")
_FIRST_BEYOND_ASCII = (
    ("\u00a1", "\u2027"), ("\u202a", "\ud7ff"), ("\uf900", "\ufdcf"), ("\ufdf0", "\ufefe"), ("\uff00", "\uffef"),
)  # fmt: skip
"""No class of a pattern: compiling one of so many letters takes as long as a short run's work."""
_NOT_PLAIN = re.compile(r": |:\Z| #|[\ufffe\uffff\ud800-\udfff]|\A[.\d,_:+-]*\Z|\A\.(?i:inf|nan)\Z|\A(?:---|\.\.\.)")
_DURATION = re.compile(r"[1-9][0-9]*[smhd]")
_WORD = re.compile(r"(?:y|yes|n|no|on|off|true|false|null|nan|inf)", re.IGNORECASE)
# A field's name with signs in it stands in quotes, as FORMAT has it; a URL or a JSONPath need not.
_FIELD = re.compile(r"(?![$]\W)[^/ ]*[\[\]\":?][^/ ]*")
_NO_FLOW = re.compile(r"[,\[\]{}]|:(?=[\"'\[{])")
# Controls, and signs that nobody sees or that turn text round: they stand as escapes, so that they can be seen.
_UNSEEN = (
    r"\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    r"\U000e0000-\U000e0fff"
)
_NO_SINGLE = re.compile(rf"[\x00-\x1f{_UNSEEN}]")
_NO_LITERAL = re.compile(rf"[\x00-\x08\x0b-\x1f{_UNSEEN}]|\A[ \t\n]|\n[ \t]*\n\Z|\n[ \t]+\Z")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is laid out."""

    newline: str = "\n"
    step: int = 2
    width: int = 100
    flow: bool = True
    """Short lists and mappings of plain values stand in one line."""
    literals: bool = True
    """A text of several lines stands as a literal block."""
    json: bool = False
    indent: str = "  "
    """Of JSON: what one level adds; empty where all stands in one line."""


def scalar(value: Any, *, style: str = "", flow: bool = False) -> str:
    """A scalar in one line. `style` is the quote that it had, and keeps where it can."""
    if not isinstance(value, str):
        if isinstance(value, float) and not math.isfinite(value):
            return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}[str(value)]
        return json.dumps(value)
    if style not in ("'", '"') and stands_plain(value) and not (flow and _NO_FLOW.search(value)):
        return value
    if style != '"' and not _NO_SINGLE.search(value):
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if not _NO_SINGLE.match(char):
        return char
    return f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"


def stands_plain(text: str) -> bool:
    """Whether a text may stand unquoted, and is this text to every reader."""
    return _DURATION.fullmatch(text) is not None or (
        _PLAIN.fullmatch(text) is not None
        and _may_begin(text[0])
        and text[-1] != " "
        and _NOT_PLAIN.search(text) is None
        and _NO_SINGLE.search(text) is None
        and _WORD.fullmatch(text) is None
        and _FIELD.fullmatch(text) is None
        and isinstance(scalar_value(text), str)
    )


def _may_begin(char: str) -> bool:
    return _FIRST.match(char) is not None or any(low <= char <= high for low, high in _FIRST_BEYOND_ASCII)


def literal(text: str, indent: int, style: Style) -> str | None:
    """A text of several lines as a literal block behind its key, its lines at `indent`; None where it cannot be."""
    if not style.literals or "\n" not in text or _NO_LITERAL.search(text):
        return None
    lines = text.removesuffix("\n").split("\n")
    head = "|" if text.endswith("\n") else "|-"
    return style.newline.join([head, *(" " * indent + line if line else "" for line in lines)])


def flow(value: Any) -> str:
    """A value of YAML in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(str(name), flow=True)}: {flow(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value, flow=True)


def _in_one_line(value: Any, room: int, style: Style) -> str | None:
    """A collection in one line, if it stands well that way."""
    if not value:
        return "{}" if isinstance(value, Mapping) else "[]"
    members = list(value.values()) if isinstance(value, Mapping) else list(value)
    if not style.flow or any(isinstance(one, Mapping | list | tuple) for one in members):
        return None
    if isinstance(value, Mapping) and any(isinstance(one, str) and _NO_FLOW.search(one) for one in members):
        return None
    line = flow(value)
    return line if len(line) <= room and "\n" not in line else None


def member(name: str, value: Any, indent: int, style: Style, *, top: bool = True) -> str:
    """`name: value` at `indent`, its first line not indented, without a line's end.

    At the `top` a mapping stands in lines of its own, however short.
    """
    return f"{scalar(name)}:{after_colon(value, indent, style, top=top, taken=len(name) + 2)}"


def after_colon(value: Any, indent: int, style: Style, *, top: bool = True, taken: int = 0) -> str:
    """What stands behind the colon of a member at `indent`, with the space or line end before it."""
    if not isinstance(value, Mapping | list | tuple):
        block = literal(value, indent + style.step, style) if isinstance(value, str) else None
        return " " + (scalar(value) if block is None else block)
    short = _in_one_line(value, style.width - indent - taken, style)
    if short is not None and not (top and isinstance(value, Mapping) and value):
        return " " + short
    inner = indent + style.step
    return style.newline + " " * inner + block_of(value, inner, style)


def block_of(value: Any, indent: int, style: Style) -> str:
    """A mapping or list that is not empty in lines of its own at `indent`, its first line not indented."""
    between = style.newline + " " * indent
    if isinstance(value, Mapping):
        return between.join(member(str(name), one, indent, style, top=False) for name, one in value.items())
    return between.join("- " + element(one, indent + 2, style) for one in value)


def element(value: Any, indent: int, style: Style) -> str:
    """What stands behind the dash of an element whose content is at `indent`."""
    if isinstance(value, Mapping | list | tuple):
        short = _in_one_line(value, style.width - indent, style)
        return block_of(value, indent, style) if short is None else short
    block = literal(value, indent, style) if isinstance(value, str) else None
    return scalar(value) if block is None else block


def json_text(value: Any, before: str, style: Style) -> str:
    """A value of JSON; `before` is the indentation of the line in which it begins."""
    if not style.indent:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=style.indent).split("\n")
    return (style.newline + before).join(lines)
