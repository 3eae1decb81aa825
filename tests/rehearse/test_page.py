"""The page: what it holds, that it asks for nothing, and what Chromium makes of it, on screens and on paper."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import sys
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from wizard.rehearse.model import Declared, Rehearsal, Verdict
from wizard.rehearse.page import page

sys.path.insert(0, str(Path(__file__).parent))
import rehearsals
from browser import Browser, needs_chromium


class Read(HTMLParser):
    """The tags of a page, each with its attributes, and the words outside of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in self.raw:
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.raw[self._inside].append(data)
        else:
            self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


WHOLE = page(rehearsals.all_kinds())
READ = Read(WHOLE)
SECTIONS = {"create-booking": "o1", "charge-payment-account": "o2"}


def test_the_same_rehearsal_is_the_same_page() -> None:
    assert page(rehearsals.all_kinds()) == WHOLE
    assert page(replace(rehearsals.all_kinds(), seconds=77.0)) == WHOLE


def test_the_page_asks_for_nothing() -> None:
    for tag, attributes in READ.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        for name, value in attributes.items():
            assert name not in ("src", "srcset", "action", "style", "xlink:href"), tag
            assert not name.startswith("on"), tag
            assert name != "href" or (value or "").startswith("#")
    assert "@import" not in WHOLE
    assert "url(" not in "".join(READ.raw["style"])


