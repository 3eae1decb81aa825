"""The person's side of writes whose outcome nobody saw.

  skill-wizard records list --store sqlite:records.db            those that wait for a person
  skill-wizard records list --store sqlite:records.db --all      all records
  skill-wizard records show 3cd34c4be63a --store …               what was sent, when, and what is known
  skill-wizard records probe 3cd34c4be63a --store …              ask the recipient, as the declaration says
  skill-wizard records settle 3cd34c4be63a --it-happened --by Ada --reason "seen in the house's book" --store …
  skill-wizard records settle 3cd34c4be63a --it-did-not  --by Ada --reason "not in the house's book" --store …
  skill-wizard records settle 3cd34c4be63a --send-again  --by Ada --reason "the house asked for it" --store …
  skill-wizard records release 3cd34c4be63a --by Ada --reason "booked again after a cancellation" --store …
  skill-wizard records sweep --store …                           forget what is kept of completed writes past their time

A write that was sent and not seen answered stays `attempted` until an answer, a probe or a person settles it: no timer
and no retry does. `settle` says what happened to such a write; there is no default. `release` lets a completed one be
made anew. Each keeps the name and the reason.

Exit code 1 of `list`: some wait for a person.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from wizard.cli.commands._host import (
    host,
    now,
    open_store,
    person_arguments,
    send_arguments,
    shown,
    store_arguments,
    table,
)  # fmt: skip
from wizard.cli.exits import Exit

if TYPE_CHECKING:
    from wizard.host.record import Record
    from wizard.host.state import Told
    from wizard.host.store import Store

SUMMARY = "list, look at and settle writes whose outcome nobody saw"


def arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name: str, help: str, run: Any, *, record: bool = True) -> argparse.ArgumentParser:
        sub = verbs.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        if record:
            sub.add_argument("record", metavar="RECORD", help="the record's name, or how it begins")
        store_arguments(sub)
        sub.set_defaults(verb_run=run)
        return sub

    listing = verb("list", "list the attempted writes that wait for a person", _list, record=False)
    listing.add_argument("--all", action="store_true", help="all records, the latest first")
    listing.add_argument(
        "--limit", metavar="N", type=int, default=100, help="at most so many with --all (default: 100)"
    )
    showing = verb("show", "show what was sent, when, and what is known of it", _show)
    for sub in (listing, showing):
        sub.add_argument("--format", choices=("text", "json"), default="text", help="text (default) or json")
    send_arguments(verb("probe", "ask the recipient whether the write is there, as its declaration says", _probe))
    settling = verb("settle", "say what happened to an attempted write", _settle)
    ways = settling.add_mutually_exclusive_group(required=True)
    ways.add_argument("--it-happened", action="store_true", help="it was carried out: repeats are told so")
    ways.add_argument("--it-did-not", action="store_true", help="it was not: the next call of it sends it")
    ways.add_argument("--send-again", action="store_true", help="send the same request once more, now")
    settling.add_argument("--even-so", action="store_true", help="although the last send could still be carried out")
    person_arguments(settling)
    send_arguments(settling)
    person_arguments(verb("release", "let a completed write be made anew", _release))
    verb("sweep", "forget requests and answers of completed writes whose time is over", _sweep, record=False)


def run(args: argparse.Namespace) -> int:
    store = open_store(args, existing=True)
    try:
        return int(args.verb_run(args, store))
    finally:
        store.close()


def _list(args: argparse.Namespace, store: Store) -> int:
    from wizard.host import people

    at = now()
    found = people.attempted(store, args.workspace, at)
    waiting = [one for one in found if one.waits]
    records = store.find(args.workspace, "", args.limit) if args.all else tuple(one.record for one in waiting)
    waits = {one.record.address for one in waiting}
    if args.format == "json":
        _json({"version": 1, "records": [_value(record, record.address in waits) for record in records]})
        return Exit.FINDINGS if waiting else Exit.CLEAN
    if records:
        head = ("RECORD", "STATE", "OPERATION", "SENT FIRST", "SENDS", "LAST KNOWN")
        print(table([head, *(_row(record, record.address in waits) for record in records)]), end="")
    others = len(found) - len(waiting)
    if not args.all and not waiting:
        print(f"No write waits for a person in the workspace `{args.workspace}`.")
    if not args.all and others:
        print(f"{others} more {'is' if others == 1 else 'are'} attempted and may still settle without one: --all")
    return Exit.FINDINGS if waiting else Exit.CLEAN


def _row(record: Record, waits: bool) -> tuple[str, ...]:
    state = f"{record.state}, waits" if waits else str(record.state)
    known = next((f"{event.kind}: {event.detail}" for event in reversed(record.events) if event.detail), "")
    return record.id, state, record.operation, shown(record.first_send), str(record.sends), known


def _show(args: argparse.Namespace, store: Store) -> int:
    from wizard.host import people

    record = people.find(store, args.workspace, args.record)
    waits = any(one.record.address == record.address and one.waits for one in people.attempted(store, args.workspace, now()))  # fmt: skip  # noqa: E501
    if args.format == "json":
        _json({"version": 1, **_value(record, waits, whole=True)})
        return Exit.CLEAN
    print(_told(record, waits, people.last_probe(record)), end="")
    return Exit.CLEAN


def _told(record: Record, waits: bool, probe: str) -> str:
    call = record.call
    facts = [
        ("record", record.id),
        ("state", f"{record.state}, waits for a person" if waits else str(record.state)),
        ("operation", record.operation),
        ("asked by", f"session {call.session}, turn {call.turn}, call {call.ordinal}"),
        ("sent first", shown(record.first_send)),
        ("sent last", shown(record.last_send) if record.sends > 1 else ""),
        ("sends", str(record.sends)),
        ("in hand until", shown(record.lease_until)),
        ("key", f"{record.key}  ({record.key_place})" if record.key else record.key_place),
        ("generation", str(record.generation) if record.generation else ""),
        ("settled", f"{shown(record.settled_at)}, by {record.by}" if record.by else ""),
        ("answers until", shown(record.expires_at)),
        ("last probe", probe),
    ]
    lines = [f"{name:14} {value}" for name, value in facts if value]
    if record.request is not None:
        lines += ["", f"  {record.request.method} {record.request.url}"]
        lines += [f"  {name}: {value}" for name, value in record.request.headers]
        lines += _body(record.request.body)
    if record.answer is not None and (record.answer.status or record.answer.body):
        lines += ["", "  found at the recipient" if record.answer.found else f"  answered {record.answer.status}"]
        lines += _body(record.answer.body)
    lines += ["", "  what happened"]
    for event in record.events:
        who = f"  ({event.by})" if event.by else ""
        lines.append(f"  {shown(event.at)}  {event.kind:9} {event.detail}{who}".rstrip())
    if waits:
        lines += [
            "",
            f"Settle it with `records settle {record.id}` and one of --it-happened, --it-did-not, --send-again.",
        ]
    return "\n".join(lines) + "\n"


def _body(body: bytes | None) -> list[str]:
    if not body:
        return []
    text = body.decode("utf-8", "backslashreplace")
    shown = "".join(one if one.isprintable() or one in "\n\t" else f"\\x{ord(one):02x}" for one in text)
    return [f"  {line}" for line in shown.splitlines()]


def _probe(args: argparse.Namespace, store: Store) -> int:
    from wizard.host import people

    record = people.find(store, args.workspace, args.record)
    told = people.ask_recipient(host(args, store, secrets=False), record)
    print(f"{people.last_probe(told.record)}\n{record.id} is {told.record.state}.")
    return Exit.CLEAN


def _settle(args: argparse.Namespace, store: Store) -> int:
    from wizard.host import people
    from wizard.host.state import Decision

    record = people.find(store, args.workspace, args.record)
    if args.send_again:
        told = people.send_again(host(args, store, secrets=False), record, by=args.by, reason=args.reason)
        return _sent(told)
    if args.it_did_not and not args.even_so:
        _too_early(store, record)
    decision = Decision.HAPPENED if args.it_happened else Decision.DID_NOT
    settled = people.settle(store, record, decision, by=args.by, reason=args.reason, clock=now)
    what = "Repeats are told that it was done." if args.it_happened else "The next call of it sends it."
    print(f"{settled.id} is {settled.state} now, by {args.by}. {what}")
    return Exit.CLEAN


def _sent(told: Told) -> int:
    from wizard.host.state import Telling
    from wizard.host.texts import text_of

    print(text_of(told))
    print(f"{told.record.id} is {told.record.state}.")
    return Exit.FINDINGS if told.telling is Telling.NOT_OBSERVED else Exit.CLEAN


def _too_early(store: Store, record: Record) -> None:
    """Keeps a person from calling absent what may still arrive."""
    from wizard.errors import UsageError
    from wizard.host import declarations
    from wizard.host.state import Terms, absence_counts

    operation = declarations.recall(store, record)
    after = (Terms() if operation is None else Terms.of(operation)).after
    if record.deadline is not None and not absence_counts(record, after, now()):
        raise UsageError(
            f"the last send of {record.id} may still be carried out until {shown(record.deadline + after)}",
            remedy="Look again then; or add --even-so if you know that it cannot.",
        )


def _release(args: argparse.Namespace, store: Store) -> int:
    from wizard.host import people

    record = people.find(store, args.workspace, args.record)
    released = people.release(store, record, by=args.by, reason=args.reason, clock=now)
    print(f"{released.id} is released, by {args.by}. The next call of it makes the write anew.")
    return Exit.CLEAN


def _sweep(args: argparse.Namespace, store: Store) -> int:
    from wizard.host.housekeeping import sweep

    count = sweep(store, args.workspace, now())
    print(f"{count} completed record{'' if count == 1 else 's'} expired.")
    return Exit.CLEAN


def _value(record: Record, waits: bool, *, whole: bool = False) -> dict[str, Any]:
    def iso(at: Any) -> str | None:
        return None if at is None else at.isoformat()

    value: dict[str, Any] = {
        "record": record.id, "address": record.address, "state": record.state, "waits": waits,
        "operation": record.operation, "method": record.request.method if record.request else None,
        "url": record.request.url if record.request else None, "key": record.key or None,
        "first_send": iso(record.first_send), "last_send": iso(record.last_send), "sends": record.sends,
        "by": record.by, "settled_at": iso(record.settled_at),
        "call": {"session": record.call.session, "turn": record.call.turn, "ordinal": record.call.ordinal},
    }  # fmt: skip
    if whole:
        from wizard.host.people import last_probe

        value["last_probe"] = last_probe(record) or None
        value["request"] = None if record.request is None else {
            "headers": [list(pair) for pair in record.request.headers],
            "body": None if record.request.body is None else record.request.body.decode("utf-8", "backslashreplace"),
        }  # fmt: skip
        value["answer"] = None if record.answer is None else {
            "status": record.answer.status, "found": record.answer.found,
            "body": record.answer.body.decode("utf-8", "backslashreplace"),
        }  # fmt: skip
        value["events"] = [
            {"kind": event.kind, "at": iso(event.at), "by": event.by, "detail": event.detail}
            for event in record.events
        ]  # fmt: skip
    return value


def _json(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))
