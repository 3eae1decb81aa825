"""The state of a thing whose id was known before: the GET of the write's own path, or of what it acts on."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.answers import Answer
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.lookups import Lookup
from wizard.infer.model import Confidence
from wizard.infer.naming import root, stems
from wizard.infer.probe_words import joined, word_set
from wizard.infer.probes import Compared, Seen, compare, look, lookup, propose
from wizard.infer.route import Part, Route

_TWO_WORDS = 2


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False:
        return
    seen = look(subject)
    above = [(route, rest) for route, rest in _above(seen) if route.operation is not subject.operation]
    for route, rest in above:
        found = lookup(seen, route)
        if found is None:
            continue
        answer = seen.index.answer(route)
        if _takes_all(seen, answer, rest) and answer is not None:
            yield from _of_all(seen, found, answer)
        elif subject.kind == "delete" and _is_of_a_list(answer, rest) and not route.ends_in_variable:
            yield from _of_list(seen, found, answer, rest)
        elif route.ends_in_variable or not rest or not any(part.variable for part in rest[:1]):
            yield from _of_thing(seen, found, answer, rest)
        elif not any(_is_item_of(seen, one, route) for one, _ in above):
            yield from _of_list(seen, found, answer, rest)
    yield from _of_body(seen)
    yield from _of_parent(seen)


def _above(seen: Seen) -> Iterator[tuple[Route, tuple[Part, ...]]]:
    """The reads at the write's path and at what stands above it, with what is left of the write's path."""
    parts, form = seen.route.parts, seen.route.form
    for length in range(len(parts), 0, -1):
        part, rest = parts[length - 1], _without_container(parts[length:])
        by_name = seen.index.reads_at((*form[: length - 1], f"by_{joined(part.text)}", "{}")) if part.variable else ()
        for route in by_name:  # `/links/by-code/{code}` is the thing of `/links/{code}/pay`
            yield route, rest
        for route in seen.index.reads_at(form[:length]):
            if not by_name or joined(route.parts[-1].text) == joined(part.text):
                yield route, rest
    verbs = word_set("path", "verbs")
    for index, part in enumerate(parts[:-1]):  # `/orders/CreateInvoice/{id}` acts on `/orders/{id}`
        if not part.variable and part.stems and part.stems[0] in verbs and parts[index + 1].variable:
            for route in seen.index.reads_at(form[:index] + form[index + 1 :]):
                yield route, (part,)


_CONTAINERS = frozenset({"action", "command", "operation"})


def _without_container(rest: tuple[Part, ...]) -> tuple[Part, ...]:
    """`/orders/{id}/actions/close` does what `/orders/{id}/close` does."""
    if len(rest) > 1 and not rest[0].variable and not rest[1].variable and set(rest[0].stems) <= _CONTAINERS:
        return rest[1:]
    return rest


def _is_item_of(seen: Seen, item: Route, route: Route) -> bool:
    """Whether a read gives one record of the list that another gives, and can be asked."""
    return item.ends_in_variable and len(item.parts) == len(route.parts) + 1 and lookup(seen, item) is not None


def _of_thing(seen: Seen, found: Lookup, answer: Answer | None, rest: tuple[Part, ...]) -> Iterator[Candidate]:
    kind = seen.subject.kind
    if answer is not None and answer.is_list and (not found.route.ends_in_variable or (not rest and kind == "create")):
        return
    if not rest and kind in ("create", "bulk") and not found.route.ends_in_variable and found.route.parts[-1].is_plural:
        return  # what it creates in, and no thing that it changes
    if not any(name.startswith("path:") for name in found.fed) and (rest or not _is_setting(seen, answer)):
        return
    names = [name for name in seen.identity if not name.startswith("path:") and _tells(name, kind, rest)]
    compared = compare(seen, found, answer, names)
    if (value := _set_by_path(seen, rest, answer)) and not compared.match:
        compared = Compared(value, compared.missing, compared.also)
    literals = [part for part in rest if not part.variable]
    if len(literals) != len(rest) or len(literals) > 1:
        if not _shown(literals, answer):
            return
    elif literals and not _visible(seen, literals[0], answer, compared):
        return
    if not rest:
        weight = 9.0
    elif kind in ("create", "bulk"):
        weight = 3.6 if compared.match else 3.0
    else:
        weight = 8.0 - 1.2 * (len(rest) - 1) - 4.0 * _has_members(seen, literals)
    deletes = kind == "delete" and not rest
    whole = bool(compared.match) and not compared.missing
    operation = found.route.operation
    cannot = [] if compared.match or deletes else ["which field shows the change is for a person to name"]
    yield propose(
        seen,
        found,
        "state",
        answer,
        compared,
        why=_why(operation.name, compared, deletes=deletes),
        because="the state of what it acts on can be read",
        weight=weight,
        confidence=Confidence.HIGH if not rest and (whole or deletes) else Confidence.MEDIUM,
        cannot_tell=tuple(cannot),
        deletes=deletes,
    )


def _is_setting(seen: Seen, answer: Answer | None) -> bool:
    """Whether there is one of it, which a change replaces: `PUT /settings`, beside `GET /settings`."""
    changes = seen.subject.kind in ("update", "upsert") and seen.subject.operation.method in ("PUT", "PATCH")
    return changes and not seen.route.variables and answer is not None and not answer.is_list and bool(answer.fields)


def _has_members(seen: Seen, literals: list[Part]) -> bool:
    """Whether the write's own path lists what it adds to, takes from or sets: `/groups/{id}/members`."""
    answers = (seen.index.answer(route) for route in seen.index.reads_at(seen.route.form))
    return bool(literals) and any(answer is not None and answer.is_list for answer in answers)


