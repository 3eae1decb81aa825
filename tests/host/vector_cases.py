"""The inputs of the golden vectors in `schemas/key-vectors.json`: what a key may be derived from, and what is refused.

`python tests/host/vector_cases.py` writes the file anew; the difference is then read like code, for a vector that
changes means that keys in the field would change.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wizard.errors import WizardError
from wizard.host import keys
from wizard.host.exactjson import InexactError
from wizard.host.keys import Secret, Secrets
from wizard.host.prepare import Arguments, Prepared, prepare
from wizard.host.record import Call
from wizard.operation.field_path import MISSING
from wizard.operation.parsing import parse_operation

FILE = Path(__file__).parents[2] / "schemas" / "key-vectors.json"
SECRETS = {
    "first": bytes(range(32)),
    "second": b"\xff" * 32,
    "short": b"sixteen bytes, .",
    "long": bytes(range(256)),
}
BOOKINGS = "http://outturn-hollowbrook:8084/bookings"
BOOKING = {
    "method": "POST", "url": BOOKINGS, "body": ["room_id", "guest_name", "arrival", "departure"],
    "identity": ["room_id", "guest_name", "arrival", "departure"],
}  # fmt: skip
ADA = '{"room_id": "r-12", "guest_name": "Ada", "arrival": "2026-05-01", "departure": "2026-05-04"}'
Case = dict[str, Any]


def case(name: str, operation: dict[str, Any], body: str | None = None, **more: Any) -> Case:
    """One vector's inputs; what is not given has the defaults of the file."""
    call = {"workspace": "hotel", "session": "s1", "turn": "t1", "ordinal": 0, **more.pop("call", {})}
    made: Case = {
        "name": name, "secret": "first", "operation": operation, "call": call, "variables": {}, "query": {},
        "header": {}, "generation": 0, **more,
    }  # fmt: skip
    return made if body is None else {**made, "body": body}


def one(field: str = "x", **more: Any) -> dict[str, Any]:
    """An operation with one identity field."""
    return {"method": "POST", "url": "http://h/items", "identity": [field], **more}


def cases() -> Iterator[Case]:
    yield from _bookings()
    yield from _urls()
    yield from _texts()
    yield from _numbers()
    yield from _kinds()
    yield from _paths()
    yield from _parameters()
    yield from _scopes()
    yield from _places()
    yield from _elements()
    yield from _forms()
    yield from _refused()


def _bookings() -> Iterator[Case]:
    yield case("a booking", BOOKING, ADA)
    yield case("the same members in another order", BOOKING, json.dumps(dict(reversed(json.loads(ADA).items()))))
    yield case("the same with other white space", BOOKING, ADA.replace(" ", "\n\t"))
    yield case("another member beside the identity", BOOKING, ADA[:-1] + ', "note": "late"}')
    for field, value in (("room_id", "r-13"), ("guest_name", "ada"), ("arrival", "2026-05-02"), ("departure", "")):
        yield case(f"another {field}", BOOKING, json.dumps({**json.loads(ADA), field: value}))
    for workspace in ("house", "Hotel", "hotel ", "hôtel", "hotel\u2028"):
        yield case(f"workspace {workspace!r}", BOOKING, ADA, call={"workspace": workspace})
    for name in ("second", "short", "long"):
        yield case(f"the secret {name}", BOOKING, ADA, secret=name)
    for generation in (1, 2, 10, 123456789):
        yield case(f"generation {generation}", BOOKING, ADA, generation=generation)
    for method in ("PUT", "PATCH", "DELETE"):
        yield case(f"method {method}", {**BOOKING, "method": method, "write": True}, ADA)
    yield case("session, turn and ordinal do not count", BOOKING, ADA, call={"session": "x", "turn": "y", "ordinal": 9})


