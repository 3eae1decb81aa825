"""The files of one document, and what their `$ref`s lead to.

A `$ref` may lead into the document's own file, and to files in its folder (for a document from a URL: to URLs under
its folder). Everything else is refused unless it was asked for; what is refused or leads nowhere is a problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from wizard.errors import DocumentError, LimitError
from wizard.source import Place
from wizard.spec.fetch import read_regular_file, read_url
from wizard.spec.limits import MAX_BYTES, MAX_FILES, MAX_REF_HOPS
from wizard.spec.model import DocumentProblem
from wizard.spec.overlay import apply_overlay
from wizard.spec.pointer import join, names_of_fragment, split
from wizard.spec.text import ReadText, check_depth, read_text


@dataclass(eq=False)
class DocumentFile:
    """One file of a document."""

    name: str
    """Before the `#` in pointers: empty for the root, else relative to the root's folder, or a URL."""
    location: Path | str | None
    """Its real path or URL; None for a text that has no place, as standard input."""
    text: ReadText

    @property
    def root(self) -> Any:
        return self.text.value

    @cached_property
    def anchors(self) -> dict[str, Node]:
        """What `$anchor` and `$dynamicAnchor` name."""
        found: dict[str, Node] = {}
        stack = [Node(self, f"{self.name}#", self.root)]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node.value) in seen:
                continue
            seen.add(id(node.value))
            if isinstance(node.value, dict):
                for word in ("$anchor", "$dynamicAnchor"):
                    name = node.value.get(word)
                    if isinstance(name, str):
                        found.setdefault(name, node)
                stack += [part for name in node.value if (part := node.get(name)) and _holds(part.value)]
            elif isinstance(node.value, list):
                stack += [Node(self, join(node.pointer, index), part) for index, part in enumerate(node.value)]
        return found


class Node(NamedTuple):
    """A raw value and where it stands."""

    file: DocumentFile
    pointer: str
    value: Any

    def get(self, name: str | int) -> Node | None:
        """The member or element `name`; None where there is none."""
        try:
            value = self.value[name]
        except (KeyError, IndexError, TypeError):
            return None
        return Node(self.file, join(self.pointer, name), value)

    def mapping(self, name: str) -> dict[str, Any]:
        """The member `name` where it is a mapping, else an empty one."""
        value = self.value.get(name) if isinstance(self.value, dict) else None
        return value if isinstance(value, dict) else {}

    @property
    def key(self) -> str:
        """What tells it from other schemas."""
        return self.pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a document may lead to."""

    remote: bool = False
    """Any URL; else only URLs under the folder of a document that came from a URL."""
    outside: bool = False
    """Any file; else only files under the root document's folder."""


