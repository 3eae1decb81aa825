"""The identity of an update, which is what it changes, and of an action, which is what it is done to."""

from __future__ import annotations

from wizard.infer.composed import FEW, FREE_TEXT, TEXT, Composed, guess, in_order, is_asked_for, is_flag, only_one
from wizard.infer.detector import Subject
from wizard.infer.lexicon import Phrase, phrase, says
from wizard.infer.picking import Picker, Weighed
from wizard.infer.sound import MATTER, is_kind, telling_rest
from wizard.infer.things import About, Thing, last_static, plain_verb, segments, thing_named, without_verbs
from wizard.infer.units import units

_PLAIN_CHANGES = 12
_FEW_CHANGES = 6
_SOME_CHANGES = 10
"""Up to so many fields that nothing speaks against a change is all of them: without any that must be there, a change
in part that sets a state, any other."""
_FLAG_ONLY = -3.5
_FLAG = -3.0
_STATE = -4.0
_SWITCHED = -6.0
"""A flag that says whether the thing is on is doubted as a flag and as a state; a change changes it all the same."""


def update(subject: Subject, free: list[Weighed], weighed: tuple[Weighed, ...], what: About) -> Composed:
    """What this changes: a replacement is all that it puts there."""
    chosen = [one for one in free if one.required and (one.score > 0 or is_flag(one))]
    changed = [
        one
        for one in free
        if "changed" in one.roles and one.score > (_SWITCHED if is_flag(one) else _STATE) and one not in chosen
    ]
    thing = what.thing or guess(free, chosen)
    picker = Picker(subject, free, chosen)
    if thing is not None:
        for group in thing.needs:
            picker.take_first(group)
        for want in thing.wants:
            picker.want(want)
    added = picker.added + [one for one in changed if one not in picker.added]
    spoken = [phrase(subject.operation.summary[:120]), phrase(subject.operation.operation_id)]
    added += [one for one in free if one.score >= 0 and one not in chosen + added and _is_spoken_of(one, spoken)]
    plain = [
        one
        for one in free
        if one.score >= 0 or (one.score > TEXT and "content" in one.roles and one.doubt != says("note"))
    ]
    rest = [one for one in plain if one not in chosen and one not in added]
    in_part = subject.operation.method == "PATCH" and any("changed" in one.roles and not is_flag(one) for one in added)
    if len(plain) <= (_FEW_CHANGES if in_part else _SOME_CHANGES):
        added += rest
    if not chosen and not added:
        flags = [one for one in free if is_flag(one) and one.score > _FLAG_ONLY]
        added = (plain if len(plain) <= _PLAIN_CHANGES else []) or flags or only_one(free) or _only_change(free)
    if len(free) <= FEW and subject.operation.method != "POST":
        added += [one for one in free if is_flag(one) and one.score >= _FLAG and one not in chosen + added]
    chosen += [one for one in added if one not in chosen]
    return Composed(
        in_order(weighed, chosen), weighed, what, (), frozenset(one.unit.path for one in added),
        "changes" if chosen else "nothing",
    )  # fmt: skip


def _is_spoken_of(one: Weighed, spoken: list[Phrase]) -> bool:
    """Whether what the operation is called names the field in two words or more: it is what is changed."""
    words = one.unit.words
    return len(words) > 1 and any(
        said[at : at + len(words)] == words for said in spoken for at in range(len(said) - len(words) + 1)
    )


def _is_its_text(one: Weighed) -> bool:
    return one.score > TEXT and "content" in one.roles and one.doubt != says("note")


def act(subject: Subject, free: list[Weighed], weighed: tuple[Weighed, ...], what: About) -> Composed:
    """What an action, a removal or many writes at once are done to, and with what."""
    bulk = subject.kind == "bulk"
    chosen = [one for one in free if one.required and (one.score > 0 or (is_flag(one) and bulk))]
    thing = _made_on_the_way(subject, what)
    if thing is not None:
        picker = Picker(subject, free, chosen)
        for group in thing.needs:
            picker.take_first(group)
        for role in thing.wants if thing.name == "message" else ():
            picker.want(role)
        added = picker.added or ([] if chosen else _done_to(subject, free))
    else:
        added = [] if chosen else _done_to(subject, free)
    added += [
        one
        for one in free
        if "target" in one.roles and one.unit.is_array and one.score > 0 and one not in chosen + added
    ]
    if bulk:
        added += [one for one in free if "changed" in one.roles and one.score > -3 and one not in added]
    if not chosen and not added and not bulk:
        added = [one for one in free if is_asked_for(one)] or _told(free)
    named = any(one.required or "target" in one.roles for one in chosen + added)
    if subject.kind == "action" and "{" not in subject.operation.path and added and not named:
        added += [one for one in telling_rest(free, []) if one not in chosen + added]
    if bulk and not chosen and not added:
        added = [one for one in free if one.unit.is_array and one.doubt in ("", says("note"))]
    chosen += [one for one in added if one not in chosen]
    return Composed(
        in_order(weighed, chosen), weighed, what, (), frozenset(one.unit.path for one in added),
        "subject" if chosen else "nothing",
    )  # fmt: skip