def _urls() -> Iterator[Case]:
    plain = {
        "host in capitals": "HTTP://Example.COM/items", "http's port": "http://h:80/items",
        "https's port": "https://h:443/items", "another port": "http://h:8080/items",
        "https on http's port": "https://h:80/items", "no path": "http://h", "a slash": "http://h/",
        "an IPv6 host": "http://[2001:DB8::1]:80/items", "an IPv6 host with another port": "http://[::1]:8080/items",
        "a fixed query": "http://h/items?api-version=2024-01-01&B=%2f", "a fixed fragment": "http://h/#Action=Create",
        "query and fragment": "http://h/items?a=1#b", "path in capitals": "http://h/Items/A",
        "an escaped path": "http://h/a%20b/%e9", "two slashes": "http://h//items", "an empty port": "http://h:/items",
    }  # fmt: skip
    for name, url in plain.items():
        yield case(f"URL with {name}", one(url=url), '{"x": 1}')
    rooms = one(url="http://h/rooms/{room}/bookings")
    values = {
        "letters": "r12", "a space": "a b", "a slash": "a/b", "a question mark": "a?b#c", "unreserved": "-._~",
        "reserved": "!$&'()*+,;=:@", "a percent sign": "50%", "a decomposed accent": "cafe\u0301", "a wide one": "𝒳",
        "three dots": "...", "a number": 12, "a number with zeros": "012", "true": True,
    }  # fmt: skip
    for name, value in values.items():
        yield case(f"path value with {name}", rooms, '{"x": 1}', variables={"room": value})
    yield case("a composed accent is the same path", rooms, '{"x": 1}', variables={"room": "café"})
    two = one(url="http://h/{a}/{b}")
    yield case("two path values", two, '{"x": 1}', variables={"a": "1", "b": "2"})
    yield case("two path values changed", two, '{"x": 1}', variables={"a": "2", "b": "1"})
    yield case("one path value twice", one(url="http://h/{a}/{a}"), '{"x": 1}', variables={"a": "é"})
    yield case("a variable in the query", one(url="http://h/items?of={a}"), '{"x": 1}', variables={"a": "p&q"})
    yield case(
        "a variable in the host", one(url="https://{shop}.example.com/i"), '{"x": 1}', variables={"shop": "Acme"}
    )


def _texts() -> Iterator[Case]:
    texts = {
        "empty": "", "a space": " ", "spaces around": " a ", "capitals": "ADA", "a quote": '"', "a backslash": "\\",
        "a slash": "/", "control characters": "\x00\x01\x1f\b\f\n\r\t", "delete": "\x7f", "composed": "é",
        "decomposed": "e\u0301", "an angstrom sign": "\u212b", "a ligature": "ﬁ", "Hangul": "한",
        "Hangul in parts": "\u1112\u1161\u11ab",
        "Chinese": "幂等键", "beyond the first plane": "😀𝒳", "a line separator": "\u2028\u2029", "a mark": "\ufeff",
        "combining marks out of order": "a\u0315\u0300", "what looks like a number": "1",
        "what looks like true": "true",
        "what looks like a tag": '{"n":"1"}', "a date": "2026-05-01", "an instant": "2026-05-01T00:00:00Z",
    }  # fmt: skip
    for name, text in texts.items():
        yield case(f"text: {name}", one(), json.dumps({"x": text}))
    yield case("text written with escapes", one(), '{"x": "\\u0065\\u0301\\ud83d\\ude00\\/"}')


def _numbers() -> Iterator[Case]:
    numbers = (
        "0", "-0", "0.0", "-0.0", "0e5", "1", "1.0", "1e0", "1E0", "10e-1", "0.1e1", "-1", "-1.0", "12.5", "12.50",
        "1250e-2", "100", "1e2", "1E+2", "1.00e2", "0.001", "1e-3", "1e20", "1e21", "1e22",
        "123456789012345678901234567890",
        "0.1", "0.10000000000000001", "0.30000000000000004", "9007199254740993", "9007199254740993.0", "1e99", "-1e99",
        "1e-98", "1.7976e3", "3.14159265358979323846264338327950288419716939937510582097494459",
        "1000000000000000000000.000000000000000000001", "5e-90",
    )  # fmt: skip
    for number in numbers:
        yield case(f"number: {number}", one(), f'{{"x": {number}}}')
    yield case("an amount as text", one(), '{"x": "12.50"}')


def _kinds() -> Iterator[Case]:
    kinds = ("null", "true", "false", "{}", "[]", "[[]]", "[null]", '{"s": "a"}', '{"n": "1"}', '{"m": 1}',
             '{"o": {}}',
             '[1, "1", true, null]', '[2, 1]', '[1, 2]', '{"b": 1, "a": 2}', '{"a": 2, "b": 1}', '{"": 1}',
             '{"é": 1, "e\\u0301": 2}', '{"\\ud83d\\ude00": 1, "\\ufb33": 2, "z": 3}',
             '{"a": {"b": {"c": [{"d": 1}]}}}', '"a"')  # fmt: skip
    for kind in kinds:
        yield case(f"kind: {kind}", one(), f'{{"x": {kind}}}')
    yield case("an optional field that is missing", one("x?"), "{}")
    yield case("an optional field that is null", one("x?"), '{"x": null}')
    yield case("an optional field that is there", one("x?"), '{"x": "a"}')
    yield case("the same field, not optional", one("x"), '{"x": "a"}')
    yield case("an optional field without a body", one("x?"))


