"""The identity of what makes something.

It begins with the required fields that nothing speaks against; then what such a thing is told apart by
(`words/things.toml`) is looked for, among the required ones first and then among the others.
"""

from __future__ import annotations

from wizard.infer.composed import (
    ENOUGH,
    FEW,
    FREE_TEXT,
    SAYS_WHAT,
    TEXT,
    Composed,
    guess,
    in_order,
    is_asked_for,
    is_flag,
    only_one,
)
from wizard.infer.detector import Subject
from wizard.infer.lexicon import phrase, says
from wizard.infer.picking import Picker, Weighed, enough
from wizard.infer.sound import BY_NAME, MATTER, dates_and_numbers, is_kind, sound, telling_rest
from wizard.infer.things import About, Thing, last_static, segments, without_verbs

_TAKEN = frozenset({"target", "when", "switched"})
"""Roles by which a field goes in though no request must have it."""

_NOT_IN_DOUBT = -1.0

_WITH_WHOM = frozenset({"party", "counterparty", "reference", "origin"})


def create(subject: Subject, free: list[Weighed], weighed: tuple[Weighed, ...], what: About) -> Composed:
    """What tells apart what this makes. `free`: those of `weighed` that may be in an identity."""
    chosen = [one for one in free if one.score > 0 and (one.required or one.roles.keys() & _TAKEN)]
    if what.thing is not None and what.thing.name in ("upload", "run"):  # a picture that each must have is worked on
        chosen += [one for one in free if one.required and one.doubt == says("media") and one not in chosen]
    if not any("unique" in one.roles for one in chosen):
        chosen += [one for one in free if "unique" in one.roles and one.score > 0 and one not in chosen]
    if not chosen and _names_its_own(subject) and not _is_given_anew(subject, free, what):
        return Composed((), weighed, what, by="path")
    thing, guessed = what.thing, False
    if thing is None or not _could_be(thing, free, subject):
        thing, guessed = guess(free, chosen), True
    missing: list[tuple[str, ...]] = []
    added: list[Weighed] = []
    parent = False
    if thing is not None:
        picker = Picker(subject, free, chosen)
        for group in thing.needs:
            if not picker.take_first(group):
                missing.append(tuple(role.strip("*~") for role in group))
        parent = picker.parent
        complete = not picker.added and not missing and len(chosen) > 1 and "file" not in thing.wants
        have = {role for one in chosen for role in one.roles}
        if thing.name == "document" and "line" in have and not have & _WITH_WHOM:
            complete = False  # lines of nobody
        if not complete and not any(enough(one) for one in chosen + picker.added):
            for want in thing.wants:
                picker.want(want)
        added = picker.added
    if not chosen and picked_weakly(thing, added):
        added = _rest(subject, free, FEW + 1) or added
    chosen += [one for one in added if one not in chosen]
    if not any(one.required and one.roles.keys() & MATTER and not is_kind(one) for one in chosen):
        asked = [one for one in free if is_asked_for(one) and one not in chosen]
        chosen += asked
        added += asked
    if thing is not None and thing.name == "person" and missing:  # nobody is named: what they are like is told
        traits = [one for one in free if one.required and one.doubt == says("trait") and one not in chosen]
        chosen += traits
        added += traits
    if chosen and not any("reference" in one.roles or "line" in one.roles for one in chosen):
        lines = [one for one in free if "line" in one.roles and one.score > _NOT_IN_DOUBT][:1]
        chosen += lines
        added += lines
    named = thing is not None and thing.name in BY_NAME and any("name" in one.roles and one.required for one in chosen)
    if chosen and not named and not any("file" in one.roles for one in chosen):
        files = [one for one in free if one.unit.shape.format == "binary" and not one.doubt and one not in chosen]
        chosen += files[:1]
        added += files[:1]
    if thing is not None and thing.repeats and _only_says_where(chosen, weighed):
        return Composed((), weighed, About(thing, what.noun, what.at), by="log")
    by = "guess" if guessed and added else "thing" if added else "required"
    if not chosen:
        chosen = _anything(subject, free) or only_one(free) or _only_text(free) or _only_asked(subject, free)
        added, by = list(chosen), "guess" if chosen else "nothing"
    in_path = "{" in subject.operation.path
    if not sound(chosen, thing, path=in_path, parent=parent, missing=bool(missing)):
        more = telling_rest(free, chosen)
        chosen = chosen + more
        added = added + more
        if more:
            by = "all"
    elif more := dates_and_numbers(free, chosen, thing):
        chosen = chosen + more
        added = added + more
    if by == "all" and all(is_kind(one) for one in chosen) and not in_path:
        chosen, added, by = [], [], "nothing"
    return Composed(
        in_order(weighed, chosen), weighed, About(thing, what.noun, what.at), tuple(missing),
        frozenset(one.unit.path for one in added), by, in_path, parent,
    )  # fmt: skip


