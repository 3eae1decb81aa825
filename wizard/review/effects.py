"""What a change of a declaration does to records, to repeats and to money (FORMAT 3, HOST 1), worked out with the
host's own functions and said in sentences that the kinds share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from wizard.operation.field_path import FieldPath
from wizard.operation.model import Cursor, KeyPlace, Operation, Probe
from wizard.operation.printing import print_key, print_probe
from wizard.review.kind import Declared


def quoted(names: Iterable[str]) -> str:
    """`` `a`, `b` and `c` ``."""
    parts = [f"`{name}`" for name in names]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def shown(value: Any) -> str:
    """A declared value in one line, as YAML's flow style has it where names are plain."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{', '.join(shown(one) for one in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {shown(one)}" for name, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def key_shown(operation: Operation) -> str:
    return "" if operation.key is None else shown(print_key(operation.key))


def key_pointer(side: Declared, key: KeyPlace) -> str | None:
    """Where the document shows a key's place; None where it does not."""
    if key.place == "field":
        field = side.fields.get(key.path.name)
        return field.pointer if field is not None else None
    given = side.parameter(key.place, key.name)
    return given.pointer if given is not None else None


def key_required(side: Declared, key: KeyPlace) -> bool:
    """Whether the document requires something in a key's place."""
    if key.place == "field":
        field = side.fields.get(key.path.name)
        return field is not None and field.always
    given = side.parameter(key.place, key.name)
    return given is not None and given.required


def probe_shown(probe: Probe | None) -> str:
    return "" if probe is None else shown(print_probe(probe))


def pages_shown(pages: str | Cursor | None) -> str:
    if isinstance(pages, Cursor):
        return shown({"at": pages.at, "as": f"query:{pages.parameter}"})
    return pages or ""


def names_of(paths: Iterable[FieldPath]) -> list[str]:
    return [path.name for path in paths]


def paths_shown(paths: Sequence[FieldPath]) -> str:
    return shown([str(path) for path in paths]) if paths else ""


# Money


def amount(operation: Operation) -> str:
    """`the amount in amount_pence`; empty where no money is declared."""
    return f"the amount in `{operation.money.amount}`" if operation.money is not None else ""


def moved_twice(*operations: Operation) -> str:
    """A sentence, with a space before it, on the money that a second write moves; empty where it moves none."""
    found = next((amount(one) for one in operations if one.money is not None), "")
    return f" {found[:1].upper()}{found[1:]} can then be moved twice." if found else ""


def not_moved(*operations: Operation) -> str:
    """The same of a write that is taken for another."""
    found = next((amount(one) for one in operations if one.money is not None), "")
    return f" The caller is told that it was done, and {found} of the second is not moved." if found else ""


# Records


def carried(missing: Sequence[str], maybe: Sequence[str] = (), *, one: bool = False) -> str:
    """What becomes of live records (attempted ones, and completed ones that still answer) when the address is made of
    other things. `missing` are fields that no stored request has, `maybe` those that not each has; with `one`, two
    records may come to be the same write."""
    if missing:
        return (
            f"No stored request has {quoted(missing)}, so no live record can be carried over: each holds the operation "
            "until somebody settles or releases it"
        )
    held = []
    if maybe:
        held.append(f"one whose stored request lacks {quoted(maybe)}")
    if one:
        held.append("two that become the same write")
    if not held:
        return "Live records are carried over: they answer repeats under the new declaration as they did"
    verb = "hold" if one else "holds"
    return (
        f"Live records are carried over from their stored requests, but {' or '.join(held)} {verb} the operation until "
        "somebody settles or releases them"
    )


def in_stored(before: Declared, path: FieldPath) -> str:
    """Whether the requests that were stored under the older declaration have a field: `always`, `maybe` or `never`."""
    plain = path.required()
    for named in before.operation.identity:
        if named.required().covers(plain) and not named.optional and named.required() == plain:
            return "always"
    if plain.place == "body":
        if not any(one.required().covers(plain) or plain.covers(one.required()) for one in before.operation.body):
            held = any(one.required().covers(plain) for one in before.operation.identity)
            return "maybe" if held else "never"
        field = before.fields.get(plain.name)
        return "always" if field is not None and field.always else "maybe"
    listed = before.operation.query if plain.place == "query" else before.operation.header
    name = plain.segments[0].name
    if not any(one == name or (plain.place == "header" and one.lower() == name.lower()) for one in listed):
        return "never"
    shown_there = before.parameter(plain.place, name)
    return "always" if shown_there is not None and shown_there.required else "maybe"


def record_of_new_fields(before: Declared, added: Sequence[FieldPath], *, one: bool = False) -> str:
    """What becomes of live records when fields come into the identity."""
    needed = [path for path in added if not path.optional]
    missing = [path.name for path in needed if in_stored(before, path) == "never"]
    maybe = [path.name for path in needed if in_stored(before, path) == "maybe"]
    return carried(missing, maybe, one=one)


def unsettled(operation: Operation) -> str:
    """What is left for an attempted record that cannot be sent again: `the probe is asked`, or a person."""
    return "the probe is asked, and then a person" if operation.probe is not None else "a person has to settle them"
