"""A reviewer's word on single changes: read with places, written with comments kept, and stale ones told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wizard.assets import folder
from wizard.cli import main
from wizard.errors import ConfigError
from wizard.review.approvals import KEYS, NAME, NEEDED, TOP_KEYS, add_approval, parse_approvals
from wizard.review.model import Approval

ONE = Approval(fingerprint="a8fac497afc2c5e2", who="Ada Byron", why="Two rooms a night are meant.", when="2026-11-30")
TEXT = """\
# What we looked at.
approvals:
  - fingerprint: a8fac497afc2c5e2  # the rooms
    who: Ada Byron
    why: Two rooms a night are meant.
    when: 2026-11-30
"""


def test_reading() -> None:
    assert parse_approvals(NAME, TEXT.encode()) == (ONE,)
    for text in ("", "# nothing\n", "approvals:\n", "approvals: []\n"):
        assert parse_approvals(NAME, text.encode()) == ()


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("approval:\n", "1:1", "there is no key `approval` here. Did you mean `approvals`?"),
        ("approvals: x\n", "1:12", "`approvals` is a list"),
        ("- x\n", "1:1", "the file is a mapping"),
        ("approvals:\n  - whom: x\n", "2:5", "there is no key `whom` here. Did you mean `who`?"),
        (
            "approvals:\n  - fingerprint: a8fac497afc2c5e2\n    why: x\n",
            "2:5",
            "the approval has no `who`. Add `who: …`",
        ),
        ("approvals:\n  - {fingerprint: a8, who: x, why: y}\n", "2:19", "`a8` is no fingerprint"),
        (TEXT.replace("2026-11-30", "yesterday"), "6:11", "`yesterday` is no day. Write it as `2026-11-30`"),
        (TEXT + TEXT.partition("approvals:\n")[2], "7:5", "`a8fac497afc2c5e2` is approved twice. Keep one of them"),
        ("approvals: [\n", "", ""),
        ("approvals:\napprovals:\n", "2:1", "`approvals` stands here a second time. Keep one of them"),
        ("approvals:\n  - who: [a]\n", "2:10", "`who` is a text"),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, place: str, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_approvals("approvals.yaml", text.encode())
    assert str(error.value).startswith(f"approvals.yaml:{place}")
    assert says in str(error.value)


def test_an_approval_is_added_and_nothing_else_changes() -> None:
    other = Approval(fingerprint="0123456789012345", who="Bo", why="It is: meant", when="2026-12-01")
    added = add_approval(TEXT, other)
    assert added.startswith(TEXT)
    assert parse_approvals(NAME, added.encode()) == (ONE, other)
    changed = add_approval(added, Approval(fingerprint=ONE.fingerprint, who="Cy", why="No.", when="2026-12-02"))
    assert "# the rooms" in changed
    assert [one.who for one in parse_approvals(NAME, changed.encode())] == ["Cy", "Bo"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# ours\n",
        "approvals: []\n",
        "approvals:\n",
        "approvals:\n- fingerprint: '1234567890abcdef'\n  who: a\n  why: b",
        TEXT.replace("\n", "\r\n"),
    ],
)
def test_an_approval_is_added_to_every_text(text: str) -> None:
    before = parse_approvals(NAME, text.encode())
    other = Approval(fingerprint="00000000000000e1", who="Bo", why="meant")
    assert parse_approvals(NAME, add_approval(text, other).encode()) == (*before, other)


@settings(max_examples=60, deadline=None)
@given(st.lists(
    st.tuples(st.text("0123456789abcdef", min_size=16, max_size=16), st.text(min_size=1), st.text(min_size=1)),
    max_size=4, unique_by=lambda one: one[0],
))  # fmt: skip
def test_what_is_written_is_read_back(values: list[tuple[str, str, str]]) -> None:
    text, expected = "", []
    for fingerprint, who, why in values:
        one = Approval(fingerprint=fingerprint, who=who.strip(), why=why.strip())
        if not one.who or not one.why or any(_unwritable(part) for part in (one.who, one.why)):
            continue
        text = add_approval(text, one)
        expected.append(one)
    assert list(parse_approvals(NAME, text.encode("utf-8", "surrogatepass"))) == expected


def test_a_fingerprint_that_no_change_has_is_said_and_the_others_are_written(
    sides: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (mark,) = [one["fingerprint"] for one in told(capsys)["operations"][0]["changes"]]  # type: ignore[index]
    other = mark[:-1] + ("0" if mark[-1] != "0" else "1")
    words = ["review", "a", "b", "--approve", other, "--approve", mark, "--approve", "a8", "--who", "Ada", "--why", "x"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert (
        f"no change has the fingerprint `{other}`. Did you mean `{mark}`? `book`: The identity loses `guest`." in said
    )
    assert "no change has the fingerprint `a8`; one has 16 digits of 0-9 and a-f." in said
    assert "1 approval written into b/skill-wizard.approvals.yaml, which has 1" in said
    assert [one.fingerprint for one in parse_approvals(NAME, (sides / "b" / NAME).read_bytes())] == [mark]


def test_without_a_base_nothing_is_compared_and_that_is_said(sides: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["review", "--approve", "00000000000000e1", "--approve", "a8", "--who", "Ada", "--why", "x"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "`a8` is no fingerprint; one has 16 digits of 0-9 and a-f." in said
    assert "nothing was compared, so it is not known whether a change has it" in said
    assert [one.fingerprint for one in parse_approvals(NAME, Path(NAME).read_bytes())] == ["00000000000000e1"]


def _unwritable(text: str) -> bool:
    return any(0xD800 <= ord(sign) <= 0xDFFF for sign in text)


def test_the_schema_says_what_is_read() -> None:
    schema = json.loads((folder("schemas") / "approvals.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert tuple(schema["properties"]) == TOP_KEYS
    element = schema["properties"]["approvals"]["items"]
    assert tuple(element["properties"]) == KEYS
    assert tuple(element["required"]) == NEEDED
    Draft202012Validator(schema).validate(yaml.load(TEXT, Loader=yaml.BaseLoader))


def _skill(*identity: str) -> str:
    return (
        "---\nname: book\ndescription: Books.\noperation:\n  method: POST\n  url: https://inn.example/bookings\n"
        f"  body: [room, guest]\n  identity: [{', '.join(identity)}]\n---\n"
    )


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, identity in (("a", ("room", "guest")), ("b", ("room",))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "book.md").write_text(_skill(*identity), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    main(["review", "a", "b", "--format", "json", *more])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_an_approved_change_fails_nothing(sides: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "a", "b", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    mark = found["operations"][0]["changes"][0]["fingerprint"]
    assert main(["review", "a", "b", "--approve", mark, "--who", "Ada", "--why", "meant"]) == 0
    assert "1 approval written into b/skill-wizard.approvals.yaml, which has 1" in capsys.readouterr().err
    assert main(["review", "a", "b"]) == 0
    assert "Ada" in capsys.readouterr().out
    # Another change of the same operation is not approved with it.
    (sides / "b" / "book.md").write_text(_skill("guest"), encoding="utf-8")
    assert main(["review", "a", "b", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["stale_approvals"][0]["fingerprint"] == mark


def test_approvals_above_the_folder_hold(sides: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sides / ".git").mkdir()
    (sides / NAME).write_text(TEXT, encoding="utf-8")
    assert told(capsys)["stale_approvals"] == [
        {"fingerprint": ONE.fingerprint, "who": ONE.who, "why": ONE.why, "when": ONE.when}
    ]


def test_what_an_approval_needs(sides: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--approve", "a8fac497afc2c5e2"]) == 2
    assert 'Add `--who "NAME" --why "REASON"`' in capsys.readouterr().err
    assert main(["review", "--who", "Ada"]) == 2
    assert main(["review", "--approve", "a8", "--who", "Ada", "--why", "x"]) == 2
    assert not list(sides.rglob(NAME))
    (sides / "b" / NAME).write_text("approvals: x\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["review", "a", "b"]) == 2
    assert capsys.readouterr().err.startswith(f"skill-wizard: error: {NAME}:1:12: `approvals` is a list")
