"""Where the two sides come from: folders, files, revisions; and the API documents that belong to them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from wizard.errors import DocumentError, UsageError
from wizard.review.model import Grade, Review
from wizard.review.reviewing import NoSkillError, review
from wizard.review.sides import SideSpec, load, tree_of
from wizard.review.wording import headline

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Inn", "version": "1"},
    "servers": [{"url": "https://inn.example"}],
    "paths": {
        "/bookings": {
            "post": {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["room", "guest"],
                                "properties": {"room": {"type": "string"}, "guest": {"type": "string"}},
                            }
                        }
                    }
                },
                "responses": {"201": {"description": "Booked"}},
            }
        }
    },
}


def skill(*identity: str, name: str = "book-room", url: str = "https://inn.example/bookings") -> str:
    listed = ", ".join(identity)
    return (
        f"---\nname: {name}\ndescription: Books a room. Use when a room is to be booked.\noperation:\n  method: POST\n"
        f"  url: {url}\n  body: [room, guest]\n  identity: [{listed}]\n---\n\nBooks a room.\n"
    )


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def without_guest() -> str:
    document = json.loads(json.dumps(DOCUMENT))
    schema = document["paths"]["/bookings"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    del schema["properties"]["guest"]
    schema["required"] = ["room"]
    return yaml.safe_dump(document)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two commits: the identity narrower, the document without `guest`."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    top = tmp_path / "repository"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    git(top, "config", "user.name", "A")
    git(top, "config", "user.email", "a@example.org")
    written(
        top,
        {
            "api/openapi.yaml": yaml.safe_dump(DOCUMENT),
            "api/skills/operations/book room.md": skill("room", "guest"),
            "api/skills/SKILL.md": "---\nname: skills\ndescription: Books.\n---\n\nBooks.\n",
            "README.md": "Nothing.\n",
        },
    )
    commit(top, "one")
    git(top, "tag", "v1")
    written(top, {"api/openapi.yaml": without_guest(), "api/skills/operations/book room.md": skill("room")})
    commit(top, "two")
    return top


def git(top: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(top), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(top: Path, message: str) -> None:
    git(top, "add", "-A")
    git(top, "-c", "commit.gpgsign=false", "commit", "-q", "-m", message)


def kinds(found: Review) -> list[str]:
    return sorted(change.kind for change in found.changes)


def test_two_revisions(repository: Path) -> None:
    before = git(repository, "status", "--porcelain")
    found = review(SideSpec(text="v1", start=str(repository)), SideSpec(text="HEAD", start=str(repository)))
    assert kinds(found) == ["identity-narrower"]
    assert (found.base, found.head) == ("v1", "HEAD")
    excerpt = found.changes[0].excerpts[0]
    assert excerpt.path == "api/skills/operations/book room.md"
    assert excerpt.lines == ("  identity: [room, guest]",)
    assert git(repository, "status", "--porcelain") == before


def test_the_working_tree_against_a_revision(repository: Path) -> None:
    written(repository, {"api/skills/operations/book room.md": skill("room", "guest")})
    found = review(SideSpec(text="v1", start=str(repository)), SideSpec(start=str(repository)))
    assert kinds(found) == ["document-identity-gone"]
    assert found.head == "the working tree"
    assert {one.side: one.path for one in found.changes[0].excerpts if one.where == "document"} == {
        "base": "api/openapi.yaml",
        "head": "api/openapi.yaml",
    }
    base = next(one for one in found.changes[0].excerpts if one.where == "document" and one.side == "base")
    assert "guest" in base.lines[0]


def test_a_folder_of_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository / "api" / "skills")
    found = review(SideSpec(text="v1"), SideSpec())
    assert kinds(found) == ["identity-narrower"]
    assert found.changes[0].excerpts[0].path == "operations/book room.md"
    # The document above the folder belongs to it all the same.
    side = load(tree_of(SideSpec(text="v1")))
    assert [one.source for one in side.documents] == ["../openapi.yaml"]
    assert review(SideSpec(text="v1:api/skills"), SideSpec(text=".")).changes == found.changes


def test_a_revision_from_another_folder_of_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(repository, {"other/x.txt": ""})
    monkeypatch.chdir(repository / "other")
    with pytest.raises(NoSkillError):
        review(SideSpec(text="v1"), SideSpec(text="main"))
    assert kinds(review(SideSpec(text="v1:api"), SideSpec(text="main:api"))) == ["identity-narrower"]


def test_one_file(repository: Path) -> None:
    old = written(repository / "kept", {"old.md": skill("room", "guest")}) / "old.md"
    new = written(repository / "kept", {"new.md": skill("room")}) / "new.md"
    found = review(SideSpec(text=str(old)), SideSpec(text=str(new)))
    assert kinds(found) == ["identity-narrower"]


def test_what_cannot_be_compared_with(repository: Path, tmp_path: Path) -> None:
    start = str(repository)
    with pytest.raises(UsageError, match="git knows no revision of that name"):
        review(SideSpec(text="v7", start=start), SideSpec(start=start))
    with pytest.raises(UsageError, match="has no file or folder `nowhere`"):
        review(SideSpec(text="v1:nowhere", start=start), SideSpec(start=start))
    with pytest.raises(UsageError, match="is no revision"):
        review(SideSpec(text="--output=x", start=start), SideSpec(start=start))
    outside = tmp_path / "outside"
    outside.mkdir()
    with pytest.raises(UsageError, match="not a git repository"):
        review(SideSpec(text="v1", start=str(outside)), SideSpec(start=str(outside)))
    with pytest.raises(NoSkillError, match="no skill under"):
        review(SideSpec(text=str(outside)), SideSpec(text=str(outside)))


def test_a_folder_wins_over_a_revision_of_its_name(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "branch", "kept")
    written(repository, {"kept/book.md": skill("room", "guest", "room")})
    monkeypatch.chdir(repository)
    assert tree_of(SideSpec(text="kept")).working


def test_documents_that_are_given(tmp_path: Path) -> None:
    written(tmp_path, {
        "skills/book.md": skill("room", "guest"), "old.yaml": yaml.safe_dump(DOCUMENT), "new.yaml": without_guest(),
        "other.yaml": yaml.safe_dump({**DOCUMENT, "servers": [{"url": "https://else.example"}], "paths": {}}),
    })  # fmt: skip
    given = {name: str(tmp_path / f"{name}.yaml") for name in ("old", "new", "other")}
    skills = str(tmp_path / "skills")
    found = review(
        SideSpec(text=skills, documents=(given["other"], given["old"])),
        SideSpec(text=skills, documents=(given["new"], given["other"])),
    )
    assert kinds(found) == ["document-identity-gone"]
    paths = {one.side: one.path for one in found.changes[0].excerpts if one.where == "document"}
    assert paths == {"base": given["old"], "head": given["new"]}
    with pytest.raises(DocumentError, match="there is no such file"):
        review(SideSpec(text=skills, documents=("missing.yaml",)), SideSpec(text=skills))


def test_a_document_of_a_revision(repository: Path) -> None:
    start, skills = str(repository), str(repository / "api" / "skills")
    written(repository, {"api/skills/operations/book room.md": skill("room", "guest")})
    found = review(
        SideSpec(text=skills, documents=("v1:api/openapi.yaml",), start=start),
        SideSpec(text=skills, documents=("main:api/openapi.yaml",), start=start),
    )
    assert kinds(found) == ["document-identity-gone"]
    base = next(one for one in found.changes[0].excerpts if one.where == "document" and one.side == "base")
    assert (base.path, base.lines[0].strip()) == ("v1:api/openapi.yaml", "guest:")
    with pytest.raises(DocumentError, match="the revision has no such file"):
        review(SideSpec(text=skills, documents=("v1:no.yaml",), start=start), SideSpec(text=skills, start=start))


def test_the_document_of_a_lock(tmp_path: Path) -> None:
    lock = {"documents": [{"source": "../apis/inn.yaml", "operations": [
        {"operation": "POST /bookings", "file": "book.md", "decision": "confirmed"},
        {"operation": "POST /refunds", "decision": "skipped"},
    ]}]}  # fmt: skip
    more = json.loads(json.dumps(DOCUMENT))
    for path in ("/refunds", "/charges"):
        more["paths"][path] = {"post": {"responses": {"201": {"description": "Done"}}}}
    for name, document in (("a", DOCUMENT), ("b", more)):
        written(tmp_path / name, {
            "skills/book.md": skill("room", "guest"), "skills/skill-wizard.lock.json": json.dumps(lock),
            "apis/inn.yaml": yaml.safe_dump(document), "openapi.yaml": "openapi: 3.1.0\npaths: {}\n",
        })  # fmt: skip
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    assert found.changes == ()
    assert [(one.operation, one.new) for one in found.undeclared] == [("POST /charges", True)]


def test_the_document_that_the_configuration_names(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "mv", "api/openapi.yaml", "api/inn.yaml")
    written(repository, {"api/inn.yaml": yaml.safe_dump(DOCUMENT)})
    commit(repository, "renamed")
    git(repository, "tag", "v2")
    written(repository, {"api/inn.yaml": without_guest(), "api/skills/operations/book room.md": skill("room", "guest")})
    named = str(repository / "api" / "inn.yaml")
    monkeypatch.chdir(repository / "api" / "skills")
    asked: list[str] = []

    def configured(path: str) -> str:
        asked.append(path)
        return named

    found = review(SideSpec(text="v2"), SideSpec(), configured=configured)
    assert kinds(found) == ["document-identity-gone", "identity-wider"]
    assert set(asked) == {str(repository / "api" / "skills" / "operations" / "book room.md")}
    assert review(SideSpec(text="v2"), SideSpec()).changes[0].kind == "identity-wider"


def test_several_documents(tmp_path: Path) -> None:
    taxi = json.loads(json.dumps(DOCUMENT).replace("inn.example", "taxi.example"))
    for name, inn in (("a", yaml.safe_dump(DOCUMENT)), ("b", without_guest())):
        written(tmp_path / name, {
            "inn/book.md": skill("room", "guest"), "inn/openapi.yaml": inn,
            "taxi/ride.md": skill("room", "guest", name="ride", url="https://taxi.example/bookings"),
            "taxi/openapi.yaml": yaml.safe_dump(taxi),
        })  # fmt: skip
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    assert [(one.operation, one.kind) for one in found.changes] == [("book-room", "document-identity-gone")]
    assert found.unchanged == 1


def test_a_document_of_several_files_in_a_revision(repository: Path) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    content = document["paths"]["/bookings"]["post"]["requestBody"]["content"]["application/json"]
    schema, content["schema"] = content["schema"], {"$ref": "parts/booking.yaml"}
    written(repository, {
        "api/openapi.yaml": yaml.safe_dump(document), "api/parts/booking.yaml": yaml.safe_dump(schema),
        "api/skills/operations/book room.md": skill("room", "guest"),
    })  # fmt: skip
    commit(repository, "parts")
    git(repository, "tag", "v3")
    del schema["properties"]["guest"]
    written(repository, {"api/parts/booking.yaml": yaml.safe_dump(schema)})
    found = review(SideSpec(text="v3", start=str(repository)), SideSpec(start=str(repository)))
    assert kinds(found) == ["document-identity-gone"]
    base = next(one for one in found.changes[0].excerpts if one.where == "document" and one.side == "base")
    assert (base.path, base.lines) == ("api/parts/booking.yaml", ("  guest:",))


def test_files_that_cannot_be_read_are_told_and_the_rest_is_compared(tmp_path: Path) -> None:
    for name in ("a", "b"):
        written(tmp_path / name, {"book.md": skill(*(("room", "guest") if name == "a" else ("room",)))})
        (tmp_path / name / "SKILL.md").write_bytes(b"---\nname: \xff\n---\n")
    written(tmp_path / "b", {"broken.md": "---\nname: broken\noperation:\n  method: POST\n---\n"})
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    assert kinds(found) == ["identity-narrower"]
    assert found.problems[0].startswith("SKILL.md:2:7: byte 0xff is not UTF-8")
    assert found.problems[1].startswith("broken.md:3:1: its operation cannot be compared")
    assert found.lost == found.problems[1:]


@pytest.mark.parametrize(
    "broken", ["operation: {method: POST", "operation:\n  method: POST\n  url: https://inn.example/b\n  key: 7"]
)
def test_a_declaration_that_cannot_be_read_any_more_fails_the_review(repository: Path, broken: str) -> None:
    """A change that breaks a declaration must not be green because nothing is left to compare."""
    written(repository, {"book.md": skill("room"), "old.md": "---\nname: old\noperation: [\n---\n"})
    commit(repository, "before")
    git(repository, "tag", "before")
    written(repository, {"book.md": f"---\nname: book\n{broken}\n---\n"})
    commit(repository, "after")
    found = review(SideSpec(text="before", start=str(repository)), SideSpec(text="HEAD", start=str(repository)))
    (lost,) = found.lost
    assert lost.startswith("HEAD:book.md:")
    assert found.at_least(Grade.BREAKS)
    assert "and that fails this review." in headline(found)[-1]
    same = review(SideSpec(text="HEAD", start=str(repository)), SideSpec(start=str(repository)))
    assert len(same.problems) == 2
    assert same.lost == ()
    assert not same.at_least(Grade.SAFE)


def test_skills_are_paired_by_name_then_by_what_they_send_to(tmp_path: Path) -> None:
    written(tmp_path / "a", {
        "one.md": skill("room", "guest", name="book"), "two.md": skill("room", name="pay", url="https://inn.example/pay"),
    })  # fmt: skip
    written(tmp_path / "b", {
        "moved/one.md": skill("room", "guest", name="book"),
        "two.md": skill("room", name="charge", url="https://inn.example/pay"),
        "three.md": skill("room", name="refund", url="https://inn.example/refunds"),
    })  # fmt: skip
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    assert [(one.operation, one.kind) for one in found.changes] == [
        ("charge", "skill-renamed"),
        ("refund", "operation-added"),
    ]
    assert found.unchanged == 1


def test_what_the_model_reads_in_a_skill_without_an_operation(tmp_path: Path) -> None:
    head = "---\nname: inn\ndescription: Books rooms.\n---\n\n"
    written(tmp_path / "a" / "inn", {"SKILL.md": f"{head}Books rooms.\n"})
    written(tmp_path / "b" / "inn", {"SKILL.md": f"{head}Generate a UUID and send it as the Idempotency-Key header.\n"})
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    assert [(one.operation, one.kind) for one in found.changes] == [("inn", "prose-builds-key")]
    assert found.changes[0].excerpts[0].line == 6


def test_a_skill_file_of_one_operation(tmp_path: Path) -> None:
    for name, identity in (("a", "[room, guest]"), ("b", "[room]")):
        text = (
            "---\nname: book\ndescription: Books.\nmetadata:\n  outturn-operation: |\n    method: POST\n"
            f"    url: https://inn.example/bookings\n    body: [room, guest]\n    identity: {identity}\n---\n\nBooks.\n"
        )
        written(tmp_path / name / "book", {"SKILL.md": text})
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    assert kinds(found) == ["identity-narrower"]
    assert [(one.line, one.lines[0].strip()) for one in found.changes[0].excerpts] == [
        (9, "identity: [room, guest]"),
        (9, "identity: [room]"),
    ]


def test_a_document_in_one_line_has_places_and_no_lines(tmp_path: Path) -> None:
    long = {**DOCUMENT, "info": {"title": "Inn", "version": "1", "description": "x" * 3000}}
    new = json.loads(without_guest_json())
    new["info"] = long["info"]
    written(tmp_path, {"a/book.md": skill("room", "guest"), "a/openapi.json": json.dumps(long)})
    written(tmp_path, {"b/book.md": skill("room", "guest"), "b/openapi.json": json.dumps(new)})
    found = review(SideSpec(text=str(tmp_path / "a")), SideSpec(text=str(tmp_path / "b")))
    base = next(one for one in found.changes[0].excerpts if one.where == "document" and one.side == "base")
    assert (base.line, base.lines) == (1, ())
    assert json.dumps(long)[base.column - 1 :].startswith('{"type": "string"}')


def without_guest_json() -> str:
    return json.dumps(yaml.safe_load(without_guest()))
