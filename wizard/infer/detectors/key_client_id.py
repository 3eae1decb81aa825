"""An id in a header that the caller makes up for the thing itself: the read of what is made takes the same value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import key_words, rules
from wizard.infer.keys import seen, share_of_reads, sites
from wizard.infer.probe_words import joined
from wizard.infer.resources import resources


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.operation.method != "POST":
        return
    index = resources(subject)
    reads = index.reads_at((*index.route(subject.operation).form, "{}"))
    on_reads = share_of_reads(subject.document, subject.shared)
    for site in sites(subject):
        if site.place != "header" or on_reads.get(site.name.lower(), 0.0) or _told_by_name(site.joined):
            continue
        for read in reads:
            if joined(read.variables[-1]) != site.joined.removeprefix("x_"):
                continue
            about = next((one for one in read.operation.parameters if one.name == read.variables[-1]), None)
            text = f"{site.text}\n{about.description.lower() if about else ''}"
            told = key_words()["client_id"]
            if re.search(told["text"], text) or _refuses_a_second(subject, told["answer"]):
                yield seen(site, told["weight"], told["says"], at=read.operation.pointer)
                break


def _told_by_name(name: str) -> bool:
    return any(rule.match.search(name) and rule.weight > 1 for rule in rules("name"))


def _refuses_a_second(subject: Subject, pattern: str) -> bool:
    """Whether a 409 says that the id was there already."""
    return any(
        one.status == "409" and re.search(pattern, one.description.lower()) for one in subject.operation.responses
    )


DETECTOR = Detector(question="key", detect=detect)
