"""Stories told with the host's own code, a real store, real sockets and real processes."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from houses import ERROR, SHOWN, answer, facts, parameter, stays

from wizard.host.forks import Forks
from wizard.host.store import open_store
from wizard.lint.matching import operation_of
from wizard.operation.model import KeyPlace, Operation
from wizard.operation.parsing import parse_operation
from wizard.rehearse.behaviour import behaviour, behaviour_names
from wizard.rehearse.casting import Simulation
from wizard.rehearse.mending import Mending, difference, level
from wizard.rehearse.model import Declared, Ended, Finding, StoryRun, Verdict
from wizard.rehearse.rehearsing import (
    Telling,
    findings,
    gathered,
    levels,
    subject_of,
    tell_unit,
    units,
)
from wizard.rehearse.schedule import stories
from wizard.rehearse.subject import Subject, World, lacks
from wizard.rehearse.telling import tell
from wizard.skill.document import parse_skill
from wizard.skill.files import read_text
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_document

HOLLOWBROOK = Path(__file__).parents[2] / "samples" / "hollowbrook"
LONG = {"in": "header", "name": "K", "for": "24h"}
BOOKING, CHARGE = "create-booking", "charge-payment-account"


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with Forks() as running:
        yield running


@pytest.fixture(scope="module")
def world(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    url = f"sqlite:{tmp_path_factory.mktemp('rehearsal') / 'records.db'}"
    store = open_store(url)
    yield World(store=store, store_url=url, recipient=Simulation(), forks=forks)
    store.close()


@pytest.fixture(scope="module")
def document() -> ApiDocument:
    return read_document(str(HOLLOWBROOK / "openapi.yaml"))


def declared(name: str, document: ApiDocument) -> Subject:
    path = HOLLOWBROOK / "skills" / "hollowbrook" / "operations" / f"{name}.md"
    operation = parse_skill(read_text(path)).operation
    assert operation is not None
    return subject_of(name, operation, str(path), operation_of(document, operation), document)


@pytest.fixture(scope="module")
def booking(document: ApiDocument) -> Subject:
    return declared(BOOKING, document)


@pytest.fixture(scope="module")
def charge(document: ApiDocument) -> Subject:
    return declared(CHARGE, document)


def told(story: str, subject: Subject, world: World, operation: Operation | None = None, **more: object) -> StoryRun:
    operation = operation or subject.operation
    return tell(stories()[story], subject, operation, level(operation), world, **more)  # type: ignore[arg-type]


# The worked pair -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement(25, 64)
@pytest.mark.parametrize("story", stories())
def test_the_charge_passes_every_story_and_asks_nobody(story: str, charge: Subject, world: World) -> None:
    run = told(story, charge, world)
    assert (run.verdict, run.ended) == (Verdict.PASSED, Ended.ONCE), (run.why, run.told)
    assert run.landed == run.meant


@pytest.mark.requirement(64)
@pytest.mark.parametrize("story", stories())
def test_the_booking_passes_every_story_that_can_be_told(story: str, booking: Subject, world: World) -> None:
    run = told(story, booking, world)
    if run.verdict is Verdict.SKIPPED:
        assert run.why == "it has no key"
        return
    assert (run.verdict, run.ended) == (Verdict.PASSED, Ended.ONCE), (run.why, run.told)
    assert run.landed == run.meant


@pytest.mark.requirement(64)
def test_the_charge_lands_once_by_the_recipient_and_the_booking_by_us(
    charge: Subject, booking: Subject, world: World
) -> None:
    sends = {
        subject.name: sum(moment.kind == "send" for moment in told("503-after-commit", subject, world).moments)
        for subject in (charge, booking)
    }
    assert sends == {CHARGE: 2, BOOKING: 1}


@pytest.mark.parametrize("story", ["503-after-commit", "killed-after-send", "asked-twice", "two-workers"])
def test_undeclared_it_lands_twice(story: str, booking: Subject, world: World) -> None:
    (declared, bare), *_ = levels(booking.operation)
    assert declared is Declared.UNDECLARED
    run = told(story, booking, world, bare, strict=False)
    assert run.verdict is Verdict.FAILED
    assert run.landed > run.meant


def test_a_seed_chooses_where_an_answer_is_cut_off(booking: Subject, world: World) -> None:
    for seed in range(8):
        run = told("truncate-after-commit", booking, world, seed=seed)
        assert (run.ended, run.landed, run.seed) == (Ended.ONCE, 1, seed)


def test_the_same_seed_tells_the_same_story(booking: Subject, world: World) -> None:
    first, second = (told("truncate-after-commit", booking, world, seed=3) for _ in range(2))
    assert [(one.lane, one.kind, one.text, one.at) for one in first.moments] == [
        (one.lane, one.kind, one.text, one.at) for one in second.moments
    ]


def test_a_story_is_written_down_as_it_happens(booking: Subject, world: World) -> None:
    run = told("reset-after-commit", booking, world)
    kinds = [moment.kind for moment in run.moments]
    assert kinds[:5] == ["call", "claim", "send", "fault", "landed"]
    assert "probe" in kinds
    assert [moment.text for moment in run.moments if moment.kind == "clock"] == ["+1 min", "+10 min"]
    assert [moment.at for moment in run.moments] == sorted(moment.at for moment in run.moments)


def test_a_killed_process_is_a_killed_process(booking: Subject, world: World) -> None:
    run = told("killed-before-settle", booking, world)
    assert [moment.text for moment in run.moments if moment.kind == "killed"] == ["killed (SIGKILL)"]
    kinds = [moment.kind for moment in run.moments]
    assert kinds.index("claim") < kinds.index("send") < kinds.index("killed") < kinds.index("probe")


# What cannot be told -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "why"),
    [
        ("killed-after-send", "the store lives in one process"),
        ("two-workers", "the store lives in one process"),
        ("409-taken", "it has no key"),
    ],
)
def test_why_a_story_is_not_told_is_said(story: str, why: str, booking: Subject) -> None:
    with_memory = World(store=open_store("memory:"), store_url="memory:", recipient=Simulation())
    assert lacks(stories()[story], booking, booking.operation, with_memory) == why
    assert told(story, booking, with_memory).verdict is Verdict.SKIPPED
    assert told("reset-after-commit", booking, with_memory).ended is Ended.ONCE


def test_where_two_equal_calls_are_two_writes_the_same_call_is_made_again(document: ApiDocument, world: World) -> None:
    line = declared("add-log-line", document)
    assert told("asked-twice", line, world).verdict is Verdict.SKIPPED
    run = told("503-after-commit", line, world)
    assert (run.verdict, run.ended, run.landed) == (Verdict.PASSED, Ended.PERSON, 1)
    assert told("delivered-twice", line, world).landed == 1


@pytest.mark.parametrize("name", ["take-payment", "create-invoice", "amend-booking", "remove-extra", "create-guest"])
@pytest.mark.parametrize("story", ["plain", "reset-after-commit", "store-lost", "delivered-twice", "run-resumed"])
def test_other_kinds_of_writes_do_not_fail(name: str, story: str, document: ApiDocument, world: World) -> None:
    assert told(story, declared(name, document), world).verdict in (Verdict.PASSED, Verdict.SKIPPED)


# Recipients that are not as documented -------------------------------------------------------------------------------


def test_a_key_that_is_ignored_is_found_out(charge: Subject, world: World) -> None:
    run = told("503-after-commit", replace(charge, operation=replace(charge.operation, probe=None)), world,
               replace(charge.operation, probe=None), behaviour="key-ignored")  # fmt: skip
    assert (run.verdict, run.recipient) == (Verdict.FAILED, "key-ignored")


@pytest.mark.parametrize("name", behaviour_names())
def test_with_any_recipient_a_story_has_an_end(name: str, charge: Subject, booking: Subject, world: World) -> None:
    assert behaviour(name).says.endswith(".")
    for subject in (charge, booking):
        assert told("reset-after-commit", subject, world, behaviour=name).ended is not None


# What mends ----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement(39)
def test_a_person_that_a_probe_would_spare_is_a_weak_story(booking: Subject, world: World) -> None:
    subject = replace(booking, operation=replace(booking.operation, probe=None))
    (unit,) = units([subject], compare=False)
    runs = tell_unit(unit, world, Telling(stories=[stories()["503-after-commit"]]))
    rehearsal = gathered(subject, runs)
    assert rehearsal.verdict is Verdict.WEAK
    assert rehearsal.count(Ended.PERSON) == 1
    (run,) = rehearsal.own
    assert run.mend is not None
    assert run.mend.member == "probe"
    assert "items: $.bookings[*]" in run.mend.line
    assert run.mend.shown == "With it the write landed once."


def test_a_time_that_a_recipient_remembers_and_nobody_declared_is_shown_to_help(
    document: ApiDocument, world: World
) -> None:
    payment = declared("take-payment", document)
    assert payment.operation.key is not None
    operation = replace(payment.operation, key=replace(payment.operation.key, remembered_for=None))
    run = told("long-outage", payment, world, operation)
    assert (run.verdict, run.ended) == (Verdict.PASSED, Ended.PERSON)
    mend = Mending(replace(payment, operation=operation), world).mend(stories()["long-outage"], run)
    assert mend is not None
    assert mend.line == "key: {in: header, name: Idempotency-Key, for: 7d}"


def test_a_required_key_that_is_ignored_becomes_a_field_that_the_host_fills_in(charge: Subject, world: World) -> None:
    story = stories()["reset-after-commit"]
    run = told(story.name, charge, world, behaviour="key-ignored")
    assert run.verdict is Verdict.FAILED
    mend = Mending(charge, world, "key-ignored").mend(story, run)
    assert mend is not None
    assert mend.line == "reference: field idempotency_key\n# take out `key`"
    assert mend.shown == "With it the write landed once."


@pytest.mark.parametrize(("place", "member"), [("header", "header"), ("query", "query")])
def test_what_is_required_and_ignored_elsewhere_is_given_by_the_model(
    place: str, member: str, world: World
) -> None:  # fmt: skip
    required = {**parameter("Idempotency-Key"), "in": place, "required": True}
    found = stays(post={"parameters": [required], "responses": {"201": answer(SHOWN), "422": ERROR}})
    known = facts(found, "POST /stays")
    own = replace(known.operation, key=KeyPlace(place, "Idempotency-Key"), header=(), query=())  # type: ignore[arg-type]
    subject = subject_of("stay", own, "stay.md", known.api, found)
    story = stories()["reset-after-commit"]
    run = told(story.name, subject, world, behaviour="key-ignored")
    assert run.verdict is Verdict.FAILED
    mend = Mending(subject, world, "key-ignored").mend(story, run)
    assert mend is not None
    assert mend.line == f"{member}: [Idempotency-Key]\n# take out `key`"


def test_what_the_document_requires_and_nobody_is_told_of_is_found(charge: Subject, booking: Subject) -> None:
    """A key that is taken out leaves its field behind, which each request must have."""

    def said(subject: Subject, **changed: Any) -> list[Finding]:
        operation = replace(subject.operation, **changed)
        return list(findings(subject_of(subject.name, operation, subject.skill, subject.api, subject.document)))

    assert not said(charge)
    (found,) = said(charge, key=None)
    assert found.message == "the document requires `idempotency_key`, and the declaration names it nowhere"
    assert "openapi.yaml:" in found.place
    less = tuple(path for path in booking.operation.body if path.name != "departure")
    identity = tuple(path for path in booking.operation.identity if path.name != "departure")
    assert not said(booking, body=less)
    (found,) = said(booking, body=less, identity=identity)
    assert "requires `departure`" in found.message


def test_what_only_a_person_can_tell_is_not_weak(document: ApiDocument, world: World) -> None:
    subject = declared("cancel-booking", document)
    run = told("503-after-commit", subject, world)
    assert (run.verdict, run.ended) == (Verdict.PASSED, Ended.PERSON)
    assert Mending(subject, world).mend(stories()["503-after-commit"], run) is None


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ({}, {"identity": ["a", "b"]}, "identity: [a, b]"),
        ({"keep": "forever"}, {}, "# take out `keep`"),
        ({"key": "header K"}, {"key": LONG}, "key: {in: header, name: K, for: 24h}"),
        ({"body": ["b", "c"]}, {"body": ["b", "d", "c.e"]}, "# add `d` and `c.e` to `body`\n# take out `c` of `body`"),
        ({}, {"header": ["X-Tenant"]}, "header: [X-Tenant]"),
        (
            {"identity": ["a"], "probe": {"url": "http://h.example/x?a={a}", "absent": "404"}},
            {"identity": ["a"], "probe": {"url": "http://h.example/x?a={a}", "after": "10m", "since": "made"}},
            "probe:\n  since: made\n  after: 10m\n# take out `absent` of `probe`",
        ),
    ],
)
def test_the_line_that_mends_is_what_stands_under_operation(
    before: dict[str, object], after: dict[str, object], line: str
) -> None:
    base = {"method": "POST", "url": "http://h.example/x", "body": ["a", "b"]}
    old, new = (parse_operation({**base, **more})[0] for more in (before, after))
    assert old is not None
    assert new is not None
    assert difference(old, new) == line
