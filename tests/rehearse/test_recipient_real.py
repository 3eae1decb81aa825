"""Real documents: the declared probe finds what the recipient took, judged by the host's own code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from wizard.errors import WizardError
from wizard.host.keys import Secret, Secrets
from wizard.host.outcome import Reply, Request
from wizard.host.prepare import Prepared, prepare
from wizard.host.probe import CannotAsk, Page, first_request, judge, next_request
from wizard.host.record import Call, Record, State
from wizard.host.state import Finding
from wizard.infer.declaration import declare, server_of
from wizard.infer.propose import propose_operation
from wizard.operation.model import Operation
from wizard.rehearse.bodies import example_request
from wizard.rehearse.facts import facts_of
from wizard.rehearse.recipient import Recipient
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.spec.reader import read_document
from wizard.spec.validate import Checker, checker

SAMPLE = Path(__file__).parents[2] / "samples" / "hollowbrook" / "openapi.yaml"
CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
SECRETS = Secrets(Secret("s", bytes(32)))


@dataclass
class Tried:
    """What became of one operation as it is proposed."""

    name: str
    landed: bool
    before: Finding | None = None
    after: Finding | None = None
    why: str = ""
    absent: bool = False
    doubts: tuple[str, ...] = ()


def tried(document: ApiDocument, api: ApiOperation, operation: Operation, checkers: dict[str, Checker]) -> Tried | None:
    """One write sent and read back; None where no request of it can be made."""

    def check(one: ApiOperation) -> Checker:
        if one.name not in checkers:
            checkers[one.name] = checker(document, one)
        return checkers[one.name]

    now = BEGAN
    recipient = Recipient(facts_of(operation, api, document), lambda: now, checkers=check)
    try:
        call = Call("w", "s", "t", 0)
        prepared = prepare("x", operation, call, example_request(operation, api), SECRETS)
    except WizardError:
        return None
    request = prepared.request(0)
    target = target_of(request)
    recipient.exists(target)
    recipient.stock(3, method=request.method, target=target, headers=request.headers, body=request.body)
    record = attempted(prepared, now)
    try:
        before = asked(operation, record, recipient, now)[0] if operation.probe else None
    except CannotAsk as error:
        return Tried(api.name, landed=True, why=str(error))
    now += timedelta(seconds=1)
    taken = recipient.take(request.method, target, request.headers, request.body)
    after, why = asked(operation, record, recipient, now + timedelta(minutes=6)) if operation.probe else (None, "")
    absent = operation.probe is not None and operation.probe.absent is not None and operation.method != "DELETE"
    return Tried(api.name, taken.landed, before, after, why, absent, tuple(recipient.doubts))


def attempted(prepared: Prepared, now: datetime) -> Record:
    new = prepared.new_write(0)
    return Record(
        workspace=new.workspace, address=new.address, operation=new.operation, declaration=new.declaration,
        scope=new.scope, secret=new.secret, state=State.ATTEMPTED, call=new.call, key=new.key, key_place=new.key_place,
        reference=new.reference, fingerprint=new.fingerprint, request=new.request, given=new.given, keep=new.keep,
        first_send=now, last_send=now, deadline=now, sends=1,
    )  # fmt: skip


def asked(operation: Operation, record: Record, recipient: Recipient, now: datetime) -> tuple[Finding, str]:
    """What the host makes of the probe's answers."""
    pages, gap = [], ""
    request: Request | None = first_request(operation, record)
    while request is not None:
        answer = recipient.take("GET", target_of(request), request.headers)
        pages.append(Page(request.url, Reply(answer.status, answer.headers, answer.body)))
        try:
            request = next_request(operation, pages)
        except CannotAsk as error:
            gap, request = str(error), None
    found = judge(operation, record, pages, now, gap)
    return found.finding, found.why


def target_of(request: Request) -> str:
    return "/" + request.url.partition("://")[2].partition("/")[2]


def all_tried(document: ApiDocument, most: int = 1000) -> Iterator[Tried]:
    shared: dict[str, object] = {}
    checkers: dict[str, Checker] = {}
    writes = 0
    for api in document.operations:
        proposal = propose_operation(document, api, shared)
        if not proposal.write or writes >= most:
            continue
        writes += 1
        server = "" if server_of(document, api) else "https://api.example.com/v1"
        found = tried(document, api, declare(proposal, document, server=server), checkers)
        if found is not None:
            yield found


def test_hollowbrook_every_write_lands_and_every_probe_tells() -> None:
    found = list(all_tried(read_document(str(SAMPLE))))
    assert len(found) == 15
    for one in found:
        assert one.landed, one
        assert one.after in (None, Finding.THERE), one
        assert one.before is not Finding.THERE, one
        assert one.doubts == (), one
        if one.absent:
            assert one.before is Finding.NOT_THERE, one


DOCUMENTS = sorted(CORPUS.glob("specs/*/*.*")) if CORPUS.is_dir() else []


@pytest.mark.skipif(not DOCUMENTS, reason="the corpus of real documents is not here")
def test_real_documents() -> None:
    found: list[Tried] = []
    for path in DOCUMENTS[::5]:
        try:
            document = read_document(str(path))
        except WizardError:
            continue
        found += all_tried(document, most=4)
    probed = [one for one in found if one.after is not None and one.landed]
    told = [one for one in probed if one.after is Finding.THERE]
    absent = [one for one in probed if one.absent]
    first = [one for one in absent if one.before is Finding.NOT_THERE]
    clean = [one for one in found if not one.doubts]
    shares = f"landed {len([one for one in found if one.landed])} of {len(found)}, there {len(told)} of {len(probed)}"
    shares += f", not there before {len(first)} of {len(absent)}, without doubts {len(clean)} of {len(found)}"
    sys.stderr.write(shares + "\n")
    assert not [one for one in probed if one.after is Finding.NOT_THERE], shares
    assert len(told) > 0.7 * len(probed), shares
    assert len(clean) > 0.7 * len(found), shares
