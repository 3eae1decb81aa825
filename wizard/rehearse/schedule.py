"""The stories and the faults, read from their data: what happens, in which order, and what it needs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from wizard.errors import UsageError
from wizard.host.wire import Fault
from wizard.operation.duration import Duration

Do = Literal["ask", "kill", "halt", "resume", "race", "approve", "run"]
BodyKind = Literal["same", "note", "order", "matter"]


@dataclass(frozen=True, slots=True)
class Play(Fault):
    """A fault with its name, and what of it happens before the wire."""

    name: str = "honest"
    says: str = ""
    answers: int | None = None
    """The status that is answered in place of the recipient's own answer."""
    refuses: bool = False
    """The connection is refused."""
    twice: bool = False
    """The request is delivered twice."""
    late: timedelta | None = None
    """The request is worked on so much later, whatever became of its connection."""
    anywhere: bool = False
    """The answer is cut off at a place that the seed chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a story."""

    do: Do
    wait: str = ""
    """What passes before it: a duration, or `past keep`, `past memory`, `past after`."""
    turn: Literal["new", "same"] = "new"
    body: BodyKind = "same"
    at: str = ""
    """The point at which its process is lost."""
    patience: float = 0.0
    """Seconds of the wall clock that its send has; 0: as long as usual."""
    store: Literal["", "lost"] = ""
    gated: bool = False
    """The call needs somebody's yes."""
    meant: bool = False
    """It is another write that is meant, though it is equal to the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What happens to one write, or to several that could be taken for one."""

    name: str
    says: str
    steps: tuple[Step, ...]
    faults: tuple[Play, ...] = ()
    needs: frozenset[str] = frozenset()
    behaviour: str = ""
    last: bool = False
    others: int = 0

    @property
    def kills(self) -> bool:
        """Whether real processes are lost in it."""
        return any(step.do in ("kill", "halt", "race", "run") for step in self.steps)


_THREE = ({"do": "ask"}, {"do": "ask", "wait": "1m"}, {"do": "ask", "wait": "10m"})
"""The model asks, asks again soon, and asks again when every lease and every wait is over."""


@cache
def plays() -> Mapping[str, Play]:
    """The faults by name, in the order of their file."""
    return {name: _play(name, given) for name, given in _read("faults.toml").items()}


@cache
def stories() -> Mapping[str, Story]:
    """The stories by name, in the order in which they are told."""
    return {given["name"]: _story(given) for given in _read("stories.toml")["story"]}


def chosen(names: tuple[str, ...]) -> tuple[Story, ...]:
    """The stories of these names, all of them for none. Raises UsageError for a name that there is not."""
    known = stories()
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            remedy = f"Did you mean `{near[0]}`?" if near else "`rehearse --stories` lists them."
            raise UsageError(f"there is no story `{name}`", remedy=remedy)
    return tuple(story for name, story in known.items() if not names or name in names)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("wizard.rehearse").joinpath(name).read_text("utf-8"))


def _play(name: str, given: Mapping[str, Any]) -> Play:
    share = given.get("share")
    late = given.get("late")
    return Play(
        name=name,
        says=given["says"],
        commits=given.get("commits", True),
        answers=given.get("status"),
        cut=given.get("cut"),
        cut_share=share if isinstance(share, float) else None,
        anywhere=share == "any",
        resets=given.get("resets", False),
        raw=given["raw"].encode("latin-1") if "raw" in given else None,
        hangs=given.get("hangs", False),
        refuses=given.get("refuses", False),
        twice=given.get("twice", False),
        late=Duration.parse(late).delta if late else None,
    )


def _story(given: Mapping[str, Any]) -> Story:
    known = {one.name for one in fields(Story)}
    unknown = set(given) - known
    assert not unknown, unknown
    return Story(
        name=given["name"],
        says=given["says"],
        steps=tuple(Step(**step) for step in given.get("steps", _THREE)),
        faults=tuple(plays()[name] for name in given.get("faults", ())),
        needs=frozenset(given.get("needs", ())),
        behaviour=given.get("behaviour", ""),
        last=given.get("last", False),
        others=given.get("others", 0),
    )
