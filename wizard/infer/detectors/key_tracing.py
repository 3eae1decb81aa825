"""Ids for tracing and nonces: they differ between attempts, and stand on reads too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import key_words, rules, texts_found
from wizard.infer.keys import seen, share_of_reads, sites

_ON_READS = 0.3
"""A header on this share of all reads belongs to every request, not to writes."""


def detect(subject: Subject) -> Iterator[Candidate]:
    named = key_words()["tracing_names"]
    pattern = re.compile(named["match"])
    on_reads = share_of_reads(subject.document, subject.shared)
    for site in sites(subject):
        if any(rule.match.search(site.joined) and rule.weight >= 2.5 for rule in rules("name")):
            continue  # the name says what it is; servers list such keys on reads too
        if any(rule.weight >= 1.8 for rule in texts_found("text", site.text)):
            continue  # and so does the text
        for rule in texts_found("tracing", site.text):
            yield seen(site, rule.weight, rule.says)
        if site.place != "header":
            continue
        if pattern.search(site.joined):
            yield seen(site, named["weight"], named["says"])
        share = on_reads.get(site.name.lower(), 0.0)
        if share >= _ON_READS:
            yield seen(site, -2.5, f"reads carry it too ({share:.0%} of them)")


DETECTOR = Detector(question="key", detect=detect)
