import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.source import Position, Source
from wizard.spec.json_reader import JsonPlaces
from wizard.spec.reader import read_bytes
from wizard.spec.text import read_text

KEYS = st.text(alphabet='ab~/"\\ é\n', min_size=1, max_size=4)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(alphabet='xyz{}[],:"é\\\n', max_size=6)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)


def pointers(value, names=()):
    yield names, value
    if isinstance(value, dict):
        for name, part in value.items():
            yield from pointers(part, (*names, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from pointers(part, (*names, str(index)))


@given(st.dictionaries(KEYS, VALUES), st.sampled_from([None, 2, "\t"]), st.booleans())
@settings(deadline=None)
def test_the_place_of_a_pointer_in_json_is_where_its_value_stands(root, indent, ascii_only):
    text = json.dumps(root, indent=indent, ensure_ascii=ascii_only)
    found = read_text(text.encode(), "doc")
    assert found.syntax == "json"
    for names, value in pointers(found.value):
        offset = found.source.offset(found.position(names))
        assert json.JSONDecoder().raw_decode(text, offset)[0] == value


@given(st.dictionaries(KEYS, VALUES), st.booleans())
@settings(deadline=None)
def test_the_place_of_a_pointer_in_yaml_is_where_its_value_stands(root, flow):
    """JSON is YAML, with a comment before it to have it read as such."""
    text = "# yaml\n" + json.dumps(root, indent=None if flow else 2)
    found = read_text(text.encode(), "doc")
    assert found.syntax == "yaml"
    for names, value in pointers(found.value):
        offset = found.source.offset(found.position(names))
        assert json.JSONDecoder().raw_decode(text, offset)[0] == value


BLOCK = """\
openapi: 3.1.0
info: {title: Ä house, version: 1}   # ä
paths:
  /rooms/{id}:
    get:
      tags:
      - a
      - {b: 'c'}
      -
        d: e
    put: &put
      summary: >
        folded
    patch: *put
    post:
      <<: *put
      own: 1
    "x/y~z": |
      text
"""


@pytest.mark.parametrize(
    ("pointer", "line", "column"),
    [
        ("#", 1, 1),
        ("#/openapi", 1, 10),
        ("#/info/title", 2, 15),
        ("#/info/version", 2, 33),
        ("#/paths", 3, 1),
        ("#/paths/~1rooms~1{id}", 4, 3),
        ("#/paths/~1rooms~1{id}/get/tags", 6, 7),
        ("#/paths/~1rooms~1{id}/get/tags/0", 7, 9),
        ("#/paths/~1rooms~1{id}/get/tags/1/b", 8, 13),
        ("#/paths/~1rooms~1{id}/get/tags/2/d", 10, 12),
        ("#/paths/~1rooms~1{id}/put/summary", 12, 16),
        ("#/paths/~1rooms~1{id}/patch", 14, 12),
        ("#/paths/~1rooms~1{id}/patch/summary", 12, 16),
        ("#/paths/~1rooms~1{id}/post/own", 17, 12),
        ("#/paths/~1rooms~1{id}/post/summary", 12, 16),
        ("#/paths/~1rooms~1{id}/x~1y~0z", 18, 14),
        ("#/paths/~1rooms~1{id}/get/missing/too", 5, 5),
        ("#/nothing", 1, 1),
    ],
)
def test_places_in_block_style(pointer, line, column):
    """A value that begins on a later line than its key has its key's place; so one finds it by its name."""
    place = read_bytes(BLOCK.encode(), "house.yaml").place(pointer)
    assert (place.name, place.position) == ("house.yaml", Position(line, column))
    assert str(place) == f"house.yaml:{line}:{column}"


def test_of_a_name_that_stands_twice_the_last_has_the_place():
    for text in ('{"openapi": "3.1.0",\n"a": 1,\n"a": 2}', "openapi: 3.1.0\na: 1\na: 2\n"):
        assert read_bytes(text.encode()).place("#/a").position == Position(3, 6 if "{" in text else 4)


def test_places_after_lenient_reading():
    text = '{"openapi": "3.1.0", // x\n "a": [1, /* y */ 2,],\n "b": "t\tt", "c": 3}'
    document = read_bytes(text.encode())
    assert document.place("#/a/1").position == Position(2, 19)
    assert document.place("#/c").position == Position(3, 19)


def test_line_ends_and_wide_characters_count_as_editors_do():
    text = 'openapi: 3.1.0\r\n# 😀\r\nx: "\u2028😀"\r\ny: [😀, z]\r\n'
    document = read_bytes(text.encode())
    assert document.place("#/y/1").position == Position(4, 8)
    assert Source("x", text).line(4) == "y: [😀, z]"


def test_a_large_value_is_passed_over_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one go it would keep every other thread waiting for as long as it takes."""
    paths = {f"/p{number}": {"get": {"description": "x" * 50}} for number in range(300)}
    text = json.dumps({"paths": paths, "components": {"schemas": {"Last": {"type": "object"}}}})
    places = JsonPlaces(text)
    read: list[int] = []
    skip = places._skip

    def noted(whole: str, at: int) -> tuple[Any, int]:
        found = skip(whole, at)
        read.append(found[1] - at)
        return found

    monkeypatch.setattr(places, "_skip", noted)
    key, value = places.offsets(("components", "schemas", "Last", "type"))
    assert key is not None
    assert text[key:].startswith('"type"')
    assert text[value:].startswith('"object"')
    assert max(read) < len(text) // 100
    # What was passed over is known.
    read.clear()
    assert text[places.offsets(("paths", "/p7", "get"))[1] :].startswith('{"description"')
    assert not read
