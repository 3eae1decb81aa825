"""What the summary, the operationId and the path's last word say that the operation does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from wizard.infer import naming
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, phrase, small_words, word_list
from wizard.infer.model import Evidence
from wizard.infer.paths import bare, methods_of
from wizard.infer.tables import table
from wizard.infer.things import last_static, plain_verb, segments, thing_of_verb
from wizard.spec.model import ApiOperation

_OF_TWO = re.compile(r"\s*(\w+) ?/ ?(\w+)")
_SENTENCE = re.compile(r"[.\n<]|\s-\s")


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return {name: frozenset(entry.get("verbs", ())) for name, entry in table("verbs").items()}


_MADE = frozenset({"person", "booking", "document", "payment"})
"""Things that a verb at the end of a path makes: `/customer/signup`, `/rooms/book`."""


def first_verb(text: str) -> str:
    """The verb that a summary or a name begins with, in its plain form."""
    known = _lists()
    everything = (
        known["read"]
        | known["write"]
        | known["action"]
        | known["create"]
        | known["update"]
        | known["auth"]
        | known["delete"]
    )
    head = _SENTENCE.split(text.strip(), maxsplit=1)[0][:90]
    words = phrase(head)[:9]
    if (both := _OF_TWO.match(head)) and plain_verb(both[2].lower()) in known["write"]:
        words = words[1:]  # `Get/Update the estimate` updates
    for at, word in enumerate(words):
        verb = plain_verb(word)
        two = " ".join((verb, *words[at + 1 : at + 2]))
        if two in everything:
            return two
        if verb in everything:
            return verb
        if word not in small_words("leading"):
            return ""
    return ""


def name_verb(operation: ApiOperation) -> str:
    """The verb in an operationId: in front (`createOrder`), behind a controller (`OrderApi_PostNew`), or at its end
    (`orders_create`)."""
    known = _lists()
    for part in reversed(re.split(r"[._/:]", operation.operation_id) if operation.operation_id else []):
        words = [plain_verb(word) for word in phrase(part)]
        while words and (words[0] in small_words("not_spoken") or words[0] == operation.method.lower()):
            del words[0]
        for verb in (" ".join(words[:2]), *words[:1]):
            if any(verb in known[name] for name in ("read", "write", "create", "update", "delete", "action", "auth")):
                return verb
    return ""


def _kinds_of(verb: str, *, strict: bool) -> Iterator[tuple[str, float]]:
    known = _lists()
    if verb in known["sure_read"]:
        yield "read", 1.5
    elif verb in known["read"] and verb not in known["write"]:
        yield "read", 0.3 if strict else 0.6
    if verb in known["auth"]:
        yield "auth", 1.0
    if verb in known["write"]:
        yield "write", 0.8
    for kind in ("delete", "create", "update", "action", "upsert"):
        if verb in known[kind]:
            yield kind, 0.5


def detect(subject: Subject) -> Iterator[Candidate]:
    operation = subject.operation
    if operation.method in ("GET", "HEAD"):
        yield from _get_that_writes(subject)
        return
    told = operation.summary if first_verb(operation.summary) else operation.description or operation.summary
    yield from _said(told, operation, "the summary says")
    yield from _called(operation)
    yield from _last_word(subject)
    text = f"{operation.summary} {operation.description[:600]}".lower()
    head = _SENTENCE.split((operation.summary or operation.description).strip(), maxsplit=1)[0].lower()
    if operation.method == "POST" and (signs := pattern("verbs", "auth_said").search(head)):
        weight = 4.0 if signs["token"] and not operation.fields else 2.5
        yield _candidate("auth", weight, "the summary speaks of signing in", f"{operation.pointer}/summary")
    if operation.method == "POST" and pattern("verbs", "looks_only").search(head):
        yield _candidate("read", 4.5, "the text says that it only looks", f"{operation.pointer}/summary")
    if operation.method == "POST" and pattern("verbs", "queued").search(text):
        yield _candidate("create", 3.0, "the text says that work is queued", f"{operation.pointer}/description")
    for said in table("verbs")["upsert"]["says"]:
        if said in text:
            weight = 4.0 if said in head else 1.5
            yield _candidate("upsert", weight, f"the text says “{said}”", f"{operation.pointer}/description")
            break
    if pattern("verbs", "hook_called").search(text):
        yield _candidate("hook", 9.0, "the text says that others call it", f"{operation.pointer}/description")
    if pattern("verbs", "hook").search(f"{operation.summary.lower()} {head}"):
        yield _candidate("hook", 6.0, "the text says that it receives a webhook", f"{operation.pointer}/description")


def _said(text: str, operation: ApiOperation, how: str) -> Iterator[Candidate]:
    verb = first_verb(text)
    at = f"{operation.pointer}/summary" if text == operation.summary else f"{operation.pointer}/description"
    weight = 3.0 if text == operation.summary else 2.0
    if verb in _lists()["compute"] and "{" not in operation.path:
        yield _candidate("read", 3.0, f"{how} “{verb}”, which keeps nothing", at)
    if _asks(verb, text, operation):
        yield _candidate("read", 3.0, f"{how} that it asks and answers", at)
    if verb in _WORKS_OUT and word_list("verbs", "computed").match(_phrase_said(text)):
        yield _candidate("read", 7.0, f"{how} that something is worked out", at)
    for kind, part in _kinds_of(verb, strict=False):
        yield _candidate(kind, weight * part, f"{how} “{verb}”", at)


def _asks(verb: str, text: str, operation: ApiOperation) -> bool:
    """Whether a summary asks if something is so, or answers with something."""
    words = _phrase_said(text)
    if verb == "return" and words[:1] == ("return",):
        return "return" not in phrase(operation.path)
    return verb in _lists()["read"] and bool(set(words[1:3]) & {"if", "whether"})


_WORKS_OUT = frozenset({"make", "perform", "run", "do"})


def _phrase_said(text: str) -> tuple[str, ...]:
    """The words of a text's first sentence."""
    return phrase(_SENTENCE.split(text.strip(), maxsplit=1)[0][:120])


