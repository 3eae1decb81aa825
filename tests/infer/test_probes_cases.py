"""What is asked of each detector of keys, references, probes and failures: its cases."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wizard.discover import module_names
from wizard.infer import detectors

sys.path.insert(0, str(Path(__file__).parent))
from detector_cases import UNSAID, Case, chosen, read_cases, saw

NAMES = [name for name in module_names(detectors) if name.startswith(("key_", "reference_", "probe_", "failed_"))]
CASES = [case for name in NAMES for case in read_cases(name)]


def titled(case: Case) -> str:
    return f"{case.detector}: {case.title}"


@pytest.mark.parametrize("case", CASES, ids=titled)
def test_a_detector_sees_what_its_case_says(case: Case) -> None:
    assert saw(case) == list(case.seen)


@pytest.mark.parametrize("case", [case for case in CASES if case.chosen is not UNSAID], ids=titled)
def test_what_is_proposed_in_the_end(case: Case) -> None:
    assert chosen(case) == case.chosen


@pytest.mark.parametrize("name", NAMES)
def test_a_detector_has_a_case_that_it_sees_and_one_that_it_does_not(name: str) -> None:
    cases = read_cases(name)
    assert any(case.seen for case in cases)
    assert any(not case.seen for case in cases)
