"""The language server, spoken to over the protocol: the real process, the way an editor starts it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

DOCUMENT = """\
openapi: 3.1.0
info: {title: House, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /bookings:
    post:
      summary: Book a room
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [room_id, guest_name]
              properties:
                room_id: {type: string, description: The room.}
                guest_name: {type: string}
                phone: {type: string}
      responses:
        '201': {description: The booking.}
"""
SKILL = """\
---
name: book
description: Books a room 🛏 for a guest.
operation:
  method: POST
  url: https://api.example.com/bookings
  body: [room_id, guest_name]
  identiy: [room_id, guest_name]
---

Book it.
"""
PATIENCE = 60
"""Seconds after which a test gives up on the server."""


class Editor:
    """What an editor does: opens files, types, and asks."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.capabilities = types.ServerCapabilities()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

    async def start(self) -> None:
        found = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(
                    general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf16])
                ),
                root_uri=self.folder.as_uri(),
            )
        )
        self.capabilities = found.capabilities
        self.client.initialized(types.InitializedParams())

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def open(self, name: str, text: str) -> list[types.Diagnostic]:
        item = types.TextDocumentItem(self.uri(name), "markdown", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics(name)

    async def type(self, name: str, text: str) -> list[types.Diagnostic]:
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(2, self.uri(name)),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return await self.diagnostics(name)

    async def diagnostics(self, name: str) -> list[types.Diagnostic]:
        while True:
            published = await asyncio.wait_for(self.published.get(), PATIENCE)
            if published.uri == self.uri(name):
                return list(published.diagnostics)

    def at(self, name: str, line: int, character: int) -> dict[str, object]:
        return {
            "text_document": types.TextDocumentIdentifier(self.uri(name)),
            "position": types.Position(line, character),
        }


def played(folder: Path, story: Callable[[Editor], Awaitable[None]]) -> None:
    """Starts the server in a folder, plays a story, and ends it as an editor does."""

    async def play() -> None:
        client = LanguageClient("editor", "1")
        await client.start_io(sys.executable, "-m", "wizard", "lsp", cwd=folder)
        try:
            editor = Editor(client, folder)
            await asyncio.wait_for(editor.start(), PATIENCE)
            await asyncio.wait_for(story(editor), PATIENCE)
            await asyncio.wait_for(client.shutdown_async(None), PATIENCE)
            client.exit(None)
            assert client._server is not None
            assert await asyncio.wait_for(client._server.wait(), PATIENCE) == 0
        except BaseException:
            server = client._server
            if server is not None:
                server.kill()
            raise
        finally:
            await asyncio.wait_for(client.stop(), PATIENCE)

    asyncio.run(play())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "openapi.yaml").write_text(DOCUMENT, encoding="utf-8")
    return tmp_path


