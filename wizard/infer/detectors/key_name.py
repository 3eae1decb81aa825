"""A place whose name is that of an idempotency key, or of something that only looks like one."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import rules
from wizard.infer.keys import PLAIN_NAME, KeySite, seen, sites
from wizard.infer.naming import root
from wizard.infer.resources import resources

_WRAPPERS = 2
"""`data.attributes.requestId` is two wrappers deep."""
_BESIDE = 3
"""With more than these beside it, an object of the body is a part of the matter and no wrapper."""


def detect(subject: Subject) -> Iterator[Candidate]:
    route = resources(subject).route(subject.operation)
    about = {root(word) for part in route.literals for word in part.stems}
    tops = [field.name for field in subject.operation.fields if field.depth == 0]
    for site in sites(subject):
        yield from _for(site, about, tops)
        yield from _against(site)


def _for(site: KeySite, about: set[str], tops: list[str]) -> Iterator[Candidate]:
    for rule in rules("name"):
        if site.place in rule.places and rule.match.search(site.joined):
            if rule.about_the_write and not about & {root(word) for word in site.joined.split("_")}:
                return
            yield seen(site, rule.weight, rule.says)
            if site.depth > _WRAPPERS and rule.weight < PLAIN_NAME:
                yield seen(site, -1.0, "it lies deep inside of something else")
            elif site.depth == _WRAPPERS and rule.weight < PLAIN_NAME and len(tops) > _BESIDE:
                yield seen(site, -2.5, "it belongs to a part of the request, and tells repeats of that part only")
            return


def _against(site: KeySite) -> Iterator[Candidate]:
    for rule in rules("against_name"):
        if rule.match.search(site.joined) and not (rule.unless and rule.unless.search(f"{site.joined} {site.text}")):
            yield seen(site, rule.weight, rule.says)
            return


DETECTOR = Detector(question="key", detect=detect)
