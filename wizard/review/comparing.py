"""Two sides compared: every kind of change asked of every operation, what it found graded and put in order. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wizard.operation.model import WRITING_METHODS, Operation
from wizard.review.effects import shown
from wizard.review.excerpts import excerpt
from wizard.review.kind import Declared, Found, InSkill, Kind, Pair, load_kinds
from wizard.review.model import GRADES, Approval, Change, Grade, Harm, OperationReview, Review, Undeclared
from wizard.review.pairing import pairs
from wizard.review.prose import key_prose, new_ones
from wizard.review.sameness import Sameness
from wizard.review.sides import Side
from wizard.spec.model import ApiDocument, ApiOperation


def compare(base: Side, head: Side, approvals: Sequence[Approval] = ()) -> Review:
    """What changed from the one side to the other, with what it does."""
    reviews, unchanged = [], 0
    approved = {one.fingerprint: one for one in approvals}
    sameness = Sameness()
    for pair in pairs(base.declared, head.declared):
        if sameness.same(pair):
            unchanged += 1
            continue
        changes = changes_of(pair, base, head, approved)
        if changes:
            reviews.append(_operation(pair, changes))
        elif pair.both is not None:
            unchanged += 1
    reviews += _prose_of_others(base, head, approved)
    reviews.sort(key=lambda one: (GRADES.index(one.grade), not one.money, one.name))
    seen = {change.fingerprint for review in reviews for change in review.changes}
    return Review(
        base=_label(base, head),
        head=_label(head, base),
        operations=tuple(reviews),
        unchanged=unchanged,
        undeclared=tuple(undeclared(base, head)),
        stale_approvals=tuple(one for one in approvals if one.fingerprint not in seen),
        problems=(*_without(base, head), *dict.fromkeys(head.problems)),
        lost=_without(head, base),
        within=head.tree.within,
    )


def _label(side: Side, other: Side) -> str:
    """What a side is called; with its documents where that is all that tells it from the other."""
    if side.label != other.label or not side.given:
        return side.label
    return f"{side.label} with {' and '.join(side.given)}"


def _without(side: Side, other: Side) -> tuple[str, ...]:
    """What cannot be read of one side, and is not just so on the other one."""
    theirs = {problem.removeprefix(f"{other.label}:") for problem in other.problems}
    mine = dict.fromkeys(side.problems)
    return tuple(problem for problem in mine if problem.removeprefix(f"{side.label}:") not in theirs)


def changes_of(
    pair: Pair, base: Side, head: Side, approved: Mapping[str, Approval] | None = None
) -> tuple[Change, ...]:  # fmt: skip
    """The changes of one operation, worst first."""
    changes: list[Change] = []
    for kind, found in found_in(pair):
        changes.append(_change(kind, found, pair, base, head, approved or {}))
    changes.sort(key=lambda one: (GRADES.index(one.grade), list(Harm).index(one.harm), one.kind, one.subject))
    return tuple(changes)


def found_in(pair: Pair, kinds: Iterable[Kind] | None = None) -> Iterator[tuple[Kind, Found]]:
    """What every kind says of one operation."""
    confirmed = _confirmed(pair) if _proposed(pair) else pair
    for kind in load_kinds().values() if kinds is None else kinds:
        if kind.of_host and not kind.of_document and _comes_to_stand(pair):
            # What the host goes by begins, or ends, with the confirmation: that kind says it all.
            continue
        if kind.of_host and confirmed is not pair:
            for found in kind.check(confirmed):
                yield kind, _weakened(found)
        else:
            for found in kind.check(pair):
                yield kind, found


def _comes_to_stand(pair: Pair) -> bool:
    both = pair.both
    return both is not None and both[0].operation.confirmed != both[1].operation.confirmed


def _proposed(pair: Pair) -> bool:
    """Whether the host goes by nothing of what is declared now."""
    newest = pair.after or pair.before
    return newest is not None and not newest.operation.confirmed


def _confirmed(pair: Pair) -> Pair:
    """The pair as it will be once somebody confirms it."""

    def side(declared: Declared | None) -> Declared | None:
        if declared is None or declared.operation.confirmed:
            return declared
        return replace(declared, operation=replace(declared.operation, status=None))

    return Pair(before=side(pair.before), after=side(pair.after), indexes=pair.indexes, drifted=pair.drifted)


def _weakened(found: Found) -> Found:
    """What a change does while the declaration is only proposed: nothing."""
    return replace(
        found,
        grade=Grade.SAFE,
        harm=Harm.NONE,
        effect=(
            "Nothing changes yet: the declaration is `status: proposed`, and the host goes by none of it. "
            f"Once it is confirmed: {found.effect[:1].lower()}{found.effect[1:]}"
        ),
    )


def fingerprint(kind: str, operation: str, subject: str, before: str, after: str) -> str:
    """Of a change: 16 hex digits that stay the same wherever it stands and however it is worded."""
    text = "\0".join((kind, operation, subject, before, after))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _change(
    kind: Kind, found: Found, pair: Pair, base: Side, head: Side, approved: Mapping[str, Approval]
) -> Change:  # fmt: skip
    newest = _newest(pair)
    mark = fingerprint(kind.name, newest.name, found.subject, found.before, found.after)
    places = [excerpt(at, pair, base, head) for at in found.at]
    members = ("", "") if kind.of_document else _members(found, pair)
    return Change(
        kind=kind.name,
        grade=found.grade,
        harm=found.harm,
        operation=newest.name,
        request=request_of(newest),
        subject=found.subject,
        title=found.title,
        effect=found.effect,
        remedy=found.remedy,
        money=bool(money_of(pair)),
        before=found.before,
        after=found.after,
        members=members,
        example=found.example,
        excerpts=tuple(dict.fromkeys(one for one in places if one is not None)),
        fingerprint=mark,
        approved=approved.get(mark),
    )


def _members(found: Found, pair: Pair) -> tuple[str, str]:
    """The members of both sides that have the values of a change, where it is told of one."""
    paths: dict[str, list[str]] = {
        at.side: [step for step in at.path if isinstance(step, str)] for at in found.at if isinstance(at, InSkill)
    }
    told = {side: ".".join(path) for side, path in paths.items()}
    has = {
        side: declared is not None and bool(value) and _value(declared, paths.get(side, [])) == value
        for side, declared, value in (("base", pair.before, found.before), ("head", pair.after, found.after))
    }
    # Beside a value that stands there, one that holds where nothing stands is the same member's.
    both = told.get("base") == told.get("head") != "status"
    base, head = (told[side] if has[side] or (both and any(has.values())) else "" for side in ("base", "head"))
    return base, head


def _value(declared: Declared, path: Sequence[str]) -> str:
    """The value of a member of the mapping, as a change says it; empty where there is none."""
    value: Any = declared.printed
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return "" if value is None or not path else shown(value)


def _newest(pair: Pair) -> Declared:
    found = pair.after or pair.before
    assert found is not None
    return found


def request_of(declared: Declared) -> str:
    """`POST http://…/bookings`."""
    return f"{declared.operation.method} {declared.operation.url}"


def money_of(pair: Pair) -> str:
    """The money that the operation moves, in the declaration's words; empty where it moves none."""
    for side in (pair.after, pair.before):
        if side is not None and side.operation.money is not None:
            return f"{side.operation.money.amount} in {side.operation.money.currency}"
    return ""


