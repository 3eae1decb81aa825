"""JUnit XML: a test suite for each operation, a test case for each story and level.

A failed story of the operation's own level is a failure, a declaration that could not be rehearsed an error. A weak one
is a passed case that says something, as it fails no run; so is whatever befell a story under less of the declaration,
which was told only to compare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from wizard.rehearse.formatting import Asked, Format
from wizard.rehearse.model import Finding, OperationRehearsal, Rehearsal, StoryRun, Verdict
from wizard.rehearse.wording import again, odd, span, spoken, told, told_of, way

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(rehearsal: Rehearsal, asked: Asked) -> str:
    """The whole document."""
    suites = ["\n".join(_suite(operation, rehearsal)) for operation in rehearsal.operations]
    suites += ["\n".join(_blocked(rehearsal))] if rehearsal.blocked else []
    tests = sum(_tests(operation) for operation in rehearsal.operations) + len(rehearsal.blocked)
    failures = sum(_failures(operation) for operation in rehearsal.operations)
    skipped = sum(told_of(operation.runs, Verdict.SKIPPED) for operation in rehearsal.operations)
    head = (
        f'<testsuites name="skill-wizard rehearse" tests="{tests}" failures="{failures}" '
        f'errors="{len(rehearsal.blocked)}" '
        f'skipped="{skipped}" time="{rehearsal.seconds:.3f}">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _blocked(rehearsal: Rehearsal) -> Iterator[str]:
    number = len(rehearsal.blocked)
    yield (
        f'  <testsuite name="could not be rehearsed" tests="{number}" failures="0" errors="{number}" skipped="0" '
        'time="0.000">'
    )
    for name, why in rehearsal.blocked.items():
        yield f'    <testcase classname="could not be rehearsed" name="{_text(name)}" time="0.000">'
        yield f'      <error message="{_text(why)}" type="blocked"/>'
        yield "    </testcase>"
    yield "  </testsuite>"


def _tests(operation: OperationRehearsal) -> int:
    return len(operation.findings) + len(operation.runs)


def _failures(operation: OperationRehearsal) -> int:
    return len(operation.findings) + told_of(operation.own, Verdict.FAILED)


def _suite(operation: OperationRehearsal, rehearsal: Rehearsal) -> Iterator[str]:
    seconds = sum(run.seconds for run in operation.runs)
    yield (
        f'  <testsuite name="{_text(operation.name)}" tests="{_tests(operation)}" failures="{_failures(operation)}" '
        f'errors="0" skipped="{told_of(operation.runs, Verdict.SKIPPED)}" time="{seconds:.3f}">'
    )
    yield "    <properties>"
    for name, value in (
        ("request", operation.request),
        ("skill", operation.skill),
        ("document", operation.document),
        ("declared", operation.declared),
        ("recipient", rehearsal.recipient),
        ("store", rehearsal.store),
    ):
        yield f'      <property name="{name}" value="{_text(value)}"/>'
    yield "    </properties>"
    names = Counter(_name(run, rehearsal) for run in operation.runs)
    for number, finding in enumerate(operation.findings, 1):
        yield from _finding(finding, number, operation)
    for run in operation.runs:
        name = _name(run, rehearsal)
        # A name without the seed stays the same from run to run, so that a CI server knows it again.
        yield from _case(run, name if names[name] == 1 else f"{name} seed {run.seed}", operation, rehearsal)
    yield "  </testsuite>"


def _name(run: StoryRun, rehearsal: Rehearsal) -> str:
    recipient = odd(run, rehearsal)
    return f"{run.story}{f' ({recipient})' if recipient else ''} [{run.declared}]"


def _finding(finding: Finding, number: int, operation: OperationRehearsal) -> Iterator[str]:
    said = "\n".join(filter(None, (finding.place, finding.message, finding.remedy)))
    yield f'    <testcase classname="{_text(operation.name)}" name="finding {number}" time="0.000">'
    yield f'      <failure message="{_text(finding.message)}" type="finding">{_text(said)}</failure>'
    yield "    </testcase>"


def _case(run: StoryRun, name: str, operation: OperationRehearsal, rehearsal: Rehearsal) -> Iterator[str]:
    head = f'    <testcase classname="{_text(operation.name)}" name="{_text(name)}" time="{run.seconds:.3f}"'
    decides = run.declared is operation.declared
    match run.verdict:
        case Verdict.PASSED:
            yield f"{head}/>"
            return
        case Verdict.SKIPPED:
            body = f'      <skipped message="{_text(run.why)}"/>'
        case Verdict.FAILED if decides:
            said = _text(_account(run, operation, rehearsal))
            body = f'      <failure message="{_text(run.why)}" type="failed">{said}</failure>'
        case _:
            compared = "" if decides else f"To compare only: it is declared {operation.declared}.\n"
            said = _text(f"{run.verdict}: {compared}{_account(run, operation, rehearsal)}")
            body = f"      <system-out>{said}</system-out>"
    yield f"{head}>"
    yield body
    yield "    </testcase>"


def _account(run: StoryRun, operation: OperationRehearsal, rehearsal: Rehearsal) -> str:
    """The story in lines: what happens, what went wrong, every moment, what mends it."""
    lines = [run.says, run.why]
    lines += [f"{span(one.at):>8}  {way(one)}: {spoken(one)}{'  <--' if one.bad else ''}" for one in run.moments]
    lines.append(
        f"Landed {run.landed} of {run.meant} meant." + (f" The caller was told: {told(run)}." if run.told else "")
    )
    if run.mend is not None:
        lines += [
            f"What mends it: {run.mend.says}",
            *(f"  {line}" for line in run.mend.line.splitlines()),
            run.mend.shown,
        ]
    lines.append(f"Only this one again: {again(run, rehearsal, operation)}")
    return "\n".join(filter(None, lines))


def _text(text: str) -> str:
    clean = _FORBIDDEN.sub("�", text)
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        clean = clean.replace(sign, entity)
    return clean


FORMAT = Format("junit", "JUnit XML, for CI servers", render)
