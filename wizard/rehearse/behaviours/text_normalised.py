"""The recipient stores texts in another spelling."""

from __future__ import annotations

import unicodedata

from wizard.rehearse.behaviour import Behaviour


def _stored(text: str) -> str:
    """Names and texts in capitals and without spaces at their ends, addresses in small letters; codes as they are."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    if "@" in plain:
        return plain.lower()
    return plain.upper() if " " in plain or plain.isalpha() else plain


BEHAVIOUR = Behaviour(
    name="text-normalised",
    says="It stores texts in capitals, in NFC and trimmed.",
    shows="A filter by a name does not find what is there; a comparison cannot tell, and says nothing of absence.",
    text=_stored,
)
