"""A number in an update that keeps new records apart: it stands in the schema that updates share with creates."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import rules
from wizard.infer.keys import PLAIN_NAME, KeySite, seen, sites

_WEIGHT = -3.0


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.operation.method not in ("PUT", "PATCH") or subject.kind not in ("update", "upsert", "bulk"):
        return
    for site in sites(subject):
        if site.place == "field" and not _is_plain(site):
            yield seen(site, _WEIGHT, "in an update it is a value of the record, and keeps only new ones apart")


def _is_plain(site: KeySite) -> bool:
    """Whether its name or its text says outright that it is the request's key."""
    named = any(
        rule.weight >= PLAIN_NAME and site.place in rule.places and rule.match.search(site.joined)
        for rule in rules("name")
    )
    return named or "idempot" in site.text


DETECTOR = Detector(question="key", detect=detect)
