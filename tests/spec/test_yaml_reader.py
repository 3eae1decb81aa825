import datetime
import io

import pytest
import ruamel.yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.errors import DocumentError, LimitError
from wizard.source import Source
from wizard.spec.yaml_reader import read_yaml


def read(text):
    return read_yaml(Source("doc.yaml", text))[0]


def notes(text):
    return [(note.message, "/".join(note.names)) for note in read_yaml(Source("doc.yaml", text))[1]]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("null", None), ("~", None), ("Null", None), ("NULL", None), ("", None),
        ("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("FALSE", False),
        ("0", 0), ("-0", 0), ("17", 17), ("-17", -17), ("1.5", 1.5), ("-0.25", -0.25), ("1e3", 1000.0), ("2E-2", 0.02),
    ],
)  # fmt: skip
def test_what_json_has_is_read_as_json_has_it(written, meant):
    value = read(f"a: {written}\n")["a"]
    assert value == meant
    assert type(value) is type(meant)


@pytest.mark.parametrize(
    "written",
    [
        "2024-04-31", "2024-04-31T10:00:00Z", "2001-12-14t21:59:43.10-05:00", "12:30", "1:30:00", "190:20:30",
        "Y", "y", "N", "yes", "NO", "on", "Off", "nULL", "tRUE",
        "012", "00", "0o14", "0x1F", "0b101", "1_000", "+1", "+44 20 7946 0000", ".5", "1.", ".inf", "-.Inf",
        ".nan", "1e999", "=", "1.2.3", "1e", "0xdeadbeefdeadbeefdeadbeef", "9" * 200, "<<x", "a: b"[0], "١٢",
    ],
)  # fmt: skip
def test_everything_else_stays_text(written):
    assert read(f"a: {written}\n") == {"a": written}
    assert read(f"- {written}\n") == [written]


@pytest.mark.parametrize("written", ["'1'", '"1"', "!!str 1", "! 1", "|-\n  1", ">-\n  1"])
def test_quoted_numbers_are_text(written):
    assert read(f"a: {written}\n") == {"a": "1"}


def test_keys_are_always_text():
    text = "200: a\nnull: b\ntrue: c\n1.50: d\n~: e\n2024-01-01: f\n'5': g\n"
    assert read(text) == {"200": "a", "null": "b", "true": "c", "1.50": "d", "~": "e", "2024-01-01": "f", "5": "g"}


def test_a_version_keeps_its_text():
    text = "openapi: 3.10\ninfo:\n  version: 1.10\n  size: 1.10\n"
    assert read(text) == {"openapi": "3.10", "info": {"version": "1.10", "size": 1.1}}


def test_an_alias_is_what_its_anchor_is():
    value = read("a: &x {b: [1]}\nc: *x\nd: &n name\ne: *n\n")
    assert value == {"a": {"b": [1]}, "c": {"b": [1]}, "d": "name", "e": "name"}
    assert value["a"] is value["c"]


def test_an_anchor_can_be_used_anew():
    assert read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n") == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_an_alias_to_what_holds_it_is_nothing():
    assert read("a: &x\n  b: *x\n  c: 1\n") == {"a": {"b": None, "c": 1}}
    assert notes("a: &x\n  b: *x\n") == [("`*x` stands for nothing that ended before it", "a")]


def test_an_alias_can_be_a_key():
    assert read("a: &k name\n*k : 1\n") == {"a": "name", "name": 1}


def test_merge_keys_bring_what_is_not_there():
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  y: 0\n  <<: [*a, *b]\nd:\n  <<: *b\n  z: 9\n"
    value = read(text)
    assert value["c"] == {"y": 0, "x": 1, "z": 4}
    assert value["d"] == {"y": 3, "z": 9}


def test_a_quoted_merge_key_is_a_name():
    assert read("a:\n  '<<': 1\n") == {"a": {"<<": 1}}


def test_a_merge_key_with_a_scalar_brings_nothing():
    assert read("a:\n  <<: 1\n  b: 2\n") == {"a": {"b": 2}}


def test_of_a_name_that_stands_twice_the_last_counts():
    text = "paths:\n  /a:\n    get: 1\n  /b: 2\n  /a:\n    put: 3\n"
    assert read(text) == {"paths": {"/a": {"put": 3}, "/b": 2}}
    assert notes(text) == [("`/a` stands twice in this mapping, and the last one counts", "paths//a")]


def test_a_name_that_stands_twice_inside_a_list_has_its_place():
    assert notes("a:\n- b: 1\n- b: 1\n  b: 2\n") == [
        ("`b` stands twice in this mapping, and the last one counts", "a/1/b")
    ]


def test_keys_that_are_no_text_are_passed_over():
    text = "a:\n  ? [1, 2]\n  : x\n  ? {b: {c: 1}}\n  : [d, e]\n  f: 1\n"
    assert read(text) == {"a": {"f": 1}}
    assert notes(text) == [("a key that is no text was passed over", "a")] * 2


def test_the_first_of_several_documents_is_read():
    assert read("---\na: 1\n---\nb: 2\n") == {"a": 1}
    assert notes("a: 1\n---\nb: 2\n") == [("a second YAML document begins here; only the first was read", "")]


def test_control_characters_are_replaced():
    assert read("a: b\x0bc\x00\n") == {"a": "b\ufffdc\ufffd"}
    assert notes("a: b\x0bc\n") == [("control characters were replaced", "")]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n...\n"])
