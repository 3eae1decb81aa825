"""The probe asks, or judges what it sees, in another way.

A probe that finds too much tells a write as done that never landed; one that proves absence too soon lets a write be
sent a second time; one that can tell less leaves more to a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import Probe
from wizard.review.effects import moved_twice, pages_shown, shown
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    old, new = before.operation.probe, after.operation.probe
    if old is None or new is None:
        return
    twice = moved_twice(after.operation, before.operation)
    if old.url != new.url:
        yield _found(
            "url", Grade.RISKY, Harm.ASKED, "The probe asks elsewhere.",
            "Attempted writes, those of before the change too, are looked for there. What is listed in the one place "
            "and "
            "not in the other is not found, and stays attempted.",
            old.url, new.url,
        )  # fmt: skip
    if old.items != new.items:
        yield _found(
            "items", Grade.RISKY, Harm.ASKED, "The probe looks at other parts of the answer.",
            "What the path does not select is not compared. An answer in which it selects no array leaves the write "
            "attempted.",
            old.items or "", new.items or "",
        )  # fmt: skip
    yield from _match(old, new)
    yield from _since(old, new)
    yield from _absent(old, new, twice)
    yield from _pages(old, new, twice)
    if old.wait != new.wait:
        shorter = (new.wait.seconds or 0) < (old.wait.seconds or 0)
        yield _found(
            "after",
            Grade.RISKY if shorter else Grade.SAFE,
            Harm.TWICE if shorter else Harm.NONE,
            f"Absence counts {new.wait} after the last send's deadline, no longer {old.wait}.",
            f"A request that the recipient processes later than {new.wait} after its deadline counts as never made, "
            f"and "
            f"lands beside the one that is sent in its place.{twice}"
            if shorter
            else "Absence is believed later; until then the write stays attempted.",
            str(old.after or ""),
            str(new.after or ""),
        )


def _found(
    member: str, grade: Grade, harm: Harm, title: str, effect: str, before: str, after: str, remedy: str = ""
) -> Found:
    at = InSkill("base", ("probe", member)), InSkill("head", ("probe", member))
    return Found(
        grade=grade, harm=harm, subject=member, title=title, effect=effect, remedy=remedy, before=before, after=after,
        at=at,
    )  # fmt: skip


def _match(old: Probe, new: Probe) -> Iterator[Found]:
    before, after = dict(old.match), dict(new.match)
    if before == after:
        return
    said = shown(before) if before else "", shown(after) if after else ""
    fewer = any(name not in after for name in before)
    if fewer:
        yield _found(
            "match", Grade.RISKY, Harm.SWALLOWED, "The probe compares fewer fields.",
            "More of what the recipient has passes for the write. One that never landed is told as done where another "
            "record looks like it.",
            *said,
        )  # fmt: skip
    elif any(after[name] != path for name, path in before.items()):
        yield _found(
            "match", Grade.RISKY, Harm.ASKED, "The probe compares with other fields of the answer.",
            "Where the answer has no such field, or one of another type, the write stays attempted until a person "
            "settles it.",
            *said,
        )  # fmt: skip
    else:
        yield _found(
            "match", Grade.SAFE, Harm.NONE, "The probe compares more fields.",
            "Less of what the recipient has passes for the write.",
            *said,
        )  # fmt: skip


def _since(old: Probe, new: Probe) -> Iterator[Found]:
    if old.since == new.since:
        return
    if new.since is None:
        yield _found(
            "since", Grade.RISKY, Harm.SWALLOWED, "The probe no longer looks at when a record was made.",
            "An equal write of last week counts as this one: a write that never landed is told as done.",
            old.since or "", "", remedy=f"Keep `since: {old.since}` while the answer shows it.",
        )  # fmt: skip
    elif old.since is None:
        yield _found(
            "since", Grade.SAFE, Harm.NONE, "The probe looks at when a record was made.",
            "An equal write that was made before no longer counts as this one.",
            "", new.since,
        )  # fmt: skip
    else:
        yield _found(
            "since", Grade.RISKY, Harm.ASKED, f"The probe takes `{new.since}` for the time of creation.",
            "A time that moves when the record is changed makes an old record pass for this write; one that the answer "
            "lacks leaves the write attempted.",
            old.since, new.since,
        )  # fmt: skip


def _absent(old: Probe, new: Probe, twice: str) -> Iterator[Found]:
    if old.absent == new.absent:
        return
    if new.absent is None:
        yield _found(
            "absent", Grade.RISKY, Harm.ASKED, "Nothing proves absence any more.",
            "A write that is not found stays attempted, and is refused until a person settles it.",
            old.absent or "", "",
        )  # fmt: skip
        return
    what = {"empty": "An answer without the write", "404": "A 404"}[new.absent]
    yield _found(
        "absent", Grade.RISKY, Harm.TWICE, f"{what} proves that it was not made.",
        f"The write is then sent again. Where the answer lags, or leaves out what is there, it lands twice.{twice}",
        old.absent or "", new.absent, remedy="Make sure that the answer never lags or leaves out.",
    )  # fmt: skip


def _pages(old: Probe, new: Probe, twice: str) -> Iterator[Found]:
    if old.pages == new.pages:
        return
    said = pages_shown(old.pages), pages_shown(new.pages)
    proves = new.absent == "empty"
    if new.pages == "none" and proves:
        yield _found(
            "pages", Grade.BREAKS if old.pages is not None else Grade.RISKY, Harm.TWICE,
            "One answer counts as all there is.",
            "A write that stands on a later page counts as absent, is sent again and lands twice." + twice,
            *said, remedy="Say `none` only where the API never pages this list.",
        )  # fmt: skip
    elif new.pages is None:
        yield _found(
            "pages", Grade.RISKY if proves else Grade.SAFE, Harm.ASKED if proves else Harm.NONE,
            "The probe no longer reads further pages.",
            "Without all pages nothing proves absence: what is not found stays attempted until a person settles it.",
            *said,
        )  # fmt: skip
    elif old.pages in (None, "none"):
        yield _found(
            "pages", Grade.SAFE, Harm.NONE, "The probe reads all pages.",
            "A write on a later page is found; absence counts once all pages were seen.",
            *said,
        )  # fmt: skip
    else:
        yield _found(
            "pages", Grade.RISKY, Harm.TWICE if proves else Harm.ASKED,
            "The probe finds its next page in another way.",
            "Where the new way finds no next page although there is one, "
            + ("a write on it counts as absent and is sent again." if proves else "a write on it is not found."),
            *said,
        )  # fmt: skip


KIND = Kind(
    name="probe-changed",
    summary="the probe asks, or judges, in another way",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
