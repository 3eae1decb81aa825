"""What a write is about: the noun of its path, and what such a thing is told apart by (`words/things.toml`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from wizard.infer import naming
from wizard.infer.lexicon import phrase, small_words, word_list
from wizard.infer.naming import singular, stems
from wizard.infer.tables import table

if TYPE_CHECKING:
    from wizard.infer.detector import Subject
    from wizard.infer.lexicon import Phrase
    from wizard.spec.model import ApiOperation

_VERSION = re.compile(r"v?\d[\w.-]*|api|rest|public|internal", re.IGNORECASE)
_ACTION = re.compile(r"[#?&;](?:Action|X-Amz-Target)=(?:[\w-]*\.)?(\w+)")
_SUFFIX = re.compile(r"\.(json|xml|php|aspx?|do|action)$", re.IGNORECASE)
_CUSTOM = re.compile(r"([^:]+):([A-Za-z]+)")
_LONGEST = 3


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of thing, and which roles of fields tell one from another."""

    name: str
    needs: tuple[tuple[str, ...], ...]
    wants: tuple[str, ...]
    sentence: str
    keep: str = ""
    money: bool = False
    repeats: bool = False
    """Making an equal one again is ordinary."""


@dataclass(frozen=True, slots=True)
class About:
    """The thing that an operation is about."""

    thing: Thing | None
    noun: str
    """In plain words: `credit note`; empty where the path names nothing."""
    at: str
    """What named it: `path`, `operationId`, `schema`, `verb`."""

    @property
    def happening(self) -> bool:
        """Whether it is told that something happened (a usage event, a reading), and nothing is made to keep."""
        return bool(word_list("grammar", "happenings").match(phrase(self.noun)))


@cache
def things() -> Mapping[str, Thing]:
    return {
        name: Thing(
            name=name, needs=tuple(tuple(group) for group in entry["needs"]), wants=tuple(entry["wants"]),
            sentence=entry["sentence"], keep=entry.get("keep", ""), money=entry.get("money", False),
            repeats=entry.get("repeats", False),
        )
        for name, entry in table("things").items()
    }  # fmt: skip


@cache
def _by_word(what: str) -> Mapping[Phrase, str]:
    found: dict[Phrase, str] = {}
    for name, entry in table("things").items():
        for noun in entry.get(what, ()):
            found.setdefault(tuple(singular(word) for word in noun.split()), name)
    return found


@lru_cache(maxsize=8192)
def thing_named(name: Phrase) -> str:
    """The kind of thing that a noun phrase ends with, empty where it is none we know."""
    nouns = _by_word("nouns")
    for length in range(min(_LONGEST, len(name)), 0, -1):
        if name[-length:] in nouns:
            return nouns[name[-length:]]
    return ""


@lru_cache(maxsize=8192)
def thing_of_verb(verb: str) -> str:
    return _by_word("verbs").get((verb,), "")


@cache
def _verbs() -> frozenset[str]:
    lists = table("verbs")
    return frozenset(
        word for name in ("read", "write", "delete", "create", "update", "action") for word in lists[name]["verbs"]
    )


def plain_verb(word: str) -> str:
    """`creates`, `creating`, `created` as `create`; the word itself where no verb is known behind it."""
    verbs = _verbs()
    if word in verbs:
        return word
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("es", "e"),
        ("s", ""),
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
        ("d", ""),
    ):
        base = word.removesuffix(ending) + instead
        if word.endswith(ending) and base in verbs:
            return base
    return word


@lru_cache(maxsize=16384)
def segments(path: str) -> tuple[str, ...]:
    """The path's segments that say something: no versions, no file suffixes; variables stay as `{name}`."""
    action = _ACTION.search(path)
    if action:
        return (action[1],)
    plain = path.partition("#")[0].partition("?")[0]
    found = [_SUFFIX.sub("", segment) for segment in plain.split("/") if segment]
    if found and (custom := _CUSTOM.fullmatch(found[-1])):
        found[-1:] = [custom[1], custom[2]]  # `messages:send`
    return tuple(segment for segment in found if not _VERSION.fullmatch(segment))


