"""Keys: their shape, how long they are remembered, decoys, and what must never change a proposal."""

from __future__ import annotations

import copy
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.infer.detector import Subject
from wizard.infer.keys import choose_key, fits, fitting_shape, remembered_for, remembers_success
from wizard.infer.known_keys import offered_keys
from wizard.infer.model import KeyProposal
from wizard.infer.propose import seen
from wizard.operation.duration import Duration
from wizard.operation.pattern import matches
from wizard.spec.model import Shape

sys.path.insert(0, str(Path(__file__).parent))
from detector_cases import read_cases, read_small, subject_of

KEY_CASES = [case for name in ("key_name", "key_text", "key_tracing") for case in read_cases(name)]


@pytest.mark.parametrize(
    ("shape", "text", "expected"),
    [
        (Shape(), "", "uuid"),
        (Shape(max_length=45), "", "uuid"),
        (Shape(max_length=32), "", "hex32"),
        (Shape(min_length=64), "", "hex64"),
        (Shape(format="uuid", max_length=36), "", "uuid"),
        (Shape(pattern="^[a-f0-9]{32}$"), "", "hex32"),
        (Shape(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"), "", "uuid4"),
        (Shape(), "the value must be a uuid v4", "uuid4"),
        (Shape(), "a key; we recommend uuid v4", "uuid"),
        (Shape(), "up to 32 ascii characters are allowed", "hex32"),
        (Shape(max_length=10), "", "uuid"),
        (Shape(pattern="(a+)+$"), "", "uuid"),
    ],
)
def test_the_shape_that_fits(shape: Shape, text: str, expected: str) -> None:
    assert fitting_shape(shape, text) == expected


@given(st.integers(0, 80), st.one_of(st.none(), st.integers(0, 80)))
def test_a_shape_is_chosen_only_where_a_sample_fits(shortest: int, longest: int | None) -> None:
    shape = Shape(min_length=shortest, max_length=longest)
    name = fitting_shape(shape)
    assert fits(name, shape) or not any(fits(one, shape) for one in ("uuid", "uuid4", "hex32", "hex64"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the server stores keys for 30 days.", "30d"),
        ("the idempotency key will be valid for 24 hours.", "24h"),
        ("keys expire after twenty-four hours", "24h"),
        ("a key is remembered for one week.", "7d"),
        ("keys are kept for 90 minutes", "90m"),
        ("keys never expire", "forever"),
        ("a second request with the same key within 30 days issues nothing.", "30d"),
        ("a second request with the same key gets the first answer.", ""),
        ("after a minimum delay of one minute you can retry with the same key.", ""),
        ("after a delay of one minute retry. a key that was received within 24 hours is refused.", "24h"),
        ("the booking lasts 3 days.", ""),
        ("", ""),
    ],
)
def test_how_long_keys_are_remembered(text: str, expected: str) -> None:
    assert remembered_for(text) == expected
    if expected:
        assert Duration.parse(expected).seconds != 0


@given(st.text(max_size=300))
def test_what_is_read_of_any_text_is_a_duration(text: str) -> None:
    told = remembered_for(text.lower())
    assert told == "" or Duration.parse(told)


def test_only_successes_are_remembered() -> None:
    assert remembers_success("only successful responses are cached.")
    assert remembers_success("failed requests are not stored, so they can be sent again.")
    assert not remembers_success("the first response is stored, errors too.")


@pytest.mark.parametrize("case", KEY_CASES, ids=lambda case: case.title)
@pytest.mark.parametrize("header", ["traceparent", "X-Trace-Id", "X-Correlation-ID", "client-request-id"])
def test_a_tracing_header_on_every_operation_changes_nothing(case: Any, header: str) -> None:
    before = subject_of(case)
    document = copy.deepcopy(case.document)
    for item in document["paths"].values():
        item.setdefault("parameters", []).append({"name": header, "in": "header", "schema": {"type": "string"}})
    after = subject_of(case, read_small(document))
    assert _key(after) == _key(before)


def _key(subject: Subject) -> KeyProposal | None:
    found = choose_key(subject, seen(subject, "key"))
    return None if found is None else KeyProposal(place=found.place, name=found.name, confidence=found.confidence)


@pytest.mark.parametrize("case", KEY_CASES, ids=lambda case: case.title)
def test_a_read_has_no_key(case: Any) -> None:
    subject = subject_of(case)
    read = Subject(document=subject.document, operation=subject.operation, write=False, kind="read")
    assert choose_key(read, seen(read, "key")) is None


@pytest.mark.parametrize("case", KEY_CASES, ids=lambda case: case.title)
def test_a_proposed_key_stands_in_the_request_with_its_reasons(case: Any) -> None:
    subject = subject_of(case)
    key = choose_key(subject, seen(subject, "key"))
    if key is None:
        return
    places = {f"{one.location} {one.name}" for one in subject.operation.parameters}
    places |= {f"field {one.path}" for one in subject.operation.fields}
    assert f"{key.place} {key.name}" in places
    assert key.evidence
    assert key.why.endswith(".")
    assert all(subject.document.resolve(one.at) is not None for one in key.evidence)


def test_a_provider_is_known_by_its_host() -> None:
    paths = {"/v1/charges": {"post": {"responses": {"200": {"description": "made"}}}, "get": {"responses": {}}}}
    document = read_small({"servers": [{"url": "https://api.stripe.com/"}], "paths": paths})
    subject = Subject(document=document, operation=document.by_name["POST /v1/charges"], write=True)
    (offered,) = offered_keys(subject)
    assert (offered.place, offered.name, offered.declared) == ("header", "Idempotency-Key", False)
    assert offered.evidence[0].at.startswith("https://")
    assert choose_key(subject, seen(subject, "key")) is None
    other = read_small({"servers": [{"url": "https://notstripe.com/"}], "paths": paths})
    assert offered_keys(Subject(document=other, operation=other.by_name["POST /v1/charges"], write=True)) == ()


PATTERNS = [
    "^[a-z]+$",
    "^$|^[a-zA-Z0-9-]+$",
    r"^(?!\s)(.*)(\S)$",
    "[0-9a-f]{8}(-[0-9a-f]{4}){3}",
    "^.{1,64}$",
    r"\w+@\w+\.\w+",
]


@given(st.sampled_from(PATTERNS), st.text(alphabet="abcdef0123456789-.@ ", max_size=64))
def test_a_tame_pattern_is_tried_as_it_is(pattern: str, text: str) -> None:
    assert matches(pattern, text) is (re.search(pattern, text) is not None)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)*b", "(a?){40}a{40}", "(x{1,9}){1,9}y", ".*.*.*.*.*=", r"(a)\1", "[", "(" * 400]
)
def test_a_pattern_that_could_hang_is_not_tried(pattern: str) -> None:
    assert matches(pattern, "a" * 60) is None
