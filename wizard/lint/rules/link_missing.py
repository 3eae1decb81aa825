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

_LINK = re.compile(r"\]\((?P<target>\.?/?operations/[^)\s#?]+)")


def check(context: Context) -> Iterator[Finding]:
    if context.whole or context.exists is None or form_of(context.source.name) != "skill":
        return
    for found in _LINK.finditer(context.source.text):
        target = unquote(found["target"])
        if not context.exists(target.removeprefix("/")):
            yield Finding(span=Span(*found.span("target")), message=f"there is no file `{target}`")


RULE = Rule(
    name="link-missing",
    family="repository",
    severity="error",
    confidence="high",
    summary="an index links to an operation that is not there",
    check=check,
    why=__doc__ or "",
)
