"""How a recipient answers what it does not carry out: refusals, duplicates, what can be done once only."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from wizard.infer.lexicon import pattern as infer_pattern
from wizard.infer.model import Confidence, FailedProposal
from wizard.infer.picking import Weighed
from wizard.infer.propose import Looked
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.rehearse.facts import DuplicateFacts, ReferenceFacts, RefusalFacts, Shown
from wizard.rehearse.truth.words import pattern, sentences
from wizard.rehearse.values import find, put, steps_of, steps_of_jsonpath, without
from wizard.spec.model import ApiOperation

_REFUSALS = ("422", "400")
_CONFLICTS = ("409", "422", "400", "412")


def success_status(api: ApiOperation | None, method: str) -> int:
    """The status of an answer that says that it is done."""
    status = api.success.status if api is not None and api.success is not None else ""
    if status.isdecimal():
        return int(status)
    return 200 if api is not None or method != "POST" else 201


def refusal_facts(
    declared: Operation, api: ApiOperation | None, looked: Looked | None, notes: list[str]
) -> RefusalFacts:  # fmt: skip
    """How a refused request is answered."""
    documented = [one.status for one in api.responses] if api else []
    status = next((int(one) for one in _REFUSALS if one in documented), 400)
    refuses = any(one.startswith("4") for one in documented)
    told = looked.proposal.failed if looked is not None else None
    if api is not None and told is not None and not refuses:
        if told.confidence is not Confidence.LOW:
            return _told(api, told)
        notes.append(f"Refusals are taken to be answered with {status}: {told.why}")
    if declared.failed is not None and not refuses and (api is None or not _answers(api)):
        simple = _simple(declared.failed)
        if simple is not None:
            notes.append(
                f"No document shows how a refusal looks; the declared `failed: {declared.failed}` is believed."
            )
            return simple
    return RefusalFacts(status=status)


def _answers(api: ApiOperation) -> bool:
    return bool(api.success and api.success.body and api.success.body.fields)


def _told(api: ApiOperation, found: FailedProposal) -> RefusalFacts:
    """A refusal that the member of a success answer tells."""
    return RefusalFacts(
        status=success_status(api, api.method), member=steps_of(found.member), bad=_bad(api, found), good=found.good
    )  # fmt: skip


def gone_well(shown: Shown, looked: Looked) -> Shown:
    """An answer of success that says of itself that it is one, where it has a member for it."""
    told = looked.proposal.failed
    if told is None or told.confidence is Confidence.LOW or told.member in shown.members.values():
        return shown
    steps = steps_of(told.member)
    if find(shown.base, steps) is MISSING:
        return shown
    body = shown.api.success.body if shown.api is not None and shown.api.success is not None else None
    member = body.by_path.get(told.member) if body else None
    nothing: Any = [] if member is not None and member.shape.type == "array" else ""
    if told.good is not None:
        base = put(shown.base, steps, told.good)
    elif member is not None and (member.shape.nullable or member.required):
        base = put(shown.base, steps, None if member.shape.nullable else nothing)
    else:
        base = without(shown.base, steps)
    return replace(shown, base=base)


def _bad(api: ApiOperation, found: FailedProposal) -> Any:
    """A value that says so: another one of the schema's, or a made-up one of its form."""
    if found.bad is not None:
        return found.bad
    body = api.success.body if api.success else None
    member = body.by_path.get(found.member) if body else None
    shape = member.shape if member else None
    other = next((one for one in shape.enum if one not in (found.good, None)), None) if shape else None
    if other is not None:
        return other
    if isinstance(found.good, int):
        return found.good + 1
    if shape is not None and member is not None and shape.type in ("object", "array"):
        reason: Any = {"message": "refused"} if member.composite or shape.type == "object" else "refused"
        return [reason] if shape.type == "array" else reason
    return "refused"


def _simple(failed: str) -> RefusalFacts | None:
    """A refusal that a JSONPath of FORMAT's `failed` selects: `$[?@.ok == false]`, `$.error`."""
    found = re.fullmatch(r"\$\[\?\s*\(?@\.(\w+)\s*==\s*(true|false|'[^']*'|\"[^\"]*\")\)?\s*\]", failed)
    if found:
        text = found[2]
        bad = text == "true" if text in ("true", "false") else text[1:-1]
        return RefusalFacts(status=200, member=(found[1],), bad=bad, good=not bad if isinstance(bad, bool) else None)
    steps = steps_of_jsonpath(failed)
    return RefusalFacts(status=200, member=steps, bad="refused") if steps and None not in steps else None


def duplicate_facts(api: ApiOperation | None, looked: Looked | None) -> DuplicateFacts | None:
    """What must be unique, as the text of a conflict says."""
    if api is None or looked is None or looked.composed is None or looked.proposal.kind not in ("create", "upsert"):
        return None
    said, taken = infer_pattern("grammar", "conflict_said"), pattern("again", "taken")
    found: list[str] = []
    status = 0
    for code in _CONFLICTS:
        for answer in api.responses:
            if answer.status != code:
                continue
            texts = [one for one in sentences(answer.description) if said.search(one) or taken.search(one)]
            fields = [one.unit.path for one in looked.composed.weighed if any(_speaks_of(text, one) for text in texts)]
            if fields:
                status = status or int(code)
                found += fields
    named = [one.unit.path for one in looked.composed.weighed if "unique" in one.roles]
    fields = list(dict.fromkeys((*named, *found)))
    if not fields:
        return None
    documented = {one.status for one in api.responses}
    status = status or next((int(one) for one in _CONFLICTS if one in documented), 409)
    return DuplicateFacts(status=status, fields=tuple(fields))


def _speaks_of(text: str, one: Weighed) -> bool:
    """Whether a sentence names a field, in words or as it is written: `e-mail address` is `email`."""
    unit = one.unit
    if unit.place != "body" or unit.composite or unit.is_array or len(unit.name) < _SHORTEST_NAME:
        return False
    plain = re.sub(r"\be-mail", "email", text, flags=re.IGNORECASE)
    spoken = r"[\s_-]?".join(re.escape(word) for word in unit.words)
    return re.search(rf"\b({re.escape(unit.name)}|{spoken})\b", plain, re.IGNORECASE) is not None


_SHORTEST_NAME = 3


def again_facts(api: ApiOperation | None, looked: Looked | None) -> int | None:
    """The status for doing again what can be done once only."""
    if api is None or looked is None or looked.proposal.kind not in ("action", "delete"):
        return None
    done = pattern("again", "done")
    for status in _CONFLICTS:
        for answer in api.responses:
            if answer.status == status and done.search(answer.description):
                return int(status)
    return 404 if api.method == "DELETE" and any(one.status == "404" for one in api.responses) else None


def reference_facts(declared: Operation, looked: Looked | None, api: ApiOperation | None) -> ReferenceFacts | None:
    """The field that is stored and given back."""
    found = looked.proposal.reference if looked is not None else None
    if declared.reference is not None:
        name = declared.reference.path.name
        unique = found is not None and found.name == name and found.unique == "yes"
        return ReferenceFacts(name=name, unique=unique)
    return ReferenceFacts(name=found.name, unique=found.unique == "yes") if found is not None else None
