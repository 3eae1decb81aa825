"""The bytes of every output format of a review, and that what reads them takes them.

`REWRITE_GOLDEN=1 pytest tests/review/test_formats.py` writes the golden files anew; read the diff like code.
"""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft202012Validator

from wizard import __version__
from wizard.assets import folder
from wizard.layout import Look, width_of
from wizard.review.formats.markdown import MARKER
from wizard.review.formatting import format_names, load_format
from wizard.review.model import (
    Approval,
    Change,
    Example,
    Grade,
    Harm,
    KeyChange,
    OperationReview,
    Review,
    Undeclared,
)

sys.path.insert(0, str(Path(__file__).parent))
from reviews import REVIEWS, everything, excerpt, hostile, long, money, nothing

HERE = Path(__file__).with_name("formats")
REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))
SARIF = Path(__file__).parents[1] / "lint" / "formats" / "sarif" / "sarif-2.1.0-rtm.5.json"
GOLDEN = [(name, review) for name in format_names() for review in ("everything", "nothing")] + [
    ("text", "money"),
    ("text", "chinese"),
    ("text", "approved"),
    ("markdown", "money"),
    ("markdown", "hostile"),
    ("markdown", "approved"),
]


def printed(name: str, review: str, **look: Any) -> str:
    return load_format(name).render(REVIEWS[review](), Look(**look))


@pytest.mark.parametrize(("name", "review"), GOLDEN)
def test_a_formats_bytes_are_its_contract(name: str, review: str) -> None:
    whole = printed(name, review).replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "VERSION"')
    path = HERE / f"{name}-{review}.txt"
    if REWRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(whole.encode())
    assert whole.encode() == path.read_bytes()


@pytest.mark.parametrize("review", REVIEWS)
@pytest.mark.parametrize("name", format_names())
def test_every_format_says_every_review(name: str, review: str) -> None:
    found = load_format(name)
    assert found.name == name
    assert re.fullmatch(r"[a-z]+/[a-z+-]+", found.media)
    text = found.render(REVIEWS[review](), Look())
    assert text == found.render(REVIEWS[review](), Look())
    assert text == "" or text.endswith("\n")
    text.encode("utf-8")


# For a person at a terminal


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("review", ["everything", "chinese", "money", "approved", "long"])
def test_text_fits_the_terminal(review: str, width: int) -> None:
    assert max(map(width_of, printed("text", review, width=width).splitlines())) <= width


@pytest.mark.parametrize("review", REVIEWS)
def test_colour_changes_no_word(review: str) -> None:
    plain = printed("text", review)
    colored = printed("text", review, color=True)
    assert colored != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_text_sends_the_terminal_no_commands() -> None:
    assert [sign for sign in printed("text", "hostile") if not sign.isprintable() and sign != "\n"] == []


def test_text_puts_the_worst_first_and_says_it_last() -> None:
    lines = printed("text", "everything").splitlines()
    titles = [line.partition("[")[0] for line in lines if re.match(r"[a-z, ]+\[[a-z-]+\]: ", line)]
    assert titles == ["breaks", "breaks", "risky, approved", "breaks", "risky", "safe", "safe"]
    assert lines[1] == "3 of 7 changes break something, 1 is risky; 1 is approved."
    assert any(line.startswith("3 breaking, 2 risky and 2 safe changes (1 approved)") for line in lines[-8:])


def test_text_shows_the_keys_beside_each_other() -> None:
    lines = printed("text", "money").splitlines()
    at = lines.index("            key before      key after")
    assert lines[at + 1 : at + 4] == [
        "    first   2f1d0c5e-7a61…  9b0c41d7-55a0…",
        "    second  c4e8b2a0-13f7…  9b0c41d7-55a0…",
        "    makes   2 writes        1 write",
    ]


# For programs


