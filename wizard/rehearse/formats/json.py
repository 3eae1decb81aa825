"""JSON with a version; `schemas/rehearsal.json` describes it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from wizard.rehearse.formatting import Asked, Format
from wizard.rehearse.model import Moment, OperationRehearsal, Rehearsal, StoryRun
from wizard.rehearse.wording import columns, counts

VERSION = 1


def render(rehearsal: Rehearsal, asked: Asked) -> str:
    """The whole rehearsal, every story with its moments."""
    told = {
        "version": VERSION,
        "failed": rehearsal.failed,
        "recipient": rehearsal.recipient,
        "store": rehearsal.store,
        "seed": rehearsal.seed,
        "repeat": rehearsal.repeat,
        "seconds": round(rehearsal.seconds, 3),
        "operations": [_operation(operation) for operation in rehearsal.operations],
        "created": [asdict(one) for one in rehearsal.created],
        "passed_over": [{"name": name, "why": why} for name, why in rehearsal.passed_over.items()],
        "blocked": [{"name": name, "why": why} for name, why in rehearsal.blocked.items()],
    }
    # Half of a surrogate pair, as a hostile document may hold one, is no UTF-8.
    return json.dumps(told, ensure_ascii=False, indent=2).encode("utf-8", "replace").decode() + "\n"


def _operation(operation: OperationRehearsal) -> dict[str, Any]:
    return {
        "name": operation.name,
        "request": operation.request,
        "skill": operation.skill,
        "document": operation.document,
        "declared": operation.declared,
        "confirmed": operation.confirmed,
        "verdict": operation.verdict,
        "counts": {name.replace(" ", "_"): number for name, number in counts(operation)},
        "levels": list(columns(operation)),
        "findings": [asdict(finding) for finding in operation.findings],
        "notes": list(operation.notes),
        "stories": [_run(run, decides=run.declared is operation.declared) for run in operation.runs],
    }


def _run(run: StoryRun, *, decides: bool) -> dict[str, Any]:
    return {
        "story": run.story,
        "says": run.says,
        "declared": run.declared,
        "decides": decides,
        "recipient": run.recipient,
        "seed": run.seed,
        "verdict": run.verdict,
        "ended": run.ended,
        "why": run.why,
        "meant": run.meant,
        "landed": run.landed,
        "told": list(run.told),
        "mend": asdict(run.mend) if run.mend is not None else None,
        "seconds": round(run.seconds, 3),
        "moments": [_moment(moment) for moment in run.moments],
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {
        "at": round(moment.at, 6),
        "lane": moment.lane,
        "to": moment.to,
        "kind": moment.kind,
        "text": moment.text,
        "detail": moment.detail,
        "bad": moment.bad,
    }


FORMAT = Format("json", "JSON with a version, for programs", render)
