"""The command line: `main(argv) -> exit code`. Each command is a module of `commands`, found by its name."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence


def entry() -> None:
    """The console script."""
    from wizard.cli.running import leave, main

    # Nearly all that a command makes lives until it ends: looking for garbage often takes a twentieth of its time.
    gc.set_threshold(50_000, 20, 20)
    leave(main(sys.argv[1:]), sys.argv[1:])


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and gives its exit code (`wizard.cli.exits.Exit`)."""
    from wizard.cli.running import main as run

    return run(sys.argv[1:] if argv is None else argv)
