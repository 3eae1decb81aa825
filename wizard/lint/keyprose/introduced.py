"""Names that a text itself gives to its key: `idempotency is by the `client_id` parameter` makes `client_id` one."""

from __future__ import annotations

from collections.abc import Iterable

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.lexicon import Lexicon
from wizard.lint.keyprose.names import Names, words_of
from wizard.skill.prose import Block

MOST = 8
"""Names of one file that are taken; a text that says so of more says it of no single one."""


def introduced(blocks: Iterable[Block], names: Names, lexicon: Lexicon) -> tuple[str, ...]:
    """The names that the blocks say a key goes by, as they are written there, without those that are known."""
    found: dict[str, str] = {}
    for block in blocks:
        if block.kind == "code" or not lexicon.code["purpose"].search(block.text.text.lower()):
            continue
        text = fold(block.text.text)
        kind = "introduced_in_row" if block.kind == "row" else "introduced"
        for match in lexicon.code[kind].finditer(text):
            group = match.lastgroup or ""
            written = block.text.text[slice(*match.span(group))]
            words = words_of(written)
            if " " not in words or lexicon.code["no_key"].search(words) or next(names.find(match[group]), None):
                continue
            found.setdefault(words, written)
    return tuple(found.values())[:MOST]
