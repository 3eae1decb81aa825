"""Skill files on disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from wizard.errors import SkillError
from wizard.skill.files import decode, find_skills, read_text, write_text_atomic, write_texts_atomic

SPEC = "---\nname: a\noperation:\n  method: POST\n---\n"


def put(folder: Path, *names: str, text: str = SPEC) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(folder: Path, **more: object) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in find_skills([folder], **more)]  # type: ignore[arg-type]


def test_skill_files_and_operation_specs_are_found(tmp_path: Path) -> None:
    put(tmp_path, "b/SKILL.md", "b/operations/x.md", "a.MD", "c/skill.md")
    put(tmp_path, "README.md", "b/notes.md", text="# operation:\noperation: no\n")
    put(tmp_path, "b/other.md", text="---\nname: x\n---\noperation: in the prose\n")
    put(tmp_path, ".git/SKILL.md", "node_modules/p/SKILL.md", "z.txt")
    put(tmp_path, "crlf.md", text=SPEC.replace("\n", "\r\n"))
    assert found(tmp_path) == ["a.MD", "b/SKILL.md", "b/operations/x.md", "c/skill.md", "crlf.md"]


def test_what_is_ignored_is_left_out(tmp_path: Path) -> None:
    put(tmp_path, "a/SKILL.md", "b/SKILL.md", "c.md")
    assert found(tmp_path, ignored=lambda path, folder: path.name in ("b", "c.md")) == ["a/SKILL.md"]


def test_a_named_file_is_taken_and_stands_once(tmp_path: Path) -> None:
    put(tmp_path, "a.md", text="# no skill")
    assert find_skills([tmp_path / "a.md", tmp_path / "a.md"]) == (tmp_path / "a.md",)


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="there is no such file or folder"):
        find_skills([tmp_path / "nowhere"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_links_that_lead_round_in_a_circle(tmp_path: Path) -> None:
    put(tmp_path, "a/SKILL.md")
    (tmp_path / "a" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert found(tmp_path) == ["a/SKILL.md"]


def test_bytes_stay_as_they_are(tmp_path: Path) -> None:
    data = "\ufeffa\r\nb\rc\n\u2028é".encode()
    (tmp_path / "a.md").write_bytes(data)
    source = read_text(tmp_path / "a.md")
    write_text_atomic(tmp_path / "new" / "b.md", source.text)
    assert (tmp_path / "new" / "b.md").read_bytes() == data
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["b.md"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"ab\nc\xffd", r"a\.md:2:2: byte 0xff is not UTF-8"),
        (b"\xff\xfea\x00", "the file is UTF-16"),
        (b"\x00\xff", "this is no text file"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, message: str) -> None:
    with pytest.raises(SkillError, match=message):
        decode(data, "a.md")


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="there is no such file"):
        read_text(tmp_path / "a.md")
    with pytest.raises(SkillError, match="this is a folder"):
        read_text(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links are other things there")
def test_writing_keeps_permissions_and_goes_through_links(tmp_path: Path) -> None:
    target = tmp_path / "target.md"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link.md").symlink_to(target)
    write_text_atomic(tmp_path / "link.md", "new")
    assert target.read_text() == "new"
    assert (tmp_path / "link.md").is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("old")

    def fails(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(SkillError, match=r"a\.md: cannot be written: No space left on device"):
        write_text_atomic(tmp_path / "a.md", "new")
    assert (tmp_path / "a.md").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]
    with pytest.raises(SkillError, match="half a character"):
        write_text_atomic(tmp_path / "a.md", "\ud800")


class Enough(Exception):
    """Somebody stops it."""


def snapshot(folder: Path) -> dict[str, str | None]:
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("stop", [1, 2, 3])
def test_several_files_are_written_or_none(stop: int, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("old", "utf-8")
    before = snapshot(tmp_path)
    texts = [(tmp_path / "a.md", "new"), (tmp_path / "deep" / "er" / "b.md", "b"), (tmp_path / "deep" / "c.md", "c")]

    def laid(count: int) -> None:
        if count == stop:
            raise Enough

    with pytest.raises(Enough):
        write_texts_atomic(texts, laid)
    assert snapshot(tmp_path) == before
    counts: list[int] = []
    write_texts_atomic(texts, counts.append)
    assert counts == [1, 2, 3]
    assert snapshot(tmp_path) == {
        "a.md": "new", "deep": None, "deep/c.md": "c", "deep/er": None, "deep/er/b.md": "b",
    }  # fmt: skip


def test_one_that_cannot_take_its_place_takes_the_others_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("old", "utf-8")
    before = snapshot(tmp_path)
    replace = os.replace

    def failing(source: str, target: Path) -> None:
        if Path(target).name == "c.md":
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(SkillError, match="No space left on device"):
        write_texts_atomic([(tmp_path / "a.md", "new"), (tmp_path / "b.md", "b"), (tmp_path / "c.md", "c")])
    assert snapshot(tmp_path) == before
