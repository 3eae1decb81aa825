"""Extensions by which vendors mark operations that take a key (`x-fern-idempotency-headers`, `x-idempotency`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.key_words import key_words
from wizard.infer.model import Evidence, KeyProposal

_NAMES = ("header", "name", "key", "headerName", "header_name", "header-name")


def detect(subject: Subject) -> Iterator[Candidate]:
    named: Mapping[str, Any] = key_words()["extensions"]
    own, root = subject.operation.extensions, subject.document.root
    marked = next((key for key in named["operation"] if own.get(key)), "")
    for key in named["root_headers"]:
        for index, header in enumerate(_headers(root.get(key))):
            if marked:
                says = f"the operation is marked `{marked}`, and the document's `{key}` names the header"
                yield _seen(
                    header,
                    "it is named by the document's extension for idempotent operations",
                    says,
                    f"#/{key}/{index}",
                )
    for key in named["operation_header"]:
        for header in _headers(own.get(key)):
            at = f"{subject.operation.pointer}/{key}"
            yield _seen(header, "an extension of the operation names it", f"`{key}` names the header `{header}`", at)


def _seen(header: str, because: str, says: str, at: str) -> Candidate:
    proposal = KeyProposal(place="header", name=header)
    return Candidate(value=proposal, weight=4.0, because=because, evidence=Evidence(says, at))


def _headers(value: Any) -> list[str]:
    """Header names in an extension's value: a text, a mapping that names one, or a list of these."""
    if isinstance(value, str):
        return [value] if "-" in value or "idempot" in value.lower() else []
    if isinstance(value, Mapping):
        found = next((value[name] for name in _NAMES if isinstance(value.get(name), str)), None)
        return [found] if found else []
    if isinstance(value, list):
        return [header for one in value for header in _headers(one)]
    return []


DETECTOR = Detector(question="key", detect=detect)