def last_static(path: str) -> str:
    """The last segment that is no variable, empty where there is none."""
    return next((one for one in reversed(segments(path)) if "{" not in one), "")


def path_words(path: str) -> Phrase:
    """The words of the path's last segment that is no variable and no verb alone."""
    for segment in reversed(segments(path)):
        words = without_verbs(segment) if "{" not in segment else ()
        if words:
            return words
    return ()


@lru_cache(maxsize=16384)
def without_verbs(name: str) -> Phrase:
    """The words of a name without a verb in front or, where it is not alone, at the end."""
    found = list(phrase(name))
    if len(found) == 1 and naming.words(name)[0] != found[0] and naming.words(name)[0].endswith("s"):
        return tuple(found)  # `checks` are things, `check` is a verb
    verbs = _verbs()
    nouns = _by_word("nouns")
    while found and plain_verb(found[0]) in verbs and tuple(found) not in nouns:
        del found[0]
    return tuple(found)


def _phrases(operation: ApiOperation) -> Iterator[tuple[Phrase, str]]:
    statics = [one for one in segments(operation.path) if "{" not in one]
    parts = segments(operation.path)
    said = _said_noun(operation)
    if operation.method == "POST" and parts and "{" in parts[-1] and thing_named(said):
        yield said, "summary"  # a POST on one conversation sends a message
    for segment in reversed(statics):
        words = without_verbs(segment)
        if words:
            yield words, "path"
            break
    name = operation.operation_id.rpartition(".")[2].rpartition("/")[2]
    if name:
        words = without_verbs(name)
        while len(words) > 1 and words[-1] in small_words("method_words"):
            words = words[:-1]
        if words:
            yield words, "operationId"
    if said:
        yield said, "summary"
    body = operation.body
    if body is not None and body.schema_name:
        words = tuple(word for word in phrase(body.schema_name) if word not in small_words("schema_noise"))
        if words:
            yield words, "schema"


def _said_noun(operation: ApiOperation) -> Phrase:
    """What the summary speaks of: its words up to the first preposition, without the verb."""
    words = without_verbs(operation.summary.partition(".")[0][:80])
    while words and words[0] in small_words("articles"):
        words = words[1:]
    cut = next((at for at, word in enumerate(words) if word in small_words("prepositions")), len(words))
    return words[:cut]


def about(operation: ApiOperation) -> About:
    """The thing that an operation is about, by its path, name, summary and schema, in this order."""
    last = last_static(operation.path)
    for verb in stems(last)[:1]:
        by_verb = thing_of_verb(plain_verb(verb))
        if by_verb and (
            not without_verbs(last)
            or (last.lower() == verb and operation.method == "POST" and "{" not in operation.path.rsplit("/", 1)[-1])
        ):
            noun = next((words for words, _ in _phrases(operation)), (verb,))
            return About(things()[by_verb], " ".join(noun[-2:]), "verb")
    first: Phrase = ()
    for words, at in _phrases(operation):
        first = first or words
        named = thing_named(words)
        if named:
            if named == "document" and at == "path" and _in_booking_area(operation.path):
                named = "booking"  # an order of the booking area books
            return About(things()[named], _noun(words), at)
    return About(None, _noun(first), "path" if first else "")


def _in_booking_area(path: str) -> bool:
    before = [one for one in segments(path) if "{" not in one][:-1]
    return any(thing_named(phrase(one)) == "booking" for one in before) and "{" not in path


def about_of(subject: Subject) -> About:
    """`about` of the subject's operation, kept until another operation is asked for."""
    kept: tuple[str, About] | None = subject.shared.get("about")
    if kept is None or kept[0] != subject.operation.pointer:
        kept = (subject.operation.pointer, about(subject.operation))
        subject.shared["about"] = kept
    return kept[1]


def _noun(words: Phrase) -> str:
    nouns = _by_word("nouns")
    for length in range(min(_LONGEST, len(words)), 0, -1):
        if words[-length:] in nouns:
            return " ".join(words[-length:])
    return " ".join(words[-2:])
