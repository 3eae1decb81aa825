"""What a pattern needs: a text without it is not matched by it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.lint.keyprose.lazy import lazily
from wizard.lint.keyprose.lexicon import Form, lexicon
from wizard.lint.keyprose.needs import needs_of
from wizard.lint.keyprose.reading import read
from wizard.skill.prose_text import Text

SENTENCES = yaml.safe_load(Path(__file__).with_name("keyprose_sentences.yml").read_text(encoding="utf-8"))
TEXTS = [*(text for texts in SENTENCES["asks"].values() for text in texts), *SENTENCES["innocent"]]


def patterns() -> list[str]:
    found = set()
    for language in lexicon().languages:
        for part in fields(language):
            value = getattr(language, part.name)
            for one in value if isinstance(value, tuple) else (value,):
                pattern = one.pattern if isinstance(one, Form) else one
                if hasattr(pattern, "search"):
                    found.add(pattern.pattern)
    return sorted(found)


PATTERNS = patterns()


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        ("abc", (("abc",),)),
        ("a?", ()),
        ("(?:make|build) +(?:the )?key", (("build", "make"), ("key",), (" ",))),
        ("(?:make|x*)", ()),
        ("(?=ab)(?!cd).", (("ab",),)),
        ("[kt]ey", (("ey",), ("k", "t"))),
    ],
)
def test_what_a_pattern_needs(pattern: str, needs: tuple[tuple[str, ...], ...]) -> None:
    assert needs_of(pattern) == needs


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_what_a_pattern_matches_holds_what_it_needs(data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(PATTERNS))
    text = data.draw(st.from_regex(re.compile(pattern)))
    assert all(any(need in text for need in needs) for needs in needs_of(pattern))


def test_a_pattern_that_knows_its_needs_finds_the_same() -> None:
    readings = [read(Text.of(text, 0, len(text)), lexicon().names(), lexicon()).text for text in TEXTS]
    for pattern in PATTERNS:
        made = re.compile(pattern)
        for text in readings:
            lazy = lazily(pattern, needs=needs_of(pattern))
            assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in made.finditer(text)]
            found = lazily(pattern, needs=needs_of(pattern)).search(text, 1)
            assert (found and found.span()) == ((same := made.search(text, 1)) and same.span())


def test_other_methods_are_the_patterns_own() -> None:
    lazy = lazily("a(b)?", needs=(("a",),))
    assert lazy.pattern == "a(b)?"
    assert lazy.groups == 1
    assert lazily("a", needs=(("a",),)).match("a") is not None
    with pytest.raises(AttributeError):
        _ = lazy.scanner
