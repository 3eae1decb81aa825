"""Twelve wrong declarations: each fails the story that it should, and is told the line that mends it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wizard.host.forks import Forks
from wizard.host.store import open_store
from wizard.lint.matching import operation_of
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.rehearse.casting import Simulation
from wizard.rehearse.model import Verdict
from wizard.rehearse.rehearsing import Telling, gathered, subject_of, tell_unit, units
from wizard.rehearse.schedule import stories
from wizard.rehearse.subject import Subject, World
from wizard.skill.document import parse_skill
from wizard.skill.files import read_text
from wizard.spec.reader import read_document
from wizard.yamltext.nodes import value_of
from wizard.yamltext.reading import read_yaml

WRONG = Path(__file__).parents[2] / "samples" / "wrong"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (WRONG / "README.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
]
FILES = sorted(path.stem for path in (WRONG / "declarations").glob("*.md"))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    url = f"sqlite:{tmp_path_factory.mktemp('wrong') / 'records.db'}"
    store = open_store(url)
    with Forks() as forks:
        yield World(store=store, store_url=url, recipient=Simulation(), forks=forks)
    store.close()


def subject(name: str) -> Subject:
    document = read_document(str(WRONG / "openapi.yaml"))
    path = WRONG / "declarations" / f"{name}.md"
    operation = parse_skill(read_text(path)).operation
    assert operation is not None
    return subject_of(name, operation, str(path), operation_of(document, operation), document)


def test_the_page_has_a_row_for_each() -> None:
    assert sorted(row[0].strip("`") for row in ROWS) == FILES
    assert len(FILES) == 12


@pytest.mark.requirement(39)
@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip("`") for row in ROWS])
def test_it_fails_its_story_and_the_line_that_mends_it_is_shown(row: list[str], world: World) -> None:
    name, _, story, line = (cell.strip("`") for cell in row)
    wrong = subject(name)
    (unit,) = units([wrong], compare=False)
    (run,) = gathered(wrong, tell_unit(unit, world, Telling(stories=[stories()[story]]))).own
    assert run.verdict is Verdict.FAILED
    assert run.mend is not None
    for word in re.findall(r"[\w$.@:-]+", line.replace("take out", "")):
        assert word in run.mend.line


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip("`") for row in ROWS])
def test_with_that_line_the_story_ends_well(row: list[str], world: World) -> None:
    """The line is put into the mapping as a person would, and the story is told again."""
    name, story = row[0].strip("`"), row[2].strip("`")
    wrong = subject(name)
    (unit,) = units([wrong], compare=False)
    (run,) = tell_unit(unit, world, Telling(stories=[stories()[story]]))
    assert run.mend is not None
    mapping = print_operation(wrong.operation)
    for gone, holder in re.findall(r"^# take out `(\w+)`(?: of `(\w+)`)?$", run.mend.line, re.MULTILINE):
        (mapping[holder] if holder else mapping).pop(gone)
    tree = read_yaml(run.mend.line)
    given = value_of(tree.root) if tree.root is not None else None
    for member, value in (given or {}).items():
        partly = member == "probe" and isinstance(mapping.get(member), dict)
        mapping[member] = {**mapping[member], **value} if partly else value
    mended, problems = parse_operation(mapping)
    assert mended is not None, problems
    again = subject_of(name, mended, wrong.skill, wrong.api, wrong.document)
    (unit,) = units([again], compare=False)
    (after,) = tell_unit(unit, world, Telling(stories=[stories()[story]]))
    assert after.verdict in (Verdict.PASSED, Verdict.WEAK)
    assert after.landed == after.meant
