"""A proposal as the declaration to be written (FORMAT 2): the operation with its URL, its fields and its probe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from wizard.errors import UsageError
from wizard.infer.credentials import says_who_calls
from wizard.infer.detector import Subject
from wizard.infer.keys import fits_any, fitting_shape
from wizard.infer.lexicon import pattern, phrase, word_list
from wizard.infer.model import Confidence, KeyProposal, Proposal
from wizard.infer.probe_declared import Written, declared_probe, key_source, may_declare
from wizard.infer.secrets import secret_name
from wizard.infer.units import Unit, units
from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import METHODS, KeyPlace, Money, Operation, Probe, Reference
from wizard.spec import transport
from wizard.spec.extensions import on_server
from wizard.spec.model import ApiDocument, ApiOperation, Parameter

_ABSOLUTE = re.compile(r"https?://[^/{}\s]+", re.IGNORECASE)
_GIVEN = re.compile(r"https?://[^/?#{}\s]+(?:/[^?#{}\s]*)?", re.IGNORECASE)
_JSON = "application/json"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_WRITING = frozenset({"POST", "PATCH", "DELETE"})
_NOT_FILLED = ("shaping_body", "nonce", "clock", "audit")


def server_of(document: ApiDocument, operation: ApiOperation) -> str:
    """The first server that is a whole address, empty where the document has none."""
    for server in (*operation.servers, *document.servers):
        if _ABSOLUTE.match(server):
            return server.rstrip("/")
    return ""


def given_server(text: str) -> str:
    """The address that somebody gave for the document's own, without a slash at its end; empty where none is given.

    Raises UsageError for what paths cannot stand behind: no whole address, one with `{…}`, a query or a fragment.
    """
    if not text or _GIVEN.fullmatch(text):
        return text.rstrip("/")
    if not _ABSOLUTE.match(text):
        remedy = "It begins with `https://` and has no `{…}` in its host"
    else:
        remedy = "It ends with its path: no `?`, `#`, `{…}` or blank stands in it"
    raise UsageError(f"`{text}` is no address that paths can stand behind", remedy=remedy)


def declare(
    proposal: Proposal, document: ApiDocument, *, server: str = "", confirmed: bool = True
) -> Operation:  # fmt: skip
    """The declaration that the proposal stands for.

    `server` takes the place of the document's own; `confirmed` false writes `status: proposed`. What a declaration
    cannot say is left out: a key that is a number of the matter stays identity, and a probe that could take another
    write for this one is none (`probe_declared`). Raises UsageError where the document
    names no server and none is given.
    """
    operation = proposal.operation
    base = server or server_of(document, operation)
    if not base:
        raise UsageError(
            f"the document names no server for {operation.name}", place=document.source,
            remedy="Give the address that its paths begin with, `--server https://…`",
        )  # fmt: skip
    subject = Subject(document=document, operation=operation)
    key = key_of(proposal)
    stuck = uncarried(operation, proposal.identity.fields)
    identity = () if stuck else tuple(_identity(proposal))
    reference = None
    if proposal.write and proposal.reference and may_declare(proposal.reference.name, identity, operation):
        reference = _reference(proposal.reference.name, identity, operation)
    host_filled = {key.name} if key and key.place == "field" else set()
    if reference is not None and not any(path.required().covers(reference.path) for path in identity):
        host_filled.add(reference.name)
    named = tuple(_body(subject, host_filled, identity))
    body = (*named, *_left(operation, (*named, *identity), host_filled))
    fixed = dict(_fixed_query(operation))
    method = operation.method if operation.method in METHODS else "POST"
    return Operation(
        method=method,
        url=_url(base, operation, fixed),
        query=tuple(_query(subject, key, fixed, identity)),
        header=tuple(_headers(operation, key)),
        content=_content(operation),
        body=body,
        write=_write(proposal, method),
        identity=identity,
        scope=None if identity or not stuck or not proposal.write else "arguments",
        key=key,
        reference=reference,
        probe=None if stuck else _probe(proposal, document, base, identity, reference),
        failed=_failed(proposal),
        keep=Duration.parse(proposal.keep) if proposal.keep and proposal.write else None,
        money=Money(*proposal.money) if proposal.money and proposal.write else None,
        status=None if confirmed or not proposal.write else "proposed",
    )


def _write(proposal: Proposal, method: str) -> bool | None:
    """`write`, where the method alone would say otherwise. A PUT that only replaces is harmless to repeat."""
    if not proposal.write:
        return False if method in _WRITING else None
    if method in _WRITING:
        return None
    return True if method != "PUT" or proposal.kind in ("create", "action", "bulk", "delete") or proposal.key else None


def _url(base: str, operation: ApiOperation, fixed: Mapping[str, str]) -> str:
    path, mark, fragment = operation.path.partition("#")
    url = on_server(base, path)
    if fixed:
        joined = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in fixed.items())
        url += ("&" if "?" in url else "?") + joined
    return f"{url}{mark}{fragment}"


def _fixed_query(operation: ApiOperation) -> Iterator[tuple[str, str]]:
    """Query parameters that each request must have and that can be one value only."""
    for parameter in operation.parameters_in("query"):
        only = parameter.shape.enum if len(parameter.shape.enum) == 1 else (parameter.shape.const,)
        if parameter.required and only[0] is not None:
            yield parameter.name, str(only[0])


def _query(
    subject: Subject, key: KeyPlace | None, fixed: Mapping[str, str], identity: tuple[FieldPath, ...]
) -> Iterator[str]:
    named = {path.segments[0].name for path in identity if path.place == "query"}
    for parameter in subject.operation.parameters_in("query"):
        taken = parameter.name in fixed or (key is not None and key.place == "query" and key.name == parameter.name)
        if not taken and (parameter.name in named or not _is_transport(subject.document, parameter)):
            yield parameter.name


def _is_transport(document: ApiDocument, parameter: Parameter) -> bool:
    """Whether the transport adds it. What one operation of many requires is an argument, whatever its name: without it
    no call could be made."""
    words = phrase(parameter.name)
    if word_list("fields", "nonce").match(words):
        return True
    if not parameter.required:
        return bool(secret_name(words))
    if words == ("key",) and pattern("grammar", "key_of_caller").search(parameter.description[:200]):
        return True
    return bool(secret_name(words) or words == ("key",)) and says_who_calls(document, parameter.name)


def _headers(operation: ApiOperation, key: KeyPlace | None) -> Iterator[str]:
    own = key.name.lower() if key and key.place == "header" else ""
    for parameter in operation.parameters_in("header"):
        if parameter.name.lower() == own:
            continue
        if not transport.HEADERS.fullmatch(parameter.name) or _is_given(parameter):
            yield parameter.name


def _is_given(parameter: Parameter) -> bool:
    """Whether a header that looks like the transport's can have one value only: that says what is called, and is no
    credential, signature or time. What the body is, and what is accepted, the transport knows."""
    shape = parameter.shape
    name = parameter.name.lower()
    return (
        parameter.required
        and (len(shape.enum) == 1 or shape.const is not None)
        and not name.startswith(("accept", "content-"))
    )


def _content(operation: ApiOperation) -> str:
    given = operation.body.media_type if operation.body is not None else next(iter(operation.media_types), "")
    return _JSON if not given or "*" in given else given


def _body(subject: Subject, host_filled: set[str], identity: tuple[FieldPath, ...]) -> Iterator[FieldPath]:
    """The fields that the model fills in; an object that holds a host-filled field is named by its other members."""
    in_identity = [path.required() for path in identity if path.place == "body"]
    for unit in units(subject):
        if unit.place != "body" or unit.shape.read_only:
            continue
        named = any(FieldPath.parse(unit.path).covers(path) for path in in_identity)
        if not named and not unit.required and (unit.shape.deprecated or _by_recipient(unit)):
            continue
        yield from _without(unit, host_filled)


def _left(operation: ApiOperation, named: Iterable[FieldPath], host_filled: set[str]) -> Iterator[FieldPath]:
    """What must stand in each request and is in nothing that is named, the outermost: an object of which the document
    shows no member that could be given."""
    filled = [FieldPath.parse(name) for name in host_filled]
    known = [path.required() for path in named]
    for field in operation.fields:
        path = FieldPath.parse(field.path)
        if not field.always or field.shape.read_only or path.in_array or path.whole_body:
            continue
        if not any(one.covers(path) or path.covers(one) for one in (*known, *filled)):
            known.append(path)
            yield path


def _by_recipient(unit: Unit) -> bool:
    return any(word_list("fields", name).match(unit.words) for name in _NOT_FILLED)


def _without(unit: Unit, host_filled: set[str]) -> Iterator[FieldPath]:
    path = FieldPath.parse(unit.path)
    inside = [name for name in host_filled if path.covers(FieldPath.parse(name))]
    if not inside:
        yield path
        return
    if unit.path in host_filled:
        return
    for member in unit.members:
        own = FieldPath.parse(member.path)
        holds = any(own.covers(FieldPath.parse(name)) for name in inside)
        if not holds and not member.shape.read_only and _is_direct(own, path):
            yield own


def _is_direct(inner: FieldPath, outer: FieldPath) -> bool:
    return len(inner.segments) == len(outer.segments) + 1


def uncarried(operation: ApiOperation, fields: Iterable[str]) -> str:
    """The first of some fields that no call can have as a value: in a body that is neither JSON nor a form, and in a
    form what is no text. Empty where all can.

    Such an identity is not declared, or each call would be refused: equal arguments are one write then.
    """
    content = _content(operation).partition(";")[0].strip().lower()
    if content == _JSON or content.endswith("+json"):
        return ""
    sent = operation.body.by_path if operation.body else {}
    for name in fields:
        path = FieldPath.parse(name)
        if path.place != "body":
            continue
        field = sent.get(name)
        nested = len(path.segments) > 1 or path.in_array or path.whole_body
        held = field is not None and (field.composite or field.shape.type == "object")
        objects = field is not None and field.shape.type == "array" and field.shape.item_type in ("object", "array")
        if content not in _FORMS or nested or held or objects:
            return name
    return ""


def _can_fill(operation: ApiOperation, name: str) -> bool:
    """Whether the host can put a value at a field: in a form at its top or inside an object, which goes out as JSON."""
    content = _content(operation).partition(";")[0].strip().lower()
    if content in _FORMS:
        return not FieldPath.parse(name).in_array
    return content == _JSON or content.endswith("+json")


def _identity(proposal: Proposal) -> Iterator[FieldPath]:
    if not proposal.write:
        return
    for name in proposal.identity.fields:
        path = FieldPath.parse(name)
        optional = name in proposal.identity.optional
        yield FieldPath(path.place, path.segments, optional=optional)


def why_no_key(proposal: Proposal) -> str:
    """What keeps the proposed key from being declared; empty where nothing does, and where none is proposed."""
    found: KeyProposal | None = proposal.key
    if found is None or not proposal.write:
        return ""
    if not found.declared:
        return "the document does not show it"
    name = f"query:{found.name}" if found.place == "query" else found.name
    if found.place != "header" and name in proposal.identity.fields:
        return "it is part of the identity, and the model gives it"
    if not found.fits:
        return "no key that the host makes fits there"
    if found.place == "field" and (_unreadable(found.name) or not _can_fill(proposal.operation, found.name)):
        return "the host cannot put one there"
    return ""


def key_of(proposal: Proposal) -> KeyPlace | None:
    """The key that would be declared; None where none is proposed, or something keeps it from being declared."""
    found: KeyProposal | None = proposal.key
    if found is None or not proposal.write or why_no_key(proposal):
        return None
    shape = found.shape if found.shape in ("uuid", "uuid4", "hex32", "hex64") else "uuid"
    return KeyPlace(
        place=found.place,
        name=found.name,
        shape=shape,  # type: ignore[arg-type]
        remembered_for=Duration.parse(found.remembers_for) if found.remembers_for else None,
        remembers="success" if found.remembers == "success" else "all",
    )


def _unreadable(name: str) -> bool:
    try:
        FieldPath.parse(name)
    except FieldPathError:
        return True
    return False


def _reference(name: str, identity: tuple[FieldPath, ...], operation: ApiOperation) -> Reference | None:
    """The reference in a shape that its place takes; None where the host has to fill it and none does."""
    path = FieldPath.parse(name)
    field = operation.body.by_path.get(name) if operation.body else None
    if field is None or any(one.required().covers(path) for one in identity):
        return Reference(name)
    text = field.shape.description.lower()
    if not fits_any(field.shape, text) or not _can_fill(operation, name):
        return None
    return Reference(name, fitting_shape(field.shape, text))  # type: ignore[arg-type]


def _failed(proposal: Proposal) -> str | None:
    """What says that a success is none, where the document is plain about it."""
    found = proposal.failed
    return found.path if found is not None and proposal.write and found.confidence is not Confidence.LOW else None


def _probe(
    proposal: Proposal, document: ApiDocument, base: str, identity: tuple[FieldPath, ...], reference: Reference | None
) -> Probe | None:
    if proposal.probe is None or not proposal.write:
        return None
    written = Written(
        document=document,
        operation=proposal.operation,
        kind=proposal.kind,
        identity=identity,
        reference=reference.path if reference else None,
        key=key_source(proposal.key),
        repeats=bool(proposal.keep),
    )
    return declared_probe(proposal.probe, written, base)[0]
