"""The text forbids to repeat a write whose repeats the host answers itself.

It looks only at files that declare a write.

Why: the host answers a repeat from its record, so a repeat does no harm; and after a person has looked at an attempt
and let the write go out again, a model that was told never to repeat it will not. Say that it is called once, and
leave the rest to the host.

Before:

    Never retry this call.

After:

    Call it once; if no answer comes, the host finds out whether it was done.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.keyprose.sayings import once_instead, sayings_of
from wizard.lint.model import Context, Finding, Related, Rule


def check(context: Context) -> Iterator[Finding]:
    for saying in sayings_of(context, "never-retry"):
        place = context.skill.operation_key_span()
        yield Finding(
            span=saying.span,
            message="this outlives an approval: what a person lets go out again, the model will not send",
            related=(Related(place, "the host answers a repeat of this write from its record"),) if place else (),
            fix=once_instead(context, saying, "Say that the write is called once"),
        )


RULE = Rule(
    name="never-retry",
    family="prose",
    severity="info",
    confidence="medium",
    summary="a declared write is never to be repeated",
    check=check,
    why=__doc__ or "",
)