def _paths() -> Iterator[Case]:
    items = '[{"sku": "s1", "n": [1, 2]}, {"sku": "s2", "n": []}]'
    nested = f'{{"customer": {{"email": "a@b", "name": "A"}}, "a.b": {{"c": 1}}, "items": {items}}}'
    for path in ("customer.email", "customer", '"a.b".c', '"a.b"', "items[].sku", "items", "items[].n", "items[].n[]"):
        yield case(f"path {path}", one(path), nested)
    yield case("two paths", {**one(), "identity": ["customer.email", "items[].sku"]}, nested)
    yield case("paths in another order", {**one(), "identity": ["items[].sku", "customer.email"]}, nested)
    yield case("an empty array", one("items[].sku"), '{"items": []}')
    yield case("a path through nothing, optional", one("a.b.c?"), '{"a": null}')
    yield case("a path through a text, optional", one("a.b?"), '{"a": "b"}')
    yield case(
        "an element without the member, optional", one("items[].sku?"), '{"items": [{"sku": 1}, {}, {"sku": null}]}'
    )
    yield case("arrays of arrays", one("grid[][].v"), '{"grid": [[{"v": 1}, {"v": 2}], [], [{"v": 3}]]}')
    names = {
        "$": "$",
        "a?": '"a?"',
        'a"b': '"a\\"b"',
        "a\\b": '"a\\\\b"',
        "a b": "a b",
        "x[]": '"x[]"',
        "ключ": "ключ",
        "$body": '"$body"',
    }
    for name, path in names.items():
        yield case(f"a member named {name}", one(path), json.dumps({name: 1}))
    yield case("the whole body, an array", one("$body"), '[{"a": 1}, {"a": 1}]')
    yield case("the whole body, a text", one("$body"), '"a"')
    yield case("the whole body, nothing, optional", one("$body?"))
    yield case("the whole body, null", one("$body"), "null")


def _parameters() -> Iterator[Case]:
    search = {**one("query:page"), "query": ["page", "q"], "header": ["X-Tenant"]}
    yield case("a query parameter", search, query={"page": "2", "q": "ä b&c"})
    yield case("a query parameter that is a number", search, query={"page": 2})
    yield case("a query parameter, many times", search, query={"page": ["1", "2", 3]})
    yield case("a query parameter that is empty", search, query={"page": ""})
    yield case("a query parameter that is true", search, query={"page": True})
    tenant = {**search, "identity": ["header:X-Tenant", "query:q?"]}
    yield case("a header", tenant, header={"X-Tenant": "acme"})
    yield case("a header in other letters", tenant, header={"x-tenant": "acme"})
    yield case("a header with spaces inside", tenant, header={"X-Tenant": "a  b"})
    yield case(
        "a header and a body", {**tenant, "identity": ["header:X-Tenant", "x"]}, '{"x": 1}', header={"X-Tenant": "t"}
    )
    yield case(
        "a parameter and a member of one name",
        {**search, "identity": ["page", "query:page"]},
        '{"page": 1}',
        query={"page": "1"},
    )


def _scopes() -> Iterator[Case]:
    call = {"method": "POST", "url": "http://h/log"}
    for name, where in {
        "the first call": {}, "another ordinal": {"ordinal": 1}, "another turn": {"turn": "t2"},
        "another session": {"session": "s2"}, "a decomposed session": {"session": "e\u0301"},
        "a big ordinal": {"ordinal": 1000000}, "session and turn changed": {"session": "t1", "turn": "s1"},
    }.items():  # fmt: skip
        yield case(f"call scope: {name}", call, '{"line": "a"}', call=where)
    yield case("call scope: the body does not count", call, '{"line": "b"}')
    yield case("call scope, explicit", {**call, "scope": "call"}, '{"line": "a"}')
    arguments = {**call, "scope": "arguments", "query": ["q"], "header": ["X-Tenant"]}
    yield case("arguments", arguments, '{"line": "a"}')
    yield case(
        "arguments: turn and ordinal do not count", arguments, '{"line": "a"}', call={"turn": "t9", "ordinal": 4}
    )
    yield case("arguments: another session", arguments, '{"line": "a"}', call={"session": "s2"})
    yield case("arguments: another body", arguments, '{"line": "b"}')
    yield case("arguments: no body", arguments)
    yield case("arguments: null as body", arguments, "null")
    yield case("arguments: query and header", arguments, '{"line": "a"}', query={"q": "1"}, header={"x-tenant": "t"})
    yield case("arguments: query without body", arguments, query={"q": ["1", "2"]})
    proposed = {**BOOKING, "key": "header K", "status": "proposed"}
    yield case("only proposed: the call scope, no key", proposed, ADA)


