"""Which path of a candidate shows which field of the write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from wizard.infer.alike import Phrase, canonical, without_ids
from wizard.infer.answers import Answer
from wizard.infer.lexicon import phrase
from wizard.infer.probe_words import joined, word_set
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.spec.model import ApiOperation, Field

_GENERIC = frozenset(
    {
        "id",
        "name",
        "type",
        "value",
        "code",
        "key",
        "status",
        "state",
        "date",
        "amount",
        "number",
        "title",
        "description",
        "text",
        "url",
        "kind",
    }
)
"""Names that say little by themselves: deep inside a candidate they belong to something else."""


@lru_cache(maxsize=32768)
def _phrases(path: str) -> tuple[Phrase, ...]:
    """The words of each member's name; an array counts like what it holds."""
    bare = path.partition(":")[2] if path.startswith(("query:", "path:")) else path
    if bare is not path:
        return (phrase(bare),)
    try:
        return tuple(phrase(segment.name) for segment in FieldPath.parse(path).segments)
    except FieldPathError:
        return (phrase(path),)


def wrapper_of(fields: Iterable[Field]) -> str:
    """The one object that a body wraps everything in (`booking` of `{"booking": {…}}`), empty where there is none."""
    top = [field for field in fields if field.depth == 0]
    return top[0].path if len(top) == 1 and top[0].composite and top[0].shape.type != "array" else ""


def match_fields(
    names: Iterable[str], answer: Answer, write: ApiOperation, about: Phrase
) -> tuple[dict[str, str], list[str]]:
    """Each field of a write to its path in a candidate, and the fields that a candidate does not show.

    `about` is what the read is about, in words. What is one value in the one is one value in the other.
    """
    sent = write.body.by_path if write.body else {}
    wrapper = wrapper_of(write.fields)
    found: dict[str, str] = {}
    shown = answer.by_name
    names = list(names)
    for name in names:
        path = _find(name, answer.fields, shown, wrapper, about, sent=sent.get(name))
        if path:
            found[name] = path
    _only_one_each(found)
    return found, [name for name in names if name not in found]


def _only_one_each(found: dict[str, str]) -> None:
    """A candidate's value is one field's: that of its own name, else the first one's."""
    by_path: dict[str, list[str]] = {}
    for name, path in found.items():
        by_path.setdefault(path, []).append(name)
    for path, names in by_path.items():
        kept = next((name for name in names if _phrases(name)[-1:] == _phrases(path)[-1:]), names[0])
        for name in names:
            if name != kept:
                del found[name]


def _sort(field: Field | None) -> str:
    """`array`, `object`, or empty for a plain value."""
    if field is None:
        return ""
    if field.shape.type == "array":
        return "array"
    return "object" if field.composite or field.shape.type == "object" else ""


_SCALARS = frozenset({"string", "integer", "number"})
_MINOR = re.compile(
    r"\b(minor|smallest|lowest|sub)[- ]?(currency )?(unit|denomination)|\b(in|as|number of) (cents|pence|kopecks)\b"
)


def _comparable(sent: Field | None, shown: Field) -> bool:
    """Whether equal values mean the same: a plain value in both, and money in the same unit."""
    if _sort(sent) != _sort(shown):
        return False
    if sent is None:
        return True
    ours, theirs = sent.shape, shown.shape
    if _sort(sent):
        return not ("object" in (ours.item_type, theirs.item_type) and ours.item_type != theirs.item_type)
    if "boolean" in (ours.type, theirs.type):
        return ours.type == theirs.type or "" in (ours.type, theirs.type)
    numbers = {"integer", "number"}
    if not set(phrase(sent.name)) & word_set("actions", "measures"):
        return True
    if {ours.type, theirs.type} == numbers:
        return False
    minor = [bool(_MINOR.search(shape.description.lower())) for shape in (ours, theirs)]
    return minor[0] == minor[1] or (ours.type == theirs.type == "integer")


_MADE_IDS = frozenset({"uuid", "guid", "uid", "sid", "arn", "urn", "gid"})


