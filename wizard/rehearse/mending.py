"""What a declaration lacks: changes that the document bears out (`candidates`), tried on the story that went wrong.

The first that lets the story pass, and breaks none of the stories in which nothing is lost, is the mend.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from wizard.host.prepare import Arguments
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.rehearse.candidates import Candidate, candidates
from wizard.rehearse.model import Declared, Ended, Mend, StoryRun, Verdict
from wizard.rehearse.schedule import Story, stories
from wizard.rehearse.subject import Subject, World
from wizard.rehearse.telling import tell
from wizard.rehearse.wording import listed
from wizard.yamltext.printing import Style, block_of

CHECKS = ("plain", "asked-twice", "another-write")
"""The stories that a mend must not break."""


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
        operation, told, subject = candidate.operation, level(candidate.operation), self.subject
        if candidate.gives is not None:
            subject = replace(subject, arguments=_given(subject, operation, candidate.gives))
        return tell(story, subject, operation, told, self.world, behaviour=self.behaviour, seed=seed)

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


def _given(subject: Subject, operation: Operation, path: FieldPath) -> Arguments:
    """The subject's example request with one more value in it, as the document wants it."""
    from wizard.host.filling import put_in
    from wizard.rehearse.bodies import example_request

    own, example = subject.arguments, example_request(operation, subject.api)
    match path.place:
        case "query":
            return replace(own, query={**example.query, **own.query})
        case "header":
            return replace(own, header={**example.header, **own.header})
    value = path.get(example.body)
    while isinstance(value, list) and value:
        value = value[0]
    return own if value is MISSING else replace(own, body=put_in(own.body, path, lambda _: value))


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


def _listed_apart(member: str, old: list[str], new: list[str]) -> Iterator[str]:
    for words, names in (
        (f"# add {{}} to `{member}`", [one for one in new if one not in old]),
        (f"# take out {{}} of `{member}`", [one for one in old if one not in new]),
    ):
        if names:
            yield words.format(listed([f"`{one}`" for one in names]))


def difference(before: Operation, after: Operation) -> str:
    """What has to stand under `operation:` for the one to become the other, as YAML; what goes is in comments."""
    old, new = print_operation(before), print_operation(after)
    style, lines, gone = Style(flow=True), list[str](), list[str]()
    for name in (*new, *(one for one in old if one not in new)):
        if new.get(name) == old.get(name):
            continue
        if name not in new:
            gone.append(f"# take out `{name}`")
        elif name in ("body", "query", "header") and name in old:
            # They may be long, and their order says nothing.
            gone += _listed_apart(name, old[name], new[name])
        elif name != "key" and isinstance(new[name], dict) and isinstance(old.get(name), dict):
            inner = {one: value for one, value in new[name].items() if old[name].get(one) != value}
            gone += [f"# take out `{one}` of `{name}`" for one in old[name] if one not in new[name]]
            if inner:
                # In a line of its own: it stands beside what is there, and does not take its place.
                lines += [f"{name}:", "  " + block_of(inner, 2, style)]
        else:
            lines.append(block_of({name: new[name]}, 0, style))
    return "\n".join((*lines, *gone))
