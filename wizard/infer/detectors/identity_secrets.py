"""Secrets, card data and one-time tokens: they may differ from one attempt to the next, and belong in no key."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.credentials import says_who_calls
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, says
from wizard.infer.roles import against
from wizard.infer.secrets import is_secret
from wizard.infer.things import about_of, path_words
from wizard.infer.units import Unit, units

_CREDENTIAL = (("client", "id"), ("api", "id"), ("application", "id"), ("merchant", "id"), ("login",), ("user",))
_OF_SESSION = (("id",), ("session",), ("token",), ("key",), ("user",))
_CALLER = (("key",), ("user", "key"), ("appid",), ("application", "key"), ("license",), ("sid",))
"""What a caller puts into the query to say who it is."""
_BESIDE = (
    ("secret",),
    ("client", "secret"),
    ("application", "secret"),
    ("api", "key"),
    ("authtoken",),
    ("auth", "token"),
)


def detect(subject: Subject) -> Iterator[Candidate]:
    given = units(subject)
    beside_secret = any(unit.words in _BESIDE for unit in given)
    for unit in given:
        kind = is_secret(unit)
        if unit.words[-1:] in _OF_SESSION and pattern("grammar", "session_said").search(unit.description[:200]):
            yield against(unit, 10, "who is signed in", final=True, role="secret")
        elif kind:
            yield against(unit, 10, says(kind), final=True, role=kind)
        elif _is_callers(subject, unit):
            yield against(unit, 10, "the caller's key", final=True, role="secret")
        elif beside_secret and unit.words in _CREDENTIAL:
            yield against(unit, 10, "a credential, beside its secret", final=True, role="secret")
    named = {unit.words for unit in given}
    for unit in given:
        front = unit.words[:-2] if unit.words[-2:] == ("user", "name") else unit.words[:-1]
        is_login = unit.words[-2:] == ("user", "name") or unit.words[-1:] == ("username",)
        if is_login and front and (*front, "password") in named:
            yield against(unit, 10, "a credential, beside its password", final=True, role="secret")
    secrets = {unit.path for unit in given if is_secret(unit)}
    if len(secrets) >= 2:
        for unit in given:
            if unit.words[-1:] == ("expiry",) or unit.words[-2:] in (
                ("expiry", "date"),
                ("expiry", "month"),
                ("expiry", "year"),
            ):
                yield against(unit, 10, says("card"), final=True, role="card")


def _is_callers(subject: Subject, unit: Unit) -> bool:
    """Whether a key says who is calling: in the query, by its text, or where the thing is none that has a key."""
    if unit.place == "query":
        if unit.words not in _CALLER or "key" in path_words(subject.operation.path):
            return False
        if unit.words != ("key",) or not unit.required or not unit.description:
            return True
        said = pattern("grammar", "key_of_caller").search(unit.description[:200])
        return said is not None or says_who_calls(subject.document, unit.name)
    if unit.words != ("key",) or unit.level > 0:
        return False
    if not unit.description:
        return about_of(subject).thing is None and unit.required
    return pattern("grammar", "key_of_caller").search(unit.description[:200]) is not None


DETECTOR = Detector(question="identity", detect=detect)
