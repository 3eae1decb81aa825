"""A declaration that is plain to see and that no rule has anything to say of, told without loading one.

A commit touches one skill, most of the time a sound one, and reading it with a YAML parser, the model of an operation
and fifty rules takes ten times as long as Python needs to start. What is looked at here is narrow: the members that
most writes have, in the forms that `emit` and people write them, names made of words that no list of the rules knows,
and prose that says nothing of repeating. Whatever lies outside is left to the rules: this says yes only where they say
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.signs import Signs
from wizard.lint.plainfront import NO_TEXT, plain_members
from wizard.lint.plainwords import FIELD, NO_AMOUNT, PATH, PLURAL, plain_words

_OPERATION = re.compile(r"^operation:[ ]*\r?\n((?:[ ]+[^\r\n]*\r?\n)+)", re.MULTILINE)
_MEMBER = re.compile(r"([a-z]+):(?:[ ]+(\S.*))?")
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")
_BODY_NAME = re.compile(r"[a-z]\w*", re.ASCII)
_URL = re.compile(
    r"https?://[a-z][a-z0-9.-]*(?::[0-9]{2,5})?((?:/(?:[a-z]+(?:[-_][a-z]+)*|v[0-9]|\{[a-z]+(?:_[a-z]+)*\}))+)"
)
_PATH_WORD = re.compile(r"v[0-9]|[a-z]+")
_KEY_NAME = re.compile(r"(?:x-)?idempotency-key", re.IGNORECASE)
_FOR = re.compile(r"[0-9]{1,3}[mhd]|forever")
_CURRENCY = re.compile(r"[A-Z]{3}|[a-z]+(?:_[a-z]+)*")
_MARKUP = re.compile(r"[<\[\\&\x00-\x08\x0b-\x1f]|__|https?:|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b")
"""What a text may not hold: letters may stand apart there that are read as one word, or a call of its own."""
_GAP = re.compile(r"\n[ \t>]*\n")
_BETWEEN = re.compile(r"[\s>]+")
_DROPPED = str.maketrans("", "", '"*`')
_VERSIONS = frozenset(["api", "rest", "public", "internal"])

_WRITES = frozenset(["POST", "PATCH", "DELETE"])
_MEMBERS = frozenset(["method", "url", "body", "identity", "key", "money", "write"])
_SHAPES = frozenset(["uuid", "uuid4", "hex32", "hex64"])


def is_beyond_doubt(text: str, signs: Signs) -> bool:
    """Whether the rules have nothing to say of an operation spec, an API document aside."""
    words = plain_words()
    found = _OPERATION.search(text)
    if words is None or found is None or text.count("operation:") != 1:
        return False
    # The rest is read without the declaration, whose forms are wider in one way and narrower in another.
    members = plain_members(f"{text[: found.start()]}operation: here\n{text[found.end() :]}")
    if members is None or not _named(members):
        return False
    operation = _mapping(found[1].replace("\r\n", "\n").split("\n")[:-1])
    if operation is None or not _sound(operation, words):
        return False
    around = text[: found.start()] + text[found.end() :]
    return _silent(around, signs, words) and not _left_out(around, operation["identity"], words["optional"])


def _named(members: Mapping[str, str | None]) -> bool:
    """`operation` stands at the top of the frontmatter and in nothing else, beside a name and a description."""
    return "operation" in members and all((members.get(name) or "").strip() for name in ("name", "description"))


def _mapping(lines: list[str]) -> dict[str, Any] | None:
    """A mapping of texts, lists of texts and mappings of texts; None for everything else."""
    found: dict[str, Any] = {}
    depth = len(lines[0]) - len(lines[0].lstrip(" "))
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        member = _MEMBER.fullmatch(line, depth)
        if member is None or line[:depth].strip() or member[1] in found:
            return None
        at += 1
        if member[2]:
            found[member[1]] = _flow(member[2])
        else:
            begin = at
            while at < len(lines) and lines[at][: depth + 1].isspace() and lines[at].strip():
                at += 1
            found[member[1]] = _block(lines[begin:at])
        if found[member[1]] is None:
            return None
    return found


def _flow(said: str) -> Any:
    if said[0] == "[" and said[-1] == "]":
        return _texts(said[1:-1].split(","))
    if said[0] == "{" and said[-1] == "}":
        pairs = [part.strip().partition(": ") for part in said[1:-1].split(",")]
        values = _texts([value for _, _, value in pairs])
        names = [name for name, _, _ in pairs]
        return dict(zip(names, values, strict=True)) if values and len(set(names)) == len(names) else None
    return _text(said)


def _block(lines: list[str]) -> Any:
    if lines and lines[0].lstrip().startswith("- "):
        starts = {line.partition("- ")[0] for line in lines}
        one = len(starts) == 1 and not next(iter(starts)).strip()
        return _texts([line.strip().removeprefix("- ") for line in lines]) if one else None
    found = _mapping(lines) if lines else None
    return found if found is not None and all(isinstance(value, str) for value in found.values()) else None


def _texts(parts: list[str]) -> list[str] | None:
    texts = [_text(part.strip()) for part in parts]
    return [text for text in texts if text is not None] if all(text and "/" not in text for text in texts) else None


_PLAIN_TEXT = re.compile(
    r"https?://[A-Za-z0-9_./:{}-]+|[A-Za-z][A-Za-z0-9_.-]*(?: [A-Za-z][A-Za-z0-9-]*)?|[0-9]{1,3}[mhd]"
)


def _text(said: str) -> str | None:
    if said[:1] in ("'", '"') and said[-1:] == said[:1] and len(said) > 2:
        said = said[1:-1]
    elif said.lower() in NO_TEXT:
        return None
    return said if _PLAIN_TEXT.fullmatch(said) and ": " not in said and not said.endswith(":") else None


def _sound(operation: Mapping[str, Any], words: Mapping[str, Any]) -> bool:
    """Whether the rules of the declaration alone say nothing."""
    if not (operation.keys() <= _MEMBERS and operation.get("method") in _WRITES and "write" not in operation):
        return False
    body, identity = operation.get("body"), operation.get("identity")
    if not (isinstance(body, list) and isinstance(identity, list) and identity):
        return False
    known: Mapping[str, int] = words["words"]
    plain = all(map(_BODY_NAME.fullmatch, body)) and len(set(body)) == len(body)
    named = len(set(identity)) == len(identity) and set(identity) <= set(body)
    if not (plain and named and all(_is_plain(name, known, words["never"]) for name in identity)):
        return False
    money = operation.get("money")
    if money is None:
        if not all(_NAME.fullmatch(name) and _bits(name, known) & NO_AMOUNT for name in body):
            return False
    elif not _is_money(money):
        return False
    return _is_path(operation.get("url"), known) and _is_key(operation.get("key"))


def _bits(name: str, known: Mapping[str, int]) -> int:
    """What holds of every word of a name; 0 where one is not known."""
    bits = FIELD | PATH | NO_AMOUNT
    for word in name.split("_"):
        bits &= known.get(word, 0)
    return bits


def _is_plain(name: str, known: Mapping[str, int], never: list[str]) -> bool:
    if not (_NAME.fullmatch(name) and _bits(name, known) & FIELD):
        return False
    joined = "_".join(word[:-1] if known[word] & PLURAL else word for word in name.split("_"))
    return not any(text in joined for text in never)


def _is_path(url: Any, known: Mapping[str, int]) -> bool:
    found = _URL.fullmatch(url) if isinstance(url, str) else None
    if found is None:
        return False
    said = [word for word in _PATH_WORD.findall(found[1]) if word not in _VERSIONS and not word[-1].isdigit()]
    return bool(said) and all(known.get(word, 0) & PATH for word in said)


def _is_key(key: Any) -> bool:
    """A header of the usual name, of which is said how long it is remembered."""
    if not (isinstance(key, dict) and key.keys() <= {"in", "name", "for", "shape"}):
        return False
    named = key.get("in") == "header" and _KEY_NAME.fullmatch(key.get("name", "")) is not None
    return named and _FOR.fullmatch(key.get("for", "")) is not None and key.get("shape", "uuid") in _SHAPES


def _is_money(money: Any) -> bool:
    return (
        isinstance(money, dict)
        and money.keys() == {"amount", "currency"}
        and _NAME.fullmatch(money["amount"]) is not None
        and _CURRENCY.fullmatch(money["currency"]) is not None
    )


def _left_out(text: str, identity: list[str], optional: list[str]) -> bool:
    """Whether a line or what follows it may say of a field of the identity that it can be left out."""
    lines = [fold(line) for line in text.splitlines()]
    for at, line in enumerate(lines):
        if any(name in line for name in identity):
            near = " ".join(lines[at : at + 3])
            if any(word in near for word in optional):
                return True
    return False


def _silent(text: str, signs: Signs, words: Mapping[str, Any]) -> bool:
    """Whether what stands around the declaration says nothing of keys, nor of repeating the write."""
    text = text.replace("\r\n", "\n")
    if _MARKUP.search(text) or signs.in_text(text.lower()):
        return False
    for part in _GAP.split(text):
        said = _BETWEEN.sub(" ", fold(part).translate(_DROPPED))
        if any(all(any(one in said for one in group) for group in groups) for groups in words["says"]):
            return False
    return True
