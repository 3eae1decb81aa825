"""One file looked at by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from wizard.lint.located import LocatedFinding, from_json, locate
from wizard.lint.quick import FILE_FAMILIES, families_for
from wizard.lint.rulebook import load_families, load_rule
from wizard.lint.suppression import MARK, Allowed, Suppression, find_suppressions
from wizard.lint.workers import Task
from wizard.skill.form import form_of

if TYPE_CHECKING:
    from wizard.lint.documents import Documents
    from wizard.lint.model import Context, Rule
    from wizard.lint.quick import Signs
    from wizard.source import Source
    from wizard.spec.model import ApiDocument


class Work(NamedTuple):
    """A file to look at."""

    path: str
    data: bytes
    folder: str
    """The name of the folder it lies in."""
    strict: bool
    document: str | None
    """The API document's name."""
    locked: str = ""
    """The digest of the document's operation in a lock file."""
    near: bool = False
    """The document was only found near it, and may be another API's."""


class Looked(NamedTuple):
    """What was found in one file. Paths of its own are OWN."""

    findings: tuple[LocatedFinding, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    broken: tuple[str, ...] = ()
    """Rules that failed, with what happened: faults of ours."""


NOTHING = Looked()


def dump(looked: Looked) -> Any:
    """As JSON's values; 0 for a file that nothing is to be said of."""
    return 0 if looked == NOTHING else [*looked]


def load(value: Any) -> Looked:
    """What `dump` gave. Raises ValueError, TypeError, IndexError for anything else."""
    if value == 0:
        return NOTHING
    findings, suppressions, broken = value
    return Looked(
        tuple(from_json(one) for one in findings),
        tuple(
            Suppression(start, end, tuple(Allowed(*one) for one in rules), reason, first, last)
            for start, end, rules, reason, first, last in suppressions
        ),
        tuple(broken),
    )


class Checker:
    """Looks at files."""

    def __init__(self, documents: Documents, signs: Signs | None = None) -> None:
        self.documents = documents
        self.signs = signs
        """What a look goes by; without them every file is given to the rules."""

    def task(self) -> Task[Work]:
        """What is done with each file; the results are what `dump` gives."""
        return Task(self.check, self.glance, self.warm)

    def glance(self, work: Work) -> tuple[bool, Any]:
        """Whether nothing is to be said of a file; else the families that may have something to say, as bits."""
        if self.signs is None:
            return False, _bits(FILE_FAMILIES)
        spec = work.document is None and form_of(work.path) == "spec"
        families = families_for(work.data, self.signs, strict=work.strict, spec=spec)
        if not families and MARK not in work.data.decode("utf-8"):
            return True, dump(NOTHING)
        return False, _bits(families)

    def check(self, work: Work, families: int) -> Any:
        """What the rules of some families say of a file."""
        return dump(self.look(work, [family for bit, family in enumerate(FILE_FAMILIES) if families >> bit & 1]))

    def warm(self) -> None:
        """Loads what most files need."""
        self.look(Work("", _ORDINARY, "", False, None), ("file", "prose-key", "prose"))

    def look(self, work: Work, families: Iterable[str]) -> Looked:
        from wizard.errors import SkillError
        from wizard.lint.model import Context
        from wizard.skill.files import MAX_BYTES, decode

        if len(work.data) > MAX_BYTES:
            return unreadable(work.path, f"the file has {len(work.data):,} bytes; a skill has at most {MAX_BYTES:,}")
        try:
            source = decode(work.data, work.path)
        except SkillError as error:
            return unreadable(work.path, error.message, error.place.removeprefix(work.path), error.remedy)
        document = self.document(work, source)
        context = Context(
            source=source, document=document, strict=work.strict, folder=work.folder, locked=work.locked
        )  # fmt: skip
        return check_source(context, families=families)

    def document(self, work: Work, source: Source) -> ApiDocument | None:
        if work.document is None:
            return None
        found = self.documents.load(work.document)
        if found is not None and work.near:
            from wizard.lint.matching import fits_document
            from wizard.skill.document import parse_skill

            operation = parse_skill(source).operation
            if operation is not None and not fits_document(found, operation):
                return None
        return found


_ORDINARY = b"""---
name: ordinary
metadata: {version: "1"}
---

- Send a new idempotency key with each request.
- Retry until it succeeds.

## Requests

Generate a unique request id for each payment, and reuse the same key when you retry after a timeout. The server
returns the first response; never send it again. Before you create one, check whether it exists, so that nobody is
charged twice.

| `request_id` | string | A unique id of the request |
|---|---|---|
| `client_token` | string | optional, any unique string |

```
curl -X POST https://a.example/payments -H "Idempotency-Key: $(uuidgen)" -d '{"request_id": "1"}'
```
"""


def _bits(families: Iterable[str]) -> int:
    return sum(1 << FILE_FAMILIES.index(family) for family in families)


def unreadable(path: str, message: str, place: str = "", remedy: str = "") -> Looked:
    """What is said of a file that is no text; `place` is `:line:column` where there is one."""
    from wizard.lint.model import Context, Remark
    from wizard.source import Position, Source, Span

    # The text is not there to be marked; its lines stand in for it, so that the place is the right one.
    line, _, column = place.strip(":").partition(":")
    source = Source(path, "")
    span = Span(0, 0)
    if line.isdigit() and column.isdigit():
        source = Source(path, "\n" * (int(line) - 1) + " " * int(column))
        start = source.offset(Position(int(line), int(column)))
        span = Span(start, start + 1)
    said = f"{message}. {remedy}" if remedy else message
    remark = Remark(rule="file-unreadable", span=span, message=said)
    return check_source(Context(source=source, remarks=(remark,)), only=("file-unreadable",))


def check_source(
    context: Context, *, only: Iterable[str] | None = None, families: Iterable[str] = FILE_FAMILIES
) -> Looked:
    """Runs the rules of some families, or those named, on one context."""
    known = context.document is not None
    wanted = load_families(tuple(families), document=known) if only is None else [load_rule(name) for name in only]
    findings: list[LocatedFinding] = []
    broken: list[str] = []
    for rule in wanted:
        findings.extend(_run(rule, context, broken.append))
    return Looked(tuple(findings), find_suppressions(context.source.text), tuple(broken))


def _run(rule: Rule, context: Context, fail: Callable[[str], None]) -> Iterator[LocatedFinding]:
    """What one rule says. A rule that fails is a fault of ours, and keeps no other from speaking."""
    try:
        yield from [locate(context.source, rule, found) for found in rule.check(context)]
    except Exception as error:
        fail(f"the rule `{rule.name}` failed: {type(error).__name__}: {error}")