def test_a_text_without_a_value_is_null(text):
    assert read(text) is None


def test_texts_are_what_yaml_says():
    text = "a: |\n  one\n   two\n\n  three\nb: >\n  one\n  two\n\n  three\n"
    text += "c: \"\\u00e9\\t\\n\"\nd: 'it''s'\ne: one\n  two\n"
    assert read(text) == {
        "a": "one\n two\n\nthree\n", "b": "one two\nthree\n", "c": "é\t\n", "d": "it's", "e": "one two",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("a: b: c\n", "1:5", "a colon followed by a space"),
        ("a: 1\nb: one: two\n", "2:7", "a colon followed by a space"),
        ("a:\n\tb: 1\n", "2:1", "a tab stands in the indentation"),
        ("a: 'open\n", "1:9", "a quoted text does not end"),
        ("a: @x\n", "1:4", "a plain text cannot begin with this character"),
        ("a: `x`\n", "1:4", "a plain text cannot begin with this character"),
        ("a: [1, 2\n", "1:9", "a list in brackets does not end"),
        ("a: {b: 1\n", "1:9", "a mapping in braces does not end"),
        ('a: "\\q"\n', "1:5", "a backslash in double quotes"),
        ("a: b\n c: d\n", "2:3", "a colon followed by a space"),
        ("a: 1\n- b\n", "2:1", "this is indented unlike its neighbours"),
        ("a: *\n", "1:5", "begins a name here"),
        ("a: !x!y z\n", "1:4", "begins a tag here"),
        ('a: "b" c\n', "1:8", "indented unlike"),
    ],
)
def test_a_broken_text_is_refused_with_its_place_and_a_remedy(text, place, said):
    with pytest.raises(DocumentError) as caught:
        read(text)
    assert caught.value.place == f"doc.yaml:{place}"
    assert said in caught.value.message
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_an_alias_bomb_is_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    with pytest.raises(LimitError, match=r"aliases stand for more than 5,000,000 values"):
        read("\n".join(lines) + "\n")


def test_a_merge_bomb_is_refused():
    lines = ["a0: &a0 {" + ", ".join(f"k{n}: 1" for n in range(100)) + "}"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 50)}]" for n in range(1, 6)]
    with pytest.raises(LimitError):
        read("\n".join(lines) + "\n")


@pytest.mark.parametrize("text", ["[" * 200, "- " * 200 + "x", "{a: " * 200, "? " * 200 + "x", "[" * 20_000])
def test_deep_nesting_is_refused(text):
    with pytest.raises(LimitError, match="nested deeper than 128 levels"):
        read(text)


def test_more_values_than_we_read_are_refused(monkeypatch):
    monkeypatch.setattr("wizard.spec.yaml_reader.MAX_VALUES", 100)
    with pytest.raises(LimitError, match="holds more than 100 values"):
        read("[" + "1, " * 101 + "]")


def test_a_thousand_notes_are_enough():
    assert len(notes("a: 1\n" * 1_500)) == 1_000


PLAIN = st.text(alphabet="abcZ 019.-_/é{}#:$~", min_size=1, max_size=12)
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\u2028\u2029\ufeff"), max_size=20
)
WORDS = ["yes", "NO", "012", "2024-04-31", "12:30", "null", "true", "1e3", "~", "", "=", "<<", "0x1f"]
NUMBERS = st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS, PLAIN, st.sampled_from(WORDS))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(PLAIN, inner, max_size=4)),
    max_leaves=20,
)


def dumped(value):
    yaml = ruamel.yaml.YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    yaml.default_flow_style = False
    out = io.StringIO()
    yaml.dump(value, out)
    return out.getvalue().removeprefix("%YAML 1.2\n")


@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_what_ruamel_writes_is_read_as_it_was_meant(value):
    """Its YAML 1.2 writer quotes what YAML 1.2 would take for something else, and we take less."""
    assert read(dumped({"a": value})) == {"a": value}


LINES = [
    "a: 1", "b: &x {c: d}", "e: *x", "- f", "  g: h", "  - i", "j: |", "    k l", "m: 'n'", 'o: "p"',
    "  q: [r, {s: t}]", "# u", "", "  <<: *x", "v: >-", "w:",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=12))
@settings(max_examples=300, deadline=None)
@pytest.mark.filterwarnings("ignore::ruamel.yaml.error.ReusedAnchorWarning")
def test_ruamel_and_we_agree_on_structure(lines):
    text = "\n".join(lines) + "\n"
    other = ruamel.yaml.YAML(typ="safe", pure=True)
    other.allow_duplicate_keys = True
    try:
        theirs = other.load(text)
    except (ruamel.yaml.YAMLError, ValueError, TypeError, AttributeError):
        return
    try:
        ours, said = read_yaml(Source("doc.yaml", text))
    except DocumentError:
        # libyaml refuses some plain texts that the pure parser takes.
        return
    if any("stands twice" in note.message or "ended before" in note.message for note in said):
        return
    assert ours == theirs


def test_dates_are_text_where_ruamel_makes_dates():
    text = "a: 2024-04-30\n"
    assert ruamel.yaml.YAML(typ="safe", pure=True).load(text) == {"a": datetime.date(2024, 4, 30)}
    assert read(text) == {"a": "2024-04-30"}
