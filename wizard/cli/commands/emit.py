"""Writes skills for the operations of an API document.

Each operation gets what a host needs (a declaration: URL, fields, identity, key, probe) and what a model needs (what
it does and when, its fields, its answers, what to do when its outcome is not known). What no person confirmed carries
`status: proposed`. Without --operation or --all it is every write; --all adds the reads.

  skill-wizard emit openapi.yaml --out skills
  skill-wizard emit openapi.yaml --operation createBooking --out skills --layout single
  skill-wizard emit openapi.yaml --all --out skills --diff

Layouts: `folder` is one skill, an index beside a file for each operation; `single` is one skill for each operation;
`specs` are the operations' files alone.

Skills that are there are changed as little as can be: prose, names and declarations that somebody edited stay, and
what is confirmed stays confirmed. `skill-wizard.lock.json` beside the skills remembers what they were made from; a
file that it does not know is not overwritten without --force.

The prose comes from templates in Jinja. A folder given with --templates may hold its own `operation.md.jinja`,
`index.md.jinja`, `group.md.jinja` and the parts `parts/fields.md.jinja`, `parts/answers.md.jinja` and
`parts/outcomes.md.jinja`; what it does not hold is ours.

DOCUMENT is a path, a URL, or - for standard input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.cli.subjects import document_arguments, read, subjects
from wizard.cli.terminal import Palette, color_argument
from wizard.errors import UsageError

if TYPE_CHECKING:
    from wizard.emit.model import FileChange, Plan

SUMMARY = "write skills for the operations of an API document"


def arguments(parser: argparse.ArgumentParser) -> None:
    document_arguments(parser)
    parser.add_argument("--all", action="store_true", help="every operation, reads too")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder to write into")
    parser.add_argument(
        "--layout",
        choices=("folder", "single", "specs"),
        help="how to lay them out (default: as they are there, or folder)",
    )
    parser.add_argument("--templates", metavar="DIR", type=Path, help="a folder of templates that stand in for ours")
    parser.add_argument("--force", action="store_true", help="overwrite files that skill-wizard did not write")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
    shown.add_argument("--diff", action="store_true", help="show what would change, and write nothing")
    color_argument(parser)


def run(args: argparse.Namespace) -> int:
    from wizard.emit.model import Layout
    from wizard.emit.writing import plan_into, write_plan

    if args.all and args.operation:
        raise UsageError("`--all` and `--operation` exclude each other")
    document = read(args)
    chosen = subjects(document, args, "all" if args.all else "writes")
    if not chosen:
        raise UsageError("the document has no write", place=document.source, remedy="`--all` takes the reads, too")
    plan = plan_into(
        args.out, document, chosen, layout=None if args.layout is None else Layout(args.layout),
        templates=args.templates, force=args.force,
    )  # fmt: skip
    for warning in plan.warnings:
        print(f"skill-wizard: warning: {warning}", file=sys.stderr)
    for note in plan.notes:
        print(f"skill-wizard: note: {note}", file=sys.stderr)
    if args.diff:
        _print_diff(plan, Palette.of(args))
        _print_refused(plan)
        return Exit.CLEAN
    if args.dry_run:
        _print_changes(plan, args.out, Palette.of(args))
        _print_refused(plan)
        return Exit.CLEAN
    write_plan(args.out, plan)
    _print_changes(plan, args.out, Palette.of(args))
    return Exit.CLEAN


def _print_changes(plan: Plan, out: Path, paint: Palette) -> None:
    """One line a file that changes, and how many there are of each kind."""
    colors = {"create": "green", "update": "yellow"}
    for change in plan.changes:
        if change.what != "unchanged":
            print(f"{paint(f'{change.what:6}', colors[change.what])}  {(out / change.path).as_posix()}")
    counted = [f"{count} {what}" for what, count in _counts(plan.changes).items() if count]
    print(", ".join(counted))


def _counts(changes: tuple[FileChange, ...]) -> dict[str, int]:
    words = {"create": "created", "update": "updated", "unchanged": "unchanged"}
    return {words[what]: sum(change.what == what for change in changes) for what in words}


def _print_refused(plan: Plan) -> None:
    for path, why in plan.refused:
        print(f"skill-wizard: note: {path} would not be overwritten: {why}", file=sys.stderr)


def _print_diff(plan: Plan, paint: Palette) -> None:
    from wizard.cli.diffs import unified

    for change in plan.changes:
        for line in unified(change.path, change.old, change.new):
            print(_painted(line, paint))


def _painted(line: str, paint: Palette) -> str:
    color = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return paint(line, "bold") if line[:3] in ("+++", "---") else (paint(line, color) if color else line)
