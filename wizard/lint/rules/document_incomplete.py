"""A part of the API document cannot be read: a `$ref` leads to nothing, or to somewhere that is not followed.

Why: what stands behind it is not compared with the skills, and where it is a whole operation nobody can tell whether
that exists; of a part of an operation it is a note. References to URLs and to files outside the document's folder are
not followed; put what they lead to beside the document, or bundle it into one file.

Before:

    /charges:
      post: {$ref: parts/charge.yaml}         (there is no such file)

After:

    /charges:
      post: {$ref: parts/create-charge.yaml}
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.matching import UNREAD_OPERATION
from wizard.lint.model import Context, Finding, Rule
from wizard.lint.words_of import counted
from wizard.source import Span
from wizard.spec.model import DocumentProblem


def check(context: Context) -> Iterator[Finding]:
    document = context.document
    if not context.whole or document is None:
        return
    for message, problems in _by_message(document.problems).items():
        first = document.place(problems[0].pointer)
        start, end = 0, 0
        if first.position is not None and first.name == context.source.name:
            start = context.source.offset(first.position)
            end = start + max(1, len(context.source.line(first.position.line)[first.position.column - 1 :].rstrip()))
        places = f" ({counted(len(problems), 'place')})" if len(problems) > 1 else ""
        whole = any(UNREAD_OPERATION.fullmatch(problem.pointer) for problem in problems)
        yield Finding(span=Span(start, end), message=message + places, severity=None if whole else "info")


def _by_message(problems: tuple[DocumentProblem, ...]) -> dict[str, list[DocumentProblem]]:
    """The references that lead nowhere, those that lead to the same together."""
    found: dict[str, list[DocumentProblem]] = {}
    for problem in problems:
        if problem.pointer.endswith("/$ref") and problem.message.startswith("`$ref: "):
            found.setdefault(problem.message, []).append(problem)
    return found


RULE = Rule(
    name="document-incomplete",
    family="document",
    needs_document=True,
    severity="warning",
    confidence="high",
    summary="a part of the API document cannot be read",
    check=check,
    why=__doc__ or "",
)
