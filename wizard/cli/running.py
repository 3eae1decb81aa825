"""Parses the words of a call, runs one command, and turns errors into one clear message and an exit code.

A command is a module of `wizard.cli.commands` with `SUMMARY` (one line), `arguments(parser)` and `run(args) -> int`;
its docstring is its long help and its module's name, with hyphens for underscores, the word that calls it. Only the
command that was called is imported; heavy imports stand inside `run`. One that is called for a moment says
`LEAVES_NOTHING`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from wizard import __version__
from wizard.cli import commands
from wizard.cli.exits import Exit
from wizard.discover import module_names
from wizard.errors import WizardError

TRACEBACK = "SKILL_WIZARD_TRACEBACK"
"""The environment variable that shows where a fault of ours lies."""


def word(module: str) -> str:
    """The command's word for a module's name."""
    return module.removesuffix("_").replace("_", "-")


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or of the one that is named (much faster to build)."""
    top = argparse.ArgumentParser(
        prog="skill-wizard",
        description="Declarations that keep an agent's writes single: proposed from an OpenAPI\n"
        "document, checked, proven.",
        epilog="skill-wizard COMMAND --help explains a command.\n\n"
        "Exit codes: 0 clean, 1 findings, 2 could not do the job, 3 no file matched,\n130 interrupted.",
        formatter_class=_Help,
    )
    top.add_argument("--version", action="version", version=f"skill-wizard {__version__}")
    sub = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    names = module_names(commands)
    for name in names:
        if only is not None and word(name) != only:
            continue
        module = import_module(f"{commands.__name__}.{name}")
        command = sub.add_parser(
            word(name),
            help=module.SUMMARY,
            description=module.__doc__,
            formatter_class=_Help,
        )
        module.arguments(command)
        command.set_defaults(module=module)
    return top


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. argparse asks shutil for that, whose import costs more than a short run's rest."""

    def __init__(self, prog: str, **more: Any) -> None:
        super().__init__(prog, **{"width": max(40, _width() - 2), **more})


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size().columns or 80
    except OSError:
        return 80


def main(argv: Sequence[str]) -> int:
    """Runs one command. Gives its exit code; never a traceback for what a user can cause."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us (`>&-`)
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    words = [word(name) for name in module_names(commands)]
    called = argv[0] if argv and argv[0] in words else None
    if argv and called is None and not argv[0].startswith("-"):
        from difflib import get_close_matches

        near = get_close_matches(argv[0], words, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"There are {', '.join(words)}."
        return _fail(f"there is no command `{argv[0]}`. {hint}")
    try:
        args = parser(called).parse_args(argv)
    except SystemExit as end:
        return int(end.code or 0) if isinstance(end.code, int | None) else Exit.FAILED
    module: ModuleType = args.module
    try:
        code = int(module.run(args))
        sys.stdout.flush()
        return code
    except WizardError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): nothing is wrong, and nothing may be written at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.CLEAN
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}")
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        return _fail(
            f"this is a fault of skill-wizard and not of yours ({type(error).__name__}: {error}). "
            f"{TRACEBACK}=1 shows where; please report it"
        )


def leave(code: int, argv: Sequence[str]) -> NoReturn:
    """Ends the process with an exit code.

    A command that says `LEAVES_NOTHING` (no process, no temporary file, nothing that waits for its end) ends at once:
    to take the interpreter apart takes a tenth of a short run.
    """
    module = sys.modules.get(f"{commands.__name__}.{argv[0].replace('-', '_')}") if argv else None
    if not getattr(module, "LEAVES_NOTHING", False):
        sys.exit(code)
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _fail(message: str) -> int:
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    print(f"skill-wizard: error: {message}", file=sys.stderr)
    return Exit.FAILED
