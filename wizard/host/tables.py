"""The rules as tables for a reader, each cell computed by the rule itself: `docs/guarantee.md` holds them, and a test
compares. `python -m wizard.host.tables docs/guarantee.md` writes them anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.host import state
from wizard.host.outcome import GatewayRefusal, NeverSent, Outcome, Reply, Request, Silence
from wizard.host.record import Call, Record
from wizard.host.state import (
    STATUS_CLASSES,
    Action,
    Ask,
    Asked,
    AskRecipient,
    Classified,
    Finding,
    Means,
    NewWrite,
    ProbeAnswer,
    Refuse,
    Repeat,
    Resend,
    Seen,
    Send,
    Terms,
)  # fmt: skip
from wizard.operation.model import Scope

if TYPE_CHECKING:
    from wizard.host.explorer.prove import Proof

NOW = datetime(2026, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OVER = NOW + 2 * MINUTE
"""When the lease of what was claimed at NOW is over."""
LATER = NOW + timedelta(days=2)
UNKEYED, KEYED, PROBED = Terms(), Terms(key_place="header K"), Terms(probed=True)
BOTH = Terms(key_place="header K", probed=True)
SUCCESSES = Terms(key_place="header K", remembers="success")


def _attempted(terms: Terms) -> Record:
    call = Call("w", "s", "t", 0)
    new = NewWrite(
        workspace="w", address="a", operation="o", declaration="d", scope=Scope.IDENTITY, secret="s", call=call,
        generation=0, key="", key_place=terms.key_place, reference="", fingerprint="body",
        request=Request("POST", "u"), given="", keep=86400,
    )  # fmt: skip
    return state.claim(None, new, "worker", NOW + MINUTE, NOW + MINUTE, NOW)


def _settled(record: Record, outcome: Outcome) -> Record:
    return state.settle(record, state.classify(outcome), NOW, fence=record.fence)[0]


def decision_rows() -> list[tuple[str, str, str, str]]:
    """Record, declaration, what is asked, what is done: one row for each cell that decides differently."""
    first, other = Call("w", "s", "t", 0).text, Call("w", "s", "t", 1).text
    same, body = Asked(first, "body", MINUTE), Asked(other, "body", MINUTE)
    changed = Asked(other, "other", MINUTE)
    done, refused = _settled(_attempted(UNKEYED), Reply(201)), _settled(_attempted(UNKEYED), Reply(422))
    line = state.expire(done, LATER)
    none: frozenset[Means] = frozenset()
    both = frozenset(Means)
    failed = _settled(_attempted(SUCCESSES), Reply(503))
    cells: list[tuple[str, Record | None, str, Terms, str, Asked, datetime, frozenset[Means]]] = [
        ("none", None, "any write", UNKEYED, "", body, NOW, none),
        ("absent, it was refused", refused, "", UNKEYED, "the same body", body, NOW, none),
        ("absent, it was refused", refused, "", UNKEYED, "a corrected body", changed, NOW, none),
        ("absent, it expired or was released", line, "", UNKEYED, "another call", body, LATER, none),
        ("absent, it expired", line, "", UNKEYED, "a call that was answered", same, LATER, none),
        ("completed", done, "", UNKEYED, "the same body", body, NOW, none),
        ("completed", done, "", UNKEYED, "another body", changed, NOW, none),
        ("attempted, lease alive", _attempted(BOTH), "any", BOTH, "", body, NOW, none),
        ("attempted, lease over", _attempted(KEYED), "key", KEYED, "the same body", body, OVER, none),
        ("attempted, lease over", _attempted(KEYED), "key", KEYED, "another body", changed, OVER, none),
        ("attempted, lease over", _attempted(KEYED), "key", KEYED, "past its memory", body, LATER, none),
        ("attempted, lease over", failed, "key of successes", SUCCESSES, "after a 5xx", body, OVER, none),
        ("attempted, lease over", _attempted(PROBED), "probe", PROBED, "", body, OVER, none),
        ("attempted, lease over", _attempted(BOTH), "key and probe", BOTH, "the same body", body, OVER, none),
        ("attempted, lease over", _attempted(BOTH), "key and probe", BOTH, "another body", changed, OVER, none),
        ("attempted, lease over", _attempted(BOTH), "key and probe", BOTH, "resent in vain", body, OVER,
         frozenset({Means.RESEND})),
        ("attempted, lease over", _attempted(BOTH), "key and probe", BOTH, "both in vain", body, OVER, both),
        ("attempted, lease over", _attempted(UNKEYED), "neither", UNKEYED, "", body, OVER, none),
    ]  # fmt: skip
    return [
        (record_said, declared, asked_said, _done(state.decide(record, terms, asked, at, tried)))
        for record_said, record, declared, terms, asked_said, asked, at, tried in cells
    ]


def _done(action: Action) -> str:
    match action:
        case Send(generation):
            return f"claim as attempted at generation {generation}, commit, then send"
        case Resend():
            return "send the stored request again, byte for byte, same key"
        case Repeat(_, _, False):
            return "already done; the answer itself is no longer kept; nothing is sent"
        case Repeat(_, True):
            return "the first answer again, marked as already done; nothing is sent"
        case Repeat():
            return "the same, and the differing fields are named; nothing is sent"
        case Refuse():
            return "refuse: in progress"
        case AskRecipient():
            return "probe"
        case Ask():
            return "refuse: sent, outcome not observed, assume neither way; listed for a person"


def class_rows() -> list[tuple[str, str, str]]:
    """Outcome, class, reason, in the order in which the last that holds decides."""
    rows: list[tuple[str, Outcome, str | None, str]] = [
        ("nothing left: no such host, connection refused, TLS failed, or the gateway's not-sent mark",
         NeverSent("x"), None, ""),
        ("the gateway refused it", GatewayRefusal("x"), None, ""),
    ]  # fmt: skip
    found = [(text, str(state.classify(outcome, failed).seen), why) for text, outcome, failed, why in rows]
    for statuses, seen, why in STATUS_CLASSES:
        name = str(statuses.start) if len(statuses) == 1 else f"{statuses.start} to {statuses.stop - 1}"
        found.append((name, str(seen), why))
    said = Reply(200, (), b'{"failed": 1}')
    later: list[tuple[str, Outcome, str]] = [
        ("a 2xx in which `failed` selects something", said, "the recipient says so"),
        ("a 2xx that is no JSON, where `failed` is declared", Reply(200, (), b"<"), "nobody can say"),
        ("207, whatever `failed` selects", replace(said, status=207), "each part has its own outcome"),
        ("an answer whose body is cut off or cannot be read", Reply(422, complete=False), "whatever its status is"),
        ("no answer: reset, timeout, closed, unreadable", Silence("x"), "some of it may have arrived"),
    ]
    return found + [(text, str(state.classify(outcome, "$.failed").seen), why) for text, outcome, why in later]


def settle_rows() -> list[tuple[str, str, str, str]]:
    """Class, and the state after a first send, a resend, and a report under an old fence."""
    outcomes: dict[Seen, Outcome] = {
        Seen.ANSWERED: Reply(201), Seen.REFUSED: Reply(422), Seen.NOT_SENT: NeverSent("x"),
        Seen.UNOBSERVED: Reply(503),
    }  # fmt: skip
    first = _attempted(KEYED)
    again = state.resend(first, "w2", OVER, OVER, NOW)

    def ends(record: Record, classified: Classified, fence: int) -> str:
        return str(state.settle(record, classified, NOW, fence=fence)[0].state)

    return [
        (
            str(seen), ends(first, state.classify(outcome), first.fence),
            ends(again, state.classify(outcome), again.fence), ends(again, state.classify(outcome), first.fence),
        )
        for seen, outcome in outcomes.items()
    ]  # fmt: skip


def probe_rows() -> list[tuple[str, str, str, str]]:
    """Finding, and the state where it was asked before the wait was over, after it, and before a later send."""
    record = _settled(_attempted(BOTH), Silence("x"))
    again = state.resend(record, "w2", OVER, OVER, NOW)

    def ends(of: Record, finding: Finding, at: datetime) -> str:
        return str(state.settle_by_probe(of, ProbeAnswer(finding, at, record.fence), BOTH, at)[0].state)

    return [(str(one), ends(record, one, OVER), ends(record, one, LATER), ends(again, one, LATER)) for one in Finding]


def decision_table() -> str:
    return table(("record", "declared", "asked", "what is done"), decision_rows())


def class_table() -> str:
    return table(("outcome of a send", "class", "because"), class_rows())


def settle_table() -> str:
    return table(("seen", "first send", "resend", "under an old fence"), settle_rows())


def probe_table() -> str:
    return table(("the probe says", "asked too early", "asked in time", "asked before the last send"), probe_rows())


def explored_table(proof: Proof) -> str:
    """What was explored, by declaration."""
    rows = [
        (declared.name, f"{walked.states:,}", f"{walked.steps:,}", "none" if walked.broken is None else "BROKEN")
        for declared, walked in proof.walks
    ]
    return table(("the recipient takes", "states", "steps", "broken invariants"), rows)


def mutants_table(proof: Proof) -> str:
    """Each rule broken, and how many steps lead to a broken invariant."""
    rows = [
        (mutant.name, mutant.rule, broken.invariant if broken else "SURVIVES", str(len(broken.trace)) if broken else "")
        for mutant, broken in proof.mutants
    ]
    return table(("mutant", "the rule that it breaks", "breaks", "steps"), rows)


def assumption_blocks(proof: Proof) -> str:
    """Each assumption with the double write that its absence allows."""
    blocks = []
    for number, (assumption, broken) in enumerate(proof.assumptions, 1):
        blocks.append(
            f"**{number}. {assumption.text[0].upper()}{assumption.text[1:]}.** Without it:\n\n{_steps(broken)}"
        )
    return "\n\n".join(blocks)


def limit_block(proof: Proof) -> str:
    return _steps(proof.limit[1])


def _steps(broken: object) -> str:
    trace: Sequence[str] = getattr(broken, "trace", ("nothing",))
    return "> " + "; ".join(trace) + "."


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table. A cell that says the same as the one above it is left empty in the first column."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    above = ""
    for row in rows:
        first = "" if row[0] == above and len(row) > 3 else row[0]
        above = row[0]
        lines.append(f"| {' | '.join((first, *row[1:]))} |")
    return "\n".join(lines)


def blocks(proof: Proof) -> dict[str, str]:
    """Every part of the page that the code makes, by its name in the page."""
    return {
        "decisions": decision_table(),
        "classes": class_table(),
        "settling": settle_table(),
        "probing": probe_table(),
        "explored": explored_table(proof),
        "mutants": mutants_table(proof),
        "assumptions": assumption_blocks(proof),
        "limit": limit_block(proof),
    }


def filled(page: str, made: dict[str, str]) -> str:
    """The page with its parts made anew. Raises KeyError where it names one that the code does not make."""
    marked = re.compile(r"(<!-- made: (\w+) -->\n)(?:(?!<!-- ).*\n)*(<!-- end -->)")
    return marked.sub(lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}", page)


def main(path: Path) -> None:
    from wizard.host.explorer.prove import prove

    path.write_text(filled(path.read_text(encoding="utf-8"), blocks(prove())), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
