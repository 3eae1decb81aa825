"""The bytes of every format of a rehearsal, and that what reads them takes them.

`REWRITE_GOLDEN=1 pytest tests/rehearse/test_formats.py` writes the golden files anew; read the diff like code.
"""

from __future__ import annotations

import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wizard.assets import folder
from wizard.errors import UsageError
from wizard.layout import width_of
from wizard.rehearse.formatting import Asked, Look, format_names, load_format
from wizard.rehearse.model import Declared, Ended, Mend, Moment, OperationRehearsal, Rehearsal, StoryRun, Verdict
from wizard.rehearse.wording import again, bought, columns, counted, counts_said, span, summary, told

sys.path.insert(0, str(Path(__file__).parent))
import rehearsals

HERE = Path(__file__).with_name("formats")
REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))
REHEARSALS = ("all_kinds", "all_passed", "sandbox", "nothing")
SCHEMA = json.loads((folder("schemas") / "rehearsal.json").read_text(encoding="utf-8"))
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def rendered(name: str, which: str, asked: Asked | None = None) -> str:
    return load_format(name).render(getattr(rehearsals, which)(), asked or Asked())


def compared(text: str, path: Path) -> None:
    if REWRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes()


@pytest.mark.parametrize("which", REHEARSALS)
@pytest.mark.parametrize("name", format_names())
def test_a_formats_bytes_are_its_contract(name: str, which: str) -> None:
    assert load_format(name).name == name
    compared(rendered(name, which), HERE / f"{name}-{which}.txt")


def test_all_stories_where_they_are_asked_for() -> None:
    compared(rendered("text", "all_kinds", Asked(verbose=True)), HERE / "text-all_kinds-verbose.txt")


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("width", [60, 80, 100])
def test_text_fits_its_columns(width: int, verbose: bool) -> None:
    lines = rendered("text", "all_kinds", Asked(Look(width=width), verbose)).splitlines()
    # What is there to be copied (a line of YAML, a command, an address, a path) is never broken.
    copied = ("      + ", "      skill-wizard rehearse ", "  POST ", "  skills/", "  document: ")
    assert [line for line in lines if width_of(line) > width and not line.startswith(copied)] == []


@pytest.mark.parametrize("verbose", [False, True])
def test_colour_changes_no_word(verbose: bool) -> None:
    plain = rendered("text", "all_kinds", Asked(verbose=verbose))
    colored = rendered("text", "all_kinds", Asked(Look(color=True), verbose))
    assert colored != plain
    assert ANSI.sub("", colored) == plain
    assert "\x1b" not in plain
    assert "\u202e" not in plain


def test_text_says_failed_before_weak_and_passed_only_as_a_number() -> None:
    text = rendered("text", "all_kinds")
    assert "reset-after-commit (key-ignored)" in text
    assert "killed-after-send" not in text
    both = replace(rehearsals.booking(), runs=(rehearsals.weak(), rehearsals.unsettled(Declared.CACHED)))
    told_first = load_format("text").render(replace(rehearsals.all_kinds(), operations=(both,)), Asked())
    assert told_first.index("killed-after-send") < told_first.index("page-hidden")


def test_text_says_once_what_many_stories_say() -> None:
    first = rehearsals.unsettled(Declared.CACHED)
    runs = tuple(replace(first, story=name) for name in ("killed-after-send", "store-lost", "garbage", "garbage"))
    other = replace(first, story="next-day", why="It was swallowed.")
    rehearsal = replace(rehearsals.all_kinds(), operations=(replace(rehearsals.booking(), runs=(*runs, other)),))
    text = load_format("text").render(rehearsal, Asked())
    assert "    The same in 3 more: store-lost and garbage\n" in text
    assert text.count("nothing tied the second call to the first") == 1
    assert "It was swallowed." in text
    apart = load_format("text").render(rehearsal, Asked(verbose=True))
    assert "The same in" not in apart
    assert apart.count("Only this one again") == 5


def test_a_page_is_not_advised_where_there_is_one() -> None:
    assert "--report" in rendered("text", "all_kinds")
    assert "--report" not in rendered("text", "all_kinds", Asked(drawn=True))
    assert "`-v`" not in rendered("text", "all_kinds", Asked(verbose=True))


def test_a_format_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="there is no format `html`") as caught:
        load_format("html")
    assert caught.value.remedy == "There are json, junit, text."


