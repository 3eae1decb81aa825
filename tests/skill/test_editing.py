"""Frontmatter edited: the smallest edit in every form of a skill file."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.errors import SkillError
from wizard.operation.parsing import parse_operation
from wizard.skill.document import IN_SKILL, SkillDocument, parse_skill
from wizard.skill.editing import edit_frontmatter, frontmatter_in_lines, move_operation, set_operation
from wizard.source import Source
from wizard.yamltext.editing import REMOVED

OPERATION: dict[str, Any] = {
    "method": "POST",
    "url": "http://h/bookings",
    "body": ["room_id", "guest"],
    "identity": ["room_id", "guest"],
}

SPEC = """\
---
name: create_booking  # unique
description: 'Books a room.'

operation:
  method: POST
  url: http://h/bookings
  body: [room_id, guest]
  # What one booking is.
  identity: [room_id, guest]
---

# Book   a room
"""

SKILL = """\
---
name: booking
description: Books a room.
metadata:
  outturn-operation: |
    method: POST
    url: http://h/bookings

    # What one booking is.
    identity:
    - room_id   # the room
    - guest
  version: "1"
---

# Book a room
"""


def read(text: str, name: str = "a.md") -> SkillDocument:
    return parse_skill(Source(name, text))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_a_member_of_an_operation_spec(newline: str) -> None:
    text = "\ufeff" + SPEC.replace("\n", newline)
    changes = {("operation", "identity"): ["room_id"], ("operation", "keep"): "5m"}
    assert edit_frontmatter(read(text), changes) == text.replace(
        f"identity: [room_id, guest]{newline}", f"identity: [room_id]{newline}  keep: 5m{newline}"
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_a_member_in_the_string_of_a_skill_file(newline: str) -> None:
    text = SKILL.replace("\n", newline)
    changed = edit_frontmatter(read(text, "SKILL.md"), {(*IN_SKILL, "identity"): ["room_id", "guest", "arrival?"]})
    assert changed == text.replace(f"    - guest{newline}", f"    - guest{newline}    - 'arrival?'{newline}")
    removed = edit_frontmatter(read(text, "SKILL.md"), {(*IN_SKILL, "identity"): REMOVED})
    assert read(removed, "SKILL.md").problems == ()
    assert f"guest.{newline}  version" not in removed
    assert removed.startswith(text[: text.index("    identity")])


def test_an_operation_takes_the_place_of_the_old_one() -> None:
    new = {**OPERATION, "key": "header Idempotency-Key"}
    assert set_operation(read(SPEC), new) == SPEC.replace(
        "  identity: [room_id, guest]\n", "  identity: [room_id, guest]\n  key: header Idempotency-Key\n"
    )
    del new["body"]
    assert set_operation(read(SKILL, "SKILL.md"), new) == SKILL.replace(
        "    - guest\n", "    - guest\n    key: header Idempotency-Key\n"
    )


def test_an_operation_goes_where_it_belongs() -> None:
    operation, _ = parse_operation(OPERATION)
    assert operation is not None
    spec = set_operation(read("# Prose\n"), operation)
    assert spec == (
        "---\noperation:\n  method: POST\n  url: http://h/bookings\n  body: [room_id, guest]\n"
        "  identity: [room_id, guest]\n---\n# Prose\n"
    )
    skill = set_operation(read("---\nname: a\n---\n", "SKILL.md"), operation)
    assert skill == (
        "---\nname: a\nmetadata:\n  outturn-operation: |\n    method: POST\n    url: http://h/bookings\n    body:\n"
        "      - room_id\n      - guest\n    identity:\n      - room_id\n      - guest\n---\n"
    )
    assert set_operation(read(skill, "SKILL.md"), REMOVED) == "---\nname: a\nmetadata: {}\n---\n"


def test_an_operation_moves_out_of_the_top_of_a_skill_file() -> None:
    moved = move_operation(read(SPEC, "SKILL.md"))
    assert moved == (
        "---\nname: create_booking  # unique\ndescription: 'Books a room.'\n\nmetadata:\n  outturn-operation: |\n"
        "    method: POST\n    url: http://h/bookings\n    body: [room_id, guest]\n    # What one booking is.\n"
        "    identity: [room_id, guest]\n---\n\n# Book   a room\n"
    )
    assert read(moved, "SKILL.md").operation == read(SPEC).operation
    assert move_operation(read(moved, "SKILL.md")) == moved
    assert move_operation(read(SPEC)) == SPEC


@pytest.mark.parametrize(
    "frontmatter",
    [
        "operation: {method: POST, url: 'http://h/x'}\n",
        "metadata:\n  outturn-operation:\n    method: POST   # why\n    url: http://h/x\n  other: 1\n",
        "metadata:\n  a: b\noperation:\n    # first\n    method: POST\n    url: |-\n      http://h/x\n",
        "u: &u http://h/x\noperation:\n  method: POST\n  url: *u\n",
        "operation:\n  method: POST\n  url: http://h/x\nmetadata: {a: b}\n",
    ],
)
def test_an_operation_in_any_form_moves(frontmatter: str) -> None:
    document = read(f"---\n{frontmatter}---\nx", "SKILL.md")
    moved = read(move_operation(document), "SKILL.md")
    assert moved.operation == document.operation
    assert moved.operation is not None
    assert moved.operation_path == IN_SKILL
    assert isinstance((moved.frontmatter or {})["metadata"]["outturn-operation"], str)
    assert moved.problems == ()
    assert ("# why" in frontmatter) == ("# why" in moved.source.text)


def test_lists_and_mappings_come_out_of_their_brackets() -> None:
    text = "---\na: [x, 'y z']  # why\nb:\n  - {c: 1}\n  - []\nd: { e: [f] }\n---\nbody [x]\n"
    assert frontmatter_in_lines(read(text, "SKILL.md")) == (
        "---\na:  # why\n  - x\n  - y z\nb:\n  - c: 1\n  - []\nd:\n  e:\n    - f\n---\nbody [x]\n"
    )


def test_a_frontmatter_that_cannot_be_read_is_not_edited() -> None:
    with pytest.raises(SkillError, match=r"a\.md:2:4: the frontmatter cannot be edited.*Put the whole value in quotes"):
        edit_frontmatter(read("---\na: b: c\n---\n"), {("a",): 1})
    with pytest.raises(SkillError, match="does not end"):
        edit_frontmatter(read("---\na: b\n"), {("a",): 1})


names = st.sampled_from(["name", "description", "operation", "metadata", "x-y"])
values = st.recursive(
    st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), st.integers(0, 9), st.booleans()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_leaves=5,
)


newlines = st.sampled_from(["\n", "\r\n", "\r"])


@given(st.sampled_from([SPEC, SKILL]), names, values, newlines, st.sampled_from(["a.md", "SKILL.md"]))
def test_a_change_and_its_inverse(text: str, name: str, value: Any, newline: str, file: str) -> None:
    document = read(text.replace("\n", newline), file)
    old = dict(document.frontmatter or {})
    assert edit_frontmatter(document, {(one,): old[one] for one in old}) == document.source.text
    changed = read(edit_frontmatter(document, {(name,): value}), file)
    assert changed.frontmatter == {**old, name: value}
    assert changed.body == document.body
    back = read(edit_frontmatter(changed, {(name,): old.get(name, REMOVED)}), file)
    assert back.frontmatter == old
    assert back.body == document.body