def test_only_our_own_script_and_style_are_let_in() -> None:
    (policy,) = [one for one in READ.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    for name in ("script", "style"):
        (text,) = READ.raw[name]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in (policy["content"] or "")
    assert "default-src 'none'" in (policy["content"] or "")


def test_what_documents_say_stays_words() -> None:
    assert len(READ.all("script")) == 1
    assert "</script><script>alert('1')</script>" in "".join(READ.words)
    assert "{{ 7*7 }}" in "".join(READ.words)
    assert "\x1b" not in WHOLE
    assert "\u202e" not in WHOLE


def test_ids_are_one_of_a_kind_and_contents_lead_somewhere() -> None:
    ids = [attributes["id"] for _, attributes in READ.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = [one["href"] for one in READ.all("a")]
    assert links == ["#o1", "#o2", "#o3"]
    assert {(link or "")[1:] for link in links} <= set(ids)


def test_failed_stories_stand_first_and_open() -> None:
    stories = [one for one in READ.all("details") if one.get("class") == "story"]
    assert [("open" in one) for one in stories] == [one["data-verdict"] == "failed" for one in stories]
    order = list(Verdict)
    for name in ("create-booking", "charge-payment-account"):
        mine = [one for one in stories if (one["id"] or "").startswith(f"{SECTIONS[name]}-")]
        verdicts = [order.index(Verdict(one["data-verdict"])) for one in mine]
        assert verdicts == sorted(verdicts)
        assert verdicts


def test_own_timelines_and_those_that_went_wrong_are_drawn() -> None:
    titles = re.findall(r"<title>([^<]*)</title><desc>", WHOLE)
    assert "killed-after-send, cached: passed" in titles
    assert "killed-after-send, undeclared: failed" in titles
    assert "503-after-commit, cached: weak" in titles
    fine = replace(rehearsals.crash_and_probe(), declared=Declared.UNDECLARED)
    other = replace(rehearsals.booking(), runs=(rehearsals.crash_and_probe(), fine))
    text = page(replace(rehearsals.all_kinds(), operations=(other,)))
    assert re.findall(r"<title>([^<]*)</title><desc>", text) == ["killed-after-send, cached: passed"]


def test_of_a_story_told_often_the_worst_is_drawn() -> None:
    told = (
        rehearsals.crash_and_probe(),
        replace(rehearsals.unsettled(Declared.CACHED), seed=8),
        rehearsals.crash_and_probe(),
    )
    text = page(replace(rehearsals.all_kinds(), operations=(replace(rehearsals.booking(), runs=told),), repeat=3))
    assert re.findall(r"<title>([^<]*)</title><desc>", text) == ["killed-after-send, cached: failed"]
    assert "landed twice (1 of 3 times)" in text
    assert "--only killed-after-send --seed 8" in text


def test_the_page_says_what_mends_a_story_and_how_to_tell_it_again() -> None:
    words = " ".join(" ".join(READ.words).split())
    assert "probe.pages: next" in words
    assert "With it the write landed once, and nobody was asked." in words
    assert "--only page-hidden --seed 3 --recipient list-paged" in words
    assert "The operation has no key." in words


def test_a_page_of_nothing_and_one_of_a_sandbox() -> None:
    assert "Nothing was rehearsed." in page(rehearsals.nothing())
    assert "201 /bookings/b_17" in page(rehearsals.sandbox())


def many(operations: int = 14, stories: int = 45) -> Rehearsal:
    """As large as a rehearsal of a whole house: each story at three levels, half of them wrong with less."""
    kinds = (rehearsals.crash_and_probe, rehearsals.keyed_resent, rehearsals.late_delivery, rehearsals.two_workers)
    found = []
    for number in range(operations):
        runs = []
        for story in range(stories):
            build = kinds[story % len(kinds)]
            named = {"story": f"{build().story}-{story}", "recipient": "as documented"}
            runs.append(replace(build(), declared=Declared.KEYED, **named))
            less = rehearsals.unsettled() if story % 2 else build()
            runs.append(replace(less, declared=Declared.UNDECLARED, **named))
            runs.append(replace(build(), declared=Declared.CACHED, **named))
        found.append(replace(rehearsals.charge(), name=f"operation-{number}", runs=tuple(runs)))
    return replace(rehearsals.all_kinds(), operations=tuple(found))


def test_a_page_draws_the_worst_where_it_has_no_room_for_all() -> None:
    text = page(rehearsals.all_kinds(), most=3)
    assert re.findall(r"<title>([^<]*)</title><desc>", text) == [
        "page-hidden, cached: weak",
        "reset-after-commit, keyed: failed",
        "garbage&lt;script&gt;, cached: failed",
    ]
    assert "Not drawn: this page holds its 3 worst stories." in text
    assert "Not drawn" not in WHOLE


def test_a_whole_house_stays_a_small_page() -> None:
    assert len(page(many()).encode()) < 3_000_000


PROBE = """
<script>
const overlaps = [], outside = [];
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  let words = 0;
  for (const picture of document.querySelectorAll("svg.timeline")) {
    const all = [...picture.querySelectorAll("text")].map((text) => [text.textContent, text.getBBox()]);
    words += all.length;
    const view = picture.viewBox.baseVal;
    all.forEach(([text, box], index) => {
      const right = box.x + box.width, bottom = box.y + box.height;
      if (box.x < -0.5 || box.y < -0.5 || right > view.width + 0.5 || bottom > view.height + 0.5)
        outside.push([text, box.x, box.y, box.width, box.height]);
      for (const [other, its] of all.slice(index + 1))
        if (box.x < its.x + its.width && its.x < right && box.y < its.y + its.height && its.y < bottom)
          overlaps.push([text, other]);
    });
  }
  const form = document.querySelector("form.filter");
  form.elements.words.value = "BOOKING page-hidden";
  form.dispatchEvent(new Event("input"));
  const filtered = [form.elements.shown.value, document.querySelectorAll(".operation:not([hidden])").length];
  form.elements.words.value = "";
  form.querySelector("input[value=passed]").checked = false;
  form.dispatchEvent(new Event("input"));
  filtered.push(form.elements.shown.value);
  form.querySelector("input[value=passed]").checked = true;
  form.dispatchEvent(new Event("input"));
  filtered.push(form.elements.shown.value);
  const root = document.documentElement;
  const wide = [...document.querySelectorAll("main *, header *, nav *")]
    .filter((one) => one.getBoundingClientRect().right > root.clientWidth + 0.5)
    .map((one) => one.outerHTML.slice(0, 90));
  const found = {
    words, overlaps, outside, wide, filtered, inner: innerWidth, scroll: root.scrollWidth, alerted: window.alerted || 0,
    asked: performance.getEntriesByType("resource").map((one) => one.name), filter: !document.querySelector("form.js"),
  };
  parent.postMessage(JSON.stringify(found), "*");
});
window.alert = () => { window.alerted = 1; };
</script>
"""


FRAME = """<!DOCTYPE html><meta charset="utf-8"><style>html,body{{margin:0}}iframe{{border:0;display:block}}</style>
<script>
addEventListener("message", (event) => {{
  const told = document.createElement("pre");
  told.id = "found";
  told.textContent = event.data;
  document.body.append(told);
}});
</script>
<body><iframe src="{name}" width="{width}" height="900"></iframe></body>"""
"""Chromium's own window is never narrower than 500, so a narrow page stands in a frame."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("chromium"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "rehearsal.html"
    path.write_text(WHOLE, encoding="utf-8")
    return path


@needs_chromium
@pytest.mark.parametrize("width", [400, 1280])
def test_in_chromium_nothing_overlaps_or_stands_out(browser: Browser, plain: Path, width: int) -> None:
    probed = plain.with_name(f"probed-{width}.html")
    # The page lets no script in but its own, so the probe comes without its policy.
    policy = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
    probed.write_text(policy.sub("", WHOLE).replace("<body>", "<body>" + PROBE, 1), encoding="utf-8")
    frame = plain.with_name(f"frame-{width}.html")
    frame.write_text(FRAME.format(name=probed.name, width=width), encoding="utf-8")
    dom = browser.dom(frame)
    said = re.search(r'<pre id="found">(.*?)</pre>', dom, re.DOTALL)
    assert said is not None, browser.said
    found: dict[str, Any] = json.loads(unescape(said[1]))
    assert found["inner"] == width
    assert found["overlaps"] == []
    assert found["outside"] == []
    assert found["words"] > 150
    assert found["scroll"] <= width, found["wide"]
    assert found["asked"] == []
    assert found["alerted"] == 0
    assert found["filter"] is True
    assert found["filtered"] == ["1 of 8 shown", 1, "3 of 8 shown", ""]


@needs_chromium
def test_in_chromium_the_page_runs_under_its_own_policy(browser: Browser, plain: Path) -> None:
    dom = browser.dom(plain)
    assert "Content Security Policy" not in browser.said
    assert re.search(r'<form class="filter"', dom), "our script did not run"
    assert "{{ 7*7 }}" in unescape(dom)


@needs_chromium
@pytest.mark.parametrize("width", [400, 1280])
def test_chromium_takes_its_picture(browser: Browser, plain: Path, width: int) -> None:
    frame = plain.with_name(f"seen-{width}.html")
    frame.write_text(FRAME.format(name=plain.name, width=width), encoding="utf-8")
    png = browser.picture(frame, width)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (width, 900)
    # An empty sheet of this size packs to some 5 KB.
    assert len(png) > 25_000


@needs_chromium
def test_printed_every_story_is_there(browser: Browser, plain: Path) -> None:
    printed = browser.pdf(plain)
    assert printed[:5] == b"%PDF-"
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))
    # Three operations, each on a page of its own, with nine stories of which only two were open on the screen.
    closed = plain.with_name("closed.html")
    bare = [
        replace(one, runs=tuple(replace(run, moments=()) for run in one.runs))
        for one in rehearsals.all_kinds().operations
    ]
    none = replace(rehearsals.all_kinds(), operations=tuple(bare))
    closed.write_text(page(none), encoding="utf-8")
    without = len(re.findall(rb"/Type\s*/Page\b(?!s)", browser.pdf(closed)))
    assert without >= 4
    assert pages > without + 2
