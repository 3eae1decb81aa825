"""The experiment that the other systems went through: one commit in every row, and it can see two."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from wizard.host import experiment, state
from wizard.host.forks import Forks
from wizard.host.state import Seen


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with Forks() as running:
        yield running


def fresh() -> str:
    return uuid.uuid4().hex


@pytest.mark.requirement(16, 17, 23, 59, 73, 74, 76, 77, 78, 80)
@pytest.mark.parametrize("declared", experiment.DECLARATIONS)
@pytest.mark.parametrize("story", experiment.STORIES)
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgresql"])
def test_one_commit_in_every_row(
    kind: str, story: str, declared: str, forks: Forks, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = {"memory": "memory:", "sqlite": f"sqlite:{tmp_path / 'records.db'}"}.get(kind)
    row = experiment.tell(story, url or request.getfixturevalue("postgres_url"), declared, forks, fresh())
    assert row.commits == 1
    unsettled = declared == "identity" and story in (
        "crash after the send", "503 after the commit", "body cut off", "reset after the commit",
        "store lost before the settle",
    )  # fmt: skip
    assert row.state == ("attempted" if unsettled else "completed")


def test_a_host_that_releases_after_a_503_is_seen_to_write_twice(forks: Forks, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (*state.STATUS_CLASSES, (range(500, 600), Seen.REFUSED, "as other systems have it"))
    monkeypatch.setattr(state, "STATUS_CLASSES", wrong)
    row = experiment.tell("503 after the commit", "memory:", "identity", forks, fresh())
    assert row.commits == 2
    assert "1 of 1 rows have not one commit" in experiment.table([row])


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "STORIES", {"body cut off": experiment.STORIES["body cut off"]})
    assert experiment.main([]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("STORY         STORE   DECLARED  COMMITS  FIRST TOLD    THEN TOLD")
    assert printed.endswith("\none commit in each of 6 rows\n")