def _tells(name: str, kind: str | None, rest: tuple[Part, ...]) -> bool:
    """Whether an equal value in the thing's state can only come from the write.

    A refund of the captured amount is not seen in the captured amount.
    """
    if not rest:
        return True
    words = stems(name.rpartition(".")[2])
    return kind not in ("create", "bulk") and not set(words[-1:]) & word_set("actions", "measures")


def _why(name: str, compared: Compared, *, deletes: bool) -> str:
    if deletes:
        return f"`{name}` reads the thing by the id in the path: once it is deleted there is none."
    if compared.match:
        shown = ", ".join(f"`{field}`" for field in compared.match)
        return f"`{name}` reads the thing by the id in the path and shows {shown} as it is now."
    return f"`{name}` reads the thing by the id in the path, which was known before the write."


def _shown(literals: list[Part], answer: Answer | None) -> bool:
    """Whether the answer has a member that is called like what is left of the path."""
    if answer is None or not literals:
        return False
    words = _nouns(literals[0])
    return bool(words) and frozenset(root(word) for word in words) in answer.names


def _nouns(part: Part) -> tuple[str, ...]:
    """What a literal speaks of, without what is done: `changeOwner` of the owner."""
    words = tuple(word for word in part.stems if word not in word_set("path", "verbs"))
    return words[1:] if len(words) > 1 and words[0] in word_set("actions", "moving") else words


def _set_by_path(seen: Seen, rest: tuple[Part, ...], answer: Answer | None) -> dict[str, str]:
    """The value at the path's end and where the thing shows it: `/files/{id}/changeOwner/{user}` shows the `owner`."""
    changes = seen.subject.kind in ("update", "action", "upsert") and len(rest) == _TWO_WORDS
    if not changes or answer is None or rest[0].variable or not rest[1].variable:
        return {}
    shown = [path for path in answer.by_name.get(_nouns(rest[0]), ()) if "[]" not in path]
    plain = next((path for path in shown if not answer.fields[path].composite), "")
    return {f"path:{rest[1].text}": plain} if plain else {}


_PARTICLES = frozenset({"in", "out", "off", "on", "up", "as", "to", "back", "over", "down", "for", "by"})