def test_json_fits_its_schema() -> None:
    schema = json.loads((folder("schemas") / "review.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    for review in REVIEWS:
        Draft202012Validator(schema).validate(json.loads(printed("json", review)))


def test_json_holds_all_of_the_model() -> None:
    data = json.loads(printed("json", "everything"))
    whole = everything()
    assert [len(one["changes"]) for one in data["operations"]] == [len(one.changes) for one in whole.operations]
    change = data["operations"][0]["changes"][1]
    assert (change["kind"], change["grade"], change["harm"]) == ("identity-narrower", "breaks", "swallowed")
    assert change["example"]["keys"][0]["after"] == change["example"]["keys"][1]["after"]
    assert data["operations"][0]["changes"][2]["approved"]["who"] == "Ada Byron"
    assert data["counts"] == {"breaks": 3, "risky": 1, "safe": 2, "approved": 1, "unchanged": 28}


@pytest.mark.parametrize("review", REVIEWS)
def test_sarif_fits_the_standards_schema(review: str) -> None:
    schema = json.loads(SARIF.read_text(encoding="utf-8"))
    log = json.loads(printed("sarif", review))
    assert [f"{error.json_path}: {error.message}" for error in Draft4Validator(schema).iter_errors(log)] == []


def test_sarif_keeps_what_is_approved_and_knows_changes_again() -> None:
    (run,) = json.loads(printed("sarif", "everything"))["runs"]
    results = run["results"]
    assert [one["level"] for one in results] == ["error", "error", "warning", "error", "warning", "note", "note"]
    (approved,) = [one for one in results if "suppressions" in one]
    (suppression,) = approved["suppressions"]
    assert suppression["status"] == "accepted"
    assert "Ada Byron" in suppression["justification"]
    prints = [one["partialFingerprints"]["skillWizardReview/v1"] for one in results]
    assert prints == [change.fingerprint for change in everything().changes]
    for one in results:
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_annotations_hold_one_command_a_line() -> None:
    for review in ("everything", "hostile", "long"):
        whole = REVIEWS[review]()
        lines = printed("github", review).splitlines()
        shown = [change for change in whole.changes if change.approved is None]
        assert len(lines) == len(shown) + len(whole.problems)
        for line in lines:
            assert re.match(r"::(error|warning|notice) [^:]*title=[^:]*::.", line)


def test_an_annotation_stands_at_the_newer_side() -> None:
    lines = printed("github", "money").splitlines()
    assert lines[0].startswith(f"::error file={money().changes[0].excerpts[1].path},line=8,")
    assert "title=breaks%3A charge-payment-account::The identity loses `description`.%0A" in lines[0]


def test_places_count_from_the_repositorys_top() -> None:
    whole = replace(money(), within="services/house")
    (run,) = json.loads(load_format("sarif").render(whole, Look()))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == f"services/house/{money().changes[0].excerpts[1].path}"
    assert f"file={place['uri']}," in load_format("github").render(whole, Look())


# For a pull request


def test_the_comment_begins_with_its_marker_and_the_worst() -> None:
    marker, _, first, *_ = printed("markdown", "everything").splitlines()
    assert marker == MARKER
    assert first == "### 3 of 7 changes break something, 1 is risky; 1 is approved."


def test_who_sees_only_the_comment_understands_what_happens_to_money() -> None:
    text = printed("markdown", "money")
    assert (
        "**After this change, the amount in `amount_pence` of `charge-payment-account` can stay unmoved although it was"
        " meant (the write is taken for another).**"
    ) in text
    assert "\n- identity: [booking_id, amount_pence, description]\n+ identity: [booking_id, amount_pence]\n" in text
    assert "| makes | | **2 writes** | **1 write** |" in text
    assert "skill-wizard review --approve 91d3e07c44ab5f26 " in text


def test_the_comment_keeps_to_githubs_limit_and_says_what_it_leaves_out() -> None:
    text = printed("markdown", "long")
    assert 40_000 < len(text) <= 65_000
    shown = text.count("\n#### ")
    assert shown > 3
    assert "\n#### breaks: The identity loses `field_0`" in text
    left = 300 - shown - text.count("\n- `charge-")
    said = re.search(
        r"\*\*Left out here, because a comment has no room for more: (\d+) breaking, (\d+) risky and (\d+)", text
    )
    assert said is not None
    assert sum(map(int, said.groups())) == left


class Tags(HTMLParser):
    """The tags of a page, and the text inside of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[tuple[bool, str]] = []
        self._code = 0
        self.feed(text)
        self.text = "".join(told for _, told in self._texts)
        self.outside_code = "".join(told for code, told in self._texts if not code)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._code += tag in ("code", "pre")

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag in ("code", "pre")

    def handle_data(self, data: str) -> None:
        self._texts.append((self._code > 0, data))


def rendered(text: str) -> Tags:
    from markdown_it import MarkdownIt

    return Tags(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text))


def test_nothing_hostile_comes_alive_in_the_comment() -> None:
    text = printed("markdown", "hostile")
    page = rendered(text)
    assert {tag for tag, _ in page.found} <= {
        "h3", "h4", "p", "strong", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "br", "hr", "ul", "li",
        "details", "summary", "sub",
    }  # fmt: skip
    assert sum(tag == "details" for tag, _ in page.found) == text.count("\n</details>")
    assert all(not attributes or set(attributes) == {"class"} for _, attributes in page.found if _ != "th")
    # What a site makes of a text outside of code: mentions and references.
    assert re.search(r"@\w|#\w|GH-\d", page.outside_code) is None
    assert "@\u200beveryone" in page.outside_code
    assert "<img src=x onerror=alert(1)>" in page.text


def test_a_hostile_name_does_not_end_a_row_of_a_table() -> None:
    page = rendered(printed("markdown", "hostile"))
    rows = "".join("|" if tag in ("th", "td") else "\n" if tag == "tr" else "" for tag, _ in page.found).split("\n")
    assert {len(row) for row in rows if row} == {4}


# A page


@cache
def page(review: str) -> Tags:
    return Tags(printed("page", review))


@pytest.mark.parametrize("review", REVIEWS)
def test_the_page_needs_no_network_and_runs_nothing(review: str) -> None:
    tags = page(review).found
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & {tag for tag, _ in tags}
    for tag, attributes in tags:
        assert not any(name.startswith("on") for name in attributes)
        if tag == "a":
            assert str(attributes["href"]).startswith("#")
    assert "url(" not in printed("page", review)
    assert "@import" not in printed("page", review)


@pytest.mark.parametrize("review", REVIEWS)
def test_the_pages_links_lead_somewhere(review: str) -> None:
    tags = page(review).found
    names = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(set(names)) == len(names)
    targets = {str(attributes["href"])[1:] for tag, attributes in tags if tag == "a"}
    assert targets <= set(names)
    assert len(targets) == sum(bool(one.changes) for one in REVIEWS[review]().operations) + 2 * bool(targets)


@pytest.mark.requirement(109)
def test_the_page_asks_of_every_gate_whether_it_can_refuse_a_call_that_was_sent() -> None:
    found = page("everything")
    assert "Can it refuse a call that was already sent?" in found.text
    boxes = [one for tag, one in found.found if tag == "input" and one.get("type") == "checkbox" and "id" not in one]
    assert len(boxes) == 8
    for gate in ("The changed declaration", "The record", "A person's approval", "A spend cap", "The recipient"):
        assert gate in found.text


@pytest.mark.requirement(112)
def test_the_page_keeps_approving_and_settling_apart() -> None:
    assert "To settle an attempted write is no approval, and an approval settles none." in page("everything").text


def test_the_page_filters_by_every_grade_that_there_is() -> None:
    ids = {attributes.get("id") for tag, attributes in page("everything").found if tag == "input"}
    assert {f"only-{grade}" for grade in Grade} <= ids
    assert "without-approved" in ids


def test_the_page_says_everything_that_the_review_has() -> None:
    text = page("everything").text
    for change in everything().changes:
        assert change.title.replace("`", "") in text
        assert change.effect.replace("`", "") in text
    for one in everything().undeclared:
        assert one.operation in text
    assert everything().stale_approvals[0].fingerprint in text
    assert everything().problems[0] in text


def test_the_page_has_the_hostile_text_as_text() -> None:
    text = page("hostile").text
    assert text.count("<img src=x onerror=alert(1)>") > 5
    assert "\u202e" not in text
    assert hostile().changes[0].remedy.strip("`\n")[:20] in text


def test_what_has_no_change_says_so() -> None:
    said = "Nothing changes in what the declarations do: 32 operations compared."
    assert not nothing().changes
    for name in ("text", "markdown", "page", "json"):
        assert said in printed(name, "nothing")
    assert printed("github", "nothing") == ""


def test_a_long_review_stays_readable_on_the_page() -> None:
    assert page("long").text.count("What to do.") == len(long().changes)


# Whatever a review holds

TEXT = st.text(max_size=60) | st.sampled_from(["`", "|", "@a", "\n\n# x", "-->", "<b>", "\x1b[2J", "", "a" * 3000])
CHANGES = st.builds(
    Change,
    kind=st.sampled_from(["identity-narrower", "a-kind-of-later"]),
    grade=st.sampled_from(Grade),
    harm=st.sampled_from(Harm),
    operation=TEXT,
    request=TEXT,
    subject=TEXT,
    title=TEXT,
    effect=TEXT,
    remedy=TEXT,
    money=st.booleans(),
    before=TEXT,
    after=TEXT,
    example=st.none()
    | st.builds(
        Example,
        says=TEXT,
        keys=st.lists(st.builds(KeyChange, request=TEXT, before=TEXT, after=TEXT, label=TEXT), max_size=3).map(tuple),
    ),
    excerpts=st.lists(
        st.builds(
            excerpt, st.sampled_from(["base", "head"]), TEXT, st.integers(1, 10**6), TEXT.map(lambda one: one or "x")
        ),
        max_size=3,
    ).map(tuple),
    fingerprint=TEXT,
    approved=st.none() | st.builds(Approval, fingerprint=TEXT, who=TEXT, why=TEXT, when=TEXT),
)
OPERATIONS = st.builds(
    OperationReview,
    name=TEXT,
    request=TEXT,
    money=st.booleans(),
    moves=TEXT,
    level_before=st.sampled_from(["", "none", "cached", "keyed"]),
    level_after=st.sampled_from(["", "none", "cached", "keyed"]),
    changes=st.lists(CHANGES, max_size=3).map(tuple),
)


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    st.builds(
        Review, base=TEXT, head=TEXT, operations=st.lists(OPERATIONS, max_size=3).map(tuple),
        unchanged=st.integers(0, 9), problems=st.lists(TEXT, max_size=2).map(tuple),
        undeclared=st.lists(st.builds(Undeclared, operation=TEXT, new=st.booleans()), max_size=2).map(tuple),
    )
)  # fmt: skip
def test_no_review_is_too_odd_to_be_said(review: Review) -> None:
    told = {name: load_format(name).render(review, Look()) for name in format_names()}
    json.loads(told["sarif"])
    assert len(json.loads(told["json"])["operations"]) == len(review.operations)
    assert told["markdown"].startswith(MARKER)
    assert len(told["markdown"]) <= 65_000
    assert all(sign.isprintable() or sign == "\n" for sign in told["text"])
    commands = told["github"].split("\n")[:-1]
    assert len(commands) == sum(one.approved is None for one in review.changes) + len(review.problems)
    tags = {tag for tag, _ in rendered(told["markdown"]).found}
    assert not tags & {"a", "img", "b", "h1", "h2", "script"}
    assert not {tag for tag, _ in Tags(told["page"]).found} & {"script", "img"}
