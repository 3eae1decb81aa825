"""Units weighed, and looked through for the roles that a kind of thing is told apart by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wizard.infer.detector import Candidate, Subject
from wizard.infer.lexicon import phrase, says, word_list
from wizard.infer.model import Evidence
from wizard.infer.tables import table
from wizard.infer.things import about_of, segments, thing_named, without_verbs
from wizard.infer.units import Unit

_BETTER = 0.5
"""The score from which on a field goes before those that its list names earlier."""
_SAYS = frozenset({"text", "body", "message", "content", "comment", "html"})
"""Last words of what is said; notes and descriptions stand beside it."""
_MANNER = frozenset(
    {"content", "note", "address", "file", "changed", "measure", "subject", "process", "public_key", "name"}
)
"""Roles that a field keeps though it is free text, a link or a state: there it is the thing itself."""


@dataclass
class Weighed:
    """A unit with what the detectors saw of it."""

    unit: Unit
    score: float = 0.0
    barred: str = ""
    """Why it may never be in the identity."""
    doubt: str = ""
    """What speaks against it most."""
    doubt_weight: float = 0.0
    roles: dict[str, float] = field(default_factory=dict)
    seen: list[Evidence] = field(default_factory=list)

    @property
    def required(self) -> bool:
        return self.unit.required


def weigh_units(given: Sequence[Unit], candidates: Iterable[Candidate]) -> tuple[Weighed, ...]:
    """The units with the weights of the candidates added up."""
    found = {unit.path: Weighed(unit) for unit in given}
    for one in candidates:
        weighed = found.get(one.value)
        if weighed is None:
            continue
        weighed.score += one.weight
        if one.weight < 0:
            if one.final and not weighed.barred:
                weighed.barred = one.because
            if -one.weight > weighed.doubt_weight:
                weighed.doubt, weighed.doubt_weight = one.because, -one.weight
        else:
            weighed.seen.append(one.evidence)
            if one.role:
                weighed.roles[one.role] = weighed.roles.get(one.role, 0.0) + one.weight
    return tuple(found.values())


def enough(one: Weighed) -> bool:
    """Whether this field alone names the thing: what an action is done to, a number that each request must have, or a
    field that is called like the thing."""
    if "target" in one.roles:
        return True
    number = "reference" in one.roles and "content" not in one.roles  # the `message` of a message is its text
    if one.unit.is_array and one.unit.members:
        return False  # the lines of a thing, though they are called like it
    return number and (one.required or one.roles["reference"] >= 3)


class Picker:
    """Looks for roles among the units: first the chosen, then the others."""

    def __init__(self, subject: Subject, free: list[Weighed], chosen: list[Weighed]) -> None:
        self.free = free
        self.chosen = chosen
        self.added: list[Weighed] = []
        self.parent = (
            _parent_is_matter(subject) or _said_of_parent(subject) or any("target" in one.roles for one in chosen)
        )
        self.noun = without_verbs(segments(subject.operation.path)[-1])[-1:] if segments(subject.operation.path) else ()

    def take_first(self, group: tuple[str, ...]) -> bool:
        """Whether one of the group's roles is there; takes the first that is, in the group's order, unless a strong
        one is among the chosen already."""
        for alternative in group:
            if not alternative.startswith("~") and self._covered(alternative):
                return True
        for alternative in group:
            if self._covered(alternative.lstrip("~")):
                return True
            weak = alternative.startswith("~")
            found = [] if weak and self.chosen else self._found(alternative.lstrip("~"))
            if found:
                self._add(found)
                return True
        return False

    def want(self, role: str) -> None:
        if role.startswith("~") and self.chosen:
            return
        every = role.endswith("*")
        name = role.strip("*~")
        if not every and any(name in one.roles for one in self.chosen + self.added):
            return
        self._add(self._with(name, every=every))

    def _covered(self, alternative: str) -> bool:
        if alternative == "path":
            return self.parent
        have = self.chosen + self.added
        return all(any(role.rstrip("*") in one.roles for one in have) for role in alternative.split("+"))

    def _found(self, alternative: str) -> list[Weighed]:
        if alternative == "path":
            return []
        parts = [self._with(role.rstrip("*"), every=role.endswith("*")) for role in alternative.split("+")]
        return [one for part in parts for one in part] if all(parts) else []

    def _with(self, role: str, *, every: bool) -> list[Weighed]:
        fit = [one for one in self.free if role in one.roles and self._fits(one, role)]
        fit.sort(key=lambda one: self._rank(one, role))
        if role == "content":
            plain = [one for one in fit if one.required or not one.doubt or _is_said(one)]
            fit = plain or ([] if any("file" in one.roles for one in self.free) else fit[:1])
        return fit if every else fit[:1]

    def _fits(self, one: Weighed, role: str) -> bool:
        if one.required and one.score > 0:
            return True
        if role == "address" and one.doubt in (says("media"), says("callback")):
            return False
        return one.score > -1.9 or (role in _MANNER and one.score > -3.5)

    def _rank(self, one: Weighed, role: str) -> tuple[bool, int, bool, bool, int, float]:
        own = 0 if (self.noun and self.noun[0] in one.unit.words) or one.unit.words in _PLAIN_NUMBERS else 1
        if one.unit.words[0] in _OF_ANOTHER:
            own = 1
        named = own if role in ("reference", "name") else 0
        shadowed = one.unit.composite and any(
            not other.unit.composite and other.unit.stem == one.unit.words for other in self.free
        )
        place = _place_in_list(one.unit, role)
        return (not one.required, named, one.score < _BETTER, shadowed, place, -one.score)

    def _add(self, found: list[Weighed]) -> None:
        self.added += [one for one in found if one not in self.added and one not in self.chosen]


_OF_ANOTHER = frozenset({"parent", "owner", "source", "original", "base", "previous", "old", "template"})
"""First words of a name that is that of another thing of the kind, or of whose it is."""
_PLAIN_NUMBERS = (("number",), ("reference",), ("reference", "number"))


def _is_said(one: Weighed) -> bool:
    return one.doubt == says("note") and one.unit.words[-1] in _SAYS


def _place_in_list(unit: Unit, role: str) -> int:
    """How early the list of a role names the unit: the lists begin with the best."""
    listed = table("fields").get(role, {})
    if "stems" in listed:
        names, words = listed["stems"], unit.stem
    else:
        names, words = [*listed.get("is", ()), *listed.get("ends", ())], unit.words
    ends = len(listed.get("is", ())) if "stems" not in listed else 0
    for at, name in enumerate(names):
        if tuple(name.split()) == words:
            return at
    for at, name in enumerate(names[ends:]):
        parts = tuple(name.split())
        if words[-len(parts) :] == parts:
            return len(names) + at
    return 2 * len(names)


def _said_of_parent(subject: Subject) -> bool:
    """Whether it is said of what the path names (`/lists/{id}/comments`), which is no account of the sender."""
    thing = about_of(subject).thing
    if thing is None or thing.name not in ("message", "review"):
        return False
    parts = segments(subject.operation.path)
    for at in range(len(parts) - 1, 0, -1):
        if "{" in parts[at] and "{" not in parts[at - 1] and at < len(parts) - 1:
            noun = without_verbs(parts[at - 1]) or phrase(parts[at - 1])
            return thing_named(noun) != "organization"
    return False


def _parent_is_matter(subject: Subject) -> bool:
    """Whether the path names the very thing that this write settles or follows from: `/payments/{id}/refunds`."""
    parts = segments(subject.operation.path)
    for at in range(len(parts) - 1, 0, -1):
        if "{" in parts[at] and "{" not in parts[at - 1]:
            noun = without_verbs(parts[at - 1]) or phrase(parts[at - 1])
            return bool(word_list("fields", "origin").match(noun)) or thing_named(noun) in (
                "payment",
                "document",
                "booking",
            )
    return False
