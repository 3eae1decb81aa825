"""What an author should know before confirming: what could go wrong, and what a repeat would do."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation, Scope
from wizard.session.state import Entry


def could_go_wrong(entry: Entry) -> tuple[str, ...]:
    """What the declaration as it stands cannot prevent, one sentence each; the worst first. Empty for a read."""
    operation = entry.declaration
    if operation is None or not entry.is_write or entry.harmless:
        return ()
    return tuple(dict.fromkeys((*_of_declaration(entry, operation), *_of_proposal(entry))))


def _of_declaration(entry: Entry, operation: Operation) -> Iterator[str]:
    thing = _thing(entry)
    things = _several(thing)
    if operation.method in ("PUT", "PATCH") and entry.proposal is not None and entry.proposal.kind != "create":
        thing, things = f"change of a {thing}", f"changes of a {thing}"
    elif operation.method == "DELETE":
        thing, things = f"removal of a {thing}", f"removals of a {thing}"
    scope = operation.record_scope
    if scope is Scope.CALL:
        yield f"The model sends it twice: two {things}. Only the replay of one and the same call is covered."
    elif scope is Scope.ARGUMENTS:
        yield f"Two equal {things} that are both meant become one within a session."
    else:
        names = _listed([*dict.fromkeys([*operation.path_variables, *(path.name for path in operation.identity)])])
        yield f"Two {things} with the same {names} within {operation.kept_for} become one, though both may be meant."
    optional = [path.name for path in operation.identity if path.optional]
    if optional:
        yield f"Requests without {_listed(optional)} count as equal in it."
    if operation.key is None and operation.probe is None:
        yield "Its answer is lost: nobody can tell whether it happened, and a person is asked."
    elif operation.key is None and operation.probe is not None and operation.probe.absent is None:
        yield "Its answer is lost: a probe can show that it happened, and never that it did not."
    if operation.key is not None and operation.key.remembered_for is None:
        yield "How long the recipient remembers the key is not declared; 30 minutes are taken."


def _of_proposal(entry: Entry) -> Iterator[str]:
    if entry.proposal is None or entry.edited:
        return
    yield from entry.proposal.warnings
    yield from entry.proposal.identity.unsure


def _thing(entry: Entry) -> str:
    parts = [part for part in entry.api.path.split("/") if part and "{" not in part]
    name = parts[-1].split(".")[0].split(":")[-1].replace("_", " ").replace("-", " ") if parts else "write"
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name if name.endswith("ss") or len(name) < 4 else name.removesuffix("s")


def _several(thing: str) -> str:
    return thing[:-1] + "ies" if thing.endswith("y") and thing[-2:-1] not in "aeiou" else f"{thing}s"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def why_field(entry: Entry, path: str) -> str:
    """Why a field is in the identity or not: the author's own choice, else the proposal's reason."""
    operation, proposal = entry.declaration, entry.proposal
    if operation is None or proposal is None:
        return ""
    field = FieldPath.parse(path)
    inside = any(one.required().covers(field) for one in operation.identity)
    proposed = any(FieldPath.parse(one).covers(field) for one in proposal.identity.fields)
    if inside != proposed:
        return "you put it in" if inside else "you took it out"
    if not inside:
        return proposal.identity.left_out.get(path, "")
    known = entry.api.body.by_path.get(path) if entry.api.body is not None else None
    for one in proposal.identity.evidence:
        if known is not None and (one.at == known.pointer or (known.required_at and one.at == known.required_at)):
            return one.says
        if one.at.startswith(f"{known.pointer}/" if known is not None else "\0"):
            return one.says
    return "part of what it is"
