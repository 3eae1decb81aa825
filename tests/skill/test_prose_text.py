"""Text as it reads: markup taken out, sentences told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.skill.prose_text import Text, clauses, plain, sentences


def whole(text: str) -> Text:
    return Text.of(text, 0, len(text))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**bold** and *slanted*", "bold and slanted"),
        ("__bold__ but snake_case_name", "bold but snake_case_name"),
        ("[a **link**](https://a.example/x_y)", "a link"),
        ("![picture](a.png) text", " text"),
        ("`a * b` stays", "`a * b` stays"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<b>strong</b> <order-id> <uuid>", "strong <order-id> <uuid>"),
        ("seen <!-- not this --> again", "seen  again"),
        (r"a\*b \<c\>", "a*b <c>"),
    ],
)
def test_markup_goes_and_words_stay(written: str, read: str) -> None:
    assert plain(whole(written)).text == read


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("E.g. a key, i.e. the token. Then send it.", ["E.g. a key, i.e. the token.", "Then send it."]),
        ("Call `a. B` once. Then stop.", ["Call `a. B` once.", "Then stop."]),
        ("version 1.2 of v1.3 it is", ["version 1.2 of v1.3 it is"]),
        ("生成键。然后发送！好", ["生成键。", "然后发送！", "好"]),
        ("So it is:\n  this", ["So it is:", "this"]),
        ("Ends here. `code` begins.", ["Ends here.", "`code` begins."]),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_they_end(text: str, parts: list[str]) -> None:
    assert [sentence.text for sentence in sentences(whole(text))] == parts


def test_clauses_are_parted_by_semicolons() -> None:
    assert [clause.text for clause in clauses(whole("make a key; send `a;b`；发送"))] == [
        "make a key;",
        "send `a;b`；",
        "发送",
    ]


@given(st.text(alphabet="ab .*_`[]()<>!\\\n;。-", max_size=60))
def test_no_character_is_lost_or_moved(text: str) -> None:
    read = plain(whole(text))
    assert len(read.offsets) == len(read.text) + 1
    for char, offset in zip(read.text, read.offsets, strict=False):
        assert text[offset] == char
    words = "".join("".join(sentence.text.split()) for sentence in sentences(read))
    assert words == "".join(read.text.split())


def test_a_part_stands_where_its_characters_stand() -> None:
    read = plain(whole("see **this** [word](there)"))
    at = read.text.index("word")
    assert read.part(at, at + 4).whole == read.span(at, at + 4)
    assert read.span(at, at + 4).start == "see **this** [".__len__()
    assert read.part(3, 3).whole.start == read.part(3, 3).whole.end
