"""The `SKILL.md` of a folder links to a file under `operations/` that does not exist.

Why: the model reads the index, follows the link and finds nothing; then it calls the API by guesswork, without a
declaration.

Before:

    - [Cancel a booking](operations/cancel.md)          (the file is called cancel-booking.md)

After:

    - [Cancel a booking](operations/cancel-booking.md)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from wizard.lint.model import Context, Finding, Rule
from wizard.skill.form import form_of
from wizard.source import Span

_TO = r"\.?/?operations/"
_LINK = re.compile(
    rf"\]\((?P<plain>{_TO}[^)\s#?<>]+)"
    rf"|\]\(<(?P<pointed>{_TO}[^<>\n#?]+)"
    rf"|^ {{0,3}}\[[^\]\n]{{1,200}}\]:[ \t]*<?(?P<defined>{_TO}[^\s#?<>]+)",
    re.MULTILINE,
)
"""A link with its target, a target in angle brackets, or the definition of one."""


def check(context: Context) -> Iterator[Finding]:
    if context.whole or context.exists is None or form_of(context.source.name) != "skill":
        return
    for found in _LINK.finditer(context.source.text):
        which = found.lastgroup or "plain"
        target = unquote(found[which])
        if not context.exists(target.removeprefix("/")):
            yield Finding(span=Span(*found.span(which)), message=f"there is no file `{target}`")


RULE = Rule(
    name="link-missing",
    family="repository",
    severity="error",
    confidence="high",
    summary="an index links to an operation that is not there",
    check=check,
    why=__doc__ or "",
)
