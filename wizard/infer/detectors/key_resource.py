"""A request id that is no id of this request: the document has requests as things of their own."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import texts_found
from wizard.infer.keys import seen, sites
from wizard.infer.resources import resources

_REQUESTS = ("request", "transaction", "message", "event")


def detect(subject: Subject) -> Iterator[Candidate]:
    index = resources(subject)
    for site in sites(subject):
        parts = site.joined.split("_")
        if any(rule.weight >= 1.8 for rule in texts_found("text", site.text)):
            continue  # its text says what it is
        if len(parts) < 2 or parts[-1] not in ("id", "uuid", "guid") or site.place == "header":
            continue
        if parts[-2] in _REQUESTS and index.has_things_called(parts[-2]):
            yield seen(site, -3.0, "it is the id of a thing that the document has of its own")


DETECTOR = Detector(question="key", detect=detect)
