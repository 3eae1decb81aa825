"""The reference that the recipient stores and gives back is another field, has another shape, is filled in by somebody
else, or is gone.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.printing import print_reference
from wizard.review.effects import shown, unsettled
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    old, new = before.operation.reference, after.operation.reference
    filled = before.operation.host_fills_reference, after.operation.host_fills_reference
    if old == new and filled[0] == filled[1]:
        return
    probed = new is not None and after.operation.probe is not None
    if old is None:
        assert new is not None
        grade, harm = Grade.SAFE, Harm.NONE
        who = "The host fills in" if filled[1] else "The model fills in"
        title = f"A reference is declared: the field `{new.name}`."
        effect = (
            f"{who} `{new.name}`. Attempted records of before the change have none, and a probe by it cannot find them."
        )
    elif new is None:
        grade, harm = Grade.RISKY, Harm.ASKED
        title = f"The reference `{old.name}` is no longer declared."
        effect = (
            f"New writes go out without it. For attempted ones {unsettled(after.operation)}; nothing finds them by it."
        )
    elif old.name != new.name or old.shape != new.shape:
        grade, harm = Grade.RISKY, Harm.ASKED
        title = (
            f"The reference is `{new.name}`, no longer `{old.name}`."
            if old.name != new.name
            else (f"References have the shape `{new.shape}`, no longer `{old.shape}`.")
        )
        effect = "New writes carry the new one. Attempted records of before the change keep what was sent with them" + (
            ", and a probe by the new field may not find them." if probed else "."
        )
    else:
        grade, harm = Grade.RISKY, Harm.ASKED
        who = "host" if filled[1] else "model"
        title = f"The reference `{new.name}` is filled in by the {who} now."
        effect = (
            "What the model puts there is replaced; the same write has the same reference."
            if filled[1]
            else "It is what the call says, and part of what the write is; a call without it is refused."
        )
    yield Found(
        grade=grade,
        harm=harm,
        title=title,
        effect=effect,
        before="" if old is None else shown(print_reference(old)),
        after="" if new is None else shown(print_reference(new)),
        at=(InSkill("base", ("reference",)), InSkill("head", ("reference",))),
    )


KIND = Kind(
    name="reference-changed",
    summary="the reference is another field, or gone",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