def test_text_shows_what_mends_it_and_how_to_tell_it_again() -> None:
    text = rendered("text", "all_kinds")
    assert "      + probe.pages: next\n    With it the write landed once, and nobody was asked.\n" in text
    assert "--only page-hidden --seed 3 --recipient list-paged\n" in text
    assert "recipient to ledger  landed: 2" in text


def test_seconds_change_nothing_that_is_read_by_people() -> None:
    first = rehearsals.all_kinds()
    slower = replace(
        first,
        seconds=99.0,
        operations=tuple(
            replace(one, runs=tuple(replace(run, seconds=9.0) for run in one.runs)) for one in first.operations
        ),
    )
    assert load_format("text").render(slower, Asked()) == rendered("text", "all_kinds")


@pytest.mark.parametrize("which", REHEARSALS)
def test_json_fits_its_schema(which: str) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    data = json.loads(rendered("json", which))
    Draft202012Validator(SCHEMA).validate(data)
    assert data["failed"] is getattr(rehearsals, which)().failed


def test_json_counts_what_it_lists() -> None:
    for operation in json.loads(rendered("json", "all_kinds"))["operations"]:
        own = [story for story in operation["stories"] if story["decides"]]
        assert all(story["declared"] == operation["declared"] for story in own)
        told_ones = [story for story in own if story["verdict"] != "skipped"]
        ended = Counter(story["ended"] for story in told_ones)
        counts = operation["counts"]
        assert counts["run"] == len(told_ones)
        assert counts["landed_once"] == ended["landed once"]
        assert counts["asked_a_person"] == ended["asked a person"]
        assert counts["weak"] == sum(story["verdict"] == "weak" for story in own)
        assert counts["skipped"] == len(own) - len(told_ones)


@pytest.mark.parametrize("which", REHEARSALS)
def test_junit_is_xml_that_counts_right(which: str) -> None:
    rehearsal = getattr(rehearsals, which)()
    root = ET.fromstring(rendered("junit", which))
    assert root.tag == "testsuites"
    assert int(root.attrib["tests"]) == len(root.findall("./testsuite/testcase"))
    assert int(root.attrib["failures"]) == len(root.findall("./testsuite/testcase/failure"))
    assert int(root.attrib["skipped"]) == len(root.findall("./testsuite/testcase/skipped"))
    assert int(root.attrib["errors"]) == len(root.findall("./testsuite/testcase/error")) == len(rehearsal.blocked)
    assert bool(int(root.attrib["failures"]) + int(root.attrib["errors"])) is rehearsal.failed
    suites = root.findall("./testsuite")
    if rehearsal.blocked:
        assert suites.pop().attrib["name"] == "could not be rehearsed"
    assert [suite.attrib["name"] for suite in suites] == [one.name for one in rehearsal.operations]
    for suite in suites:
        assert [child.tag for child in suite][:1] == ["properties"]
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        names = [case.attrib["name"] for case in cases]
        assert len(set(names)) == len(names)


def test_junit_fails_only_what_fails_the_run() -> None:
    root = ET.fromstring(rendered("junit", "all_kinds"))
    cases = {case.attrib["name"]: case for case in root.iter("testcase")}
    weak = cases["page-hidden (list-paged) [cached]"]
    assert [child.tag for child in weak] == ["system-out"]
    compared_only = cases["killed-after-send [undeclared]"]
    assert [child.tag for child in compared_only] == ["system-out"]
    assert (compared_only[0].text or "").startswith("failed: To compare only: it is declared cached.")
    assert [child.tag for child in cases["reset-after-commit (key-ignored) [keyed]"]] == ["failure"]
    skipped = cases["key-expired [cached]"]
    assert skipped[0].attrib["message"] == "The operation has no key."


def test_stories_told_twice_have_names_of_their_own() -> None:
    one = rehearsals.booking()
    twice = replace(one, runs=(rehearsals.weak(), replace(rehearsals.weak(), seed=4)))
    text = load_format("junit").render(replace(rehearsals.all_passed(), operations=(twice,), repeat=2), Asked())
    names = [case.attrib["name"] for case in ET.fromstring(text).iter("testcase")]
    assert names == ["page-hidden (list-paged) [cached] seed 3", "page-hidden (list-paged) [cached] seed 4"]