class DocumentFiles:
    """All files of a document that were read so far, and the problems found on the way."""

    def __init__(self, root: DocumentFile, access: Access) -> None:
        self.root = root
        self.access = access
        self.problems: list[DocumentProblem] = []
        self._files: dict[Path | str | None, DocumentFile | str] = {root.location: root}
        self._names = {"": root}
        self._bytes = len(root.text.source.text)
        self._found: dict[tuple[str, str], Node | str] = {}
        self._said: set[tuple[str, str]] = set()
        self._overlays: dict[str, DocumentFile] = {}
        self._added: dict[tuple[str, ...], tuple[DocumentFile, tuple[str, ...]]] = {}
        self._say_notes(root)

    @property
    def files(self) -> tuple[DocumentFile, ...]:
        """The root and what was read besides, in that order."""
        return tuple(self._names.values())

    def node(self, pointer: str) -> Node | None:
        """The raw value at a pointer of the document; None where there is none."""
        name, names = split(pointer)
        file = self._names.get(name) or self._overlays.get(name)
        return None if file is None else _walk(file, names)

    def raw(self, pointer: str) -> Any:
        """The raw value at a pointer of the document; None where there is none."""
        node = self.node(pointer)
        return None if node is None else node.value

    def led_to(self, pointer: str, ref: str) -> tuple[str, Any] | None:
        """What a `$ref` that stands at a pointer leads to: its pointer and raw value; None where that is nothing."""
        node = self.node(pointer)
        target = None if node is None else self.target(node, ref)
        return None if target is None else (target.pointer, target.value)

    def say(self, message: str, pointer: str) -> None:
        """Notes a problem, once for each place and message."""
        if (pointer, message) not in self._said:
            self._said.add((pointer, message))
            self.problems.append(DocumentProblem(message, pointer))

    def _say_notes(self, file: DocumentFile) -> None:
        for note in file.text.notes:
            message = note.message
            if not note.names:
                message = f"line {file.text.source.position(note.offset).line}: {message}"
            self.say(message, join(f"{file.name}#", *note.names))

    def follow(self, node: Node) -> Node | None:
        """The node itself, or what its `$ref` leads to in the end; None (and a problem) where that is nothing."""
        for _ in range(MAX_REF_HOPS):
            value = node.value
            ref = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(ref, str):
                return node
            found = self.target(node, ref)
            if found is None:
                return None
            node = found
        self.say("its `$ref`s lead to each other without end", node.pointer)
        return None

    def leads_somewhere(self, file: DocumentFile, ref: str) -> bool:
        """Whether a `$ref` of a file is known to lead to something; False also where nobody followed it yet."""
        return isinstance(self._found.get((file.name, ref)), Node)

    def target(self, node: Node, ref: str) -> Node | None:
        """What one `$ref` that stands in `node` leads to."""
        found = self._found.get((node.file.name, ref))
        if found is None:
            found = self._find(node.file, ref)
            self._found[node.file.name, ref] = found
        if isinstance(found, str):
            self.say(found, join(node.pointer, "$ref"))
            return None
        return found

    def _find(self, file: DocumentFile, ref: str) -> Node | str:
        try:
            address, fragment = urldefrag(ref)
            is_own = not address or (isinstance(file.root, dict) and file.root.get("$self") == address)
            target = file if is_own else self._file(file, address, ref)
        except ValueError:
            return f"`$ref: {ref}` is no reference that can be read"
        if isinstance(target, str):
            return target
        if fragment and not fragment.startswith("/"):
            node = target.anchors.get(unquote(fragment))
        else:
            node = _walk(target, names_of_fragment(fragment))
        return node if node is not None else f"`$ref: {ref}` leads to nothing"

    def _file(self, file: DocumentFile, address: str, ref: str) -> DocumentFile | str:
        location = self._location(file, address, ref)
        if isinstance(location, _Refused):
            return location.why
        found = self._files.get(location)
        if found is None:
            found = self._read(location, ref)
            self._files[location] = found
        return found

    def _location(self, file: DocumentFile, address: str, ref: str) -> Path | str | _Refused:
        scheme = urlsplit(address).scheme.lower()
        if isinstance(file.location, str):
            url = urljoin(file.location, address)
            if urlsplit(url).scheme not in ("http", "https"):
                return _Refused(f"`$ref: {ref}` was not followed: it leads from the web to a file")
            if not (self._base and url.startswith(self._base)) and not self.access.remote:
                return _Refused(f"`$ref: {ref}` was not followed: it leads to a URL outside the document's folder")
            return url
        if scheme in ("http", "https"):
            if not self.access.remote:
                return _Refused(f"`$ref: {ref}` was not followed: it leads to a URL")
            return address
        if scheme == "file":
            path = Path(unquote(urlsplit(address).path))
        elif len(scheme) > 1:
            return _Refused(f"`$ref: {ref}` was not followed: `{scheme}:` is no file and no URL")
        else:
            path = Path(unquote(address))
        if file.location is None:
            return _Refused(f"`$ref: {ref}` was not followed: a document from standard input has no folder")
        try:
            path = (file.location.parent / path).resolve()
        except (OSError, ValueError, RuntimeError):
            return _Refused(f"`$ref: {ref}` leads to nothing")
        if not self.access.outside and not path.is_relative_to(self._folder):
            return _Refused(f"`$ref: {ref}` was not followed: it leads outside the document's folder")
        return path

    @property
    def _folder(self) -> Path:
        location = self.root.location
        return location.parent if isinstance(location, Path) else Path("/nonexistent")

    def _read(self, location: Path | str, ref: str) -> DocumentFile | str:
        if len(self._files) >= MAX_FILES:
            raise LimitError(
                f"it is spread over more than {MAX_FILES:,} files", place=self.root.text.source.name,
                remedy="Bundle the operations you need into one file.",
            )  # fmt: skip
        name = self._name(location)
        shown = self._shown(name)
        most = MAX_BYTES - self._bytes
        try:
            if isinstance(location, Path):
                data = read_regular_file(location, most, shown)
            else:
                data, _ = read_url(location, most, within=None if self.access.remote else self._base)
            self._bytes += len(data)
            file = DocumentFile(name, location, read_text(data, shown))
        except LimitError:
            raise
        except DocumentError as error:
            return f"`$ref: {ref}` leads to a file that cannot be read: {error}"
        except FileNotFoundError:
            return f"`$ref: {ref}` leads to nothing: there is no file `{name}`"
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            return f"`$ref: {ref}` leads to a file that cannot be read ({reason})"
        self._names[name] = file
        self._say_notes(file)
        return file

    @property
    def _base(self) -> str:
        """The folder of a document that came from a URL."""
        return urljoin(self.root.location, ".") if isinstance(self.root.location, str) else ""

    def _name(self, location: Path | str) -> str:
        if isinstance(location, Path):
            if location.is_relative_to(self._folder):
                return location.relative_to(self._folder).as_posix()
            return location.as_posix()
        base = self._base
        return location[len(base) :] if base and location.startswith(base) else location

    def _shown(self, name: str) -> str:
        """What a person calls the file: beside the root document as it was given."""
        given = self.root.text.source.name
        if "://" in name or name.startswith("/") or given == "-":
            return name
        if "://" in given:
            return urljoin(given, name)
        return (Path(given).parent / name).as_posix()

    def overlay(self, file: DocumentFile) -> None:
        """Applies an overlay to the root document. Raises DocumentError, LimitError."""
        self._overlays[file.name] = file
        self._say_notes(file)
        shown = file.text.source.name
        made = apply_overlay(
            self.root.root, file.root, shown, lambda message, at: self.say(f"overlay: {message}", f"{file.name}{at}")
        )
        check_depth(made.root, shown)
        self.root.text.value = made.root
        self._added.update((names, (file, source)) for names, source in made.added.items())

    def locate(self, pointer: str) -> Place:
        """Where a pointer stands; of one that leads to nothing, what would hold it."""
        name, names = split(pointer)
        file = self._names.get(name) or self._overlays.get(name)
        if file is None:
            return Place(name or self.root.text.source.name, pointer)
        if file is self.root and self._added:
            for count in range(len(names), 0, -1):
                if names[:count] in self._added:
                    brought, source = self._added[names[:count]]
                    at = (*source, *names[count:])
                    return Place(brought.text.source.name, join("#", *at), brought.text.position(at))
        return Place(file.text.source.name, "#" + pointer.partition("#")[2], file.text.position(names))


@dataclass(frozen=True, slots=True)
class _Refused:
    why: str


def _holds(value: Any) -> bool:
    return isinstance(value, dict | list)


def _walk(file: DocumentFile, names: tuple[str, ...]) -> Node | None:
    value, pointer = file.root, f"{file.name}#"
    for name in names:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return Node(file, join(pointer, *names), value)
