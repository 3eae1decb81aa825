"""OpenAPI Overlay 1.0 and 1.1: actions that update, copy or remove what a JSONPath selects.

The document itself is left as it was: what an action changes is copied on the way to it. In updates mappings are
merged, lists get longer, and everything else is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wizard.errors import DocumentError, LimitError
from wizard.spec.limits import MAX_DEPTH, MAX_OVERLAID
from wizard.spec.pointer import join
from wizard.spec.shapes import text
from wizard.spec.text import check_depth

Names = tuple[str, ...]
_GONE = "what it selects is no mapping that can be merged, or the action itself took it away"


@dataclass(slots=True)
class Overlaid:
    """A document after an overlay."""

    root: dict[str, Any]
    added: dict[Names, Names] = field(default_factory=dict)
    """The names that lead to a value which the overlay brought, and those that lead to it in the overlay."""


def apply_overlay(root: Mapping[str, Any], overlay: Any, place: str, say: Callable[[str, str], None]) -> Overlaid:
    """Applies the actions of an overlay in their order.

    What cannot be applied is told to `say` with its pointer in the overlay (from `#`), and passed over. `place` is
    the overlay's name, for errors. Raises DocumentError where it is no overlay, LimitError where it makes too much.
    """
    actions = overlay.get("actions") if isinstance(overlay, dict) else None
    if not isinstance(overlay, dict) or "overlay" not in overlay or not isinstance(actions, list):
        raise DocumentError(
            "this is no OpenAPI Overlay", place=place, remedy="An overlay is a mapping with `overlay` and `actions`."
        )
    version = text(overlay["overlay"])
    if not version.startswith("1."):
        say(f"version `{version}` of overlays is not known; it is applied as 1.1", "#/overlay")
    editor = _Editor(dict(root), place)
    for index, action in enumerate(actions):
        at = join("#/actions", index)
        if not isinstance(action, dict):
            say("an action is a mapping of `target` and what to do with it", at)
            continue
        targets = _select(action.get("target"), editor.root, say, join(at, "target"))
        if targets is None:
            continue
        if not targets:
            say(f"`{action['target']}` selects nothing", join(at, "target"))
        elif action.get("remove") is True:
            _remove(editor, targets, say, at)
        elif "update" in action:
            for names in targets:
                if not editor.merge(names, action["update"], ("actions", str(index), "update")):
                    say(_GONE, join(at, "update"))
        elif "copy" in action:
            _copy(editor, targets, action["copy"], say, join(at, "copy"))
        else:
            say("the action says neither `update` nor `remove`", at)
    return Overlaid(editor.root, editor.added)


def _remove(editor: _Editor, targets: list[Names], say: Callable[[str, str], None], at: str) -> None:
    if () in targets:
        say("the whole document cannot be removed", join(at, "target"))
        return
    # The last elements first, so that the places of the others stay what they were.
    for names in sorted(set(targets), key=_in_order, reverse=True):
        editor.remove(names)


def _copy(
    editor: _Editor, targets: list[Names], source: Any, say: Callable[[str, str], None], at: str
) -> None:  # fmt: skip
    sources = _select(source, editor.root, say, at)
    if sources is None:
        return
    if len(sources) != 1:
        say(f"`{source}` selects {'nothing' if not sources else 'more than one value'}; a copy needs one", at)
        return
    value = editor.snapshot(sources[0])
    check_depth(value, editor.place)
    for names in targets:
        if not editor.merge(names, value, None):
            say(_GONE, at)


def _in_order(names: Names) -> tuple[tuple[int, str], ...]:
    return tuple((int(name), "") if name.isdecimal() and len(name) < 10 else (-1, name) for name in names)


def _select(path: Any, root: dict[str, Any], say: Callable[[str, str], None], at: str) -> list[Names] | None:
    """What a JSONPath selects; None, and a problem, where it is none."""
    from jsonpath import JSONPathEnvironment
    from jsonpath.exceptions import JSONPathError

    if not isinstance(path, str):
        say("a JSONPath is a text that begins with `$`", at)
        return None
    environment = JSONPathEnvironment(strict=True)
    environment.max_recursion_depth = 2 * MAX_DEPTH
    # A regular expression of somebody else's can run for ever.
    for name in ("match", "search"):
        environment.function_extensions.pop(name, None)
    try:
        return [tuple(str(part) for part in found.parts) for found in environment.finditer(path, root)]
    except (JSONPathError, RecursionError) as error:
        first = str(error).partition("\n")[0]
        say(f"`{path}` is no JSONPath that can be used ({first})", at)
        return None


def _key(holder: Any, name: str) -> Any:
    """A name as the key of a mapping, or the index of a list; None where it has none."""
    if isinstance(holder, dict):
        return name if name in holder else None
    return int(name) if name.isdecimal() and int(name) < len(holder) else None


def _values(value: Any, known: dict[int, int]) -> int:
    """How many values there are in one, those that stand in it several times counted each time."""
    if not isinstance(value, dict | list):
        return 1
    if id(value) not in known:
        parts = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_values(part, known) for part in parts)
    return known[id(value)]


class _Editor:
    """A document that is changed by copying what lies on the way to a change."""

    def __init__(self, root: dict[str, Any], place: str) -> None:
        self.root = root
        self.added: dict[Names, Names] = {}
        self.place = place
        self._own: dict[int, Any] = {id(root): root}
        self._made = 0

    def value(self, names: Names) -> Any:
        value: Any = self.root
        for name in names:
            value = value[int(name)] if isinstance(value, list) else value[name]
        return value

    def snapshot(self, names: Names) -> Any:
        """The value at `names`, which no later change touches."""
        value = self.value(names)
        self.root = dict(self.root)
        self._own = {id(self.root): self.root}
        return value

    def merge(self, names: Names, update: Any, source: Names | None) -> bool:
        """Merges a value into the one at `names`. False where there is none any more."""
        self._count(_values(update, {}))
        if not names:
            if isinstance(update, dict):
                self._merge_mapping(self.root, update, (), source)
            return isinstance(update, dict)
        holder, key = self._holder(names)
        if holder is None:
            return False
        self._put(holder, key, update, names, source, 0)
        return True

    def remove(self, names: Names) -> bool:
        """Removes the value at `names`. False where there is none any more."""
        holder, key = self._holder(names)
        if holder is not None:
            del holder[key]
        return holder is not None

    def _holder(self, names: Names) -> tuple[Any, Any]:
        """The collection that holds the value at `names`, ours to change, and its key there; None where none does."""
        holder: Any = self.root
        for name in names[:-1]:
            key = _key(holder, name)
            if key is None or not isinstance(holder[key], dict | list):
                return None, None
            holder = self._owned(holder, key)
        key = _key(holder, names[-1])
        return (None, None) if key is None else (holder, key)

    def _owned(self, holder: Any, key: Any) -> Any:
        """The collection at `key`, copied unless it is a copy already."""
        value = holder[key]
        if id(value) not in self._own:
            value = dict(value) if isinstance(value, dict) else list(value)
            self._own[id(value)] = value
            holder[key] = value
            self._count(len(value))
        return value

    def _put(self, holder: Any, key: Any, update: Any, names: Names, source: Names | None, depth: int) -> None:
        known = holder[key]
        if isinstance(known, dict) and isinstance(update, dict) and depth <= MAX_DEPTH:
            self._merge_mapping(self._owned(holder, key), update, names, source, depth)
        elif isinstance(known, list):
            into = self._owned(holder, key)
            listed = list(update) if isinstance(update, list) else [update]
            for index, element in enumerate(listed):
                inner = (*source, str(index)) if source is not None and isinstance(update, list) else source
                self._note((*names, str(len(into))), inner)
                into.append(element)
        else:
            holder[key] = update
            self._note(names, source)

    def _merge_mapping(
        self, into: dict[str, Any], update: dict[str, Any], names: Names, source: Names | None, depth: int = 0
    ) -> None:
        for name, value in update.items():
            inner = None if source is None else (*source, name)
            if name in into:
                self._put(into, name, value, (*names, name), inner, depth + 1)
            else:
                into[name] = value
                self._note((*names, name), inner)

    def _note(self, names: Names, source: Names | None) -> None:
        if source is not None:
            self.added[names] = source

    def _count(self, made: int) -> None:
        self._made += made
        if self._made > MAX_OVERLAID:
            raise LimitError(
                f"it brings more than {MAX_OVERLAID:,} values", place=self.place, remedy="Is a target too wide?"
            )
