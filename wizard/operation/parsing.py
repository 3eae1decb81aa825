"""A mapping read as an operation. All that is wrong with it is reported together, in the author's words.

Each problem names its place as a path into the mapping (`("probe", "match", 0)`), whether the key or its value is
meant, and the lint rule that it belongs to. Whoever knows the text turns the path into a line and a column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath, FieldPathError, url_variables
from wizard.operation.model import METHODS, SHAPES, Cursor, KeyPlace, Money, Operation, Probe, Reference

OPERATION_KEYS = (
    "method", "url", "query", "header", "content", "body", "write", "identity", "scope", "key", "reference", "probe",
    "failed", "keep", "money", "status",
)  # fmt: skip
KEY_KEYS = ("in", "name", "shape", "quoted", "for", "remembers")
PROBE_KEYS = ("url", "items", "match", "since", "absent", "pages", "after")

_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(\s*;.*)?")
_CREDENTIALS = frozenset({"authorization", "proxy-authorization", "cookie"})
"""Headers that a model is never asked for: what it fills in is kept with the record."""
_TAKEN_HEADERS = frozenset({
    "accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie", "expect", "host",
    "keep-alive", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
"""Headers that the transport writes, or that hold credentials: a key there would not arrive."""
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a declaration."""

    rule: str
    """The lint rule it belongs to: `unknown-key`, `method-missing`, `url-form`, `key-form`, …"""
    path: tuple[str | int, ...]
    """Where in the mapping; empty for the mapping itself."""
    message: str
    at_key: bool = False
    """The key at `path` is meant, not its value."""
    suggestion: str = ""
    """The nearest known name, where there is one."""


def nearest(name: str, known: tuple[str, ...] | list[str]) -> str:
    """The known name that is most like `name`, empty where none is near."""
    from difflib import get_close_matches

    lower = {one.lower().replace("-", "_"): one for one in known}
    found = get_close_matches(name.lower().replace("-", "_"), list(lower), n=1, cutoff=0.6)
    return lower[found[0]] if found else ""


def parse_operation(value: object) -> tuple[Operation | None, tuple[Problem, ...]]:
    """Reads the mapping under `operation:`.

    Gives the operation, or None where the problems leave none to speak of (no mapping, no method, no url), and every
    problem. A member that could not be read counts as not declared.
    """
    return _Parser().operation(value)


