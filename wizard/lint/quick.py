"""Which rules may have something to say of a file, told by a look that loads none of them.

Most files of a run are ordinary skills with a sound frontmatter that never speak of keys. They declare nothing, their
frontmatter is plain to see and has what every client asks for, and they hold none of the signs without which the prose
rules find nothing. Where the look is not sure, the rules look.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from wizard.lint.plainfront import plain_members
from wizard.lint.signs import may_declare

KEY = b"prose signs"
FILE_FAMILIES = ("file", "declaration", "document", "prose-key", "prose")
"""What looks at one file at a time."""


class ProseSign(NamedTuple):
    """A word, and what tells whether it stands in something that matters."""

    stem: str
    pattern: str
    """What begins with the stem; empty for none."""
    phrases: tuple[str, ...]


class ProseSigns:
    """What the prose rules look for; a text that holds none of it says nothing to them."""

    def __init__(self, signs: Sequence[ProseSign]) -> None:
        self.signs = tuple(signs)
        self.compiled: dict[str, re.Pattern[str]] = {}

    def in_text(self, text: str) -> bool:
        """Whether a text in lower case holds a sign."""
        ascii_only = text.isascii()
        for sign in self.signs:
            if (ascii_only and not sign.stem.isascii()) or sign.stem not in text:
                continue
            if sign.pattern and self.pattern(sign.pattern).search(text):
                return True
            if any(phrase in text for phrase in sign.phrases):
                return True
        return False

    def pattern(self, text: str) -> re.Pattern[str]:
        known = self.compiled.get(text)
        if known is None:
            known = self.compiled[text] = re.compile(text)
        return known

    def dump(self) -> list[Any]:
        """As JSON's values."""
        return [list(sign) for sign in self.signs]


def prose_signs() -> ProseSigns:
    """The signs of all words that the prose rules know."""
    from wizard.lint.keyprose.lexicon import lexicon

    found = [
        ProseSign(sign.stem, sign.pattern.pattern if sign.pattern else "", sign.phrases)
        for sign in lexicon().signs.signs
    ]
    return ProseSigns(found)


def load_signs(value: Any) -> ProseSigns | None:
    """What `dump` gave; None for anything else."""
    try:
        return ProseSigns([ProseSign(stem, pattern, tuple(phrases)) for stem, pattern, phrases in value])
    except (TypeError, ValueError):
        return None


def families_for(data: bytes, signs: ProseSigns, *, strict: bool) -> tuple[str, ...]:
    """The families of rules that may have something to say of a file; none where a look is enough."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return FILE_FAMILIES
    found: list[str] = []
    declares = may_declare(data)
    if strict or declares or not _sound(text):
        found.append("file")
    if declares:
        found += ["declaration", "document"]
    if signs.in_text(text.lower()):
        found += ["prose-key", "prose"]
    return tuple(found)


def _sound(text: str) -> bool:
    """Whether a frontmatter is plain to see and has what every client asks for.

    The rules of the family `file` have nothing to say of it then: `skill-name` and `skill-description` ask for a text
    that is not empty, and for nothing more of a skill without a declaration.
    """
    members = plain_members(text)
    if members is None:
        return False
    return bool((members.get("name") or "").strip()) and bool((members.get("description") or "").strip())