anything = st.text(max_size=60)
moments = st.builds(
    Moment,
    lane=st.sampled_from(["caller", "host", "record", "recipient", "ledger"]),
    kind=st.sampled_from(SCHEMA["$defs"]["moment"]["properties"]["kind"]["enum"]),
    text=anything,
    at=st.floats(0, 1e7),
    to=st.sampled_from([None, "caller", "host", "record", "recipient", "ledger"]),
    detail=anything,
    bad=st.booleans(),
)
runs = st.builds(
    StoryRun,
    story=anything,
    says=anything,
    declared=st.sampled_from(Declared),
    recipient=anything,
    verdict=st.sampled_from(Verdict),
    ended=st.sampled_from([None, *Ended]),
    why=anything,
    meant=st.integers(0, 9),
    landed=st.integers(0, 9),
    told=st.lists(anything, max_size=3).map(tuple),
    moments=st.lists(moments, max_size=4).map(tuple),
    mend=st.none() | st.builds(Mend, line=anything, says=anything, shown=anything, member=anything),
)
operations = st.builds(
    OperationRehearsal,
    name=anything,
    request=anything,
    skill=anything,
    declared=st.sampled_from(Declared),
    confirmed=st.booleans(),
    runs=st.lists(runs, max_size=3).map(tuple),
    notes=st.lists(anything, max_size=2).map(tuple),
)
any_rehearsal = st.builds(
    Rehearsal,
    operations=st.lists(operations, max_size=2).map(tuple),
    recipient=anything,
    store=st.just("memory"),
    passed_over=st.dictionaries(anything, anything, max_size=2),
)


@given(any_rehearsal)
def test_any_words_leave_every_format_whole(rehearsal: Rehearsal) -> None:
    ET.fromstring(load_format("junit").render(rehearsal, Asked()))
    Draft202012Validator(SCHEMA).validate(json.loads(load_format("json").render(rehearsal, Asked())))
    text = load_format("text").render(rehearsal, Asked(verbose=True))
    text.encode()
    assert all(sign.isprintable() or sign == "\n" for sign in text)


def test_a_table_has_the_levels_that_were_told() -> None:
    operation = rehearsals.charge()
    assert columns(operation) == (Declared.UNDECLARED, Declared.CACHED, Declared.KEYED)
    assert bought(operation) == [
        ("landed once", [0, 0, 1]),
        ("refused", [0, 0, 0]),
        ("asked a person", [0, 1, 0]),
        ("landed twice or wrong", [1, 0, 1]),
    ]
    assert columns(rehearsals.spoiled()) == (Declared.CACHED,)


def test_counts_in_words() -> None:
    assert counted(1, "operation") == "1 operation"
    assert counted(1200, "story", "stories") == "1,200 stories"
    assert (
        counts_said(rehearsals.booking())
        == "5 stories: 2 landed once, 1 refused, 2 asked a person (1 of them weak); 1 cannot be told of it."
    )
    resting = replace(rehearsals.weak(), ended=Ended.WRONG)
    assert counts_said(replace(rehearsals.booking(), runs=(resting,))) == "1 story: 1 weak."
    assert summary(rehearsals.nothing()) == "Nothing was rehearsed."
    assert told(rehearsals.long_one()) == "outcome not observed (12 times)"


def test_a_story_is_told_again_by_words_that_a_shell_takes() -> None:
    from shlex import split

    told_of = replace(rehearsals.booking(), skill="my skills/charge.md")
    whole = replace(rehearsals.all_kinds(), asked="--document 'my api.yaml'")
    words = split(again(rehearsals.hostile(), whole, told_of))
    assert words[:7] == [
        "skill-wizard", "rehearse", "my skills/charge.md", "--only", "garbage<script>", "--seed", "7",
    ]  # fmt: skip
    assert words[7] == "--recipient"
    assert words[9:] == ["--document", "my api.yaml"]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"), (0.004, "0 s"), (0.03, "0.03 s"), (0.25, "0.2 s"), (59.94, "59.9 s"), (59.99, "1 min"),
        (90, "1.5 min"), (360, "6 min"), (5400, "1.5 h"), (86400, "24 h"), (172800, "2 d"), (31536000, "365 d"),
    ],
)  # fmt: skip
def test_a_time_is_said_in_one_unit(seconds: float, said: str) -> None:
    assert span(seconds) == said
