"""What comes back: 201 made something; a page of a list, or nothing but a token, did not."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase, word_list
from wizard.infer.model import Evidence
from wizard.infer.probe_words import joined
from wizard.infer.secrets import is_secret
from wizard.infer.things import last_static, segments, without_verbs
from wizard.infer.units import units
from wizard.spec.model import Body

_PAGING = frozenset(
    {
        ("next", "cursor"),
        ("next", "page"),
        ("next", "page", "token"),
        ("total", "count"),
        ("has", "more"),
        ("page", "size"),
        ("total", "page"),
        ("per", "page"),
        ("total",),
        ("next", "token"),
        ("cursor",),
    }
)
_EXPIRY = frozenset({"expiry", "expires", "expire"})


def detect(subject: Subject) -> Iterator[Candidate]:
    operation = subject.operation
    if operation.method != "POST":
        return
    created = next((answer for answer in operation.responses if answer.status == "201"), None)
    if created is not None:
        says = "answers 201 Created"
        yield Candidate(value="create", weight=1.5, because=says, evidence=Evidence(says, created.pointer))
    if _about_tokens(operation.path) and _only_secrets(subject):
        says = "takes secrets and nothing else"
        yield Candidate(value="auth", weight=8.0, because=says, evidence=Evidence(says, operation.pointer))
    success = operation.success
    if success is None:
        return
    if success.status in ("202", "204"):
        says = f"answers {success.status}"
        yield Candidate(value="write", weight=0.7, because=says, evidence=Evidence(says, success.pointer))
        return
    issues = (
        word_list("verbs", "token").match(phrase(last_static(operation.path))) or "token" in operation.summary.lower()
    )
    if success.status == "200" and success.body and (told := _yes_or_no(success.body)):
        says = f"answers with `{told}` and no more"
        yield Candidate(value="read", weight=5.0, because=says, evidence=Evidence(says, success.pointer))
    if success.status in ("200", "201", "2XX") and (
        issues or not operation.fields or _looks_like_question(operation.operation_id, operation.path)
    ):
        body = success.body
        if body is None:
            return
        if only_a_token(body) and (issues or not operation.fields):
            says = "answers with a token and no more"
            yield Candidate(
                value="auth",
                weight=6.5 if _expires(body) else 4.0,
                because=says,
                evidence=Evidence(says, success.pointer),
            )
        names = {phrase(found.name) for found in body.fields if found.depth <= 1}
        if names & _PAGING:
            says = "answers with a page of a list"
            yield Candidate(value="read", weight=1.0, because=says, evidence=Evidence(says, success.pointer))


_TOLD = frozenset(
    {"available", "availability", "valid", "exist", "exists", "allowed", "eligible", "permitted", "sufficient"}
)
_TOLD |= frozenset({"supported", "taken", "unique", "match", "matches", "found", "covered", "known", "can", "has"})


def _yes_or_no(body: Body) -> str:
    """The one truth value that an answer consists of, where it answers a question."""
    top = [one for one in body.fields if one.depth == 0]
    if len(top) != 1 or top[0].shape.type != "boolean":
        return ""
    return top[0].name if set(joined(top[0].name).split("_")) & _TOLD else ""


def _about_tokens(path: str) -> bool:
    """Whether the last segment that is no bare verb speaks of a token or a session."""
    statics = [one for one in segments(path) if "{" not in one]
    noun = next((one for one in reversed(statics) if without_verbs(one)), "")
    return bool(word_list("verbs", "token").match(phrase(noun)))


def _only_secrets(subject: Subject) -> bool:
    given = [unit for unit in units(subject) if not word_list("fields", "shaping").match(unit.words)]
    return bool(given) and sum(bool(is_secret(unit)) for unit in given) * 2 >= len(given)


def _looks_like_question(name: str, path: str) -> bool:
    return bool({"list", "search", "query", "get", "find", "sync"} & set(phrase(name) + phrase(last_static(path))))


def only_a_token(body: Body) -> bool:
    """Whether an answer holds a token and when it expires, and no thing that was made."""
    top = [phrase(found.name) for found in body.fields if found.depth == 0]
    expires = _expires(body)
    token = any(name[-1:] == ("token",) or name[-2:] == ("listen", "key") for name in top)
    return token and (expires or len(top) <= 2) and ("id",) not in top


def _expires(body: Body) -> bool:
    return any(_EXPIRY & set(phrase(found.name)) for found in body.fields if found.depth == 0)


DETECTOR = Detector(question="kind", detect=detect)