def test_it_says_at_once_what_it_can(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        assert editor.capabilities.hover_provider
        assert editor.capabilities.completion_provider
        assert editor.capabilities.code_action_provider

    played(folder, story)


def test_diagnostics_come_as_one_types(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        found = await editor.open("book.md", SKILL)
        slip = next(one for one in found if one.code == "unknown-key")
        assert (slip.range.start.line, slip.range.start.character, slip.range.end.character) == (7, 2, 9)
        assert slip.severity == types.DiagnosticSeverity.Error
        assert "did you mean `identity`" in slip.message
        found = await editor.type("book.md", SKILL.replace("identiy", "identity"))
        assert all(one.severity != types.DiagnosticSeverity.Error for one in found)

    played(folder, story)


def test_places_are_counted_in_the_editors_units(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        text = SKILL.replace("Book it.", "🛏🛏 Build `book-<room_id>` and send it as `Idempotency-Key`.")
        found = await editor.open("book.md", text)
        built = next(one for one in found if str(one.code).startswith("prose"))
        line = text.splitlines()[built.range.start.line]
        units = line.encode("utf-16-le")
        marked = units[2 * built.range.start.character : 2 * built.range.end.character].decode("utf-16-le")
        assert "🛏" not in marked
        assert marked
        assert marked in line

    played(folder, story)


def test_what_is_no_skill_is_left_alone(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        assert await editor.open("README.md", "# Notes\n\nGenerate a UUID and send it as Idempotency-Key.\n") == []

    played(folder, story)


def test_a_quick_fix_puts_it_right(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        found = await editor.open("book.md", SKILL)
        slip = next(one for one in found if one.code == "unknown-key")
        file = types.TextDocumentIdentifier(editor.uri("book.md"))
        actions = await editor.client.text_document_code_action_async(
            types.CodeActionParams(file, slip.range, types.CodeActionContext([slip]))
        )
        titles = [action.title for action in actions or []]
        assert titles[0] == "Write `identity`"
        assert "Allow unknown-key here" in titles
        first = (actions or [])[0]
        assert isinstance(first, types.CodeAction)
        assert first.is_preferred
        assert first.edit
        assert first.edit.changes
        (edit,) = first.edit.changes[editor.uri("book.md")]
        assert edit.new_text == "identity"

    played(folder, story)


def test_what_changes_on_disk_is_seen(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        config = folder / "skill-wizard.toml"
        changed = types.FileEvent(config.as_uri(), types.FileChangeType.Changed)
        told: list[str] = []

        @editor.client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            told.append(params.message)

        assert [one.code for one in await editor.open("book.md", SKILL)][:1] == ["unkeyed-without-probe"]
        config.write_text("ignore = ['unkeyed-without-probe']\n", encoding="utf-8")
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
        assert "unkeyed-without-probe" not in [one.code for one in await editor.diagnostics("book.md")]
        config.write_text("ignore = 1\n", encoding="utf-8")
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
        assert await editor.diagnostics("book.md") == []
        assert await editor.type("book.md", SKILL + "\nA") == []
        assert await editor.type("book.md", SKILL + "\nA w") == []
        assert len(told) == 1  # and not one for each letter
        assert "`ignore` is a list of texts, not the number 1" in told[0]

    played(folder, story)


def test_what_is_missing_is_allowed_behind_the_fence(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        uri = editor.uri("SKILL.md")

        async def allowed(text: str) -> list[str]:
            place = types.Range(types.Position(0, 0), types.Position(0, 0))
            found = await editor.client.text_document_code_action_async(
                types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext([]))
            )
            made = []
            for one in found or ():
                assert isinstance(one, types.CodeAction)
                assert one.edit is not None
                assert one.edit.changes is not None
                if not one.title.startswith("Allow"):
                    continue
                (edit,) = one.edit.changes[uri]
                assert isinstance(edit, types.TextEdit)
                lines = text.split("\n")
                lines.insert(edit.range.start.line, edit.new_text.rstrip("\n"))
                made.append("\n".join(lines))
            return made

        text = f"---\nname: {folder.name}\n---\n\nText.\n"
        assert [one.code for one in await editor.open("SKILL.md", text)] == ["skill-description"]
        (made,) = await allowed(text)
        assert made.startswith("---\n# skill-wizard: allow skill-description: REASON\nname: ")
        assert await editor.type("SKILL.md", made) == []
        assert [one.code for one in await editor.type("SKILL.md", "# Text\n")] == ["frontmatter-missing"]
        assert await allowed("# Text\n") == []

    played(folder, story)


def test_only_the_actions_that_are_asked_for(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        await editor.open("book.md", SKILL)
        place = types.Range(types.Position(7, 3), types.Position(7, 3))

        async def kinds(*only: types.CodeActionKind | str) -> int:
            found = await editor.client.text_document_code_action_async(
                types.CodeActionParams(
                    types.TextDocumentIdentifier(editor.uri("book.md")), place, types.CodeActionContext([], list(only))
                )
            )
            return len(found or ())

        assert await kinds(types.CodeActionKind.QuickFix) > 0
        assert await kinds(types.CodeActionKind.Refactor, "quickfix") > 0
        assert await kinds(types.CodeActionKind.Refactor) == 0

    played(folder, story)


def test_hover_explains_the_rule_and_the_derived_level(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        await editor.open("book.md", SKILL)
        hover = await editor.client.text_document_hover_async(types.HoverParams(**editor.at("book.md", 7, 4)))
        assert hover
        assert isinstance(hover.contents, types.MarkupContent)
        assert "### unknown-key" in hover.contents.value
        assert "Why:" in hover.contents.value
        right = SKILL.replace("identiy: ", "key: header Idempotency-Key\n  identity: ")
        await editor.type("book.md", right)
        hover = await editor.client.text_document_hover_async(types.HoverParams(**editor.at("book.md", 3, 3)))
        assert hover
        assert isinstance(hover.contents, types.MarkupContent)
        assert "**keyed**" in hover.contents.value
        assert "`room_id`, `guest_name`" in hover.contents.value

    played(folder, story)


def test_completion_knows_the_mapping_and_the_document(folder: Path) -> None:
    async def story(editor: Editor) -> None:
        text = SKILL.replace("  identiy: [room_id, guest_name]\n", "  identity: [\n  \n")
        await editor.open("book.md", text)

        async def offered(line: int, character: int) -> list[str]:
            found = await editor.client.text_document_completion_async(
                types.CompletionParams(**editor.at("book.md", line, character))
            )
            assert isinstance(found, types.CompletionList)
            return [item.label for item in found.items]

        assert await offered(7, 13) == ["room_id", "guest_name", "phone"]
        members = await offered(8, 2)
        assert {"key", "probe", "keep"} <= set(members)
        assert "method" not in members
        assert await offered(10, 0) == []

    played(folder, story)


def test_without_pygls_it_says_what_to_install() -> None:
    code = "import sys\nsys.modules['pygls'] = None\nfrom wizard.cli import main\nsys.exit(main(['lsp']))\n"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "pip install 'skill-wizard[lsp]'" in done.stderr
    assert done.stderr.count("\n") == 1
