"""Which rules may have something to say of a file, told by a look that loads none of them.

Most files of a run are ordinary skills with a sound frontmatter that never speak of keys. They declare nothing, their
frontmatter is plain to see and has what every client asks for, and they hold none of the signs without which the prose
rules find nothing. Where the look is not sure, the rules look.
"""

from __future__ import annotations

from wizard.lint.keyprose.signs import Signs, load_signs
from wizard.lint.plainfront import plain_members
from wizard.lint.signs import may_declare

__all__ = ["FILE_FAMILIES", "KEY", "Signs", "families_for", "load_signs", "prose_signs"]

KEY = b"prose signs"
FILE_FAMILIES = ("file", "declaration", "document", "prose-key", "prose")
"""What looks at one file at a time."""


def prose_signs() -> Signs:
    """The signs of all words that the prose rules know."""
    from wizard.lint.keyprose.lexicon import lexicon

    return lexicon().every_sign()


def families_for(data: bytes, signs: Signs, *, strict: bool) -> tuple[str, ...]:
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
    # A declaration brings names of its own, and sayings that matter only beside it.
    if declares or signs.in_text(text.lower()):
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
