"""Words of field names and paths that no rule has anything against, worked out when the words are released.

A name made of such words is in none of the lists that the rules on identities look into: of every phrase of those lists
one word was chosen, and a name without any of the chosen words has none of the phrases.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

FIELD, PATH, NO_AMOUNT, PLURAL = 1, 2, 4, 8
"""Of a word: no rule has anything against a field named with it; nor against a path; it is none of an amount's; the
singular has no `s`."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLAIN_WORDS = os.path.join(_PACKAGE, "lint", "words", "plain.json")
_FOLDERS = (("lint", "words"), ("lint", "keyprose", "words"))
_LISTS = ("abbreviations", "fields", "grammar", "keys", "things", "verbs")
"""Of the words that proposals go by, those that the rules on declarations look into."""
_SOURCES = (("infer", "lexicon.py"), ("infer", "naming.py"), ("infer", "things.py"), ("infer", "secrets.py"))

_FIELD_LISTS = ("note", "content", "nonce", "clock", "window", "lock", "secret", "card")
_AMOUNT_LISTS = ("amount",)


@cache
def plain_words() -> Mapping[str, Any] | None:
    """What the file holds; None where it was made from other words."""
    try:
        with open(PLAIN_WORDS, "rb") as file:
            found = json.loads(file.read())
        return found if isinstance(found, dict) and found["of"] == _digest() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digest() -> str:
    """Of the lists, and of the code that reads names."""
    digest = hashlib.blake2b(digest_size=16)
    for path in _watched():
        with open(path, "rb") as file:
            digest.update(os.path.basename(path).encode() + b"\0" + file.read().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def _watched() -> Iterator[str]:
    for folder in _FOLDERS:
        whole = os.path.join(_PACKAGE, *folder)
        yield from (os.path.join(whole, name) for name in sorted(os.listdir(whole)) if name.endswith(".toml"))
    yield from (os.path.join(_PACKAGE, "infer", "words", f"{name}.toml") for name in _LISTS)
    yield from (os.path.join(_PACKAGE, *source) for source in _SOURCES)


def plain_words_text() -> str:
    """What the file should hold."""
    content = {
        "of": _digest(), "words": _words(), "never": sorted(_never()), "says": list(_says()),
        "optional": sorted(_said("optional")), "required": sorted(_said("required")),
    }  # fmt: skip
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def _says() -> Iterator[Any]:
    """Of every form of what is said of repeating a write: signs, more signs, and what its pattern needs of letters."""
    from wizard.lint.keyprose.lexicon import make_lexicon, read_words
    from wizard.lint.keyprose.needs import needs_of

    for language in make_lexicon(read_words()).languages:
        for form in language.say:
            signs = [
                [phrase for sign in given.signs for phrase in sign.phrases]
                for given in (form.signs, form.also)
                if given is not None
            ]
            needs = needs_of(form.pattern.pattern, groups=8)
            yield [*signs, *(list(texts) for texts in needs if not any(map(_is_mark, "".join(texts))))]


def _said(part: str) -> set[str]:
    """Texts of which one stands where it is said that a field is optional, or required."""
    from wizard.lint.keyprose.lexicon import make_lexicon, read_words
    from wizard.lint.keyprose.needs import needs_of

    found: set[str] = set()
    for language in make_lexicon(read_words()).languages:
        pattern = getattr(language, part).pattern
        if pattern != "(?!)":
            found.update(_first(pattern, needs_of(pattern)))
    return found


def _first(pattern: str, needs: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    if not needs:
        raise ValueError(f"nothing can be told of what `{pattern}` needs")
    return needs[0]


def _is_mark(char: str) -> bool:
    return "\ue000" <= char <= "\uf8ff"


def _never() -> set[str]:
    """Texts that no plain name holds: without one of them a name is called neither like a key nor like a trace."""
    from wizard.infer.key_words import key_words, rules
    from wizard.lint.keyprose.needs import needs_of

    patterns = [rule.match.pattern for rule in rules("name") if rule.weight >= 1.9]
    patterns.append(key_words()["tracing_names"]["match"])
    found: set[str] = set()
    for pattern in patterns:
        found.update(_first(pattern, needs_of(pattern)))
    return found


def _words() -> dict[str, int]:
    from wizard.infer.lexicon import phrase
    from wizard.infer.naming import singular
    from wizard.infer.tables import table
    from wizard.infer.things import plain_verb, thing_of_verb, things
    from wizard.lint.fieldnames import _names

    fields, thing_table = table("fields"), table("things")
    chosen = _chosen(fields, _FIELD_LISTS)
    amounts = _chosen(fields, _AMOUNT_LISTS)
    repeating = {name for name, thing in things().items() if thing.repeats}
    nouns = [noun for name in repeating for noun in thing_table[name].get("nouns", ())]
    nouns += [" ".join(words) for words in _names()["repeats"]["nouns"]]
    paths = _one_of_each((tuple(map(singular, noun.split())) for noun in nouns), Counter())
    verbs = {word for words in _names()["repeats"]["verbs"] for word in words}
    found: dict[str, int] = {}
    units = {word for unit in _names()["money"]["units"] for word in unit}
    for word in sorted(_vocabulary(fields, thing_table) | units):
        stem = singular(word)
        said = set(phrase(word))
        bits = FIELD * (not said & chosen) + NO_AMOUNT * (not said & amounts) + PLURAL * (stem != word)
        verb = [plain_verb(one) for one in (word, stem, *said)]
        told = any(one in verbs or thing_of_verb(one) in repeating for one in verb)
        bits += PATH * (not said & paths and not told)
        if bits & (FIELD | PATH) and stem in (word, word[:-1]):
            found[word] = bits
    return found


def _vocabulary(*tables: Mapping[str, Any]) -> set[str]:
    from wizard.infer.tables import table

    words: set[str] = set()
    for lists in tables:
        for entry in lists.values():
            for value in entry.values():
                if isinstance(value, list):
                    words.update(word for text in value if isinstance(text, str) for word in text.split())
    short = table("abbreviations")
    words |= {word for part in ("foreign", "short") for word in short[part]}
    words |= {f"{word}s" for word in words}
    return {word for word in words if word.isascii() and word.isalpha() and word.islower()}


def _chosen(fields: Mapping[str, Any], lists: Iterable[str]) -> set[str]:
    from wizard.infer.naming import singular

    wanted = set(lists)
    phrases: list[tuple[str, ...]] = []
    others: Counter[str] = Counter()
    for name, entry in fields.items():
        for part in ("is", "ends", "has", "stems", "nouns", "verbs"):
            for text in entry.get(part, ()):
                words = tuple(map(singular, str(text).split()))
                if name in wanted:
                    phrases.append(words)
                else:
                    others.update(set(words))
    return _one_of_each(phrases, others)


def _one_of_each(phrases: Iterable[tuple[str, ...]], others: Counter[str]) -> set[str]:
    """Words of which every phrase has one: those that stand least often in other lists."""
    return {min(words, key=lambda word: (others[word], -len(word), word)) for words in phrases}