def _only_says_where(chosen: list[Weighed], weighed: tuple[Weighed, ...]) -> bool:
    """Whether a log line or the like was left with what it stands on, and its text, which is what it says, is out."""
    text_is_out = any(one.required and one.doubt == says("note") for one in weighed) or any(
        one.required and "content" in one.roles and one not in chosen for one in weighed
    )
    return text_is_out and not any(one.roles.keys() & SAYS_WHAT for one in chosen)


def _names_its_own(subject: Subject) -> bool:
    """Whether the path ends with the client's own name for the thing: `/workflows/{workflowId}`."""
    parts = segments(subject.operation.path)
    if len(parts) < 2 or "{" not in parts[-1] or "{" in parts[-2]:
        return False
    noun = without_verbs(parts[-2])[-1:]
    said = without_verbs(subject.operation.summary or subject.operation.operation_id)
    if said and noun and noun[0] not in said:
        return False
    named = phrase(parts[-1].strip("{}"))
    return bool(noun) and (noun[0] in named or named in (("id",), ("name",), ("key",), ("code",)))


def _is_given_anew(subject: Subject, free: list[Weighed], what: About) -> bool:
    """Whether the path's last variable is of what is there, for the body has what is said, or another one like it."""
    if subject.operation.method != "POST":
        return False
    said = what.thing is not None and what.thing.name == "message" and any("content" in one.roles for one in free)
    if set(phrase(subject.operation.summary)[:2]) & _COPIED or set(phrase(subject.operation.operation_id)) & _COPIED:
        return True  # the path names what it is made from
    if any(one.roles.keys() & _OF_ITS_OWN and one.score >= 0 and one.unit.place == "body" for one in free):
        return True
    described = sum(1 for one in free if one.score >= 0 and one.roles.keys() & MATTER) >= ENOUGH
    return said or described or any(one.roles.get("reference", 0) >= _CALLED_LIKE_IT for one in free)


_COPIED = frozenset({"duplicate", "copy", "clone", "fork"})
_OF_ITS_OWN = frozenset({"name", "amount"})
_CALLED_LIKE_IT = 3


def _could_be(thing: Thing, free: list[Weighed], subject: Subject) -> bool:
    """Whether the request has what such a thing must have: a loan without an amount is no payment."""
    if not thing.money or (not free and "{" in subject.operation.path):
        return True
    roles = {role.strip("*~") for part in thing.needs[0] for role in part.split("+")}
    return any(roles & one.roles.keys() for one in free)


def _anything(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """What there is, where nothing is required and no kind of thing fits: a name, ids of other things, the content."""
    files = [one for one in free if "file" in one.roles and one.score > TEXT and not is_flag(one)]
    if files and any(one.doubt == says("media") or one.unit.shape.format == "binary" for one in files):
        return files[:FEW]
    for roles in (
        ("reference",),
        ("name",),
        ("origin", "party", "resource"),
        ("content",),
        ("file",),
        ("address",),
        ("measure", "kind"),
    ):
        found = [one for one in free if one.score > -1.9 and any(role in one.roles for role in roles)]
        if found and any("address" in one.roles for one in found):  # of a description, or itself
            found += [one for one in free if one.doubt == says("unnamed") and not one.required]
        if found:
            return found[:FEW]
    return _rest(subject, free, FEW)


def _rest(subject: Subject, free: list[Weighed], most: int) -> list[Weighed]:
    """All that nothing speaks against, where that is little."""
    rest = [one for one in free if one.score >= 0]
    verb_alone = not without_verbs(last_static(subject.operation.path))
    if not rest and not verb_alone:  # an address, or a map: better than nothing
        rest = [one for one in free if one.doubt in (says("link"), says("unnamed")) and not one.required]
    return rest if len(rest) <= most and not verb_alone else []


def picked_weakly(thing: Thing | None, added: list[Weighed]) -> bool:
    """Whether all that was found for a thing are fields that tell little of it (`~kind`)."""
    if thing is None or not added:
        return False
    roles = {role for one in added for role in one.roles}
    strong = [part for group in thing.needs for part in group if part[0] != "~"]
    return not any(all(role.strip("*") in roles for role in part.split("+")) for part in strong)


def _only_text(free: list[Weighed]) -> list[Weighed]:
    """A text that stands alone is the thing that is made."""
    return free if len(free) == 1 and "content" in free[0].roles and free[0].doubt_weight < FREE_TEXT else []


def _only_asked(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """The one field that each request must have, be it a setting or, where settings are made, an address."""
    out = {says("note")} | (set() if last_static(subject.operation.path) in _SETTINGS else {says("callback")})
    asked = [one for one in free if one.required and not is_flag(one) and one.doubt not in out]
    return asked if len(asked) == 1 else []


_SETTINGS = ("settings", "configuration", "config", "preferences", "options")
