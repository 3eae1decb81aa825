"""Drafts: what was decided and not written, as JSON text, so that a crash or a break loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from wizard.errors import SkillError
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.session.state import Choice, Entry, Session

VERSION = 1


def print_drafts(session: Session) -> str:
    """The drafts of a session, the same text for the same drafts; what is written as it stands is none."""
    return _text(session, [entry for entry in session if _is_draft(entry)])


def print_decisions(session: Session, names: Iterable[str]) -> str:
    """The decisions about the named operations, in the form of drafts, whether they are written or not."""
    return _text(session, [session[name] for name in names])


def _text(session: Session, entries: Iterable[Entry]) -> str:
    drafts = {entry.name: _printed(entry) for entry in entries}
    whole = {"version": VERSION, "source": session.document.source, "layout": session.layout, "drafts": drafts}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _is_draft(entry: Entry) -> bool:
    settled = entry.choice is not Choice.TO_DO and not entry.unwritten
    touched = entry.choice is not Choice.TO_DO or entry.draft is not None or entry.prose is not None
    return touched and not settled


def _printed(entry: Entry) -> dict[str, Any]:
    printed: dict[str, Any] = {"choice": entry.choice}
    if entry.draft is not None:
        printed["operation"] = print_operation(entry.draft)
    if entry.as_write is not None:
        printed["write"] = entry.as_write
    if entry.accepted:
        printed["accepted"] = True
    for name in ("prose", "key_source", "reason"):
        if value := getattr(entry, name):
            printed[name] = value
    return printed


def read_drafts(text: str, session: Session, place: str) -> dict[str, Entry]:
    """The drafts by operation, for `resume`; those of operations that the document no longer has are left out.

    Raises SkillError where the text is none of ours.
    """
    remedy = "Move the file away to begin anew"
    try:
        value = json.loads(text)
        if value["version"] != VERSION:
            raise SkillError(
                f"these drafts have version {value['version']!r}, and we know {VERSION}", place=place, remedy=remedy
            )
        return {
            name: _read(session.entries[name], draft)
            for name, draft in value["drafts"].items()
            if name in session.entries
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise SkillError(f"these drafts cannot be read: {error}", place=place, remedy=remedy) from error


def _read(entry: Entry, draft: dict[str, Any]) -> Entry:
    operation = parse_operation(draft["operation"])[0] if "operation" in draft else None
    return Entry(
        api=entry.api,
        draft=operation,
        choice=Choice(draft["choice"]),
        as_write=draft.get("write"),
        prose=draft.get("prose"),
        key_source=str(draft.get("key_source", "")),
        reason=str(draft.get("reason", "")),
        accepted=bool(draft.get("accepted")),
    )
