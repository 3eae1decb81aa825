"""Values made up for a field from its name and from what its schema says of a text or a number, the n-th of each kind.

Nothing is drawn: the same name, schema and count give the same value on every machine.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from wizard.infer.lexicon import phrase
from wizard.operation.pattern import matches
from wizard.spec.plain import Plain
from wizard.wordlists import table

_FIRST_DAY = date(2026, 11, 14)
_STAY = 3
"""Days from a first date to a later one (`arrival`, `departure`)."""
_LONGEST_CODE = 3
"""Letters of a code before its number."""
_TRIES = 24
_WORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "words")


def _words() -> Mapping[str, Any]:
    return table(_WORDS, "samples")


@lru_cache(maxsize=8192)
def _entry(kind: str, name: str) -> Mapping[str, Any]:
    found = phrase(name)
    for entry in _words()[kind]:
        for ending in entry["ends"]:
            words = tuple(ending.split())
            if found[-len(words) :] == words:
                return dict(entry)
    return {}


@lru_cache(maxsize=8192)
def comes_later(name: str) -> bool:
    """Whether a date of that name comes after another (`departure`, `end_date`)."""
    found = phrase(name)
    return any(
        found[at : at + len(words)] == words
        for words in (tuple(one.split()) for one in _words()["later"]["words"])
        for at in range(len(found))
    )


def day(name: str, n: int = 0) -> str:
    """The n-th day for a field: `2026-11-14`."""
    return (_FIRST_DAY + timedelta(days=(_STAY if comes_later(name) else 0) + n % 20_000)).isoformat()


def code(name: str, n: int = 0) -> str:
    """The n-th code for a field: `R-1` for `room_id`."""
    words = [word for word in phrase(name) if word.isascii()]
    stem = words[:-1] or words or ["x"]
    return f"{''.join(word[0] for word in stem[-_LONGEST_CODE:]).upper()}-{n + 1}"


def text_for(name: str, n: int = 0) -> str:
    """The n-th text for a field of which only the name is known."""
    entry = _entry("text", name)
    match entry.get("kind"):
        case "time":
            return f"{day(name, n)}T09:30:00Z"
        case "date":
            return day(name, n)
        case "code":
            return code(name, n)
    values = entry.get("values")
    if values:
        found = str(values[min(n, len(values) - 1)])
        return found.replace("{n}", str(n + 1)) if "{n}" in found or n < len(values) else f"{found} {n + 1}"
    words = " ".join(phrase(name)) or "text"
    return f"{words[:1].upper()}{words[1:]} {n + 1}"


def number_for(name: str, n: int = 0) -> int:
    """The n-th whole number for a field of which only the name is known."""
    return int(_entry("number", name).get("value", 1)) + n


def text_of(schema: Plain, name: str, n: int = 0) -> str:
    """The n-th text for a field that fits its format, pattern and lengths, as far as one is found."""
    made = _of_format(schema.get("format", ""), name, n)
    pattern = schema.get("pattern")
    if made is None and pattern is not None:
        made = _of_pattern(schema, pattern, name, n)
    if made is None:
        made = text_for(name, n)
    return _of_length(made, schema, n) if pattern is None else made


def _of_format(kind: str, name: str, n: int) -> str | None:
    match kind.lower():
        case "date":
            return day(name, n)
        case "date-time" | "datetime":
            return f"{day(name, n)}T09:30:00Z"
        case "time":
            return f"{9 + n % 12:02}:30:00Z"
        case "uuid" | "guid":
            return str(uuid5(NAMESPACE_OID, f"{name} {n}"))
        case "email" | "idn-email":
            return text_for("email", n)
        case "uri" | "url" | "uri-reference" | "iri":
            return f"https://example.org/{n + 1}"
        case "hostname" | "idn-hostname":
            return text_for("hostname", n)
        case "ipv4":
            return f"192.0.2.{1 + n % 250}"
        case "ipv6":
            return f"2001:db8::{1 + n % 9000}"
        case "byte" | "base64":
            return ("QWRh", "R3JhY2U=")[n] if n < 2 else f"QUFB{n:04}"
        case "duration":
            return f"P{n + 1}D"
        case "decimal" | "double" | "float" | "int64" | "int32":
            return str(number_for(name, n))
    return None


def _of_length(made: str, schema: Plain, n: int) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if len(made) < least:
        made = made.ljust(min(least, 10_000), "x") if n == 0 else f"{made.ljust(least - len(str(n)), 'x')}{n}"
    if most is not None and len(made) > most:
        # What tells one from another stands at the end.
        tail = str(n + 1) if n else ""
        made = made[: max(most - len(tail), 0)].rstrip(" -") + tail
        made = made[:most].ljust(min(least, most), "x")
    return made


def _of_pattern(schema: Plain, pattern: str, name: str, n: int) -> str | None:
    plain = _of_length(text_for(name, n), schema, n)
    for candidate in (plain, text_for(name, n), code(name, n), str(n + 1), day(name, n), *_other_forms(name, n)):
        if _fits(schema, pattern, candidate):
            return candidate
    return _drawn(schema, pattern, name, n)


def _other_forms(name: str, n: int) -> tuple[str, ...]:
    bare = "".join(phrase(name)) or "text"
    varying = (
        f"{bare}{n + 1}", str(uuid5(NAMESPACE_OID, f"{name} {n}")), f"{1200 + n}.00", f"{day(name, n)}T09:30:00Z",
        f"{day(name, n)}T09:30:00.000Z", f"{1_000_000_000 + n}", uuid5(NAMESPACE_OID, f"{name} {n}").hex,
    )  # fmt: skip
    return varying if n else (bare.upper(), "_".join(phrase(name)), "GB", "GBP", *varying)


def _fits(schema: Plain, pattern: str, text: str) -> bool:
    return (
        schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", 10_000)
        and matches(pattern, text) is not False
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _drawn_once(pattern: str, seed: int) -> str | None:
    from wizard.rehearse.drawing import draw

    try:
        return draw(pattern, random.Random(seed))
    except Exception:  # a pattern that Python does not read, or reads and cannot follow
        return None


def _drawn(schema: Plain, pattern: str, name: str, n: int) -> str | None:
    if matches(pattern, "") is None:
        return None
    found: list[str] = []
    for seed in range(_TRIES + n):
        drawn = _drawn_once(pattern, seed)
        for candidate in (drawn, drawn.strip() if drawn is not None else None):
            if candidate is not None and candidate not in found and _fits(schema, pattern, candidate):
                found.append(candidate)
                break
        if len(found) > n:
            return found[n]
    return found[-1] if found else None


def number_of(schema: Plain, name: str, n: int = 0) -> int | float:
    """The n-th number for a field that fits its bounds and is a multiple as it asks; they come round where there are
    fewer."""
    step = Decimal(str(schema.get("multipleOf", 1)))
    least, most = _steps(schema, step)
    wanted = int(Decimal(number_for(name)) / step)
    if least is not None and most is not None:
        if least > most:
            return _between(schema)
        first = wanted if least <= wanted <= most else least if wanted < least else least + (most - least) // 2
        at = least + (first - least + n) % (most - least + 1)
    elif most is not None:
        at = wanted + n if wanted + n <= most else most - n
    else:
        at = (wanted if least is None else max(wanted, least)) + n
    return _plain_number(at * step)


def _steps(schema: Plain, step: Decimal) -> tuple[int | None, int | None]:
    """The first and the last multiple of the step within the bounds; None where there is no bound."""
    least, most = schema.get("minimum"), schema.get("maximum")
    first = None if least is None else _rounded(least, step, ROUND_CEILING)
    last = None if most is None else _rounded(most, step, ROUND_FLOOR)
    if "exclusiveMinimum" in schema:
        above = _rounded(schema["exclusiveMinimum"], step, ROUND_FLOOR) + 1
        first = above if first is None else max(first, above)
    if "exclusiveMaximum" in schema:
        below = _rounded(schema["exclusiveMaximum"], step, ROUND_CEILING) - 1
        last = below if last is None else min(last, below)
    if schema.get("format") in ("int32", "int64"):
        largest = _rounded(2 ** (31 if schema["format"] == "int32" else 63) - 1, step, ROUND_FLOOR)
        last = largest if last is None else min(last, largest)
    return first, last


def _rounded(bound: int | float, step: Decimal, way: str) -> int:
    return int((Decimal(str(bound)) / step).to_integral_value(way))


def _between(schema: Plain) -> int | float:
    """A number between bounds that no whole number lies between."""
    low = max(Decimal(str(schema[word])) for word in ("minimum", "exclusiveMinimum") if word in schema)
    high = min(Decimal(str(schema[word])) for word in ("maximum", "exclusiveMaximum") if word in schema)
    return _plain_number((low + high) / 2)


def _plain_number(exact: Decimal) -> int | float:
    return int(exact) if exact == exact.to_integral_value() else float(exact)
