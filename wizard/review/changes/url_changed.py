"""The write goes to another URL: another server, path, or fixed query.

The filled URL is part of every key and address. Live records are carried over where their stored path values fill the
new URL; an attempted one is sent again as it was stored, to the old URL.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import moved_twice, unsettled
from wizard.review.examples import derive
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import both_values, for_operation, one_request


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or both[0].operation.url == both[1].operation.url:
        return
    before, after = both
    stored = for_operation(before.operation, both_values(before, after))
    old = derive(before.operation, stored)
    moved = derive(after.operation, stored)
    named = derive(after.operation, for_operation(after.operation, both_values(before, after)))
    variables = set(before.operation.path_variables) != set(after.operation.path_variables)
    if not variables and old.address == named.address:
        # The same in other letters: capitals of the host, a default port.
        return
    if variables:
        grade, harm = Grade.BREAKS, Harm.REFUSED
        records = (
            "The stored requests fill other path values, so no live record can be carried over: each holds the "
            "operation until somebody settles or releases it, and what is released and repeated lands twice."
        )
    else:
        grade, harm = Grade.RISKY, Harm.ASKED
        records = (
            "Live records are carried over and answer repeats."
            if not moved.problem
            else (
                "Live records that cannot be carried over hold the operation until somebody settles or releases them."
            )
        )
    resent = (
        "An attempted write is sent again as it was stored, to the old URL"
        if after.operation.key is not None
        else f"For attempted writes {unsettled(after.operation)}"
    )
    yield Found(
        grade=grade,
        harm=harm,
        title="The write goes to another URL.",
        effect=f"The URL is part of every key, so the same write has another one. {records} {resent}."
        + (moved_twice(after.operation, before.operation) if variables else ""),
        remedy="Keep the old URL answering until no write is attempted; `skill-wizard records list` shows them.",
        before=before.operation.url,
        after=after.operation.url,
        example=one_request(before, after, "The same write has another key."),
        at=(InSkill("base", ("url",)), InSkill("head", ("url",))),
    )


KIND = Kind(
    name="url-changed",
    summary="the write goes to another URL",
    check=check,
    why=__doc__ or "",
)
