"""The stories and faults are data: each name is there, each is used, each can be found by who mistypes it."""

import pytest

from wizard.errors import UsageError
from wizard.operation.duration import Duration
from wizard.rehearse.behaviour import behaviour_names
from wizard.rehearse.schedule import chosen, plays, stories

FAULTS = [
    "refuse",
    "reset-before-commit",
    "reset-after-commit",
    "truncate-after-commit",
    "garbage",
    "delay-past-timeout",
    "500-before-commit",
    "500-after-commit",
    "502-before-commit",
    "502-after-commit",
    "503-before-commit",
    "503-after-commit",
    "504-before-commit",
    "504-after-commit",
    "408-after-commit",
    "409-in-progress",
    "409-taken",
    "422-other-body",
    "429",
    "duplicate-delivery",
    "late-delivery",
]
STORIES = [
    "key-expired",
    "long-outage",
    "stale-list",
    "page-hidden",
    "killed-before-send",
    "killed-after-send",
    "killed-after-answer",
    "killed-before-settle",
    "two-workers",
    "lease-runs-out-before-send",
    "lease-runs-out-after-answer",
    "store-lost",
    "asked-twice",
    "asked-twice-other-note",
    "asked-twice-other-order",
    "another-write",
    "next-day",
    "approval-between",
    "run-resumed",
    "delivered-twice",
    "equal-last-week",
    "refused",
]
NEEDS = {"identity", "key", "memory", "probe", "list", "wording", "matter", "order", "process", "repeatable", "crowd"}


def test_every_fault_that_is_promised_is_there_and_has_a_story() -> None:
    assert set(FAULTS) <= set(plays())
    assert set(STORIES) | set(FAULTS) <= set(stories())
    used = {play.name for story in stories().values() for play in story.faults}
    assert set(plays()) - used == {"honest"}


@pytest.mark.parametrize("name", stories())
def test_a_story_can_be_told(name: str) -> None:
    story = stories()[name]
    assert story.says.endswith(".")
    assert story.needs <= NEEDS
    assert not story.behaviour or story.behaviour in behaviour_names()
    for step in story.steps:
        if step.wait and not step.wait.startswith("past "):
            assert Duration.parse(step.wait).seconds
        # A process can be lost only where the store is there for others, too.
        assert step.do not in ("kill", "halt", "race") or "process" in story.needs
    assert story.kills == any(step.do in ("kill", "halt", "race", "run") for step in story.steps)


@pytest.mark.parametrize("name", plays())
def test_a_fault_is_one_thing_only(name: str) -> None:
    play = plays()[name]
    assert play.says
    # What is not committed is not delivered later or twice either.
    assert play.commits or not (play.twice or play.late)


def test_stories_are_chosen_by_name_in_their_own_order() -> None:
    assert [story.name for story in chosen(("refuse", "plain"))] == ["plain", "refuse"]
    assert len(chosen(())) == len(stories())


def test_a_name_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="there is no story `page-hiden`") as raised:
        chosen(("page-hiden",))
    assert "`page-hidden`" in str(raised.value)
