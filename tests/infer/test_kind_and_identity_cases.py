"""The detectors of kind and identity by their cases (`cases/kind_*.yml`, `cases/identity_*.yml`).

A case has what `small.py` reads, and:

  kind: update            what the operation was found to be (identity only; default: create)
  key: field number       the key that was found (identity only)
  seen: [note -]          what this detector saw, in its order: a field or a kind, `+` or `-`, `!` where it is final
  role: [note content]    fields with the roles they were given
  proposed: [a, b]        the identity, or for a kind the kind, that all detectors together lead to
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from wizard.discover import modules
from wizard.infer import detectors
from wizard.infer.detector import Candidate, Subject
from wizard.infer.model import KeyProposal
from wizard.infer.propose import propose_operation

sys.path.insert(0, str(Path(__file__).parent))
from small import document

FOLDER = Path(__file__).with_name("cases")
MODULES = modules(detectors)
OURS = {name: module for name, module in MODULES.items() if name.startswith(("kind_", "identity_"))}
_MEMBERS = {
    "does", "summary", "description", "id", "body", "query", "answers", "others", "server", "title", "kind", "key",
    "seen", "role", "proposed",
    "example",
}  # fmt: skip


def cases(detector: str) -> dict[str, dict[str, Any]]:
    found = yaml.safe_load((FOLDER / f"{detector}.yml").read_text(encoding="utf-8"))
    for title, members in found.items():
        strange = {name for name in members if name not in _MEMBERS and not name.startswith("x-")}
        assert not strange, f"{detector}.yml: {title}: no case has {strange}"
    return found


ALL = [pytest.param(name, members, id=f"{name}: {title}") for name in OURS for title, members in cases(name).items()]


@pytest.mark.parametrize("detector", MODULES)
def test_each_detector_has_a_case_that_fires_and_one_that_does_not(detector: str) -> None:
    read = yaml.safe_load((FOLDER / f"{detector}.yml").read_text(encoding="utf-8"))
    seen = [members.get("seen", members.get("role")) for members in read.values()]
    assert any(seen), f"no case of {detector} fires"
    assert [] in seen, f"no case of {detector} is quiet"


@pytest.mark.parametrize("detector", MODULES)
def test_a_detector_says_what_it_looks_for(detector: str) -> None:
    assert len((MODULES[detector].__doc__ or "").split()) > 5


@pytest.mark.parametrize(("detector", "members"), ALL)
def test_what_a_detector_sees(detector: str, members: dict[str, Any]) -> None:
    subject = subject_of(detector, members)
    seen = list(OURS[detector].DETECTOR.detect(subject))
    if "seen" in members:
        assert [_said(one) for one in seen] == members["seen"]
    if "role" in members:
        assert [f"{one.value} {one.role}" for one in seen] == members["role"]
    for one in seen:
        assert one.because
        assert one.evidence.says
        assert one.evidence.at.startswith("#/")


@pytest.mark.parametrize(
    ("detector", "members"),
    [one for one in ALL if "proposed" in one.values[1]],  # type: ignore[operator]
)
def test_what_is_proposed_in_the_end(detector: str, members: dict[str, Any]) -> None:
    read = document(members)
    proposal = propose_operation(read, read.by_name[members["does"]])
    if detector.startswith("kind_"):
        assert proposal.kind == members["proposed"]
    else:
        assert list(proposal.identity.fields) == members["proposed"]


def subject_of(detector: str, members: dict[str, Any]) -> Subject:
    read = document(members)
    place, _, name = members.get("key", "").partition(" ")
    asked = detector.startswith("identity_")
    return Subject(
        document=read,
        operation=read.by_name[members["does"]],
        write=True if asked else None,
        kind=members.get("kind", "create") if asked else None,
        key=KeyProposal(place=place, name=name) if name else None,
    )


def _said(one: Candidate) -> str:
    return f"{one.value} {'+' if one.weight >= 0 else '-'}{'!' if one.final else ''}"
