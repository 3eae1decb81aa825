"""YAML read without a parser: the nodes are those of the parser, or there are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wizard.yamltext import reading
from wizard.yamltext.nodes import Node, YamlError, value_of
from wizard.yamltext.plain_nodes import plain_tree
from wizard.yamltext.plain_reading import NO_TEXT, plain_values

ROOT = Path(__file__).resolve().parents[2]

VALUES = st.sampled_from([
    "", "a", "POST", "a b", "a: b", "a:b", "a #b", "a#b", "a:", "'it''s'", "'a", '"a b"', '"a\\n"', "12",
    "1.5", "24h", "1e3", "0x1d",
    "1_0", "10:30", "90d", "1h2", "null", "~", "true", "2026-01-01", "- a", "-a",
    "[a, b]", "[a, [b, c], {d: e}]", "[a, b,]", "[]",
    "[,]", "{}", "{a: b}", "{a:b}", "{a: b, a: c}", "{a: , b: c}", "{a: [b], 'c': d}", "[a b, 'c d']",
    "[a: b]", "[a?, b]", "[?a]", "[? a]", "{a: b?}", "[x:y]", "['query:x']", "[a, b", "a]", "a, b",
    "{in: header, name: Idempotency-Key, for: 24h}", "|", ">", "|-", "|2", "&a b", "*a", "!t a", "@a", "`a`",
    "%a", "<<", "https://example.com/a?b={c}", "$.a[*]", "(a) b", "a'b", 'a"b', "a  b", "a ", "é ü", "中文：a",
    "\U0001f6cf bed", "a\tb", "a\u00a0b", "a\u2028b", "---", "...", "+1", ".5", "<b>", "=", "a | b", "a & b",
    "[a , b ]", "{a : b}", "{ a: b }", "[ a ]", "[a]b", "[a] # c", "'a' b", "''", '""', "[''']",
    "['a''b', \"c\"]", "[a#b]", "[a #b]", "a -b", "? a", ": a", "a ? b", "[a&b]", "[a*b]", "[a|b]", "[a>b]",
    "[a%b]", "[a@b]", "[a`b]", "[a!b]", "[a-b]", "[-a]", "[- a]",
])  # fmt: skip
KEYS = st.sampled_from(["a", "b", "c-d", "$ref", "x.y", "<<", "'q'", "? a", "404", "yes", "a b", "&x a", "_z", "é"])
LINES = st.lists(
    st.tuples(
        st.sampled_from(["", "  ", "    ", " ", "\t"]),
        st.builds("{}: {}".format, KEYS, VALUES)
        | st.builds("{}:{}".format, KEYS, VALUES)
        | st.builds("- {}".format, VALUES)
        | st.builds("- {}: {}".format, KEYS, VALUES)
        | VALUES
        | st.sampled_from(["", " ", "# c", "---", "..."]),
    ).map("".join),
    min_size=1,
    max_size=7,
)


def told(node: Node) -> Any:
    """A node, told in full."""
    items = [(item.start, told(item.value), None if item.key is None else told(item.key)) for item in node.items]
    marks = (node.anchored, node.alias, node.cut, node.full)
    return node.kind, node.span, node.text, node.style, node.tag, marks, items


def same(text: str) -> bool:
    """Whether it was read; then it is as the parser reads it."""
    plain = plain_tree(text)
    if plain is None:
        return False
    tree = reading._Reader(text, None, lambda name: False).read(reading._ruamel_events(text))
    assert plain.root is not None
    assert tree.root is not None
    assert told(plain.root) == told(tree.root)
    assert value_of(plain.root) == value_of(tree.root)
    assert tree.duplicates == plain.duplicates == ()
    agrees(plain_values(text), value_of(tree.root))
    return True


def agrees(plain: Any, value: Any) -> None:
    """A text is the same text; of what may be none it is only told so."""
    if isinstance(plain, dict):
        assert list(plain) == list(value)
        for name, member in plain.items():
            agrees(member, value[name])
    elif isinstance(plain, list):
        assert len(plain) == len(value)
        for one, other in zip(plain, value, strict=True):
            agrees(one, other)
    elif plain is not NO_TEXT:
        assert plain == value


@settings(max_examples=1500)
@example(["a:", "- b", "c: d"])
@example(["a:", "  - b", "", "  - c"])
@example(["a: |", "  b", "", "   c ", "", "d: e"])
@example(["a: |", "  b", "    ", "c: d"])
@example(["a: |", "  b"])
@example(["a: b", "  c", "d: e"])
@example(["a: b", "", "  c"])
@example(["a: 'b'", "  c"])
@example(["a:", "    b: c", "  d: e"])
@example(["a: [b,", "  c]"])
@example(["a", ""])
@given(LINES)
def test_what_is_read_without_a_parser_is_what_the_parser_reads(lines: list[str]) -> None:
    same("\n".join(lines))
    same("\n".join(lines) + "\n")


@settings(max_examples=800)
@given(st.text(alphabet="ab:- \n[]{},'\"|#?&*", max_size=24))
def test_no_text_is_read_otherwise(text: str) -> None:
    try:
        same(text)
    except YamlError as error:
        pytest.fail(f"the parser refuses {text!r}: {error}")


@settings(max_examples=400)
@given(VALUES, VALUES, st.sampled_from(["  ", "    "]))
def test_values_in_a_mapping_within_a_mapping(one: str, other: str, indent: str) -> None:
    same(f"a:\n{indent}b: {one}\n{indent}c: {other}\nd:\n  - {one}\n  - {other}\n")
    same(f"a: {one}\n{indent}{other}\nb: c\n")
    same(f"a: |\n{indent}{one}\n{indent}{other}\n\nb: c\n")


@pytest.mark.parametrize("path", sorted((ROOT / "samples").rglob("operations/*.md")), ids=lambda path: path.name)
def test_what_emit_writes_is_read_without_a_parser(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert same(text.split("---\n")[1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "a",
        "a: b\na: c\n",
        "a: &b c\n",
        "a: b # c\n",
        "a: b\r\n",
        "\ufeffa: b\n",
        "a: " + "[" * 200 + "]" * 200,
    ],
)
def test_what_is_not_plain_is_left_to_the_parser(text: str) -> None:
    assert plain_tree(text) is None
