"""The identity put together: which of the fields that the detectors looked at tell two writes apart.

A create begins with its required fields that nothing speaks against; then what such a thing is told apart by
(`words/things.toml`) is looked for, among the required ones first and then among the others. An update is what it
changes, an action what it is done to; the path is part of every key and is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wizard.infer.detector import Candidate, Subject
from wizard.infer.lexicon import Phrase, pattern, phrase, says, word_list
from wizard.infer.picking import Picker, Weighed, enough, weigh_units
from wizard.infer.sound import BY_NAME, MATTER, dates_and_numbers, is_kind, sound, telling_rest
from wizard.infer.things import (
    About,
    Thing,
    about_of,
    last_static,
    plain_verb,
    segments,
    thing_named,
    things,
    without_verbs,
)
from wizard.infer.units import units
from wizard.spec.model import ApiOperation

_FEW = 3
_TAKEN = frozenset({"target", "when", "switched"})
"""Roles by which a field goes in though no request must have it."""
_NOT_IN_DOUBT = -1.0
_WHOM = frozenset({"party", "recipient", "resource", "counterparty", "other"})
_WITH_WHOM = frozenset({"party", "counterparty", "reference", "origin"})
_SAYS_WHAT = frozenset(
    {"kind", "measure", "date", "start", "name", "reference", "content", "amount", "quantity", "line"}
)
_ENOUGH = 2
"""Required fields of a thing we do not know, from which on nothing is added."""
_PLAIN_CHANGES = 12
_FLAG_ONLY = -3.5
_FLAG = -3.0
_STATE = -4.0
_SWITCHED = -6.0
"""A flag that says whether the thing is on is doubted as a flag and as a state; a change changes it all the same."""
_TEXT = -3.5
_FREE_TEXT = 3.5
_FEW_CHANGES = 6
_SOME_CHANGES = 10


@dataclass(frozen=True)
class Composed:
    """The units chosen, and how."""

    chosen: tuple[Weighed, ...]
    weighed: tuple[Weighed, ...]
    about: About
    missing: tuple[tuple[str, ...], ...] = ()
    """Groups of roles that such a thing has and this request does not."""
    added: frozenset[str] = frozenset()
    """Paths that no request must have, taken for what they are."""
    by: str = "required"
    """`required`, `thing`, `guess`, `all` (what else tells, for want of better), `changes`, `subject`,
    `path` (the client's own name stands there), `log` and `repeats` (an equal one again means something), `nothing`."""
    in_path: bool = False
    """The path has a variable."""
    parent: bool = False
    """The path names the very thing that this settles or follows from."""


def compose(subject: Subject, candidates: Iterable[Candidate]) -> Composed:
    """Chooses among the units of the subject's operation."""
    weighed = weigh_units(units(subject), candidates)
    what = about_of(subject)
    free = [one for one in weighed if not one.barred]
    if subject.kind in ("create", "action") and repeats_said(subject.operation) and not _own_numbers(free):
        return Composed((), weighed, what, by="repeats")
    if subject.kind in ("create", "upsert") or _makes_something(subject, free, what):
        return _create(subject, free, weighed, what)
    if subject.kind == "update":
        return _update(subject, free, weighed, what)
    return _act(subject, free, weighed, what)


def repeats_said(operation: ApiOperation) -> bool:
    """Whether the operation's text says that an equal one made again means something."""
    text = f"{operation.summary}. {operation.description[:1500]}"
    return pattern("grammar", "repeats_said").search(text) is not None


def _own_numbers(free: list[Weighed]) -> bool:
    """Whether a number of its own tells two equal ones apart all the same."""
    return any(one.required and enough(one) for one in free)


def _makes_something(subject: Subject, free: list[Weighed], what: About) -> bool:
    """Whether an action names no one thing, by path or by id, and has the fields of something that it makes."""
    if subject.kind != "action" or "{" in subject.operation.path or what.thing is None:
        return False
    if any("target" in one.roles for one in free):
        return False
    return what.thing.name in ("payment", "message", "booking", "document") and len(free) > _ENOUGH


# ---- creates ---------------------------------------------------------------------------------------------------------


def _create(subject: Subject, free: list[Weighed], weighed: tuple[Weighed, ...], what: About) -> Composed:
    chosen = [one for one in free if one.score > 0 and (one.required or one.roles.keys() & _TAKEN)]
    if what.thing is not None and what.thing.name in ("upload", "run"):  # a picture that each must have is worked on
        chosen += [one for one in free if one.required and one.doubt == says("media") and one not in chosen]
    if not any("unique" in one.roles for one in chosen):
        chosen += [one for one in free if "unique" in one.roles and one.score > 0 and one not in chosen]
    if not chosen and _names_its_own(subject) and not _is_given_anew(subject, free, what):
        return Composed((), weighed, what, by="path")
    thing, guessed = what.thing, False
    if thing is None or not _could_be(thing, free, subject):
        thing, guessed = _guess(free, chosen), True
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
        added = _rest(subject, free, _FEW + 1) or added
    chosen += [one for one in added if one not in chosen]
    if not any(one.required and one.roles.keys() & MATTER and not is_kind(one) for one in chosen):
        asked = [one for one in free if _is_asked_for(one) and one not in chosen]
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
        chosen = _anything(subject, free) or _only_one(free) or _only_text(free) or _only_asked(subject, free)
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
        _in_order(weighed, chosen), weighed, About(thing, what.noun, what.at), tuple(missing),
        frozenset(one.unit.path for one in added), by, in_path, parent,
    )  # fmt: skip


