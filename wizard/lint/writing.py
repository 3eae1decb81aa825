"""Help for somebody who is writing a declaration: what may stand at a place, and what stands there.

It goes by lines and indentation and not by a parser, because what is being written is broken most of the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from wizard.lint.rulebook import WORDS
from wizard.operation.model import METHODS, Level, Operation, Scope
from wizard.wordlists import table

if TYPE_CHECKING:
    from wizard.spec.model import ApiDocument

Kind = Literal["member", "value", "field"]

_LINE = re.compile(r"(?P<indent> *)(?P<dash>- +)?(?:(?P<key>[A-Za-z_$][\w.-]*):(?P<rest>.*))?")
_HOLDERS = ("operation", "outturn-operation")
_FIELD_LISTS = ("body", "identity", "match", "amount", "since")
_WORD = re.compile(r"[\w.$:\[\]?'\"-]*\Z")
_FLOW_MEMBER = re.compile(r"[{,][ ]*([A-Za-z_]\w*)[ ]*:")
_FENCE = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that may stand at a place."""

    text: str
    kind: Kind
    detail: str = ""
    """One line on it."""
    insert: str = ""
    """What is written, where that is more than `text`."""


@dataclass(frozen=True, slots=True)
class Writing:
    """Where somebody writes in a declaration."""

    path: tuple[str, ...]
    """The members around the place, below the operation: `("probe",)`."""
    member: str
    """The member whose value is being written; empty where a member's name is."""
    listed: bool
    """Inside a list."""
    word: str
    """What stands before the cursor of the word that is being written."""
    line: int
    """The index of the operation's line."""


@cache
def _members() -> Mapping[str, Mapping[str, Any]]:
    return table(WORDS, "members")


def writing_at(text: str, offset: int) -> Writing | None:
    """Where in a declaration an offset lies; None outside of one."""
    fences = [found.end() for found in _FENCE.finditer(text)]
    end = fences[1] if len(fences) > 1 else len(text)
    if not fences or offset < fences[0] or offset > end:
        return None
    before = text[:offset]
    lines = before.split("\n")
    current = lines[-1]
    found = _LINE.match(current)
    assert found is not None
    indent = len(found["indent"])
    member, listed = "", bool(found["dash"])
    if found["key"] and not listed:
        member = found["key"]
    rest = (found["rest"] if member else current) or ""
    braces: tuple[str, ...] = ()
    if member and rest.count("{") > rest.count("}"):
        # `key: {in: header, na`: the members stand in one line.
        braces, (member, rest) = (member,), _in_braces(rest)
    if rest.count("[") > rest.count("]"):
        listed = True
    path: list[str] = []
    depth = indent
    for index in range(len(lines) - 2, -1, -1):
        line = _LINE.match(lines[index])
        if line is None or not line["key"] or line["dash"]:
            continue
        here = len(line["indent"])
        shallower = here < depth or (here == depth and listed and not member and not path and not braces)
        if not shallower:
            continue
        if line["key"] in _HOLDERS:
            if listed and not member and path and not braces:
                member = path.pop(0)
            return Writing((*path, *braces), member, listed, _word(before), index)
        path.insert(0, line["key"])
        depth = here
    return None


def _in_braces(rest: str) -> tuple[str, str]:
    """Of what stands behind an open brace, the member whose value is being written and that value; empty where a
    member's name is."""
    inside, depth, start = rest[rest.rindex("{") + 1 :], 0, 0
    for at, sign in enumerate(inside):
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth == 0:
            start = at + 1
    name, colon, value = inside[start:].partition(":")
    return (name.strip(" '\""), value) if colon else ("", "")


def _word(before: str) -> str:
    found = _WORD.search(before.rpartition("\n")[2])
    return found[0] if found else ""


def offers(text: str, offset: int, document: ApiDocument | None) -> list[Offer]:
    """What may stand at an offset of a skill file."""
    place = writing_at(text, offset)
    if place is None:
        return []
    inside = place.path[-1] if place.path else "operation"
    if place.member or (place.listed and place.path):
        return list(_values(text, place, document))
    known = _members().get(inside)
    if inside == "match":
        return list(_fields(text, place, document))
    if known is None:
        return []
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    flow = line.count("{") > line.count("}")
    written = set(_FLOW_MEMBER.findall(line)) if flow else _siblings(text, offset)
    return [
        Offer(name, "member", said, f"{name}: ")
        for name, said in known.items()
        if name not in written or name == place.word
    ]


def _siblings(text: str, offset: int) -> set[str]:
    """The members beside the one that is being written."""
    lines = text.split("\n")
    at = text.count("\n", 0, offset)
    indent = len(lines[at]) - len(lines[at].lstrip(" ")) if lines[at].strip() else None
    if indent is None:
        indent = len(lines[at]) or next(
            (len(line) - len(line.lstrip(" ")) for line in reversed(lines[:at]) if line.strip()), 0
        )
    found = set()
    for step in (-1, 1):
        number = at + step
        while 0 <= number < len(lines):
            line = lines[number]
            depth = len(line) - len(line.lstrip(" "))
            if line.strip() and depth < indent:
                break
            one = _LINE.match(line)
            if one and one["key"] and depth == indent:
                found.add(one["key"])
            number += step
    return found


