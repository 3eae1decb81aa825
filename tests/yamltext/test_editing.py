"""Edits of YAML and JSON text: what was asked for, and not a byte more."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.source import Span
from wizard.yamltext.editing import REMOVED, EditError, edit_text, newline_of
from wizard.yamltext.json_reading import read_json
from wizard.yamltext.nodes import Node, YamlError, value_of
from wizard.yamltext.printing import Style, block_of
from wizard.yamltext.reading import read_yaml

BLOCK = """\
# The booking.
name: create-booking   # the name
description: >-
  Books a room.
  Twice is two.
operation:
  method: POST  # always
  url: 'http://h/bookings'
  # What makes it one booking.
  identity: [room_id, "guest", arrival]
  body:
  - room_id   # the room
  - guest
  probe:
    url: http://h/bookings?room_id={room_id}

    match: {room_id: room.id, guest: guest}
  keep: 5m
last: x
"""


def yaml(text: str, changes: dict[tuple[str | int, ...], Any], **style: Any) -> str:
    return edit_text(text, read_yaml, changes, Style(newline=newline_of(text), **style))


CASES = {
    "no change": ({("name",): "create-booking"}, []),
    "a plain text": ({("name",): "book"}, [("name: create-booking   # the name", "name: book   # the name")]),
    "a text that needs quotes": (
        {("name",): "yes"},
        [("name: create-booking   # the name", "name: 'yes'   # the name")],
    ),
    "a quoted text keeps its quotes": (
        {("operation", "url"): "http://h/rooms"},
        [("url: 'http://h/bookings'", "url: 'http://h/rooms'")],
    ),
    "an element of a flow list": (
        {("operation", "identity"): ["room_id", "guest_name", "arrival"]},
        [('identity: [room_id, "guest", arrival]', 'identity: [room_id, "guest_name", arrival]')],
    ),
    "one more in a flow list": (
        {("operation", "identity"): ["room_id", "guest", "arrival", "items[].sku"]},
        [('"guest", arrival]', "\"guest\", arrival, 'items[].sku']")],
    ),
    "one less in a flow list": (
        {("operation", "identity"): ["room_id", "arrival"]},
        [('[room_id, "guest", arrival]', "[room_id, arrival]")],
    ),
    "the last of a flow list": (
        {("operation", "identity"): ["room_id", "guest"]},
        [('[room_id, "guest", arrival]', '[room_id, "guest"]')],
    ),
    "one more in a block list": (
        {("operation", "body"): ["room_id", "guest", "arrival"]},
        [("  - guest\n", "  - guest\n  - arrival\n")],
    ),
    "first in a block list": (
        {("operation", "body"): ["arrival", "room_id", "guest"]},
        [("  - room_id   # the room\n", "  - arrival\n  - room_id   # the room\n")],
    ),
    "one less in a block list": ({("operation", "body"): ["guest"]}, [("  - room_id   # the room\n", "")]),
    "a new member at the end": (
        {("operation", "status"): "proposed"},
        [("  keep: 5m\n", "  keep: 5m\n  status: proposed\n")],
    ),
    "a new mapping": (
        {("operation", "money"): {"amount": "total", "currency": "EUR"}},
        [("  keep: 5m\n", "  keep: 5m\n  money:\n    amount: total\n    currency: EUR\n")],
    ),
    "a member of a flow mapping": (
        {("operation", "probe", "match", "arrival"): "arrival"},
        [("guest: guest}", "guest: guest, arrival: arrival}")],
    ),
    "a member less": ({("operation", "keep"): REMOVED}, [("  keep: 5m\n", "")]),
    "a mapping less": (
        {("operation", "probe"): REMOVED},
        [
            (
                "  probe:\n    url: http://h/bookings?room_id={room_id}\n\n"
                "    match: {room_id: room.id, guest: guest}\n",
                "",
            )
        ],
    ),
    "a mapping that is missing": (
        {("metadata", "a"): "b", ("metadata", "c"): "d"},
        [("last: x\n", "last: x\nmetadata:\n  a: b\n  c: d\n")],
    ),
    "a folded text": ({("description",): "One line."}, [(">-\n  Books a room.\n  Twice is two.\n", "One line.\n")]),
    "a text of lines": ({("last",): "a\nb\n"}, [("last: x\n", "last: |\n  a\n  b\n")]),
    "a scalar becomes a list": (
        {("operation", "method"): [{"a": [1]}, "b"]},
        [("method: POST  # always\n", "method:  # always\n    - a: [1]\n    - b\n")],
    ),
    "a mapping becomes a scalar": (
        {("operation", "probe"): "none"},
        [
            (
                "probe:\n    url: http://h/bookings?room_id={room_id}\n\n    match: {room_id: room.id, guest: guest}\n",
                "probe: none\n",
            )
        ],
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("case", CASES)
def test_the_smallest_edit(case: str, newline: str) -> None:
    changes, expected = CASES[case]
    text = BLOCK
    for old, new in expected:
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert yaml(BLOCK.replace("\n", newline), changes) == text.replace("\n", newline)


def test_members_take_the_order_of_the_new_value() -> None:
    new = {"method": "POST", "url": "http://h", "identity": ["a"], "key": "header K", "keep": "5m"}
    assert yaml("operation:\n  method: POST\n  url: http://h\n  keep: 5m\n", {("operation",): new}) == (
        "operation:\n  method: POST\n  url: http://h\n  identity: [a]\n  key: header K\n  keep: 5m\n"
    )


def test_members_behind_a_dash() -> None:
    text = "- a: 1\n  b: 2\n- c: 3\n"
    assert yaml(text, {(0, "a"): REMOVED}) == "- b: 2\n- c: 3\n"
    assert yaml(text, {(0, "b"): REMOVED}) == "- a: 1\n- c: 3\n"
    assert yaml(text, {(0, "d"): 4}) == "- a: 1\n  b: 2\n  d: 4\n- c: 3\n"
    assert yaml(text, {(): [{"z": 0, "a": 1, "b": 2}, {"c": 3}]}) == "- z: 0\n  a: 1\n  b: 2\n- c: 3\n"


def test_the_last_line_may_lack_its_end() -> None:
    assert yaml("a: 1\nb: 2", {("c",): 3}) == "a: 1\nb: 2\nc: 3"
    assert yaml("a: 1\nb: 2", {("b",): REMOVED}) == "a: 1"


def test_a_value_that_aliases_repeat() -> None:
    text = "base: &b {x: 1}\nother: *b\n"
    assert value_of(read_yaml(yaml(text, {("base", "x"): 2})).root) == {"base": {"x": 2}, "other": {"x": 1}}
    assert value_of(read_yaml(yaml(text, {("base",): REMOVED})).root) == {"other": {"x": 1}}
    assert yaml(text, {("new",): 1}) == text + "new: 1\n"


def test_what_a_merge_key_brings() -> None:
    text = "base: &b {x: 1}\nother:\n  <<: *b\n  z: 2\n"
    assert yaml(text, {("other", "w"): 3}) == text + "  w: 3\n"
    assert yaml(text, {("other", "x"): 3}) == text + "  x: 3\n"
    assert yaml(text, {("other",): {"z": 2}}) == "base: &b {x: 1}\nother:\n  z: 2\n"


def test_an_empty_text() -> None:
    assert yaml("", {("a", "b"): 1}) == "a:\n  b: 1\n"
    assert yaml("# only a comment", {("a",): [1]}) == "# only a comment\na: [1]\n"
    assert yaml("a:\n", {("a", "b"): 1}) == "a:\n  b: 1\n"
    assert yaml("a: # why\n", {("a", "b"): 1}) == "a: # why\n  b: 1\n"
    assert yaml("a: {}\n", {("a", "b"): 1}) == "a:\n  b: 1\n"


JSON = """\
{
    "paths": {
        "/a": {"post": {"x": [1, 2], "deep": {"k": "v"}}},
        "/b": {
            "get": {},
            "put": {
                "y": true
            }
        }
    }
}
"""


def edit_json(text: str, changes: dict[tuple[str | int, ...], Any]) -> str:
    return edit_text(text, read_json, changes, Style(json=True, indent="    ", newline=newline_of(text)))


def test_json_keeps_its_layout() -> None:
    changed = edit_json(
        JSON,
        {
            ("paths", "/a", "post", "z"): ["é"],
            ("paths", "/b", "put", "z"): {"m": ["n"]},
            ("paths", "/b", "get", "z"): 1,
            ("paths", "/a", "post", "deep"): REMOVED,
        },
    )
    assert changed == (
        JSON.replace('"x": [1, 2], "deep": {"k": "v"}}', '"x": [1, 2], "z": ["é"]}')
        .replace('"get": {}', '"get": {\n                "z": 1\n            }')
        .replace(
            '"y": true\n',
            '"y": true,\n                "z": {\n                    "m": [\n'
            '                        "n"\n                    ]\n                }\n',
        )
    )


def test_json_in_one_line() -> None:
    assert edit_text('{"a":{"b":1}}', read_json, {("a", "c"): {"d": [1]}}, Style(json=True, indent="")) == (
        '{"a":{"b":1, "c": {"d": [1]}}}'
    )


# Whatever the text and the values: no change gives the same bytes, a change gives what was asked for.

names = st.sampled_from(["a", "b", "name", "x y", "yes", "1", "é", "k-1", "'", "#", "<<x"])
TEXTS = [
    "", "x", "a: b", "a #b", "yes", "1", "1.0", "null", "~", "-", "- a", "*a", "&a", "!t", "@x", "a\nb", "a\nb\n",
    " lead", "trail ", "\ttab", "'", '"', "a'b\"c", "{a}", "[b]", "a,b", "2024-01-01", "0x1f", "...", "---", "é",
    "\u2028", "\x07", "#", ":", "a:", "%d", "\n", "a\n\n", "\\", "> x", "| x", "? x", "=", "<<", "\ufeffx", "12:30",
    "NaN", ".inf", "\u202e", "a\u200bb", "\U000e0041", "\U0001f600",
]  # fmt: skip
texts = st.one_of(st.sampled_from(TEXTS), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
scalars = st.one_of(
    texts,
    st.integers(-(10**6), 10**6),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=8,
)
mappings = st.dictionaries(names, values, min_size=1, max_size=4)


def same(one: Any, other: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(mappings, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_what_is_printed_is_read_back_by_both_readers(value: dict[str, Any], flow: bool, newline: str) -> None:
    text = block_of(value, 0, Style(flow=flow, newline=newline)) + newline
    assert same(value_of(read_yaml(text).root), value)
    assert same(value_of(read_yaml(text, reader="libyaml").root), value)


@given(mappings, mappings, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_any_value_can_become_any_other(old: dict[str, Any], new: dict[str, Any], flow: bool, newline: str) -> None:
    text = block_of(old, 0, Style(flow=flow, newline=newline)) + newline
    assert yaml(text, {(): old}) == text
    there = yaml(text, {(): new})
    assert same(value_of(read_yaml(there).root), new)
    back = yaml(there, {(): old})
    assert same(value_of(read_yaml(back).root), old)


@given(mappings, names, values)
def test_a_change_leaves_the_other_members_as_they_stand(old: dict[str, Any], name: str, new: Any) -> None:
    marked = {one: {"inner": value, "end": 1} for one, value in old.items()}
    pieces = {
        one: block_of({one: value}, 0, Style(flow=False)) + "  # of " + str(i) + "\n"
        for i, (one, value) in enumerate(marked.items())
    }
    text = "# head\n" + "".join(pieces.values())
    changed = yaml(text, {(name,): new})
    assert changed.startswith("# head\n")
    for one, piece in pieces.items():
        assert one == name or piece in changed
    assert same(value_of(read_yaml(changed).root), {**marked, name: new})
    removed = yaml(changed, {(name,): REMOVED})
    assert same(value_of(read_yaml(removed).root) or {}, {one: v for one, v in marked.items() if one != name})


@given(mappings, mappings, st.sampled_from(["", "  ", "\t"]))
def test_any_json_can_become_any_other(old: dict[str, Any], new: dict[str, Any], indent: str) -> None:
    text = json.dumps(old, indent=indent or None, ensure_ascii=False)
    style = Style(json=True, indent=indent)
    assert edit_text(text, read_json, {(): old}, style) == text
    there = edit_text(text, read_json, {(): new}, style)
    assert same(json.loads(there), new)
    assert same(json.loads(edit_text(there, read_json, {(): old}, style)), old)


@given(st.text(max_size=60))
def test_a_reader_gives_nodes_or_says_what_is_wrong(text: str) -> None:
    for read in (read_yaml, partial(read_yaml, reader="libyaml"), read_json):
        try:
            tree = read(text)
        except YamlError as error:
            place = error.span
        else:
            place = Span(0, 0) if tree.root is None else tree.root.span
            value_of(tree.root or Node("scalar", place))
        assert 0 <= place.start <= place.end <= len(text)


PIECES = [
    "a", "b", ":", ": ", "- ", "\n", "  ", "? ", "[", "]", "{", "}", ", ", "# c", "&x ", "*x", "'q'", '"d"', "|\n  t\n",
    "<<", "!t ", ">", "1", "\r\n", "\t",
]  # fmt: skip
yamlish = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@given(yamlish, names, values)
def test_whatever_can_be_read_can_be_edited_or_says_why_not(text: str, name: str, new: Any) -> None:
    try:
        root = read_yaml(text).root
    except YamlError:
        return
    if root is None or root.kind != "mapping":
        return
    old = value_of(root)
    assert yaml(text, {(): old}) == text
    try:
        changed = yaml(text, {(name,): new})
    except EditError:
        return
    assert value_of(read_yaml(changed).root) == {**old, name: new}


@pytest.mark.parametrize("reader", ["ruamel", "libyaml"])
def test_a_byte_order_mark_and_wide_characters_count_as_characters(reader: Any) -> None:
    text = "\ufeffa: \U0001f600 é\nb: [x, 'y']\nb: z\n"
    tree = read_yaml(text, reader=reader)
    assert tree.root is not None
    assert [text[item.value.span.start : item.value.span.end] for item in tree.root.items] == [
        "\U0001f600 é",
        "[x, 'y']",
        "z",
    ]
    assert [text[item.start] for item in tree.root.items] == ["a", "b", "b"]
    assert [text[one.key.start : one.key.end + 1] for one in tree.duplicates] == ["b:"]
    with pytest.raises(YamlError) as caught:
        read_yaml("\ufeffa: 'x", reader=reader)
    assert caught.value.span == Span(4, 5)


@pytest.mark.parametrize("reader", ["ruamel", "libyaml"])
def test_what_lies_deeper_is_left_out_and_not_written_anew(reader: Any) -> None:
    text = "a: {b: {c: 1}}\nd: &d {e: [1, 2]}\nf: *d\n"
    read = partial(read_yaml, reader=reader, depth=0)
    tree = read(text)
    assert value_of(tree.root or Node("scalar", Span(0, 0))) == {"a": {}, "d": {}, "f": {}}
    assert edit_text(text, read, {("x",): 1}, Style()) == text + "x: 1\n"
    assert edit_text(text, read, {("a",): 3}, Style()) == text.replace("{b: {c: 1}}", "3")
    for path in (("a", "b"), ("f", "e"), ("a", "x")):
        with pytest.raises(EditError):
            edit_text(text, read, {path: 2}, Style())