def _places() -> Iterator[Case]:
    keyed = {**BOOKING, "key": "header Idempotency-Key"}
    yield case("a key in a header", keyed, ADA)
    yield case("a key in a header, generation 1", keyed, ADA, generation=1)
    yield case("a key that the model sent is dropped", keyed, ADA, header={"idempotency-key": "mine"})
    for shape in ("uuid4", "hex32", "hex64"):
        yield case(f"a key as {shape}", {**BOOKING, "key": {"in": "header", "name": "K", "shape": shape}}, ADA)
    yield case("a quoted key", {**BOOKING, "key": {"in": "header", "name": "K", "quoted": True}}, ADA)
    yield case("a key in the query", {**BOOKING, "key": "query requestId"}, ADA)
    yield case(
        "a key in the query beside others",
        {**BOOKING, "key": "query requestId", "query": ["a"]},
        ADA,
        query={"a": "1", "requestId": "mine"},
    )
    yield case("a key in a field", {**BOOKING, "key": "field idempotency_key"}, ADA)
    yield case(
        "a key in a field that the model filled",
        {**BOOKING, "key": "field idempotency_key"},
        ADA[:-1] + ', "idempotency_key": "mine"}',
    )
    yield case(
        "a key deep inside", {**BOOKING, "key": "field data.attributes.key"}, ADA[:-1] + ', "data": {"type": "x"}}'
    )
    yield case("a key in objects that are not there", {**BOOKING, "key": "field data.attributes.key"}, ADA)
    yield case("a reference that the host fills", {**BOOKING, "reference": "field reference"}, ADA)
    yield case(
        "a reference of another shape", {**BOOKING, "reference": {"in": "field", "name": "ref", "shape": "hex32"}}, ADA
    )
    yield case(
        "a reference that the model filled is replaced",
        {**BOOKING, "reference": "field reference"},
        ADA[:-1] + ', "reference": "R1"}',
    )
    yield case(
        "a reference in the identity is the model's",
        {**one("invoice"), "reference": "field invoice"},
        '{"invoice": "R1"}',
    )
    yield case("key and reference", {**BOOKING, "reference": "field reference", "key": "field k"}, ADA)
    call = {"method": "POST", "url": "http://h/log", "scope": "arguments", "key": "field k", "header": ["A"]}
    yield case("arguments do not count the key", call, '{"line": "a", "k": "mine"}')
    yield case("a key without a body", {"method": "POST", "url": "http://h/log", "key": "field k"})


def _elements() -> Iterator[Case]:
    events = {**one("events[].sku"), "key": "field events[].transaction_id"}
    yield case("a key for each element", events, '{"events": [{"sku": "a"}, {"sku": "b"}]}')
    yield case("equal elements", events, '{"events": [{"sku": "a"}, {"sku": "a"}, {"sku": "b"}, {"sku": "a"}]}')
    yield case(
        "equal elements, members in another order", events, '{"events": [{"sku": "a", "n": 1}, {"n": 1.0, "sku": "a"}]}'
    )
    yield case(
        "elements with keys of the model's",
        events,
        '{"events": [{"sku": "a", "transaction_id": "1"}, {"sku": "a", "transaction_id": "2"}]}',
    )
    yield case("no elements", events, '{"events": []}')
    yield case("elements, generation 3", events, '{"events": [{"sku": "a"}]}', generation=3)
    deep = {**one("events[].sku"), "key": {"in": "field", "name": "events[].meta.id", "shape": "hex64"}}
    yield case("a key deep in each element", deep, '{"events": [{"sku": "a", "meta": {"n": 1}}, {"sku": "b"}]}')
    nested = {**one("a[].b[].sku"), "key": "field a[].b[].id"}
    yield case("elements of elements", nested, '{"a": [{"b": [{"sku": 1}, {"sku": 1}]}, {"b": [{"sku": 1}]}]}')
    call = {"method": "POST", "url": "http://h/events", "key": "field events[].id"}
    yield case("elements under the call scope", call, '{"events": [{"x": 1}]}')


