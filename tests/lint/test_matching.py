"""Which operation of a document a declaration means, where several stand under one path."""

from __future__ import annotations

import json

import pytest

from wizard.lint.matching import fits_document, operation_of, target
from wizard.operation.model import Operation
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes


def document(*paths: str, server: str = "https://q.example") -> ApiDocument:
    made = {
        "openapi": "3.0.3", "info": {"title": "Queues", "version": "1"}, "servers": [{"url": server}],
        "paths": {path: {"post": {"responses": {"200": {"description": "done"}}}} for path in paths},
    }  # fmt: skip
    return read_bytes(json.dumps(made).encode(), "openapi.json")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://q.example/#Action=DeleteQueue", "/#Action=DeleteQueue"),
        ("https://q.example/?Action=DeleteQueue&Version=2#Action=DeleteQueue", "/#Action=DeleteQueue"),
        ("https://q.example/#Action=CreateQueue", "/#Action=CreateQueue"),
        ("https://q.example/?do=close", "/?do=close"),
        ("https://q.example/#Action=New", "/#Action=CreateQueue"),
    ],
)
def test_fixed_query_and_fragment_tell_operations_of_one_path_apart(url: str, found: str) -> None:
    read = document("/#Action=CreateQueue", "/#Action=DeleteQueue", "/?do=open", "/?do=close")
    operation = operation_of(read, Operation(method="POST", url=url))
    assert operation is not None
    assert operation.path == found


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://q.example/merged?v=2", "/merged?v=2"),
        ("https://q.example/merged", "/merged"),
        ("https://q.example/merged?v=3", "/merged"),
    ],
)
def test_a_path_without_a_query_is_not_meant_where_one_with_it_stands(url: str, found: str) -> None:
    operation = operation_of(document("/merged", "/merged?v=2"), Operation(method="POST", url=url))
    assert operation is not None
    assert operation.path == found


def test_the_same_path_with_another_fragment_is_another_target() -> None:
    one, other = (target(Operation(method="POST", url=f"https://q.example/#Action={name}")) for name in ("A", "B"))
    assert one != other


@pytest.mark.parametrize(
    ("server", "url", "found"),
    [
        ("/open/v4", "https://api.example.com/open/v4/queues", True),
        ("/open/v4", "https://api.example.com/queues", True),
        ("https://q.example/v4", "https://gateway.example.com/queues", True),
        ("https://q.example/v4", "https://gateway.example.com/v4/queues", True),
        ("https://q.example/v4", "https://q.example/queues", False),
        ("https://q.example/v4", "https://gateway.example.com/v5/queues", False),
        ("https://q.example/v4", "https://gateway.example.com/mesh/v4/queues", True),
        ("https://q.example/v4", "https://gateway.example.com/mesh/queues", True),
        ("https://q.example", "https://gateway.example.com/queues", True),
        ("https://q.example", "https://gateway.example.com/api/v5/queues", True),
        ("https://q.example", "https://q.example/api/v5/queues", False),
    ],
)
def test_a_gateway_need_not_have_the_servers_path(server: str, url: str, found: bool) -> None:
    read = document("/queues", server=server)
    assert (operation_of(read, Operation(method="POST", url=url)) is not None) == found


@pytest.mark.parametrize("url", ["https://gateway.example.com/v4/queues", "https://gateway.example.com/mesh/v4/queues"])
def test_a_version_of_the_documents_own_path_is_none_of_its_servers(url: str) -> None:
    read = document("/v4/queues", server="https://q.example/v2")
    assert operation_of(read, Operation(method="POST", url=url)) is not None


def test_a_document_that_lies_near_is_not_meant_by_the_end_of_a_path() -> None:
    read = document("/queues")
    assert fits_document(read, Operation(method="POST", url="https://gateway.example.com/queues"))
    assert not fits_document(read, Operation(method="POST", url="https://other.example/v1/queues"))
