"""A preview is linted as the command would lint the file: by the configuration and the suppressions that hold there."""

from pathlib import Path

import pytest

from wizard.lint.engine import Request, lint
from wizard.session import steps
from wizard.session.desk import Desk
from wizard.session.preview import Preview
from wizard.session.state import Session

BOOKING = "POST /bookings"
PROSE = "Make a new UUID and send it as the Idempotency-Key.\n"


def previewed(session: Session, out: Path, prose: str = PROSE) -> Preview:
    return Desk(out=out).preview(steps.set_prose(session, BOOKING, prose), BOOKING)


def rules(found: Preview) -> list[tuple[str, str]]:
    return [(one.rule, one.severity) for one in found.remarks]


def configure(tmp_path: Path, text: str, name: str = "skill-wizard.toml") -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")


def test_without_a_configuration(hotel: Session, tmp_path: Path) -> None:
    assert "prose-builds-key" in dict(rules(previewed(hotel, tmp_path / "skills")))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("skill-wizard.toml", 'ignore = ["prose-builds-key"]\n'),
        ("pyproject.toml", '[tool.skill-wizard]\nignore = ["prose-builds-key"]\n'),
        ("skill-wizard.toml", 'rules = {prose-builds-key = "off"}\n'),
        ("skill-wizard.toml", '[[per-path]]\npaths = ["skills/**/create-booking.md"]\nignore = ["prose-builds-key"]\n'),
    ],
)
def test_what_the_configuration_leaves_out(hotel: Session, tmp_path: Path, name: str, text: str) -> None:
    configure(tmp_path, text, name)
    assert "prose-builds-key" not in dict(rules(previewed(hotel, tmp_path / "skills")))


def test_severities_and_thresholds(hotel: Session, tmp_path: Path) -> None:
    configure(tmp_path, 'rules = {prose-builds-key = "info"}\n')
    assert ("prose-builds-key", "info") in rules(previewed(hotel, tmp_path))
    configure(tmp_path, 'severity = "error"\nrules = {prose-builds-key = "info"}\n')
    assert "prose-builds-key" not in dict(rules(previewed(hotel, tmp_path)))


def test_a_comment_allows_and_needs_a_reason(hotel: Session, tmp_path: Path) -> None:
    allowed = "<!-- skill-wizard: allow prose-builds-key (the vendor wants it so) -->\n" + PROSE
    assert "prose-builds-key" not in dict(rules(previewed(hotel, tmp_path, allowed)))
    without = "<!-- skill-wizard: allow prose-builds-key -->\n" + PROSE
    assert "suppression-without-reason" in dict(rules(previewed(hotel, tmp_path, without)))


def test_what_the_linter_does_not_look_at(hotel: Session, tmp_path: Path) -> None:
    configure(tmp_path, 'exclude = ["skills/"]\n')
    found = previewed(hotel, tmp_path / "skills")
    assert found.remarks == ()
    assert "exclude" in found.unlinted
    assert found.text


def test_a_broken_configuration_is_told(hotel: Session, tmp_path: Path) -> None:
    configure(tmp_path, "ignored = []\n")
    found = previewed(hotel, tmp_path / "skills")
    assert "there is no key `ignored`" in found.unlinted
    assert found.text


@pytest.mark.parametrize(
    "configuration", ["", 'profile = "strict"\n', 'ignore = ["prose"]\n', 'confidence = "high"\nseverity = "warning"\n']
)
def test_it_says_what_the_command_says(hotel: Session, tmp_path: Path, configuration: str) -> None:
    configure(tmp_path, configuration)
    out = tmp_path / "skills"
    found = previewed(hotel, out)
    file = out / found.path
    file.parent.mkdir(parents=True)
    file.write_text(found.text, encoding="utf-8")
    from wizard.lint.config import load_config

    report = lint(
        Request(paths=(str(file),), document=hotel.document.source, cache=False, jobs=1),
        load_config(str(tmp_path / "skill-wizard.toml")),
    )
    said = [(one.spot.line, one.rule, one.severity) for one in report.findings if one.spot.path.endswith(file.name)]
    assert [(one.line, one.rule, one.severity) for one in found.remarks] == sorted(said)


def test_a_baseline_hides_what_it_knows(hotel: Session, tmp_path: Path) -> None:
    from wizard.lint.baseline import print_baseline
    from wizard.session.linting import linting_of

    out = tmp_path / "skills"
    found = previewed(hotel, out)
    told = linting_of(out).findings(hotel.document, found.path, found.text)
    (tmp_path / "known.json").write_text(print_baseline(told, str(tmp_path / "known.json")), encoding="utf-8")
    configure(tmp_path, 'baseline = "known.json"\n')
    assert previewed(hotel, out).remarks == ()
