"""A description that says what a repeat with the same value does, or that the value is no key.

The best evidence there is: it finds keys whose names do not say so, and tells a nonce from a key of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import Rule, rules, texts_found
from wizard.infer.keys import KeySite, is_id_like, seen, sites
from wizard.infer.naming import words

_NEAR = 90
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n{2,}")


def detect(subject: Subject) -> Iterator[Candidate]:
    places = sites(subject)
    own_text = f"{subject.operation.summary}\n{subject.operation.description}".lower()
    named = tuple(site for site in places if _named(site))
    for site in places:
        if not _about_another(site, places, named):
            yield from _weighed(site, _speaking(site))
        for rule in texts_found("against", site.text):
            yield seen(site, rule.weight, rule.says)
        if own_text.strip():
            yield from _of_operation(site, own_text, subject)
    yield from _deprecated(places)


def _deprecated(places: tuple[KeySite, ...]) -> Iterator[Candidate]:
    for site in places:
        if site.shape.deprecated:
            yield seen(site, -6.0, "it is marked as deprecated")


def _speaking(site: KeySite) -> tuple[Rule, ...]:
    found = texts_found("text", site.text)
    return found if not found or is_id_like(site) else tuple(rule for rule in found if not rule.ids_only)


def _weighed(site: KeySite, found: tuple[Rule, ...], at: str | None = None) -> Iterator[Candidate]:
    """The heaviest rule counts in full, a second one by a third: they say the same thing twice."""
    ordered = sorted(found, key=lambda rule: -rule.weight)
    for rule, share in zip(ordered, (1.0, 0.33), strict=False):
        yield seen(site, rule.weight * share, rule.says, at=at)


def _about_another(site: KeySite, places: tuple[KeySite, ...], named: tuple[KeySite, ...]) -> bool:
    """A text that speaks of another place's key (`used with idempotency_key`) says nothing of this one."""
    if "idempot" in site.joined:
        return False
    if site.text and site not in named and any(_speaks_of(site, other) for other in named):
        return True
    if "idempot" not in site.text:
        return False
    rest = site.text
    for other in places:
        if other is not site and "idempot" in other.joined:
            rest = rest.replace(other.name.rpartition(".")[2].lower(), " ")
    return "idempot" not in rest


def _named(site: KeySite) -> bool:
    """Whether a place is called like a key."""
    return any(rule.match.search(site.joined) and site.place in rule.places for rule in rules("name"))


def _speaks_of(site: KeySite, other: KeySite) -> bool:
    """Whether a place's text names another place: "to be sent along with `requestId`"."""
    own = other.name.rpartition(".")[2]
    found = site.text.find(own.lower())
    if found < 0 or len(words(own)) < 2:
        return False
    return (
        not site.text[found - 1 : found].isalnum() and not site.text[found + len(own) : found + len(own) + 1].isalnum()
    )


def _of_operation(site: KeySite, text: str, subject: Subject) -> Iterator[Candidate]:
    """The operation's own text names the place in a sentence about repeats."""
    name = site.name.rpartition(".")[2].lower()
    if len(words(name)) < 2 or name not in text:
        return
    about = " ".join(_around(sentence, name) for sentence in _SENTENCE.split(text[:8000]) if name in sentence)
    at = f"{subject.operation.pointer}/description"
    named = _named(site)
    for rule in texts_found("text", about):
        if rule.weight >= 1.5:
            because = rule.says.replace("its description", "the operation's description")
            share = 0.8 if named else 0.6
            yield seen(site, rule.weight * share, because, at=at)
            return


def _around(sentence: str, name: str) -> str:
    """What stands near a name in a sentence that has it."""
    at = sentence.index(name)
    return sentence[max(0, at - _NEAR) : at + len(name) + _NEAR]


DETECTOR = Detector(question="key", detect=detect)