def _made_on_the_way(subject: Subject, what: About) -> Thing | None:
    """What an action makes, though its path ends with a verb: a payment, a message, a run.

    `/invoices/{id}/send` sends the invoice that the path names and makes no message of its own.
    """
    thing = what.thing
    if thing is None or subject.kind == "delete" or what.at not in ("path", "verb"):
        return None
    if what.at == "verb" and thing.name == "message":
        before = [one for one in segments(subject.operation.path) if "{" not in one][:-1]
        last = plain_verb(last_static(subject.operation.path).lower())
        if last in _SAYING and any(unit.words in _SAID for unit in units(subject)):
            return thing
        if "{" in subject.operation.path and before and thing_named(without_verbs(before[-1])) not in ("", "message"):
            return None
    return thing if thing.name in ("payment", "message", "run", "line") else None


def _done_to(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """What an action without required fields is done to, or what it changes."""
    bulk, delete = subject.kind == "bulk", subject.kind == "delete"
    found = [one for one in free if one.score > -1 and ("target" in one.roles or (_whole(one) and bulk))]
    if not found and not delete:
        found = [one for one in free if "changed" in one.roles and one.score > -3]
        more = [one for one in free if one not in found and one.score >= 0 and one.roles.keys() & MATTER]
        found += more if found and len(found) + len(more) <= _SOME_CHANGES else []
    if not found and delete and (few := _taken_away(subject, free)):
        return few
    if not found and "{" not in subject.operation.path:
        found = [one for one in free if one.score > -1 and (one.unit.names_other or one.unit.is_array)]
        found = found or [one for one in free if one.score > -1 and one.roles.keys() & _WHOM_BY]
    few = [one for one in free if one.score >= 0 and one.unit.place == "body"]
    texts = any(set(one.unit.words[-1:]) & _WORDING or "content" in one.roles for one in few)
    if not found and not delete and not bulk and 1 < len(few) <= FEW and not texts:
        return few
    told = [one for one in free if not (one.unit.place == "query" and is_kind(one))]
    return found if found or delete else only_one(told)


def _told(free: list[Weighed]) -> list[Weighed]:
    """The one text that says what is to be done, which each request must have."""
    asked = [one for one in free if one.required and not is_flag(one)]
    return asked if len(asked) == 1 and asked[0].unit.words[-1] in _TOLD else []


def _taken_away(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """What is taken away of what the path names, where the path does not end with it: `DELETE /boards/{id}/files`."""
    if subject.operation.path.rstrip("/").endswith("}"):
        return []
    fit = [
        one
        for one in free
        if not is_flag(one) and not is_kind(one) and (one.score > -1 or one.doubt in (says("link"), says("media")))
    ]
    return fit if len(fit) <= FEW else []


_SAYING = frozenset({"notify", "annotate", "comment", "reply", "say"})

_SAID = (("message",), ("text",), ("body",))

_TOLD = frozenset({"instruction", "prompt", "command", "question", "query", "text", "message", "body", "content"})

_WORDING = frozenset({"title", "subject", "message", "text", "name"})

_WHOM_BY = frozenset({"email", "phone", "reference", "login", "document"})
"""By what an action names whom or what it is done to, where it is no id."""


def _whole(one: Weighed) -> bool:
    """A list of ids or of things that are acted on together."""
    return one.unit.is_array and (one.unit.path == "$body" or one.unit.words[-1:] == ("id",) or bool(one.unit.members))


def _only_change(free: list[Weighed]) -> list[Weighed]:
    """What is left of an update is what it changes, be it only how something looks."""
    return free if len(free) == 1 and free[0].doubt_weight < FREE_TEXT else []
