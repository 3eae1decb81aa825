"""A probe is declared: the recipient is asked whether a write is there before a person is."""

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
    probe = after.operation.probe
    if before.operation.probe is not None or probe is None:
        return
    absence = (
        f" It counts as absence what `absent: {probe.absent}` says, {probe.wait} after the last send's deadline, and "
        "then the write is sent again."
        if probe.absent is not None
        else " It never proves absence: what it does not find stays attempted."
    )
    yield Found(
        grade=Grade.RISKY if probe.absent is not None else Grade.SAFE,
        harm=Harm.TWICE if probe.absent is not None else Harm.NONE,
        title="A probe is declared.",
        effect=f"Attempted writes are asked after, those of before the change too.{absence}",
        remedy="Rehearse it: `skill-wizard rehearse` tries lists that lag and pages that hide the write."
        if probe.absent is not None
        else "",
        after=probe_shown(probe),
        at=(InSkill("base"), InSkill("head", ("probe",))),
    )


KIND = Kind(
    name="probe-added",
    summary="a probe is declared",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
