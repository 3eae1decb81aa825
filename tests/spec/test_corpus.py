"""Real documents, where they are at hand: each is read, or refused with one clear sentence and its place."""

import os
from pathlib import Path

import pytest

from wizard.errors import DocumentError
from wizard.operation.field_path import FieldPath
from wizard.spec.reader import read_document

CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
INDEX = CORPUS / "INDEX.tsv"
DOCUMENTS = [line.split("\t")[1] for line in INDEX.read_text().splitlines()[1:]] if INDEX.is_file() else []


def read(path):
    try:
        return read_document(path), None
    except DocumentError as error:
        return None, error


@pytest.mark.skipif(not DOCUMENTS, reason="the corpus is not here")
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_real_document(name):
    document, refusal = read(CORPUS / name)
    if document is None:
        assert refusal.remedy
        assert refusal.place.startswith(str(CORPUS / name) + ":")
        assert "\n" not in str(refusal)
        return
    assert document.operations
    for problem in document.problems:
        assert document.place(problem.pointer).position is not None
    for operation in document.operations:
        assert document.resolve(operation.pointer) is not None
        for field in operation.fields:
            assert str(FieldPath.parse(field.path)) == field.path
            assert document.resolve(field.pointer) is not None
            assert not field.required_at or document.resolve(field.required_at) is not None
        for answer in operation.responses:
            assert answer.body is None or answer.body.pointer
