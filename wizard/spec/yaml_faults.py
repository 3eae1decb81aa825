"""What is wrong with a YAML text, in an author's words, and what to do about it."""

from __future__ import annotations

import yaml

from wizard.errors import DocumentError, LimitError
from wizard.source import Source
from wizard.spec.limits import MAX_DEPTH, NO_API_NEEDS_THAT

_QUOTE = "Put quotes around the whole text."
_FAULTS: tuple[tuple[str, str, str], ...] = (
    ("mapping values are not allowed", "a colon followed by a space stands inside a plain text", _QUOTE),
    ("that cannot start any token", "a plain text cannot begin with this character", _QUOTE),
    ("found a tab character", "a tab stands in the indentation", "Indent with spaces."),
    ("while scanning a quoted scalar", "a quoted text does not end", "Close the quotes."),
    ("found unexpected end of stream", "the text ends before it is complete", "Get the file again if it was cut off."),
    ("found unexpected document indicator", "a quoted text does not end before `---` or `...`", "Close the quotes."),
    (
        "could not find expected ':'",
        "a key without a colon, or a text that is indented too little",
        "Add the colon, or indent the text under its key.",
    ),
    (
        "did not find expected key",
        "this is indented unlike its neighbours, or a quoted text goes on behind its quotes",
        "Line it up with the keys above it, or quote the whole text.",
    ),
    (
        "did not find expected '-' indicator",
        "this is indented unlike the list above it",
        "Line it up with the `-` above it.",
    ),
    (
        "did not find expected <document start>",
        "the text goes on after its outermost value has ended",
        "Check the indentation of this line and of the first key.",
    ),
    ("did not find expected ',' or ']'", "a list in brackets does not end", "Close it with `]`."),
    ("did not find expected ',' or '}'", "a mapping in braces does not end", "Close it with `}`."),
    ("did not find expected node content", "a value is missing here", "Write one, or quote the text."),
    (
        "found unknown escape character",
        "a backslash in double quotes begins no escape that YAML knows",
        "Double the backslash, or use single quotes.",
    ),
    (
        "did not find expected hexdecimal number",
        "an escape in double quotes is incomplete",
        "Complete it, or use single quotes.",
    ),
    ("block sequence entries are not allowed", "a list begins on the line of its key", "Begin it on the next line."),
    ("block mapping", "this is indented unlike its neighbours", "Line it up with the keys above it."),
    (
        "did not find expected alphabetic or numeric character",
        "`*` or `&` begins a name here, and none follows",
        _QUOTE,
    ),
    ("found undefined tag handle", "`!` begins a tag here, and it is not a known one", _QUOTE),
    ("found duplicate %YAML", "a text that begins with `%` at the margin is a directive", _QUOTE),
)


def broken_yaml(source: Source, error: yaml.YAMLError) -> DocumentError:
    """The error for a text that libyaml cannot read."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return DocumentError(f"this is no YAML that can be read ({error})", place=source.name)
    problem = error.problem or ""
    mark = error.problem_mark or error.context_mark
    said = f"{error.context or ''} {problem}"
    if "maximum nesting depth" in problem:
        place = str(source.place(mark.index)) if mark else source.name
        return LimitError(f"it is nested deeper than {MAX_DEPTH} levels", place=place, remedy=NO_API_NEEDS_THAT)
    message, remedy = problem, "Correct the text there."
    for theirs, ours, what_to_do in _FAULTS:
        if theirs in said:
            message, remedy = ours, what_to_do
            break
    character = source.text[mark.index : mark.index + 1] if mark else ""
    if "cannot start any token" in said and character == "\t":
        message, remedy = "a tab stands in the indentation", "Indent with spaces."
    place = source.name
    if mark:
        # A fault at the very end is told where the text ends, not on an empty line behind it.
        place = str(source.place(min(mark.index, len(source.text.rstrip()))))
    return DocumentError(f"this is no valid YAML: {message}", place=place, remedy=remedy)
