"""Explore every interleaving of the host's rules, and print what holds.

Two workers make one write, crash, start again and repeat themselves, without end; requests arrive late or never,
answers are lost, cut off or refused, the store does not take a settling, time passes. In every state that can be
reached, four invariants are checked against the very functions that the host runs.

Then the same is done with each rule broken (a mutant that is not found would mean that its rule is not checked), and
without each of the five assumptions, which prints the double write that the assumption prevents.

Exit code 1: an invariant breaks, a mutant survives, or an assumption is not needed. The same on every run, but for the
seconds in the last line.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from wizard.cli.exits import Exit
from wizard.cli.terminal import Palette, color_argument

if TYPE_CHECKING:
    from wizard.host.explorer.prove import Proof
    from wizard.host.explorer.walk import Broken

SUMMARY = "explore every interleaving of the host's rules and print what holds"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output (default: text)")
    color_argument(parser)


def run(args: argparse.Namespace) -> int:
    import json
    import time

    from wizard.host.explorer.prove import prove

    began = time.process_time()
    proof = prove(_shown if sys.stderr.isatty() else lambda _: None)
    seconds = time.process_time() - began
    if args.format == "json":
        print(json.dumps({**as_data(proof), "seconds": round(seconds, 1)}, indent=2))
    else:
        print("\n".join(text_lines(proof, Palette.of(args))))
        print(f"{proof.states:,} states, {len(proof.mutants)} mutants, {seconds:.1f} s of one processor")
    return Exit.CLEAN if proof.holds else Exit.FINDINGS


def text_lines(proof: Proof, palette: Palette) -> list[str]:
    """What was found, for a reader; without the seconds."""
    from wizard.host.explorer.walk import INVARIANTS

    lines = [palette("Invariants", "bold")]
    lines += [f"  {name}  {text}" for name, text in INVARIANTS.items()]
    lines += ["", palette("Explored: two workers that make one write, whose recipient takes", "bold")]
    for declared, walked in proof.walks:
        ends = palette(f"{walked.broken.invariant} breaks", "red") if walked.broken else palette("all hold", "green")
        lines.append(f"  {declared.name:<32} {walked.states:>8,} states {walked.steps:>9,} steps   {ends}")
        lines += _trace(walked.broken)
    found = sum(broken is not None for _, broken in proof.mutants)
    lines += ["", palette(f"Mutants: {found} of {len(proof.mutants)} found", "bold")]
    for mutant, broken in proof.mutants:
        ends = f"{broken.invariant}, {len(broken.trace)} steps" if broken else palette("SURVIVES", "red")
        lines += [
            "",
            f"  {palette(mutant.name, 'bold')}: {ends}",
            *_wrapped(f"    the rule: {mutant.rule}"),
            *_trace(broken),
        ]
    lines += ["", palette("Assumptions, each with the double write that its absence allows", "bold")]
    for assumption, broken in proof.assumptions:
        missing = [] if broken else [f"    {palette('not needed: no double write without it', 'red')}"]
        said = _wrapped(f"  {assumption.name}: {assumption.text}")
        said[0] = said[0].replace(assumption.name, palette(assumption.name, "bold"), 1)
        lines += ["", *said, *_trace(broken), *missing]
    limit, broken = proof.limit
    lines += [
        "",
        palette("A limit, not covered by the guarantee", "bold"),
        "",
        *_wrapped(f"  {limit.text}"),
        *_trace(broken),
        "",
    ]
    return lines


def as_data(proof: Proof) -> dict[str, Any]:
    """What was found, as JSON has it; without the seconds."""
    from wizard.host.explorer.walk import INVARIANTS

    limit, limit_broken = proof.limit
    return {
        "version": 1,
        "holds": proof.holds,
        "states": proof.states,
        "invariants": dict(INVARIANTS),
        "explored": [
            {
                "declaration": declared.name, "states": walked.states, "steps": walked.steps,
                "broken": _data(walked.broken),
            }
            for declared, walked in proof.walks
        ],
        "mutants": [
            {"name": mutant.name, "rule": mutant.rule, "found": _data(broken)} for mutant, broken in proof.mutants
        ],
        "assumptions": [
            {"name": assumption.name, "text": assumption.text, "without_it": _data(broken)}
            for assumption, broken in proof.assumptions
        ],
        "limit": {"text": limit.text, "without_it": _data(limit_broken)},
    }  # fmt: skip


def _data(broken: Broken | None) -> dict[str, Any] | None:
    return None if broken is None else {"invariant": broken.invariant, "trace": list(broken.trace)}


def _wrapped(text: str) -> list[str]:
    """A paragraph as lines of a terminal's 80 columns, those behind the first under it."""
    from textwrap import wrap

    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return wrap(text, 80, subsequent_indent=indent, break_long_words=False)


def _trace(broken: Broken | None) -> list[str]:
    return [] if broken is None else [f"    {number:>2} {said}" for number, said in enumerate(broken.trace, 1)]


def _shown(what: str) -> None:
    print(f"prove: {what}", file=sys.stderr)
