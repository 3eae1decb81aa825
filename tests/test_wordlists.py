"""Word lists: what lies beside them as JSON is what they say, and nothing where they were changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wizard import wordlists
from wizard.wordlists import COMPILED, compiled_text, table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.toml").write_bytes(b'[one]\nis = ["x", "y"]\nweight = 1.5\n')
    (tmp_path / "b.toml").write_bytes(b"said = '''a\nb'''\n")
    (tmp_path / COMPILED).write_text(compiled_text(str(tmp_path)), encoding="utf-8")
    return tmp_path


def fresh(folder: Path, name: str) -> object:
    wordlists._compiled.cache_clear()
    return table.__wrapped__(str(folder), name)


def test_a_released_list_is_not_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordlists, "_read", lambda data: pytest.fail("it was read"))
    assert fresh(folder, "a") == {"one": {"is": ["x", "y"], "weight": 1.5}}
    assert fresh(folder, "b") == {"said": "a\nb"}


def test_a_list_with_other_line_ends_is_the_same_list(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (folder / "b.toml").read_bytes()
    (folder / "b.toml").write_bytes(data.replace(b"\n", b"\r\n"))
    assert fresh(folder, "b") == {"said": "a\nb"}
    (folder / COMPILED).unlink()
    assert fresh(folder, "b") == {"said": "a\nb"}


@pytest.mark.parametrize("kept", [None, "", "[]", "{", '{"a": 1}', '{"a": ["", {}]}', "7"])
def test_a_list_that_was_changed_is_read(folder: Path, kept: str | None) -> None:
    if kept is not None:
        (folder / COMPILED).write_text(kept)
    (folder / "a.toml").write_text('[one]\nis = ["z"]\n')
    assert fresh(folder, "a") == {"one": {"is": ["z"]}}


def test_a_list_that_is_not_there_is_an_error(folder: Path) -> None:
    (folder / "a.toml").unlink()
    with pytest.raises(OSError, match=r"a\.toml"):
        fresh(folder, "a")


def test_each_list_has_a_line_of_its_own(folder: Path) -> None:
    lines = compiled_text(str(folder)).splitlines()
    assert len(lines) == 4
    assert list(json.loads("".join(lines))) == ["a", "b"]