def _called(operation: ApiOperation) -> Iterator[Candidate]:
    verb = name_verb(operation)
    for kind, part in _kinds_of(verb, strict=True):
        yield _candidate(
            kind, 2.0 * part, f"it is called “{operation.operation_id}”", f"{operation.pointer}/operationId"
        )


def _last_word(subject: Subject) -> Iterator[Candidate]:
    operation = subject.operation
    parts = segments(operation.path)
    last = last_static(operation.path)
    if not last:
        return
    at_end = parts[-1] == last
    words = phrase(last)
    lists = {name: word_list("verbs", name) for name in ("read_nouns", "auth", "token", "bulk")}
    says = f"the path ends with “{last}”" if at_end else f"the path speaks of “{last}”"
    pointer = operation.pointer
    verb = plain_verb(words[0]) if words else ""
    if lists["bulk"].match(words) or (words and words[0] in ("bulk", "batch", "mass")):
        yield _candidate("bulk", 3.0, says, pointer)
    worked_out = {plain_verb(one) for part in parts[:-1] for one in phrase(part)[:1] if "{" not in part}
    if operation.method == "POST" and "{" not in operation.path and worked_out & _WORKING_OUT:
        yield _candidate("read", 3.5, "the path leads through what works something out", pointer)
    if lists["auth"].match(words):
        alone = at_end and words in lists["auth"].whole
        yield _candidate("auth", 8.0 if alone else 5.0 if at_end else 1.0, says, pointer)
    elif any(word_list("verbs", "auth_segment").match(phrase(one)) for one in parts[:-1]):
        strong = at_end and (lists["token"].match(words) or words == ("refresh",))
        yield _candidate("auth", 4.5 if strong else 2.5, "the path leads through a place for signing in", pointer)
    done_to_it = "{" in "".join(parts[-2:-1]) and first_verb(operation.summary) in _lists()["action"]
    if at_end and word_list("verbs", "computed").match(words) and not done_to_it:
        yield _candidate("read", 9.0, f"{says}, which are worked out and not kept", pointer)
    many = naming.words(last)[-1:] != naming.stems(last)[-1:] and last.lower() != "exists"
    if (at_end and lists["read_nouns"].match(words) and not many) or (at_end and verb in _lists()["sure_read"]):
        yield _candidate("read", 3.5 if words == (verb,) and verb in _lists()["sure_read"] else 2.5, says, pointer)
    elif (
        at_end
        and operation.method == "POST"
        and thing_of_verb(verb or last.lower()) in _MADE
        and "{" not in "".join(parts[-2:])
    ):
        yield _candidate("create", 2.5, says, pointer)
    elif at_end and len(words) == 1 and verb in _lists()["action"] and len(parts) > 1 and "{" in parts[-2]:
        yield _candidate("action", 3.0, says, pointer)
    elif at_end and len(words) > 1 and not many and operation.method == "POST" and (kind := _changes(verb)):
        yield _candidate(kind, 1.0, says, pointer)
    elif at_end and _is_what_is_done(words, parts, operation, many=many) and not _is_read_beside(subject, words):
        yield _candidate("action", 1.0, f"{says}, which the summary says is done", pointer)
    elif at_end and words and verb in _lists()["write"] and operation.method == "POST":
        yield _candidate("write", 0.8, says, pointer)


