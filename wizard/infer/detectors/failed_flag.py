"""A boolean that says how the call went: `success`, `ok`, `has_error`."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.failures import candidate, members, named, proposed


def detect(subject: Subject) -> Iterator[Candidate]:
    for one in members(subject):
        bad = False if named("well").match(one.name) else True if named("ill").match(one.name) else None
        shape = one.field.shape
        untyped = not shape.type and bool(one.examples) and all(isinstance(value, bool) for value in one.examples)
        if bad is None or not (shape.type == "boolean" or untyped):
            continue
        word = "false" if bad is False else "true"
        found = proposed(
            one, f"the answer has the boolean `{one.field.path}`", kind="is", bad=bad, good=not bad,
            why=f"`{one.field.path}` is {word} where the call went wrong.",
        )  # fmt: skip
        plain = one.field.required or shape.default is (not bad) or bool(one.examples) or one.has_kin
        yield candidate(found, 3.0 if plain and one.field.depth == 0 else 2.0)


DETECTOR = Detector(question="failed", detect=detect)
