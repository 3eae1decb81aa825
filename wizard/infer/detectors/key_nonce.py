"""A field that every request of the document has beside a time: a nonce, made anew with each attempt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.feeds import is_clock
from wizard.infer.keys import seen, sites
from wizard.spec.model import ApiOperation

_MOST = 0.6
_FEW = 4
"""With fewer requests than these, each having one says nothing."""
_WEIGHT = -4.0


def detect(subject: Subject) -> Iterator[Candidate]:
    beside = _beside_a_time(subject.operation)
    if not beside:
        return
    shares = _shares(subject)
    for site in sites(subject):
        told = "idempot" in f"{site.text} {site.joined}"
        if site.place == "field" and not told and site.name in beside and shares.get(site.name, 0.0) >= _MOST:
            yield seen(site, _WEIGHT, "every request of the document has one beside a time, as a nonce has")


def _beside_a_time(operation: ApiOperation) -> frozenset[str]:
    """The fields that stand beside a time of the request itself."""
    timed = {one.parent for one in operation.fields if is_clock(one.name)}
    return frozenset(one.path for one in operation.fields if one.parent in timed and not one.composite)


def _shares(subject: Subject) -> Mapping[str, float]:
    """A field's path to its share of the document's request bodies, where it stands beside a time."""
    if "beside a time" not in subject.shared:
        bodies = [one for one in subject.document.operations if one.method != "GET" and one.fields]
        counts = Counter(path for one in bodies for path in _beside_a_time(one))
        enough = len(bodies) >= _FEW
        subject.shared["beside a time"] = {path: n / len(bodies) for path, n in counts.items()} if enough else {}
    found: Mapping[str, float] = subject.shared["beside a time"]
    return found


DETECTOR = Detector(question="key", detect=detect)
