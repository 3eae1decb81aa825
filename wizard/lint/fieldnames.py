"""What a field is by its name: a secret, a clock, a lock. The words are those that proposals go by."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from urllib.parse import urlsplit

from wizard.infer.key_words import key_words, rules
from wizard.infer.lexicon import Phrase, phrase, word_list
from wizard.infer.naming import stems
from wizard.infer.secrets import secret_name
from wizard.infer.things import (
    Thing,
    last_static,
    plain_verb,
    segments,
    thing_named,
    thing_of_verb,
    things,
    without_verbs,
)
from wizard.lint.rulebook import WORDS
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation
from wizard.wordlists import table


def name_of(path: FieldPath) -> str:
    """A field's own name: the last of its path."""
    return path.segments[-1].name if path.segments else ""


@lru_cache(maxsize=4096)
def is_a(name: str, *lists: str) -> bool:
    """Whether a name stands in one of the word lists of `fields.toml`."""
    said = phrase(name)
    return bool(said) and any(word_list("fields", one).match(said) for one in lists)


@lru_cache(maxsize=4096)
def secret_kind(name: str) -> str:
    """`secret` or `card` where a name is that of one, else nothing."""
    return secret_name(phrase(name))


@lru_cache(maxsize=4096)
def key_kind(name: str) -> str:
    """`key` for a name that says it is an idempotency key, `tracing` for one of a tracing id, `other` for one of
    something else that is mistaken for a key, else nothing."""
    joined = "_".join(stems(name))
    if any(rule.weight >= 1.9 and rule.match.search(joined) for rule in rules("name")):
        return "key"
    if re.search(key_words()["tracing_names"]["match"], joined):
        return "tracing"
    for rule in rules("against_name"):
        if rule.weight <= -4 and rule.match.search(joined) and not (rule.unless and rule.unless.search(joined)):
            return "other"
    return ""


@lru_cache(maxsize=1024)
def thing_of_path(path: str) -> Thing | None:
    """What a write to a path makes or does, by the last name in it; None where the name is none we know."""
    last = last_static(path)
    noun: Phrase = without_verbs(last)
    named = thing_named(noun)
    if not named:
        named = next((found for word in stems(last)[:1] if (found := thing_of_verb(plain_verb(word)))), "")
    return things().get(named)


def thing_of(operation: Operation) -> Thing | None:
    """What an operation is about, by its URL."""
    return thing_of_path(urlsplit(re.sub(r"[{}]", "", operation.url)).path)


@lru_cache(maxsize=1024)
def makes_one(path: str) -> bool:
    """Whether a POST to this path makes a new thing, as far as the path tells: it ends with a noun, not with a
    variable or a verb."""
    parts = segments(path)
    if not parts or "{" in parts[-1]:
        return False
    words = stems(parts[-1])
    return bool(words) and bool(without_verbs(parts[-1]))


def creates(operation: Operation) -> bool:
    """Whether an operation makes a new thing, by its method and URL."""
    path = re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*", "", operation.url)
    return operation.method == "POST" and operation.is_write and makes_one(path)


def is_the_thing(operation: Operation, name: str) -> bool:
    """Whether a text is what the operation makes: that of a message or a comment."""
    thing = thing_of(operation)
    # What a role is marked with (`content*`, `a+b`) says how it is chosen, and not which it is.
    roles = {role for group in thing.needs for one in group for role in re.split(r"[*~+]", one)} if thing else set()
    return "content" in roles and is_a(name, "content")


@cache
def _names() -> Mapping[str, Mapping[str, frozenset[Phrase]]]:
    """The lists of `words/names.toml`."""
    return {
        name: {entry: frozenset(phrase(word) for word in words) for entry, words in lists.items()}
        for name, lists in table(WORDS, "names").items()
    }


def repeats(operation: Operation) -> bool:
    """Whether an equal one again is ordinary, by what the URL says is made."""
    thing = thing_of(operation)
    if thing is not None and thing.repeats:
        return True
    lists = _names()["repeats"]
    last = last_static(urlsplit(re.sub(r"[{}]", "", operation.url)).path)
    words = phrase(last)
    if not without_verbs(last) and words and (plain_verb(words[0]),) in lists["verbs"]:
        return True
    return any(words[-length:] in lists["nouns"] for length in (3, 2, 1) if len(words) >= length)


@lru_cache(maxsize=4096)
def is_amount(name: str) -> bool:
    """Whether a name is that of an amount of money, its unit aside (`amount_pence`)."""
    if is_a(name, "amount"):
        return True
    words = phrase(name)
    return len(words) > 1 and words[-1:] in _names()["money"]["units"] and is_a("_".join(words[:-1]), "amount")


@lru_cache(maxsize=4096)
def own_number(name: str) -> bool:
    """Whether a name is that of a number or reference of the matter itself, which no other has."""
    words = phrase(name)
    others = _names()["number_of_another"]["names"]
    return is_a(name, "reference") and not any(words[-length:] in others for length in (3, 2, 1))
