"""Prints a script that completes commands and options in your shell.

bash   skill-wizard completion bash > ~/.local/share/bash-completion/completions/skill-wizard
zsh    skill-wizard completion zsh > ~/.zfunc/_skill-wizard      (with ~/.zfunc in $fpath)
fish   skill-wizard completion fish > ~/.config/fish/completions/skill-wizard.fish
tcsh   skill-wizard completion tcsh > ~/.skill-wizard.tcsh       (and `source` it from ~/.tcshrc)
"""

from __future__ import annotations

import argparse

SUMMARY = "print a completion script for bash, zsh, fish or tcsh"
SHELLS = ("bash", "zsh", "fish", "tcsh")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")


def run(args: argparse.Namespace) -> int:
    import shtab

    from wizard.cli.exits import Exit
    from wizard.cli.running import parser

    print(shtab.complete(parser(), shell=args.shell), end="")
    return Exit.CLEAN
