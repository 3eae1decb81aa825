"""The configuration: `[tool.skill-wizard]` of a pyproject.toml, or a skill-wizard.toml, found upward.

Every error names the file, the line, the key and the nearest key that exists. Names of rules are not judged here: a
configuration may name a rule of a newer version, which is a finding (`unknown-rule`) and not the end of a run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from wizard.errors import ConfigError
from wizard.lint.settings import CONFIDENCES, PROFILES, SEVERITIES, Named, PerPath, Settings

OWN_FILE = "skill-wizard.toml"
SHARED_FILE = "pyproject.toml"
TABLE = ("tool", "skill-wizard")
RULE_SEVERITIES = (*SEVERITIES, "off")

Path = tuple[str | int, ...]


def find_config(start: str) -> str | None:
    """The nearest configuration file at or above a folder; `skill-wizard.toml` wins over a pyproject.toml beside it."""
    folder = os.path.abspath(start)
    while True:
        own = os.path.join(folder, OWN_FILE)
        if os.path.isfile(own):
            return own
        shared = os.path.join(folder, SHARED_FILE)
        if _names_us(shared):
            return shared
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _names_us(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            text = file.read()
        return (b"skill-wizard" in text or b"skill_wizard" in text) and _table_of(path)
    except OSError:
        return False


def _table_of(path: str) -> bool:
    import tomllib

    try:
        with open(path, "rb") as file:
            tool = tomllib.load(file).get("tool", {})
        return "skill-wizard" in tool or "skill_wizard" in tool
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError):
        # A broken pyproject.toml that seems to mean us is reported, not passed over.
        with open(path, "rb") as file:
            return bool(re.search(rb"^[ \t]*\[\[?[ \t]*tool\.[\"']?skill[-_]wizard", file.read(), re.MULTILINE))


def load_config(path: str) -> Settings:
    """Reads a configuration file. Raises ConfigError."""
    import tomllib

    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError as error:
        raise ConfigError(f"it cannot be read: {error.strerror or error}", place=path) from None
    except UnicodeDecodeError:
        raise ConfigError("it is not UTF-8", place=path, remedy="Save it as UTF-8") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, place = _toml_error(str(error), path)
        raise ConfigError(message, place=place) from None
    prefix: Path = ()
    if os.path.basename(path) == SHARED_FILE:
        prefix = TABLE
        tool = data.get("tool")
        if not isinstance(tool, Mapping) or "skill-wizard" not in tool:
            typed = isinstance(tool, Mapping) and "skill_wizard" in tool
            raise ConfigError(
                "there is no table `[tool.skill-wizard]`",
                place=_Reader(path, text, ()).place(("tool", "skill_wizard")) if typed else path,
                remedy="It is written with a hyphen" if typed else "",
            )
        data = tool["skill-wizard"]
    elif "tool" in data:
        raise ConfigError(
            f"there is no key `tool`: the table `[tool.skill-wizard]` is for a {SHARED_FILE}",
            place=_Reader(path, text, ()).place(TABLE),
            remedy="Take its header out; the keys stand at the top of this file",
        )
    return read_settings(data, path, text, prefix)


_AT = re.compile(r"^(?P<said>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL)


def _toml_error(said: str, path: str) -> tuple[str, str]:
    found = _AT.match(said)
    if found is None:
        return f"this is no TOML: {said}", path
    place = f"{path}:{found['line']}:{found['column']}" if found["line"] else path
    end = "" if found["line"] else " at its end"
    return f"this is no TOML{end}: {found['said'][:1].lower()}{found['said'][1:]}", place


def read_settings(data: object, path: str, text: str = "", prefix: Path = ()) -> Settings:
    """The settings of a configuration that was parsed; `text` and `prefix` only tell lines. Raises ConfigError."""
    reader = _Reader(path, text, prefix)
    if not isinstance(data, Mapping):
        reader.fail((), f"`{'.'.join(map(str, prefix))}` is a table")
        raise AssertionError
    found = reader.members(data, (), KEYS)
    per_path = tuple(found.pop("per-path", ()))
    cache = found.pop("cache", True)
    return Settings(
        root=os.path.dirname(os.path.abspath(path)),
        file=path,
        paths=found.get("paths", ()),
        exclude=found.get("exclude", ()),
        document=found.get("document"),
        profile=found.get("profile", "lenient"),
        select=found.get("select", ()),
        ignore=found.get("ignore", ()),
        severity=found.get("severity", "info"),
        confidence=found.get("confidence", "low"),
        rules=found.get("rules", ()),
        baseline=found.get("baseline"),
        cache=cache,
        cache_folder=found.get("cache-dir"),
        per_path=per_path,
        named=tuple(reader.named),
    )


class _Reader:
    def __init__(self, path: str, text: str, prefix: Path) -> None:
        self.path, self.text, self.prefix = path, text, prefix
        self.named: list[Named] = []

    def place(self, at: Path) -> str:
        line, column = toml_place(self.text, (*self.prefix, *at))
        return f"{self.path}:{line}:{column}" if line else self.path

    def fail(self, at: Path, message: str, remedy: str = "") -> None:
        raise ConfigError(message, place=self.place(at), remedy=remedy)

    def members(self, data: Mapping[str, Any], at: Path, keys: Mapping[str, _Kind]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in data.items():
            kind = keys.get(key)
            if kind is None:
                from difflib import get_close_matches

                near = get_close_matches(key.lower().replace("_", "-"), keys, n=1, cutoff=0.6)
                remedy = f"Did you mean `{near[0]}`?" if near else f"There are {', '.join(f'`{one}`' for one in keys)}."
                self.fail((*at, key), f"there is no key `{_joined((*at, key))}`", remedy.removesuffix("."))
                continue
            found[key] = kind(self, value, (*at, key))
        return found

    def text_value(self, value: Any, at: Path) -> str:
        if not isinstance(value, str) or not value.strip():
            self.fail(at, f"`{_joined(at)}` is a text, not {_kind(value)}")
        return str(value)

    def boolean(self, value: Any, at: Path) -> bool:
        if not isinstance(value, bool):
            self.fail(at, f"`{_joined(at)}` is true or false, not {_kind(value)}")
        return bool(value)

    def texts(self, value: Any, at: Path) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            self.fail(at, f"`{_joined(at)}` is a list of texts, not {_kind(value)}")
        return tuple(value)

    def patterns(self, value: Any, at: Path) -> tuple[str, ...]:
        found = self.texts(value, at)
        if not found:
            self.fail(at, f"`{_joined(at)}` is empty, and would match nothing")
        return found

    def names(self, value: Any, at: Path) -> tuple[str, ...]:
        found = self.texts(value, at)
        for index, name in enumerate(found):
            self.named.append(Named(name, *toml_place(self.text, (*self.prefix, *at, index))))
        return found

    def severities(self, value: Any, at: Path) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, Mapping):
            self.fail(at, f"`{_joined(at)}` is a table of rules and their severities, not {_kind(value)}")
        found = []
        for name, severity in value.items():
            if severity not in RULE_SEVERITIES:
                self.fail((*at, name), f"`{_joined((*at, name))}` is {_either(RULE_SEVERITIES)}, not {_said(severity)}", _near(severity, RULE_SEVERITIES))  # fmt: skip  # noqa: E501
            self.named.append(Named(name, *toml_place(self.text, (*self.prefix, *at, name))))
            found.append((name, severity))
        return tuple(found)

    def per_paths(self, value: Any, at: Path) -> tuple[PerPath, ...]:
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            self.fail(at, f"`{_joined(at)}` is an array of tables; write `[[{_joined((*self.prefix, *at))}]]`")
        found = []
        for index, one in enumerate(value):
            members = self.members(one, (*at, index), PER_PATH_KEYS)
            if "paths" not in members:
                self.fail((*at, index), f"`{_joined((*at, index))}` does not say which `paths` it is for")
            found.append(PerPath(**members))
        return tuple(found)


_Kind = Callable[[_Reader, Any, Path], Any]


def _choice(allowed: tuple[str, ...]) -> _Kind:
    def read(reader: _Reader, value: Any, at: Path) -> str:
        if value not in allowed:
            reader.fail(at, f"`{_joined(at)}` is {_either(allowed)}, not {_said(value)}", _near(value, allowed))
        return str(value)

    return read


KEYS: dict[str, _Kind] = {
    "paths": _Reader.texts,
    "exclude": _Reader.texts,
    "document": _Reader.text_value,
    "profile": _choice(PROFILES),
    "select": _Reader.names,
    "ignore": _Reader.names,
    "severity": _choice(SEVERITIES),
    "confidence": _choice(CONFIDENCES),
    "rules": _Reader.severities,
    "baseline": _Reader.text_value,
    "cache": _Reader.boolean,
    "cache-dir": _Reader.text_value,
    "per-path": _Reader.per_paths,
}

PER_PATH_KEYS: dict[str, _Kind] = {
    "paths": _Reader.patterns,
    "ignore": _Reader.names,
    "rules": _Reader.severities,
    "profile": _choice(PROFILES),
    "document": _Reader.text_value,
    "reason": _Reader.text_value,
}


def _joined(at: Path) -> str:
    said = ""
    for step in at:
        said += f"[{step}]" if isinstance(step, int) else f"{'.' if said else ''}{step}"
    return said


def _either(names: tuple[str, ...]) -> str:
    quoted = [f"`{name}`" for name in names]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _near(value: object, allowed: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(value.lower(), allowed, n=1, cutoff=0.6) if isinstance(value, str) else []
    return f"Did you mean `{near[0]}`?" if near else ""


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str):
        return f'"{value}"' if value.strip() else "an empty one"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, list):
        return "a list of other things" if value else "an empty list"
    return "a table" if isinstance(value, Mapping) else "something else"


def _said(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else _kind(value)


_HEADER = re.compile(r"^[ \t]*\[(\[?)[ \t]*([^\]\r\n#]+?)[ \t]*\]\]?[ \t]*(?:#.*)?\r?$")
_KEY_PART = re.compile(r"[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([A-Za-z0-9_-]+))[ \t]*(\.?)")


def _key_parts(said: str, at: int = 0) -> tuple[tuple[str, ...], int]:
    """The parts of a dotted key at an offset, and where it ends."""
    parts = []
    while found := _KEY_PART.match(said, at):
        parts.append(next(part for part in found.groups()[:3] if part is not None))
        at = found.end()
        if not found[4]:
            break
    return tuple(parts), at


def toml_place(text: str, path: Path) -> tuple[int, int]:
    """The line and column of a key of a TOML text, or of the nearest thing around it; (0, 0) where nothing is found."""
    names = tuple(step for step in path if isinstance(step, str))
    wanted_table = next((step for step in path if isinstance(step, int)), None)
    table: tuple[str, ...] = ()
    best, best_place = -1, (0, 0)
    seen_tables: dict[tuple[str, ...], int] = {}
    in_right_one = True
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        if header:
            table, _ = _key_parts(header[2])
            seen_tables[table] = seen_tables.get(table, -1) + 1
            array_name = names[: path.index(wanted_table)] if wanted_table is not None else None
            in_right_one = not header[1] or table != array_name or seen_tables[table] == wanted_table
            parts, column = table, header.start(2) + 1
        else:
            own, end = _key_parts(line)
            if not own or not line[end:].lstrip().startswith("="):
                continue
            parts, column = (*table, *own), len(line) - len(line.lstrip()) + 1
        if not in_right_one or parts != names[: len(parts)] or len(parts) <= best:
            continue
        best, best_place = len(parts), (number, column)
        last = path[-1] if path else ""
        if len(parts) == len(names) - 1 and isinstance(last, str) and not header:
            # `rules = { name = "off" }`: the member stands behind the key.
            inside = re.search(rf"[\"']?{re.escape(last)}[\"']?[ \t]*=", line[column:])
            if inside:
                return number, column + inside.start() + 1
    if best == len(names) and path and isinstance(path[-1], int) and wanted_table == path[-1]:
        return _element_place(text, best_place, path[-1])
    return best_place


def _element_place(text: str, key: tuple[int, int], index: int) -> tuple[int, int]:
    """The place of the quoted element of the list that a key introduces."""
    lines = text.split("\n")
    left = index
    for number in range(key[0] - 1, len(lines)):
        start = key[1] - 1 if number == key[0] - 1 else 0
        said = lines[number]
        at = said.find("=", start) + 1 if number == key[0] - 1 else 0
        for found in re.finditer(r"#.*|\"(?:[^\"\\]|\\.)*\"|'[^']*'|\]", said[at:]):
            if found[0].startswith("#"):
                break
            if found[0] == "]":
                return key
            if left == 0:
                return number + 1, at + found.start() + 1
            left -= 1
    return key
