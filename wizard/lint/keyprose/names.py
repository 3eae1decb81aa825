"""Which words name an idempotency key: those of the data files, and those that the declaration itself names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

NameClass = Literal["key", "token", "reference", "request"]
"""How surely a name is a key's: nothing else; one where words of making stand beside it; a reference that the caller
chooses; a word of every log."""
CLASSES: tuple[NameClass, ...] = ("key", "token", "reference", "request")

_SEPARATORS = re.compile(r"[-_. ]+")
_SEPARATOR = "[-_. ]?"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS_BEFORE = re.compile(r"(?:[a-z0-9]{1,20}[-_]){0,3}$")


@dataclass(frozen=True, slots=True)
class Name:
    """A name that was met: its class and the stretch of the text."""

    kind: NameClass
    start: int
    end: int


@dataclass(frozen=True)
class Names:
    """A matcher of key names. Texts are in lower case."""

    pattern: re.Pattern[str]
    classes: Mapping[str, NameClass]
    """By the name's words with nothing between them."""

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Name]:
        """The names in a text, in their order; the longest where several begin at one place."""
        stop = len(text) if end is None else end
        at = start
        while found := self.pattern.search(text, at, stop):
            kind = self.class_of(found[0])
            first = found.start()
            before = text[max(start, first - 1) : first]
            if kind == "key" and (before in ("-", "_") or before.isalnum()):
                # A key's own name may have words before it (`batch_idempotency_key`); the others stand alone.
                words = _WORDS_BEFORE.search(text, max(start, first - 64), first)
                first = words.start() if words else first
            elif kind != "key" and text[max(start, first - 2) : first] in ("x-", "x_"):
                first -= 2
            if _stands_alone(text, first, start):
                yield Name(kind, first, found.end())
                at = found.end()
            else:
                at = found.start() + 1

    def class_of(self, written: str) -> NameClass:
        """The class of a name as it was written, in lower case."""
        joined = _SEPARATORS.sub("", written)
        return self.classes.get(joined) or self.classes.get(joined[:-1]) or self.classes[joined[:-2]]

    def names_key(self, text: str) -> bool:
        """Whether a text, in lower case, names what is nothing but a key."""
        return any(name.kind == "key" for name in self.find(text))


def _stands_alone(text: str, first: int, start: int) -> bool:
    before = text[max(start, first - 2) : first]
    last = before[-1:]
    if last == "-":
        # The dash of a flag (`--client-token`) is no part of a word before it.
        return not (before[:1].isascii() and (before[:1].isalnum() or before[:1] == "_")) or len(before) == 1
    return not (last.isascii() and (last.isalnum() or last == "_"))


def words_of(name: str) -> str:
    """A name's words in lower case, one space between them: `X-Idempotency-Key`, `clientToken`."""
    return " ".join(_SEPARATORS.split(_CAMEL.sub(" ", name.strip()).lower())).strip()


def same_name(one: str, other: str) -> bool:
    """Whether two names differ in case and separators only, as a flag and the field that it fills do."""
    return _SEPARATORS.sub("", one.strip("-")).lower() == _SEPARATORS.sub("", other.strip("-")).lower()


def make_names(classes: Mapping[NameClass, Iterable[str]]) -> Names:
    """A matcher of names, each given as its words with a space between them."""
    by_name: dict[str, NameClass] = {}
    tree: dict[str, Any] = {}
    for kind in reversed(CLASSES):
        for name in classes.get(kind, ()):
            words = name.lower().split()
            by_name["".join(words)] = kind
            node = tree
            for word in words:
                node = node.setdefault(word, {})
            node[""] = {}
    return Names(re.compile(rf"(?:{_tree_form(tree)})(?:e?s(?![a-z]))?(?![a-z0-9_])"), by_name)


def _tree_form(tree: Mapping[str, Any]) -> str:
    """The words of a tree as a pattern, longer ones first, none tried twice at one place."""
    parts = []
    for word, below in sorted(tree.items(), key=lambda item: (-len(item[0]), item[0])):
        if not word:
            continue
        rest = _tree_form({name: node for name, node in below.items() if name})
        if rest:
            rest = f"{_SEPARATOR}(?:{rest})"
            rest = f"(?:{rest})?" if "" in below else rest
        parts.append(re.escape(word) + rest)
    return "|".join(parts)


@lru_cache(maxsize=64)
def _with_declared(
    general: tuple[tuple[str, NameClass], ...], declared: tuple[str, ...], introduced: tuple[str, ...]
) -> Names:
    classes: dict[NameClass, list[str]] = {kind: [] for kind in CLASSES}
    for name, kind in general:
        classes[kind].append(name)
    classes["key"].extend(declared)
    classes["reference"].extend(introduced)
    return make_names(classes)


def with_declared(
    general: tuple[tuple[str, NameClass], ...], declared: Iterable[str], introduced: Iterable[str] = ()
) -> Names:
    """The general names, given with their classes, as surely a key's those that a declaration names, and as a
    reference's those that the text itself introduces."""
    own, told = (tuple(sorted({words_of(name) for name in names})) for names in (declared, introduced))
    return _with_declared(general, own, told)
