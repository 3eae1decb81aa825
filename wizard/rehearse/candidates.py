"""Changes of a declaration that its document bears out, the smallest first.

A change is taken from what is known of the recipient (`facts`), from what would be proposed for the operation, or from
the format's own defaults; never made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wizard.errors import WizardError
from wizard.infer.failures import failed_path
from wizard.operation.field_path import FieldPath
from wizard.operation.model import KeyPlace, Operation, Reference
from wizard.operation.printing import print_operation
from wizard.rehearse.facts import Facts
from wizard.rehearse.subject import Subject
from wizard.rehearse.wording import listed

_PROBE_MEMBERS = ("pages", "since", "absent", "after", "match", "items", "url")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change of a declaration."""

    member: str
    """`key`, `probe.pages`."""
    operation: Operation
    says: str
    gives: FieldPath | None = None
    """What the model has to give with it that it did not give before."""


def candidates(subject: Subject) -> Iterator[Candidate]:
    """The changes that could be made, the smallest first."""
    own, facts, proposed = subject.operation, subject.facts, proposal(subject)
    seen = {repr(print_operation(own))}
    for candidate in _candidates(own, facts, proposed):
        printed = repr(print_operation(candidate.operation))
        if printed not in seen:
            seen.add(printed)
            yield candidate


def proposal(subject: Subject) -> Operation | None:
    """What would be declared for the operation; None without a document."""
    if subject.document is None or subject.api is None:
        return None
    from wizard.infer.declaration import declare
    from wizard.infer.propose import propose_operation

    try:
        return declare(propose_operation(subject.document, subject.api), subject.document)
    except WizardError:
        return None


def _candidates(own: Operation, facts: Facts, proposed: Operation | None) -> Iterator[Candidate]:
    if not own.is_write:
        yield Candidate("write", replace(own, write=True), "It is recorded as the write that it is.")
        yield Candidate("write", replace(own, write=None), "It is recorded as the write that it is.")
    yield from _identities(own, facts, proposed)
    yield from _keys(own, facts)
    yield from _failed(own, facts, proposed)
    if own.keep is not None:
        yield Candidate("keep", replace(own, keep=None), "A completed record answers repeats for a day, not longer.")
    if proposed is not None:
        yield from _probes(own, proposed)
    if own.probe is not None:
        yield Candidate("probe", replace(own, probe=None), "What was not seen is for a person to look up.")
    if own.probe is not None and own.probe.absent is not None:
        probe = replace(own.probe, absent=None)
        yield Candidate("probe.absent", replace(own, probe=probe), "Nothing that is not found counts as not there.")
    if own.key is not None:
        yield from _keyless(own, own.key, facts)
    if proposed is not None:
        yield Candidate("", _whole(own, proposed), "It is declared as it would be proposed.")


def _identities(own: Operation, facts: Facts, proposed: Operation | None) -> Iterator[Candidate]:
    words = set(facts.wording)
    kept = tuple(path for path in own.identity if path.name not in words)
    if own.identity and kept != own.identity and kept:
        gone = listed([path.name for path in own.identity if path.name in words])
        yield Candidate("identity", replace(own, identity=kept), f"{gone} no longer tells two writes apart.")
    variables = {f"path:{name}" for name in own.path_variables}
    named = {path.name for path in own.identity}
    missing = [name for name in facts.matter if name not in named and name not in variables]
    if own.identity and missing:
        base = kept or own.identity
        for name in missing:
            wider = replace(own, identity=(*base, FieldPath.parse(name)))
            yield Candidate("identity", wider, f"Two writes that differ in {name} are two.")
        wider = replace(own, identity=(*base, *map(FieldPath.parse, missing)))
        yield Candidate("identity", wider, f"Two writes that differ in {listed(missing)} are two.")
    if proposed is not None and proposed.identity:
        whole = replace(own, identity=proposed.identity, scope=None)
        yield Candidate("identity", whole, "Equal requests are one write, whoever makes them.")
    if not own.identity and missing:
        whole = replace(own, identity=tuple(map(FieldPath.parse, missing)), scope=None)
        yield Candidate("identity", whole, "Equal requests are one write, whoever makes them.")


def _keys(own: Operation, facts: Facts) -> Iterator[Candidate]:
    true = facts.key
    if true is None:
        return
    key = own.key
    if key is not None and (key.place, key.name) == (true.place, true.name):
        told = None if true.memory == KeyPlace(true.place, true.name).memory else true.memory
        if key.memory != true.memory:
            remembered = replace(own, key=replace(key, remembered_for=told))
            yield Candidate("key", remembered, f"The recipient remembers a key for {true.memory}, not longer.")
        if key.remembers != true.remembers:
            yield Candidate(
                "key", replace(own, key=replace(key, remembers=true.remembers)),
                "The recipient forgets the key of a request that failed.",
            )  # fmt: skip
        for shape in ("uuid", "uuid4", "hex32", "hex64"):
            shaped = replace(own, key=replace(key, shape=shape))
            yield Candidate("key", shaped, "The key has the form that its place takes.")
    bare = KeyPlace(true.place, true.name, remembers=true.remembers)
    # What holds without a word is not put into the author's mouth.
    honoured = bare if bare.memory == true.memory else replace(bare, remembered_for=true.memory)
    body = tuple(path for path in own.body if true.place != "field" or path.name != true.name)
    header = tuple(name for name in own.header if true.place != "header" or name.lower() != true.name.lower())
    yield Candidate(
        "key", replace(own, key=honoured, body=body, header=header), "The recipient takes one write for each key."
    )


