"""Where a sample stands: on the caller's side or not, in a request or an answer, run by the agent or in a program."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from wizard.lint.keyprose.lexicon import Lexicon
from wizard.skill.prose import Block

Side = Literal["request", "program", "none"]
"""`request` is what the agent sends or runs itself, `program` what it writes into an application, `none` neither."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a whole sample is, and which of its lines announce an answer or a request."""

    side: Side
    answers: tuple[int, ...]
    """Where lines stand behind which an answer stands, in their order."""
    requests: tuple[int, ...]
    is_answer: bool
    """Whether a place before which no line says so lies in an answer."""

    def in_answer(self, at: int) -> bool:
        """Whether a place lies in an answer: by the last line before it that says so, else as it was introduced."""
        answer, request = _last(self.answers, at), _last(self.requests, at)
        return answer > request if answer >= 0 or request >= 0 else self.is_answer


def _last(places: tuple[int, ...], at: int) -> int:
    index = bisect_left(places, at)
    return places[index - 1] if index else -1


def setting_of(block: Block, text: str, lexicon: Lexicon) -> Setting:
    """The setting of a code block; `text` is its text in lower case."""
    code = lexicon.code
    answers, requests = _introduced(block.lead[-200:].lower(), code)
    if not answers and not requests:
        answers, requests = _introduced((block.headings[-1] if block.headings else "").lower(), code)
    shown = text.lstrip()[:1] in ("{", "[") and code["answer_members"].search(text) is not None
    return Setting(
        _side(block, text, lexicon),
        tuple(found.start() for found in code["answer"].finditer(text)),
        tuple(found.start() for found in code["request"].finditer(text)),
        not requests and (answers or shown),
    )


def _introduced(text: str, code: Mapping[str, re.Pattern[str]]) -> tuple[bool, bool]:
    return bool(code["answer_words"].search(text)), bool(code["request_words"].search(text))


def is_program(text: str, lexicon: Lexicon) -> bool:
    """Whether a text, in lower case, is a program's, fence or not."""
    return len({found.start() for found in lexicon.code["program"].finditer(text)}) >= 3


def looks_like_code(text: str, lexicon: Lexicon) -> bool:
    """Whether a paragraph, in lower case, is code that stands in no fence: most of its lines are a program's."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return False
    return 2 * sum(lexicon.code["code_line"].match(line) is not None for line in lines[:60]) >= min(60, len(lines))


def _side(block: Block, text: str, lexicon: Lexicon) -> Side:
    code = lexicon.code
    program = block.language in lexicon.program_languages or (
        block.language in ("", "text", "plaintext") and is_program(text, lexicon)
    )
    if not program and block.kind != "code":
        # Lines of a program's that were taken for a paragraph; what JSON or a command is begins otherwise.
        program = text.lstrip()[:1] not in ("{", "[", '"') and code["program"].search(text) is not None
    if code["schema"].search(text):
        return "none"
    if not program:
        return "none" if code["server_words"].search(text) else "request"
    if code["server"].search(text):
        return "none"
    if code["clients"].search(text) and code["absolute_url"].search(text):
        return "request"
    return "program"


def command_of(text: str, start: int, end: int) -> str:
    """The command that a place belongs to: its line and those before it that go on to it, 2,000 characters at most."""
    least = max(0, start - 2000)
    first = text.rfind("\n", least, start) + 1 or least
    while first > least:
        before = text[least:first].rstrip()
        if not before.endswith("\\") and not _inside(before):
            break
        first = text.rfind("\n", least, first - 1) + 1 or least
    return text[first:end]


def _inside(text: str) -> bool:
    """Whether a quote that a command opened is not closed yet."""
    return text.count("'") % 2 == 1 and ("curl " in text or "--data" in text or "-d " in text)
