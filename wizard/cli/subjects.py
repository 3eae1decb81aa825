"""From a document to the operations with their declarations, as `emit` and `annotate` take them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from wizard.cli.terminal import progress

if TYPE_CHECKING:
    from wizard.emit.model import Subject
    from wizard.infer.model import Proposal
    from wizard.spec.model import ApiDocument

Which = Literal["all", "writes", "corrected"]


def document_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds DOCUMENT and what says how it is read and which operations are meant."""
    parser.add_argument("document", metavar="DOCUMENT", help="the API document: a path, a URL, or - for standard input")
    parser.add_argument(
        "--operation",
        metavar="NAME",
        action="append",
        default=[],
        help='only this operation, by its operationId or as "POST /bookings"; may be given several times',
    )
    parser.add_argument("--server", metavar="URL", default="", help="the address that the paths begin with")
    parser.add_argument(
        "--allow-remote-refs", action="store_true", help="follow $refs to other hosts, and to files outside the folder"
    )


def read(args: argparse.Namespace) -> ApiDocument:
    """The document that the arguments name. Raises DocumentError."""
    from wizard.spec.reader import read_document

    allowed = bool(args.allow_remote_refs)
    return read_document(args.document, allow_remote=allowed, allow_outside=allowed)


def subjects(document: ApiDocument, args: argparse.Namespace, which: Which) -> list[Subject]:
    """The operations with what would be declared for them; what no person confirmed is `proposed`.

    Operations that are named are all taken; of the others `all`, the `writes`, or the writes and what the method
    alone would take for one (`corrected`). Raises UsageError for a name that is none, and where there is no server.
    """
    from wizard.emit.model import Subject
    from wizard.infer.declaration import declare, given_server
    from wizard.infer.propose import propose_operation
    from wizard.infer.select import select
    from wizard.operation.model import METHODS

    chosen = [one for one in select(document, args.operation) if one.method in METHODS]
    shared: dict[str, object] = {}
    server = given_server(args.server)
    found: list[Subject] = []
    for api in progress(chosen, "Looking at operations:", len(chosen)):
        proposal = propose_operation(document, api, shared)
        operation = declare(proposal, document, server=server, confirmed=_confirmed(proposal, document))
        if not operation.is_write:
            # Harmless to repeat, so nothing is recorded of it, and there is nothing to declare.
            operation = replace(
                operation, identity=(), scope=None, key=None, reference=None, probe=None, keep=None, money=None,
                status=None,
            )  # fmt: skip
        meant = which == "all" or proposal.write or (which == "corrected" and operation.write is not None)
        if not args.operation and not meant:
            continue
        found.append(Subject(api=api, operation=operation))
    return found


def _confirmed(proposal: Proposal, document: ApiDocument) -> bool:
    """Whether the document itself declares what the write is, and does not call that a proposal."""
    from wizard.spec.extensions import declared

    found = declared(proposal.operation, document) if proposal.declared else None
    if found is None or found.operation is None or found.problems:
        return False
    return found.operation.confirmed and bool({"identity", "scope"} & set(found.members))
