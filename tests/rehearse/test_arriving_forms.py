"""A form as a recipient reads it: texts, and objects in their JSON."""

from __future__ import annotations

import pytest

from wizard.host.filling import write_body
from wizard.rehearse.arriving import arrived


@pytest.mark.parametrize("content", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_the_host_writes_is_read(content: str) -> None:
    value = {"request": {"idempotency_key": "k-1"}, "note": "{no json", "tags": ["a", "b"]}
    body, typed = write_body(content, value, "boundary")
    assert arrived("POST", "/files", [("Content-Type", typed)], body).body == value
