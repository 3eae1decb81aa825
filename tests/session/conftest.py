from pathlib import Path

import pytest

from wizard.infer.propose import propose_document
from wizard.session import steps
from wizard.session.state import Session
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_document

ROOT = Path(__file__).resolve().parents[2]
HOTEL = ROOT / "samples" / "hollowbrook" / "openapi.yaml"


@pytest.fixture(scope="session")
def document() -> ApiDocument:
    return read_document(HOTEL)


@pytest.fixture(scope="session")
def hotel(document: ApiDocument) -> Session:
    """A session over Hollowbrook with every proposal there."""
    return steps.with_proposals(steps.begin(document), *propose_document(document))
