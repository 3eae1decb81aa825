"""The author's steps. Each gives the next state, and remembers the one before for undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from wizard.emit.lock import LockedDocument, LockedOperation
from wizard.emit.model import Layout, PassedOver, Subject
from wizard.errors import UsageError
from wizard.infer.declaration import declare, given_server
from wizard.infer.model import Confidence, Proposal
from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import KeyPlace, Operation, Probe, Reference
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.session.state import Choice, Entry, Session, Step, Written
from wizard.spec.model import ApiDocument

_MOST_STEPS = 500


def begin(
    document: ApiDocument, *, layout: Layout = Layout.FOLDER, server: str = "", read_only: bool = False
) -> Session:
    """A session over a document, before any proposal is there."""
    entries = {api.name: Entry(api=api) for api in document.operations}
    return Session(document=document, entries=entries, layout=layout, server=server, read_only=read_only)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A proposal with the declaration that it stands for."""

    proposal: Proposal
    proposed: Operation | None
    problem: str = ""
    """Why it cannot be declared."""


def arrived(session: Session, proposal: Proposal) -> Arrived:
    """The proposal with its declaration; it needs of the session only what never changes, so a worker may call it."""
    try:
        return Arrived(proposal, declare(proposal, session.document, server=session.server, confirmed=True))
    except UsageError as error:
        return Arrived(proposal, None, str(error))


def with_arrived(session: Session, found: Iterable[Arrived]) -> Session:
    """The proposals that have arrived. It is no step of the author's, so undo does not take it back."""
    entries = dict(session.entries)
    for one in found:
        name = one.proposal.operation.name
        entries[name] = replace(entries[name], proposal=one.proposal, proposed=one.proposed, problem=one.problem)
    return replace(session, entries=entries)


def with_proposals(session: Session, *proposals: Proposal) -> Session:
    """The same for proposals as they are."""
    return with_arrived(session, [arrived(session, proposal) for proposal in proposals])


def resume(
    session: Session,
    held: LockedDocument | None,
    written: Mapping[str, Written],
    drafts: Mapping[str, Entry] | None = None,
) -> Session:
    """What was decided before: from the lock, from the skills themselves, and from drafts that were never written.

    `written` and `drafts` are by operation (`POST /bookings`). A skill whose declaration is confirmed stays confirmed;
    a draft wins over both, for it is the newest.
    """
    locked = held.by_operation() if held is not None else {}
    entries = {name: _resumed(entry, locked.get(name), written.get(name)) for name, entry in session.entries.items()}
    for name, draft in (drafts or {}).items():
        if name in entries:
            entries[name] = replace(
                entries[name], draft=draft.draft, as_write=draft.as_write, choice=draft.choice, prose=draft.prose,
                key_source=draft.key_source, reason=draft.reason, accepted=draft.accepted,
            )  # fmt: skip
    layout = Layout(held.layout) if held is not None and held.files else session.layout
    return replace(session, entries=entries, layout=layout)


def _resumed(entry: Entry, decision: LockedOperation | None, skill: Written | None) -> Entry:
    if decision is not None:
        entry = replace(entry, key_source=decision.key_source)
        choice = {"skipped": Choice.SKIPPED, "no-write": Choice.NO_WRITE}.get(decision.decision)
        if choice is not None:
            as_write = False if choice is Choice.NO_WRITE else entry.as_write
            entry = replace(entry, choice=choice, recorded=choice, as_write=as_write, reason=decision.reason)
    if skill is None:
        return entry
    entry = replace(entry, written=skill)
    replaces = skill.operation.method == "PUT" and entry.api.method == "PUT"
    if not ((skill.operation.is_write or replaces) and skill.operation.confirmed):
        return entry
    return replace(entry, draft=replace(skill.operation, status=None), as_write=True, choice=Choice.CONFIRMED)


def _step(session: Session, did: str, changed: Mapping[str, Entry]) -> Session:
    if session.read_only:
        raise UsageError("this session only reads", remedy="Start it without `--read-only` to change something")
    before = {name: session.entries[name] for name in changed if session.entries[name] != changed[name]}
    if not before:
        return session
    past = (*session.past, Step(did, before))[-_MOST_STEPS:]
    return replace(session, entries={**session.entries, **changed}, past=past, future=())


def _change(session: Session, name: str, did: str, change: Callable[[Entry], Entry]) -> Session:
    return _step(session, f"{did} {name}", {name: change(session[name])})