def _is_another_id(name: str, path: str) -> bool:
    """Whether the two are ids of different making: a `user_guid` is not the user's `id`."""
    ours, theirs = ({*joined(one.rpartition(".")[2]).split("_")[-1:]} & _MADE_IDS for one in (name, path))
    return ours != theirs


_SAYS_LITTLE = frozenset({"name", "code", "number"})


def _drops_a_word(own: Phrase, path: str) -> bool:
    """Whether the one is called an id or a name and the other is not: `room` may be its id, or an object."""
    last = phrase(path.rpartition(".")[2])
    return (without_ids(own) != own and without_ids(last) == last) or own[:-1] == last


def _find(
    name: str,
    fields: Mapping[str, Field],
    shown: Mapping[Phrase, tuple[str, ...]],
    wrapper: str,
    about: Phrase,
    *,
    sent: Field | None,
) -> str:
    inner = name.removeprefix(f"{wrapper}.") if wrapper else name
    if inner in fields and _comparable(sent, fields[inner]):
        return inner
    wanted = _phrases(inner)
    own = wanted[-1] if wanted else ()
    if not own:
        return ""
    arrays = inner.count("[]")
    best: tuple[int, int, str] | None = None
    for path in _candidates(wanted, shown, about):
        strength = _alike(wanted, _phrases(path), about)
        if not _comparable(sent, fields[path]) or _is_another_id(inner, path):
            continue
        if _drops_a_word(own, path) and fields[path].shape.type not in _SCALARS:
            continue
        if strength and path.count("[]") == arrays:
            depth = path.count(".")
            if depth > 1 and own[-1:] and own[0] in _GENERIC and len(own) == 1 and strength < 4:
                continue
            rank = (-strength, depth, path)
            if best is None or rank < best:
                best = rank
    return best[2] if best else ""


def _candidates(wanted: tuple[Phrase, ...], shown: Mapping[Phrase, tuple[str, ...]], about: Phrase) -> list[str]:
    own = wanted[-1]
    bare = without_ids(own)
    keys = [own, canonical(own), bare, ("id",), (*bare, "id"), (*about[-1:], *own)]
    if own[: len(about)] == about:
        keys.append(own[len(about) :])
    if about and own[:1] == about[-1:]:
        keys.append(own[1:])
    if own[-1] in _SAYS_LITTLE:
        keys.append(own[:-1])
    if len(wanted) > 1:
        keys.append(wanted[-2] + own)
        keys.append(wanted[-2])
    paths: dict[str, None] = {}
    for key in keys:
        for path in shown.get(key, ()) if key else ():
            paths[path] = None
    return list(paths)


def _alike(wanted: tuple[Phrase, ...], path: tuple[Phrase, ...], about: Phrase) -> int:
    """How alike two paths are.

    4: the same names all the way; 3: the same in other form (`room_id`, `room.id`); 2: the same but for what is
    before it, or for ids; 1: the last name only.
    """
    want = tuple(canonical(words) for words in wanted)
    have = tuple(canonical(words) for words in path)
    if want == have or want == have[1:] or want == have[2:]:
        return 4
    flat_want = tuple(word for words in wanted for word in words)
    flat_have = tuple(word for words in path for word in words)
    if flat_want == flat_have:
        return 3
    if flat_want == flat_have[-len(flat_want) :]:
        return 2
    if flat_have in (about + flat_want, about[-1:] + flat_want) or flat_want in (
        about + flat_have,
        about[-1:] + flat_have,
    ):
        return 2
    bare_want, bare_have = without_ids(flat_want), without_ids(flat_have)
    if bare_want and bare_want == bare_have:
        return 2
    if want[-1] == have[-1] and wanted[-1] not in ((), ("id",)):
        return 1
    if wanted[-1][-1:] and wanted[-1][-1] in _SAYS_LITTLE and len(path) == 1 and wanted[-1][:-1] == path[-1]:
        return 1  # `guest_name` is shown as `guest`
    return 0
