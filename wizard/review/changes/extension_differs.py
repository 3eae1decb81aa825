"""The skill and the API document declare the operation differently: the document by its `x-outturn-…` extensions.

A host that goes by the one and a host that goes by the other derive different keys for the same write, and both land.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from wizard.operation.printing import print_operation
from wizard.review.effects import moved_twice, shown
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm
from wizard.spec.extensions import declared


def differing(side: Declared) -> dict[str, tuple[str, str, str]]:
    """The members that differ: what the document says, what the skill says, and the extension's pointer."""
    if side.api is None or side.document is None:
        return {}
    said = declared(side.api, side.document)
    if said is None or said.operation is None:
        return {}
    theirs, ours = print_operation(said.operation), print_operation(side.operation)
    return {
        member: (_shown(theirs.get(member)), _shown(ours.get(member)), pointer)
        for member, pointer in said.members.items()
        if not _same(member, theirs.get(member), ours.get(member))
    }


def _shown(value: object) -> str:
    return "" if value is None else shown(value)


def _same(member: str, theirs: object, ours: object) -> bool:
    if member == "identity" and isinstance(theirs, list) and isinstance(ours, list):
        # The order of the fields is no matter of the key.
        return sorted(map(str, theirs)) == sorted(map(str, ours))
    return json.dumps(theirs, sort_keys=True) == json.dumps(ours, sort_keys=True)


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    for member, (theirs, ours, pointer) in newly(pair, differing):
        assert after is not None
        keys = member in ("identity", "key", "scope", "write", "status")
        effect = (
            "A host that goes by the document and one that goes by the skill derive different keys for the same write, "
            f"and both land.{moved_twice(after.operation)}"
            if keys
            else "What a host does after a lost answer, or with a repeat, depends on which of the two it read."
        )
        yield Found(
            grade=Grade.BREAKS if keys else Grade.RISKY,
            harm=Harm.TWICE if keys else Harm.ASKED,
            subject=member,
            title=f"The skill and the document disagree on `{member}`.",
            effect=effect,
            remedy=f"Make them say the same: `x-outturn-{member}` in the document, `{member}` in the skill.",
            before=f"document: {theirs}",
            after=f"skill: {ours}",
            at=(InDocument("head", pointer), InSkill("head", (member,))),
        )


KIND = Kind(
    name="extension-differs",
    summary="the skill and the document declare the operation differently",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
