"""The configuration: where it is found, what it says, and what it says of mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wizard.assets import folder
from wizard.errors import ConfigError
from wizard.lint.config import KEYS, PER_PATH_KEYS, find_config, load_config, read_settings, toml_place
from wizard.lint.settings import PerPath, Settings

SCHEMA = json.loads((folder("schemas") / "config.json").read_text(encoding="utf-8"))
WHOLE = """\
paths = ["skills"]
exclude = ["vendor/**"]
document = "openapi.yaml"
profile = "strict"
select = ["all", "app-code-fills-key"]
ignore = ["key-required"]
severity = "warning"
confidence = "medium"
baseline = "baseline.json"
cache = false
cache-dir = ".cache"

[rules]
unkeyed-without-probe = "off"

[[per-path]]
paths = ["legacy/**"]
ignore = ["prose-key"]
rules = { skill-name = "error" }
profile = "lenient"
document = "old.yaml"
reason = "being replaced"
"""


def load(tmp_path: Path, text: str, name: str = "skill-wizard.toml") -> Settings:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_config(str(path))


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    settings = load(tmp_path, WHOLE)
    assert settings == Settings(
        root=str(tmp_path), file=str(tmp_path / "skill-wizard.toml"), paths=("skills",), exclude=("vendor/**",),
        document="openapi.yaml", profile="strict", select=("all", "app-code-fills-key"), ignore=("key-required",),
        severity="warning", confidence="medium", rules=(("unkeyed-without-probe", "off"),), baseline="baseline.json",
        cache=False, cache_folder=".cache",
        per_path=(
            PerPath(
                ("legacy/**",), ("prose-key",), (("skill-name", "error"),), "lenient", "old.yaml", "being replaced",
            ),
        ),
        named=settings.named,
    )  # fmt: skip
    assert [(named.name, named.line) for named in settings.named] == [
        ("all", 5), ("app-code-fills-key", 5), ("key-required", 6), ("unkeyed-without-probe", 14), ("prose-key", 18),
        ("skill-name", 19),
    ]  # fmt: skip


def test_the_same_in_a_pyproject(tmp_path: Path) -> None:
    shared = WHOLE.replace("[rules]", "[tool.skill-wizard.rules]").replace(
        "[[per-path]]", "[[tool.skill-wizard.per-path]]"
    )
    own = load(tmp_path, WHOLE)
    other = load(tmp_path, "[project]\nname = 'x'\n\n[tool.skill-wizard]\n" + shared, "pyproject.toml")
    assert other._replace(file=own.file, named=()) == own._replace(named=())
    assert [named.line for named in other.named] == [named.line + 4 for named in own.named]


def test_nothing_said_is_the_default(tmp_path: Path) -> None:
    settings = load(tmp_path, "")
    assert settings == Settings(root=str(tmp_path), file=str(tmp_path / "skill-wizard.toml"))


def test_the_nearest_file_counts_and_the_own_one_wins(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.skill-wizard]\n")
    assert find_config(str(inner)) == str(tmp_path / "pyproject.toml")
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'skill-wizard-user'\n")
    assert find_config(str(inner)) == str(tmp_path / "pyproject.toml")
    (tmp_path / "skill-wizard.toml").write_text("")
    assert find_config(str(inner)) == str(tmp_path / "skill-wizard.toml")
    (inner / "skill-wizard.toml").write_text("")
    assert find_config(str(inner)) == str(inner / "skill-wizard.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.ruff]\n", "pyproject.toml: there is no table `[tool.skill-wizard]`"),
        ("tool = 1\n", "pyproject.toml: there is no table `[tool.skill-wizard]`"),
        ("\n[tool.skill_wizard]\nselect = []\n", "pyproject.toml:2:2: there is no table `[tool.skill-wizard]`. It is written"),  # noqa: E501
    ],
)  # fmt: skip
def test_a_pyproject_without_our_table(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    assert find_config(str(tmp_path)) == (str(path) if "skill_wizard" in text else None)
    with pytest.raises(ConfigError) as caught:
        load_config(str(path))
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(said)


def test_a_broken_pyproject_that_means_us_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.skill-wizard]\nprofile = \n")
    found = find_config(str(tmp_path))
    assert found
    with pytest.raises(ConfigError, match=r"pyproject\.toml:2:11: this is no TOML: invalid value"):
        load_config(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ignores = []", "skill-wizard.toml:1:1: there is no key `ignores`. Did you mean `ignore`?"),
        ("colour = 1", "skill-wizard.toml:1:1: there is no key `colour`. There are `paths`, `exclude`, "),
        ("\n[[per-path]]\npath = ['a']", "skill-wizard.toml:3:1: there is no key `per-path[0].path`. Did you mean `paths`?"),  # noqa: E501
        ("[[per-path]]\npaths = ['a']\n[[per-path]]\nreason = 'b'", "skill-wizard.toml:3:3: `per-path[1]` does not say which `paths` it is for"),  # noqa: E501
        ("[[per-path]]\npaths = []", "skill-wizard.toml:2:1: `per-path[0].paths` is empty, and would match nothing"),
        ("per-path = 1", "skill-wizard.toml:1:1: `per-path` is an array of tables; write `[[per-path]]`"),
        ("severity = 'warn'", 'skill-wizard.toml:1:1: `severity` is `error`, `warning` or `info`, not "warn". Did you mean `warning`?'),  # noqa: E501
        ("cache = 'yes'", 'skill-wizard.toml:1:1: `cache` is true or false, not "yes"'),
        ("select = 'prose'", 'skill-wizard.toml:1:1: `select` is a list of texts, not "prose"'),
        ("select = [1]", "skill-wizard.toml:1:1: `select` is a list of texts, not a list of other things"),
        ("document = 3", "skill-wizard.toml:1:1: `document` is a text, not the number 3"),
        ("document = ' '", "skill-wizard.toml:1:1: `document` is a text, not an empty one"),
        ("[rules]\nskill-name = 'warn'", 'skill-wizard.toml:2:1: `rules.skill-name` is `error`, `warning`, `info` or `off`, not "warn". Did you mean `warning`?'),  # noqa: E501
        ("rules = { skill-name = true }", "skill-wizard.toml:1:11: `rules.skill-name` is `error`, `warning`, `info` or `off`, not `true`"),  # noqa: E501
        ("rules = 'all'", 'skill-wizard.toml:1:1: `rules` is a table of rules and their severities, not "all"'),
        ("\n[tool.skill-wizard]\nprofile = 'strict'", "skill-wizard.toml:2:2: there is no key `tool`: the table `[tool.skill-wizard]` is for a pyproject.toml. Take its header out"),  # noqa: E501
        ("profile = [", "skill-wizard.toml: this is no TOML at its end: invalid value"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line_its_key_and_the_nearest_one(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    message = str(caught.value).removeprefix(f"{tmp_path}/")
    assert message.startswith(said)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_config(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b"document = '\xe9'")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(str(tmp_path / "latin.toml"))


def test_the_schema_names_the_keys_that_the_loader_reads() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert set(SCHEMA["properties"]) == set(KEYS)
    assert set(SCHEMA["properties"]["per-path"]["items"]["properties"]) == set(PER_PATH_KEYS)


TEXT = st.text("ab* /", min_size=1, max_size=5)
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.booleans(), st.integers(0, 3), TEXT, st.lists(TEXT, max_size=2), st.lists(st.integers(0, 1), max_size=2),
    st.sampled_from(["error", "warning", "info", "off", "high", "medium", "low", "strict", "lenient", ""]),
    st.dictionaries(TEXT, st.sampled_from(["error", "off", "warn", ""]), max_size=2),
)  # fmt: skip
PER_PATH = st.dictionaries(st.sampled_from([*PER_PATH_KEYS, "path"]), ANYTHING, max_size=3)
TABLE = st.dictionaries(
    st.sampled_from([*KEYS, "ignores"]), st.one_of(ANYTHING, st.lists(PER_PATH, max_size=2)), max_size=3
)


@given(TABLE)
def test_the_schema_takes_what_the_loader_takes_and_nothing_else(data: dict[str, Any]) -> None:
    fits = Draft202012Validator(SCHEMA).is_valid(data)
    try:
        read_settings(data, "skill-wizard.toml")
        read = True
    except ConfigError:
        read = False
    assert read == fits


@given(st.text(), st.lists(st.one_of(st.text(max_size=3), st.integers(0, 2)), max_size=3))
def test_a_place_is_found_in_any_text(text: str, path: list[str | int]) -> None:
    line, column = toml_place(text, tuple(path))
    assert (line, column) == (0, 0) or (1 <= line <= text.count("\n") + 1 and column >= 1)
