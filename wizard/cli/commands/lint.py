"""Checks skills: declarations that contradict themselves, their API document or each other, and prose that still
tells the model to build keys.

  skill-wizard lint                              the skills under this folder
  skill-wizard lint skills/charge.md             one file
  skill-wizard lint --fix --diff                 what the safe fixes would change
  skill-wizard lint --document openapi.yaml      against this API document, whatever lies near
  skill-wizard lint --since origin/main          only what changed
  skill-wizard lint --format github --output sarif:lint.sarif
  skill-wizard lint --write-baseline             from now on only what is new

Looks at every SKILL.md and at every Markdown file with an `operation:` in its frontmatter; a file that is named is
looked at whatever it is. What .gitignore leaves out is left out, but for a folder that is named. Settings come from
`[tool.skill-wizard]` of the nearest pyproject.toml, or from skill-wizard.toml; options win over them.
`skill-wizard rules` lists the rules.

Exit code 1: there are errors or warnings. Notes (severity info) are advice and fail nothing.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from wizard.cli.exits import Exit
from wizard.cli.terminal import color_argument

if TYPE_CHECKING:
    from wizard.lint.engine import Report, Request
    from wizard.lint.settings import Settings

SUMMARY = "check skills: their declarations and their prose"
LEAVES_NOTHING = True


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="*", help="files and folders (default: the configuration's, or this folder); `-` reads standard input")  # fmt: skip  # noqa: E501
    add("--document", metavar="DOC", help="the API document to check against: a path or a URL")
    fixes = parser.add_argument_group("putting right")
    fixes.add_argument("--fix", action="store_true", help="make the safe fixes")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="make those too that a person should look at")
    fixes.add_argument("--diff", action="store_true", help="print what would change, and change nothing")
    output = parser.add_argument_group("output")
    output.add_argument("--format", metavar="FORMAT", default="text", help="text (default), concise, json, sarif, github, gitlab or junit")  # fmt: skip  # noqa: E501
    output.add_argument("--output", metavar="FORMAT:FILE", action="append", default=[], help="also write a report into a file; may be given several times")  # fmt: skip  # noqa: E501
    output.add_argument("--statistics", action="store_true", help="print how often each rule spoke instead of the findings")  # fmt: skip  # noqa: E501
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even when there are findings")
    color_argument(output)  # type: ignore[arg-type]
    chosen = parser.add_argument_group("what is reported")
    chosen.add_argument("--select", metavar="RULES", action="append", help="only these rules or families (commas between them); `all` is every rule that is on")  # fmt: skip  # noqa: E501
    chosen.add_argument("--ignore", metavar="RULES", action="append", help="all but these rules or families")
    chosen.add_argument("--severity", choices=("error", "warning", "info"), help="report nothing below this")
    chosen.add_argument("--confidence", choices=("high", "medium", "low"), help="report nothing below this")
    chosen.add_argument("--profile", choices=("lenient", "strict"), help="strict reports what only the strictest clients refuse, too")  # fmt: skip  # noqa: E501
    chosen.add_argument("--since", metavar="REV", help="only files that changed since this git revision, or since the branch parted from it")  # fmt: skip  # noqa: E501
    chosen.add_argument("--baseline", metavar="FILE", help="leave out what this file knows")
    chosen.add_argument("--write-baseline", action="store_true", help="write all that is found into the baseline, and report nothing")  # fmt: skip  # noqa: E501
    more = parser.add_argument_group("more")
    more.add_argument("--stdin-filename", metavar="NAME", help="the name of what standard input holds; reads it")
    more.add_argument("--skills-only", action="store_true", help="of the files that are named look only at skills that are not excluded; for hooks")  # fmt: skip  # noqa: E501
    more.add_argument("--config", metavar="FILE", help="use this configuration")
    more.add_argument("--no-config", action="store_true", help="use none")
    more.add_argument("--no-cache", action="store_true", help="look at every file anew")
    more.add_argument("--jobs", metavar="N", type=int, help="processes to use (default: as many as pay)")


def run(args: argparse.Namespace) -> int:
    from wizard.errors import UsageError
    from wizard.lint.asked import baseline_path, outputs, request_of, settings_of
    from wizard.lint.engine import lint

    settings = settings_of(args)
    targets = outputs(args)
    request = request_of(args, settings)
    if args.write_baseline:
        if args.fix or args.diff:
            raise UsageError(
                "`--write-baseline` goes with neither `--fix` nor `--diff`; put right first, then write it"
            )
        return _write_baseline(request, settings, baseline_path(args, settings))
    fixes = args.fix or args.diff
    if args.unsafe_fixes and not fixes:
        raise UsageError("`--unsafe-fixes` stands with `--fix` or `--diff`")
    standing_in = bool(request.texts)
    if not fixes:
        report = lint(request, settings)
    else:
        from wizard.lint.fixing import diff, fix, write

        done = fix(request, settings, unsafe=args.unsafe_fixes)
        report = done.report
        if args.diff:
            print("".join(diff(path, text, request.texts) for path, text in done.texts.items()), end="")
            return _diff_code(args, bool(done.texts))
        if standing_in:
            text = next(iter({**request.texts, **done.texts}.values()))
            sys.stdout.write(text)
        else:
            write(done.texts)
        if done.made:
            files = len(done.texts)
            print(
                f"skill-wizard: {len(done.made)} put right in {files} file{'s' if files != 1 else ''}", file=sys.stderr
            )
        for found in done.refused:
            place = f"{found.spot.path}:{found.spot.line}"
            print(f"skill-wizard: {place}: the fix of {found.rule} would not put it right; nothing was done", file=sys.stderr)  # fmt: skip  # noqa: E501
    if not report.files and not report.findings and not report.broken:
        # What reads a report gets one, and a person no line for each hook that had nothing to do.
        _print(report, args, targets, to=None if args.format in ("text", "concise") else sys.stdout)
        return _nothing(args, settings)
    for said in report.broken:
        print(f"skill-wizard: error: {said}", file=sys.stderr)
    _print(report, args, targets, to=sys.stderr if fixes and standing_in else sys.stdout)
    if report.broken:
        return Exit.FAILED
    failing = any(found.severity != "info" for found in report.findings)
    return Exit.FINDINGS if failing and not args.exit_zero else Exit.CLEAN


def _print(report: Report, args: argparse.Namespace, targets: list[tuple[str, str]], to: TextIO | None) -> None:
    """Writes the reports that go into files, and the one that goes `to` a stream."""
    from wizard.cli.terminal import Palette, columns
    from wizard.lint.formatting import Look, load_format

    for name, path in targets:
        _write_report(path, load_format(name).render(report, Look()))
    if to is None:
        return
    look = Look(Palette.of(args, to).enabled, columns(to))
    if args.statistics:
        from wizard.lint.statistics import statistics

        to.write(statistics(report))
        return
    text = load_format(args.format).render(report, look)
    to.write(text)


def _write_report(path: str, text: str) -> None:
    import os

    from wizard.errors import UsageError

    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"the report cannot be written: {error.strerror or error}", place=path) from None


def _diff_code(args: argparse.Namespace, changes: bool) -> int:
    return Exit.FINDINGS if changes and not args.exit_zero else Exit.CLEAN


def _write_baseline(request: Request, settings: Settings, path: str) -> int:
    from pathlib import Path

    from wizard.lint.baseline import print_baseline, unseen
    from wizard.lint.engine import Engine
    from wizard.skill.files import write_text_atomic

    engine = Engine(request._replace(baseline=None), settings)
    report = engine.run()
    kept = unseen(path, report, engine.weigher())
    text = print_baseline(report.findings, path, kept)
    write_text_atomic(Path(path), text)
    new = sum(found.family != "linter" for found in report.findings)
    more = f"; {len(kept)} of what this run did not look at left there" if kept else ""
    print(f"skill-wizard: {new} finding{'s' if new != 1 else ''} written into {path}{more}", file=sys.stderr)
    return Exit.FAILED if report.broken else Exit.CLEAN


def _nothing(args: argparse.Namespace, settings: Settings) -> int:
    if args.skills_only or args.since:
        return Exit.CLEAN
    where = ", ".join(args.paths or settings.paths) or "this folder"
    left_out = "`exclude` and .gitignore leave" if settings.exclude else ".gitignore leaves"
    sys.stdout.flush()
    print(
        f"skill-wizard: no skill under {where}: no SKILL.md, and no Markdown file with `operation:` in its frontmatter"
        f"; what {left_out} out does not count",
        file=sys.stderr,
    )
    return Exit.NO_FILES
