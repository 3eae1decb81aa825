"""The words that a model is told."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import wizard.host
from wizard.host import texts
from wizard.host.calls import Plain, plain
from wizard.host.outcome import Request
from wizard.host.record import Answer, Call, Record, State
from wizard.host.state import Telling, Told
from wizard.operation.model import Scope

FILE = Path(wizard.host.__path__[0]) / "texts.toml"
AT = datetime(2026, 3, 1, 14, 5, 9, tzinfo=UTC)
RECORD = Record(
    workspace="acme", address="0123456789abcdef", operation="book", declaration="d", scope=Scope.CALL, secret="s",
    state=State.ATTEMPTED, call=Call("acme", "s", "t", 0), request=Request("POST", "http://h/x"), first_send=AT,
    last_send=AT,
)  # fmt: skip
ANSWER = Answer(201)


def told(telling: Telling, **more: object) -> str:
    record = more.pop("record", RECORD)
    assert isinstance(record, Record)
    return texts.text_of(Told(telling, record, **more))  # type: ignore[arg-type]


@pytest.mark.requirement(116, 28)
def test_not_observed_says_neither_that_it_failed_nor_that_it_succeeded() -> None:
    said = told(Telling.NOT_OBSERVED)
    assert said == (
        "The request was sent on 2026-03-01 at 14:05:09 UTC, and its outcome was not observed. It may have been carried"
        " out and it may not: assume neither, and tell the person so. It is written down as 0123456789ab and waits for"
        " somebody to find out. Making the same call again will not make it happen twice."
    )
    assert not re.search(r"fail|succe|error|unknown", said, re.IGNORECASE)


@pytest.mark.requirement(116)
def test_those_words_stand_in_one_place() -> None:
    package = Path(wizard.host.__path__[0]).parent
    files = [path for kind in ("*.py", "*.toml", "*.md") for path in package.rglob(kind)]
    holding = [path for path in files if "its outcome was not observed" in path.read_text(encoding="utf-8")]
    assert holding == [FILE]


@pytest.mark.parametrize("telling", Telling)
@pytest.mark.parametrize("answer", [None, ANSWER])
def test_everything_that_is_told_has_its_words(telling: Telling, answer: Answer | None) -> None:
    said = told(telling, answer=answer, detail="the connection was refused")
    assert said.endswith(".")
    assert "{" not in said
    assert "  " not in said


@pytest.mark.parametrize("ending", Plain)
def test_everything_else_has_its_words(ending: Plain) -> None:
    values = dict.fromkeys(("status", "detail", "operation", "held", "by", "records"), "x")
    said = plain(ending, **values).text
    assert said.endswith(".")
    assert "{" not in said


def test_no_text_is_left_over() -> None:
    listed = tomllib.loads(FILE.read_text(encoding="utf-8"))
    names = {one.replace(" ", "_") for one in (*Telling, *Plain)}
    variants = {"already_done_without_answer", "already_done_and_found", "being_sent", "said_to_have_happened"}
    assert set(listed["tellings"]) == names | variants


@pytest.mark.requirement(99)
def test_no_text_forbids_what_an_approval_will_allow() -> None:
    assert not re.search(r"do not (retry|repeat|send|call)|never (retry|call)", FILE.read_text(), re.IGNORECASE)


@pytest.mark.requirement(71)
def test_a_repeat_says_already_done_and_when_and_how_a_new_one_is_made() -> None:
    assert told(Telling.ALREADY_DONE, answer=ANSWER) == (
        "Already done on 2026-03-01 at 14:05:09 UTC. Nothing was sent now; this is the answer that the first request"
        " got. To make it a second time on purpose, a person has to release 0123456789ab first."
    )
    assert told(Telling.ALREADY_DONE, answer=ANSWER, differing=("phone", "note")).endswith(
        "This call differs from the first request in `phone` and `note`. What differs was not sent. If the change is"
        " wanted, make it with an operation that changes what is there; to make the whole thing a second time, a person"
        " has to release 0123456789ab first."
    )


def test_what_was_found_is_not_called_an_answer() -> None:
    settled = replace(RECORD, state=State.COMPLETED, by="probe", answer=Answer(200, found=True))
    said = told(Telling.ALREADY_DONE, record=settled, answer=settled.answer)
    assert "this is what was found there when it was asked" in said
    assert "the answer that the first request got" not in said


def test_what_a_person_settled_names_the_person() -> None:
    settled = replace(RECORD, state=State.COMPLETED, by="person:Ada", answer=Answer(0, found=True))
    assert told(Telling.ALREADY_DONE, record=settled, answer=settled.answer).startswith(
        "Already done: Ada looked and settled that it happened. The request was sent on 2026-03-01 at 14:05:09 UTC;"
    )
