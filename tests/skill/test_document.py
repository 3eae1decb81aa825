"""Skill files read: every value has its place, and everything that is wrong is said with its place."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.operation.field_path import FieldPath
from wizard.skill.document import IN_SKILL, SkillDocument, parse_skill, prose_of
from wizard.source import Source

SPEC = """\
---
name: create_booking
description: Books a room.
operation:
  method: POST
  url: http://h/bookings
  body: [room_id, guest]
  identity:
    - room_id
    - guest
---
# Book a room
"""

SKILL = """\
---
name: booking
description: Books a room.
metadata:
  author: me
  outturn-operation: |
    # one booking
    method: POST

    url: http://h/bookings
    identity:
    - room_id
    - guest
  version: "1"
---
# Book a room
"""


def read(text: str, name: str = "a.md") -> SkillDocument:
    return parse_skill(Source(name, text))


def said(document: SkillDocument) -> list[str]:
    """`line:column text-at-the-place rule message` of each problem."""
    text = document.source.text
    found = []
    for problem in document.problems:
        at = document.source.position(problem.span.start)
        marked = text[problem.span.start : problem.span.end]
        found.append(f"{at.line}:{at.column} {marked!r} {problem.rule}: {problem.message}")
    return found


def marked(document: SkillDocument, *path: str | int) -> str | None:
    span = document.span(*path)
    return None if span is None else document.source.text[span.start : span.end]


def marked_key(document: SkillDocument, *path: str | int) -> str | None:
    span = document.key_span(*path)
    return None if span is None else document.source.text[span.start : span.end]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
def test_an_operation_spec(newline: str, mark: str) -> None:
    document = read(mark + SPEC.replace("\n", newline))
    assert document.form == "spec"
    assert (document.name, document.description) == ("create_booking", "Books a room.")
    assert document.body == f"# Book a room{newline}"
    assert document.problems == ()
    assert document.operation is not None
    assert document.operation.identity == (FieldPath.body("room_id"), FieldPath.body("guest"))
    assert marked(document, "operation", "identity", 1) == "guest"
    assert marked_key(document, "operation", "identity") == "identity"
    assert marked(document, "operation", "body", 0) == "room_id"
    assert marked(document, "operation", "nothing") is None
    assert document.operation_span("url") == document.span("operation", "url")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_places_in_the_string_of_a_skill_file(newline: str) -> None:
    document = read(SKILL.replace("\n", newline), "booking/SKILL.md")
    assert document.form == "skill"
    assert document.operation is not None
    assert document.operation_path == IN_SKILL
    assert document.problems == ()
    assert marked(document, *IN_SKILL, "url") == "http://h/bookings"
    assert marked_key(document, *IN_SKILL, "method") == "method"
    assert marked(document, *IN_SKILL, "identity", 1) == "guest"
    assert marked_key(document, *IN_SKILL) == "outturn-operation"
    identity = document.operation_key_span("identity")
    assert identity is not None
    assert document.source.position(identity.start).line == 11


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"method: POST\\nurl: http://h/x\\nbdy: []"', '"method: POST\\nurl: http://h/x\\nbdy: []"'),
        ("'method: POST'", "outturn-operation"),
        ("'bdy: 1'", "bdy"),
        (">\n    bdy: 1", ">\n    bdy: 1"),
        ("|2\n    bdy: 1", "bdy"),
        ("|-\n\n\n      bdy: 1\n", "bdy"),
        ("&a |\n    bdy: 1", "bdy"),
    ],
)
def test_places_in_other_kinds_of_string(written: str, expected: str) -> None:
    document = read(f"---\nmetadata:\n  outturn-operation: {written}\n---\n", "SKILL.md")
    first = document.problems[0]
    assert document.source.text[first.span.start : first.span.end] == expected


def test_an_operation_at_the_top_or_as_a_mapping_is_read_from_a_skill_file() -> None:
    top = read(SPEC, "SKILL.md")
    assert top.operation is not None
    assert top.operation_path == ("operation",)
    mapping = read("---\nmetadata:\n  outturn-operation:\n    method: POST\n    url: http://h/x\n---\n", "SKILL.md")
    assert mapping.operation is not None
    assert marked(mapping, *IN_SKILL, "method") == "POST"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1:1 '' frontmatter-missing: the file has no frontmatter"]),
        ("# Title\n\n---\na: 1\n---\n", ["1:1 '# Title' frontmatter-missing: the file has no frontmatter"]),
        ("----\na: 1\n----\n", ["1:1 '----' frontmatter-missing: the file has no frontmatter"]),
        ("---\n---\nx", ["2:1 '' frontmatter-missing: the frontmatter is empty"]),
        ("---\n# only\n---\nx", ["2:1 '# only\\n' frontmatter-missing: the frontmatter is empty"]),
        ("---\na: 1\n", ["1:1 '---' frontmatter-invalid: the frontmatter does not end"]),
        ("---", ["1:1 '---' frontmatter-invalid: the frontmatter does not end"]),
        ("\n  \n---\na: 1\n---\n", ["3:1 '---' frontmatter-invalid: the frontmatter does not begin in the first line"]),
        ("---  \na: 1\n---\t\nx", []),
        ("---\na: 1\n...\nx", []),
        ("---\n- a\n---\n", ["2:1 '- a' frontmatter-invalid: the frontmatter is no mapping of names to values"]),
        ("---\nplain\n---\n", ["2:1 'plain' frontmatter-invalid: the frontmatter is no mapping of names to values"]),
        ("---\n1: a\ntrue: b\n2024-04-31: c\n---\n", []),
        ("---\n? [a]\n: b\n---\n", ["2:3 '[a]' frontmatter-invalid: a name here is a text, not a list or a mapping"]),
        (
            "---\ndescription: Use when: asked\n---\n",
            ["2:14 'Use when: asked' frontmatter-invalid: a text that has a `: ` in it cannot stand unquoted"],
        ),
        (
            "---\ndescription: **Bold** words\n---\n",
            ["2:14 '**Bold** words' frontmatter-invalid: a text that begins with `*` cannot stand unquoted"],
        ),
        (
            "---\ndescription: @me and others\n---\n",
            ["2:14 '@me and others' frontmatter-invalid: a text that begins with `@` cannot stand unquoted"],
        ),
        ("---\na:\n\tb: 1\n---\n", ["3:1 '\\t' frontmatter-invalid: a tab cannot indent YAML"]),
        ("---\na: \x07\n---\n", ["2:4 '\\x07' frontmatter-invalid: the character U+0007 cannot stand in YAML"]),
        ("---\na: [1,\nb: 2\n---\n", ["2:4 '[' frontmatter-invalid: what `[` opens is not closed"]),
        ("---\na: 'x\n---\n", ["2:4 \"'\" frontmatter-invalid: a quoted text begins here and does not end"]),
        (
            "---\na: *b\n---\n",
            ["2:4 '*b' frontmatter-invalid: the alias `*b` repeats an anchor that does not stand before it"],
        ),
        ("---\na: &a [*a]\n---\n", ["2:8 '*a' frontmatter-invalid: the alias `*a` stands inside what it repeats"]),
        (
            "---\na: 1\nb: 2\na: 3\n---\n",
            ["4:1 'a' frontmatter-duplicate-key: `a` stands here a second time; the first is in line 2"],
        ),
        (
            "---\noperation:\n  method: POST\n  method: GET\n---\n",
            [
                "4:3 'method' frontmatter-duplicate-key: `method` stands here a second time; the first is in line 3",
                "2:1 'operation' url-missing: the operation does not say its `url`",
            ],
        ),
        (
            "---\noperation:\n---\n",
            ["2:1 'operation' value-form: `operation` is a mapping of `method`, `url` and more, not nothing"],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, expected: list[str]) -> None:
    assert said(read(text)) == expected


def test_everything_that_is_wrong_is_said_at_once() -> None:
    text = "---\noperation:\n  metod: post\n  url: /x\n  identiy: [a]\n  probe:\n    match: {a: 'b['}\n---\n"
    document = read(text)
    lines = [document.source.position(problem.span.start).line for problem in document.problems]
    assert sorted(zip(lines, (problem.rule for problem in document.problems), strict=True)) == [
        (2, "method-missing"), (3, "unknown-key"), (4, "url-form"), (5, "unknown-key"), (6, "probe-form"),
        (7, "field-form"),
    ]  # fmt: skip


def test_a_suggestion_stands_in_the_place_that_is_marked() -> None:
    text = "---\nname: x\ndescription: it's: it\n---\n"
    problem = read(text).problems[0]
    mended = text[: problem.span.start] + problem.suggestion + text[problem.span.end :]
    assert read(mended).description == "it's: it"
    assert read(mended).problems == ()


def test_aliases_that_multiply_end() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    document = read("---\n" + "\n".join(lines) + "\n---\n")
    assert [problem.message for problem in document.problems] == ["aliases repeat more than 10,000 values"]


def test_depth_ends() -> None:
    assert [problem.message for problem in read("---\na: " + "[" * 300 + "\n---\n").problems] == [
        "values nest deeper than 100 levels"
    ]


def test_a_skill_goes_to_another_process_and_back() -> None:
    document = read(SKILL, "SKILL.md")
    again = pickle.loads(pickle.dumps(document))
    assert again.operation == document.operation
    assert again.operation_span("url") == document.operation_span("url")


PIECES = [
    "---", "...", "\n", "\r\n", "\r", "\ufeff", "name: x", "operation:", "  method: POST", "  url: http://h",
    "metadata:", "  outturn-operation: |", "    method: POST", " ", "\t", "#", "- ", "&a ", "*a", "'", '"', "{", "[",
    "\x00", "\u2028", "text",
]  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.text(max_size=80))


@given(texts, st.sampled_from(["a.md", "SKILL.md"]))
def test_no_text_is_too_broken_to_be_read(text: str, name: str) -> None:
    document = read(text, name)
    assert document.frontmatter is not None or document.problems
    assert document.source.text.endswith(document.body)
    if document.yaml_span is not None:
        assert prose_of(text) == document.body
    for problem in document.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