def undo(session: Session) -> Session:
    """The state before the last step; the same where there was none."""
    if not session.past:
        return session
    step = session.past[-1]
    now = {name: session.entries[name] for name in step.entries}
    return replace(
        session,
        entries={**session.entries, **_back(session, step)},
        past=session.past[:-1],
        future=(*session.future, Step(step.did, now)),
    )


def redo(session: Session) -> Session:
    """The state after the step that was last undone; the same where there is none."""
    if not session.future:
        return session
    step = session.future[-1]
    now = {name: session.entries[name] for name in step.entries}
    return replace(
        session,
        entries={**session.entries, **_back(session, step)},
        past=(*session.past, Step(step.did, now)),
        future=session.future[:-1],
    )


def _back(session: Session, step: Step) -> dict[str, Entry]:
    """The entries of a step, with what arrived or was written meanwhile."""
    entries = {}
    for name, entry in step.entries.items():
        now = session.entries[name]
        entries[name] = replace(
            entry, proposal=now.proposal, proposed=now.proposed, problem=now.problem, written=now.written,
            recorded=now.recorded,
        )  # fmt: skip
    return entries


def confirm(session: Session, name: str) -> Session:
    """The author confirms the declaration as it stands. Raises UsageError where there is none to confirm."""
    entry = session[name]
    if entry.declaration is None:
        raise UsageError(
            entry.problem or "there is no declaration to confirm yet", remedy="" if entry.problem else "Wait for it"
        )
    if entry.proposal is not None and not entry.is_write:
        raise UsageError(
            f"{name} changes nothing, so there is nothing to confirm", remedy="Say that it is a write first"
        )
    return _change(
        session, name, "confirm",
        lambda one: replace(
            one, choice=Choice.CONFIRMED, draft=one.declaration, as_write=True, reason="", accepted=_drifted(one)
        ),
    )  # fmt: skip


def _drifted(entry: Entry) -> bool:
    return entry.written is not None and entry.written.drifted


def confirmable(session: Session) -> tuple[Entry, ...]:
    """The writes that are proposed with high confidence and not decided yet: what `confirm_high` would confirm."""
    return tuple(
        entry
        for entry in session
        if entry.is_write and entry.choice is Choice.TO_DO and entry.declaration is not None and _is_high(entry)
    )


def _is_high(entry: Entry) -> bool:
    proposal = entry.proposal
    if proposal is None or entry.confidence is not Confidence.HIGH or proposal.warnings:
        return False
    return proposal.key is None or proposal.key.confidence is Confidence.HIGH


def confirm_high(session: Session, names: frozenset[str] | None = None) -> Session:
    """Confirms all that `confirmable` lists, or those of them that are named, in one step."""
    chosen = [entry for entry in confirmable(session) if names is None or entry.name in names]
    changed = {
        entry.name: replace(entry, choice=Choice.CONFIRMED, draft=entry.declaration, as_write=True) for entry in chosen
    }
    return _step(session, f"confirm {len(chosen)} of high confidence", changed)


def skip(session: Session, name: str, reason: str = "") -> Session:
    """No skill for this operation."""
    return _change(session, name, "skip", lambda entry: replace(entry, choice=Choice.SKIPPED, reason=reason))


def not_a_write(session: Session, name: str, reason: str = "") -> Session:
    """The author says that it changes nothing: it is never recorded."""

    return _change(
        session, name, "not a write:",
        lambda entry: replace(entry, choice=Choice.NO_WRITE, as_write=False, reason=reason),
    )  # fmt: skip


def is_a_write(session: Session, name: str) -> Session:
    """The author says that it changes something, whatever its method."""

    def change(entry: Entry) -> Entry:
        declaration = replace(entry, choice=Choice.TO_DO).declaration
        if declaration is not None:
            write = None if declaration.method in ("POST", "PATCH", "DELETE") else True
            declaration = declaration if declaration.is_write else replace(declaration, write=write)
        return replace(entry, choice=Choice.TO_DO, as_write=True, draft=declaration, reason="")

    return _change(session, name, "a write:", change)


def reopen(session: Session, name: str) -> Session:
    """Takes a decision back without taking back what was edited."""
    return _change(session, name, "reopen", lambda entry: replace(entry, choice=Choice.TO_DO, as_write=None, reason=""))


