"""A look that says "nothing here" is never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.keyprose.signs import AnyOf, Signs, load_signs, signs_of
from wizard.lint.quick import families_for, prose_signs

SENTENCES = yaml.safe_load(Path(__file__).with_name("keyprose_sentences.yml").read_text(encoding="utf-8"))
ASKS = [sentence for sentences in SENTENCES["asks"].values() for sentence in sentences]


@given(st.sampled_from([name for name, _ in lexicon().named]), st.sampled_from(["", " ", "-", "_", "."]), st.booleans())
def test_every_name_has_a_sign_however_it_is_written(name: str, separator: str, upper: bool) -> None:
    written = separator.join(name.split())
    text = f"Send {written.upper() if upper else written} with it."
    assert lexicon().signs.in_text(text.lower())
    assert next(lexicon().names().find(text.lower()), None) is not None


@pytest.mark.parametrize("sentence", ASKS, ids=[sentence[:60] for sentence in ASKS])
def test_what_asks_for_a_key_shows_a_sign(sentence: str) -> None:
    assert lexicon().signs.in_text(sentence.lower())
    assert "prose-key" in families_for(
        f"---\nname: a\ndescription: b\n---\n{sentence}".encode(), prose_signs(), strict=False
    )


def test_what_speaks_of_keys_shows_a_sign() -> None:
    for language in lexicon().languages:
        for phrase in language.context.pattern.split("|"):
            assert lexicon().signs.in_text(phrase.replace("\\", ""))


def test_ordinary_text_shows_none() -> None:
    for text in ("", "list the rooms and show their prices", "press the arrow keys", "列出房间", "部屋を一覧する"):
        assert not prose_signs().in_text(text)


def test_signs_are_values_that_can_be_kept() -> None:
    signs = lexicon().every_sign()
    again = load_signs(signs.dump())
    assert again is not None
    assert again.dump() == signs.dump()
    assert load_signs(0) is None
    assert load_signs([["a"]]) is None


@given(
    st.lists(st.text("abcd", min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join),
    st.lists(st.text("abcd 幂等", min_size=2, max_size=9).map(str.strip).filter(bool), max_size=4),
)
def test_signs_of_any_words_find_these_words(name: str, phrases: list[str]) -> None:
    signs = signs_of([name], phrases)
    for separator in ("", " ", "-", "_"):
        assert signs.in_text(f"x {separator.join(name.split())} y")
    for phrase in phrases:
        assert signs.in_text(f"x {phrase} y")


@given(
    st.lists(st.lists(st.text("abé", min_size=1, max_size=4), min_size=1, max_size=3).map(" ".join), max_size=4),
    st.lists(st.text("ab- 幂", min_size=1, max_size=5).map(str.strip).filter(bool), max_size=4),
    st.lists(st.text("abé幂 -_s", max_size=30), min_size=1, max_size=5),
)
def test_all_signs_as_one_pattern_say_the_same(names: list[str], phrases: list[str], texts: list[str]) -> None:
    signs = signs_of(names, phrases)
    plain = Signs(signs.signs)
    for text in texts:
        assert signs.in_text("x" * 200_000 + text) is plain.in_text("x" * 200_000 + text)
        assert signs.in_text(text) is plain.in_text(text)


def test_all_signs_as_one_pattern_say_the_same_of_what_asks() -> None:
    signs = lexicon().every_sign()
    plain = Signs(signs.signs)
    signs.in_text("x" * 200_000)
    for text in (*ASKS, *SENTENCES["innocent"]):
        for start in range(0, len(text), 7):
            lowered = text[start : start + 40].lower()
            assert signs.in_text(lowered) is plain.in_text(lowered)


LONG = "0123456789 " * 20_000
"""After so many letters all signs are looked for at once."""


@settings(deadline=None, max_examples=60)
@given(
    names=st.lists(
        st.sampled_from(["client token", "request id", "idempotency key", "cl ord id", "mch trade no"]), max_size=4
    ),
    text=st.text(alphabet="clientokrqusdmh -_.0sé ", max_size=60)
    | st.sampled_from(
        ["client-tokens", "client tokened", "my request_id", "requestid", "IDEMPOTENCY KEYS", "a.client.token", "幂等"]
    ),
)
def test_looked_for_at_once_they_are_found_where_they_are_found_one_by_one(names: list[str], text: str) -> None:
    few, all_at_once = (signs_of(names, ["retry", "avoid duplicates", "幂等"]) for _ in range(2))
    all_at_once.in_text(LONG)
    loaded = load_signs(all_at_once.dump())
    assert loaded is not None
    loaded.in_text(LONG)
    lowered = text.lower()
    assert few.in_text(lowered) == all_at_once.in_text(lowered) == loaded.in_text(lowered)


def test_any_of_some_texts_is_found_however_often_it_was_asked() -> None:
    known = AnyOf(["retry", "b c", "ü"])
    for _ in range(2):
        assert [known.stands_in(text) for text in ("a retry", "b  c", "b c", "für", "", "retr")] == [
            True, False, True, True, False, False,
        ]  # fmt: skip
        known.stands_in("x" * 3_000_000)
    assert known.stands_in("\ud800 retry")
    assert not known.stands_in("\ud800")
    assert not AnyOf([]).stands_in("a")
