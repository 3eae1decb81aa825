"""Findings of the family `prose-key`: what was found, in words, with the declaration it contradicts and a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wizard.lint.keyprose.detect import Hit
from wizard.lint.keyprose.drafts import Draft, draft_of
from wizard.lint.keyprose.fixes import fixer_of, is_own, placed
from wizard.lint.keyprose.found import declared, hits_of
from wizard.lint.keyprose.lexicon import lexicon
from wizard.lint.model import Context, Finding, Related, Severity

_SAID = {
    "prose-builds-key": "the model is told to make {what}",
    "prose-new-key-on-retry": "a retry with a new key is a second write",
    "prose-reuses-key": "the model is told to keep {what} for a retry",
    "sample-fills-key": "the sample fills in {what}, and a model copies it",
    "row-asks-for-key": "the table asks the model for {what}",
    "app-code-fills-key": "the code fills in {what}",
    "key-required": "{what} is asked for, and nothing says who makes it",
}
_HOST = {
    "prose-new-key-on-retry": "the host sends the same one again",
    "prose-reuses-key": "the host sends the same one again",
}
"""What the host does, where it is not only to fill the key in."""
_AS_DECLARED = frozenset(_SAID) - {"app-code-fills-key", "key-required"}
"""Rules that contradict a declared key: the same write would go out under another one."""


def check_for(rule: str) -> Callable[[Context], Iterator[Finding]]:
    """The check of one rule of the family."""
    return partial(_findings, rule)


def _findings(rule: str, context: Context) -> Iterator[Finding]:
    for hit in hits_of(context):
        if hit.rule == rule:
            yield _finding(context, hit)


def _finding(context: Context, hit: Hit) -> Finding:
    operation = declared(context)
    what = f"`{hit.name}`" if hit.name else "a key"
    said = _SAID[hit.rule].format(what=what)
    severity: Severity | None = None
    related: tuple[Related, ...] = ()
    draft = _draft(context, hit)
    if operation is None:
        tail = (
            f"; declare {draft.said()}, and the host makes it"
            if draft.said()
            else "; declare it, and the host makes it"
        )
    elif operation.key is None:
        place = context.skill.operation_key_span()
        related = (Related(place, "the declaration names no key"),) if place else ()
        tail = "; the declaration names no key"
    else:
        place = context.skill.operation_span("key")
        related = (Related(place, "the host makes the key and fills it in here"),) if place else ()
        if hit.rule in _AS_DECLARED:
            severity = "error"
        own = is_own(operation.key, hit.name) or not hit.name
        tail = f"; {_HOST.get(hit.rule, 'the host fills it in')}"
        if not own:
            tail = f"; the host sends its own key as {placed(operation.key)}"
    return Finding(
        span=hit.span, message=said + tail, related=related, severity=severity, confidence=hit.confidence,
        fix=fixer_of(context).fix(hit, draft),
    )  # fmt: skip


def _draft(context: Context, hit: Hit) -> Draft:
    text = context.source.text[hit.unit.start : hit.unit.end]
    return draft_of(text, hit.name, hit.site.kind if hit.site else "", lexicon())
