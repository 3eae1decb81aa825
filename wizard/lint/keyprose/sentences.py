"""What one sentence asks for, by the forms of its language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wizard.lint.keyprose.lexicon import MARKS, Language, Lexicon
from wizard.lint.keyprose.reading import Reading
from wizard.lint.model import Confidence
from wizard.source import Span

_REFERENCE = re.compile(MARKS["ref"])


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rule that a sentence speaks for, and the words that say so."""

    rule: str
    span: Span
    """Of the source."""
    name: str
    """The key's name as it was written; empty where the sentence names none."""
    confidence: Confidence | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found in a sentence, and whether it is of a kind that says nothing to us."""

    verdict: Verdict | None
    hushed: bool = False


def judge(reading: Reading, lexicon: Lexicon, *, spoken_of: bool) -> Judgement:
    """What a sentence asks the reader to do about a key.

    `spoken_of` is whether keys were spoken of right before, so that "the token" is one.
    """
    hushed = False
    for language in lexicon.languages:
        if language.script.search(reading.text):
            said = reading
            if spoken_of or language.context.search(reading.text):
                said = reading.replaced(_REFERENCE, MARKS["key"])
            if spoken_of:
                said = said.replaced(language.ask, MARKS["that"])
            if any(form.pattern.search(said.text) for form in language.hush):
                hushed = True
                continue
            verdict = _fired(said, language)
            if verdict is not None:
                return Judgement(verdict)
    return Judgement(None, hushed)


def _fired(reading: Reading, language: Language) -> Verdict | None:
    text = reading.text
    quiet = [found.span() for form in language.quiet for found in form.pattern.finditer(text)]
    for form in language.fire:
        for found in form.pattern.finditer(text):
            if not any(found.start() < end and start < found.end() for start, end in quiet):
                start, end = found.span()
                return Verdict(form.rule, reading.span(start, end), reading.name_in(start, end), form.confidence)
    return None


def speaks_of_keys(text: str, lexicon: Lexicon) -> bool:
    """Whether a heading or a sentence, in lower case, speaks of keys or of what they are for."""
    if any(language.context.search(text) for language in lexicon.languages):
        return True
    return any(found["key"] is not None for found in lexicon.names.finditer(text))


def is_away(headings: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether a text stands under a heading under which nothing is asked of who performs the call."""
    return any(language.away.search(heading.lower()) for language in lexicon.languages for heading in headings[-2:])
