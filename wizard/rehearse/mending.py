"""What a declaration lacks: changes of it that the document bears out, tried on the story that went wrong.

A change is taken from what is known of the recipient (`facts`), from what would be proposed for the operation, or from
the format's own defaults; never made up. The first that lets the story pass, and breaks none of the stories in which
nothing is lost, is the mend.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from wizard.errors import WizardError
from wizard.infer.failures import failed_path
from wizard.operation.field_path import FieldPath
from wizard.operation.model import KeyPlace, Operation
from wizard.operation.printing import print_operation
from wizard.rehearse.facts import Facts
from wizard.rehearse.model import Declared, Ended, Mend, StoryRun, Verdict
from wizard.rehearse.schedule import Story, stories
from wizard.rehearse.subject import Subject, World
from wizard.rehearse.telling import tell
from wizard.yamltext.printing import Style, block_of

CHECKS = ("plain", "asked-twice", "another-write")
"""The stories that a mend must not break."""

_PROBE_MEMBERS = ("pages", "since", "absent", "after", "match", "items", "url")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change of a declaration."""

    member: str
    """`key`, `probe.pages`."""
    operation: Operation
    says: str


@dataclass(slots=True)
class Mending:
    """Looks for what mends the stories of one subject."""

    subject: Subject
    world: World
    behaviour: str = ""
    _known: tuple[Candidate, ...] | None = None
    _sound: dict[int, bool] = field(default_factory=dict)

    def mend(self, story: Story, run: StoryRun) -> Mend | None:
        """The change that lets the story end well; None where none does. `run` is how it ended without."""
        second: tuple[Candidate, StoryRun] | None = None
        for number, candidate in enumerate(self.candidates()):
            again = self.told(story, candidate, run.seed)
            if again.verdict is not Verdict.PASSED:
                continue
            asks = again.ended is Ended.PERSON
            # A person is asked where the write went wrong before: better, and not the best.
            if asks and (second is not None or run.ended is not Ended.WRONG):
                continue
            if not self.sound(number, candidate):
                continue
            if not asks:
                return _made(self.subject.operation, candidate, again)
            second = (candidate, again)
        return None if second is None else _made(self.subject.operation, *second)

    def candidates(self) -> tuple[Candidate, ...]:
        if self._known is None:
            self._known = tuple(candidates(self.subject))
        return self._known

    def told(self, story: Story, candidate: Candidate, seed: int = 0) -> StoryRun:
        # The subject stays as it is declared: what a story needs is asked of that.
        operation, told = candidate.operation, level(candidate.operation)
        return tell(story, self.subject, operation, told, self.world, behaviour=self.behaviour, seed=seed)

    def sound(self, number: int, candidate: Candidate) -> bool:
        """Whether the stories in which nothing is lost still end well."""
        if number not in self._sound:
            runs = (self.told(stories()[name], candidate) for name in CHECKS)
            self._sound[number] = not any(run.verdict is Verdict.FAILED for run in runs)
        return self._sound[number]


def level(operation: Operation) -> Declared:
    """How much is declared."""
    if operation.key is not None:
        return Declared.KEYED
    return Declared.CACHED if operation.identity or operation.probe or operation.scope else Declared.UNDECLARED


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
        yield Candidate("key", replace(own, key=None), "No key is sent that the recipient does not honour.")
    if proposed is not None:
        yield Candidate("", _whole(own, proposed), "It is declared as it would be proposed.")


def _identities(own: Operation, facts: Facts, proposed: Operation | None) -> Iterator[Candidate]:
    words = set(facts.wording)
    kept = tuple(path for path in own.identity if path.name not in words)
    if own.identity and kept != own.identity and kept:
        gone = _listed(path.name for path in own.identity if path.name in words)
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
        yield Candidate("identity", wider, f"Two writes that differ in {_listed(missing)} are two.")
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
    honoured = KeyPlace(true.place, true.name, remembered_for=true.memory, remembers=true.remembers)
    body = tuple(path for path in own.body if true.place != "field" or path.name != true.name)
    header = tuple(name for name in own.header if true.place != "header" or name.lower() != true.name.lower())
    yield Candidate(
        "key", replace(own, key=honoured, body=body, header=header), "The recipient takes one write for each key."
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


def _made(own: Operation, candidate: Candidate, again: StoryRun) -> Mend:
    times = {0: "did not land", 1: "landed once"}.get(again.landed, f"landed {again.landed} times")
    shown = f"With it the write {times}"
    if again.meant > 1:
        all_of_them = "both writes" if again.meant == 2 else f"all {again.meant} writes"
        shown = f"With it {all_of_them} that were meant landed once"
        if again.landed != again.meant:
            shown = f"With it {again.landed} of the {again.meant} writes that were meant landed, and none twice"
    shown += ", and a person is asked." if again.ended is Ended.PERSON else "."
    return Mend(line=difference(own, candidate.operation), says=candidate.says, shown=shown, member=candidate.member)


def difference(before: Operation, after: Operation) -> str:
    """What has to stand under `operation:` for the one to become the other, as YAML; what goes is in comments."""
    old, new = print_operation(before), print_operation(after)
    changed: dict[str, Any] = {}
    gone: list[str] = []
    for name in (*new, *(one for one in old if one not in new)):
        if new.get(name) == old.get(name):
            continue
        if name not in new:
            gone.append(f"# take out `{name}`")
        elif name != "key" and isinstance(new[name], dict) and isinstance(old.get(name), dict):
            inner = {one: value for one, value in new[name].items() if old[name].get(one) != value}
            gone += [f"# take out `{one}` of `{name}`" for one in old[name] if one not in new[name]]
            if inner:
                changed[name] = inner
        else:
            changed[name] = new[name]
    text = block_of(changed, 0, Style(flow=True)) if changed else ""
    return "\n".join(part for part in (text.strip("\n"), *gone) if part)


def _listed(names: Any) -> str:
    found = list(names)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
