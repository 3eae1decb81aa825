"""The document's own text promises a header (`send Idempotency-Key with every POST`) that no operation lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import key_words
from wizard.infer.keys import sites
from wizard.infer.model import Evidence, KeyProposal

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n{2,}|\n(?=[#*-])")
_LONGEST = 60_000


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.operation.method not in ("POST", "PUT", "PATCH", "DELETE"):
        return
    own = f"{subject.operation.summary}\n\n{subject.operation.description}"
    listed = {site.name.lower() for site in sites(subject)}
    for header in _promised(own, True):
        if header.lower() not in listed:
            yield _seen(header, 3.0, "the operation's description names it", f"{subject.operation.pointer}/description")
    if any("idempot" in site.joined for site in sites(subject)):
        return
    if _lists_some(subject):
        return  # then the operations that do not list it do not take it
    for header in _promised(subject.document.description, subject.operation.method == "POST"):
        yield _seen(header, 2.0, "the document's description asks for it with such requests", "#/info/description")


def _lists_some(subject: Subject) -> bool:
    """Whether any operation of the document lists a header that is a key by its name."""
    if "lists key headers" not in subject.shared:
        subject.shared["lists key headers"] = any(
            found.location == "header" and "idempot" in found.name.lower()
            for operation in subject.document.operations
            for found in operation.parameters
        )
    answer: bool = subject.shared["lists key headers"]
    return answer


@lru_cache(maxsize=2048)
def _promised(text: str, any_method: bool) -> tuple[str, ...]:
    """Headers that a text promises, in its own spelling; those of a sentence that denies them are left out."""
    if "dempot" not in text.lower():
        return ()
    named = key_words()["promise"]
    header, nearby, whom = (re.compile(named[key], re.IGNORECASE) for key in ("header", "nearby", "whom"))
    denied = re.compile(named["denied"], re.IGNORECASE)
    found: list[str] = []
    for sentence in _SENTENCE.split(text[:_LONGEST]):
        for match in header.finditer(sentence):
            name = match[1]
            spelled = "-" in name and name.lower() not in ("idempotency-keys", "idempotent-requests")
            if (
                spelled
                and nearby.search(sentence)
                and (any_method or whom.search(sentence))
                and not denied.search(sentence)
            ):
                found.append(name)
    return tuple(dict.fromkeys(found))


def _seen(header: str, weight: float, because: str, at: str) -> Candidate:
    proposal = KeyProposal(place="header", name=header)
    return Candidate(value=proposal, weight=weight, because=because, evidence=Evidence(f"`{header}`: {because}", at))


DETECTOR = Detector(question="key", detect=detect)
