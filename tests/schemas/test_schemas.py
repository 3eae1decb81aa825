"""The JSON Schemas say what the code does."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from wizard import assets
from wizard.emit.writing import plan_into
from wizard.infer.propose import propose_document
from wizard.infer.render import as_data
from wizard.lint.config import KEYS, PER_PATH_KEYS
from wizard.lint.settings import CONFIDENCES, PROFILES, SEVERITIES
from wizard.operation.parsing import KEY_KEYS, OPERATION_KEYS, PROBE_KEYS, parse_operation
from wizard.operation.printing import print_operation
from wizard.skill.document import parse_skill
from wizard.skill.files import find_skills, read_text
from wizard.spec.reader import read_document

HOLLOWBROOK = Path(__file__).parents[2] / "samples" / "hollowbrook"
NAMES = sorted(path.name for path in assets.folder("schemas").glob("*.json"))


def schema(name: str) -> Any:
    return json.loads((assets.folder("schemas") / name).read_text(encoding="utf-8"))


def validator(name: str, fragment: str = "") -> Draft202012Validator:
    known = {one["$id"]: Resource.from_contents(one) for one in map(schema, NAMES) if "$id" in one}
    return Draft202012Validator(
        {"$ref": schema(name)["$id"] + fragment}, registry=Registry().with_resources(known.items())
    )


OPERATION = validator("operation.json")


@pytest.mark.parametrize(
    "name", ["operation.json", "skill-frontmatter.json", "config.json", "lock.json", "proposals.json"]
)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"].endswith(f"/{name}")
    assert schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_operation_has_the_members_that_are_read() -> None:
    found = schema("operation.json")
    assert tuple(found["properties"]) == OPERATION_KEYS
    assert tuple(found["$defs"]["key"]["properties"]) == KEY_KEYS
    assert tuple(found["$defs"]["probe"]["properties"]) == PROBE_KEYS


BASE = {"method": "POST", "url": "http://h/a"}
PROBE = {"url": "http://h/a"}


@pytest.mark.parametrize(
    "members",
    [
        {},
        {
            "query": ["a"],
            "header": ["X-Tenant"],
            "content": "application/json; charset=utf-8",
            "body": ["a.b", "items[].c"],
        },
        {"write": True, "identity": ["a", "query:b", "$body", "c?"], "keep": "forever", "status": "proposed"},
        {"scope": "arguments", "failed": "$.error", "x-team": {"a": 1}},
        {"key": "header Idempotency-Key"},
        {"key": "field data.key"},
        {"key": "query requestId"},
        {"key": {"in": "header", "name": "K", "shape": "hex32", "quoted": True, "for": "24h", "remembers": "success"}},
        {"reference": "field number", "money": {"amount": "total", "currency": "EUR"}},
        {"reference": {"in": "field", "name": "number", "shape": "uuid4"}, "money": {"amount": "a", "currency": "b.c"}},
        {
            "probe": {
                **PROBE,
                "items": "$[*]",
                "match": ["a"],
                "since": "b.c",
                "absent": "empty",
                "pages": "link",
                "after": "5m",
            }
        },
        {"probe": {**PROBE, "match": {"a": "b.c"}, "absent": "404", "pages": {"at": "$.next", "as": "query:cursor"}}},
        {"probe": {**PROBE, "absent": 404, "pages": "$.links.next"}},
        {"url": "https://h:8080/{a}/b?c=d#e"},
        # and what is wrong
        {"method": "FETCH"},
        {"method": None},
        {"url": "/a"},
        {"url": "ftp://h/a"},
        {"url": "http://user:secret@h/a"},
        {"bdy": ["a"]},
        {"body": "a"},
        {"body": ["query:a"]},
        {"body": [1]},
        {"header": ["a b"]},
        {"content": "json"},
        {"write": "yes"},
        {"scope": "session"},
        {"scope": "call", "identity": ["a"]},
        {"key": "Idempotency-Key"},
        {"key": "cookie a"},
        {"key": "header a b"},
        {"key": {"in": "header"}},
        {"key": {"in": "header", "name": "K", "form": "uuid"}},
        {"key": {"in": "field", "name": "k", "quoted": True}},
        {"key": {"in": "header", "name": "K", "for": "1 day"}},
        {"reference": "number"},
        {"reference": {"in": "header", "name": "a"}},
        {"money": {"amount": "a"}},
        {"money": "a"},
        {"failed": "error"},
        {"keep": "1w"},
        {"status": "done"},
        {"probe": {}},
        {"probe": "http://h"},
        {"probe": {**PROBE, "absent": "empty"}},
        {"probe": {**PROBE, "items": "$[*]", "absent": "404"}},
        {"probe": {**PROBE, "after": "forever"}},
        {"probe": {**PROBE, "pages": "all"}},
        {"probe": {**PROBE, "pages": {"at": "$.a"}}},
        {"probe": {**PROBE, "match": "a"}},
        {"probe": {**PROBE, "method": "GET"}},
    ],
)
def test_the_operation_schema_agrees_with_the_parser(members: dict[str, Any]) -> None:
    mapping = {name: value for name, value in {**BASE, **members}.items() if value is not None}
    _, problems = parse_operation(mapping)
    assert OPERATION.is_valid(mapping) == (not problems), [problem.message for problem in problems]


fields = st.sampled_from(["a", "a.b", "items[].c", '"a.b".c', "query:q", "$body", "a?"])
durations = st.sampled_from(["30s", "5m", "24h", "30d"])
optional = {
    "identity": st.lists(fields, max_size=3, unique_by=lambda one: one.removesuffix("?")),
    "key": st.sampled_from(["header K", "field k", {"in": "query", "name": "k", "for": "24h"}]),
    "probe": st.fixed_dictionaries(
        {"url": st.just("http://h/a/{b}")},
        optional={"items": st.just("$.a[*]"), "since": st.just("c"), "after": durations, "pages": st.just("none")},
    ),
    "keep": durations, "status": st.just("proposed"), "write": st.booleans(), "x-a": st.integers(),
}  # fmt: skip


@given(
    st.fixed_dictionaries(
        {"method": st.sampled_from(["POST", "PUT"]), "url": st.just("http://h/{b}")}, optional=optional
    )
)
def test_what_is_printed_fits_the_schema(mapping: dict[str, Any]) -> None:
    operation, problems = parse_operation(mapping)
    assert not problems
    assert operation is not None
    OPERATION.validate(print_operation(operation))


def test_the_configuration_has_the_keys_that_are_read() -> None:
    found = schema("config.json")
    assert set(found["properties"]) == set(KEYS)
    assert set(found["properties"]["per-path"]["items"]["properties"]) == set(PER_PATH_KEYS)
    assert tuple(found["properties"]["severity"]["enum"]) == SEVERITIES
    assert tuple(found["properties"]["confidence"]["enum"]) == CONFIDENCES
    assert set(found["$defs"]["profile"]["enum"]) == set(PROFILES)
    example = """
