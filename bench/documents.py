"""How long reading and proposing take, how much memory, and how both grow with the document.

    python -m bench.documents                               documents made up for it: 0.1, 1, 5 and 13 MB, JSON and YAML
    python -m bench.documents --sizes 1,13 --formats yaml
    python -m bench.documents openapi.yaml other.json       documents of yours
    python -m bench.documents --against redocly,spectral    and the time that their `lint` takes, by npm

Each figure is of a process of its own. `read` and `propose` are seconds of the processor, the best of `--repeat`, so
that a busy machine tells what an idle one does; `grows` is how much they grew from the row above, 1 being in step with
the size. `whole` is a process that reads and proposes once, from its start to its end: seconds by the clock, and of the
processor. That is what other tools are compared with: their seconds, and how many times ours, both ways.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if __package__:
    from bench.made_up import document_of_size
else:
    sys.path.insert(0, str(Path(__file__).parent))
    from made_up import document_of_size

ROOT = Path(__file__).parents[1]
TOOLS = {
    "redocly": ("@redocly/cli", ["redocly", "lint", "--extends=recommended"]),
    "spectral": ("@stoplight/spectral-cli", ["spectral", "lint", "--quiet", "--ruleset", "{ruleset}"]),
}
SECONDS = 900


def measure(path: str, repeat: int, propose: bool) -> dict[str, Any]:
    """Reads the document `repeat` times, and proposes once for each; in this very process."""
    from wizard.spec.reader import read_document

    figures: dict[str, Any] = {}
    for _ in range(repeat):
        started = time.process_time()
        document = read_document(path)
        read = time.process_time() - started
        figures["read"] = min(read, figures.get("read", read))
        figures["operations"] = len(document.operations)
        figures["problems"] = len(document.problems)
        figures["read_peak"] = peak()
        if propose:
            from wizard.infer.propose import propose_document

            started = time.process_time()
            propose_document(document)
            took = time.process_time() - started
            figures["propose"] = min(took, figures.get("propose", took))
        del document
    figures["peak"] = peak()
    return figures


def peak() -> float:
    """The most memory that this process had, in MB."""
    # On Linux ru_maxrss begins with what the parent had when it started this process.
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1_000
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1_000_000 if sys.platform == "darwin" else 1_000)


def measured(path: Path, repeat: int, propose: bool) -> dict[str, Any]:
    """The figures of a process of its own; `whole` of one that reads and proposes once."""
    command = [sys.executable, "-m", "bench.documents", "--measure", str(path)]
    command += ["--propose"] if propose else []
    clock, processor, _ = timed([*command, "--repeat", "1"], ROOT)
    done = subprocess.run([*command, "--repeat", str(repeat)], cwd=ROOT, check=True, capture_output=True, text=True)
    return {**json.loads(done.stdout), "clock": clock, "processor": processor}


def others(names: list[str], folder: Path) -> dict[str, list[str]]:
    """The commands of other tools, installed into a folder by npm."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("--against needs npm")
    folder.mkdir(parents=True, exist_ok=True)
    packages = [TOOLS[name][0] for name in names]
    print(f"npm installs {', '.join(packages)} into {folder} …", file=sys.stderr)
    done = subprocess.run(
        [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", *packages],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"npm could not install them: {done.stderr.strip().splitlines()[-1:]}")
    ruleset = folder / "ruleset.yaml"
    ruleset.write_text('extends: ["spectral:oas"]\n')
    commands = {}
    for name in names:
        program, *words = TOOLS[name][1]
        commands[name] = [
            str(folder / "node_modules/.bin" / program),
            *(word.format(ruleset=ruleset) for word in words),
        ]
    return commands


def timed(command: list[str], folder: Path) -> tuple[float, float, str]:
    """A process from its start to its end: seconds by the clock and of the processor, and what went wrong."""
    environment = {**os.environ, "REDOCLY_TELEMETRY": "off", "NODE_OPTIONS": "--max-old-space-size=8192"}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    said = ""
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, env=environment, cwd=folder, check=False)
        # A linter answers 1 for findings; anything above says that it did not come to its end.
        said = "" if done.returncode in (0, 1) else f" exit {done.returncode}"
    except subprocess.TimeoutExpired:
        said = " stopped"
    clock, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said


def documents(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[str, float, Path]]:
    """Each document's kind, its size in MB, and where it lies."""
    for given in arguments.documents:
        yield given.suffix.lstrip(".") or "?", given.stat().st_size / 1e6, given.resolve()
    if arguments.documents:
        return
    for syntax in arguments.formats.split(","):
        for size in arguments.sizes.split(","):
            path = folder / f"made-up-{size}MB.{syntax}"
            path.write_bytes(document_of_size(float(size), syntax))
            yield syntax, path.stat().st_size / 1e6, path


def row(cells: list[str]) -> None:
    print("  ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=False)), flush=True)


WIDTHS = (6, 7, 6, 8, 6, 9, 6, 6, 11, 8, 26, 26)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*", type=Path, metavar="DOCUMENT")
    parser.add_argument("--sizes", default="0.1,1,5,13", help="in MB (default: %(default)s)")
    parser.add_argument("--formats", default="json,yaml", help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many counts (default: %(default)s)")
    parser.add_argument("--read-only", action="store_true", help="do not propose")
    parser.add_argument("--against", default="", metavar="TOOLS", help="redocly, spectral, or both with a comma")
    parser.add_argument("--tools", type=Path, help="where npm installs them (default: a folder that is removed)")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--propose", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.measure:
        print(json.dumps(measure(arguments.measure, arguments.repeat, arguments.propose)))
        return 0
    propose = not arguments.read_only and importlib.util.find_spec("wizard.infer.propose") is not None
    names = [name for name in arguments.against.split(",") if name]
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        parser.error(f"--against knows {', '.join(TOOLS)}, not {', '.join(unknown)}")
    with tempfile.TemporaryDirectory(prefix="skill-wizard-bench-") as folder:
        commands = others(names, arguments.tools or Path(folder) / "tools") if names else {}
        row(["", "MB", "ops", "read s", "grows", "propose s", "grows", "ops/s", "whole s", "peak MB", *commands])
        before: tuple[str, float, dict[str, Any]] | None = None
        for syntax, size, path in documents(arguments, Path(folder)):
            figures = measured(path, arguments.repeat, propose)
            busy = figures["read"] + figures.get("propose", 0.0)
            cells = [syntax, f"{size:.1f}", str(figures["operations"]), f"{figures['read']:.3f}", "",
                     f"{figures['propose']:.3f}" if propose else "-", "", f"{figures['operations'] / busy:.0f}",
                     f"{figures['clock']:.2f}/{figures['processor']:.2f}", f"{figures['peak']:.0f}"]  # fmt: skip
            if before and before[0] == syntax and not arguments.documents:
                grown = size / before[1]
                cells[4] = f"{figures['read'] / before[2]['read'] / grown:.2f}"
                cells[6] = f"{figures['propose'] / before[2]['propose'] / grown:.2f}" if propose else ""
            for command in commands.values():
                clock, processor, said = timed([*command, str(path)], path.parent)
                times = f"{clock / figures['clock']:.1f}x {processor / figures['processor']:.1f}x"
                cells.append(f"{clock:.1f}/{processor:.1f} {times}{said}")
            row(cells)
            before = (syntax, size, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
