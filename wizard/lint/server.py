"""The language server: what the linter says, as somebody types.

`answers` works on texts and values; this module only carries them over the protocol.
"""

from __future__ import annotations

import logging
from itertools import pairwise
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import ServerTextPosition

from wizard import __version__
from wizard.errors import WizardError
from wizard.lint.answers import Action, Answers, Mark
from wizard.lint.writing import Offer
from wizard.source import Position, Source

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
KINDS = {
    "member": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "field": types.CompletionItemKind.Field,
}
SOURCE = "skill-wizard"
WATCHED = (
    "**/skill-wizard.toml", "**/pyproject.toml", "**/skill-wizard.lock.json",
    "**/{openapi,swagger}.{yaml,yml,json}", "**/*overlay*.{yaml,yml,json}",
)  # fmt: skip
"""Files of which a change may change what is said of a skill."""


def make_server() -> LanguageServer:
    """The server with its features; `start_io` runs it."""
    server = LanguageServer(SOURCE, __version__)
    answers = Answers()
    log = logging.getLogger(__name__)
    complained: set[str] = set()
    """What was said in a window, so that it is not said again with each letter; anew once somebody saves."""

    def text_of(uri: str) -> Any:
        return server.workspace.get_text_document(uri)

    def publish(uri: str) -> None:
        document = text_of(uri)
        try:
            marks = answers.marks(document.path, document.source)
        except (WizardError, OSError) as error:
            marks = []
            if str(error) not in complained:
                complained.add(str(error))
                log.warning("%s", error)
                server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"{SOURCE}: {error}"))
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, [_diagnostic(document, mark) for mark in marks], document.version)
        )

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        publish(params.text_document.uri)

    def anew() -> None:
        answers.forget()
        complained.clear()
        for uri in list(server.workspace.text_documents):
            publish(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        anew()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(params: types.DidChangeWatchedFilesParams) -> None:
        anew()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configured(params: types.DidChangeConfigurationParams) -> None:
        anew()

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        """Asks the editor to tell of files that others change: a configuration, an API document, a lock file."""
        told = server.client_capabilities.workspace
        watched = told.did_change_watched_files if told is not None else None
        if watched is None or not watched.dynamic_registration:
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
        server.client_register_capability(
            types.RegistrationParams(
                [
                    types.Registration(
                        "skill-wizard-files",
                        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                        types.DidChangeWatchedFilesRegistrationOptions(watchers),
                    )
                ]
            ),
            lambda done: None,
        )

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        if only is not None and not any(_is_within(types.CodeActionKind.QuickFix, kind) for kind in only):
            return []
        document = text_of(params.text_document.uri)
        start = offset_at(document, params.range.start)
        end = offset_at(document, params.range.end)
        found = answers.actions(document.path, document.source, start, end)
        return [_action(document, params.text_document.uri, action) for action in found]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        document = text_of(params.text_document.uri)
        said = answers.hover(document.path, document.source, offset_at(document, params.position))
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said)) if said else None

    triggers = types.CompletionOptions(trigger_characters=[" ", "[", ",", ":", "-"])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, triggers)
    def completion(params: types.CompletionParams) -> types.CompletionList:
        document = text_of(params.text_document.uri)
        found = answers.offers(document.path, document.source, offset_at(document, params.position))
        items = [_item(index, offer) for index, offer in enumerate(found)]
        return types.CompletionList(is_incomplete=False, items=items)

    return server


def _is_within(kind: str, wanted: str) -> bool:
    """Whether a kind of code action is the wanted one, or one below it."""
    return wanted in ("", kind) or kind.startswith(f"{wanted}.")


def _lines(source: Source) -> list[str]:
    """The lines as the protocol has them: a line ends at LF, CRLF or CR, and at nothing else."""
    starts = [*source.line_starts, len(source.text)]
    return [source.text[start:end] for start, end in pairwise(starts)]


def offset_at(document: Any, position: types.Position) -> int:
    """The offset, in code points, of a position in the client's units."""
    source = Source(document.uri, document.source)
    found = document.position_codec.position_from_client_units(_lines(source), position)
    return source.offset(Position(found.line + 1, found.character + 1))


def _position(document: Any, source: Source, offset: int) -> types.Position:
    place = source.position(offset)
    lines = _lines(source)
    units: types.Position = document.position_codec.position_to_client_units(
        lines, ServerTextPosition(place.line - 1, place.column - 1)
    )
    return units


def _range(document: Any, start: int, end: int) -> types.Range:
    source = Source(document.uri, document.source)
    return types.Range(_position(document, source, start), _position(document, source, end))


def _diagnostic(document: Any, mark: Mark) -> types.Diagnostic:
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(document.uri, _range(document, other.start, other.end)), other.message
        )
        for other in mark.related
    ]
    return types.Diagnostic(
        range=_range(document, mark.start, mark.end),
        message=mark.message,
        severity=SEVERITIES[mark.severity],
        code=mark.rule,
        source=SOURCE,
        related_information=related or None,
    )


def _item(index: int, offer: Offer) -> types.CompletionItem:
    return types.CompletionItem(
        label=offer.text,
        kind=KINDS[offer.kind],
        detail=offer.detail or None,
        insert_text=offer.insert or None,
        sort_text=f"{index:04}",
    )


def _action(document: Any, uri: str, action: Action) -> types.CodeAction:
    edits = [types.TextEdit(_range(document, edit.start, edit.end), edit.text) for edit in action.edits]
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(document, action.mark)],
        edit=types.WorkspaceEdit(changes={uri: edits}),
        is_preferred=action.safe or None,
    )
