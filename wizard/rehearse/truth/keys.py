"""The key that a recipient honours: where the document shows one, and how it treats what comes under it again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Subject
from wizard.infer.keys import PROPOSED_FROM, remembered_for, remembers_success, sites, weigh
from wizard.infer.model import Confidence, KeyProposal
from wizard.infer.propose import Looked, seen
from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath
from wizard.operation.model import DEFAULT_KEY_MEMORY, KeyPlace, Operation
from wizard.rehearse.facts import KeyFacts
from wizard.rehearse.truth.words import pattern, sentences
from wizard.spec.model import ApiDocument, ApiOperation

_STATUSES = ("409", "422", "400", "412", "403")
_STATUS = re.compile(r"\b(400|409|412|422)\b")

Notes = list[str]


def key_facts(
    declared: Operation, api: ApiOperation | None, document: ApiDocument | None, looked: Looked | None, notes: Notes
) -> KeyFacts | None:
    """The key that is honoured, None where none is; what had to be believed goes to `notes`."""
    key = declared.key
    if api is None or document is None or looked is None:
        if key is None:
            return None
        notes.append(
            f"No document shows {_named(key.place, key.name)}; the declaration is believed that it is the key."
        )
        return _believed(key)
    found = looked.proposal.key
    shown = found if found is not None and found.declared and found.confidence is not Confidence.LOW else None
    if key is None:
        return _shown(shown, api, document, None, notes) if shown else None
    if found is not None and found.declared and _same(found.place, found.name, key):
        return _shown(found, api, document, key, notes)
    if _stands_there(api, key):
        if _may_be(looked.subject, key):
            proposal = KeyProposal(place=key.place, name=key.name)
            return _shown(proposal, api, document, key, notes)
        notes.append(
            f"{_named(key.place, key.name)} is declared as the key, and the document shows it as something else: it is"
            " not honoured."
        )
        return _shown(shown, api, document, None, notes) if shown else None
    if shown is not None:
        notes.append(
            f"The document shows the key at {_named(shown.place, shown.name)}; {_named(key.place, key.name)}, which is"
            " declared, is not honoured."
        )
        return _shown(shown, api, document, None, notes)
    notes.append(
        f"The document does not show {_named(key.place, key.name)}; the declaration is believed that it is the key."
    )
    return _believed(key, api, document)


def _named(place: str, name: str) -> str:
    what = {"header": "the header", "query": "the query parameter", "field": "the field"}[place]
    return f"{what} `{name}`"


def _same(place: str, name: str, key: KeyPlace) -> bool:
    return place == key.place and (name.lower() == key.name.lower() if place == "header" else name == key.name)


def _stands_there(api: ApiOperation, key: KeyPlace) -> bool:
    if key.place == "field":
        return any(one.path == FieldPath.parse(key.name).name for one in api.fields)
    return any(_same(one.location, one.name, key) for one in api.parameters if one.location in ("header", "query"))


def _may_be(subject: Subject, key: KeyPlace) -> bool:
    """Whether the detectors take a place for a key, be it not the best one."""
    for (place, name), candidates in weigh(seen(subject, "key")).items():
        if place == key.place and name == key.name.lower():
            return sum(one.weight for one in candidates) >= PROPOSED_FROM
    return False


def _believed(key: KeyPlace, api: ApiOperation | None = None, document: ApiDocument | None = None) -> KeyFacts:
    texts = _texts(api, document, "") if api and document else ""
    return KeyFacts(
        place=key.place, name=key.name, memory=key.memory, remembers=key.remembers,
        other_body=_other_body(api, texts), in_progress=_in_progress(api), by="declaration",
    )  # fmt: skip


def _shown(
    found: KeyProposal, api: ApiOperation, document: ApiDocument, key: KeyPlace | None, notes: Notes
) -> KeyFacts:
    own, required = _site(api, document, found)
    texts = _texts(api, document, own)
    said = found.remembers_for or remembered_for(texts.lower())
    memory = Duration.parse(said) if said else None
    if memory is None and key is not None and key.remembered_for is not None:
        memory = key.remembered_for
        notes.append(f"The document does not say how long keys are remembered; the declaration is believed: {memory}.")
    elif memory is not None and key is not None and key.remembered_for not in (None, memory):
        notes.append(f"Keys are remembered for {memory}, as the document says, and not for {key.remembered_for}.")
    success = found.remembers == "success" or remembers_success(texts.lower())
    if not success and key is not None and key.remembers == "success":
        success = True
        notes.append("The document does not say whether failures are remembered; the declaration is believed: not.")
    return KeyFacts(
        place=found.place, name=found.name, memory=memory or DEFAULT_KEY_MEMORY,
        remembers="success" if success else "all", other_body=_other_body(api, own or texts),
        in_progress=_in_progress(api), required=required or found.required,
    )  # fmt: skip


def _site(api: ApiOperation, document: ApiDocument, found: KeyProposal) -> tuple[str, bool]:
    """What the document says of the place, and whether each request must have it."""
    for site in sites(Subject(document=document, operation=api)):
        if site.place == found.place and site.name.lower() == found.name.lower():
            return site.text, site.required
    return "", False


def _texts(api: ApiOperation, document: ApiDocument, own: str) -> str:
    """The sentences about keys: of the place itself, of the operation, of the whole document."""
    about = pattern("key", "about")
    more = (one for text in (api.description, document.description) for one in sentences(text) if about.search(one))
    return "\n".join((own, *more))


def _answers(api: ApiOperation | None) -> Iterator[tuple[int, str]]:
    """The error answers with what is said of each."""
    for status in _STATUSES:
        for answer in api.responses if api else ():
            if answer.status == status:
                body = answer.body
                shown = " ".join(str(one) for one in body.examples[:3]) if body else ""
                yield int(status), f"{answer.description} {shown}"[:2000]


def _other_body(api: ApiOperation | None, text: str) -> int | None:
    other, about, refused = pattern("key", "other_body"), pattern("key", "about"), pattern("key", "refused")
    said = [one for one in sentences(text) if other.search(one) and refused.search(one)]
    for sentence in said:
        if number := _STATUS.search(sentence):
            return int(number[1])
    for status, description in _answers(api):
        if about.search(description) and other.search(description):
            return status
    if not said:
        return None
    documented = {one.status for one in api.responses} if api else set()
    return next((int(status) for status in ("409", "422", "400") if status in documented), 409)


def _in_progress(api: ApiOperation | None) -> int | None:
    going = pattern("key", "in_progress")
    return next((status for status, description in _answers(api) if going.search(description)), None)
