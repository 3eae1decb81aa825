"""No skill declares the write any more.

Its records stay. No call looks for them: what is attempted waits for a person, what is completed answers nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    before = pair.before
    if before is None or pair.after is not None or not before.operation.is_write:
        return
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.ASKED,
        title="No skill declares this write any more.",
        effect=(
            "No call resends or probes what is attempted: it stays so until a person settles it. If the same request "
            "is "
            "still sent in another way, its completed records answer nothing and it lands twice."
        ),
        remedy="Settle what is attempted before the skill goes; `skill-wizard records list` shows it.",
        before=f"{before.operation.method} {before.operation.url} ({before.operation.level})",
        at=(InSkill("base"),),
    )


KIND = Kind(
    name="operation-removed",
    summary="no skill declares the write any more",
    check=check,
    why=__doc__ or "",
)
