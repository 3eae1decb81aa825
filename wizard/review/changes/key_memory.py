"""How long the recipient is said to remember a key (`for`), or which answers it remembers (`remembers`).

The host sends an attempted write again only while the recipient surely remembers its key. Said too long, the write
lands twice; said too short, a person is asked for what the key would have settled.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import KeyPlace
from wizard.review.effects import moved_twice, unsettled
from wizard.review.kind import Declared, Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    old, new = before.operation.key, after.operation.key
    if old is None or new is None:
        return
    if old.memory.seconds != new.memory.seconds:
        yield _for(before, after, old, new)
    if old.remembers != new.remembers:
        yield _remembers(before, after, old, new)


def _said(key: KeyPlace) -> str:
    return str(key.remembered_for) if key.remembered_for is not None else f"{key.memory}, as nothing is declared"


def _at(member: str) -> tuple[InSkill, InSkill]:
    return InSkill("base", ("key", member)), InSkill("head", ("key", member))


def _for(before: Declared, after: Declared, old: KeyPlace, new: KeyPlace) -> Found:
    longer = new.memory.seconds is None or (old.memory.seconds is not None and new.memory.seconds > old.memory.seconds)
    until = "for ever" if new.memory.seconds is None else f"until {new.memory} after its first send"
    if longer:
        return Found(
            grade=Grade.RISKY,
            harm=Harm.TWICE,
            subject="for",
            title=f"The recipient is said to remember keys for longer: {new.memory}, no longer {_said(old)}.",
            effect=(
                f"An attempted write is sent again {until}, those of before the change too. A recipient that has "
                f"forgotten the key by then makes a second write.{moved_twice(after.operation, before.operation)}"
            ),
            remedy="Look where the recipient promises it, and name the place in the approval.",
            before=str(old.remembered_for or ""),
            after=str(new.remembered_for or ""),
            at=_at("for"),
        )
    probed = after.operation.probe is not None
    return Found(
        grade=Grade.SAFE if probed else Grade.RISKY,
        harm=Harm.NONE if probed else Harm.ASKED,
        subject="for",
        title=f"The recipient is said to remember keys for less long: {_said(new)}, no longer {_said(old)}.",
        effect=(
            f"An attempted write is sent again only {until}, those of before the change too; after that "
            f"{unsettled(after.operation)}."
        ),
        remedy="" if probed else "Declare a probe, so that not only a person can settle what comes too late.",
        before=str(old.remembered_for or ""),
        after=str(new.remembered_for or ""),
        at=_at("for"),
    )


def _remembers(before: Declared, after: Declared, old: KeyPlace, new: KeyPlace) -> Found:
    if new.remembers == "all":
        return Found(
            grade=Grade.RISKY,
            harm=Harm.TWICE,
            subject="remembers",
            title="The recipient is said to remember failures, too.",
            effect=(
                "After a 5xx the write is sent again under its key. A recipient that remembers successes only takes "
                "that for a new write, and the first may have been carried out behind its 5xx."
                f"{moved_twice(after.operation, before.operation)}"
            ),
            remedy="Look where the recipient promises it, and name the place in the approval.",
            before=old.remembers,
            after=new.remembers,
            at=_at("remembers"),
        )
    probed = after.operation.probe is not None
    return Found(
        grade=Grade.SAFE if probed else Grade.RISKY,
        harm=Harm.NONE if probed else Harm.ASKED,
        subject="remembers",
        title="The recipient is said to remember successes only.",
        effect=f"After a 5xx the write is no longer sent again: {unsettled(after.operation)}.",
        before=old.remembers,
        after=new.remembers,
        at=_at("remembers"),
    )


KIND = Kind(
    name="key-memory",
    summary="how long, or what, the recipient remembers of a key",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
