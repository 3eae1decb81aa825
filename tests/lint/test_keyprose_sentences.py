"""Sentences that ask for a key, and sentences that only sound like it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.lint.keyprose.found import hits_of
from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.model import Context
from wizard.source import Source

SENTENCES = yaml.safe_load(Path(__file__).with_name("keyprose_sentences.yml").read_text(encoding="utf-8"))
ASKS = [(rule, sentence) for rule, sentences in SENTENCES["asks"].items() for sentence in sentences]
INNOCENT = SENTENCES["innocent"]


def context(body: str, *, before: str = "", newline: str = "\n") -> Context:
    text = f"---\nname: bookings\ndescription: Books.\n---\n\n# Bookings\n\n{body}\n"
    return Context(source=Source("bookings/SKILL.md", before + text.replace("\n", newline)))


@pytest.mark.parametrize(("rule", "sentence"), ASKS, ids=[sentence[:60] for _, sentence in ASKS])
def test_a_sentence_that_asks_for_a_key_is_found(rule: str, sentence: str) -> None:
    hits = hits_of(context(sentence))
    assert [hit.rule for hit in hits[:1]] == [rule]


@pytest.mark.parametrize("sentence", INNOCENT, ids=[sentence[:60] for sentence in INNOCENT])
def test_an_innocent_sentence_is_left_alone(sentence: str) -> None:
    assert [(hit.rule, hit.name) for hit in hits_of(context(sentence))] == []


def test_there_are_enough_of_both() -> None:
    assert len(ASKS) >= 21
    assert len(INNOCENT) >= 20


@pytest.mark.parametrize(
    "wrap", ["> {}", "- {}", "1. {}", "**Note:** {}", "> - {}", "Look at the room first. {} Then stop."]
)
def test_it_is_found_wherever_it_stands(wrap: str) -> None:
    for _, sentence in ASKS:
        if sentence.startswith("|") or ":" in sentence:
            continue
        said = sentence if sentence[-1] in ".。" else f"{sentence}."
        assert hits_of(context(wrap.format(said))), said


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([sentence for _, sentence in ASKS] + INNOCENT), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_places_lie_in_the_text_and_mark_words(sentences: list[str], newline: str, before: str) -> None:
    looked = context("\n\n".join(sentences), before=before, newline=newline)
    text = looked.source.text
    for hit in hits_of(looked):
        assert 0 <= hit.unit.start <= hit.span.start < hit.span.end <= hit.unit.end <= len(text)
        marked = text[hit.span.start : hit.span.end]
        assert marked == marked.strip()
        assert hit.name == "" or hit.name in text


@settings(deadline=None)
@given(st.lists(st.sampled_from([sentence for _, sentence in ASKS] + INNOCENT), min_size=1, max_size=4))
def test_line_ends_and_a_byte_order_mark_change_nothing(sentences: list[str]) -> None:
    body = "\n\n".join(sentences)
    found = [[(hit.rule, hit.name) for hit in hits_of(looked)] for looked in (
        context(body), context(body, newline="\r\n"), context(body, before="\ufeff"),
    )]  # fmt: skip
    assert found[0] == found[1] == found[2]


def test_every_language_is_spoken() -> None:
    assert {language.name for language in lexicon().languages} >= {"en", "zh", "ja"}


def test_the_hosts_own_sentences_ask_for_nothing() -> None:
    for language in lexicon().languages:
        for said in (
            language.host.format(name="Idempotency-Key"),
            language.host.format(name="client_token"),
            language.once,
        ):
            assert hits_of(context(said)) == (), said