def _values(text: str, place: Writing, document: ApiDocument | None) -> Iterator[Offer]:
    member = place.member or (place.path[-1] if place.path else "")
    if member in _FIELD_LISTS:
        yield from _fields(text, place, document)
        return
    if member == "url" and document is not None:
        yield from _urls("GET" if "probe" in place.path else _facts(text, place).get("method", ""), document)
        return
    if member in ("query", "header") and document is not None:
        found = _found(text, place, document)
        for parameter in found.parameters_in(member) if found else ():
            yield Offer(parameter.name, "field", _said(parameter.description))
        return
    for value in _members()["values"].get(member, ()):
        yield Offer(value, "value")


def _fields(text: str, place: Writing, document: ApiDocument | None) -> Iterator[Offer]:
    found = _found(text, place, document)
    if found is None:
        return
    for field in found.fields:
        if field.shape.read_only:
            continue
        needed = "required" if field.always else "optional"
        said = _said(field.shape.description)
        detail = f"{field.shape.type or 'any'}, {needed}" + (f": {said}" if said else "")
        quoted = re.search(r"[\[\]\"?]", field.path) is not None
        yield Offer(field.path, "field", detail, f"'{field.path}'" if quoted else field.path)


def _said(description: str) -> str:
    return " ".join(description.split())[:120]


def _found(text: str, place: Writing, document: ApiDocument | None) -> Any:
    """The document's operation that is being declared, as far as its method and URL are written."""
    if document is None:
        return None
    from wizard.lint.matching import operation_of

    facts = _facts(text, place)
    method = facts.get("method", "").upper()
    if method not in METHODS or not facts.get("url"):
        return None
    return operation_of(document, Operation(method=method, url=facts["url"]))


def _facts(text: str, place: Writing) -> dict[str, str]:
    """The method and the URL of the declaration, as far as they are written."""
    facts: dict[str, str] = {}
    for line in text.split("\n")[place.line + 1 :]:
        one = _LINE.match(line)
        if one is None or (line.strip() and not line.startswith(" ")):
            break
        if one["key"] in ("method", "url") and one["key"] not in facts:
            facts[one["key"]] = (one["rest"] or "").partition(" #")[0].strip().strip("'\"")
    return facts


def _urls(method: str, document: ApiDocument) -> Iterator[Offer]:
    """Where the document's operations of a method lie; of every method where it is not written yet."""
    for found in document.operations:
        server = next((one for one in (*found.servers, *document.servers) if "://" in one), "")
        if server and method.upper() in ("", found.method):
            url = server.rstrip("/") + found.path
            yield Offer(url, "value", _said(f"{found.method} {found.summary}"))


def member_at(text: str, offset: int) -> tuple[str, str] | None:
    """The member whose name stands at an offset, and the mapping it belongs to; None where there is none."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    found = _LINE.match(line)
    if found is None or not found["key"] or not found.start("key") <= offset - start <= found.end("key"):
        return None
    if found["key"] in _HOLDERS:
        return "", found["key"]
    place = writing_at(text, start + found.end("key"))
    if place is None:
        return None
    return (place.path[-1] if place.path else "operation"), found["key"]


def about_member(mapping: str, member: str) -> str:
    """One line on a member of the mapping; empty where nothing is known."""
    return str(_members().get(mapping, {}).get(member, ""))


_LEVELS = {
    Level.NONE: "**none**: this is no write, and is never recorded.",
    Level.CACHED: "**cached**: the recipient takes no key. The host keeps a record and answers a repeat from it; a"
    " write that was sent and never answered waits for evidence.",
    Level.KEYED: "**keyed**: the host sends a derived key, and the recipient makes one write of all repeats.",
}
_SCOPES = {
    Scope.IDENTITY: "by its identity: {names}",
    Scope.CALL: "by the call that made it: a repeat by the model is another write",
    Scope.ARGUMENTS: "by all its arguments within the session",
}


def about_operation(operation: Operation) -> str:
    """What follows from a declaration: its level, what a record stands for, and how long it is kept. Markdown."""
    lines = [f"Level {_LEVELS[operation.level]}"]
    if operation.is_write:
        names = ", ".join(f"`{path}`" for path in operation.identity)
        lines.append(f"It is known again {_SCOPES[operation.record_scope].format(names=names)}.")
        lines.append(f"A completed record answers a repeat for {operation.kept_for}.")
        if operation.key is not None and operation.confirmed:
            lines.append(f"The recipient is counted on to remember the key for {operation.key.memory}.")
    if not operation.confirmed:
        lines.append("It is only proposed: until a person confirms it, the host treats it as none.")
    return "\n\n".join(lines)
