"""How a place that asks for a key is put right: it goes, and the declaration or the host's sentence comes."""

from __future__ import annotations

from functools import cached_property

from wizard.lint.keyprose.detect import Hit
from wizard.lint.keyprose.drafts import Call, Draft, calls_in, operation_of, spelled
from wizard.lint.keyprose.found import blocks_of, declared, hits_of
from wizard.lint.keyprose.lexicon import language_of, lexicon
from wizard.lint.keyprose.names import same_name
from wizard.lint.keyprose.removal import without_site
from wizard.lint.keyprose.sentence_edits import without_row, without_sentence
from wizard.lint.model import Context, Edit, Fix
from wizard.operation.model import KeyPlace, Operation

_FIXER = "keyprose.fixer"
_NO_SENTENCE = ("code", "description")
"""Blocks in which the host's sentence does not stand."""


def fixer_of(context: Context) -> Fixer:
    """The maker of a file's fixes."""
    known: Fixer | None = context.shared.get(_FIXER)
    if known is None:
        known = context.shared[_FIXER] = Fixer(context)
    return known


def placed(key: KeyPlace) -> str:
    """A key's place as the declaration writes it, in backticks."""
    return f"`{key.place} {key.name}`"


def is_own(key: KeyPlace, name: str) -> bool:
    """Whether a name in the text is the declared key's."""
    own = key.path.segments[-1].name if key.place == "field" and key.path.segments else key.name
    return same_name(own, name)


class Fixer:
    """Makes the fixes of one file, and remembers what several of them need."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.operation = declared(context)
        self.declaring: dict[Operation | KeyPlace, tuple[Edit, ...] | None] = {}
        self.calls: dict[tuple[str, ...], tuple[Call, ...]] = {}

    def fix(self, hit: Hit, draft: Draft) -> Fix | None:
        """The fix of one place; None where it takes a person."""
        if hit.rule == "app-code-fills-key":
            return None
        # Without a declaration there is a fix only where one can be drafted: look for that first.
        operation = None
        if self.operation is None:
            operation = operation_of(self.calls_around(hit), draft)
            if operation is None:
                return None
        elif self.operation.key is None and draft.key is None:
            return None
        edits = self.edits(hit)
        if edits is None:
            return None
        if operation is not None:
            return _joined("Declare the operation and take the text out", self.declaration_edits(operation), edits)
        key = self.operation.key if self.operation is not None else None
        if key is None:
            assert draft.key is not None
            return _joined(
                f"Declare {placed(draft.key)} and take the text out", self.declaration_edits(draft.key), edits
            )
        if _is_very_place(key, hit):
            return Fix(f"Take `{hit.name}` out of the sample", edits)
        return Fix(_title(hit), edits, "unsafe")

    def edits(self, hit: Hit) -> tuple[Edit, ...] | None:
        """The edits that take a place out, with the host's sentence where the file does not have it yet."""
        source = self.context.source
        if hit.block.kind == "description":
            # What is left of a description has to say what the skill is for: that takes a person.
            return None
        if hit.in_sample:
            assert hit.site is not None
            return without_site(source, hit.block.text, hit.site)
        if hit.block.kind == "code":
            return None
        instead = self.host_sentence if hit == self.first else ""
        if hit.block.kind == "row":
            return without_row(source, hit.block, instead)
        return without_sentence(source, hit.block, hit.unit, instead)

    @cached_property
    def first(self) -> Hit | None:
        """The place whose sentence becomes the host's; the others only go."""
        hits = hits_of(self.context)
        return next((hit for hit in hits if hit.block.kind not in _NO_SENTENCE and not hit.in_sample), None)

    @cached_property
    def host_sentence(self) -> str:
        """The host's sentence in the language of the first place; empty where it stands in the file."""
        first = self.first
        if first is None:
            return ""
        key = self.operation.key if self.operation is not None else None
        text = self.context.source.text
        own = spelled(text[first.unit.start : first.unit.end], first.name, lexicon())
        name = key.name if key is not None else own or "Idempotency-Key"
        said = language_of(text[first.unit.start : first.unit.end]).host.format(name=name)
        return "" if said in text else said

    def calls_around(self, hit: Hit) -> tuple[Call, ...]:
        """The calls that the blocks under the same heading show."""
        headings = hit.block.headings
        if headings not in self.calls:
            text = self.context.source.text
            section = [
                block for block in blocks_of(self.context) if block.headings == headings and block.kind != "description"
            ]
            self.calls[headings] = calls_in("\n".join(text[block.span.start : block.span.end] for block in section))
        return self.calls[headings]

    def declaration_edits(self, what: Operation | KeyPlace) -> tuple[Edit, ...] | None:
        """The edits of the frontmatter that declare an operation, or a key beside the operation that stands there."""
        if what not in self.declaring:
            self.declaring[what] = self.declare(what)
        return self.declaring[what]

    def declare(self, what: Operation | KeyPlace) -> tuple[Edit, ...] | None:
        if isinstance(what, KeyPlace):
            from wizard.lint.declared import with_value
            from wizard.operation.printing import print_key

            fix = with_value(self.context, "key", print_key(what), title="")
        else:
            from wizard.lint.skillform import frontmatter_fix
            from wizard.skill.editing import set_operation

            fix = frontmatter_fix(self.context, "", lambda skill: set_operation(skill, what))
        start = self.context.skill.body_span.start
        return None if fix is None or any(edit.span.end > start for edit in fix.edits) else fix.edits


def _joined(title: str, declaring: tuple[Edit, ...] | None, edits: tuple[Edit, ...]) -> Fix | None:
    return None if declaring is None else Fix(title, (*declaring, *edits), "unsafe")


def _title(hit: Hit) -> str:
    if hit.in_sample:
        return f"Take `{hit.name}` out of the sample"
    return "Take the row out" if hit.block.kind == "row" else "Take the sentence out"


def _is_very_place(key: KeyPlace, hit: Hit) -> bool:
    """Whether a sample in a fence fills the very place that the declaration names as its key."""
    if hit.site is None or hit.block.kind != "code" or not is_own(key, hit.name):
        return False
    match key.place:
        case "header":
            return hit.site.kind == "header"
        case "query":
            return hit.site.kind in ("parameter", "flag")
        case "field":
            return len(key.path.segments) == 1 and hit.site.kind in ("member", "flag")