class _Parser:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def say(self, rule: str, path: tuple[str | int, ...], message: str, **more: Any) -> None:
        self.problems.append(Problem(rule, path, message, **more))

    def operation(self, value: object) -> tuple[Operation | None, tuple[Problem, ...]]:
        if not isinstance(value, Mapping):
            self.say("value-form", (), f"`operation` is a mapping of `method`, `url` and more, not {_kind(value)}")
            return None, tuple(self.problems)
        known = self.known(value, OPERATION_KEYS, (), "`operation`", extensions=True)
        method = self.method(known)
        url = self.url(known)
        names = self.names
        operation = None
        query, header = names(known, "query"), names(known, "header")
        content = self.content(known)
        body, identity = self.paths(known, "body", only_body=True), self.paths(known, "identity")
        rest: dict[str, Any] = {
            "write": self.boolean(known, "write"),
            "scope": self.choice(known, "scope", ("call", "arguments")),
            "key": self.key(known),
            "reference": self.reference(known),
            "probe": self.probe(known, url_variables(url)),
            "failed": self.jsonpath(known, ("failed",)),
            "keep": self.duration(known, ("keep",), forever=True),
            "money": self.money(known),
            "status": self.choice(known, "status", ("proposed",)),
        }
        if identity and known.get("scope") is not None:
            self.say(
                "scope-with-identity", ("scope",), "`scope` stands beside `identity`; it is for writes without one",
                at_key=True,
            )  # fmt: skip
            rest["scope"] = None
        extra = tuple((name, known[name]) for name in known if name.startswith("x-"))
        if method and url:
            operation = Operation(
                method=method, url=url, query=query, header=header, content=content, body=body, identity=identity,
                extra=extra, **rest,
            )  # fmt: skip
        return operation, tuple(self.problems)

    def known(
        self, value: Mapping[Any, Any], keys: tuple[str, ...], path: tuple[str | int, ...], what: str,
        *, extensions: bool = False,
    ) -> dict[str, Any]:  # fmt: skip
        """The members whose names are known; the others are reported with the nearest known name."""
        found: dict[str, Any] = {}
        for name, member in value.items():
            if isinstance(name, str) and (name in keys or (extensions and name.startswith("x-"))):
                found[name] = member
                continue
            near = nearest(str(name), [key for key in keys if key not in value])
            hint = f"; did you mean `{near}`?" if near else f"; known are {_listed(keys)}"
            self.say(
                "unknown-key", (*path, name), f"{what} has no member named `{name}`{hint}", at_key=True, suggestion=near
            )
        return found

    def method(self, known: dict[str, Any]) -> str:
        if known.get("method") is None:
            self.say("method-missing", (), "the operation does not say its `method`")
            return ""
        value = known["method"]
        if isinstance(value, str) and value.upper() in METHODS:
            if value not in METHODS:
                self.say(
                    "method-form", ("method",), f"a method stands in capitals: `{value.upper()}`",
                    suggestion=value.upper(),
                )  # fmt: skip
            return value.upper()
        near = nearest(value, METHODS) if isinstance(value, str) else ""
        said = f"`{value}`" if isinstance(value, str) else _kind(value)
        self.say("method-form", ("method",), f"`method` is one of {_listed(METHODS)}, not {said}", suggestion=near)
        return ""

    def url(self, known: dict[str, Any]) -> str:
        if known.get("url") is None:
            self.say("url-missing", (), "the operation does not say its `url`")
            return ""
        value = known["url"]
        if not isinstance(value, str):
            self.say("url-form", ("url",), f"`url` is a text, not {_kind(value)}")
            return ""
        self.check_url(value, ("url",))
        return value

    def check_url(self, url: str, path: tuple[str | int, ...], rule: str = "url-form") -> None:
        for message in url_problems(url):
            self.say(rule, path, message)

    def names(self, known: dict[str, Any], member: str) -> tuple[str, ...]:
        values = self.listed(known, member)
        found = []
        for index, value in enumerate(values):
            if not isinstance(value, str) or not value:
                self.say("value-form", (member, index), f"`{member}` is a list of names, and this is {_kind(value)}")
            elif member == "header" and not _HEADER.fullmatch(value):
                self.say("value-form", (member, index), f"`{value}` cannot be the name of a header")
            elif member == "header" and value.lower() in _CREDENTIALS:
                self.say(
                    "value-form", (member, index),
                    f"`{value}` holds credentials: the transport adds them at each send, and they are never stored",
                )  # fmt: skip
            else:
                found.append(value)
        return tuple(found)

    def listed(self, known: dict[str, Any], member: str) -> list[Any]:
        value = known.get(member)
        if value is None:
            return []
        if isinstance(value, str):
            self.say("value-form", (member,), f"`{member}` is a list; write `[{value}]`", suggestion=f"[{value}]")
            return []
        if not isinstance(value, list | tuple):
            self.say("value-form", (member,), f"`{member}` is a list of names, not {_kind(value)}")
            return []
        return list(value)

    def paths(self, known: dict[str, Any], member: str, *, only_body: bool = False) -> tuple[FieldPath, ...]:
        found: list[FieldPath] = []
        for index, value in enumerate(self.listed(known, member)):
            path = self.field(value, (member, index), f"`{member}`", only_body=only_body)
            if path is None:
                continue
            if any(path.required() == other.required() for other in found):
                self.say("value-form", (member, index), f"`{path.name}` stands in `{member}` twice")
                continue
            found.append(path)
        return tuple(found)

    def field(
        self, value: object, path: tuple[str | int, ...], what: str, *, only_body: bool = False
    ) -> FieldPath | None:
        if not isinstance(value, str):
            self.say("field-form", path, f"{what} names a field here, and this is {_kind(value)}; put it in quotes")
            return None
        try:
            found = FieldPath.parse(value)
        except FieldPathError as error:
            self.say("field-form", path, f"`{value}` is no field name: {error} (character {error.offset + 1})")
            return None
        if only_body and found.place != "body":
            self.say("field-form", path, f"`{value}` is no field of the request body; list it under `{found.place}`")
            return None
        return found

    def content(self, known: dict[str, Any]) -> str:
        value = known.get("content")
        if value is None:
            return "application/json"
        if isinstance(value, str) and _MEDIA_TYPE.fullmatch(value):
            return value
        said = f"`{value}`" if isinstance(value, str) else _kind(value)
        self.say("value-form", ("content",), f"`content` is a media type such as `application/json`, not {said}")
        return "application/json"

    def boolean(self, known: Mapping[str, Any], member: str, path: tuple[str | int, ...] = ()) -> bool | None:
        value = known.get(member)
        if value is None or isinstance(value, bool):
            return value
        self.say("value-form", (*path, member), f"`{member}` is `true` or `false`, not {_said(value)}")
        return None

    def choice(
        self, known: Mapping[str, Any], member: str, allowed: tuple[str, ...], path: tuple[str | int, ...] = (),
        rule: str = "value-form",
    ) -> Any:  # fmt: skip
        value = known.get(member)
        if value is None or value in allowed:
            return value
        near = nearest(str(value), allowed)
        self.say(rule, (*path, member), f"`{member}` is {_either(allowed)}, not {_said(value)}", suggestion=near)
        return None

    def duration(
        self, known: Mapping[str, Any], path: tuple[str | int, ...], *, forever: bool = False, rule: str = "value-form"
    ) -> Duration | None:
        value = known.get(str(path[-1]))
        if value is None:
            return None
        member = path[-1]
        if isinstance(value, int) and not isinstance(value, bool):
            self.say(rule, path, f"`{member}` needs a unit: `{value}s`, `{value}m`, `{value}h` or `{value}d`")
            return None
        try:
            found = Duration.parse(value) if isinstance(value, str) else None
        except ValueError as error:
            self.say(rule, path, f"`{member}`: {error}")
            return None
        if found is None:
            self.say(rule, path, f"`{member}` is a duration such as `24h`, not {_kind(value)}")
        elif found.seconds is None and not forever:
            self.say(rule, path, f"`{member}` cannot be `forever`")
            return None
        return found

    def jsonpath(self, known: Mapping[str, Any], path: tuple[str | int, ...], rule: str = "value-form") -> str | None:
        value = known.get(str(path[-1]))
        if value is None:
            return None
        if isinstance(value, str) and value.startswith("$"):
            wrong = _jsonpath_fault(value)
            if not wrong:
                return value
            self.say(rule, path, f"`{path[-1]}` is no JSONPath (RFC 9535): {wrong}")
            return None
        self.say(
            rule, path, f"`{path[-1]}` is a JSONPath and begins with `$` (RFC 9535), such as `$.items[*]`;"
            f" this is {_said(value)}",
        )  # fmt: skip
        return None

    def key(self, known: dict[str, Any]) -> KeyPlace | None:
        value = known.get("key")
        if value is None:
            return None
        form = "`key` is `header NAME`, `field NAME` or `query NAME`, or a mapping of `in`, `name` and more"
        if isinstance(value, str):
            place, _, name = value.strip().partition(" ")
            name = name.strip()
            if place in ("header", "field", "query") and name:
                return self.checked_key(KeyPlace(place, name), ("key",))  # type: ignore[arg-type]
            near = nearest(place, ("header", "field", "query")) if name else ""
            said = f"; `{value}` does not say whether it is a header, a field or a query parameter" if value else ""
            self.say("key-form", ("key",), form + said, suggestion=f"{near} {name}" if near else "")
            return None
        if not isinstance(value, Mapping):
            self.say("key-form", ("key",), f"{form}, not {_kind(value)}")
            return None
        given = self.known(value, KEY_KEYS, ("key",), "`key`")
        place = self.choice(given, "in", ("header", "field", "query"), ("key",), "key-form")
        key_name: object = given.get("name")
        if given.get("in") is None:
            self.say("key-form", ("key",), "`key` does not say `in`: header, field or query")
        if not isinstance(key_name, str) or not key_name:
            self.say("key-form", ("key",), "`key` does not say its `name`")
        shape: Any = self.choice(given, "shape", SHAPES, ("key",), "key-form") or "uuid"
        quoted = self.boolean(given, "quoted", ("key",)) or False
        remembered = self.duration(given, ("key", "for"), forever=True, rule="key-form")
        remembers: Any = self.choice(given, "remembers", ("all", "success"), ("key",), "key-form") or "all"
        if place is None or not isinstance(key_name, str) or not key_name:
            return None
        if quoted and place != "header":
            self.say("key-form", ("key", "quoted"), "only a header's value can be `quoted`")
            quoted = False
        return self.checked_key(KeyPlace(place, key_name, shape, quoted, remembered, remembers), ("key", "name"))

    def checked_key(self, key: KeyPlace, path: tuple[str | int, ...]) -> KeyPlace | None:
        if key.place == "header" and not _HEADER.fullmatch(key.name):
            self.say("key-form", path, f"`{key.name}` cannot be the name of a header")
            return None
        if key.place == "header" and key.name.lower() in _TAKEN_HEADERS:
            self.say("key-form", path, f"`{key.name}` cannot hold a key: the transport writes that header itself")
            return None
        if key.place == "field":
            named = self.field(key.name, path, "`key`", only_body=True)
            if named is None:
                return None
            if named.whole_body or named.optional:
                self.say("key-form", path, f"`{key.name}` cannot hold a key")
                return None
        return key

    def reference(self, known: dict[str, Any]) -> Reference | None:
        value = known.get("reference")
        if value is None:
            return None
        form = "`reference` is `field NAME`, or a mapping of `in: field`, `name` and `shape`"
        name: object
        shape: Any = "uuid"
        if isinstance(value, str):
            place, _, field_name = value.strip().partition(" ")
            if place != "field" or not field_name.strip():
                self.say("reference-form", ("reference",), form)
                return None
            name = field_name.strip()
        elif isinstance(value, Mapping):
            given = self.known(value, ("in", "name", "shape"), ("reference",), "`reference`")
            if given.get("in") != "field":
                self.say("reference-form", ("reference",), "`reference` says `in: field`; it stands in the body")
            name = given.get("name")
            shape = self.choice(given, "shape", SHAPES, ("reference",), "reference-form") or "uuid"
        else:
            self.say("reference-form", ("reference",), f"{form}, not {_kind(value)}")
            return None
        if not isinstance(name, str) or not name:
            self.say("reference-form", ("reference",), "`reference` does not say its `name`")
            return None
        path = self.field(name, ("reference",), "`reference`", only_body=True)
        return None if path is None else Reference(path.name, shape)

    def money(self, known: dict[str, Any]) -> Money | None:
        value = known.get("money")
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self.say("money-form", ("money",), f"`money` is a mapping of `amount` and `currency`, not {_kind(value)}")
            return None
        given = self.known(value, ("amount", "currency"), ("money",), "`money`")
        found: dict[str, str] = {}
        for member in ("amount", "currency"):
            named = given.get(member)
            if named is None:
                self.say("money-form", ("money",), f"`money` does not say its `{member}`")
            elif member == "currency" and isinstance(named, str) and _CURRENCY.fullmatch(named):
                found[member] = named
            elif path := self.field(named, ("money", member), "`money`"):
                found[member] = path.name
        return Money(**found) if len(found) == 2 else None

    def probe(self, known: dict[str, Any], path_variables: tuple[str, ...]) -> Probe | None:
        value = known.get("probe")
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self.say("probe-form", ("probe",), f"`probe` is a mapping of `url`, `match` and more, not {_kind(value)}")
            return None
        given = self.known(value, PROBE_KEYS, ("probe",), "`probe`")
        url = given.get("url")
        if not isinstance(url, str):
            what = "does not say its `url`" if url is None else f"`url` is a text, not {_kind(url)}"
            self.say("probe-form", ("probe",) if url is None else ("probe", "url"), f"`probe` {what}")
            url = None
        else:
            self.check_url(url, ("probe", "url"), "probe-form")
            for name in url_variables(url):
                if name and name not in path_variables:
                    self.field(name, ("probe", "url"), "`probe`")
        items = self.jsonpath(given, ("probe", "items"), "probe-form")
        match = self.match(given)
        since = self.candidate_path(given.get("since"), ("probe", "since"))
        absent = self.absent(given, items)
        pages = self.pages(given)
        after = self.duration(given, ("probe", "after"), rule="probe-form")
        if url is None:
            return None
        return Probe(url=url, items=items, match=match, since=since, absent=absent, pages=pages, after=after)

    def match(self, given: dict[str, Any]) -> tuple[tuple[str, str], ...]:
        value = given.get("match")
        if value is None:
            return ()
        pairs: list[tuple[str, str]] = []
        if isinstance(value, Mapping):
            for name, target in value.items():
                where = ("probe", "match", name)
                field = self.field(name, where, "`match`")
                path = self.candidate_path(target, where)
                if field is not None and path is not None:
                    pairs.append((field.name, path))
        elif isinstance(value, list | tuple):
            for index, name in enumerate(value):
                field = self.field(name, ("probe", "match", index), "`match`")
                if field is not None:
                    pairs.append((field.name, field.name))
        else:
            self.say(
                "probe-form", ("probe", "match"),
                f"`match` maps a field of the write to its path in the answer, or lists fields; this is {_kind(value)}",
            )  # fmt: skip
        return tuple(pairs)

    def candidate_path(self, value: object, path: tuple[str | int, ...]) -> str | None:
        if value is None and path[-1] == "since":
            return None
        found = self.field(value, path, f"`{path[1]}`", only_body=True)
        return None if found is None else found.name

    def absent(self, given: dict[str, Any], items: str | None) -> Literal["empty", "404"] | None:
        value = given.get("absent")
        if value == 404 and not isinstance(value, bool):
            value = "404"
        absent: Literal["empty", "404"] | None = self.choice(
            {"absent": value}, "absent", ("empty", "404"), ("probe",), "probe-form"
        )
        if absent == "empty" and given.get("items") is None:
            self.say("probe-form", ("probe", "absent"), "`absent: empty` needs `items`: what would be empty?")
            return None
        if absent == "404" and items is not None:
            self.say(
                "probe-form", ("probe", "absent"),
                "`absent: 404` stands without `items` only: a list that answers 404 says nothing of its elements",
            )  # fmt: skip
            return None
        return absent

    def pages(self, given: dict[str, Any]) -> str | Cursor | None:
        value = given.get("pages")
        where = ("probe", "pages")
        form = "`pages` is `none`, `link`, a JSONPath of the next page's URL, or `{at: JSONPath, as: query:NAME}`"
        if value is None or value in ("none", "link"):
            return value
        if isinstance(value, str) and value.startswith("$"):
            return self.jsonpath(given, where, "probe-form")
        if not isinstance(value, Mapping):
            self.say("probe-form", where, f"{form}, not {_said(value)}")
            return None
        cursor = self.known(value, ("at", "as"), where, "`pages`")
        at = self.jsonpath(cursor, (*where, "at"), "probe-form")
        name = cursor.get("as")
        if isinstance(name, str) and name.startswith("query:") and len(name) > len("query:"):
            return None if at is None else Cursor(at, name.removeprefix("query:"))
        self.say("probe-form", where, form)
        return None