_SOFT = ("callback", "link", "display", "client", "settings", "switch", "media", "metadata")
"""Lists of what stands beside the matter; what each request must have is the matter where nothing else is left."""


def _is_asked_for(one: Weighed) -> bool:
    """Whether each request must have it, and only a word in its name or text spoke against it."""
    soft = one.doubt in {says(name) for name in _SOFT} and not word_list("fields", "callback").match(one.unit.words)
    return one.required and soft and not _is_flag(one) and not one.unit.composite


def _only_says_where(chosen: list[Weighed], weighed: tuple[Weighed, ...]) -> bool:
    """Whether a log line or the like was left with what it stands on, and its text, which is what it says, is out."""
    text_is_out = any(one.required and one.doubt == says("note") for one in weighed) or any(
        one.required and "content" in one.roles and one not in chosen for one in weighed
    )
    return text_is_out and not any(one.roles.keys() & _SAYS_WHAT for one in chosen)


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
    described = sum(1 for one in free if one.score >= 0 and one.roles.keys() & MATTER) >= _ENOUGH
    return said or described or any(one.roles.get("reference", 0) >= _CALLED_LIKE_IT for one in free)


_CALLED_LIKE_IT = 3


def _could_be(thing: Thing, free: list[Weighed], subject: Subject) -> bool:
    """Whether the request has what such a thing must have: a loan without an amount is no payment."""
    if not thing.money or (not free and "{" in subject.operation.path):
        return True
    roles = {role.strip("*~") for part in thing.needs[0] for role in part.split("+")}
    return any(roles & one.roles.keys() for one in free)


