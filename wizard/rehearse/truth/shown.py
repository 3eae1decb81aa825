"""What an answer shows of a write: its candidates, and which member has which of the write's values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wizard.host.filling import is_json
from wizard.infer.answers import Answer, read_answer
from wizard.infer.comparing import match_fields
from wizard.infer.lexicon import phrase
from wizard.infer.probe_words import joined, word_set
from wizard.infer.probe_words import pattern as probe_pattern
from wizard.infer.route import Route, parse_path
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import Operation
from wizard.rehearse.facts import Shown
from wizard.rehearse.truth.examples import added_parameters, example_of, example_of_fields
from wizard.rehearse.truth.words import pattern
from wizard.rehearse.values import Steps, find, put, steps_of, steps_of_jsonpath
from wizard.spec.model import ApiOperation, Field


@dataclass(frozen=True)
class Write:
    """The write whose values are looked for."""

    declared: Operation
    api: ApiOperation
    identity: tuple[str, ...]
    """By infer and by the declaration: they go first where a member could show several."""
    about: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All its values, as match_fields names them."""
        own = [one.path for one in self.api.fields if not one.shape.write_only or one.path in self.identity]
        query = [f"query:{one.name}" for one in self.api.parameters if one.location == "query"]
        variables = [f"path:{name}" for name in Route(self.api, parse_path(self.api.path)).variables]
        return tuple(dict.fromkeys((*self.identity, *own, *query, *variables)))


def shown_by(
    api: ApiOperation, write: Write, declared: Mapping[str, str], notes: list[str], *, status: int, creates: bool
) -> Shown:
    """What an operation's success answer shows of the write. `declared` is a declaration's `match` for it."""
    route = Route(api, parse_path(api.path))
    answer = read_answer(api, route.subjects, ends_in_variable=route.ends_in_variable)
    body = api.success.body if api.success else None
    base = example_of(api, status)
    added = tuple(added_parameters(api))
    media = body.media_type if body is not None and is_json(body.media_type) else "application/json"
    if answer is None or body is None:
        return Shown(
            api=api, status=status, base=base, members=dict(declared) if base is None else {}, media_type=media,
            added=added,
        )  # fmt: skip
    items = steps_of_jsonpath(answer.items) if answer.is_list else None
    if answer.is_list and items and items[-1] is None:
        items = items[:-1]
    if items is not None and not answer.fields and not declared:
        items = None  # a list of plain values shows no write
    element = _element(base, items, answer) if items is not None else base
    if items is not None:
        base = put(base if base is not None else {}, items, [])
    members = _members(answer, write, route, declared, notes, api.name)
    own = _own_id(answer, members, write, creates=creates)
    taken = set(members.values()) | {own}
    return Shown(
        api=api, status=status, base=base, items=items, element=element, fields=answer.fields, members=members,
        own_id=own, made=tuple(_times(answer, taken, made=True)), touched=tuple(_times(answer, taken, made=False)),
        media_type=media, added=added,
    )  # fmt: skip


def _element(base: Any, items: Steps, answer: Answer) -> Any:
    listed = find(base, items)
    if isinstance(listed, list) and listed and isinstance(listed[0], dict):
        return listed[0]
    return example_of_fields(answer.fields.values())


def _members(
    answer: Answer, write: Write, route: Route, declared: Mapping[str, str], notes: list[str], name: str
) -> Mapping[str, str]:
    about = route.subjects or write.about
    known = set(answer.fields)
    found: dict[str, str] = {}
    for source in write.names:  # what is called the same is the same
        bare = source.partition(":")[2] if source.startswith(("path:", "query:")) else source
        if bare in known and bare not in found.values():
            found[source] = bare
    if answer.since:  # the recipient's own clock, whatever a request says of it
        found = {source: path for source, path in found.items() if path != answer.since or source in write.identity}
    inferred, _ = match_fields(write.names, answer, write.api, about)
    for source, path in inferred.items():
        clock = path == answer.since and source not in write.identity
        if source not in found and path not in found.values() and not clock:
            found[source] = path
    for source, path in declared.items():
        _declared(source, path, answer, found, notes, name)
    return found


def _declared(source: str, path: str, answer: Answer, found: dict[str, str], notes: list[str], name: str) -> None:
    """Adds what a declaration says of a member, where the document says nothing else."""
    own = _unmarked(source)
    if found.get(own) == path or found.get(f"path:{own}") == path:
        return
    if path not in answer.fields:
        notes.append(f"`{path}`, which the declared match names, is not in what {name} shows.")
    elif own in found:
        notes.append(f"{name} shows `{own}` as `{found[own]}`, and not as `{path}`, as the declared match says.")
    elif path in found.values():
        other = next(one for one, at in found.items() if at == path)
        notes.append(f"`{path}` of {name} shows `{other}`, and not `{own}`, as the declared match says.")
    else:
        found[own] = path
        notes.append(f"The document does not say that `{path}` of {name} shows `{own}`; the declaration is believed.")


def _unmarked(source: str) -> str:
    try:
        return FieldPath.parse(source).name
    except FieldPathError:
        return source


def _own_id(answer: Answer, members: Mapping[str, str], write: Write, *, creates: bool) -> str:
    """The member with the id that the recipient gave to what was written."""
    about = write.about[-1:]
    own = {("id",), (*about, "id"), ("uuid",), ("guid",), (*about, "uuid"), ("sid",), ("uid",)}
    holders = word_set("answers", "envelopes")
    free = [
        path
        for path in answer.fields
        if path not in members.values()
        and "[]" not in path
        and all(one in holders or phrase(one) == about for one in path.split(".")[:-1])
    ]
    named = [path for path in free if phrase(path.rpartition(".")[2]) in own and not answer.fields[path].composite]
    if not creates and any(source.startswith("path:") for source in members):
        return ""
    return min(named, key=lambda path: (path.count("."), phrase(path.rpartition(".")[2]) != ("id",)), default="")


def _times(answer: Answer, taken: set[str], *, made: bool) -> Iterator[str]:
    """The members with the time of creation, or of the last change; of the candidate itself first."""
    created, touched = probe_pattern("answers", "created"), pattern("members", "touched")
    if made and answer.since and answer.since not in taken:
        yield answer.since
    for path, one in answer.fields.items():
        if path in taken or one.composite or "[]" in path or (made and path == answer.since):
            continue
        name = joined(path.rpartition(".")[2])
        if (created if made else touched).match(name):
            yield path
        elif made and not touched.match(name) and one.shape.read_only and one.shape.format == "date-time":
            yield path  # a time that nobody sends is the recipient's own


def needed_members(fields: Iterable[Field], within: str) -> tuple[Steps, ...]:
    """The members that an object of an answer always has, as ways from the object; those of what lies in it, too."""
    prefix = f"{within}."
    return tuple(
        steps_of(one.path.removeprefix(prefix))
        for one in fields
        if one.path.startswith(prefix) and one.required and not one.branch and "[]" not in one.path[len(prefix) :]
    )


__all__ = ["Write", "needed_members", "shown_by"]
