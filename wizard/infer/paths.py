"""The paths of a document, compared without the names of their variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wizard.infer.detector import Subject
from wizard.spec.model import ApiDocument

_SUFFIX = re.compile(r"\.(json|xml)$")


def methods_of(subject: Subject) -> Mapping[str, frozenset[str]]:
    """Path (variables without their names) to the methods it has."""
    found: Mapping[str, frozenset[str]] | None = subject.shared.get("methods of paths")
    if found is None:
        found = _methods(subject.document)
        subject.shared["methods of paths"] = found
    return found


def bare(path: str) -> str:
    """A path without the names of its variables, and without a last slash."""
    plain = _SUFFIX.sub("", path.rstrip("/"))
    return "/".join(
        "{}" if segment.startswith("{") and segment.endswith("}") else segment for segment in plain.split("/")
    )


def _methods(document: ApiDocument) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for operation in document.operations:
        found.setdefault(bare(operation.path), set()).add(operation.method)
    return {path: frozenset(methods) for path, methods in found.items()}
