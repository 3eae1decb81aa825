"""A language server for skills: what the linter says as you type, quick fixes, explanations and completions.

It speaks the Language Server Protocol over standard input and output, and is started by an editor:

  Neovim     vim.lsp.start({name = "skill-wizard", cmd = {"skill-wizard", "lsp"}})
  Helix      [language-server.skill-wizard]  command = "skill-wizard"  args = ["lsp"]
  VS Code    any generic LSP client, with the command `skill-wizard lsp` for Markdown

It needs the extra `lsp`: pip install 'skill-wizard[lsp]'
"""

from __future__ import annotations

import argparse
import os

from wizard.cli.exits import Exit

SUMMARY = "serve editors with what lint finds, as a language server"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="speak over standard input and output (always so)")


def run(args: argparse.Namespace) -> int:
    from wizard.errors import UsageError

    try:
        from wizard.lint.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(
            "the language server needs pygls", remedy="Install it: pip install 'skill-wizard[lsp]'"
        ) from None
    # The server closes its streams at the end, so it gets its own; what anything prints goes to the editor's log.
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:
        os.dup2(2, 1)
        make_server().start_io(source, sink)
    return Exit.CLEAN
