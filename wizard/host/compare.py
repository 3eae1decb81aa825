"""Whether two values are the same, surely differ, or cannot be told apart (FORMAT 4). Pure.

A recipient may show what it stored in another spelling, so values that are not equal do not always differ: only
another number, another boolean, another instant, or a text with plainly other letters does.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any
from urllib.parse import unquote_plus

from wizard.host.exactjson import InexactError
from wizard.host.keys import tagged
from wizard.operation.field_path import MISSING

_NUMBER = re.compile(r"\s*[-+]?(\d[\d.,\s]*|[.,]\d+)([eE][-+]?\d+)?\s*%?\s*")
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*([Zz]|[-+]\d{2}:?\d{2})?")
_DATELIKE = re.compile(r"\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?([Tt ,].*)?|\d{1,2}:\d{2}.*|\d{8}([Tt]\d+.*)?")

_BETWEEN = re.compile(r"[\W_]+")

_WESTMOST, _EASTMOST = timedelta(hours=12), timedelta(hours=14)
"""How far a clock on the wall may stand behind and before UTC."""


class Likeness(StrEnum):
    """How two values compare."""

    SAME = "same"
    DIFFERENT = "different"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class When:
    """What a text says of a time: the stretch of time that it may mean, its end not included."""

    start: datetime
    end: datetime
    point: datetime | None = None
    """The instant as it is written; None for a date and for a time of day without a zone."""
    dated: bool = False
    """It is a date alone."""


def likeness(mine: Any, theirs: Any) -> Likeness:
    """Compares a value of our request with the one in a candidate. MISSING stands for a field that is not there."""
    if mine is MISSING or theirs is MISSING or mine is None or theirs is None:
        nothing = mine in (MISSING, None) and (theirs is None or (mine is MISSING and theirs is MISSING))
        return Likeness.SAME if nothing else Likeness.UNCLEAR
    match mine, theirs:
        case bool(), bool():
            return Likeness.SAME if mine == theirs else Likeness.DIFFERENT
        case (bool(), _) | (_, bool()):
            return Likeness.UNCLEAR
        case ((int() | Decimal()), (int() | Decimal())):
            return Likeness.SAME if mine == theirs else Likeness.DIFFERENT
        case str(), str():
            return _texts(mine, theirs)
    try:
        return Likeness.SAME if tagged(mine) == tagged(theirs) else Likeness.UNCLEAR
    except (InexactError, TypeError):
        return Likeness.UNCLEAR


def _texts(mine: str, theirs: str) -> Likeness:
    if unicodedata.normalize("NFC", mine) == unicodedata.normalize("NFC", theirs):
        return Likeness.SAME
    ours, other = when(mine), when(theirs)
    if ours is not None and other is not None:
        if ours.point is not None and ours.point == other.point:
            return Likeness.SAME
        apart = ours.end <= other.start or other.end <= ours.start
        return Likeness.DIFFERENT if apart else Likeness.UNCLEAR
    if any(_number_or_date(text) for text in (mine, theirs)):
        return Likeness.UNCLEAR
    ours_spelled, theirs_spelled = _spellings(mine), _spellings(theirs)
    near = any(_near(one, other) for one in ours_spelled for other in theirs_spelled)
    return Likeness.UNCLEAR if near else Likeness.DIFFERENT


def _spellings(text: str) -> set[str]:
    """The spellings that a recipient may have made of a text: as it is, with HTML's or a URL's escapes undone, and each
    of them without accents."""
    plain = {text, html.unescape(text), unquote_plus(text)}
    bare = {unicodedata.normalize("NFKD", one) for one in plain}
    return plain | {"".join(each for each in one if not unicodedata.combining(each)) for one in bare}


def _near(mine: str, theirs: str) -> bool:
    """Whether one holds the other's letters, in their order or word by word (`Lovelace, Ada` for `Ada Lovelace`)."""
    one, two = _letters(mine), _letters(theirs)
    words, others = _words(mine), _words(theirs)
    return one in two or two in one or words <= others or others <= words


def _words(text: str) -> set[str]:
    return {word for word in (_letters(part) for part in _BETWEEN.split(text)) if word}


def _number_or_date(text: str) -> bool:
    stripped = text.strip()
    return bool(_NUMBER.fullmatch(stripped) or _DATELIKE.fullmatch(stripped) or when(stripped))


def _letters(text: str) -> str:
    """The letters and digits alone, in one spelling."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(character for character in folded if character.isalnum())


def when(value: Any) -> When | None:
    """The time that a value means: an RFC 3339 time, a date, or seconds or milliseconds since 1970 as a number.

    A date is any instant that carries it somewhere on earth; a time is as exact as it is written, rounded or cut off.
    None where it is no time.
    """
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return _epoch(value)
    if not isinstance(value, str):
        return None
    try:
        if found := _DATE.fullmatch(value):
            midnight = datetime.combine(date(int(found[1]), int(found[2]), int(found[3])), datetime.min.time(), UTC)
            return When(midnight - _EASTMOST, midnight + timedelta(days=1) + _WESTMOST, dated=True)
        if found := _TIME.fullmatch(value):
            return _instant(datetime.fromisoformat(_spelled(value)), seconds=found[1], fraction=found[2])
    except (ValueError, OverflowError):
        return None
    return None


def _spelled(time: str) -> str:
    return time.replace(" ", "T", 1).replace(" ", "").upper()


def _instant(instant: datetime, seconds: str | None, fraction: str | None) -> When:
    if seconds is None:
        unit = timedelta(minutes=1)
    else:
        unit = timedelta(seconds=1) / 10 ** min(len(fraction or ".") - 1, 6)
    if instant.tzinfo is None:
        local = instant.replace(tzinfo=UTC)
        return When(local - _EASTMOST - unit / 2, local + _WESTMOST + unit)
    point = instant.astimezone(UTC)
    return When(point - unit / 2, point + unit, point)


def _epoch(number: int | Decimal) -> When | None:
    # Seconds from 1973 to 5138, and milliseconds over the same years, cannot be mistaken for one another.
    if 10**8 <= number < 10**11:
        unit = 1_000_000
    elif 10**11 <= number < 10**14:
        unit = 1_000
    else:
        return None
    point = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(Decimal(number) * unit))
    return When(point, point + timedelta(microseconds=unit), point)
