"""What a text that builds a key declares without knowing it: the identity in its template, the key in its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from wizard.lint.keyprose.lexicon import Lexicon
from wizard.lint.keyprose.names import words_of
from wizard.operation.field_path import FieldPath
from wizard.operation.model import KeyPlace, Operation

_PLACE = re.compile(r"<([A-Za-z_][\w .-]{0,40})>|\$?\{\{?\s*([A-Za-z_][\w.]{0,40})\s*\}?\}|\$([A-Za-z_]\w{0,40})")
_NAME = re.compile(r"[A-Za-z_][\w-]{0,60}")
_SPELLED = re.compile(
    r"[A-Za-z][A-Za-z0-9]{0,30}(?:[-_][A-Za-z0-9]{1,30}){1,6}|[a-z]{2,30}(?:[A-Z][a-z0-9]{1,30}){1,5}"
)
"""A name that a program spells: with hyphens, underscores or humps."""
_CALL = re.compile(
    r"\b(POST|PUT|PATCH|DELETE)\b[^\n]{0,200}?(https?://[^\s\"'`<>)\\]{1,300})|"
    r"\bcurl\b[^\n]{0,300}?(https?://[^\s\"'`<>)\\]{1,300})",
)
_HAS_BODY = re.compile(r"\s(?:-d|--data\S{0,20}|--json|-F)\s")
_WHOLE_URL = re.compile(r"https?://[^\s${}<>?#]+(?:\{\w+\}[^\s${}<>?#]*)*")
_JSON_MEMBER = re.compile(r"^\s{0,8}\"([A-Za-z_]\w{0,60})\"\s{0,4}:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Draft:
    """What could be declared in the text's stead."""

    identity: tuple[str, ...]
    key: KeyPlace | None
    """None where the text does not say where the key goes."""

    def said(self) -> str:
        """As the members that one would write, in backticks; empty where nothing was found."""
        parts = []
        if self.identity:
            parts.append(f"`identity: [{', '.join(self.identity)}]`")
        if self.key is not None:
            parts.append(f"`key: {self.key.place} {self.key.name}`")
        return " and ".join(parts)


def draft_of(text: str, name: str, kind: str, lexicon: Lexicon) -> Draft:
    """The draft that a sentence, row or line of a sample gives.

    `name` is the key's name as it is written there, `kind` how a sample fills it (`header`, `member` …), else empty.
    """
    return Draft(_identity(text, lexicon), _key(text, spelled(text, name, lexicon), kind))


def spelled(text: str, name: str, lexicon: Lexicon) -> str:
    """The name as it goes out: where the text first says in words what it is (`an idempotency key … in the
    Idempotency-Key header`), the one that it is sent under."""
    if _NAME.fullmatch(name):
        return name
    names = lexicon.names()
    for found in _SPELLED.finditer(text):
        if next(names.find(found[0].lower()), None) is not None:
            return found[0]
    return name


def _identity(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The names of the places of a template, without those of what is made on the spot."""
    names = []
    for found in _PLACE.finditer(text):
        name = next(group for group in found.groups() if group).strip()
        joined = re.sub(r"[\s-]+", "_", name)
        lowered = name.lower()
        if (
            lexicon.code["makers"].search(lowered)
            or lexicon.code["made_up"].search(lowered)
            or lexicon.code["volatile"].search(lowered)
        ):
            continue
        names.append(joined)
    return tuple(dict.fromkeys(names))


def _key(text: str, name: str, kind: str) -> KeyPlace | None:
    if not _NAME.fullmatch(name):
        return None
    if kind == "flag":
        return None
    place: Literal["header", "field", "query"]
    if kind == "parameter":
        place = "query"
    elif kind == "header" or ("-" in name and not kind) or re.search(r"\bheaders?\b|请求头|头部|ヘッダ", text.lower()):
        place = "header"
    else:
        place = "field"
    return KeyPlace(place, name if place != "field" else str(FieldPath.body(name)))


@dataclass(frozen=True, slots=True)
class Call:
    """A call that a text shows."""

    method: str
    url: str
    members: tuple[str, ...]
    """Of the JSON bodies in the text."""


def calls_in(text: str) -> tuple[Call, ...]:
    """The calls that a text shows, each once."""
    members = tuple(dict.fromkeys(_JSON_MEMBER.findall(text)))
    calls: dict[tuple[str, str], Call] = {}
    for method, url, bare in _CALL.findall(text):
        named = method or ("POST" if _HAS_BODY.search(text) else "GET")
        address = (url or bare).rstrip(".,;")
        calls[named, address] = Call(named, address, members)
    return tuple(calls.values())


def operation_of(calls: tuple[Call, ...], draft: Draft) -> Operation | None:
    """The whole operation, where there is one single call, and it writes."""
    if len(calls) != 1 or draft.key is None:
        return None
    call = calls[0]
    if call.method == "GET" or not _WHOLE_URL.fullmatch(call.url):
        return None
    key = words_of(draft.key.name)
    body = [name for name in call.members if words_of(name) != key]
    identity = [name for name in draft.identity if not body or name in body]
    return Operation(
        method=call.method, url=call.url, body=tuple(FieldPath.body(name) for name in body or identity),
        identity=tuple(FieldPath.body(name) for name in identity), key=draft.key, status="proposed",
    )  # fmt: skip
