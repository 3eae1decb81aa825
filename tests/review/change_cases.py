"""The cases of the kinds of changes: two sides made from a file's few lines."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from wizard.review.kind import Declared
from wizard.review.sides import Side
from wizard.review.trees import FolderTree
from wizard.skill.document import parse_skill
from wizard.source import Source
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes

HERE = Path(__file__).parent
CASES = HERE / "cases"


class Case(NamedTuple):
    """One case of a kind."""

    kind: str
    says: str
    before: Any
    """Patches of the base: `operation`, `document`, `name`, `prose`; and of parts of the document: `post` and `get`,
    `body` (the schema of the POST's request), `answer` (of the GET's answer). None is a side without the skill,
    `document: null` one without a document."""
    after: Any
    expect: list[dict[str, Any]]
    """The changes of the kind, in their order: members of a Change, and `effect`s to be found in it."""
    also: list[str]
    """The other kinds that speak."""


@cache
def base() -> Any:
    return yaml.safe_load((HERE / "base.yml").read_text(encoding="utf-8"))


def cases() -> Iterator[Case]:
    for file in sorted(CASES.glob("*.yml")):
        for one in yaml.safe_load(file.read_text(encoding="utf-8")):
            yield Case(
                file.stem,
                one["says"],
                one.get("before", {}),
                one.get("after", {}),
                one.get("expect", []),
                one.get("also", []),
            )


def patched(value: Any, patch: Any) -> Any:
    """RFC 7396."""
    if not isinstance(patch, Mapping):
        return copy.deepcopy(patch)
    result = dict(value) if isinstance(value, Mapping) else {}
    for name, part in patch.items():
        if part is None:
            result.pop(name, None)
        else:
            result[name] = patched(result.get(name), part)
    return result


def side(patch: Any, label: str, *, lines: int = 0) -> Side:
    """A side with one skill; `lines` comments are put above everything, to move it about."""
    tree = FolderTree(str(HERE), label)
    if patch is None:
        return Side(label=label, tree=tree, skills=(), declared=())
    operation = patched(base()["operation"], patch.get("operation", {}))
    front = {
        "name": patch.get("name", "book-room"),
        "description": "Books a room. Use when a room is to be booked.",
        "operation": operation,
    }
    comments = "# a comment\n" * lines
    text = f"---\n{comments}{yaml.safe_dump(front, sort_keys=False)}---\n\n{patch.get('prose', 'Books a room.')}\n"
    skill = parse_skill(Source("book-room.md", text))
    assert skill.operation is not None, [problem.message for problem in skill.problems]
    document = None if patch.get("document", {}) is None else document_of(patch)
    declared = Declared(
        name=skill.name, operation=skill.operation, path="book-room.md", skill=skill, document=document
    )  # fmt: skip
    documents = () if document is None else (document,)
    return Side(
        label=label, tree=tree, skills=(("book-room.md", skill),), declared=(declared,), documents=documents
    )  # fmt: skip


def document_of(patch: Any) -> ApiDocument:
    """The document of a side."""
    value = copy.deepcopy(patched(base()["document"], patch.get("document", {})))
    operations = value.get("paths", {}).get("/bookings", {})
    schema = {"requestBody": {"content": {"application/json": {"schema": patch.get("body", {})}}}}
    answer = {"responses": {"200": {"content": {"application/json": {"schema": patch.get("answer", {})}}}}}
    for method, patches in (("post", [patch.get("post", {}), schema]), ("get", [patch.get("get", {}), answer])):
        if method in operations:
            for one in patches:
                operations[method] = patched(operations[method], one)
    text = yaml.safe_dump(value, sort_keys=False)
    return read_bytes(text.encode(), "openapi.yaml")
