"""YAML text read into nodes, by one of two readers that both know places.

Frontmatter always takes ruamel.yaml's pure parser: the C readers accept other texts than it does, and one file must
not be right here and wrong there. Large API documents take libyaml, which is what read them in the first place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from wizard.source import Span
from wizard.yamltext.nodes import Duplicate, Item, Node, Tree, YamlError, moved
from wizard.yamltext.plain_nodes import plain_tree

MAX_DEPTH = 100
MAX_NODES_BEHIND_ALIASES = 10_000

_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))+[ \t]*))+(?=\S)")
_COLON = re.compile(r"(?:[ \t]|#[^\r\n]*(?=[\r\n])|\r\n|\n|\r)*:")
_DASH = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:(?:\r\n|\n|\r)[ \t]*(?:#[^\r\n]*)?)*-(?=[\s]|\Z)")
_QUESTION = re.compile(r"\?(?:[ \t]|#[^\r\n]*(?=[\r\n])|\r\n|\n|\r)+\Z")


@dataclass(slots=True)
class _Open:
    """A collection that is being read."""

    kind: Literal["mapping", "sequence"]
    start: int
    flow: bool
    tag: str
    anchor: str
    items: list[Item] = field(default_factory=list)
    keys: dict[str, Span] = field(default_factory=dict)
    key: Node | None = None
    key_start: int = 0
    full: int = 0
    """Where it begins with its tag and anchor."""
    last: int = 0
    """Where the last thing in it ended."""
    size: int = 1
    cut: bool = False
    whole: bool = False
    """It is kept whatever its depth."""


def read_yaml(
    text: str, *, reader: Literal["ruamel", "libyaml"] = "ruamel", depth: int | None = None,
    whole: Callable[[str], bool] = lambda name: False,
) -> Tree:  # fmt: skip
    """Reads a text of one YAML document. Raises YamlError.

    `depth` bounds how deep nodes are kept (the root's members are at 0): collections below keep their span and lose
    their items, but for members whose name is to be kept `whole`.
    """
    if reader == "ruamel":
        plain = plain_tree(text) if depth is None else None
        return plain or _Reader(text, depth, whole).read(_ruamel_events(text))
    if not text.startswith("\ufeff"):
        return _Reader(text, depth, whole).read(_libyaml_events(text))
    # libyaml does not count a byte order mark.
    try:
        tree = _Reader(text[1:], depth, whole).read(_libyaml_events(text[1:]))
    except YamlError as error:
        raise YamlError(error.message, _after_mark(error.span), remedy=error.remedy) from error
    twice = tuple(replace(one, key=_after_mark(one.key), first=_after_mark(one.first)) for one in tree.duplicates)
    return Tree(None if tree.root is None else moved(tree.root, _after_mark), twice)


def _after_mark(span: Span) -> Span:
    return Span(span.start + 1, span.end + 1)


class _Reader:
    def __init__(self, text: str, depth: int | None, whole: Callable[[str], bool]) -> None:
        self.text = text
        self.depth = depth
        self.whole = whole
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.behind_aliases = 0
        self.duplicates: list[Duplicate] = []
        self.root: Node | None = None

    def read(self, events: Iterable[Any]) -> Tree:
        try:
            return self.tree(events)
        except YamlError as error:
            opened = next((holder.start for holder in reversed(self.open) if holder.flow), None)
            if opened is None or error.span.start < len(self.text.rstrip()):
                raise
            raise YamlError(f"what `{self.text[opened]}` opens is not closed", Span(opened, opened + 1)) from error

    def tree(self, events: Iterable[Any]) -> Tree:
        documents = 0
        for event in events:
            name = type(event).__name__
            if name == "DocumentStartEvent":
                documents += 1
                if documents > 1:
                    start = event.start_mark.index
                    raise YamlError("a second YAML document begins here", Span(start, start + 3))
            elif name == "ScalarEvent":
                self.scalar(event)
            elif name in ("MappingStartEvent", "SequenceStartEvent"):
                self.start(event, "mapping" if name == "MappingStartEvent" else "sequence")
            elif name in ("MappingEndEvent", "SequenceEndEvent"):
                self.end(event)
            elif name == "AliasEvent":
                self.alias(event)
        return Tree(self.root, tuple(self.duplicates))

    def scalar(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        style = event.style or ""
        if event.tag or event.anchor:
            properties = _PROPERTIES.match(self.text, start, end)
            start = properties.end() if properties else (end if not event.value else start)
        if style in ("|", ">"):
            end = start + len(self.text[start:end].rstrip())
        elif not style and not event.value and not event.tag and not event.anchor:
            start = end = self.nothing(start)
        tag = event.tag or ""
        kept = self.kept(len(self.open))
        full = min(event.start_mark.index, start)
        node = Node(
            "scalar", Span(start, end), event.value if kept else "", style, tag, anchored=bool(event.anchor),
            cut=not kept, full=full,
        )  # fmt: skip
        self.add(node, 1, event.start_mark.index, event.anchor or "")

    def kept(self, holders: int) -> bool:
        """Whether what stands inside that many collections is kept."""
        return self.depth is None or holders <= self.depth + 1 or bool(self.open and self.open[-1].whole)

    def nothing(self, fallback: int) -> int:
        """Where an empty value stands: right behind the colon or dash that introduces it."""
        holder = self.open[-1] if self.open else None
        if holder is None or (holder.kind == "mapping" and holder.key is None):
            return fallback
        if holder.kind == "mapping":
            colon = _COLON.match(self.text, holder.last)
            return colon.end() if colon and colon.end() <= fallback else holder.last
        dash = self.dash(holder)
        return dash + 1 if dash is not None else fallback

    def dash(self, holder: _Open) -> int | None:
        if not holder.items:
            return holder.start
        found = _DASH.match(self.text, holder.last)
        return found.end() - 1 if found else None

    def start(self, event: Any, kind: Literal["mapping", "sequence"]) -> None:
        start = event.start_mark.index
        flow = bool(event.flow_style)
        if len(self.open) >= MAX_DEPTH:
            raise YamlError(f"values nest deeper than {MAX_DEPTH} levels", Span(start, start + 1))
        inside = start
        if event.tag or event.anchor:
            properties = _PROPERTIES.match(self.text, start)
            inside = properties.end() if properties else start
        holder = _Open(kind, inside, flow, event.tag or "", event.anchor or "", last=inside)
        holder.full = start
        if self.open and self.depth is not None:
            around = self.open[-1]
            holder.whole = around.whole or (around.key is not None and self.whole(around.key.text))
        self.open.append(holder)

    def end(self, event: Any) -> None:
        done = self.open.pop()
        end = event.end_mark.index if done.flow else max(done.last, done.start)
        node = Node(
            done.kind, Span(done.start, end), style="{" if done.flow else "", tag=done.tag,
            items=tuple(done.items), anchored=bool(done.anchor), cut=done.cut, full=done.full,
        )  # fmt: skip
        self.add(node, done.size, done.full, done.anchor)

    def alias(self, event: Any) -> None:
        span = Span(event.start_mark.index, event.end_mark.index)
        known = self.anchors.get(event.anchor)
        if known is None and (plain := _starred(self.text, span.start)) is not None:
            raise YamlError(
                "a text that begins with `*` cannot stand unquoted",
                plain,
                remedy="Put the whole value in quotes",
                plain=plain,
            )
        if known is None:
            around = any(holder.anchor == event.anchor for holder in self.open)
            what = "stands inside what it repeats" if around else "repeats an anchor that does not stand before it"
            raise YamlError(f"the alias `*{event.anchor}` {what}", span)
        node, size = known
        self.behind_aliases += size
        if self.behind_aliases > MAX_NODES_BEHIND_ALIASES and self.depth is None:
            raise YamlError(f"aliases repeat more than {MAX_NODES_BEHIND_ALIASES:,} values", span)
        self.add(replace(node, span=span, alias=True, anchored=False, full=span.start), size, span.start, "")

    def add(self, node: Node, size: int, start: int, anchor: str) -> None:
        if anchor:
            self.anchors[anchor] = (node, size)
        if not self.open:
            if self.root is None:
                self.root = node
            return
        holder = self.open[-1]
        holder.size += size
        if holder.kind == "sequence":
            dash = None if holder.flow else self.dash(holder)
            self.keep(holder, Item(start if dash is None else dash, node))
        elif holder.key is None:
            holder.key, holder.key_start = self.as_key(node), self.question(holder, start)
            holder.last = node.span.end
            return
        else:
            key = holder.key
            holder.key = None
            self.keep(holder, Item(holder.key_start, node, key))
        holder.last = node.span.end

    def keep(self, holder: _Open, item: Item) -> None:
        if not self.kept(len(self.open)):
            holder.cut = True
            return
        if item.key is not None:
            name = item.key.text
            first = holder.keys.setdefault(name, item.key.span)
            if first is not item.key.span and name != "<<":
                self.duplicates.append(Duplicate((*self.path(), name), item.key.span, first))
        holder.items.append(item)

    def path(self) -> tuple[str | int, ...]:
        steps: list[str | int] = []
        for holder in self.open[:-1]:
            if holder.kind == "sequence":
                steps.append(len(holder.items))
            else:
                steps.append(holder.key.text if holder.key is not None else "")
        return tuple(steps)

    def as_key(self, node: Node) -> Node:
        if node.kind == "scalar":
            return node
        # A collection as a key: its text is its name.
        return replace(node, text=self.text[node.span.start : node.span.end], items=())

    def question(self, holder: _Open, start: int) -> int:
        """Where a member begins: at its `?` where it has one."""
        floor = holder.last if holder.items else holder.start
        if holder.flow or self.text[floor : floor + 1] == "?" or holder.items:
            found = _QUESTION.search(self.text, floor, start)
            if found:
                return found.start()
        return start


def _ruamel_events(text: str) -> Iterable[Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except ReaderError as error:
        at = error.position
        raise YamlError(f"the character U+{ord(text[at]):04X} cannot stand in YAML", Span(at, at + 1)) from error
    except MarkedYAMLError as error:
        raise _said(error, text) from error
    except YAMLError as error:
        raise YamlError(str(error).splitlines()[0], Span(0, 0)) from error
    except Exception as error:
        # The scanner stumbles over some texts, such as a \U escape beyond Unicode, with errors of Python's own.
        raise YamlError("this cannot be read as YAML", Span(0, len(text))) from error


def _libyaml_events(text: str) -> Iterable[Any]:
    import yaml

    loader = yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        raise _said(error, text) from error
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(str(error).splitlines()[0], Span(0, 0)) from error


_LINE = re.compile(r"[^\r\n]*")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_MEMBER = re.compile(r"([ \t]*(?:- )*)([^\s:#'\"][^:\r\n]*?)[ \t]*:[ \t]+([^\r\n]*?)[ \t]*(?:\Z|[\r\n])")


def _said(error: Any, text: str) -> YamlError:
    """A reader's error in an author's words, with the place that matters."""
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(text)) if mark is not None else 0
    problem, context = str(error.problem or ""), str(error.context or "")
    place = Span(offset, min(offset + 1, len(text)))
    if "'\\t'" in problem or (text[offset : offset + 1] == "\t" and "token" in problem):
        return YamlError("a tab cannot indent YAML", place, remedy="Indent with spaces")
    if "unexpected end of stream" in problem and "quoted" in context and error.context_mark is not None:
        opened = error.context_mark.index
        return YamlError("a quoted text begins here and does not end", Span(opened, opened + 1))
    looks_right = _looks_right(text, offset)
    if looks_right is not None:
        return looks_right
    plain = _unquoted(text, offset, problem)
    if plain is not None:
        value = text[plain.start : plain.end]
        why = "`: `" if ": " in value or value.endswith(":") else f"`{value[:1]}`"
        what = "has a `: ` in it" if why == "`: `" else f"begins with {why}"
        return YamlError(
            f"a text that {what} cannot stand unquoted", plain, remedy="Put the whole value in quotes", plain=plain
        )
    if "mapping values" in problem:
        return YamlError(
            "a `:` cannot stand here",
            place,
            remedy="Indent the line like the one above, or put a value with `: ` in quotes",
        )
    if "cannot start any token" in problem:
        return YamlError(
            f"a name or value cannot begin with `{text[offset : offset + 1]}`", place, remedy="Put it in quotes"
        )
    if "expected <block end>" in problem or "did not find expected key" in problem:
        return YamlError(
            "this line is no part of what stands above it", _rest(text, offset),
            remedy="Line it up with the members, or take it into the value above",
        )  # fmt: skip
    if "could not find expected ':'" in problem:
        opened = error.context_mark.index if error.context_mark is not None else offset
        return YamlError("a name without `:` behind it stands here", _rest(text, opened))
    if "flow" in context and error.context_mark is not None:
        opened = min(error.context_mark.index, len(text))
        if text[opened : opened + 1] in ("[", "{"):
            return YamlError(f"what `{text[opened]}` opens is not closed", Span(opened, opened + 1))
    said = problem or context or "this cannot be read"
    return YamlError(f"this cannot be read as YAML ({said})", place)


_LOOKS_RIGHT = re.compile(
    r"^[ \t]*(?:- )*[\w.-]+(?:(?P<colon>[\uff1a\ufe55\u2236])|:(?P<blank>[\u00a0\u2007\u202f\u3000\u200b\ufeff]))",
    re.MULTILINE,
)
"""Signs that look like a colon or a blank and are none: of Chinese and Japanese keyboards, and of pages copied from."""


def _looks_right(text: str, offset: int) -> YamlError | None:
    """What is wrong with a line, or the one above it, in which everything seems to be in its place."""
    before = max(text.rfind("\n", 0, max(0, text.rfind("\n", 0, offset))), 0)
    end = text.find("\n", offset)
    found = _LOOKS_RIGHT.search(text, before, end if end >= 0 else len(text))
    if found is None:
        return None
    sign = found[found.lastgroup or 0]
    is_colon = found.lastgroup == "colon"
    span = Span(*found.span(found.lastgroup or 0))
    what = f"`{sign}` (U+{ord(sign):04X}) is no `:`" if is_colon else f"this blank (U+{ord(sign):04X}) is none to YAML"
    return YamlError(what, span, remedy="Write an ordinary one")


def _starred(text: str, offset: int) -> Span | None:
    """The span of a plain value that begins with `*` and is no alias anybody would write (`**bold** words`)."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    found = _MEMBER.match(text, start)
    if found is None or found.start(3) != offset or re.fullmatch(r"\*[A-Za-z0-9_.-]+(?:[ \t]+#.*)?", found[3]):
        return None
    return Span(found.start(3), found.end(3))


def _rest(text: str, offset: int) -> Span:
    line = _LINE.match(text, offset)
    return Span(offset, max(offset, line.end() if line else offset))


def _unquoted(text: str, offset: int, problem: str) -> Span | None:
    """The span of a plain value that only quotes can hold, if that is what is wrong at an offset."""
    if not any(sign in problem for sign in ("mapping values", "cannot start any token", "alphabetic or numeric", "<block end>", "expected key")):  # fmt: skip  # noqa: E501
        return None
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    found = _MEMBER.match(text, start)
    if found is None or not found[3]:
        return None
    value = found[3]
    if value[0] in "'\"|>":
        # `"A" and more`: a quoted word begins a longer text.
        # A whole one is right: then it is a text of a line above that does not end where it should.
        if (
            value[0] in "|>"
            or _QUOTED.fullmatch(value)
            or ("block end" not in problem and "expected key" not in problem)
        ):
            return None
    elif not (": " in value or value.endswith(":") or value[0] in "@`%*&!{[,]}"):
        return None
    return Span(found.start(3), found.end(3))