def _changes(verb: str) -> str:
    """What a path's last word with an object does to what is there: `change_protection`, `removeUser`."""
    known = _lists()
    return "delete" if verb in known["delete"] else "update" if verb in known["update"] - known["create"] else ""


def _is_what_is_done(words: Sequence[str], parts: Sequence[str], operation: ApiOperation, *, many: bool) -> bool:
    """Whether what stands behind a thing's id begins with the verb of the summary, in no list of ours:
    `/ships/{id}/jump`, `/pools/{id}/upgradeos`."""
    behind_an_id = len(parts) > 1 and "{" in parts[-2] and operation.method == "POST"
    said = plain_verb(next(iter(naming.stems(operation.summary.strip().partition(" ")[0])), ""))
    if not behind_an_id or not words or not said:
        return False
    if plain_verb(words[0]) == said:
        return not many and not any(said in verbs for verbs in _lists().values())
    return len(words) == 1 and len(said) >= _LONG and words[0].startswith(said)


def _is_read_beside(subject: Subject, words: Sequence[str]) -> bool:
    """Whether what the verb makes can be read beside it: `/alerts/{id}/annotations` beside `/alerts/{id}/annotate`."""
    above = bare(subject.operation.path).rpartition("/")[0]
    begins = tuple(word[:_LONG] for word in words)
    read = (path for path, methods in methods_of(subject).items() if "GET" in methods and path.startswith(f"{above}/"))
    beside = (path[len(above) + 1 :] for path in read)
    return any(tuple(word[:_LONG] for word in naming.stems(last)) == begins for last in beside if "/" not in last)


_LONG = 5
"""Letters of a verb that may be glued to its object."""


def _get_that_writes(subject: Subject) -> Iterator[Candidate]:
    """A GET whose path ends with a verb and its object (`make_payment`), or with a verb that has no other reading
    (`send`). `create` and `edit` alone are pages with a form."""
    operation = subject.operation
    parts = segments(operation.path)
    last = last_static(operation.path)
    if not parts or not last:
        return
    if "{" in parts[-1] and (len(phrase(last)) < _WITH_OBJECT or first_verb(operation.summary) != phrase(last)[0]):
        return
    words = phrase(last)
    verb = plain_verb(words[0]) if words else ""
    known = _lists()
    if verb not in known["sure_write"] or naming.words(last)[0] != verb:
        return
    named = phrase(operation.operation_id)[:1] if "=" not in operation.path else ()
    said = {first_verb(operation.summary), name_verb(operation), *named}
    if said & known["read"] or "POST" in methods_of(subject).get(bare(operation.path), ()):
        return
    if len(words) > 1 or verb in known["alone_write"]:
        says = f"the path ends with “{last}”, though it is a GET"
        kind = next((name for name in ("delete", "update", "action", "create") if verb in known[name]), "action")
        yield _candidate("write", 4.5, says, operation.pointer)
        yield _candidate(kind, 0.5, says, operation.pointer)


_WITH_OBJECT = 2
_WORKING_OUT = frozenset({"compute", "calculate", "estimate", "simulate", "preview"})


def _candidate(kind: str, weight: float, says: str, at: str) -> Candidate:
    return Candidate(value=kind, weight=weight, because=says, evidence=Evidence(says, at))


DETECTOR = Detector(question="kind", detect=detect)
