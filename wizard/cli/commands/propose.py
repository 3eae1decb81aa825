"""Shows what would be declared for the operations of an API document, with the reasons.

For each write: what tells two of them apart (the identity), where the recipient takes an idempotency key, how to ask
whether the write is there (the probe), how sure that is, what was left out and why. Nothing is written; `author` goes
through the proposals on a screen, `emit` makes skills of them.

  skill-wizard propose openapi.yaml
  skill-wizard propose openapi.yaml --operation createBooking --operation "DELETE /bookings/{id}"
  skill-wizard propose https://api.example.com/openapi.json --format json

DOCUMENT is a path, a URL, or - for standard input.
"""

from __future__ import annotations

import argparse
import shutil
import sys

from wizard.cli.exits import Exit
from wizard.cli.terminal import Palette, color_argument, progress

SUMMARY = "show what would be declared for an API document, with evidence"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", metavar="DOCUMENT", help="the API document: a path, a URL, or - for standard input")
    parser.add_argument(
        "--operation",
        metavar="NAME",
        action="append",
        default=[],
        help='only this operation, by its operationId or as "POST /bookings"; may be given several times',
    )
    parser.add_argument("--format", choices=("text", "json", "yaml"), default="text", help="the output (default: text)")
    parser.add_argument("--writes-only", action="store_true", help="leave out what changes nothing")
    parser.add_argument(
        "--allow-remote-refs", action="store_true", help="follow $refs to other hosts, and to files outside the folder"
    )
    color_argument(parser)


def run(args: argparse.Namespace) -> int:
    from wizard.infer.propose import propose_operation
    from wizard.infer.render import as_json, as_text, as_yaml
    from wizard.infer.select import select
    from wizard.spec.reader import read_document

    allowed = bool(args.allow_remote_refs)
    document = read_document(args.document, allow_remote=allowed, allow_outside=allowed)
    chosen = select(document, args.operation)
    shared: dict[str, object] = {}
    proposals = [
        propose_operation(document, operation, shared)
        for operation in progress(chosen, "Looking at operations:", len(chosen))
    ]
    if args.writes_only:
        proposals = [proposal for proposal in proposals if proposal.write]
    if args.format == "json":
        sys.stdout.flush()
        sys.stdout.buffer.write(as_json(document, proposals))
    elif args.format == "yaml":
        sys.stdout.write(as_yaml(document, proposals))
    else:
        width = min(shutil.get_terminal_size((80, 24)).columns, 100) if sys.stdout.isatty() else 80
        for line in as_text(document, proposals, paint=Palette.of(args), width=width, reads=not args.writes_only):
            print(line)
    return Exit.CLEAN