def _operation(pair: Pair, changes: tuple[Change, ...]) -> OperationReview:
    newest = _newest(pair)
    moves = money_of(pair)
    return OperationReview(
        name=newest.name,
        request=request_of(newest),
        money=bool(moves),
        moves=moves,
        level_before=str(pair.before.operation.level) if pair.before is not None else "",
        level_after=str(pair.after.operation.level) if pair.after is not None else "",
        changes=changes,
    )


def _prose_of_others(base: Side, head: Side, approved: Mapping[str, Approval]) -> Iterator[OperationReview]:
    """Prose that builds keys in skills that declare no operation."""
    from wizard.review.changes.prose_builds_key import KIND, of

    old = dict(base.skills)
    names = {skill.name: skill for _, skill in base.skills if skill.operation is None}
    for path, skill in head.skills:
        if skill.operation is not None:
            continue
        before = old.get(path) or names.get(skill.name)
        if before is not None and before.body == skill.body:
            continue
        said = key_prose(before) if before is not None else ()
        name = skill.name or path
        declared = Declared(name=name, operation=Operation(method="GET", url=""), path=path, skill=skill)
        pair = Pair(before=None, after=declared)
        found = [of(one, keyed=None) for one in new_ones(said, key_prose(skill))]
        changes = tuple(replace(_change(KIND, one, pair, base, head, approved), request="") for one in found)
        if changes:
            yield OperationReview(
                name=name, request="", money=False, level_before="", level_after="", changes=changes
            )  # fmt: skip


def undeclared(base: Side, head: Side) -> Iterator[Undeclared]:
    """The writes of the newer side's documents that no skill declares, in the documents' order."""
    old = {found.name for document in base.documents for found in document.operations}
    said: set[str] = set()
    for document in head.documents:
        theirs = {id(one.api) for one in head.declared if one.document is document}
        decided = _decided(head, document)
        shared: dict[str, Any] = {}
        for found in document.operations:
            if id(found) in theirs or found.name in decided or found.name in said:
                continue
            if _writes(document, found, shared):
                said.add(found.name)
                yield Undeclared(operation=found.name, new=bool(base.documents) and found.name not in old)


def _writes(document: ApiDocument, operation: ApiOperation, shared: dict[str, Any]) -> bool:
    """Whether an operation is taken for a write, as a proposal would have it: a search by POST is none."""
    from wizard.infer.detector import Subject
    from wizard.infer.kinds import weigh
    from wizard.infer.propose import seen

    if operation.method not in WRITING_METHODS or operation.extensions.get("x-outturn-write") is False:
        return False
    return weigh(seen(Subject(document=document, operation=operation, shared=shared), "kind")).write


def _decided(side: Side, document: ApiDocument) -> frozenset[str]:
    name = document.source if side.loader is None else side.loader.name_of(document.source)
    return side.decided.get(name, frozenset())


__all__ = ["changes_of", "compare", "fingerprint", "found_in", "undeclared"]
