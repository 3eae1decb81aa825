"""The look that tells which rules a file needs: where it says that nothing is to be said, the rules say nothing."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wizard.infer import tables
from wizard.lint import quick
from wizard.lint.checking import check_source
from wizard.lint.keyprose.lexicon import lexicon_text
from wizard.lint.model import Context
from wizard.lint.plainfront import plain_members
from wizard.lint.quick import FILE_FAMILIES, LEXICON, SIGNS, families_for, prose_signs, signs_text
from wizard.lint.rulebook import FAMILIES_OF, WORDS, families_text
from wizard.skill.document import parse_skill
from wizard.source import Source
from wizard.wordlists import COMPILED, compiled_text

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", ROOT.parent / "shared" / "corpus"))
BULK = CORPUS / "skills" / "dev" / "bulk-skills.tar.gz"

VALUES = st.sampled_from(
    [
        "pay", "Charges an account.", "Use it: once", "a #b", "a # b", "'quoted'", "'it''s'", "\"double\"",
        "\"esc \\\" aped\"", "12", "1.2", "true", "Null", "2026-01-01", "- x", "-x", "[a, b]", "[a: b]",
        "[Bash(oo *), 'x']", "{\"a\": {\"b\": [1]}}", "{a: b}", "{'a': 1}", "|", ">", "|-", ">2", "&a x", "*a",
        "!tag x", "@x", "`x`", "%x", "<x>", "=", "~", "中文：说明", "🛏 bed", "x:", "", "http://example.com/a", "a, b",
        "'open", "\"open", "a\\b", "x  ", "? y", ", x", "] x", "No", "0x1F", "1_000", "012", ".5", "x\ty",
        "\u2028", "a\xa0b", "\x07", "'a' b", "\"a\" b",
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    ["name", "description", "license", "metadata", "a b", "a.b", "<<", "?", "'q'", "name", "x-y", "Name"]
)
LINES = st.builds(
    lambda indent, dash, key, colon, value: " " * indent + dash + key + colon + value,
    st.sampled_from([0, 0, 0, 2, 2, 4, 1, 3]), st.sampled_from(["", "", "", "- ", "-  "]), KEYS | st.just(""),
    st.sampled_from([": ", ": ", ":", "", ":  "]), VALUES,
)  # fmt: skip
PROSE = st.sampled_from(["", "Generate a UUID and send it as `Idempotency-Key`.\n", "Retry until it succeeds.\n"])
FRONT = st.lists(LINES, min_size=1, max_size=6).map(lambda lines: "---\n" + "\n".join(lines) + "\n---\n\nText.\n")


@settings(max_examples=400, deadline=None)
@given(FRONT)
@example("---\nname: a\ndescription: |\n  b\n c\n---\n")
@example("---\nname: a\nlist:\n- x\n- y: 1\n  z: 2\nend: b\n---\n")
@example("---\nname: a\nmetadata:\n  {\n    'x': 1,\n  }\n---\n")
def test_a_frontmatter_that_is_plain_to_see_is_read_as_the_parser_reads_it(text: str) -> None:
    members = plain_members(text)
    if members is None:
        return
    skill = parse_skill(Source("SKILL.md", text))
    assert skill.problems == ()
    assert skill.frontmatter is not None
    assert list(members) == list(skill.frontmatter)
    for name, value in members.items():
        told = skill.frontmatter[name]
        if value is not None:
            assert isinstance(told, str)
            assert bool(value.strip()) == bool(told.strip())


@settings(deadline=None)
@given(FRONT, PROSE)
def test_what_the_look_leaves_out_has_nothing_to_say(front: str, prose: str) -> None:
    same_with_and_without_the_look(front + prose)


def same_with_and_without_the_look(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    chosen = families_for(data, prose_signs(), strict=False)
    left_out = [family for family in FILE_FAMILIES if family not in chosen]
    found = check_source(Context(source=Source("a/SKILL.md", text), folder="a"), families=left_out)
    assert found.broken == ()
    assert [(one.rule, one.spot.line, one.message) for one in found.findings] == []


def test_strictly_every_frontmatter_is_looked_at() -> None:
    data = b"---\nname: a\ndescription: b\n---\n"
    assert families_for(data, prose_signs(), strict=False) == ()
    assert families_for(data, prose_signs(), strict=True) == ("file",)


def test_the_files_that_travel_with_the_package_are_those_of_its_words_and_rules() -> None:
    """`python -c "from wizard.lint.quick import write_signs; write_signs()"` writes them anew."""
    made = ((SIGNS, signs_text), (LEXICON, lexicon_text), (FAMILIES_OF, families_text))
    for path, text in made:
        assert Path(path).read_text(encoding="utf-8") == text()
    for folder in (tables.WORDS, WORDS):
        assert Path(folder, COMPILED).read_text(encoding="utf-8") == compiled_text(folder)


def test_other_words_than_those_released_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = prose_signs().dump()
    for kept in ("", "{", '{"words": "0", "signs": {}}', "[]"):
        path = tmp_path / "signs.json"
        path.write_text(kept)
        monkeypatch.setattr(quick, "SIGNS", str(path))
        assert prose_signs.__wrapped__().dump() == known
    monkeypatch.setattr(quick, "SIGNS", str(tmp_path / "none.json"))
    assert prose_signs.__wrapped__().dump() == known


@pytest.mark.skipif(not BULK.exists(), reason="the corpus of real skills is not here")
def test_on_real_skills_the_look_leaves_nothing_out() -> None:
    with tarfile.open(BULK) as archive:
        for member in archive.getmembers()[::7]:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                same_with_and_without_the_look(file.read().decode("utf-8", "replace"))
