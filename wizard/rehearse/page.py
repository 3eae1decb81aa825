"""A rehearsal as one page: all of it in one file, which asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wizard import assets
from wizard.rehearse.model import (
    VERDICTS,
    Declared,
    Ended,
    Mend,
    Moment,
    OperationRehearsal,
    Rehearsal,
    StoryRun,
    Verdict,
)
from wizard.rehearse.timeline import svg
from wizard.rehearse.wording import (
    UNCONFIRMED,
    account,
    again,
    bought,
    columns,
    counts,
    counts_said,
    odd,
    span,
    spoken,
    summary,
    told,
    way,
)

if TYPE_CHECKING:
    from markupsafe import Markup

PAGE = "rehearsal.html.jinja"
STYLES = ("rehearsal-timeline.css.jinja", "rehearsal.css.jinja")
SCRIPT = "rehearsal.js.jinja"
MOST = 800
"""How many pictures a page holds, so that a browser opens it at once: what failed first, what passed last."""
_DETAIL = 300
_WRONG = (Verdict.FAILED, Verdict.WEAK)


@dataclass(frozen=True, slots=True)
class End:
    """How a story ended under one level, in few words."""

    level: Declared
    said: str
    own: bool
    wrong: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """One level's timeline, or only its caption."""

    level: Declared
    said: str
    own: bool
    why: str
    told: str
    svg: Markup
    missing: bool
    """The page had no room for it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A moment of the account in words."""

    at: str
    way: str
    said: str
    detail: str


@dataclass(frozen=True, slots=True)
class Story:
    """A story with all levels that it was told at."""

    id: str
    name: str
    recipient: str
    """Empty where it is the recipient of the whole rehearsal."""
    verdict: Verdict
    says: str
    why: str
    mend: Mend | None
    ends: tuple[End, ...]
    pictures: tuple[Drawn, ...]
    details: tuple[Line, ...]
    again: str


@dataclass(frozen=True, slots=True)
class Row:
    """An outcome, and how many stories had it, level by level."""

    name: str
    counts: tuple[int, ...]
    wrong: bool


@dataclass(frozen=True, slots=True)
class Section:
    """One operation as the page shows it."""

    id: str
    told: OperationRehearsal
    said: str
    counts: dict[str, int]
    columns: tuple[Declared, ...]
    bought: tuple[Row, ...]
    stories: tuple[Story, ...]
    untold: tuple[StoryRun, ...]


def page(rehearsal: Rehearsal, *, most: int = MOST) -> str:
    """The whole page, with at most so many pictures. The same rehearsal gives the same bytes, whatever the seconds
    were."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    folder = assets.folder("templates")
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clean"] = _clean
    environment.filters["prose"] = _prose
    style = timeline_style() + (folder / STYLES[1]).read_text(encoding="utf-8")
    script = (folder / SCRIPT).read_text(encoding="utf-8")
    chosen = _chosen(rehearsal, most)
    verdicts = [operation.verdict for operation in rehearsal.operations]
    return (
        environment.get_template(PAGE).render(
            rehearsal=rehearsal,
            summary=summary(rehearsal),
            verdict=Verdict.FAILED
            if rehearsal.blocked
            else next((verdict for verdict in VERDICTS if verdict in verdicts), Verdict.SKIPPED),
            operations=[
                _section(operation, rehearsal, f"o{number}", chosen)
                for number, operation in enumerate(rehearsal.operations, 1)
            ],
            verdicts=VERDICTS[:3],
            unconfirmed=UNCONFIRMED,
            most=f"{most:,}",
            style=Markup(style),
            script=Markup(script),
            style_hash=_digest(style),
            script_hash=_digest(script),
        )
        + "\n"
    )


def timeline_style() -> str:
    """The style sheet of the pictures, for one that stands alone."""
    return (assets.folder("templates") / STYLES[0]).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _clean(text: str) -> str:
    """What would turn the text around, or be no character of a page, replaced; line ends stay."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " if sign == "\t" else "�" for sign in text)


def _prose(text: str) -> Markup:
    """A sentence of ours, with what stands in backticks as code."""
    from markupsafe import Markup, escape

    parts = _clean(text).split("`")
    if len(parts) % 2 == 0:
        return escape(_clean(text))
    return Markup().join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)
    )


Chosen = frozenset[int]
"""The identities (`id`) of the runs that are drawn."""


def _grouped(operation: OperationRehearsal) -> dict[tuple[str, str], list[StoryRun]]:
    groups: dict[tuple[str, str], list[StoryRun]] = {}
    for run in operation.runs:
        groups.setdefault((run.story, run.recipient), []).append(run)
    return groups