def as_proposed(session: Session, name: str) -> Session:
    """Drops the author's own declaration: the proposal stands again."""
    return _change(
        session, name, "as proposed:",
        lambda entry: replace(entry, draft=None, prose=None, key_source="", as_write=None, choice=Choice.TO_DO),
    )  # fmt: skip


def _edit(session: Session, name: str, did: str, change: Callable[[Operation], Operation], **entry: str) -> Session:
    """A change of the declaration. What was confirmed stays confirmed: the author is the one who changes it."""
    declaration = session[name].declaration
    if declaration is None:
        raise UsageError(session[name].problem or "there is no declaration to change yet", remedy="")
    if session[name].choice is Choice.NO_WRITE:
        raise UsageError("you said that it changes nothing", remedy="Say that it is a write first")
    draft = change(declaration)
    _checked(draft)
    return _change(session, name, did, lambda one: replace(one, draft=draft, **entry))  # type: ignore[arg-type]


def _checked(operation: Operation) -> None:
    _, problems = parse_operation(print_operation(operation))
    if problems:
        raise UsageError(problems[0].message)


def _path(text: str) -> FieldPath:
    try:
        return FieldPath.parse(text.strip())
    except FieldPathError as error:
        raise UsageError(f"`{text}` is no field name: {error}") from error


def toggle_identity(session: Session, name: str, field: str) -> Session:
    """Puts a field into the identity, or takes it (and its parts) out. Raises UsageError."""
    path = _path(field)
    optional = _may_be_missing(session[name], path)

    def change(operation: Operation) -> Operation:
        if any(one.required() == path.required() for one in operation.identity):
            kept = tuple(one for one in operation.identity if one.required() != path.required())
            return replace(operation, identity=kept)
        inside = [one for one in operation.identity if path.covers(one.required()) or one.covers(path.required())]
        kept = tuple(one for one in operation.identity if one not in inside)
        added = FieldPath(path.place, path.segments, path.optional or optional)
        return replace(operation, identity=_in_order(session[name], (*kept, added)), scope=None)

    return _edit(session, name, f"identity: {field} of", change)


def _may_be_missing(entry: Entry, path: FieldPath) -> bool:
    if path.in_array:
        return False
    if path.place == "body":
        known = entry.api.body.by_path.get(path.name) if entry.api.body is not None else None
        return known is not None and not known.always
    given = [one for one in entry.api.parameters_in(path.place) if one.name == path.segments[0].name]
    return bool(given) and not given[0].required


def _in_order(entry: Entry, paths: tuple[FieldPath, ...]) -> tuple[FieldPath, ...]:
    """The document's order; what it does not show comes last, in the order it was named."""
    order = {one.path: place for place, one in enumerate(entry.api.fields)}
    return tuple(sorted(paths, key=lambda path: order.get(path.name, len(order))))


def toggle_optional(session: Session, name: str, field: str) -> Session:
    """Whether a request may lack a field of the identity."""
    path = _path(field).required()

    def change(operation: Operation) -> Operation:
        identity = tuple(
            FieldPath(one.place, one.segments, not one.optional) if one.required() == path else one
            for one in operation.identity
        )
        return replace(operation, identity=identity)

    return _edit(session, name, f"optional: {field} of", change)


def add_field(session: Session, name: str, field: str, *, identity: bool = True) -> Session:
    """A field that the document does not show: the model fills it in, and it is part of the identity if so said."""
    path = _path(field)

    def change(operation: Operation) -> Operation:
        if path.place == "body" and not any(one.required().covers(path.required()) for one in operation.body):
            operation = replace(operation, body=(*operation.body, path.required()))
        if path.place == "query" and path.segments[0].name not in operation.query:
            operation = replace(operation, query=(*operation.query, path.segments[0].name))
        if path.place == "header" and path.segments[0].name not in operation.header:
            operation = replace(operation, header=(*operation.header, path.segments[0].name))
        known = any(one.required() == path.required() for one in operation.identity)
        if identity and not known:
            operation = replace(operation, identity=_in_order(session[name], (*operation.identity, path)), scope=None)
        return operation

    return _edit(session, name, f"add {field} to", change)


def set_scope(session: Session, name: str, scope: str) -> Session:
    """`call` or `arguments`: no identity."""
    if scope not in ("call", "arguments"):
        raise UsageError(f"`{scope}` is no scope; it is `call` or `arguments`")
    return _edit(
        session, name, f"scope {scope}:",
        lambda operation: replace(operation, identity=(), scope=scope),  # type: ignore[arg-type]
    )  # fmt: skip


