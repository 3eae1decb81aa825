"""Answers that speak of repeated keys: a 409 or 422 whose text says that a key was used before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import key_words, rules
from wizard.infer.keys import seen, sites


def detect(subject: Subject) -> Iterator[Candidate]:
    told = key_words()["answers"]
    pattern = re.compile(told["match"])
    answer = next(
        (
            one
            for one in subject.operation.responses
            if one.status[:1] in "45" and pattern.search(one.description.lower())
        ),
        None,
    )
    if answer is None:
        return
    for site in sites(subject):
        if any(rule.match.search(site.joined) and site.place in rule.places for rule in rules("name")):
            yield seen(
                site, told["weight"], told["says"], f"the answer {answer.status} speaks of repeats", answer.pointer
            )


DETECTOR = Detector(question="key", detect=detect)