_URL_FORM = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def url_problems(url: str) -> list[str]:
    """What keeps a text from being the URL of an operation: one message each, none where it is fine."""
    if not _URL_FORM.match(url):
        return [f"`{url}` is not absolute; write the scheme and host too (`https://…`)"]
    messages = []
    filled = re.sub(r"\{[^{}]*\}", "x", url)
    if "{" in filled or "}" in filled:
        messages.append(f"a brace of `{url}` has no partner")
        filled = filled.replace("{", "").replace("}", "")
    if any(not name for name in url_variables(url)):
        messages.append(f"`{{}}` in `{url}` names nothing")
    if re.search(r"[\s\x00-\x1f\x7f]", re.sub(r"\{[^{}]*\}", "x", url)):
        messages.append("a URL holds no spaces or control characters")
    try:
        parts = urlsplit(filled)
        port_ok = parts.port is None or parts.port > 0
    except ValueError:
        return [*messages, f"`{url}` is no URL that can be read"]
    if parts.scheme.lower() not in ("http", "https"):
        messages.append(f"a URL begins with `http://` or `https://`, not `{parts.scheme}://`")
    if not parts.hostname or not port_ok:
        messages.append(f"`{url}` names no host")
    if parts.username is not None or parts.password is not None:
        messages.append("a URL holds no credentials; the transport adds them at each send")
    return messages


_PLAIN_PATH = re.compile(r"\$(?:\.[A-Za-z_]\w*|\.\*|\[(?:\*|\d{1,9}|'[^'\\]*')\])*")


def _jsonpath_fault(text: str) -> str:
    """What is wrong with a JSONPath; empty where nothing is. A plain one is told without reading it."""
    if _PLAIN_PATH.fullmatch(text):
        return ""
    from jsonpath import JSONPathEnvironment
    from jsonpath.exceptions import JSONPathError

    try:
        JSONPathEnvironment(strict=True).compile(text)
    except JSONPathError as error:
        return str(error).partition("\n")[0]
    except RecursionError:
        return "it is nested too deep"
    return ""


def _kind(value: object) -> str:
    """What a value is, in an author's words."""
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, f"`{str(value).lower()}`"), (str, "a text"), ((int, float), "a number"), (Mapping, "a mapping"),
        ((list, tuple), "a list"), (type(None), "nothing"),
    )  # fmt: skip
    return next((said for kind, said in kinds if isinstance(value, kind)), "something else")


def _said(value: object) -> str:
    return f"`{value}`" if isinstance(value, str | int | float) and not isinstance(value, bool) else _kind(value)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _either(names: tuple[str, ...]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