def set_key(session: Session, name: str, key: KeyPlace | None, *, source: str = "") -> Session:
    """Where the recipient takes a key; None takes it out. `source` says who knows it where the document does not."""

    def change(operation: Operation) -> Operation:
        if key is None:
            return replace(operation, key=None)
        taken = key.path.required()
        return replace(
            operation,
            key=key,
            body=tuple(one for one in operation.body if one.required() != taken),
            identity=tuple(one for one in operation.identity if one.required() != taken),
            query=tuple(one for one in operation.query if key.place != "query" or one != key.name),
            header=tuple(one for one in operation.header if key.place != "header" or one.lower() != key.name.lower()),
        )

    return _edit(session, name, "key of", change, key_source=source if key is not None else "")


def set_reference(session: Session, name: str, reference: Reference | None) -> Session:
    """A field that the recipient stores and gives back; the host fills it unless it is part of the identity."""

    def change(operation: Operation) -> Operation:
        changed = replace(operation, reference=reference)
        if reference is not None and changed.host_fills_reference:
            kept = tuple(one for one in changed.body if one.required() != reference.path)
            changed = replace(changed, body=kept)
        return changed

    return _edit(session, name, "reference of", change)


def set_probe(session: Session, name: str, probe: Probe | None) -> Session:
    """How to read the write back; None takes it out."""
    return _edit(session, name, "probe of", lambda operation: replace(operation, probe=probe))


def set_keep(session: Session, name: str, keep: Duration | None) -> Session:
    """How long a completed record answers a repeat; None is the default."""
    return _edit(session, name, "keep of", lambda operation: replace(operation, keep=keep))


def set_failed(session: Session, name: str, failed: str | None) -> Session:
    """The JSONPath that makes a refusal of an answer of success; None: each is a write that was made."""
    return _edit(session, name, "refusal of", lambda operation: replace(operation, failed=failed))


def set_declaration(session: Session, name: str, operation: Operation) -> Session:
    """The whole declaration, as the author typed it."""
    return _edit(session, name, "declaration of", lambda _: replace(operation, status=None))


def set_prose(session: Session, name: str, prose: str | None) -> Session:
    """The text under the declaration; None leaves it to the template."""
    return _change(session, name, "prose of", lambda entry: replace(entry, prose=prose))


def set_layout(session: Session, layout: Layout) -> Session:
    """How the skills are laid out. It is no step to undo: nothing is written by it."""
    return replace(session, layout=layout)


def set_server(session: Session, server: str) -> Session:
    """The address that the paths begin with; what was proposed is declared anew. It is no step to undo.

    Raises UsageError for what is no address.
    """
    changed = replace(session, server=given_server(server))
    proposals = [entry.proposal for entry in session if entry.proposal is not None]
    return with_proposals(changed, *proposals)


def subjects(
    session: Session, names: frozenset[str] | None = None, *, unconfirmed: bool = False
) -> tuple[Subject, ...]:
    """What would be written: the confirmed operations (or the named ones), with `status: proposed` where not."""
    found = []
    for entry in session:
        if entry.to_write is None or entry.choice in (Choice.SKIPPED, Choice.NO_WRITE):
            continue
        wanted = entry.name in names if names is not None else entry.choice is Choice.CONFIRMED or unconfirmed
        if wanted:
            found.append(Subject(api=entry.api, operation=entry.to_write, key_source=entry.key_source))
    return tuple(found)


def passed_over(session: Session) -> tuple[PassedOver, ...]:
    """What gets no skill, for the lock."""
    decisions = {Choice.SKIPPED: "skipped", Choice.NO_WRITE: "no-write"}
    return tuple(
        PassedOver(api=entry.api, decision=decisions[entry.choice], reason=entry.reason)
        for entry in session
        if entry.choice in decisions
    )


def written(session: Session, files: Mapping[str, str], passed: Iterable[str] = ()) -> Session:
    """After writing: the entries whose skills now stand in these files, by operation, and those that were passed over
    and stand so in the lock. It cannot be undone."""
    entries = dict(session.entries)
    for name, file in files.items():
        entry = entries[name]
        if entry.to_write is not None:
            entries[name] = replace(
                entry, written=Written(operation=entry.to_write, file=file), prose=None, accepted=False, recorded=None
            )
    for name in passed:
        entries[name] = replace(entries[name], recorded=entries[name].choice)
    return replace(session, entries=entries)
