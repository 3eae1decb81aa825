"""One operation as lines: its fields, its key, its reference, its probe, and what could go wrong.

A line's key says what it stands for: `field:room_id`, `key:0`, `key:none`, `key:add`, `reference`, `probe`,
`failed`, `keep`, `evidence:3`.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from wizard.session.advice import could_go_wrong
from wizard.session.choices import (
    KeyChoice,
    absence,
    evidence_of,
    failed_of,
    key_choices,
    probe_of,
    reference_of,
)
from wizard.session.drift import what_changed
from wizard.session.fields import FieldRow, field_rows
from wizard.session.state import Entry, Session
from wizard.tui.lines import Line, Piece, column, heading, wrapped
from wizard.tui.look import BOX_WORDS, BOXES, CONFIDENCE, SIGNS

SCOPES = (
    ("call", "by the call", "covers a replay of the same call only"),
    ("arguments", "by all arguments", "an equal call of the same session is a repeat"),
)
"""What a record stands for where no field is the identity."""


def title_pieces(entry: Entry, width: int) -> tuple[Piece, ...]:
    """The first line: mark, name, level, confidence."""
    sign, look = SIGNS[entry.mark]
    sure, sure_look = CONFIDENCE.get(entry.confidence or "", ("", ""))
    end: list[Piece] = [(f"{sign} {entry.mark}", look)]
    if entry.level:
        end += [("  ", ""), (entry.level, "good" if entry.level == "keyed" else "")]
    if sure:
        end += [("  ", ""), (f"{sure} confidence", sure_look)]
    elif entry.edited and entry.is_write:
        end += [("  ", ""), ("edited by you", "accent")]
    used = sum(len(text) for text, _ in end) + 2
    name = column(entry.name, max(min(len(entry.name), width - used), 8))
    return ((f" {name}  ", "strong"), *end)


def sheet_lines(entry: Entry, session: Session, width: int) -> list[Line]:
    """All that is to be decided about an operation."""
    if entry.proposal is None:
        return [Line(), Line.of("The proposal is on its way; it comes by itself.", "muted")]
    if entry.declaration is None:
        return [Line(), *(Line.of(text, "bad") for text in wrapped(entry.problem or "It cannot be declared.", width))]
    lines: list[Line] = []
    for text in what_changed(entry, session.document):
        lines += _marked("!", text, width, "bad")
    if lines:
        lines = [heading("THE DOCUMENT CHANGED", [("  since the skill was written", "muted")]), *lines, Line()]
    if not entry.is_write:
        lines.append(heading("NO WRITE", [("  nothing is recorded of it", "muted")]))
        lines += [Line.of(text) for text in wrapped(entry.proposal.why, width)]
        lines += [Line(), Line.of("If it changes something after all, press x.", "muted"), Line()]
        return [*lines, *_evidence(entry, width)]
    if entry.harmless:
        lines.append(heading("REPEATABLE", [("  it only replaces: nothing is recorded of it", "muted")]))
        said = "Sent twice it leaves what one leaves, so it needs no identity and no key. Confirm it as it is."
        lines += [Line.of(text) for text in wrapped(said, width)]
        said = "Where each time counts, press x: then it is recorded like any other write."
        lines += [Line(), *(Line.of(text, "muted") for text in wrapped(said, width)), Line()]
        return [*lines, *_evidence(entry, width)]
    lines += _fields(entry, width)
    lines += [Line(), *_keys(entry, width)]
    lines += [Line(), *_reference(entry, width)]
    lines += [Line(), *_probe(entry, width)]
    lines += [Line(), *_failed(entry, width)]
    lines += [Line(), *_keep(entry)]
    wrong = could_go_wrong(entry)
    if wrong:
        lines += [Line(), heading("WHAT COULD GO WRONG")]
        for text in wrong:
            lines += _marked("!", text, width, "warn")
    return [*lines, Line(), *_evidence(entry, width)]


def _marked(sign: str, text: str, width: int, look: str) -> list[Line]:
    return [
        Line(((f"{sign} " if not index else "  ", look), (part, "")))
        for index, part in enumerate(wrapped(text, max(width - 3, 10)))
    ]


def _fields(entry: Entry, width: int) -> Iterator[Line]:
    operation = entry.declaration
    assert operation is not None
    said = "which fields tell two of them apart"
    yield heading("IDENTITY", [(f"  {said}; space puts one in or out", "muted")])
    if not operation.identity:
        for scope, label, about in SCOPES:
            on = (operation.scope or "call") == scope
            sign = "(•)" if on else "( )"
            yield Line(
                ((f"{sign} ", "accent strong" if on else "muted"), (f"no field: {label}", "strong" if on else ""),
                 (f"  {about}", "muted")),
                f"scope:{scope}",
            )  # fmt: skip
    rows = field_rows(entry)
    name_width = min(max([len(_named(row)) for row in rows] + [8]) + 1, max(width // 3, 14))
    rest = max(width - 4 - name_width - 13 - 5, 8)
    meaning = rest - 29 if rest >= 44 else 0
    header = f"    {column('field', name_width)}{column('type', 13)}{column('need', 5)}"
    header += (column("what it means", meaning - 1) + " " if meaning else "") + column(
        "why in, or why not", rest - meaning
    )
    yield Line.of(header, "muted")
    for row in rows:
        yield _field(row, name_width, meaning, rest)
    if not rows:
        yield Line.of("    The document shows no fields. a adds one by its name.", "muted")


def _named(row: FieldRow) -> str:
    """A field's name, set in as deep as it lies."""
    return "  " * (row.depth if "." in row.path or "[]" in row.path else 0) + row.path


