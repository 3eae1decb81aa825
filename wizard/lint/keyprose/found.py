"""What a file's prose holds, worked out once and shared by the rules that look at it."""

from __future__ import annotations

from wizard.lint.keyprose.described import is_described
from wizard.lint.keyprose.detect import Hit, detect
from wizard.lint.keyprose.introduced import introduced
from wizard.lint.keyprose.lexicon import Lexicon, lexicon
from wizard.lint.keyprose.names import Names
from wizard.lint.model import Context
from wizard.lint.quick import prose_signs
from wizard.operation.model import Operation
from wizard.skill.described import description_block
from wizard.skill.prose import Block, body_start, parse_prose
from wizard.skill.sections import touches

_HITS = "keyprose.hits"
_BLOCKS = "keyprose.blocks"
_LOWERED = "keyprose.lowered"
_OPERATION = "keyprose.operation"


def lowered(context: Context) -> str:
    """The file's text in lower case."""
    known = context.shared.get(_LOWERED)
    if known is None:
        known = context.shared[_LOWERED] = context.source.text.lower()
    return str(known)


def blocks_of(context: Context) -> tuple[Block, ...]:
    """The blocks of the file's prose, the description first; parts in which no rule finds anything may be left out."""
    known: tuple[Block, ...] | None = context.shared.get(_BLOCKS)
    if known is None:
        # A declaration brings names of its own, which the signs do not know.
        text = lowered(context)
        free = declared(context) is not None or len(text) != len(context.source.text)
        wanted = None if free else prose_signs().places(text)
        blocks = parse_prose(context.source, wanted=wanted)
        # Reading the frontmatter costs more than the rest of a file: only where something may be said in it.
        if wanted is None or touches(wanted, 0, body_start(context.source.text)):
            block = description_block(context.source, context.skill.root)
            blocks = (block, *blocks) if block is not None else blocks
        known = context.shared[_BLOCKS] = blocks
    return known


def declared(context: Context) -> Operation | None:
    """The operation that the file declares. Reads the frontmatter only where it may hold one."""
    if context.whole:
        return None
    if _OPERATION not in context.shared:
        text = context.source.text
        head = text[: body_start(text)]
        context.shared[_OPERATION] = context.skill.operation if "operation" in head else None
    found: Operation | None = context.shared[_OPERATION]
    return found


def own_names(operation: Operation | None) -> tuple[str, ...]:
    """The names under which an operation's own key may stand in a text."""
    if operation is None or operation.key is None:
        return ()
    key = operation.key
    return (key.path.segments[-1].name,) if key.place == "field" and key.path.segments else (key.name,)


def names_for(context: Context) -> Names:
    """The general names of keys, and the declaration's own."""
    return lexicon().names(own_names(declared(context)))


def hits_of(context: Context) -> tuple[Hit, ...]:
    """The places of the file's prose that ask for a key, in their order. Most files are told apart without reading."""
    known: tuple[Hit, ...] | None = context.shared.get(_HITS)
    if known is None:
        words = lexicon()
        names = names_for(context)
        speaks = not context.whole and _may_speak(lowered(context), bool(own_names(declared(context))), names, words)
        blocks = blocks_of(context) if speaks else ()
        more = introduced(blocks, names, words)
        if more:
            names = words.names(own_names(declared(context)), more)
        hits = detect(blocks, names, words)
        operation = declared(context)
        if operation is not None:
            hits = (hit for hit in hits if not is_described(hit.block.text.text, operation, names, words))
        known = context.shared[_HITS] = tuple(hits)
    return known


def _may_speak(text: str, declares: bool, names: Names, words: Lexicon) -> bool:
    if not declares:
        # To look closer costs more than to read the few parts that hold a sign.
        return words.signs.in_text(text)
    return next(names.find(text), None) is not None or words.speaks(text) or words.may_ask(text)
