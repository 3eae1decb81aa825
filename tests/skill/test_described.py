"""The description of a frontmatter as prose, with the place of every character."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wizard.skill.described import description_block, scalar_text
from wizard.skill.document import parse_skill
from wizard.source import Source


def block_of(text: str):
    source = Source("a.md", text)
    return description_block(source, parse_skill(source).root)


@pytest.mark.parametrize(
    "written",
    [
        "Charges a booking. Build the key as a-b.",
        "'It''s a charge. Build the key as a-b.'",
        '"It\\u2019s \\"a\\" charge.\\tBuild the key as a-b."',
        ">\n  Charges a booking.\n  Build the\n  key as a-b.",
        ">-\n    Charges.\n\n    More:\n      indented.\n    Build the key as a-b.\n",
        "|\n  Charges a booking.\n\n  Build the key as a-b.",
        "Charges a booking. Build\n  the key as a-b.",
        "'Charges a booking.\n\n  Build the key\n  as a-b.'",
        '"Charges a booking. \\\n  Build the key as a-b."',
        "&x Charges. Build the key as a-b.",
        "!!str Charges. Build the key as a-b.",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_found_in_a_description_is_marked_in_the_yaml(written: str, end: str) -> None:
    text = f"---\nname: a\ndescription: {written}\nlicense: MIT\n---\n\nText.\n".replace("\n", end)
    block = block_of(text)
    assert block is not None
    assert block.kind == "description"
    sentence = next(one for one in block.sentences() if "Build" in one.text)
    assert " ".join(sentence.text.split()).startswith("Build the key as")
    marked = text[slice(*((span := sentence.whole).start, span.end))]
    assert " ".join(marked.split()) == "Build the key as a-b."
    start = block.text.text.index("a-b")
    span = block.text.span(start, start + 3)
    assert text[span.start : span.end] == "a-b"


@pytest.mark.parametrize(
    "front", ["name: a", "description:", "description: ''", "description: [a]", "- a", "x: &d a\ndescription: *d"]
)
def test_what_is_no_description_gives_no_prose(front: str) -> None:
    assert block_of(f"---\n{front}\n---\n\nText.\n") is None


WORDS = st.sampled_from(["a", "key", "it's", "x:y", "\u5e42\u7b49", "#no", "\\", '"q"', "", " ", "\n", "\n\n", "\t"])


@given(st.lists(WORDS, min_size=1, max_size=10), st.sampled_from(["plain", "'", '"', "|", ">", "|-", ">+"]))
@example(["a", "\n", "key"], ">")
def test_every_letter_stands_where_it_is_said_to(words: list[str], style: str) -> None:
    said = " ".join(words)
    if style == "'":
        written = "'" + said.replace("'", "''").replace("\n", "\n  ") + "'"
    elif style == '"':
        escaped = said.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        written = f'"{escaped}"'
    elif style == "plain":
        written = said.replace("\n", "\n  ")
    else:
        written = style + "\n  " + said.replace("\n", "\n  ")
    text = f"---\nname: a\ndescription: {written}\nlicense: MIT\n---\n"
    root = parse_skill(Source("a.md", text)).root
    holder = None if root is None or root.kind != "mapping" else root.item("description")
    if holder is None or holder.value.kind != "scalar":
        return
    found = scalar_text(text, holder.value)
    assert found.text == holder.value.text
    offsets = found.offsets[: len(found.text)]
    assert list(offsets) == sorted(offsets)
    for char, place in zip(found.text, offsets, strict=True):
        assert holder.value.span.start <= place <= holder.value.span.end
        if not char.isspace():
            assert text[place] in (char, "\\")
