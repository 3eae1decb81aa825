"""Says what a change of declarations does: to keys, to records, to repeats, and to money.

  skill-wizard review origin/main                     this working tree against a revision
  skill-wizard review v1.2 v1.3                       two revisions; nothing is checked out
  skill-wizard review old-skills/ skills/             two folders, or two files
  skill-wizard review origin/main:skills skills       a folder of a revision against one on the disk
  skill-wizard review skills --document-base old.yaml --document-head new.yaml
                                                      what a newer API document breaks
  skill-wizard review origin/main --format markdown --output json:review.json
  skill-wizard review --approve a8fac497afc2c5e2 --who "Ada Byron" --why "Two rooms a night are meant."

BASE and HEAD are git revisions, folders or files; without HEAD it is the working tree, with both documents given BASE
itself. The API documents are those that belong to the skills on each side, as `skill-wizard lint` finds them, unless
they are given. Each change is graded: `breaks` (a write can land twice, be swallowed or be refused), `risky` (it holds
under a condition that somebody has to look at), `safe`. A change that somebody approved in skill-wizard.approvals.yaml
fails nothing.

Exit code 1: there are changes as bad as --fail-on, or worse, that nobody approved, or a skill or a document of HEAD
cannot be read that could be before.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.cli.terminal import color_argument

if TYPE_CHECKING:
    from wizard.review.model import Review
    from wizard.review.sides import SideSpec

SUMMARY = "say what a change of declarations does to keys, records and repeats"


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("base", metavar="BASE", nargs="?", help="what it was: a git revision, REVISION:FOLDER, a folder or a file")
    add("head", metavar="HEAD", nargs="?", help="what it is now (default: the working tree)")
    documents = parser.add_argument_group("API documents")
    documents.add_argument("--document-base", metavar="DOC", action="append", default=[], help="the API document of BASE: a path, a URL or REVISION:PATH; may be given several times")  # fmt: skip  # noqa: E501
    documents.add_argument("--document-head", metavar="DOC", action="append", default=[], help="the API document of HEAD")  # fmt: skip  # noqa: E501
    output = parser.add_argument_group("output")
    output.add_argument("--format", metavar="FORMAT", default="text", help="text (default), markdown, json, sarif, github or page")  # fmt: skip  # noqa: E501
    output.add_argument("--output", metavar="FORMAT:FILE", action="append", default=[], help="also write a report into a file; may be given several times")  # fmt: skip  # noqa: E501
    output.add_argument("--fail-on", choices=("breaks", "risky", "never"), default="breaks", help="the least grade that fails (default: breaks)")  # fmt: skip  # noqa: E501
    color_argument(output)  # type: ignore[arg-type]
    approving = parser.add_argument_group("approving")
    approving.add_argument("--approvals", metavar="FILE", help="the file of approvals (default: skill-wizard.approvals.yaml in HEAD)")  # fmt: skip  # noqa: E501
    approving.add_argument("--approve", metavar="FINGERPRINT", action="append", default=[], help="write an approval of this change, and compare nothing")  # fmt: skip  # noqa: E501
    approving.add_argument("--who", metavar="NAME", help="who approves")
    approving.add_argument("--why", metavar="REASON", help="why it may be so")


def run(args: argparse.Namespace) -> int:
    if args.approve or args.who is not None or args.why is not None:
        return _approve(args)
    from wizard.cli.commands._settings import settings
    from wizard.review.reviewing import NoSkillError, review

    targets = _outputs(args)
    base, head = _sides(args)
    ignored, configured = settings()
    try:
        found = review(base, head, ignored=ignored, configured=configured, approvals=args.approvals)
    except NoSkillError as error:
        sys.stdout.flush()
        print(f"skill-wizard: {error}", file=sys.stderr)
        return Exit.NO_FILES
    _print(found, args, targets)
    return _code(found, args.fail_on)


def _code(found: Review, fail_on: str) -> int:
    from wizard.review.model import Grade

    failing = fail_on != "never" and found.at_least(Grade(fail_on))
    return Exit.FINDINGS if failing else Exit.CLEAN


def _sides(args: argparse.Namespace) -> tuple[SideSpec, SideSpec]:
    from wizard.errors import UsageError
    from wizard.review.sides import SideSpec

    both = bool(args.document_base and args.document_head)
    base, head = args.base, args.head
    if base is None:
        if not both:
            raise UsageError(
                "there is nothing to compare with", remedy="Name a git revision or a folder, as in `review origin/main`"
            )
        base = "."
    if head is None and both and os.path.exists(base):
        head = base
    if head is None and os.path.exists(base) and os.path.realpath(base) == os.path.realpath("."):
        raise UsageError(
            f"`{base}` is the working tree itself", remedy="Name what it was: a git revision, or another folder"
        )
    return (
        SideSpec(text=base, documents=tuple(args.document_base)),
        SideSpec(text=head, documents=tuple(args.document_head)),
    )


def _format(name: str, option: str) -> str:
    from difflib import get_close_matches

    from wizard.errors import UsageError
    from wizard.review.formatting import format_names

    known = format_names()
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"There are {', '.join(known)}"
        raise UsageError(f"`{option}`: there is no format `{name}`", remedy=hint)
    return name


def _outputs(args: argparse.Namespace) -> list[tuple[str, str]]:
    from wizard.errors import UsageError

    _format(args.format, "--format")
    found = []
    for value in args.output:
        name, colon, path = value.partition(":")
        if not colon or not path:
            raise UsageError(f"`--output` is FORMAT:FILE, such as `markdown:review.md`, not `{value}`")
        found.append((_format(name, "--output"), path))
    return found


def _print(found: Review, args: argparse.Namespace, targets: list[tuple[str, str]]) -> None:
    from pathlib import Path

    from wizard.cli.terminal import Palette, columns
    from wizard.errors import WizardError
    from wizard.review.formatting import Look, load_format
    from wizard.skill.files import write_text_atomic

    unwritten: WizardError | None = None
    for name, path in targets:
        try:
            write_text_atomic(Path(path), load_format(name).render(found, Look()))
        except WizardError as error:
            # The others, and what is printed, are not lost for it.
            unwritten = unwritten or error
    to = sys.stdout
    look = Look(Palette.of(args, to).enabled, columns(to))
    to.write(load_format(args.format).render(found, look))
    if unwritten is not None:
        raise unwritten


def _approve(args: argparse.Namespace) -> int:
    from datetime import date
    from pathlib import Path

    from wizard.errors import UsageError
    from wizard.review.approvals import add_approval, parse_approvals
    from wizard.review.model import Approval
    from wizard.review.reviewing import approvals_path
    from wizard.review.sides import SideSpec
    from wizard.skill.files import write_text_atomic

    if not args.approve:
        raise UsageError("`--who` and `--why` stand with `--approve FINGERPRINT`")
    if not (args.who or "").strip() or not (args.why or "").strip():
        raise UsageError("an approval says who gives it and why", remedy='Add `--who "NAME" --why "REASON"`')
    path = args.approvals or approvals_path(SideSpec(text=args.head))
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    for fingerprint in args.approve:
        approval = Approval(
            fingerprint=fingerprint.strip().lower(), who=args.who.strip(), why=args.why.strip(),
            when=date.today().isoformat(),
        )  # fmt: skip
        text = add_approval(text, approval, path)
    approved = parse_approvals(path, text.encode())
    write_text_atomic(Path(path), text)
    count = len(args.approve)
    print(
        f"skill-wizard: {count} approval{'s' if count != 1 else ''} written into {path}, which has {len(approved)}",
        file=sys.stderr,
    )
    return Exit.CLEAN