def _as_verb(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of an action without the particles of its verb: `check-in` is `check`."""
    return tuple(word for word in words if word not in _PARTICLES) or words


def _undone(word: str, moving: frozenset[str]) -> str:
    """The verb that another one takes back or repeats: `undelete`, `deprovision`, `reassign`."""
    if word in moving:
        return word
    bare = next((word.removeprefix(one) for one in ("un", "dis", "de", "re") if word.startswith(one)), word)
    return bare if bare in moving else word


def _traced(things: list[str], answer: Answer) -> bool:
    """Whether a member is called like a thing, alone or with what a trace of it is called (`InvoiceNumber`)."""
    wanted = frozenset(root(word) for word in things)
    traces = frozenset(root(word) for word in word_set("actions", "traces"))
    return any(wanted <= name and name - wanted <= traces for name in answer.names)


def _visible(seen: Seen, action: Part, answer: Answer | None, compared: Compared) -> bool:
    """Whether the thing's state shows that an action was carried out on it."""
    emitting, moving, verbs = (
        word_set("actions", "emitting"),
        word_set("actions", "moving"),
        word_set("path", "verbs"),
    )
    words = tuple(word if word in emitting else _undone(word, moving) for word in _as_verb(action.stems))
    if action.is_plural and seen.subject.kind in ("create", "bulk", "action"):
        return answer is not None and _shown([action], answer)
    if answer is None:
        return seen.subject.kind in ("update", "upsert", "delete") or bool(set(words) & moving)
    things = [word for word in words if word not in moving and word not in verbs and word not in emitting]
    roots = answer.roots
    shown = bool(things) and _traced(things, answer)
    if things and not shown and len(words) > 1 and words[0] in moving | emitting:
        return False
    if compared.match or shown:
        return True
    if set(words) & emitting and not set(words) & moving:
        return False
    if things and seen.subject.kind in ("create", "bulk"):
        return False
    if any(root(word) in roots for word in words):
        return True
    if set(words) <= moving:
        return True
    if seen.subject.kind in ("create", "bulk"):
        return False
    if set(words) & emitting:
        return bool(answer.shows_state) and len(words) == 1
    return bool(answer.shows_state) or seen.subject.kind in ("update", "upsert")


def _is_of_a_list(answer: Answer | None, rest: tuple[Part, ...]) -> bool:
    """Whether what is taken away stands under a name in each of a list: `/sets/{id}/shares` and `/users/{user_id}`."""
    under = len(rest) == _TWO_WORDS and not rest[0].variable and rest[1].variable
    return under and answer is not None and answer.is_list


def _takes_all(seen: Seen, answer: Answer | None, rest: tuple[Part, ...]) -> bool:
    """Whether all that a thing has of a sort are deleted: no value of the request says which."""
    whole = seen.subject.kind == "delete" and not rest and not seen.identity and not seen.subject.operation.fields
    return whole and bool(seen.route.variables) and answer is not None and answer.is_list


def _of_all(seen: Seen, found: Lookup, answer: Answer) -> Iterator[Candidate]:
    """All of a list are deleted: afterwards it is empty, until somebody adds to it."""
    yield propose(
        seen,
        found,
        "scan",
        answer,
        Compared({}, ()),
        why=f"`{found.route.operation.name}` lists what is deleted: afterwards there is nothing.",
        because="the list of what is deleted",
        weight=6.0,
        confidence=Confidence.LOW,
        cannot_tell=("what is added afterwards is listed too",),
    )


def _of_list(seen: Seen, found: Lookup, answer: Answer | None, rest: tuple[Part, ...]) -> Iterator[Candidate]:
    """No GET of the thing itself: the list that holds it, narrowed by the id or compared with it."""
    literals = [part for part in rest if not part.variable]
    if answer is None or not answer.fields:
        answer = None
    elif not answer.is_list:
        return
    if literals and seen.subject.kind in ("create", "bulk") and not _shown(literals, answer):
        return
    if literals and len(rest) == 2 and answer is not None and not _visible(seen, literals[0], answer, Compared({}, ())):
        return
    if sum(part.variable for part in rest) != 1:
        return
    own = f"path:{next(part.text for part in rest if part.variable)}"
    narrowed = [name for name in found.filters if found.fed[name].path == own]
    names = [name for name in seen.identity if not name.startswith("path:")]
    compared = compare(seen, found, answer, [*names] if narrowed else [own, *names])
    deletes = seen.subject.kind == "delete" and len(rest) == 1
    unseen = not narrowed and own not in compared.match
    takes = deletes or (seen.subject.kind == "delete" and _shown(literals, answer))
    if unseen and not takes and (answer is not None or seen.subject.kind == "create"):
        return
    if narrowed:
        by = f", narrowed by `{narrowed[0].partition(':')[2]}`,"
    elif own in compared.match:
        by = f" and shows `{compared.match[own]}`,"
    else:
        by = " and calls otherwise what the path names," if answer is not None else " with its id,"
    yield propose(
        seen,
        found,
        "filter" if narrowed else "scan",
        answer,
        compared,
        why=f"`{found.route.operation.name}` lists the thing{by} which was known before the write.",
        because="the list that holds what it acts on",
        weight=(6.8 if narrowed else 5.4) - 0.6 * (len(rest) - 1) - 1.2 * (answer is None or unseen),
        confidence=Confidence.LOW if answer is None or unseen else Confidence.MEDIUM,
        deletes=deletes,
    )


def _of_body(seen: Seen) -> Iterator[Candidate]:
    """An action on a collection whose body names the thing: `POST /payments/refund` with `id`."""
    acts = bool(seen.route.parts) and set(seen.route.parts[-1].stems) <= word_set("actions", "moving")
    if any(part.variable for part in seen.route.parts) or not (acts or seen.subject.kind in ("update", "delete")):
        return
    form = seen.route.form
    for length in range(len(form), 0, -1):
        for route in seen.index.reads_at((*form[:length], "{}")):
            found = lookup(seen, route)
            if found is None or found.fed[f"path:{route.parts[-1].text}"].role not in ("identity", "other"):
                continue
            if length < len(form) and not seen.route.parts[length].stems:
                continue
            answer = seen.index.answer(route)
            names = [name for name in seen.identity if name not in found.fixes]
            compared = compare(seen, found, answer, names)
            yield propose(
                seen,
                found,
                "state",
                answer,
                compared,
                why=f"`{route.operation.name}` reads the thing that the body names.",
                because="the state of what the body names can be read",
                weight=7.5,
                confidence=Confidence.MEDIUM,
            )
            return


def _of_parent(seen: Seen) -> Iterator[Candidate]:
    """What is acted on, named by a bare id in the body: `POST /post_actions` with the `id` of the post."""
    about = tuple(root(word) for word in seen.route.parts[-1].stems) if seen.route.parts else ()
    if seen.subject.kind not in ("create", "action") or seen.route.variables or len(about) < _TWO_WORDS:
        return
    for route in seen.index.reads_about(seen.route.parts[-1].stems):
        if not route.ends_in_variable or len(route.variables) != 1 or route.roots != about[:-1]:
            continue
        words = phrase(route.variables[0])
        given = next(
            (one for one in seen.known if one.phrase == words and one.role != "path" and one.field and not one.many),
            None,
        )
        if given is None:
            continue
        place = f"path:{route.variables[0]}"
        yield propose(
            seen,
            Lookup(route, {place: given}, {place: 1.0}),
            "state",
            seen.index.answer(route),
            Compared({}, ()),
            why=f"`{route.operation.name}` reads what `{given.path}` names, which the write acts on.",
            because="the state of what it acts on can be read",
            weight=3.8,
            confidence=Confidence.LOW,
            cannot_tell=("which field shows the change is for a person to name",),
        )
        return


DETECTOR = Detector(question="probe", detect=detect)
