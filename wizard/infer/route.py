"""A path taken apart: literals and variables, what it is about, and the form in which two paths are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from wizard.infer.naming import root, stems, words
from wizard.infer.probe_words import probe_words, word_set
from wizard.spec.model import ApiOperation


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a path between slashes, colons and the like: a literal, or a variable."""

    text: str
    """A literal as written, or the variable's name."""
    variable: bool = False

    @property
    def stems(self) -> tuple[str, ...]:
        return stems(self.text)

    @property
    def is_verb(self) -> bool:
        """Whether it only says what is done (`list`, `create`); a plural (`lists`) is a thing."""
        verbs = word_set("path", "verbs")
        own = words(self.text)
        return not self.variable and bool(own) and all(word in verbs for word in own)

    @property
    def acts(self) -> bool:
        """Whether it begins with a verb: `CreateInvoice`, `list`."""
        own = words(self.text)
        return not self.variable and bool(own) and own[0] in word_set("path", "verbs")

    @property
    def is_plural(self) -> bool:
        own = words(self.text)
        return not self.variable and bool(own) and own[-1] != stems(self.text)[-1]

    @property
    def form(self) -> str:
        """What two paths have in common where they mean the same place."""
        if self.variable:
            return "{}"
        if _VERSION.fullmatch(self.text):
            return "v"  # one document may have several versions, each of its own calls
        return "_".join(stems(self.text)) or self.text


@dataclass(frozen=True)
class Route:
    """An operation and its path taken apart."""

    operation: ApiOperation
    parts: tuple[Part, ...]

    @cached_property
    def form(self) -> tuple[str, ...]:
        return tuple(part.form for part in self.parts)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(part.text for part in self.parts if part.variable)

    @cached_property
    def literals(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if not part.variable)

    @cached_property
    def base(self) -> tuple[str, ...]:
        """The form without the verbs at its end: `/firm/list` and `/firm/create` are both `/firm`."""
        length = len(self.parts)
        while length > 1 and self.parts[length - 1].is_verb:
            length -= 1
        if self.operation.method == "POST" and length > 1 and self.parts[length - 2].is_plural:
            last = self.parts[length - 1]
            length -= not last.variable and len(last.stems) == 1 and last.text.lower() in word_set("path", "making")
        return self.form[:length]

    @cached_property
    def aside(self) -> frozenset[str]:
        """The words of its literals by which it is about things and not the list of them: counts, reports."""
        return frozenset(word for part in self.literals for word in part.stems) & word_set("path", "aside")

    @cached_property
    def _holders(self) -> tuple[str, ...]:
        return tuple(self._holder(index) for index in range(len(self.parts) + 1))

    @property
    def ends_in_variable(self) -> bool:
        return bool(self.parts) and self.parts[-1].variable

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """The roots of `subjects`."""
        return tuple(root(word) for word in self.subjects)

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        """What the path is about: the words of its last literal without verbs, then of the one before."""
        verbs = word_set("path", "verbs")
        doing = word_set("path", "writing") | word_set("actions", "moving")
        for part in reversed(self.literals):
            raw = words(part.text)
            nouns = tuple(stem for word, stem in zip(raw, part.stems, strict=True) if word not in verbs)
            if len(nouns) > 1 and nouns[0] in doing and not part.is_plural:
                nouns = nouns[1:]  # `cancelBooking` is about the booking
            while len(nouns) > 1 and nouns[-1] in word_set("path", "shown"):
                nouns = nouns[:-1]
            if nouns:
                return nouns
        return ()

    def holder(self, index: int) -> str:
        """The form of the literal before the part at `index` that names a thing, empty where there is none."""
        return self._holders[index]

    def _holder(self, index: int) -> str:
        literals = [part for part in reversed(self.parts[:index]) if not part.variable]
        return next((part.form for part in literals if not part.acts), literals[0].form if literals else "")


PREFIX = re.compile(r"api|rest|public|web|v?\d+(\.\d+)*", re.IGNORECASE)
"""What stands before the things in a path."""
_VERSION = re.compile(r"v\d+(\.\d+)*", re.IGNORECASE)
_METHOD = re.compile(r"[a-z][A-Za-z]+(\.[a-z][A-Za-z]+)+")
"""A call that is named after what it is about: `groups.create`."""
_TOKEN = re.compile(r"\{([^{}]*)\}|([^{}]+)")
_NAMED_KEY = re.compile(r"[(,]\s*\w+='?$")
"""The name of a value in a key: `/rooms(house={house},number={number})` goes through a house and a number."""
_EDGES = "('\":;=,)!"


@lru_cache(maxsize=8192)
def parse_path(path: str) -> tuple[Part, ...]:
    """A path's parts: `/a/{b}.json`, `/a('{b}')`, `/a(b={b})` are `a`, `{b}`; `/a/{b}:close` is `a`, `{b}`, `close`."""
    suffixes = tuple(probe_words()["path"]["suffixes"])
    parts: list[Part] = []
    for variable, literal in _TOKEN.findall(path.split("?", maxsplit=1)[0]):
        if variable:
            parts.append(Part(variable.partition("=")[0], variable=True))  # `{name=projects/*}` is `name`
            continue
        for segment in _NAMED_KEY.sub("", literal).split("/"):
            text = next((segment[: -len(end)] for end in suffixes if segment.endswith(end)), segment)
            for piece in _pieces(text):
                bare = _after_equals(piece.strip(_EDGES).removeprefix("#"))
                if any(part.variable for part in parts) and _VERSION.fullmatch(bare):
                    continue  # `/shops/{id}/products/v2` lists the same things as `/shops/{id}/products`
                if any(letter.isalnum() for letter in bare):
                    parts.append(Part(bare))
    return tuple(parts)


def _pieces(text: str) -> list[str]:
    """The parts of a segment: before and behind a colon, and what a dotted call's name is made of."""
    return text.split(".") if _METHOD.fullmatch(text) else text.split(":")


def _after_equals(text: str) -> str:
    """`Action=GetQueueUrl` is `GetQueueUrl`, `X-Target=Service_2014.CreateService` is `CreateService`."""
    value = text.rpartition("=")[2]
    return value.rpartition(".")[2] if value != text else text
