"""JSON pointers in URI fragment form, with the file before the `#` in a document of several files."""

from __future__ import annotations

from urllib.parse import unquote


def escape(name: str) -> str:
    """A member's name as one token of a pointer."""
    if "~" in name or "/" in name:
        return name.replace("~", "~0").replace("/", "~1")
    return name


def unescape(token: str) -> str:
    if "~" in token:
        return token.replace("~1", "/").replace("~0", "~")
    return token


def join(pointer: str, *names: str | int) -> str:
    """The pointer of a member or element: `join("#/paths", "/a", 0)` is `#/paths/~1a/0`."""
    for name in names:
        pointer = f"{pointer}/{escape(name) if isinstance(name, str) else name}"
    return pointer


def split(pointer: str) -> tuple[str, tuple[str, ...]]:
    """The file (empty for the root document) and the names of a pointer."""
    file, _, fragment = pointer.partition("#")
    if not fragment.startswith("/"):
        return file, ()
    return file, tuple(unescape(token) for token in fragment[1:].split("/"))


def names_of_fragment(fragment: str) -> tuple[str, ...]:
    """The names of a `$ref`'s fragment, which may be percent-encoded (`/paths/~1a~1%7Bid%7D`)."""
    if not fragment.startswith("/"):
        return ()
    return tuple(unescape(unquote(token)) for token in fragment[1:].split("/"))