def _levels(runs: Sequence[StoryRun]) -> dict[Declared, tuple[StoryRun, list[StoryRun]]]:
    """Level by level the worst of a story's runs, and all of them."""
    by_level = {level: [run for run in runs if run.declared is level] for level in Declared}
    return {level: (_worst(found), found) for level, found in by_level.items() if found}


def _chosen(rehearsal: Rehearsal, most: int) -> Chosen:
    """What is drawn: the deciding runs, and others that went wrong, the worst first as far as they have room."""
    found: list[tuple[int, StoryRun]] = []
    for operation in rehearsal.operations:
        for runs in _grouped(operation).values():
            for level, (run, _) in _levels(runs).items():
                own = level is operation.declared
                if run.moments and (own or run.verdict in _WRONG):
                    found.append((VERDICTS.index(run.verdict) + (0 if own else 2), run))
    return frozenset(id(run) for _, run in sorted(found, key=lambda pair: pair[0])[:most])


def _section(operation: OperationRehearsal, rehearsal: Rehearsal, name: str, chosen: Chosen) -> Section:
    groups = _grouped(operation)
    stood = [runs for runs in groups.values() if any(run.verdict is not Verdict.SKIPPED for run in runs)]
    untold = tuple(runs[0] for runs in groups.values() if all(run.verdict is Verdict.SKIPPED for run in runs))
    stories = [_story(runs, operation, rehearsal, f"{name}-{number}", chosen) for number, runs in enumerate(stood, 1)]
    return Section(
        id=name,
        told=operation,
        said=counts_said(operation),
        counts=dict(counts(operation)),
        columns=columns(operation),
        bought=tuple(Row(said, tuple(numbers), said == "landed twice or wrong") for said, numbers in bought(operation)),
        stories=tuple(sorted(stories, key=lambda story: VERDICTS.index(story.verdict))),
        untold=untold,
    )


def _worst(runs: Sequence[StoryRun]) -> StoryRun:
    return min(runs, key=lambda run: VERDICTS.index(run.verdict))


def _story(
    runs: Sequence[StoryRun], operation: OperationRehearsal, rehearsal: Rehearsal, name: str, chosen: Chosen
) -> Story:  # fmt: skip
    levels = _levels(runs)
    own = levels[operation.declared][0] if operation.declared in levels else None
    main = own or _worst(runs)
    verdict = own.verdict if own is not None else Verdict.SKIPPED
    wrong = verdict in _WRONG
    return Story(
        id=name,
        name=main.story,
        recipient=odd(main, rehearsal),
        verdict=verdict,
        says=main.says,
        why=main.why if own is not None else "",
        mend=main.mend,
        ends=tuple(
            End(level, _ended(one), level is operation.declared, one.verdict is Verdict.FAILED)
            for level, (one, _) in levels.items()
        ),
        # Where nothing went wrong with less of the declaration, the line of ends says it all.
        pictures=tuple(
            _drawn(one, found, level is operation.declared, chosen)
            for level, (one, found) in sorted(levels.items(), key=lambda pair: pair[0] is not operation.declared)
            if level is operation.declared or id(one) in chosen or (one.why and one.verdict in _WRONG)
        ),
        details=tuple(_lines(account(main))) if wrong else (),
        again=again(main, rehearsal, operation),
    )


def _ended(run: StoryRun) -> str:
    if run.ended is None:
        return "cannot be told"
    if run.ended is Ended.WRONG and run.landed > 1:
        return {2: "landed twice"}.get(run.landed, f"landed {run.landed} times")
    return run.ended.value


def _drawn(run: StoryRun, runs: Sequence[StoryRun], own: bool, chosen: Chosen) -> Drawn:
    from markupsafe import Markup

    wrong = run.verdict in _WRONG
    alike = sum(one.verdict is run.verdict for one in runs)
    often = f" ({alike} of {len(runs)} times)" if len(runs) > 1 else ""
    return Drawn(
        level=run.declared,
        said=f"{_ended(run)}{often}",
        own=own,
        # The story itself says why, where this is the level that decides.
        why="" if own else run.why,
        told=told(run),
        svg=Markup(svg(run, details=own and wrong)) if id(run) in chosen else Markup(""),
        missing=own and bool(run.moments) and id(run) not in chosen,
    )


def _lines(moments: Sequence[Moment]) -> Iterator[Line]:
    for moment in moments:
        yield Line(span(moment.at), way(moment), spoken(moment), _cut(moment.detail))


def _cut(text: str) -> str:
    return text if len(text) <= _DETAIL else text[: _DETAIL - 1] + "…"
