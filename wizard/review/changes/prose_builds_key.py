"""The skill's prose tells the model to build, reuse or choose a key, and did not before.

The host derives keys. A key that a model makes up differs with each attempt, and where it reaches the recipient every
repeat is a second write.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.kind import Found, InProse, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.prose import KeyProse, key_prose, new_ones


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or after.skill is None:
        return
    before = pair.before.skill if pair.before is not None else None
    if before is not None and before.body == after.skill.body:
        return
    old = key_prose(before) if before is not None else ()
    for found in new_ones(old, key_prose(after.skill)):
        yield of(found, keyed=after.operation.key is not None)


def of(found: KeyProse, *, keyed: bool | None) -> Found:
    """What is said of one place of the prose; `keyed` is None where the file declares no operation."""
    if keyed:
        what = (
            "The host fills in the key and replaces what the model puts in its place; the model is told so each time."
        )
    elif keyed is None:
        what = "What the model makes up differs with each attempt: where the recipient takes it, a repeat lands twice."
    else:
        what = (
            "No key is declared, so what the model makes up goes to the recipient, and differs with each attempt: "
            "where "
            "the recipient dedupes on it, a repeat lands twice."
        )
    return Found(
        grade=Grade.RISKY,
        harm=Harm.NONE if keyed else Harm.TWICE,
        subject=found.rule,
        title=f"The prose builds keys: {found.message}.",
        effect=what,
        remedy="Take the sentence out; `skill-wizard lint --fix` does.",
        after=found.words,
        at=(InProse("head", found.start, found.end),),
    )


KIND = Kind(
    name="prose-builds-key",
    summary="the prose tells the model to build keys",
    check=check,
    why=__doc__ or "",
)
