"""The line that makes a refusal of what was answered with 200."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from houses import answer, document, facts, thing

from wizard.operation.field_path import MISSING
from wizard.rehearse.bodies import example_request
from wizard.rehearse.candidates import candidates
from wizard.rehearse.subject import Subject


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ({"ok": "boolean"}, "$[?$.ok == false]"),
        (
            {"code": {"type": "integer", "description": "0 means success"}, "msg": "string"},
            "$[?$.code && $.code != null && $.code != 0]",
        ),
        ({"error": "string"}, None),
    ],
)
def test_what_the_document_has_for_a_refusal(members: dict[str, Any], line: str | None) -> None:
    sent = {"requestBody": {"content": {"application/json": {"schema": thing("sku", sku="string")}}}}
    found = document({"/orders": {"post": {**sent, "responses": {"200": answer(thing("", **members))}}}})
    known = facts(found, "POST /orders")
    bare = replace(known.operation, failed=None)
    arguments = example_request(bare, known.api)
    assert arguments.body is not MISSING
    subject = Subject(
        name="orders",
        operation=bare,
        skill="orders.md",
        api=known.api,
        document=found,
        facts=known,
        arguments=arguments,
    )
    lines = [one.operation.failed for one in candidates(subject) if one.member == "failed"]
    assert lines == ([] if line is None else [line])
