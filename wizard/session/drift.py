"""What changed in the document for a declaration that was written before, in words."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from wizard.lint.matching import operation_of
from wizard.operation.field_path import FieldPath
from wizard.operation.model import KeyPlace, Operation, Probe
from wizard.session.state import Entry
from wizard.spec.model import ApiDocument, Field


def what_changed(entry: Entry, document: ApiDocument) -> tuple[str, ...]:
    """What the document no longer bears of the written declaration, one sentence each; empty where nothing drifted."""
    if entry.written is None or not entry.written.drifted:
        return ()
    said = tuple(_changes(entry, entry.written.operation, document))
    return said or (
        "The document says something else of this operation; all that the declaration uses is still there.",
    )


def _changes(entry: Entry, written: Operation, document: ApiDocument) -> Iterator[str]:
    if entry.proposed is not None and _address(entry.proposed.url) != _address(written.url):
        yield f"The address is another now: `{entry.proposed.url}`."
    known = {field.path: field for field in reversed(entry.api.fields)}
    if entry.written is not None and (known or not written.body):
        yield from _fields(entry, written, known)
    if written.key is not None and not entry.key_source and not _shows(entry, written.key, known):
        yield f"The document no longer shows the key's place, the {written.key.place} `{written.key.name}`."
    if written.reference is not None and known and written.reference.path.name not in known:
        yield f"The reference `{written.reference.name}` is gone."
    if written.probe is not None:
        yield from _probe(written.probe, document)


def _fields(entry: Entry, written: Operation, known: dict[str, Field]) -> Iterator[str]:
    identity = {path.name for path in written.identity}
    for path in dict.fromkeys((*written.identity, *written.body)):
        name = path.name
        part = "the identity field" if name in identity else "the field"
        if path.place != "body":
            given = {one.name for one in entry.api.parameters if one.location == path.place}
            if path.segments[0].name not in given:
                yield f"The {path.place} parameter `{path.segments[0].name}` is gone."
        elif path.whole_body:
            continue
        elif name not in known:
            yield f"{part.capitalize()} `{name}` is gone from the body."
        elif known[name].shape.read_only:
            yield f"{part.capitalize()} `{name}` is read-only now: the model cannot set it."
        elif name in identity and not path.optional and not path.in_array and not known[name].always:
            yield f"{part.capitalize()} `{name}` is optional now: a request without it is refused by the host."
    listed = [path.required() for path in written.body]
    host = [written.key.path] if written.key is not None else []
    for field in known.values():
        path = FieldPath.parse(field.path)
        if field.always and not field.shape.read_only and not any(one.covers(path) for one in (*listed, *host)):
            if any(path.covers(one) for one in (*listed, *host)):
                continue
            yield f"The field `{field.path}` is required now, and the skill does not name it."


def _shows(entry: Entry, key: KeyPlace, known: dict[str, Field]) -> bool:
    if key.place == "field":
        return key.path.name in known or not known
    return any(
        one.location == key.place and one.name.lower() == key.name.lower() for one in entry.api.parameters
    )  # fmt: skip


def _probe(probe: Probe, document: ApiDocument) -> Iterator[str]:
    found = operation_of(document, Operation(method="GET", url=probe.url))
    if found is None:
        yield f"The probe's `GET {urlsplit(probe.url).path}` is gone."
        return
    given = {one.name for one in found.parameters_in("query")}
    for name, _ in parse_qsl(urlsplit(probe.url).query, keep_blank_values=True):
        if name not in given:
            yield f"The probe asks by `{name}`, which its GET no longer takes."


def _address(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


def gone(held: dict[str, str], document: ApiDocument) -> tuple[str, ...]:
    """Operations that have a skill and that the document no longer has; `held` is operation to file."""
    return tuple(
        f"{name} is gone from the document; `{file}` stays"
        for name, file in held.items()
        if name not in document.by_name
    )
