"""Letters brought to one form: by itself, because a look at a text needs no more."""

from __future__ import annotations

_FOLDED = str.maketrans("’‘“”（），：；！？｜＝＜＞【】", "''\"\"(),:;!?|=<>[]")


def fold(text: str) -> str:
    """In lower case, full-width punctuation as ASCII has it; as many characters as before."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_FOLDED)
