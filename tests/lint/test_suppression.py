"""Comments that allow a rule: what they cover."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.lint.suppression import find_suppressions

NOTE = "<!-- skill-wizard: allow prose-builds-key: quoted -->"


def covered(text: str) -> list[list[str]]:
    """The lines that each suppression covers."""
    lines = text.split("\n")
    return [lines[one.first_line - 1 : one.last_line] for one in find_suppressions(text)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{NOTE}\none\ntwo\n\nthree\n", ["one", "two"]),
        (f"{NOTE}\n\n\n- one\n- two\n\n- three\n", ["- one", "- two"]),
        (f"{NOTE}\n| a | b |\n|---|---|\n| c | d |\n\nend\n", ["| a | b |", "|---|---|", "| c | d |"]),
        (f"{NOTE}\n\n```sh\ncurl\n\ncurl again\n```\nend\n", ["```sh", "curl", "", "curl again", "```"]),
        (f"{NOTE}\n~~~~\n~~~\n```\n~~~~\nend\n", ["~~~~", "~~~", "```", "~~~~"]),
        (f"{NOTE}\n```\nnever closed\n", ["```", "never closed"]),
        (f"one\ntwo {NOTE}\nthree\n\nfour\n", ["one", f"two {NOTE}", "three"]),
        (f"- {NOTE} an item\n", [f"- {NOTE} an item"]),
        (f"> {NOTE}\n> quoted\n\nend\n", ["> quoted"]),
        (f"text\n\n{NOTE}\n", []),
        ("<!--\nskill-wizard: allow prose-builds-key:\nover lines\n-->\none\n\ntwo\n", ["one"]),
    ],
)
def test_in_the_prose_it_covers_a_block(text: str, lines: list[str]) -> None:
    assert covered(text) == [lines]


@pytest.mark.parametrize(
    ("member", "lines"),
    [
        ("  # skill-wizard: allow a: b\n  one: 1\n  two: 2\n", ["  one: 1"]),
        (
            "  # skill-wizard: allow a: b\n  # more\n\n  one:\n    deep: 1\n\n    deeper: 2\n  two: 2\n",
            ["  one:", "    deep: 1", "", "    deeper: 2"],
        ),
        ("  # skill-wizard: allow a: b\n  one:\n  - x\n  - y\n  two: 2\n", ["  one:", "  - x", "  - y"]),
        ("  one: 1 # skill-wizard: allow a: b\n  two: 2\n", ["  one: 1 # skill-wizard: allow a: b"]),
        ("  one: [\n    a, # skill-wizard: allow a: b\n  ]\n  two: 2\n", ["    a, # skill-wizard: allow a: b", "  ]"]),
        ("  # skill-wizard: allow a: b\n", []),
    ],
)
def test_in_the_frontmatter_it_covers_a_member(member: str, lines: list[str]) -> None:
    assert covered(f"---\noperation:\n{member}---\n\nText.\n") == [lines]


@pytest.mark.parametrize(
    ("front", "lines"),
    [
        ("# skill-wizard: allow a: b\nname: x\nlicense: y\n", ["---", "# skill-wizard: allow a: b", "name: x"]),
        ("\n# see below\n# skill-wizard: allow a: b\nname: x\n", ["---", "", "# see below", "# skill-wizard: allow a: b", "name: x"]),  # noqa: E501
        ("name: x\n# skill-wizard: allow a: b\nlicense: y\n", ["license: y"]),
        ("name: x # skill-wizard: allow a: b\n", ["name: x # skill-wizard: allow a: b"]),
    ],
)  # fmt: skip
def test_above_the_first_member_it_covers_the_head_too(front: str, lines: list[str]) -> None:
    assert covered(f"---\n{front}---\n\nText.\n") == [lines]


def test_names_and_reason_are_read() -> None:
    (found,) = find_suppressions("<!-- skill-wizard: allow a-rule, another : why: because -->\nx\n")
    assert [name.rule for name in found.rules] == ["a-rule", "another"]
    assert found.reason == "why: because"


@pytest.mark.parametrize(
    "text",
    [
        "skill-wizard: allow a: in plain text\n",
        "<!-- see skill-wizard: allow a: b -->\nx\n",
        "<!-- skill-wizard: allow a: b\nnever closed\n",
        f"```html\n{NOTE}\n```\n",
        "---\nname: 'skill-wizard: allow a: b'\n---\n",
        "<!-- skill-wizard: allows a -->\n",
    ],
)
def test_what_is_no_suppression(text: str) -> None:
    assert find_suppressions(text) == ()


PIECE = st.sampled_from(["---\n", "```\n", NOTE, "# skill-wizard: allow a, b: c\n", "\n", "  ", "x: y\n", "- ", "\r\n", "-->", "<!--", "> "])  # fmt: skip  # noqa: E501


@given(st.lists(PIECE, max_size=12).map("".join))
def test_every_text_can_be_looked_at(text: str) -> None:
    for found in find_suppressions(text):
        assert 0 <= found.start < found.end <= len(text)
        assert all(found.start <= name.start < name.end <= found.end for name in found.rules)


def test_a_long_text_full_of_marks_takes_no_long_time() -> None:
    text = "<!-- skill-wizard: allow " * 20_000
    assert find_suppressions(text) == ()
