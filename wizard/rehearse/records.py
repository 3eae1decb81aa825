"""What a recipient has stored, and how its answers show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from wizard.operation.field_path import MISSING, FieldPath
from wizard.rehearse.facts import Shown, Source
from wizard.rehearse.truth.shown import needed_members
from wizard.rehearse.values import (
    as_shown,
    copied,
    find,
    made_id,
    merged,
    plain_text,
    put,
    steps_of,
    time_as,
    varied,
    without,
)
from wizard.spec.model import Field


@dataclass(slots=True)
class Record:
    """One thing that is stored."""

    number: int
    """Ids are made of it."""
    made: datetime
    visible: datetime
    """When reads of it begin to show it."""
    listed: datetime
    """When lists begin to show it."""
    body: Any = MISSING
    query: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    touched: datetime | None = None
    """When it was last changed; None: when it was made."""
    thing: bool = False
    """It was there before: what no request said of it has a value all the same."""
    given: Mapping[Source, Any] = field(default_factory=dict)
    """What an example request gives: these values are others."""
    gone: bool = False
    done: bool = False
    """What can be done with it once only was done."""
    others: bool = False
    """It is somebody else's."""
    shown: dict[int, Any] = field(default_factory=dict)
    """As answers show it, by answer."""

    def value(self, source: Source) -> Any:
        """A value of the write; MISSING where the request had none."""
        if source.startswith("path:"):
            return self.variables.get(source[5:], MISSING)
        if source.startswith("query:"):
            return self.query.get(source[6:], MISSING)
        if source.startswith("header:") or self.body is MISSING:
            return MISSING
        return FieldPath.parse(source).get(self.body)

    def changed(self, body: Any, at: datetime, *, whole: bool = False) -> None:
        """Takes over what a change gives; `whole`: in the place of all that was there."""
        if whole:
            self.body, self.thing = MISSING, False
        if isinstance(body, dict):
            self.body = _over(self.body if isinstance(self.body, dict) else {}, body)
        elif body is not MISSING:
            self.body = body
        self.touched = at
        self.shown.clear()


def _over(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """A merge of JSON: objects member by member, all else whole."""
    both = dict(old)
    for name, value in new.items():
        have = both.get(name)
        both[name] = _over(have, value) if isinstance(have, dict) and isinstance(value, dict) else value
    return both


def stored(body: Any, change: Callable[[str], str] | None) -> Any:
    """A body with its texts as they are stored."""
    if change is None or body is MISSING:
        return body
    if isinstance(body, str):
        return change(body)
    if isinstance(body, dict):
        return {name: stored(value, change) for name, value in body.items()}
    return [stored(one, change) for one in body] if isinstance(body, list) else body


def own_id(record: Record, shown: Shown) -> Any:
    """The id of a record, in the form of an answer's member for it."""
    if not shown.own_id:
        return f"{record.number:04d}"
    known = shown.fields.get(shown.own_id)
    return made_id(record.number, known.shape if known else None, find(shown.element, steps_of(shown.own_id)))


def candidate(
    record: Record, shown: Shown, sent: Mapping[str, Field], id_text: str, time: Callable[[Any], Any] | None
) -> Any:
    """A record as an answer shows it. `sent` are the write's fields by path; `id_text` is the id that it was given."""
    known = record.shown.get(id(shown))
    if known is None:
        known = record.shown[id(shown)] = _candidate(record, shown, sent, id_text, time)
    return known


def _candidate(
    record: Record, shown: Shown, sent: Mapping[str, Field], id_text: str, time: Callable[[Any], Any] | None
) -> Any:
    made = copied(shown.element) if shown.element is not None else {}
    whole: list[str] = []
    for source, path in sorted(shown.members.items(), key=lambda pair: len(steps_of(pair[1]))):
        if any(source.startswith((f"{one}.", f"{one}[]")) for one in whole):
            continue
        value = record.value(source)
        if value is MISSING:
            made = _unsaid(made, record, source, path, shown, sent)
            if isinstance(record.given.get(source), dict):
                whole.append(source)
            continue
        known = shown.fields.get(path)
        if known is not None and known.branch and find(made, steps_of(path)) is MISSING:
            continue  # a member of another form of it
        put_in = _formed(value, path, shown, made)
        if put_in is not MISSING:
            made = put(made, steps_of(path), put_in)
            if isinstance(value, dict | list):
                whole.append(source)
    if shown.own_id:
        steps = steps_of(shown.own_id)
        shape = shown.fields[shown.own_id].shape if shown.own_id in shown.fields else None
        given = as_shown(id_text, shape)
        made = put(made, steps, id_text if given is MISSING else given)
    for paths, at in ((shown.made, record.made), (shown.touched, record.touched or record.made)):
        for path in paths:
            shape = shown.fields[path].shape if path in shown.fields else None
            moment = time_as(at, shape, find(shown.element, steps_of(path)))
            made = put(made, steps_of(path), time(moment) if time is not None else moment)
    return made


def _formed(value: Any, path: str, shown: Shown, made: Any) -> Any:
    field = shown.fields.get(path)
    if field is None:
        return value
    steps = steps_of(path)
    if field.composite and not _is_composite(value, steps, field):
        return MISSING
    if None in steps and isinstance(value, list):
        return [one if one is MISSING else as_shown(one, field.shape) for one in value]
    formed = as_shown(value, field.shape)
    if isinstance(formed, dict):
        return merged(formed, find(made, steps), needed_members(shown.fields.values(), path))
    if isinstance(formed, list) and formed and isinstance(formed[0], dict):
        example = find(made, steps)
        like = example[0] if isinstance(example, list) and example else {}
        needed = needed_members(shown.fields.values(), f"{path}[]")
        return [merged(one, like, needed) if isinstance(one, dict) else one for one in formed]
    return formed


def _is_composite(value: Any, steps: tuple[str | None, ...], field: Field) -> bool:
    """Whether a value has members, as the member of the answer that would show it."""
    if field.shape.type == "array" or isinstance(value, list):
        return isinstance(value, list) and all(isinstance(one, dict | list) for one in value)
    return isinstance(value, dict) or None in steps


def _unsaid(made: Any, record: Record, source: Source, path: str, shown: Shown, sent: Mapping[str, Field]) -> Any:
    """The candidate where the request did not say what a member has."""
    steps, field = steps_of(path), shown.fields.get(path)
    if record.thing:
        have = find(made, steps)
        if have is MISSING or None in steps:
            return made
        shape = field.shape if field else None
        given = _formed(record.given[source], path, shown, made) if source in record.given else MISSING
        if given is MISSING and isinstance(have, dict | list):
            return made  # its members speak for it
        shapes = {one.path: one.shape for one in shown.fields.values()}
        return put(made, steps, varied(have if given is MISSING else given, 0, shape, shapes, path))
    default = sent[source].shape.default if source in sent else None
    if default is not None:
        return put(made, steps, default)
    if field is not None and (field.required or field.branch):
        return put(made, steps, None) if field.shape.nullable and None not in steps else made
    return without(made, steps)


def same_text(value: Any, text: str, *, any_case: bool) -> bool:
    """Whether a stored value is what a filter asks for; of a list any element."""
    if isinstance(value, list):
        return any(same_text(one, text, any_case=any_case) for one in value)
    have = plain_text(value)
    return have.casefold() == text.casefold() if any_case else have == text
