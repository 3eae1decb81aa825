"""What else a text says of repeating a write: retry until it works, never retry, check before you create."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.found import blocks_of, declared, lowered, names_for
from wizard.lint.keyprose.lexicon import Form, Language, language_of, lexicon
from wizard.lint.keyprose.reading import read
from wizard.lint.keyprose.sentence_edits import without_sentence
from wizard.lint.keyprose.sentences import is_away
from wizard.lint.model import Context, Fix
from wizard.skill.prose import Block
from wizard.skill.prose_text import Text
from wizard.source import Span

_SAYINGS = "keyprose.sayings"


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence that one of the rules speaks of."""

    rule: str
    span: Span
    """The words that matter."""
    unit: Span
    """The whole sentence."""
    block: Block
    about: str = ""
    """Which of several things that the rule listens to."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """What the form took out of the sentence."""
    language: Language | None = None


def sayings_of(context: Context, rule: str) -> tuple[Saying, ...]:
    """The sentences that a rule speaks of, in their order."""
    known: tuple[Saying, ...] | None = context.shared.get(_SAYINGS)
    if known is None:
        known = context.shared[_SAYINGS] = tuple(_sayings(context))
    return tuple(saying for saying in known if saying.rule == rule)


def _sayings(context: Context) -> Iterator[Saying]:
    if context.whole:
        return
    operation = declared(context)
    text = lowered(context)
    words = lexicon()
    free = operation is not None or words.say_signs.in_text(text)
    if not (free or words.signs.in_text(text)):
        return
    forms = [
        (language, form)
        for language in words.languages
        for form in language.say
        if (free or form.named)
        and (not form.declared or (operation is not None and operation.is_write))
        and form.may_match(text)
    ]
    if not forms:
        return
    for block in blocks_of(context):
        if block.kind in ("heading", "code") or is_away(block.headings, words):
            continue
        folded = fold(block.text.text)
        if any(form.may_match(folded) for _, form in forms):
            for sentence in block.sentences():
                yield from _said(context, block, sentence, forms)


def _said(context: Context, block: Block, sentence: Text, forms: list[tuple[Language, Form]]) -> Iterator[Saying]:
    reading = read(sentence, names_for(context), lexicon())
    seen: set[tuple[str, str]] = set()
    for language, form in forms:
        if (form.rule, form.about) in seen or not language.written_in(reading.text):
            continue
        if form.unless is not None and form.unless.search(reading.text):
            continue
        found = form.pattern.search(reading.text)
        if found is not None and found.end() > found.start():
            seen.add((form.rule, form.about))
            parts = {name: part for name, part in found.groupdict().items() if part is not None}
            span = reading.span(*found.span())
            yield Saying(form.rule, span, sentence.whole, block, form.about, parts, language)


def once_instead(context: Context, saying: Saying, title: str) -> Fix | None:
    """The fix that puts into a sentence's place that the write is called once; None in a file that declares none."""
    operation = declared(context)
    if operation is None or not operation.is_write or saying.block.kind in ("row", "description"):
        return None
    said = language_of(context.source.text[saying.unit.start : saying.unit.end]).once
    instead = "" if said in context.source.text else said
    edits = without_sentence(context.source, saying.block, saying.unit, instead)
    return Fix(title, edits, "unsafe") if edits else None
