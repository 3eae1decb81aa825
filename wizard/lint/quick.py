"""Which rules may have something to say of a file, told by a look that loads none of them.

Most files of a run are ordinary skills with a sound frontmatter that never speak of keys. They declare nothing, their
frontmatter is plain to see and has what every client asks for, and they hold none of the signs without which the prose
rules find nothing. Where the look is not sure, the rules look.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache

from wizard.lint.keyprose.shipped import LEXICON, SIGNS, kept, text_of
from wizard.lint.keyprose.signs import Signs, load_signs
from wizard.lint.plainfront import plain_members
from wizard.lint.signs import may_declare

__all__ = ["FILE_FAMILIES", "SIGNS", "Signs", "families_for", "prose_signs", "signs_text", "write_signs"]

FILE_FAMILIES = ("file", "declaration", "document", "prose-key", "prose")
"""What looks at one file at a time."""


@cache
def prose_signs() -> Signs:
    """The signs of all words that the prose rules know.

    Reading all words takes longer than looking at a file, so the signs of the words that were released travel beside
    them, under a digest of those; words that were changed since are read.
    """
    found = kept(SIGNS)
    return (load_signs(found.get("signs")) if found is not None else None) or _read_signs()


def _read_signs() -> Signs:
    from wizard.lint.keyprose.lexicon import lexicon

    return lexicon().every_sign()


def signs_text() -> str:
    """What the file of signs that travels with the package should hold."""
    return text_of(signs=_read_signs().dump())


def write_signs() -> None:
    """Writes that file anew, and those of the lexicon, of the rules' families and of the lists that proposals go by."""
    from wizard.infer import tables
    from wizard.lint.keyprose.lexicon import lexicon_text
    from wizard.lint.plainwords import PLAIN_WORDS, plain_words_text
    from wizard.lint.rulebook import FAMILIES_OF, WORDS, families_text
    from wizard.wordlists import COMPILED, compiled_text

    made: dict[str, Callable[[], str]] = {
        os.path.join(tables.WORDS, COMPILED): lambda: compiled_text(tables.WORDS),
        os.path.join(WORDS, COMPILED): lambda: compiled_text(WORDS),
        SIGNS: signs_text,
        LEXICON: lexicon_text,
        FAMILIES_OF: families_text,
        PLAIN_WORDS: plain_words_text,
    }
    for path, made_of in made.items():
        text = made_of()
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


def families_for(data: bytes, signs: Signs, *, strict: bool, spec: bool = False) -> tuple[str, ...]:
    """The families of rules that may have something to say of a file; none where a look is enough.

    `spec` says that it is no `SKILL.md` and that it is checked against no API document.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return FILE_FAMILIES
    found: list[str] = []
    declares = may_declare(data)
    silent = False
    if declares:
        from wizard.lint.plainspec import look

        sound, silent = look(text, signs)
        if sound and silent and spec and not strict:
            return ()
    if strict or declares or not _sound(text):
        found.append("file")
    if declares:
        found += ["declaration", "document"]
    # A declaration brings names of its own, and sayings that matter only beside it.
    if not silent and (declares or signs.in_text(text.lower())):
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
