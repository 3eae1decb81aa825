"""A document's regular expression, tried on one short text without letting it hang us."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

_LONGEST_PATTERN = 300
_LONGEST_TEXT = 64
_UNBOUNDED = 4
"""How many open-ended repetitions one pattern may have: backtracking costs the text's length to this power."""

_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?<[=!]|\(\?[:=!]|\(\?P?<\w+>|[()|]|[*+?]|\{\d+(?:,\d*)?\}|.", re.DOTALL
)


def matches(pattern: str, text: str) -> bool | None:
    """Whether `pattern` is found in `text` (JSON Schema does not anchor it); None where we do not try.

    Not tried are patterns that Python does not read, and those whose repetitions lie inside one another, are too many
    or too long: they may take ages.
    """
    if len(text) > _LONGEST_TEXT:
        return None
    compiled = _compiled(pattern)
    return None if compiled is None else compiled.search(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    if len(pattern) > _LONGEST_PATTERN or not _tame(pattern):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return re.compile(pattern)
        except (re.error, OverflowError, RecursionError):
            return None


def _tame(pattern: str) -> bool:
    """No repetition of something that itself repeats or chooses, and few open-ended ones."""
    tokens: list[str] = _TOKEN.findall(pattern)
    open_groups: list[bool] = []  # whether something in it may match in several ways
    last_is_loose = False  # the same of the atom just read
    unbounded = 0
    for token in tokens:
        if token[0] == "(":
            open_groups.append(False)
            last_is_loose = False
        elif token == ")":
            last_is_loose = open_groups.pop() if open_groups else False
            if last_is_loose and open_groups:
                open_groups[-1] = True
        elif token == "|":
            last_is_loose = False
            if open_groups:
                open_groups[-1] = True
        elif token in "*+?" or (token[0] == "{" and len(token) > 1):
            times = _most(token)
            if times > 1 and last_is_loose:
                return False
            unbounded += times > 64
            if open_groups and (token in "*+?" or "," in token):
                open_groups[-1] = True
            last_is_loose = False
        else:
            if token[0] == "\\" and token[1:].isdigit():  # a back reference
                return False
            last_is_loose = False
    return unbounded <= _UNBOUNDED


def _most(quantifier: str) -> int:
    if quantifier in "*+":
        return 10_000
    if quantifier == "?":
        return 1
    last = quantifier[1:-1].rpartition(",")
    return int(last[2]) if last[2] else (10_000 if last[1] else int(quantifier[1:-1]))
