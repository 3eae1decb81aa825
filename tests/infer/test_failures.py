"""The JSONPath of an answer that says that it failed: what it selects with the host's own reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.host.jsonpaths import select
from wizard.infer.declared import as_declared
from wizard.infer.failures import failed_path
from wizard.infer.propose import propose_operation
from wizard.operation.field_path import FieldPath
from wizard.spec.reader import read_bytes

FAILS = {"kind": "is", "bad": False}
NOT_ZERO = {"kind": "is not", "good": 0}


@pytest.mark.parametrize(
    ("member", "form", "refused", "done"),
    [
        ("ok", FAILS, [{"ok": False}], [{"ok": True}, {}, [], {"id": 1}, [{"ok": False}]]),
        ("code", NOT_ZERO, [{"code": 7}, {"code": "0"}], [{"code": 0}, {"code": 0.0}, {"code": None}, {}, {"id": 7}]),
        ("stat", {"kind": "is", "bad": ("fail", "error")}, [{"stat": "error"}], [{"stat": "ok"}, {}]),
        ("error", {"kind": "there"}, [{"error": "x"}, {"error": {}}], [{"error": None}, {"error": ""}, {}]),
        ("errors", {"kind": "any"}, [{"errors": [1]}], [{"errors": []}, {"errors": None}, {}]),
        ("meta.success", FAILS, [{"meta": {"success": False}}], [{"meta": {}}, {"success": False}]),
    ],
)
def test_it_selects_in_a_refusal_and_in_nothing_else(
    member: str, form: dict[str, Any], refused: list[Any], done: list[Any]
) -> None:
    path = failed_path(member, **form)
    assert all(select(path, json.dumps(one).encode()) for one in refused)
    assert not any(select(path, json.dumps(one).encode()) for one in done)


WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)


@given(WORDS, st.one_of(st.booleans(), st.integers(-9, 9999), WORDS))
def test_any_name_and_any_value_can_be_asked_for(name: str, value: Any) -> None:
    path = failed_path(FieldPath.body(name).name, kind="is", bad=value)
    assert select(path, json.dumps({name: value}).encode())
    assert not select(path, json.dumps({name: [value]}).encode())


def test_the_documents_own_word_stands() -> None:
    document = read_bytes(
        b"""{"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://a.example"}],
        "paths": {"/orders": {"post": {"x-outturn-failed": "$.problem", "responses": {"200": {"description": "done",
        "content": {"application/json": {"schema": {"type": "object", "required": ["ok"],
        "properties": {"ok": {"type": "boolean"}}}}}}}}}}}""",
        "a.json",
    )
    proposal = propose_operation(document, document.operations[0])
    assert proposal.failed is not None
    assert proposal.failed.path == "$.problem"
    assert as_declared(document, proposal) == proposal
