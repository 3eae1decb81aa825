"""The probe is gone: nothing asks the recipient any more whether a write is there."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import probe_shown
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    if before.operation.probe is None or after.operation.probe is not None:
        return
    keyed = after.operation.key is not None
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.ASKED,
        title="The probe is gone.",
        effect=(
            "A write whose answer was lost is settled "
            + ("by a resend under its key or by a person" if keyed else "by a person only")
            + ", and refused until then; so are the attempted ones of before the change. A person who settles it "
            "wrongly makes it land twice, or not at all."
        ),
        remedy="Keep a probe while the API can be asked.",
        before=probe_shown(before.operation.probe),
        at=(InSkill("base", ("probe",)), InSkill("head")),
    )


KIND = Kind(
    name="probe-lost",
    summary="the probe is gone",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