def _field(row: FieldRow, name_width: int, meaning: int, rest: int) -> Line:
    chosen = row.part.value.startswith("identity")
    need = "r/o" if row.read_only else ("req" if row.required else "opt")
    if row.branch:
        need += "*"
    pieces: list[Piece] = [
        (f"{BOXES[row.part]} ", "accent strong" if chosen else "muted"),
        (column(_named(row), name_width - 1) + " ", "strong" if chosen else ""),
        (column(row.kind, 13), "muted"),
        (column(need, 5), "" if row.required else "muted"),
    ]
    if meaning:
        pieces.append((column(" ".join(row.meaning.split()), meaning - 1) + " ", "muted"))
    pieces.append((column(row.why, rest - meaning), "" if chosen else "muted"))
    return Line(tuple(pieces), f"field:{row.path}")


def _keys(entry: Entry, width: int) -> Iterator[Line]:
    yield heading("KEY", [("  where the recipient takes an idempotency key; space chooses", "muted")])
    choices = key_choices(entry)
    for index, choice in enumerate(choices):
        yield _key(choice, index, width)
    none = entry.declaration is not None and entry.declaration.key is None
    said = "none" if choices else "none is known"
    yield Line(
        ((f"{'(•)' if none else '( )'} ", "accent strong" if none else "muted"), (said, "strong" if none else "")),
        "key:none",
    )
    yield Line((("  + ", "muted"), ("a key that only the vendor's page knows (k)", "muted")), "key:add")


