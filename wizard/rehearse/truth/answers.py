"""How a recipient answers what it does not carry out: refusals, duplicates, what can be done once only."""

from __future__ import annotations

import re

from wizard.infer.lexicon import pattern as infer_pattern
from wizard.infer.picking import Weighed
from wizard.infer.probe_words import joined
from wizard.infer.propose import Looked
from wizard.operation.model import Operation
from wizard.rehearse.facts import DuplicateFacts, ReferenceFacts, RefusalFacts
from wizard.rehearse.truth.words import pattern, sentences, words
from wizard.rehearse.values import steps_of, steps_of_jsonpath
from wizard.spec.model import ApiOperation

_REFUSALS = ("422", "400")
_CONFLICTS = ("409", "422", "400", "412")


def success_status(api: ApiOperation | None, method: str) -> int:
    """The status of an answer that says that it is done."""
    status = api.success.status if api is not None and api.success is not None else ""
    if status.isdecimal():
        return int(status)
    return 200 if api is not None or method != "POST" else 201


def refusal_facts(declared: Operation, api: ApiOperation | None, notes: list[str]) -> RefusalFacts:
    """How a refused request is answered."""
    documented = [one.status for one in api.responses] if api else []
    status = next((int(one) for one in _REFUSALS if one in documented), 400)
    refuses = any(one.startswith("4") for one in documented)
    member = _verdict(api) if api and not refuses else None
    if member is not None:
        return member
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


def _verdict(api: ApiOperation) -> RefusalFacts | None:
    """The member of a success answer that says whether it went well."""
    body = api.success.body if api.success else None
    status = success_status(api, api.method)
    top = [one for one in body.fields if one.depth == 0] if body else []
    for one in top:
        for verdict in words()["members"]["verdicts"]:
            named = re.match(verdict["name"], joined(one.name))
            if named and one.shape.type in verdict["types"]:
                return RefusalFacts(
                    status=status, member=steps_of(one.path), bad=verdict["bad"], good=verdict["good"]
                )  # fmt: skip
    for one in top:
        if pattern("members", "errors").match(joined(one.name)) and not one.required:
            bad = {"message": "refused"} if one.composite or one.shape.type == "object" else "refused"
            return RefusalFacts(
                status=status, member=steps_of(one.path), bad=[bad] if one.shape.type == "array" else bad
            )
    return None


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
