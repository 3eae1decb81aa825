"""What a row of a table of parameters asks for."""

from __future__ import annotations

import re

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.lexicon import MARKS, Language, Lexicon
from wizard.lint.keyprose.names import Names
from wizard.lint.keyprose.reading import Reading, read
from wizard.lint.keyprose.sentences import Verdict, judge
from wizard.lint.keyprose.values import value_kind
from wizard.skill.prose import Block
from wizard.skill.prose_text import CODE_SPAN, clauses, sentences

_NAME_MARKS = MARKS["key"] + MARKS["ref"] + MARKS["ask"] + MARKS["token"]
_KEY_CELL = re.compile(rf"[\s(*-]*{MARKS['key']}[^|]{{0,20}}")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_TYPES = frozenset({"uuid", "guid", "uuid v4", "string uuid", "hash", "timestamp"})
_NAME_CELL = re.compile(rf"[\s(*-]*(?P<name>[{_NAME_MARKS}])[^|]{{0,40}}")


def row_verdict(block: Block, names: Names, lexicon: Lexicon, *, spoken_of: bool) -> Verdict | None:
    """What a row asks for: a sentence in one of its cells, or a parameter's name beside words of making.

    `spoken_of` is whether what stands over the row speaks of keys.
    """
    if _is_column(block, lexicon):
        return None
    text = fold(block.text.text)
    spoken_of = spoken_of or lexicon.speaks(text) or names.names_key(text)
    hushed = False
    nameless: Verdict | None = None
    for clause in (clause for cell in block.cells for sentence in sentences(cell) for clause in clauses(sentence)):
        judged = judge(read(clause, names, lexicon), lexicon, spoken_of=spoken_of)
        if judged.verdict is not None and judged.verdict.name:
            return judged.verdict
        nameless = nameless or judged.verdict
        hushed = hushed or judged.hushed
    if hushed:
        return nameless
    # A cell that only describes speaks of the parameter that another one names.
    reading = read(block.text, names, lexicon)
    found = _parameter(reading, lexicon, spoken_of=spoken_of) or nameless or _shown(block, reading, lexicon)
    if found is None and lexicon.may_ask(text) and next(names.find(text), None) is None:
        # When it is so may stand in one cell, and what is to be done in the next.
        found = judge(reading, lexicon, spoken_of=spoken_of).verdict
    return found


def _shown(block: Block, reading: Reading, lexicon: Lexicon) -> Verdict | None:
    """The row of a key beside which stands a value to copy, or one that says of itself that the reader makes it."""
    first = reading.text.split("|")[0]
    if _KEY_CELL.fullmatch(first.strip()) is None:
        return None
    for index, cell in enumerate(block.cells[1:], 1):
        title = block.header[index].strip(" `*").lower() if index < len(block.header) else ""
        shown = any(language.example.search(title) for language in lexicon.languages)
        for value in [cell.text.strip(), *(found[0] for found in CODE_SPAN.finditer(cell.text))]:
            bare = value.strip("`* ")
            if not bare or " " in bare.strip("<>{}"):
                continue
            kind = value_kind(bare.lower(), lexicon, bare_words=True)
            if kind in ("made", "template") or (
                kind in ("literal", "place") and (shown or _UUID.fullmatch(bare.lower()))
            ):
                at = first.index(MARKS["key"])
                return Verdict("row-asks-for-key", reading.span(at, at + 1), reading.name_in(at, at + 1), None)
    return None


def _is_column(block: Block, lexicon: Lexicon) -> bool:
    """Whether a row describes a column of a database."""
    code = lexicon.code
    cells = (fold(cell.text).strip(" `*") for cell in block.cells[1:])
    titles = (title.strip(" `*").lower() for title in block.header)
    return any(code["column"].fullmatch(cell) for cell in cells) or any(
        code["column_title"].fullmatch(title) for title in titles
    )


def _parameter(reading: Reading, lexicon: Lexicon, *, spoken_of: bool) -> Verdict | None:
    """The row of a parameter whose description says how its value is made."""
    cells = reading.text.split("|")
    named = next((cell for cell in cells[:2] if _NAME_CELL.fullmatch(cell.strip())), None)
    if named is None:
        return None
    at = len("|".join(cells[: cells.index(named)])) + (1 if cells.index(named) else 0)
    mark = _NAME_CELL.fullmatch(named.strip())
    behind = at + len(named)
    sure = mark is not None and mark["name"] in (MARKS["key"], MARKS["token"])
    for language in lexicon.languages:
        if not language.written_in(reading.text):
            continue
        if any(form.pattern.search(reading.text) for form in language.hush):
            return None
        found = _described(reading.text, behind, language, lexicon)
        if found and (sure or spoken_of or mark is None or mark["name"] == MARKS["ref"]):
            start = at + named.index(mark["name"]) if mark else at
            return Verdict(
                "row-asks-for-key", reading.span(start, found.end()), reading.name_in(start, found.end()), None
            )
    return None


def _described(text: str, behind: int, language: Language, lexicon: Lexicon) -> re.Match[str] | None:
    """The first words of making behind a place. A cell that is a type (`uuid`) says nothing of who makes it."""
    at = behind
    for cell in text[behind:].split("|"):
        typed = cell.strip(" `*()") in _TYPES or lexicon.code["types"].fullmatch(cell.strip(" `*")) is not None
        found = None if typed else language.row.search(text, at, at + len(cell))
        if found:
            return found
        at += len(cell) + 1
    return None
