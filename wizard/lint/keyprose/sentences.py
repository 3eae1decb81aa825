"""What one sentence asks for, by the forms of its language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from wizard.lint.keyprose.lexicon import MARKS, Form, Language, Lexicon
from wizard.lint.keyprose.reading import Reading
from wizard.lint.model import Confidence
from wizard.source import Span

_NAMED = re.compile("[" + "".join(MARKS[name] for name in ("key", "token", "ref", "ask", "that", "fresh", "it")) + "]")
_NAMED_CODE = re.compile(MARKS["named"])
_MAY_BE = re.compile(f"[{MARKS['ref']}{MARKS['token']}]")


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
    samples_hushed: bool = False
    """Whether what a sample fills in it says nothing either."""
    whole_hushed: bool = False
    """Whether the sentence around a clause says nothing either."""


def judge(reading: Reading, lexicon: Lexicon, *, spoken_of: bool, speaks: bool = False) -> Judgement:
    """What a sentence asks the reader to do about a key.

    `spoken_of` is whether keys were spoken of right before, so that "the token" is one; `speaks` whether the sentence
    itself says what keys are for, be it in its code.
    """
    tried = [
        (_said(reading, language, spoken_of=spoken_of, speaks=speaks), language)
        for language in lexicon.languages
        if language.written_in(reading.text)
    ]
    for said, language in tried:
        sure = _fired(said, language.sure, ())
        if sure is not None:
            return Judgement(sure)
    # In a text of two languages either may say that nothing is asked for.
    hushes = [form for said, language in tried for form in language.hush if form.pattern.search(said.text)]
    if hushes:
        return Judgement(None, True, any(form.samples for form in hushes), any(form.whole for form in hushes))
    for said, language in tried:
        verdict = _fired(said, language.fire, language.quiet) if _NAMED.search(said.text) else None
        if verdict is None:
            verdict = _fired(reading.replaced(_NAMED_CODE, MARKS["code"]), language.bare, language.quiet)
        if verdict is None and spoken_of:
            verdict = _fired(said, language.spoken, language.quiet)
        if verdict is not None:
            return Judgement(verdict)
    return Judgement(None)


def _said(reading: Reading, language: Language, *, spoken_of: bool, speaks: bool) -> Reading:
    """The reading with names that may be a key's taken for one where keys are spoken of, and for what they are else."""
    speaks = speaks or language.context.search(reading.text) is not None
    if spoken_of or speaks:
        reading = reading.replaced(_MAY_BE, MARKS["key"])
    if spoken_of or (speaks and MARKS["key"] not in reading.text):
        reading = reading.replaced(language.fresh, MARKS["fresh"]).replaced(language.ask, MARKS["that"])
    return reading.replaced(language.it, MARKS["it"]) if spoken_of else reading.replaced(_NAMED_CODE, MARKS["code"])


def _fired(reading: Reading, fire: tuple[Form, ...], quiet: tuple[Form, ...]) -> Verdict | None:
    text = reading.text
    silent = [found.span() for form in quiet for found in form.pattern.finditer(text)]
    for form in fire:
        if form.unless is not None and form.unless.search(text):
            continue
        for found in form.pattern.finditer(text):
            if not any(found.start() < end and start < found.end() for start, end in silent):
                start, end = found.span()
                return Verdict(form.rule, reading.span(start, end), reading.name_in(start, end), form.confidence)
    return None


@lru_cache(maxsize=4096)
def is_away(headings: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether a text stands under a heading under which nothing is asked of who performs the call."""
    return any(language.away.search(heading.lower()) for language in lexicon.languages for heading in headings[-2:])


@lru_cache(maxsize=4096)
def is_report(headings: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether sentences under a heading report or check something."""
    return any(language.report.search(heading.lower()) for language in lexicon.languages for heading in headings[-2:])


def is_wrong(text: str, lexicon: Lexicon) -> bool:
    """Whether a heading or a lead says that the sample under it shows what not to do."""
    return any(language.wrong.search(text.lower()) for language in lexicon.languages)
