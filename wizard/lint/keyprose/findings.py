"""Findings of the family `prose-key`: what was found, in words, with the declaration it contradicts and a fix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from wizard.lint.keyprose.detect import Hit
from wizard.lint.keyprose.drafts import Draft, draft_of, operation_of
from wizard.lint.keyprose.found import blocks_of, declared, hits_of
from wizard.lint.keyprose.lexicon import language_of, lexicon
from wizard.lint.keyprose.names import same_name
from wizard.lint.keyprose.removal import without_site
from wizard.lint.keyprose.sentence_edits import without_row, without_sentence
from wizard.lint.model import Context, Edit, Finding, Fix, Related, Severity
from wizard.operation.model import KeyPlace, Operation

_SAID = {
    "prose-builds-key": "the model is told to make {what}",
    "prose-new-key-on-retry": "a retry with a new key is a second write",
    "prose-reuses-key": "the model is told to keep {what} for a retry",
    "sample-fills-key": "the sample fills in {what}, and a model copies it",
    "row-asks-for-key": "the table asks the model for {what}",
    "app-code-fills-key": "the code fills in {what}",
    "key-required": "{what} is asked for, and nothing says who makes it",
}
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
        own = _is_own(operation.key, hit.name) or not hit.name
        tail = "; the host fills it in" if own else f"; the host sends its own key as {_placed(operation.key)}"
    return Finding(
        span=hit.span, message=said + tail, related=related, severity=severity, confidence=hit.confidence,
        fix=_fix(context, hit, operation, draft),
    )  # fmt: skip


def _draft(context: Context, hit: Hit) -> Draft:
    text = context.source.text[hit.unit.start : hit.unit.end]
    return draft_of(text, hit.name, hit.site.kind if hit.site else "", lexicon())


def _placed(key: KeyPlace) -> str:
    return f"`{key.place} {key.name}`"


def _is_own(key: KeyPlace, name: str) -> bool:
    """Whether a name in the text is the declared key's."""
    own = key.path.segments[-1].name if key.place == "field" and key.path.segments else key.name
    return same_name(own, name)


def _fix(context: Context, hit: Hit, operation: Operation | None, draft: Draft) -> Fix | None:
    if hit.rule == "app-code-fills-key":
        return None
    edits = _edits(context, hit)
    if edits is None:
        return None
    if operation is None:
        return _drafted(context, hit, draft, edits)
    if operation.key is None:
        return _with_key(context, draft, edits)
    if hit.site is not None and hit.block.kind == "code" and _is_very_place(operation.key, hit):
        return Fix(f"Take `{hit.name}` out of the sample", edits)
    return Fix(_title(hit), edits, "unsafe")


def _title(hit: Hit) -> str:
    if hit.site is not None and (hit.block.kind == "code" or hit.part_of_sample):
        return f"Take `{hit.name}` out of the sample"
    return "Take the row out" if hit.rule == "row-asks-for-key" else "Take the sentence out"


def _is_very_place(key: KeyPlace, hit: Hit) -> bool:
    """Whether a sample fills the very place that the declaration names as its key."""
    if hit.site is None or not _is_own(key, hit.name):
        return False
    match key.place:
        case "header":
            return hit.site.kind == "header"
        case "query":
            return hit.site.kind in ("parameter", "flag")
        case "field":
            return len(key.path.segments) == 1 and hit.site.kind in ("member", "flag")


def _edits(context: Context, hit: Hit) -> tuple[Edit, ...] | None:
    """The edits that take a place out, with the host's sentence where the file does not have it yet."""
    if hit.site is not None and (hit.block.kind == "code" or hit.part_of_sample):
        return without_site(context.source, hit.block.text, hit.site)
    if hit.block.kind == "code":
        return None
    instead = _host_sentence(context, hit)
    if hit.block.kind == "row":
        return without_row(context.source, hit.block, instead)
    return without_sentence(context.source, hit.block, hit.unit, instead)


def _host_sentence(context: Context, hit: Hit) -> str:
    """The host's sentence in the language of what goes; empty where it stands in the file, or another fix brings it."""
    operation = declared(context)
    key = operation.key if operation is not None else None
    name = key.name if key is not None else hit.name or "Idempotency-Key"
    language = language_of(context.source.text[hit.unit.start : hit.unit.end])
    said = language.host.format(name=name)
    first = next(
        (one for one in hits_of(context) if one.block.kind != "code" and one.rule != "app-code-fills-key"), hit
    )
    return said if first == hit and said not in context.source.text else ""


def _with_key(context: Context, draft: Draft, edits: tuple[Edit, ...]) -> Fix | None:
    """The fix of a declaration that names no key, where the text says where it goes."""
    if draft.key is None:
        return None
    from wizard.lint.declared import with_value
    from wizard.operation.printing import print_key

    declaring = with_value(context, "key", print_key(draft.key), title="")
    if declaring is None:
        return None
    return Fix(f"Declare {_placed(draft.key)} and take the text out", (*declaring.edits, *edits), "unsafe")


def _drafted(context: Context, hit: Hit, draft: Draft, edits: tuple[Edit, ...]) -> Fix | None:
    """The fix of a skill that declares nothing, where the text around shows the whole call."""
    operation = operation_of(_around(context, hit), draft)
    if operation is None:
        return None
    from wizard.lint.skillform import frontmatter_fix
    from wizard.skill.editing import set_operation

    declaring = frontmatter_fix(context, "", lambda skill: set_operation(skill, operation))
    if declaring is None or declaring.edits[0].span.end > context.skill.body_span.start:
        return None
    return Fix("Declare the operation and take the text out", (*declaring.edits, *edits), "unsafe")


def _around(context: Context, hit: Hit) -> str:
    """The text of the blocks under the same heading."""
    section = [block for block in blocks_of(context) if block.headings == hit.block.headings]
    return "\n".join(context.source.text[block.span.start : block.span.end] for block in section)