def _guess(free: list[Weighed], chosen: list[Weighed]) -> Thing | None:
    """The kind of thing by the form of the request alone, where its noun is unknown."""
    have = {role for one in free for role in one.roles if one.score > -1.9}
    required = {role for one in free for role in one.roles if one.required and one.score > 0}
    kinds = things()
    if (
        "email" in have
        and have & {"given_name", "birth", "phone"}
        and not ("currency" in have and any(one.unit.words in _AMOUNTS for one in free))
    ):
        return kinds["person"]
    said = {role for one in free for role in one.roles if one.required and "content" in one.roles}
    if said and all(one.roles.keys() & _WHOM and not one.roles.keys() & _SAYS_WHAT for one in chosen):
        return kinds["message"]
    files = [one for one in free if "file" in one.roles and one.score > _TEXT and not _is_flag(one)]
    mostly = len(files) >= _ENOUGH and len([one for one in free if one not in files]) <= _ENOUGH
    if mostly and not chosen and any(one.doubt == says("media") for one in files):
        return kinds["upload"]
    texts = [one for one in free if "content" in one.roles and one.score > -1]
    if texts and any(one.unit.words[0] in _TO and "recipient" in one.roles for one in free):
        return kinds["message"]
    if len(chosen) >= _ENOUGH:
        return None
    pointing = {role for one in free if one.unit.names_other for role in one.roles}
    if "start" in have and "end" in have and pointing & {"party", "resource"}:
        return kinds["booking"]
    if "line" in have and have & {"party", "reference"}:
        return kinds["document"]
    if "amount" in required or ("amount" in have and "currency" in have):
        return kinds["payment"]
    if required & {"name", "reference"}:
        return kinds["named"]
    if "name" in have or "reference" in have:
        return kinds["named"]
    return None


_AMOUNTS = (("amount",), ("total",), ("total", "amount"), ("sum",))
_TO = frozenset({"recipient", "receiver", "to"})


def _anything(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """What there is, where nothing is required and no kind of thing fits: a name, ids of other things, the content."""
    files = [one for one in free if "file" in one.roles and one.score > _TEXT and not _is_flag(one)]
    if files and any(one.doubt == says("media") or one.unit.shape.format == "binary" for one in files):
        return files[:_FEW]
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
        if found:
            return found[:3]
    return _rest(subject, free, _FEW)


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


# ---- updates and actions ---------------------------------------------------------------------------------------------


def _update(subject: Subject, free: list[Weighed], weighed: tuple[Weighed, ...], what: About) -> Composed:
    chosen = [one for one in free if one.required and (one.score > 0 or _is_flag(one))]
    changed = [
        one
        for one in free
        if "changed" in one.roles and one.score > (_SWITCHED if _is_flag(one) else _STATE) and one not in chosen
    ]
    thing = what.thing or _guess(free, chosen)
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
        if one.score >= 0 or (one.score > _TEXT and "content" in one.roles and one.doubt != says("note"))
    ]
    rest = [one for one in plain if one not in chosen and one not in added]
    in_part = subject.operation.method == "PATCH" and any("changed" in one.roles and not _is_flag(one) for one in added)
    if len(plain) <= (_FEW_CHANGES if in_part else _SOME_CHANGES):
        added += rest
    if not chosen and not added:
        flags = [one for one in free if _is_flag(one) and one.score > _FLAG_ONLY]
        added = (plain if len(plain) <= _PLAIN_CHANGES else []) or flags or _only_one(free) or _only_change(free)
    if len(free) <= _FEW and subject.operation.method != "POST":
        added += [one for one in free if _is_flag(one) and one.score >= _FLAG and one not in chosen + added]
    chosen += [one for one in added if one not in chosen]
    return Composed(
        _in_order(weighed, chosen), weighed, what, (), frozenset(one.unit.path for one in added),
        "changes" if chosen else "nothing",
    )  # fmt: skip


def _is_spoken_of(one: Weighed, spoken: list[Phrase]) -> bool:
    """Whether what the operation is called names the field in two words or more: it is what is changed."""
    words = one.unit.words
    return len(words) > 1 and any(
        said[at : at + len(words)] == words for said in spoken for at in range(len(said) - len(words) + 1)
    )


def _is_its_text(one: Weighed) -> bool:
    return one.score > _TEXT and "content" in one.roles and one.doubt != says("note")


