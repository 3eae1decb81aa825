"""Keys: the golden vectors, a second implementation of them, and what must hold of any identity."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import unicodedata
import uuid
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.errors import UsageError
from wizard.host import keys, secretguard
from wizard.host.exactjson import InexactError, number_text, read_json, write_json
from wizard.host.filling import RequestError
from wizard.host.keys import Secret, Secrets
from wizard.host.prepare import Arguments, Prepared, prepare
from wizard.host.record import Call
from wizard.host.store import open_store
from wizard.operation.field_path import MISSING
from wizard.operation.parsing import parse_operation

FIRST, SECOND = Secret("first", b"1" * 32), Secret("second", b"2" * 32)
BOTH = Secrets(SECOND, (FIRST,))
ALONE = Secrets(FIRST)
HERE = Path(__file__).parent


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


vector_cases = _load("vector_cases")


def prepared(
    operation: dict[str, Any], *, secrets: Secrets = ALONE, call: Call | None = None, **arguments: Any
) -> Prepared:
    parsed, problems = parse_operation(operation)
    assert parsed is not None
    assert not problems
    return prepare("op", parsed, call or Call("w", "s", "t", 0), Arguments(**arguments), secrets)


@pytest.mark.requirement(24, 46, 52)
def test_the_golden_vectors_come_out_as_they_are() -> None:
    assert vector_cases.vectors() == vector_cases.FILE.read_text(encoding="utf-8")
    assert len(json.loads(vector_cases.FILE.read_text())["vectors"]) >= 200


@pytest.mark.requirement(24, 52)
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not there")
def test_a_second_implementation_derives_the_same() -> None:
    done = subprocess.run(["node", HERE / "check-vectors.mjs"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(" vectors, 0 differences\n")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not there")
def test_the_second_implementation_sees_a_difference(tmp_path: Path) -> None:
    whole = json.loads(vector_cases.FILE.read_text())
    changed = dict(whole["vectors"][0], body=whole["vectors"][0]["body"].replace("Ada", "Bea"))
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps({**whole, "vectors": [changed, whole["vectors"][1]]}))
    done = subprocess.run(["node", HERE / "check-vectors.mjs", file], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.startswith("a booking: material is ")


@pytest.mark.requirement(24)
def test_another_process_derives_the_same() -> None:
    code = "import vector_cases; print(vector_cases.expected(next(vector_cases.cases()))['digest'])"
    done = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=HERE, capture_output=True, text=True, env={"PYTHONHASHSEED": seed}
        ).stdout.strip()
        for seed in ("0", "1")
    ]
    assert done == [vector_cases.expected(next(vector_cases.cases()))["digest"]] * 2


# Exact values

numbers = st.one_of(
    st.integers(-(10**30), 10**30),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=9),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e80, max_value=1e80).filter(
        lambda number: number == 0 or abs(number) > 1e-60
    ),
)
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=8,
)


@given(numbers)
def test_a_number_has_one_text_that_reads_back_as_it(number: int | Decimal | float) -> None:
    text = number_text(number)
    exact = Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
    assert Decimal(text) == exact
    assert "e" not in text.lower()
    assert text != "-0"
    assert not ("." in text and text.endswith("0"))
    assert number_text(Decimal(text)) == text


@given(values)
def test_json_written_and_read_is_the_same_value(value: Any) -> None:
    assert keys.tagged(read_json(write_json(value))) == keys.tagged(value)
    again = write_json(read_json(write_json(value)))
    assert write_json(read_json(again)) == again


def kind(value: Any) -> Any:
    """A value as mathematics has it: numbers by value, texts in NFC, everything with its kind."""
    match value:
        case None | bool():
            return value
        case str():
            return ("text", unicodedata.normalize("NFC", value))
        case int() | float() | Decimal():
            return ("number", Decimal(repr(value)) if isinstance(value, float) else Decimal(value))
        case dict():
            return ("object", tuple(sorted((name, kind(member)) for name, member in value.items())))
    return ("list", tuple(kind(element) for element in value))


@given(values, values)
def test_tagged_values_are_equal_where_the_values_are(one: Any, other: Any) -> None:
    same = repr(kind(one)).replace("Decimal", "") == repr(kind(other)).replace("Decimal", "") or kind(one) == kind(
        other
    )
    assert (keys.tagged(one) == keys.tagged(other)) is same


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}', "NaN", "Infinity", '"\\ud800"', '{"\\ud800": 1}', "1" + "0" * 100, "1e100", "1e-100",
        "0." + "0" * 99 + "1", "1e999999999", "1e-999999999", "9" * 5000, "[" * 5000 + "]" * 5000, "", "{", "01",
        '"\x01"', "1 2", "'a'",
    ],
)  # fmt: skip
def test_what_two_readers_could_take_differently_is_refused(text: str) -> None:
    with pytest.raises(InexactError):
        read_json(text)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), Decimal("sNaN"), {1: 2}, {"a": object()}, "\ud800", 10**100]
)
def test_what_has_no_exact_form_is_refused(value: Any) -> None:
    with pytest.raises(InexactError):
        write_json(value)


def test_json_is_read_without_floats() -> None:
    read = read_json('{"a": 0.1, "b": 1e3, "c": 12345678901234567890.5, "d": -0}')
    assert [type(value) for value in read.values()] == [Decimal, Decimal, Decimal, Decimal]
    assert write_json(read) == b'{"a":0.1,"b":1E+3,"c":12345678901234567890.5,"d":-0}'
    assert read_json(b"\xef\xbb\xbf[1]") == [1]
    with pytest.raises(InexactError):
        read_json(b"\xff")


# Identity

CREATE = {"method": "POST", "url": "http://h/x", "identity": ["a", "b?"], "key": "header K"}


@pytest.mark.requirement(46)
@given(values, values)
def test_equal_identities_have_equal_keys_and_no_others(one: Any, other: Any) -> None:
    first = prepared(CREATE, body={"a": one, "n": 1}, call=Call("w", "s1", "t1", 0))
    second = prepared(CREATE, body={"n": 2, "a": other}, call=Call("w", "s2", "t2", 5))
    assert (first.key(0) == second.key(0)) is (keys.tagged(one) == keys.tagged(other))
    assert (first.addresses == second.addresses) is (keys.tagged(one) == keys.tagged(other))


@pytest.mark.requirement("T8")
@given(st.lists(st.tuples(st.sampled_from(["w", "method", "url", "a", "generation"]), st.integers(0, 2)), min_size=1))
def test_everything_in_the_material_tells_keys_apart(changes: list[tuple[str, int]]) -> None:
    def key(at: dict[str, int]) -> str:
        method = ("POST", "PATCH", "DELETE")[at.get("method", 0)]
        made = prepared(
            {"method": method, "url": f"http://h/{at.get('url', 0)}", "identity": ["a"], "key": "header K"},
            body={"a": at.get("a", 0)}, call=Call(f"w{at.get('w', 0)}", "s", "t", 0),
        )  # fmt: skip
        return made.key(at.get("generation", 0))

    changed = {name: number for name, number in dict(changes).items() if number}
    assert (key(changed) == key({})) is (not changed)


def test_the_address_does_not_follow_the_generation() -> None:
    made = prepared(CREATE, body={"a": 1})
    assert made.new_write(0).address == made.new_write(3).address == made.addresses[0]
    assert made.new_write(0).key != made.new_write(3).key


def test_an_identity_field_that_is_missing_refuses_the_call() -> None:
    with pytest.raises(RequestError, match="`a` is part of what this write is"):
        prepared(CREATE, body={"b": 1})
    with pytest.raises(RequestError, match="`a` is part"):
        prepared(CREATE)
    assert prepared(CREATE, body={"a": None}).parts == {"a": None, "b": {"m": 1}}


def test_every_shape_is_of_its_form() -> None:
    digest = bytes(range(32))
    assert uuid.UUID(keys.key_text("uuid", digest)).version == 5
    assert uuid.UUID(keys.key_text("uuid4", digest)).version == 4
    assert uuid.UUID(keys.key_text("uuid", digest)) == uuid.uuid5(uuid.NAMESPACE_OID, digest.hex())
    assert [len(keys.key_text(shape, digest)) for shape in ("uuid", "uuid4", "hex32", "hex64")] == [36, 36, 32, 64]


# Secrets


def test_secrets_are_looked_up_current_first_and_stay_out_of_sight() -> None:
    made = prepared(CREATE, body={"a": 1}, secrets=Secrets(SECOND, (FIRST,)))
    alone = prepared(CREATE, body={"a": 1}, secrets=Secrets(FIRST))
    assert made.addresses[1:] == alone.addresses
    assert made.new_write(0).secret == "second"
    assert "1111" not in repr(Secrets(SECOND, (FIRST,))) + repr(made)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Secret("", b"1" * 32), "has a name"),
        (lambda: Secret("a", b"short"), "at least 16 bytes"),
        (lambda: Secrets(FIRST, (FIRST,)), "the same name"),
    ],
)
def test_a_secret_that_is_none_is_refused(make: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make()


def test_an_identity_cannot_be_guessed_from_its_address() -> None:
    made = prepared(CREATE, body={"a": 1})
    material = keys.material("w", "POST", "http://h/x", made.operation.record_scope, made.parts)
    import hashlib

    assert made.addresses[0] != hashlib.sha256(material).hexdigest()


@pytest.mark.parametrize("url", ["memory:", "sqlite"])
def test_a_secret_that_changed_under_its_name_is_refused(url: str, tmp_path: Path) -> None:
    store = open_store(url if url == "memory:" else f"sqlite:{tmp_path / 'r.db'}")
    known: set[tuple[str, str]] = set()
    secretguard.check(store, "w", BOTH, known)
    secretguard.check(store, "w", BOTH, set())
    secretguard.check(store, "w", ALONE, known)
    assert len(known) == 2
    other = Secrets(Secret("first", b"3" * 32))
    secretguard.check(store, "another workspace", other, known)
    with pytest.raises(UsageError, match="`first` is not the one that the records of `w` were made with"):
        secretguard.check(store, "w", other, known)
    kept = store.documents("w", "secret")
    assert [document.id for document in kept] == ["first", "second"]
    assert not any(b"1111".hex() in document.body for document in kept)
    store.close()


# What the host fills in


@pytest.mark.requirement(57, 82)
def test_a_value_in_the_keys_place_is_replaced_and_named() -> None:
    header = prepared({**CREATE, "header": ["X"]}, body={"a": 1}, header={"k": "mine", "X": "y"})
    assert header.replaced == ("header:K",)
    assert dict(header.request(0).headers)["K"] == header.key(0)
    field = prepared({**CREATE, "key": "field k"}, body={"a": 1, "k": "mine"})
    assert field.replaced == ("k",)
    assert read_json(field.request(0).body or b"")["k"] == field.key(0)
    query = prepared({**CREATE, "key": "query k"}, body={"a": 1}, query={"k": "mine"})
    assert query.replaced == ("query:k",)
    assert query.request(0).url == f"http://h/x?k={query.key(0)}"
    assert prepared(CREATE, body={"a": 1}).replaced == ()


@pytest.mark.requirement(35)
def test_the_reference_is_filled_from_the_derived_key() -> None:
    made = prepared({**CREATE, "reference": "field ref"}, body={"a": 1, "ref": "mine"})
    assert read_json(made.request(0).body or b"")["ref"] == made.reference(0) == made.key(0)
    assert made.replaced == ("ref",)
    own = prepared({**CREATE, "identity": ["ref"], "reference": "field ref"}, body={"ref": "INV-1"})
    assert read_json(own.request(0).body or b"") == {"ref": "INV-1"}
    assert own.reference(0) == ""


@pytest.mark.parametrize(
    ("operation", "arguments", "said"),
    [
        ({"url": "http://h/{a}"}, {}, "needs a value for `a`"),
        ({"url": "http://h/{a}"}, {"variables": {"a": ".."}}, "cannot stand in the URL"),
        ({"url": "http://h/{a}"}, {"variables": {"a": []}}, "is a text, a number, true or false"),
        ({}, {"variables": {"z": "1"}}, "no variable named `z`"),
        ({}, {"query": {"q": "1"}}, "declares no query parameter named `q`"),
        ({"header": ["X"]}, {"header": {"Authorization": "1"}}, "declares no header named `Authorization`"),
        ({"header": ["X"]}, {"header": {"X": "a\r\nEvil: 1"}}, "control character"),
        ({"header": ["X"]}, {"header": {"X": "1", "x": "2"}}, "stands there twice"),
        ({"content": "application/x-www-form-urlencoded"}, {"body": [1]}, "an object of its fields"),
        ({"content": "application/x-www-form-urlencoded"}, {"body": {"a": {"b": 1}}}, "is a text, a number"),
        ({"key": "field a.k"}, {"body": {"a": 1}}, "no object there"),
        ({"key": "field a[].k"}, {"body": {"a": 1}}, "no array there"),
        ({}, {"body": {"a": float("nan")}}, "cannot be sent"),
        ({}, {"body": b'{"a": 1, "a": 2}'}, "stands there twice"),
    ],
)  # fmt: skip
def test_arguments_that_make_no_request_are_refused(operation: dict[str, Any], arguments: Any, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        prepared({"method": "POST", "url": "http://h/x", **operation}, **arguments).request(0)


def test_a_declaration_with_a_path_that_is_none_is_refused_before_anything_else() -> None:
    assert [problem.rule for problem in parse_operation({**CREATE, "failed": "$.["})[1]] == ["value-form"]
    operation, _ = parse_operation(CREATE)
    assert operation is not None
    with pytest.raises(UsageError, match="is no JSONPath"):
        prepare("op", replace(operation, failed="$.["), Call("w", "s", "t", 0), Arguments(body={"a": 1}), ALONE)


@given(texts.filter(lambda text: "\x00" not in text), texts)
def test_a_form_goes_out_as_its_texts(name: str, text: str) -> None:
    from urllib.parse import parse_qsl

    operation = {"method": "POST", "url": "http://h/x", "content": "application/x-www-form-urlencoded"}
    request = prepared(operation, body={name: text}).request(0)
    assert parse_qsl((request.body or b"").decode(), keep_blank_values=True) == [(name, text)]
    assert dict(request.headers)["Content-Type"] == "application/x-www-form-urlencoded"


def test_other_bodies_go_out_as_they_are() -> None:
    multipart = prepared(
        {"method": "POST", "url": "http://h/x", "content": "multipart/form-data"}, body={"a": "ü", "b": 1}
    )
    request = multipart.request(0)
    boundary = dict(request.headers)["Content-Type"].partition("boundary=")[2]
    assert (request.body or b"").decode() == (
        f'--{boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nü\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="b"\r\n\r\n1\r\n--{boundary}--\r\n'
    )
    text = {"method": "POST", "url": "http://h/x", "content": "text/plain"}
    assert prepared(text, body="a\nb").request(0).body == b"a\nb"
    assert prepared(text, body=b"\xff\x00").request(0).body == b"\xff\x00"
    assert prepared(text, body=b"\xff\x00").fingerprint(0) != prepared(text, body=b"\xff\x01").fingerprint(0)
    assert prepared(text).request(0).body is None


@pytest.mark.parametrize("content", ["multipart/form-data", "application/x-www-form-urlencoded"])
def test_a_key_inside_an_object_of_a_form_goes_out_as_json(content: str) -> None:
    made = prepared(
        {
            "method": "POST", "url": "http://h/x", "content": content, "body": ["a"],
            "key": {"in": "field", "name": "meta.key", "for": "24h"},
        },
        body={"a": "1"},
    )  # fmt: skip
    body = made.request(0).body
    assert body is not None
    text = body.decode() if content.startswith("multipart") else unquote_plus(body.decode())
    assert f'{{"key":"{made.key(0)}"}}' in text


def test_a_body_given_as_text_keeps_its_numbers() -> None:
    made = prepared(
        {"method": "POST", "url": "http://h/x", "key": "field k"}, body=b'{"n": 1.10, "m": 100000000000000000000000}'
    )
    assert (made.request(0).body or b"").startswith(b'{"n":1.10,"m":100000000000000000000000,"k":"')
    assert prepared({"method": "POST", "url": "http://h/x"}, body=MISSING).request(0).body is None


# Levels


@pytest.mark.requirement(58, 59, 60, 61)
@pytest.mark.parametrize(
    ("operation", "level", "scope"),
    [
        ({"method": "POST", "identity": ["a"], "key": "header K"}, "keyed", "identity"),
        ({"method": "POST", "key": "header K"}, "keyed", "call"),
        ({"method": "POST", "identity": ["a"]}, "cached", "identity"),
        ({"method": "POST"}, "cached", "call"),
        ({"method": "POST", "scope": "arguments"}, "cached", "arguments"),
        ({"method": "PATCH"}, "cached", "call"),
        ({"method": "DELETE"}, "cached", "call"),
        ({"method": "POST", "write": False, "key": "header K"}, "none", "call"),
        ({"method": "PUT"}, "none", "call"),
        ({"method": "PUT", "write": True}, "cached", "call"),
        ({"method": "GET"}, "none", "call"),
        ({"method": "HEAD"}, "none", "call"),
        ({"method": "GET", "write": True}, "cached", "call"),
        ({"method": "POST", "identity": ["a"], "key": "header K", "status": "proposed"}, "cached", "call"),
    ],
)
def test_levels_follow_from_what_is_declared(operation: dict[str, Any], level: str, scope: str) -> None:
    parsed, problems = parse_operation({"url": "http://h/x", **operation})
    assert parsed is not None
    assert not problems
    assert (parsed.level, parsed.record_scope) == (level, scope)
    made = prepared({"url": "http://h/x", **operation}, body={"a": 1})
    assert made.operation.level == parsed.level
    assert bool(made.key(0)) is (made.operation.key is not None)
