"""Says what a change of declarations does: to keys, to records, to repeats, and to money.

  skill-wizard review origin/main                     this working tree against a revision
  skill-wizard review v1.2 v1.3                       two revisions; nothing is checked out
  skill-wizard review old-skills/ skills/             two folders, or two files
  skill-wizard review origin/main:skills skills       a folder of a revision against one on the disk
  skill-wizard review skills --document-base old.yaml --document-head new.yaml
                                                      what a newer API document breaks
  skill-wizard review origin/main --format markdown --output json:review.json
  skill-wizard review origin/main --approve a8fac497afc2c5e2 --who "Ada Byron" --why "Two rooms a night are meant."

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
    approving.add_argument("--approve", metavar="FINGERPRINT", action="append", default=[], help="write an approval of this change; with BASE it is looked for among the changes; may be given several times")  # fmt: skip  # noqa: E501
    approving.add_argument("--who", metavar="NAME", help="who approves")
    approving.add_argument("--why", metavar="REASON", help="why it may be so")


def run(args: argparse.Namespace) -> int:
    if args.approve or args.who is not None or args.why is not None:
        return _approve(args)
    from wizard.review.reviewing import NoSkillError

    targets = _outputs(args)
    try:
        found = _review(args)
    except NoSkillError as error:
        sys.stdout.flush()
        print(f"skill-wizard: {error}", file=sys.stderr)
        return Exit.NO_FILES
    _print(found, args, targets)
    return Exit.FINDINGS if found.failed else Exit.CLEAN


def _review(args: argparse.Namespace) -> Review:
    """Both sides compared, as the call names them. Raises what `wizard.review.reviewing.review` raises."""
    import gc
    from dataclasses import replace

    from wizard.cli.commands._settings import settings
    from wizard.review.reviewing import review

    base, head = _sides(args)
    ignored, configured = settings()
    approvals = None if args.approve else args.approvals
    before = gc.get_threshold()
    # Most of two large documents is kept to the end; looking through it again and again takes a sixth of the time.
    gc.set_threshold(50_000, 20, 100)
    try:
        found = review(base, head, ignored=ignored, configured=configured, approvals=approvals)
    finally:
        gc.set_threshold(*before)
    return replace(found, fail_on=args.fail_on, asked=_asked(args))


def _asked(args: argparse.Namespace) -> str:
    """What of the call says which sides are compared: who approves a change of it names the same."""
    from shlex import quote

    named = [one for one in (args.base, args.head) if one is not None]
    named += [word for one in args.document_base for word in ("--document-base", one)]
    named += [word for one in args.document_head for word in ("--document-head", one)]
    return " ".join(map(quote, named))


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
        return SideSpec(documents=tuple(args.document_base)), SideSpec(documents=tuple(args.document_head))
    if head is None and both and os.path.exists(base):
        head = base
    if head is None and os.path.exists(base):
        here, there = os.path.realpath("."), os.path.realpath(base)
        if here == there:
            raise UsageError(
                f"`{base}` is the working tree itself", remedy="Name what it was: a git revision, or another folder"
            )
        if there.startswith(here.rstrip(os.sep) + os.sep):
            raise UsageError(
                f"`{base}` lies in the working tree, which it would be compared with",
                remedy=f"Name what it was, as in `review REVISION:{base} {base}`",
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
    given = list(dict.fromkeys(one.strip().lower() for one in args.approve))
    found = None if args.base is None else _review(args)
    wrong = _unknown(given, found)
    for why in wrong.values():
        print(f"skill-wizard: {why}", file=sys.stderr)
    approved = [one for one in given if one not in wrong]
    path = args.approvals or approvals_path(SideSpec(text=args.head))
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    for fingerprint in approved:
        approval = Approval(
            fingerprint=fingerprint, who=args.who.strip(), why=args.why.strip(), when=date.today().isoformat()
        )
        text = add_approval(text, approval, path)
    count, known = len(approved), len(parse_approvals(path, text.encode()))
    if not approved:
        print("skill-wizard: no approval was written", file=sys.stderr)
        return Exit.FAILED
    write_text_atomic(Path(path), text)
    written = f"{count} approval{'s' if count != 1 else ''} written into {path}"
    print(f"skill-wizard: {written}, which has {known}", file=sys.stderr)
    if found is None:
        print(
            "skill-wizard: nothing was compared, so it is not known whether a change has"
            f" {'it' if count == 1 else 'them'}; `review BASE --approve …` looks",
            file=sys.stderr,
        )
    return Exit.FAILED if wrong else Exit.CLEAN


def _unknown(given: list[str], found: Review | None) -> dict[str, str]:
    """The fingerprints that no change can have, or none of a review has, with what is said of them."""
    from difflib import get_close_matches

    from wizard.review.approvals import is_fingerprint

    changes = {change.fingerprint: change for change in found.changes} if found is not None else {}
    told = {}
    for one in given:
        if one in changes or (found is None and is_fingerprint(one)):
            continue
        why = f"no change has the fingerprint `{one}`" if found is not None else f"`{one}` is no fingerprint"
        if not is_fingerprint(one):
            why += "; one has 16 digits of 0-9 and a-f"
        near = get_close_matches(one, changes, 1)
        if near:
            change = changes[near[0]]
            why += f". Did you mean `{near[0]}`? `{change.operation}`: {change.title}"
        else:
            why += ". `skill-wizard review` prints it below each change."
        told[one] = why
    return told
