"""Where the values of a YAML text stand: one more pass over its events, kept as flat arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import yaml

from wizard.spec.yaml_reader import NO_YAML_CHARACTER, events

_ELEMENT = None


class YamlPlaces:
    """The nodes of a text in their order: where each begins, its key, and where the next one beside it is."""

    def __init__(self, text: str) -> None:
        self._starts = array("L")
        self._key_starts = array("L")
        self._after = array("L")
        """The number of the node behind this one and all that is in it."""
        self._keys: list[str | None] = []
        self._target: dict[int, int] = {}
        """Of an alias, the node that it stands for."""
        self._read(NO_YAML_CHARACTER.sub("\ufffd", text))

    def offsets(self, names: tuple[str, ...]) -> tuple[int | None, int]:
        """The offsets of a value's key (None for an element) and of the value, or of the nearest that holds it."""
        if not self._starts:
            return None, 0
        node = 0
        for name in names:
            found = self._member(node, name, 0)
            if found is None:
                break
            node = found
        return (None if self._keys[node] is None else self._key_starts[node]), self._starts[node]

    def _member(self, node: int, name: str, merges: int) -> int | None:
        node = self._target.get(node, node)
        found = None
        merged = []
        for index, child in enumerate(self._children(node)):
            key = self._keys[child]
            if key is None:
                if name == str(index):
                    return child
            elif key == name:
                found = child
            elif key == "<<":
                merged.append(child)
        if found is not None or merges > 20:
            return found
        for child in merged:
            inner = self._target.get(child, child)
            for one in (inner, *(kid for kid in self._children(inner) if self._keys[kid] is None)):
                found = self._member(one, name, merges + 1)
                if found is not None:
                    return found
        return None

    def _children(self, node: int) -> Iterator[int]:
        child, end = node + 1, self._after[node]
        while child < end:
            yield child
            child = self._after[child]

    def _read(self, text: str) -> None:
        following = events(text)
        anchors: dict[str, int] = {}
        open_: list[tuple[int, bool]] = []
        mapping, key, key_start, in_key = False, None, 0, 0
        known: dict[str, str] = {}
        while True:
            event = following()
            kind = event.__class__
            if kind is yaml.StreamEndEvent:
                return
            if kind is yaml.DocumentEndEvent:
                return
            if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                if in_key:
                    in_key -= 1
                    if not in_key:
                        key, key_start = "", 0
                    continue
                node, mapping = open_.pop()
                self._after[node] = len(self._starts)
                key = None
                continue
            if in_key:
                in_key += kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent
                continue
            if mapping and key is None and kind in _NODES:
                key_start = event.start_mark.index
                if kind is yaml.ScalarEvent:
                    key = known.setdefault(event.value, event.value)
                elif kind is yaml.AliasEvent:
                    key = ""
                else:
                    in_key = 1
                continue
            if kind not in _NODES:
                continue
            node = len(self._starts)
            self._starts.append(event.start_mark.index)
            self._key_starts.append(key_start)
            self._keys.append(key)
            self._after.append(node + 1)
            key = None
            if kind is yaml.AliasEvent:
                if event.anchor in anchors:
                    self._target[node] = anchors[event.anchor]
                continue
            if event.anchor:
                anchors[event.anchor] = node
            if kind is not yaml.ScalarEvent:
                open_.append((node, mapping))
                mapping = kind is yaml.MappingStartEvent


_NODES = frozenset({yaml.ScalarEvent, yaml.AliasEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent})
