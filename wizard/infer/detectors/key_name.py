"""A place whose name is that of an idempotency key, or of something that only looks like one."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.keys import KeySite, rules, seen, sites


def detect(subject: Subject) -> Iterator[Candidate]:
    for site in sites(subject):
        yield from _for(site)
        yield from _against(site)


def _for(site: KeySite) -> Iterator[Candidate]:
    for rule in rules("name"):
        if site.place in rule.places and rule.match.search(site.joined):
            yield seen(site, rule.weight, rule.says)
            return


def _against(site: KeySite) -> Iterator[Candidate]:
    for rule in rules("against_name"):
        if rule.match.search(site.joined) and not (rule.unless and rule.unless.search(f"{site.joined} {site.text}")):
            yield seen(site, rule.weight, rule.says)
            return


DETECTOR = Detector(question="key", detect=detect)
