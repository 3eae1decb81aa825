"""The API document no longer has the GET that the probe calls, or a parameter that it asks by.

A filter that the recipient does not know filters nothing: the answer is a list of everything, and what its URL was to
fix is compared by nobody. A path that is gone is answered with 404, which `absent: 404` takes for proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from wizard.lint.against import query_of
from wizard.lint.matching import nearest_operation
from wizard.operation.field_path import FieldPath, url_variables
from wizard.operation.model import Operation
from wizard.review.effects import moved_twice
from wizard.review.kind import At, Declared, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or after.document is None or after.operation.probe is None or not after.operation.is_write:
        return
    before = pair.before
    if before is None or (before.probed is None and not pair.drifted):
        return
    if after.probed is None:
        if after.operation.probe.url == _url(before):
            yield _gone(before, after)
        return
    asked = query_of(after.operation.probe.url)
    given = {one.name for one in after.probed.parameters_in("query")}
    had = {one.name for one in before.probed.parameters_in("query")} if before.probed else {name for name, _ in asked}
    for name, value in asked:
        if name in had and name not in given:
            yield _parameter(before, after, name, value)


def _url(side: Declared) -> str:
    return side.operation.probe.url if side.operation.probe is not None else ""


def _gone(before: Declared, after: Declared) -> Found:
    probe = after.operation.probe
    assert probe is not None
    assert after.document is not None
    near = nearest_operation(after.document, Operation(method="GET", url=probe.url))
    at: list[At] = [InDocument("base", before.probed.pointer)] if before.probed is not None else []
    at.append(InSkill("head", ("probe", "url")))
    if near is not None:
        at.append(InDocument("head", near.pointer))
    absent = probe.absent == "404" and probe.items is None
    if after.operation.method == "DELETE":
        absent, taken = False, "A 404 counts as done: a delete that never landed is told as done." if absent else ""
    else:
        taken = "A 404 counts as proof that the write was not made: it is sent again and lands twice." if absent else ""
    effect = (
        f"{taken}{moved_twice(after.operation) if absent else ''}"
        if taken
        else "An answer that is no 200 tells nothing: what is attempted, that of before the change too, stays so until "
        + ("a resend or a person settles it." if after.operation.key is not None else "a person settles it.")
    )
    return Found(
        grade=Grade.BREAKS if taken else Grade.RISKY,
        harm=Harm.TWICE if absent else Harm.SWALLOWED if taken else Harm.ASKED,
        subject="url",
        title=f"The probe's `GET {urlsplit(probe.url).path}` is gone from the document.",
        effect=effect,
        remedy=f"The document has `{near.name}`, which looks like it." if near is not None else "Find another probe.",
        before=before.probed.name if before.probed is not None else f"GET {urlsplit(probe.url).path}",
        after=near.name if near is not None else "",
        at=tuple(at),
    )


def _parameter(before: Declared, after: Declared, name: str, value: str) -> Found:
    probe = after.operation.probe
    assert probe is not None
    assert after.probed is not None
    compared = {FieldPath.parse(one).name for one, _ in probe.match}
    fixed = [one for one in url_variables(value) if one not in compared]
    if fixed:
        grade, harm = Grade.BREAKS, Harm.SWALLOWED
        what = (
            f"The recipient no longer filters by it, and nothing else compares `{fixed[0]}`: another one's record is "
            "taken for the write, and one that never landed is told as done."
        )
    elif probe.absent == "empty" and probe.pages in (None, "none"):
        grade, harm = Grade.RISKY, Harm.TWICE
        what = (
            "The recipient no longer filters by it and lists everything. Where that is cut, a write that is not on the "
            f"first page counts as absent, is sent again and lands twice.{moved_twice(after.operation)}"
        )
    else:
        grade, harm = Grade.RISKY, Harm.ASKED
        what = (
            "The recipient no longer filters by it and lists everything: the write is looked for among all of it, and "
            "what is not found stays attempted."
        )
    shown = before.probed.parameters_in("query") if before.probed is not None else ()
    old = [InDocument("base", one.pointer) for one in shown if one.name == name]
    return Found(
        grade=grade,
        harm=harm,
        subject=name,
        title=f"The probe asks by `{name}`, which its GET no longer takes.",
        effect=what,
        remedy=f"Put `{fixed[0]}` into `match`, or ask in another way." if fixed else "Ask in another way.",
        before=name,
        at=(
            *old,
            InSkill("head", ("probe", "url")),
            InDocument("head", after.probed.pointer),
        ),
    )


KIND = Kind(
    name="document-probe-gone",
    summary="the document no longer has what the probe asks",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