def _keyless(own: Operation, key: KeyPlace, facts: Facts) -> Iterator[Candidate]:
    """Without the key. A place that the document requires is filled all the same: by the host where it can be a
    reference, else by the model; nothing rests on what stands there."""
    bare = replace(own, key=None)
    yield Candidate("key", bare, "No key is sent that the recipient does not honour.")
    if not _required(key, facts):
        return
    if key.place == "field" and not key.per_element and own.reference is None:
        yield Candidate(
            "key", replace(bare, reference=Reference(key.name, key.shape)),
            f"The document requires `{key.name}`: the host fills it in, and goes by the record and the probe.",
        )  # fmt: skip
    says = f"The document requires `{key.name}`: the model gives it, and the host goes by the record and the probe."
    match key.place:
        case "field":
            named = replace(bare, body=(*own.body, key.path))
        case "header":
            named = replace(bare, header=(*own.header, key.name))
        case "query":
            named = replace(bare, query=(*own.query, key.name))
    yield Candidate("key", named, says, key.path)


def _required(key: KeyPlace, facts: Facts) -> bool:
    """Whether the document refuses a request that has nothing in the key's place."""
    api = facts.api
    if api is None:
        return False
    if key.place == "field":
        return any(one.path == key.path.name and one.required for one in api.fields)
    name = key.name.lower() if key.place == "header" else key.name
    return any(
        one.required and name == (one.name.lower() if key.place == "header" else one.name)
        for one in api.parameters_in(key.place)
    )


def _failed(own: Operation, facts: Facts, proposed: Operation | None) -> Iterator[Candidate]:
    """What says that a 2xx is a refusal: as it would be proposed, or as the recipient is known to say it."""
    says = "A 2xx that says that it failed is a refusal."
    if proposed is not None and proposed.failed is not None and proposed.failed != own.failed:
        yield Candidate("failed", replace(own, failed=proposed.failed), says)
    refusal, member = facts.refusal, facts.refusal.member
    if own.failed is not None or not member or None in member:
        return
    path = ".".join(_quoted(step) for step in member if step is not None)
    if isinstance(refusal.bad, bool):
        failed = failed_path(path, kind="is", bad=refusal.bad)
    elif refusal.good is not None:
        failed = failed_path(path, kind="is not", good=refusal.good)
    else:
        failed = failed_path(path, kind="any" if isinstance(refusal.bad, list) else "there")
    yield Candidate("failed", replace(own, failed=failed), says)


def _quoted(name: str) -> str:
    return FieldPath.body(name).name


def _probes(own: Operation, proposed: Operation) -> Iterator[Candidate]:
    probe, other = own.probe, proposed.probe
    if probe is not None and probe.after is not None:
        yield Candidate(
            "probe.after", replace(own, probe=replace(probe, after=None)),
            "Not there counts only when a late request can no longer arrive: five minutes.",
        )  # fmt: skip
    if other is None:
        return
    if probe is not None:
        for member in _PROBE_MEMBERS:
            changed = replace(probe, **{member: getattr(other, member)})
            if changed != probe:
                yield Candidate(f"probe.{member}", replace(own, probe=changed), _SAYS[member])
        pair = replace(probe, items=other.items, match=other.match, absent=other.absent)
        yield Candidate("probe", replace(own, probe=pair), "The probe compares what the answer shows.")
    yield Candidate("probe", replace(own, probe=other), "A read-back GET shows whether the write is there.")
    if own.reference is None and proposed.reference is not None:
        both = replace(own, probe=other, reference=proposed.reference)
        yield Candidate("probe", both, "A read-back GET finds the write by a reference that the host fills in.")


_SAYS = {
    "pages": "All pages of the list are read before it counts as not there.",
    "since": "An equal write of another time is not taken for this one.",
    "absent": "What not there looks like is as the document has it.",
    "after": "Not there counts only when a late request can no longer arrive.",
    "match": "The probe compares what the answer shows.",
    "items": "The candidates are where the answer has them.",
    "url": "The probe asks where the document has the list.",
}


def _whole(own: Operation, proposed: Operation) -> Operation:
    return replace(
        own, identity=proposed.identity, scope=None, key=proposed.key, probe=proposed.probe,
        reference=proposed.reference, body=proposed.body, write=proposed.write,
    )  # fmt: skip
