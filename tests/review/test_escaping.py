"""Whatever a skill or a document holds, in a comment it is text."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wizard.review.escaping import cell_code, code, fenced, one_line, plain, prose

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=80) | st.text(
    st.sampled_from(list("`*_[]()<>|~&#@!\\-+=.1 :/\n\tax")), max_size=60
)
MARKDOWN = MarkdownIt("gfm-like", {"html": True, "linkify": False})
HARMLESS = {"paragraph_open", "paragraph_close", "inline", "text", "code_inline", "text_special"}


def visible(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).replace("\u200b", "").split())


def kinds(text: str) -> set[str]:
    tokens = MARKDOWN.parse(text)
    return {one.type for one in tokens} | {child.type for one in tokens for child in one.children or ()}


@given(TEXTS)
@example("<b>@x</b> #1 | `a` \\` **b** _c_ ~~d~~ [e](f) &amp; https://g www.h.i GH-1")
@example("- a")
@example("1. a")
@example("# a")
@example("    a")
def test_plain_text_is_text_and_nothing_else(text: str) -> None:
    told = plain(text)
    assert kinds(told) <= HARMLESS - {"code_inline"}
    assert visible(MARKDOWN.render(told)) == " ".join(one_line(text, 300).replace("\u200b", "").split())
    assert re.search(r"@[\w-]|(?<!&)#[\w-]|://", told) is None


@given(TEXTS)
@example("`")
@example("``a`")
@example("a\\")
def test_code_is_code_and_nothing_else(text: str) -> None:
    told = code(text)
    assert kinds(f"x {told} y") <= HARMLESS
    line = " ".join(one_line(text, 300).split())
    assert visible(MARKDOWN.render(f"x {told} y").replace("<code>", "").replace("</code>", "")) == (
        f"x {line} y" if line else "x y"
    )


@given(TEXTS, TEXTS)
def test_a_cell_holds_what_it_is_given(one: str, other: str) -> None:
    page = MARKDOWN.render(f"| a | b |\n| --- | --- |\n| {cell_code(one)} | {prose(other, cell=True)} |\n")
    assert page.count("<td>") == 2


@given(st.lists(TEXTS, max_size=12))
@example(["``<b>` ` `", "`x`"])
def test_a_sentence_with_names_in_it_brings_nothing_alive(names: list[str]) -> None:
    told = prose("The identity loses " + " and ".join(f"`{name}`" for name in names))
    assert kinds(told) <= HARMLESS


def test_names_beside_each_other_stay_code() -> None:
    told = prose("`a``<b>``c`")
    assert kinds(told) <= HARMLESS
    assert visible(MARKDOWN.render(told)) == "a<b>c"


@given(st.lists(TEXTS, min_size=1, max_size=30))
def test_a_block_of_code_ends_where_it_should(lines: list[str]) -> None:
    tokens = MARKDOWN.parse(fenced(lines, "diff") + "\n\nend\n")
    assert [one.type for one in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]


@pytest.mark.parametrize("limit", [10, 300])
@given(text=st.text(max_size=2000))
def test_a_line_is_bounded(text: str, limit: int) -> None:
    assert len(one_line(text, limit)) <= limit
