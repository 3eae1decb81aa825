"""What makes a 2xx answer a refusal (`failed`) is another thing.

A refusal that passes for success is told as done although nothing happened; a success that passes for a refusal
releases the claim, and the corrected repeat makes a second write.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import amount, moved_twice
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or both[0].operation.failed == both[1].operation.failed:
        return
    before, after = both
    old, new = before.operation.failed, after.operation.failed
    if new is None:
        money = f", and {amount(after.operation)} is not moved" if after.operation.money else ""
        grade, harm = Grade.BREAKS, Harm.SWALLOWED
        title = "A 2xx answer is never a refusal any more."
        effect = (
            "A recipient that answers 2xx when it refuses is taken at its status: the write is told as done, repeats "
            f"are answered from that record{money}. Records of before the change stay as they were judged."
        )
    else:
        grade, harm = Grade.RISKY, Harm.TWICE
        title = f"A 2xx in which `{new}` selects something is a refusal."
        effect = (
            "A first send that is answered so is released, and a repeat is sent again: where the path selects "
            "something "
            f"in an answer to a write that was made, it lands twice.{moved_twice(after.operation, before.operation)} "
            "Completed records of before the change stay completed."
        )
    yield Found(
        grade=grade,
        harm=harm,
        title=title,
        effect=effect,
        remedy="Try it on answers that the recipient really gives, of successes and of refusals.",
        before=old or "",
        after=new or "",
        at=(InSkill("base", ("failed",)), InSkill("head", ("failed",))),
    )


KIND = Kind(
    name="failed-changed",
    summary="what makes a 2xx a refusal is another thing",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
