"""Skill files on disk: finding them, reading them, writing them whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.errors import SkillError
from wizard.skill.form import form_of

if TYPE_CHECKING:
    from wizard.source import Source

MAX_BYTES = 8_000_000
_HEAD = 65_536
_OPERATION = re.compile(rb"^operation[ \t]*:", re.MULTILINE)
_FENCE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*---[ \t]*\r?[\n\r]")
_CLOSE = re.compile(rb"(?:^|[\n\r])(?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z)")
PASSED_OVER = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"})
"""Folders of version control and of installed packages."""


def find_skills(paths: Iterable[Path], *, ignored: Callable[[Path, bool], bool] | None = None) -> tuple[Path, ...]:
    """The skill files at and under `paths`, each once, in a fixed order.

    A file that is named is taken whatever it is. In folders it is every `SKILL.md`, and every Markdown file with an
    `operation:` in its frontmatter. `ignored(path, is_folder)` leaves out what a `.gitignore` says; folders of version
    control and of installed packages are never entered. Raises SkillError for a path that does not exist.
    """
    asked = None if ignored is None else lambda path, is_folder: ignored(Path(path), is_folder)
    return tuple(map(Path, skill_paths(map(str, paths), ignored=asked)))


def skill_paths(
    paths: Iterable[str],
    *,
    ignored: Callable[[str, bool], bool] | None = None,
    closed: Callable[[str], None] | None = None,
) -> tuple[str, ...]:
    """The same with paths as texts, which makes a difference of half of the time over a thousand folders.

    `closed` is told of each folder that cannot be read, and the search goes on; without it that raises SkillError.
    """
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            found.update(dict.fromkeys(_walk(path, ignored, closed)))
        elif os.path.exists(path):
            found[path] = None
        else:
            raise SkillError("there is no such file or folder", place=path)
    return tuple(found)


def _walk(
    folder: str, ignored: Callable[[str, bool], bool] | None, closed: Callable[[str], None] | None
) -> Iterator[str]:
    try:
        with os.scandir(folder) as reading:
            entries = sorted(reading, key=_name)
    except PermissionError as error:
        if closed is None:
            raise SkillError("this folder cannot be read", place=folder) from error
        closed(folder)
        return
    for entry in entries:
        name, path = entry.name, entry.path
        # A link to a folder may lead round in a circle; what it points to is found where it lies.
        if entry.is_dir(follow_symlinks=False):
            if name not in PASSED_OVER and not (ignored and ignored(path, True)):
                yield from _walk(path, ignored, closed)
        elif name.lower().endswith(".md") and entry.is_file():
            if ignored and ignored(path, False):
                continue
            if form_of(name) == "skill" or _declares(path):
                yield path


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _declares(path: str) -> bool:
    """Whether a Markdown file has `operation:` in its frontmatter; a look at its head, without parsing it."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return declares_operation(head)


def declares_operation(head: bytes) -> bool:
    """Whether a text begins with a frontmatter that has `operation:`; a look, without parsing it."""
    opening = _FENCE.match(head)
    if opening is None:
        return False
    closing = _CLOSE.search(head, opening.end() - 1)
    end = closing.start() + 1 if closing else len(head)
    return _OPERATION.search(head, opening.end(), end) is not None


def read_text(path: Path) -> Source:
    """The text of a file, byte for byte: line ends and a byte order mark stay. Raises SkillError."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise SkillError(f"the file has {size:,} bytes; a skill has at most {MAX_BYTES:,}", place=str(path))
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise SkillError("there is no such file", place=str(path)) from error
    except IsADirectoryError as error:
        raise SkillError("this is a folder, not a file", place=str(path)) from error
    except PermissionError as error:
        raise SkillError("the file cannot be read", place=str(path), remedy="Look at its permissions") from error
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Source:
    """Bytes as UTF-8 text. Raises SkillError that names the first byte that is none."""
    from wizard.source import Source

    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SkillError("the file is UTF-16", place=name, remedy="Save it as UTF-8") from error
        if b"\x00" in data[:1024]:
            raise SkillError("this is no text file", place=name) from error
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise SkillError(
            f"byte 0x{data[error.start]:02x} is not UTF-8", place=f"{name}:{line}:{column}", remedy="Save it as UTF-8"
        ) from error


def write_text_atomic(path: Path, text: str) -> None:
    """Writes a whole file or leaves the old one as it was. Line ends go out as they stand in `text`.

    Missing folders are made. A file that exists keeps its permissions; through a link the file it points to is
    written. Raises SkillError.
    """
    write_texts_atomic([(path, text)])


def write_texts_atomic(texts: Sequence[tuple[Path, str]], laid: Callable[[int], None] = lambda count: None) -> None:
    """Writes several whole files, or leaves all as they were: each is laid beside its place first, and then all take
    their places, in the order of `texts`.

    `laid` is called when so many are laid beside; what it raises stops it, and leaves nothing. Raises SkillError.
    """
    beside: list[tuple[str, Path]] = []
    before: list[tuple[Path, bytes | None]] = []
    made: list[Path] = []
    path = Path()
    try:
        for count, (path, text) in enumerate(texts, 1):
            target = Path(os.path.realpath(path))
            made += _folders(target.parent)
            beside.append((_laid_beside(target, text), target))
            laid(count)
        for temporary, target in beside:
            path = target
            old = target.read_bytes() if target.exists() and len(texts) > 1 else None
            os.replace(temporary, target)
            before.append((target, old))
    except BaseException as error:
        _taken_back(beside, before, made)
        if isinstance(error, UnicodeEncodeError):
            raise SkillError("the text holds half a character (a lone surrogate)", place=str(path)) from error
        if isinstance(error, OSError):
            raise SkillError(f"cannot be written: {error.strerror or error}", place=str(path)) from error
        raise


def _folders(folder: Path) -> list[Path]:
    """Makes a folder and those above it; gives those that were not there, the outermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _laid_beside(target: Path, text: str) -> str:
    """Writes a text into a file in the target's folder, with the target's permissions, and gives its name."""
    import tempfile

    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _default_mode() if mode is None else mode)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary


def _taken_back(
    beside: Iterable[tuple[str, Path]], before: Sequence[tuple[Path, bytes | None]], made: Sequence[Path]
) -> None:
    """Takes away what was laid beside, gives back what had taken its place already, and takes away new folders."""
    for target, old in reversed(before):
        with suppress(OSError):
            if old is None:
                target.unlink()
            else:
                target.write_bytes(old)
    for temporary, _ in beside:
        with suppress(OSError):
            os.unlink(temporary)
    for folder in reversed(made):
        with suppress(OSError):
            folder.rmdir()


def _default_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
