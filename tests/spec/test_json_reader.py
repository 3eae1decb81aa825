import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.errors import DocumentError, LimitError
from wizard.spec.text import read_text


def read(text):
    return read_text(text.encode(), "doc.json")


def notes(text):
    return [(note.message, "/".join(note.names)) for note in read(text).notes]


def test_strict_json_is_read_without_a_word():
    found = read('{"a": [1, 2.5, true, null, "x\\u00e9"], "2024-04-31": "12:30"}')
    assert found.syntax == "json"
    assert found.value == {"a": [1, 2.5, True, None, "xé"], "2024-04-31": "12:30"}
    assert found.notes == []


def test_comments_and_trailing_commas_are_passed_over():
    text = '// first\n{"a": "http://x", /* in\nside */ "b": [1, 2,], "c": "/*no*/,]",\n}\n'
    found = read(text)
    assert found.syntax == "json"
    assert found.value == {"a": "http://x", "b": [1, 2], "c": "/*no*/,]"}
    assert [note.offset for note in found.notes] == [0]


def test_a_comment_behind_a_comma_does_not_hide_that_it_trails():
    assert read('{"a": 1, // last\n}').value == {"a": 1}


def test_control_characters_in_strings_are_read():
    found = read('{"a": "one\ntwo\tthree\x01"}')
    assert found.value == {"a": "one\ntwo\tthree\x01"}
    assert len(found.notes) == 1


def test_halves_of_surrogate_pairs_are_replaced():
    found = read('{"a": "\\ud83d\\ude00 \\ud83d x \\ude00", "b": "\\\\ud83d"}')
    assert found.value == {"a": "\U0001f600 \ufffd x \ufffd", "b": "\\ud83d"}
    json.dumps(found.value, ensure_ascii=False).encode()


def test_numbers_beyond_measure_are_text():
    found = read('{"a": NaN, "b": 1e999, "c": -Infinity, "d": ' + "9" * 5000 + "}")
    assert found.value == {"a": "NaN", "b": "1e999", "c": "-Infinity", "d": "9" * 5000}


def test_what_is_no_json_but_reads_as_yaml_is_read():
    found = read("{'a': 1, b: [x, y]}")
    assert found.syntax == "yaml"
    assert found.value == {"a": 1, "b": ["x", "y"]}
    assert found.notes == []


def test_what_begins_as_json_and_goes_on_as_yaml_is_said():
    found = read('{"a": 1, "b": }')
    assert found.value == {"a": 1, "b": None}
    assert [(note.message, note.offset) for note in found.notes] == [
        ("it is no JSON from here on, and was read as YAML", 14)
    ]


def test_of_a_name_that_stands_twice_the_last_counts():
    text = '{"paths": {"/a": {"get": 1}, "/b": [{"x": 1, "x": 2}], "/a": {"put": 2}}}'
    assert read(text).value == {"paths": {"/a": {"put": 2}, "/b": [{"x": 2}]}}
    assert notes(text) == [
        ("`x` stands twice in this object, and the last one counts", "paths//b/0/x"),
        ("`/a` stands twice in this object, and the last one counts", "paths//a"),
    ]


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":2}', '{"a" : 1, "a" : 2}', '{"a"\n:1,"\\u0061":2}', '{"a":1,"b":{"c":1,"c":1}}']
)
def test_repeated_names_are_found_however_they_are_written(text):
    assert len(notes(text)) == 1


@pytest.mark.parametrize(
    "text", ['{"a": "\\":", "b": "x\\" :"}', '{"a":"\\u0022:"}', '{"a"  :1}', '{"a": {"a": {"a": 1}}}']
)
def test_what_only_looks_repeated_is_not(text):
    assert notes(text) == []


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('{"openapi": "3.0.0", "paths": {', "1:32", "ends before it is complete"),
        ('{"openapi": "3.0.0",\n "paths', "2:2", "a string that begins here does not end"),
        ('{"a": 1\n "b": 2}', "2:2", "a comma or a closing bracket"),
        ('{"a" 1}', "1:6", "a colon is expected"),
        ('{"a": ]}', "1:7", "a value is expected"),
        ('{"a": 1}\n}', "2:1", "complete before this"),
    ],
)
def test_broken_json_is_refused_with_its_place_and_a_remedy(text, place, said):
    with pytest.raises(DocumentError) as caught:
        read(text)
    assert caught.value.place == f"doc.json:{place}"
    assert said in caught.value.message
    assert caught.value.remedy


@pytest.mark.parametrize("depth", [200, 2_000, 100_000])
@pytest.mark.parametrize("pair", ["[]", '{"a": }'])
def test_deep_nesting_is_refused(depth, pair):
    opening, closing = pair[:-1], pair[-1]
    with pytest.raises(LimitError, match="nested deeper than 128 levels"):
        read(opening * depth + "1" + closing * depth)


def test_a_hundred_levels_are_read():
    assert read("[" * 100 + "]" * 100).value


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(
    st.dictionaries(TEXTS, VALUES),
    st.sampled_from([None, 0, 2]),
    st.booleans(),
)
@settings(deadline=None)
def test_json_is_read_as_it_was_written(value, indent, ascii_only):
    found = read(json.dumps(value, indent=indent, ensure_ascii=ascii_only))
    assert found.value == value
    assert found.notes == []


@given(st.text(alphabet='{}[]",:/*\\ua1 \n', max_size=30))
@settings(deadline=None, max_examples=300)
def test_any_text_with_a_brace_is_read_or_refused(text):
    try:
        read("{" + text)
    except DocumentError as error:
        refused = str(error)
    else:
        return
    assert "\n" not in refused
