"""A probe as a form: each member as text, and what is wrong with it where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from wizard.errors import UsageError
from wizard.host.jsonpaths import compiled
from wizard.operation.model import Cursor, Probe
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.session.linting import UNCONFIGURED, Linting
from wizard.session.preview import remarks
from wizard.session.state import Entry, Session
from wizard.yamltext.printing import Style, member

MEMBERS = ("url", "items", "match", "since", "absent", "pages", "after")
"""As FORMAT 4 names them, in its order."""
_CURSOR = re.compile(r"(?P<at>\$.*?)\s+as\s+(?P<name>query:.+)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeForm:
    """A probe's members as text; empty ones are not declared."""

    url: str = ""
    items: str = ""
    match: tuple[tuple[str, str], ...] = ()
    """Field of the write, and path in a candidate."""
    since: str = ""
    absent: str = ""
    pages: str = ""
    """As declared; of a cursor `$.next as query:cursor`."""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What is to be said of a member of the probe (of MEMBERS; empty: of all of it)."""

    member: str
    severity: str
    """`error`, `warning` or `note`."""
    message: str


def form_of(probe: Probe | None) -> ProbeForm:
    """The form of a probe; an empty one of none."""
    if probe is None:
        return ProbeForm()
    pages = probe.pages
    return ProbeForm(
        url=probe.url, items=probe.items or "", match=probe.match, since=probe.since or "", absent=probe.absent or "",
        pages=f"{pages.at} as query:{pages.parameter}" if isinstance(pages, Cursor) else pages or "",
        after=str(probe.after) if probe.after is not None else "",
    )  # fmt: skip


def mapping_of(form: ProbeForm) -> dict[str, Any]:
    """The form as the mapping under `probe:`."""
    cursor = _CURSOR.fullmatch(form.pages.strip())
    pages: Any = {"at": cursor["at"], "as": cursor["name"]} if cursor else form.pages.strip()
    values = {
        "url": form.url.strip(), "items": form.items.strip(), "match": dict(form.match), "since": form.since.strip(),
        "absent": form.absent, "pages": pages, "after": form.after.strip(),
    }  # fmt: skip
    return {name: value for name, value in values.items() if value or name == "url"}


def with_member(form: ProbeForm, name: str, value: str) -> ProbeForm:
    """The form with another value for a member that is one text: of MEMBERS all but `match`."""
    return replace(form, **{name: value})  # type: ignore[arg-type]


def _declared(entry: Entry, form: ProbeForm) -> dict[str, Any]:
    operation = entry.declaration
    assert operation is not None
    printed = print_operation(replace(operation, probe=Probe(url="https://x"), status=None))
    return {name: mapping_of(form) if name == "probe" else value for name, value in printed.items()}


def read_form(entry: Entry, form: ProbeForm) -> Probe | None:
    """The probe of a form; None where it cannot be read: `said_of` tells why."""
    operation, problems = parse_operation(_declared(entry, form))
    if operation is None or any(one.path[:1] == ("probe",) for one in problems) or any(_unreadable_paths(form)):
        return None
    return operation.probe


def said_of(session: Session, entry: Entry, form: ProbeForm, linting: Linting = UNCONFIGURED) -> tuple[Said, ...]:
    """What keeps a form from being a probe, and what the linter says of it, each at its member."""
    found = [
        Said(str(one.path[1]) if len(one.path) > 1 else "", "error", one.message)
        for one in parse_operation(_declared(entry, form))[1]
        if one.path[:1] == ("probe",)
    ]
    found += [
        Said(name, "error", said) for name, said in _unreadable_paths(form) if name not in {one.member for one in found}
    ]
    if not found:
        found = list(_linted(session, entry, form, linting))
    return tuple(sorted(dict.fromkeys(found), key=lambda one: MEMBERS.index(one.member) if one.member else -1))


def _unreadable_paths(form: ProbeForm) -> Iterator[tuple[str, str]]:
    """The JSONPaths that the host could not read, with what it would say."""
    pages = mapping_of(form).get("pages", "")
    for name, path in (("items", form.items.strip()), ("pages", pages["at"] if isinstance(pages, dict) else pages)):
        if path.startswith("$"):
            try:
                compiled(path)
            except UsageError as error:
                yield name, error.message


def _linted(session: Session, entry: Entry, form: ProbeForm, linting: Linting) -> Iterator[Said]:
    front = member("operation", _declared(entry, form), 0, Style())
    text = f"---\nname: operation\ndescription: One operation.\n{front}\n---\n"
    own: dict[int, str] = {}
    inside, part = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r" {0,2}[^ ]", line):
            inside, part = line.startswith("  probe:"), ""
        elif inside and (found := re.match(r" {4}(\w+):", line)):
            part = found[1]
        if inside:
            own[number] = part
    for one in remarks(session, "operation.md", text, linting):
        if one.line in own:
            yield Said(own[one.line], one.severity, one.message)