def _forms() -> Iterator[Case]:
    form = {**one(), "content": "application/x-www-form-urlencoded"}
    yield case("a form", form, '{"x": "a b"}')
    yield case("a form's number is text", form, '{"x": 1.50}')
    yield case("a form's field, many times", form, '{"x": ["1", "2"]}')
    yield case("a form's key", {**form, "key": "field k"}, '{"x": "1"}')
    yield case("a form under arguments", {**form, "identity": [], "scope": "arguments"}, '{"x": 1, "y": true}')
    yield case("a JSON type of its own", {**one(), "content": "application/vnd.api+json"}, '{"x": 1}')


def _refused() -> Iterator[Case]:
    for name, body in {
        "a duplicate member": '{"x": 1, "x": 1}', "a duplicate member deep inside": '{"x": 1, "y": [{"a": 1, "a": 2}]}',
        "NaN": '{"x": NaN}', "infinity": '{"x": -Infinity}', "half a surrogate pair": '{"x": "\\ud83d"}',
        "half a surrogate pair in a name": '{"x": 1, "\\ude00": 2}', "101 digits": '{"x": 1' + "0" * 100 + "}",
        "an exponent beyond": '{"x": 1e100}', "a small exponent beyond": '{"x": 1e-100}',
        "no JSON": '{"x": 1', "text behind": '{"x": 1} 2', "a leading zero": '{"x": 01}', "a plus sign": '{"x": +1}',
        "a missing identity field": '{"y": 1}', "a missing field of an element": '{"x": 1, "items": [{}]}',
    }.items():  # fmt: skip
        operation = {**one(), "identity": ["x", "items[].sku"]} if "element" in name else one()
        yield case(f"refused: {name}", operation, body, refused=True)
    rooms = one(url="http://h/rooms/{room}")
    for value in ("", ".", ".."):
        yield case(f"refused: path value {value!r}", rooms, '{"x": 1}', variables={"room": value}, refused=True)
    yield case("refused: a path value that is not given", rooms, '{"x": 1}', refused=True)
    yield case("refused: an identity parameter that is not given", {**one("query:q"), "query": ["q"]}, refused=True)
    yield case("refused: no body where the identity needs one", one(), refused=True)
    yield case("refused: a missing member of the body", BOOKING, '{"room_id": "r-12"}', refused=True)


def prepared(made: Case) -> Prepared:
    """The call of a case. Raises WizardError, InexactError."""
    operation, problems = parse_operation(made["operation"])
    assert operation is not None, problems
    assert not problems, problems
    body = made["body"].encode() if "body" in made else MISSING
    if operation.content == "application/x-www-form-urlencoded":
        body = json.loads(made["body"])
    arguments = Arguments(made["variables"], made["query"], made["header"], body)
    secret = Secret(made["secret"], SECRETS[made["secret"]])
    return prepare("operation", operation, Call(**made["call"]), arguments, Secrets(secret))


def expected(made: Case) -> dict[str, Any]:
    """What a case derives."""
    call, generation = prepared(made), made["generation"]
    operation, secret = call.operation, call.secrets.current
    material = keys.material(
        call.call.workspace, operation.method, call.url, operation.record_scope, call.parts, generation
    )
    digest = keys.digest(secret, material)
    request = call.request(generation)
    return {
        "url": call.url,
        "material": material.decode(),
        "address": call.addresses[0],
        "digest": digest.hex(),
        "keys": {shape: keys.key_text(shape, digest) for shape in ("uuid", "uuid4", "hex32", "hex64")},
        "fingerprint": call.fingerprint(generation),
        "sent": {
            "url": request.url,
            "headers": dict(request.headers),
            "body": None if request.body is None else request.body.decode(),
        },
    }


def vectors() -> str:
    """The text of the file."""
    made = []
    for one_case in cases():
        if one_case.get("refused"):
            try:
                prepared(one_case)
            except (WizardError, InexactError):
                made.append(one_case)
                continue
            raise AssertionError(f"{one_case['name']} is not refused")
        made.append({**one_case, "expected": expected(one_case)})
    names = [one_case["name"] for one_case in made]
    assert len(set(names)) == len(names), "two vectors have one name"
    whole = {
        "version": 1,
        "about": "What keys are derived from, and which. `operation` is a declaration, `body` the text of a JSON body"
        " (a form's fields as an object), `refused` means that no key may be derived. A field stands in `parts` under"
        " its name with quotes only where they are needed.",
        "secrets": {name: value.hex() for name, value in SECRETS.items()},
        "vectors": made,
    }
    return json.dumps(whole, indent=1, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(vectors(), encoding="utf-8")
    sys.stdout.write(f"{FILE}: {len(json.loads(FILE.read_text())['vectors'])} vectors\n")