paths = ["skills"]
profile = "strict"
rules = { money-undeclared = "off" }
[[per-path]]
paths = ["legacy/**"]
ignore = ["prose-key"]
reason = "being rewritten"
"""
    validator("config.json").validate(tomllib.loads(example))
    assert not validator("config.json").is_valid({"selct": []})
    assert not validator("config.json").is_valid({"per-path": [{"ignore": []}]})


def test_the_proposals_of_a_document_fit_their_schema() -> None:
    document = read_document(HOLLOWBROOK / "openapi.yaml")
    validator("proposals.json").validate(as_data(document, propose_document(document)))


def test_the_lock_fits_its_schema() -> None:
    (path,) = HOLLOWBROOK.rglob("skill-wizard.lock.json")
    validator("lock.json").validate(json.loads(path.read_text(encoding="utf-8")))


def test_the_frontmatter_of_written_skills_fits_its_schema(tmp_path: Path) -> None:
    checked = 0
    for path in find_skills([HOLLOWBROOK / "skills"]):
        held = parse_skill(read_text(path))
        validator("skill-frontmatter.json", f"#/$defs/{held.form}").validate(held.frontmatter)
        checked += 1
    assert checked > 20
    document = read_document(HOLLOWBROOK / "openapi.yaml")
    assert plan_into(tmp_path, document, []).changes
