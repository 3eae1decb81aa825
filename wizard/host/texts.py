"""The words that a model is told (`texts.toml`), filled in. What is told is decided elsewhere."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from wizard.host.record import Record
from wizard.host.state import Telling, Told


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("wizard.host") / "texts.toml").read_text(encoding="utf-8"))


def instant(at: datetime | None) -> str:
    """An instant as people and models read it: `2026-03-01 at 14:05:09 UTC`."""
    return "a time that was not kept" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d at %H:%M:%S UTC")


def telling(name: str, **values: str) -> str:
    """The text of that name, filled in."""
    return _texts()["tellings"][name].format(**values)


def note(name: str, **values: str) -> str:
    """The note of that name, filled in."""
    return _texts()["notes"][name].format(**values)


def text_of(told: Told, notes: Sequence[str] = ()) -> str:
    """All that is said of a write: what happened, then the notes, in sentences."""
    record = told.record
    values = {
        "first_at": instant(record.first_send),
        "last_at": instant(record.last_send),
        "record": record.id,
        "status": str(told.answer.status) if told.answer is not None else "",
        "detail": told.detail or "no reason is known",
        "by": person(record),
    }
    sentences = [telling(_name(told), **values)]
    if told.telling is Telling.ALREADY_DONE:
        if told.differing:
            sentences.append(note("differing", fields=listed(told.differing), record=record.id))
        else:
            sentences.append(note("a_new_one", record=record.id))
    if told.late:
        sentences.append(note("late", record=record.id))
    return " ".join((*sentences, *notes))


def _name(told: Told) -> str:
    name = told.telling.replace(" ", "_")
    if told.telling is not Telling.ALREADY_DONE:
        return name
    if person(told.record) and (told.answer is None or told.answer.status == 0):
        return "said_to_have_happened"
    if told.answer is not None and told.answer.found:
        return "already_done_and_found"
    return name if told.answer is not None else "already_done_without_answer"


def person(record: Record) -> str:
    """The name of the person who settled a record, empty where nobody did."""
    return (record.by or "").removeprefix("person:") if (record.by or "").startswith("person:") else ""


def listed(names: Sequence[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}" if len(quoted) > 1 else "".join(quoted)
