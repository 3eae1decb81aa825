"""Writes declarations into an API document, as `x-outturn-*` extensions.

Without a choice the OpenAPI Overlay 1.0 that adds them is printed; --overlay writes it to a file, JSON where its name
ends with .json; --in-place writes the extensions into the document itself, and keeps its comments, order and layout.
What no person confirmed carries `x-outturn-status: proposed`. It takes every write, and every operation that its
method alone would take for one.

  skill-wizard annotate openapi.yaml --overlay outturn.overlay.yaml
  skill-wizard annotate openapi.yaml --in-place --diff
  skill-wizard annotate openapi.yaml --operation createBooking

DOCUMENT is a path, a URL, or - for standard input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.cli.subjects import document_arguments, read, subjects
from wizard.errors import UsageError

if TYPE_CHECKING:
    from wizard.emit.model import Subject
    from wizard.spec.model import ApiDocument

SUMMARY = "write declarations into an API document, or as an OpenAPI Overlay"


def arguments(parser: argparse.ArgumentParser) -> None:
    document_arguments(parser)
    target = parser.add_mutually_exclusive_group()
    target.add_argument("--overlay", metavar="FILE", type=Path, help="write an OpenAPI Overlay to this file")
    target.add_argument("--in-place", action="store_true", help="write into the document itself")
    parser.add_argument("--diff", action="store_true", help="show what would change, and write nothing")
    parser.add_argument("--force", action="store_true", help="overwrite a FILE that skill-wizard did not write")


def run(args: argparse.Namespace) -> int:
    from wizard.emit.annotating import overlay, print_overlay
    from wizard.emit.writing import source_name

    document = read(args)
    chosen = subjects(document, args, "corrected")
    if args.in_place:
        return _in_place(document, chosen, args)
    extends = "" if args.overlay is None or document.source == "-" else source_name(document, args.overlay.parent)
    made, left_out = overlay(document, chosen, extends=extends)
    for name, why in left_out:
        print(f"skill-wizard: warning: {name} is left out: {why}", file=sys.stderr)
    text = print_overlay(made, as_json=args.overlay is not None and args.overlay.suffix.lower() == ".json")
    if args.overlay is None:
        sys.stdout.write(text)
        return Exit.CLEAN
    _write({args.overlay: (_old_overlay(args.overlay, force=args.force), text)}, diff=args.diff)
    return Exit.CLEAN


def _old_overlay(path: Path, *, force: bool) -> str | None:
    """The text of the overlay that is there. Raises UsageError where it is none of ours."""
    from wizard.emit.annotating import is_ours
    from wizard.skill.files import read_text

    if not path.exists():
        return None
    old = read_text(path).text
    if not force and not is_ours(old):
        raise UsageError(
            "this file was not written by skill-wizard", place=str(path),
            remedy="Choose another name, or give `--force` to overwrite it",
        )  # fmt: skip
    return old


def _in_place(document: ApiDocument, chosen: list[Subject], args: argparse.Namespace) -> int:
    from wizard.emit.annotating import annotated_text, files_to_edit
    from wizard.spec.text import read_text

    if document.source == "-" or "://" in document.source:
        raise UsageError(
            "only a document in a file can be edited in its place", remedy="Write an overlay: `--overlay FILE`"
        )
    root = Path(document.source)
    written: dict[Path, tuple[str | None, str]] = {}
    for name, there in files_to_edit(document, chosen).items():
        path = root.parent / name if name else root
        data = path.read_bytes()
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError("only UTF-8 can be edited in its place", place=str(path)) from error
        syntax = read_text(data, str(path)).syntax
        written[path] = (text, annotated_text(text, syntax, document, there, str(path)))
    _write(written, diff=args.diff)
    return Exit.CLEAN


def _write(files: dict[Path, tuple[str | None, str]], *, diff: bool) -> None:
    from wizard.cli.diffs import unified
    from wizard.skill.files import write_text_atomic

    for path, (old, new) in files.items():
        if diff:
            for line in unified(path.as_posix(), old, new):
                print(line)
        elif old != new:
            write_text_atomic(path, new)
            print(f"{'create' if old is None else 'update'}  {path.as_posix()}")
    if not diff and all(old == new for old, new in files.values()):
        print("nothing to change")
