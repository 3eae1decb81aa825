"""The API document has no such operation any more: no path with this method behind its servers."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.matching import nearest_operation, of_other_methods
from wizard.review.effects import unsettled
from wizard.review.kind import At, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def no_more(name: str) -> str:
    """The sentence, without its full stop."""
    return f"The document has no `{name}` any more"


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or after.document is None or after.api is not None or not after.operation.is_write:
        return
    before = pair.before
    if before is None or before.api is None:
        # It was not there before either: that is the linter's matter.
        return
    assert before.document is not None
    had = {one.method for one in of_other_methods(before.document, before.operation)}
    others = [one for one in of_other_methods(after.document, after.operation) if one.method not in had]
    near = nearest_operation(after.document, after.operation)
    hint = ""
    at: tuple[At, ...] = (InDocument("base", before.api.pointer), InSkill("head", ("url",)))
    if others:
        hint = f" The path has {', '.join(one.method for one in others)} in its place."
        at = (*at, InDocument("head", others[0].pointer))
    elif near is not None:
        hint = f" It has `{near.name}`, which looks like it."
        at = (*at, InDocument("head", near.pointer))
    moved = near.name if near is not None and not others else ", ".join(one.name for one in others)
    attempted = (
        "An attempted one that is sent again is refused there, too, and stays attempted"
        if after.operation.key is not None
        else f"For attempted ones {unsettled(after.operation)}"
    )
    yield Found(
        grade=Grade.BREAKS,
        harm=Harm.REFUSED,
        title=f"{no_more(before.api.name)}.{hint}",
        effect=(
            "Writes go to a path that the recipient no longer promises: a 404 refuses them and releases the claim. "
            f"{attempted}. Declared under another URL, the same write has another key."
        ),
        remedy=f"Declare `{moved}` in its place." if moved else "Ask the vendor what took its place.",
        before=before.api.name,
        after=moved,
        at=at,
    )


KIND = Kind(
    name="document-operation-gone",
    summary="the document has no such operation any more",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