def _act(subject: Subject, free: list[Weighed], weighed: tuple[Weighed, ...], what: About) -> Composed:
    bulk = subject.kind == "bulk"
    chosen = [one for one in free if one.required and (one.score > 0 or (_is_flag(one) and bulk))]
    thing = _made_on_the_way(subject, what)
    if thing is not None:
        picker = Picker(subject, free, chosen)
        for group in thing.needs:
            picker.take_first(group)
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
        added = [one for one in free if _is_asked_for(one)] or _told(free)
    named = any(one.required or "target" in one.roles for one in chosen + added)
    if subject.kind == "action" and "{" not in subject.operation.path and added and not named:
        added += [one for one in telling_rest(free, []) if one not in chosen + added]
    if bulk and not chosen and not added:
        added = [one for one in free if one.unit.is_array and one.doubt in ("", says("note"))]
    chosen += [one for one in added if one not in chosen]
    return Composed(
        _in_order(weighed, chosen), weighed, what, (), frozenset(one.unit.path for one in added),
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
    if not found and not delete and not bulk and 1 < len(few) <= _FEW and not texts:
        return few
    told = [one for one in free if not (one.unit.place == "query" and is_kind(one))]
    return found if found or delete else _only_one(told)


def _told(free: list[Weighed]) -> list[Weighed]:
    """The one text that says what is to be done, which each request must have."""
    asked = [one for one in free if one.required and not _is_flag(one)]
    return asked if len(asked) == 1 and asked[0].unit.words[-1] in _TOLD else []


def _taken_away(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """What is taken away of what the path names, where the path does not end with it: `DELETE /boards/{id}/files`."""
    if subject.operation.path.rstrip("/").endswith("}"):
        return []
    fit = [
        one
        for one in free
        if not _is_flag(one) and not is_kind(one) and (one.score > -1 or one.doubt in (says("link"), says("media")))
    ]
    return fit if len(fit) <= _FEW else []


_SAYING = frozenset({"notify", "annotate", "comment", "reply", "say"})
_SAID = (("message",), ("text",), ("body",))
_TOLD = frozenset({"instruction", "prompt", "command", "question", "query", "text", "message", "body", "content"})
_WORDING = frozenset({"title", "subject", "message", "text", "name"})
_WHOM_BY = frozenset({"email", "phone", "reference", "login", "document"})
"""By what an action names whom or what it is done to, where it is no id."""


def _is_flag(one: Weighed) -> bool:
    return one.unit.shape.type == "boolean"


def _whole(one: Weighed) -> bool:
    """A list of ids or of things that are acted on together."""
    return one.unit.is_array and (one.unit.path == "$body" or one.unit.words[-1:] == ("id",) or bool(one.unit.members))


def _only_text(free: list[Weighed]) -> list[Weighed]:
    """A text that stands alone is the thing that is made."""
    return free if len(free) == 1 and "content" in free[0].roles and free[0].doubt_weight < _FREE_TEXT else []


def _only_asked(subject: Subject, free: list[Weighed]) -> list[Weighed]:
    """The one field that each request must have, be it a setting or, where settings are made, an address."""
    out = {says("note")} | (set() if last_static(subject.operation.path) in _SETTINGS else {says("callback")})
    asked = [one for one in free if one.required and not _is_flag(one) and one.doubt not in out]
    return asked if len(asked) == 1 else []


_SETTINGS = ("settings", "configuration", "config", "preferences", "options")


def _only_change(free: list[Weighed]) -> list[Weighed]:
    """What is left of an update is what it changes, be it only how something looks."""
    return free if len(free) == 1 and free[0].doubt_weight < _FREE_TEXT else []


def _only_one(free: list[Weighed]) -> list[Weighed]:
    """The one field that is left is what is given, unless it is how or why."""
    return (
        free
        if len(free) == 1 and (free[0].score >= 0 or ("content" in free[0].roles and free[0].doubt != says("note")))
        else []
    )


def _in_order(weighed: tuple[Weighed, ...], chosen: list[Weighed]) -> tuple[Weighed, ...]:
    picked = {one.unit.path for one in chosen}
    return tuple(one for one in weighed if one.unit.path in picked)
