"""The documents that the benchmark measures with."""

import importlib.util
from pathlib import Path

import pytest

from wizard.spec.reader import read_bytes

PLACE = Path(__file__).parents[2] / "bench" / "made_up.py"


@pytest.fixture(scope="module")
def made_up():
    spec = importlib.util.spec_from_file_location("made_up", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_they_are_the_same_each_time_as_large_as_asked_for_and_without_problems(made_up, syntax):
    data = made_up.document_of_size(0.3, syntax)
    assert data == made_up.document_of_size(0.3, syntax)
    assert len(data) == pytest.approx(300_000, rel=0.1)
    document = read_bytes(data)
    assert document.problems == ()
    assert document.servers == ("https://api.example.com/v1",)
    assert {found.method for found in document.operations} == {"GET", "POST", "PUT", "PATCH", "DELETE"}
    create = next(found for found in document.operations if found.method == "POST")
    assert {"guest.address.city", "lines[].sku", "payment.iban"} <= {field.path for field in create.fields}


def test_both_syntaxes_say_the_same(made_up):
    document = made_up.document(4)
    texts = [made_up.written(document, syntax) for syntax in ("json", "yaml")]
    assert read_bytes(texts[0]).root == read_bytes(texts[1]).root == document
