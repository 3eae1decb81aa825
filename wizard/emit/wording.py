"""What a skill says it does and when: sentences made from an operation's summary, in the third person."""

from __future__ import annotations

import re
from functools import cache

from wizard.emit.safety import described, inline, instructions_in, plain, without_keys
from wizard.emit.words import words
from wizard.spec.model import ApiOperation

_FIRST_SENTENCE = re.compile(r"\A\s*(.{3,200}?[.!?。])(?:\s|\Z)|\A\s*([^\n]{3,200})", re.DOTALL)
_WORD = re.compile(r"([A-Za-z]+)(?=[\s,]|\Z)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]+")


@cache
def _verbs() -> dict[str, str]:
    return {verb: third_person(verb) for verb in words("verbs")["verbs"]}


def third_person(verb: str) -> str:
    """`book` is `books`, `apply` is `applies`."""
    if re.search(r"[^aeiou]y\Z", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)\Z", verb) else "s")


def summary(operation: ApiOperation, hidden: tuple[str, ...] = ()) -> str:
    """What the operation does in a few words, without a full stop: from its summary, description, id or path."""
    for text in (operation.summary, _first_sentence(operation.description)):
        said = without_keys(plain(text), hidden)
        line = inline(said, 120).strip().rstrip(".。").strip()
        if len(line) > 2 and not instructions_in(text):
            return line
    spoken = _HUMP.sub(" ", operation.operation_id).strip()
    first, _, rest = spoken.partition(" ")
    if first.lower() in _verbs() and rest and re.fullmatch(r"[\w ]{1,80}", spoken):
        return f"{first.capitalize()} {rest.lower()}"
    return _call(operation)


def _call(operation: ApiOperation) -> str:
    return f"{operation.method} {inline(operation.path, 100)}"


def _first_sentence(text: str) -> str:
    found = _FIRST_SENTENCE.match(plain(text[:2000]))
    return (found[1] or found[2] or "") if found else ""


def spoken(text: str) -> tuple[str, str] | None:
    """A summary as (`Books a room`, `book a room`); None where it does not begin with a verb that we know."""
    found = _WORD.match(text)
    if found is None:
        return None
    word, rest = found[1].lower(), text[found.end() :]
    verbs = _verbs()
    if word in verbs:
        third = verbs[word]
        return third.capitalize() + rest, word + rest
    bare = {third: verb for verb, third in verbs.items()}.get(word)
    return None if bare is None else (word.capitalize() + rest, bare + rest)


def description(operation: ApiOperation, title: str, hidden: tuple[str, ...] = ()) -> str:
    """The frontmatter's `description` of one operation: what it does, and when it is the one to use."""
    place = f"{operation.method} {inline(operation.path, 200)} of {title_of(title)}"
    line = summary(operation, hidden)
    if line == _call(operation):
        return described(f"Calls {place}. Use when a task needs this call.")
    if (said := spoken(line)) is not None:
        return described(f"{said[0]} ({place}). Use when a task needs to {said[1]}.")
    return described(f"Calls {place}: {line}. Use when a task needs this call.")


def title_of(title: str) -> str:
    """A document's title as a name in a sentence."""
    name = inline(title, 80).strip().rstrip(".")
    return name if name and not instructions_in(title) else "the API"


def index_description(title: str, tags: list[str], count: int) -> str:
    """The frontmatter's `description` of an index over a document's operations."""
    name = title_of(title)
    about = [inline(tag, 40) for tag in tags if not instructions_in(tag)][:12]
    listed = f" on {', '.join(about)}" if about else ""
    what = "operation" if count == 1 else "operations"
    return described(
        f"Covers {count} {what} of {name}{listed}: their fields, their answers, and what to do when an outcome is not"
        f" known. Use when a task reads or changes something in {name}."
    )
