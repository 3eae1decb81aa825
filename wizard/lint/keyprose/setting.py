"""Where a sample stands: on the caller's side or not, in a request or an answer, run by the agent or in a program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from wizard.lint.keyprose.lexicon import Lexicon
from wizard.skill.prose import Block

Side = Literal["request", "program", "none"]
"""`request` is what the agent sends or runs itself, `program` what it writes into an application, `none` neither."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a whole sample is."""

    side: Side
    speaks_of_answers: bool
    """Whether what introduces it announces an answer."""
    speaks_of_requests: bool


def setting_of(block: Block, text: str, lexicon: Lexicon) -> Setting:
    """The setting of a code block; `text` is its text in lower case."""
    code = lexicon.code
    lead = block.lead[-200:].lower()
    heading = (block.headings[-1] if block.headings else "").lower()
    answers, requests = _introduced(lead, code)
    if not answers and not requests:
        answers, requests = _introduced(heading, code)
    return Setting(_side(block, text, lexicon), answers, requests)


def _introduced(text: str, code: Mapping[str, re.Pattern[str]]) -> tuple[bool, bool]:
    return bool(code["answer_words"].search(text)), bool(code["request_words"].search(text))


def is_program(text: str, lexicon: Lexicon) -> bool:
    """Whether a text, in lower case, is a program's, fence or not."""
    return len({found.start() for found in lexicon.code["program"].finditer(text)}) >= 3


def _side(block: Block, text: str, lexicon: Lexicon) -> Side:
    code = lexicon.code
    program = block.language in lexicon.program_languages or (
        block.language in ("", "text", "plaintext") and is_program(text, lexicon)
    )
    if code["schema"].search(text):
        return "none"
    if not program:
        return "none" if code["server_words"].search(text) else "request"
    if code["server"].search(text):
        return "none"
    if code["clients"].search(text) and code["absolute_url"].search(text):
        return "request"
    return "program"


def in_answer(text: str, at: int, setting: Setting, lexicon: Lexicon) -> bool:
    """Whether a place of a sample lies in an answer: by the last line before it that says so, else as introduced."""
    answer = _last(lexicon.code["answer"], text, at)
    request = _last(lexicon.code["request"], text, at)
    if answer >= 0 or request >= 0:
        return answer > request
    if setting.speaks_of_requests:
        return False
    if setting.speaks_of_answers:
        return True
    return text.lstrip()[:1] in "{[" and lexicon.code["answer_members"].search(text) is not None


def _last(pattern: re.Pattern[str], text: str, at: int) -> int:
    last = -1
    for found in pattern.finditer(text, 0, at):
        last = found.start()
    return last


def command_of(text: str, start: int, end: int) -> str:
    """The command that a place belongs to: its line and those that it goes on to by a backslash or an open quote."""
    first = text.rfind("\n", 0, start) + 1
    while first > 0 and (text[:first].rstrip().endswith("\\") or _inside(text[max(0, first - 2000) : first])):
        first = text.rfind("\n", 0, first - 1) + 1
        if start - first > 2000:
            break
    return text[first:end]


def _inside(text: str) -> bool:
    return text.count("'") % 2 == 1 and re.search(r"\bcurl\b|--data|-d ", text) is not None