def _key(choice: KeyChoice, index: int, width: int) -> Line:
    key = choice.key
    memory = f"remembered {key.remembered_for}" if key.remembered_for else "memory not declared"
    origin = choice.origin if choice.origin != "you" else "named by you"
    if choice.source:
        origin += f": {choice.source}"
    head = f"{key.place} {key.name}"
    name = column(head, max(min(len(head) + 2, width // 2), 24))
    return Line(
        (
            (f"{'(•)' if choice.chosen else '( )'} ", "accent strong" if choice.chosen else "muted"),
            (name, "strong" if choice.chosen else ""),
            (f"{key.shape}, {memory}  ", "muted"),
            (origin, "warn" if choice.origin == "known, not declared" else "muted"),
        ),
        f"key:{index}",
    )


def _reference(entry: Entry, width: int) -> Iterator[Line]:
    yield heading("REFERENCE", [("  a field that is stored and given back, and not deduped on", "muted")])
    found = reference_of(entry)
    operation = entry.declaration
    assert operation is not None
    if found is None:
        yield Line((("    none; enter names one", "muted"),), "reference")
        return
    chosen = operation.reference is not None
    filled = (
        "the host fills it" if operation.host_fills_reference or not chosen else "the model fills it: it is identity"
    )
    yield Line(
        (
            (f"{'[x]' if chosen else '[ ]'} ", "accent strong" if chosen else "muted"),
            (column(f"field {found.name}", 30), "strong" if chosen else ""),
            (filled, "muted"),
        ),
        "reference",
    )


def _probe(entry: Entry, width: int) -> Iterator[Line]:
    yield heading("PROBE", [("  how to ask whether it is there; enter changes it", "muted")])
    found = probe_of(entry)
    if found is None:
        yield Line((("    none: after a lost answer a person is asked; enter makes one", "muted"),), "probe")
        return
    chosen = entry.declaration is not None and entry.declaration.probe is not None
    address = found.url.partition("://")[2]
    address = address[address.find("/") :] if "/" in address else found.url
    yield Line(
        (
            (f"{'[x]' if chosen else '[ ]'} ", "accent strong" if chosen else "muted"),
            (column(f"GET {address}", max(width - 4, 10)), "strong" if chosen else ""),
        ),
        "probe",
    )
    if found.match:
        pairs = ", ".join(name if name == path else f"{name} with {path}" for name, path in found.match)
        yield Line.of(f"    compares {shorten(pairs, max(width - 14, 20), placeholder=' …')}", "muted")
    for index, text in enumerate(wrapped(f"not there: {absence(found)}", max(width - 6, 10))):
        yield Line.of(f"    {'' if not index else '  '}{text}", "muted")
    proposed = entry.proposal.probe if entry.proposal is not None else None
    for text in proposed.cannot_tell if proposed is not None else ():
        for part in wrapped(f"cannot tell: {text}", max(width - 6, 10)):
            yield Line.of(f"    {part}", "warn")


def _failed(entry: Entry, width: int) -> Iterator[Line]:
    yield heading("REFUSAL", [("  a 2xx that says that it went wrong; enter changes it", "muted")])
    found = failed_of(entry)
    if not found:
        yield Line((("    none: each 2xx is a write that was made; enter names one", "muted"),), "failed")
        return
    chosen = entry.declaration is not None and entry.declaration.failed is not None
    yield Line(
        (
            (f"{'[x]' if chosen else '[ ]'} ", "accent strong" if chosen else "muted"),
            (column(found, max(width - 4, 10)), "strong" if chosen else ""),
        ),
        "failed",
    )


def _keep(entry: Entry) -> Iterator[Line]:
    operation = entry.declaration
    assert operation is not None
    said = "" if operation.keep is not None else "  the default"
    yield heading("KEEP", [("  how long a repeat is answered with the first answer", "muted")])
    yield Line(((f"    {operation.kept_for}", "strong"), (f"{said}; enter changes it", "muted")), "keep")


def _evidence(entry: Entry, width: int) -> Iterator[Line]:
    seen = evidence_of(entry)
    if not seen:
        return
    yield heading("EVIDENCE", [("  enter shows its place in the document", "muted")])
    for index, one in enumerate(seen):
        yield Line((("→ ", "muted"), (column(one.says, max(width - 3, 10)), "")), f"evidence:{index}")


def detail_lines(entry: Entry, key: str, width: int) -> list[Line]:
    """All that is known of the line under the cursor, under the list."""
    kind, _, name = key.partition(":")
    width = max(width - 2, 10)
    if kind == "field":
        row = next((row for row in field_rows(entry) if row.path == name), None)
        if row is None:
            return []
        words = [BOX_WORDS[row.part]]
        words += [row.why] if row.why and row.why != BOX_WORDS[row.part] else []
        words += [f"only in {row.branch}"] if row.branch else []
        head: list[Piece] = [(f" {row.path}", "strong"), (f"  {'; '.join(words)}", "")]
        text = " ".join(row.meaning.split())
        return [Line(tuple(head)), *(Line.of(f" {part}", "muted") for part in wrapped(text, width))]
    said = ""
    if kind == "scope":
        said = "Without a field that tells two apart. A field that is put in takes the place of this."
    elif kind == "key" and name.isdigit():
        choices = key_choices(entry)
        said = choices[int(name)].why if int(name) < len(choices) else ""
    elif kind == "key":
        said = (
            "Without a key the host answers repeats from its own record."
            if name == "none"
            else "The document need not show it: name the place, and the page that promises it."
        )
    elif kind == "probe" and entry.proposal is not None and entry.proposal.probe is not None:
        said = entry.proposal.probe.why
    elif kind == "failed":
        proposed = entry.proposal.failed if entry.proposal is not None else None
        said = "Where it selects something in an answer of success, the write was refused."
        if proposed is not None and proposed.path == failed_of(entry):
            said = f"{said} {proposed.why}".strip()
    elif kind == "keep":
        said = "Within this time an equal write is answered from the record; later it is sent again."
    elif kind == "reference":
        said = "It helps to find the write again. The host fills it unless it is part of the identity."
    elif kind == "evidence" and name.isdigit() and int(name) < len(evidence_of(entry)):
        one = evidence_of(entry)[int(name)]
        said = f"{one.says}\n{one.at}"
    return [Line.of(f" {part}", "muted") for part in wrapped(said, width)] if said else []
