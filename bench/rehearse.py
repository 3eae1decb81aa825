"""How long a rehearsal takes: all of a folder's declarations by the clock, and each story that loses no process.

    python -m bench.rehearse                              samples/hollowbrook
    python -m bench.rehearse skills --document openapi.yaml

The whole is the command as a user calls it, in the number of processes that it takes by itself; beside it stands how
often `python -c pass` would have started in that time. A story is measured in one process, without what is loaded once:
milliseconds by the clock, and of the processor in all threads, which a busy machine does not lengthen. What is
promised: 20 s for all of Hollowbrook, 50 ms for a story without a real kill.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

from wizard.host.store import open_store
from wizard.lint.documents import Documents
from wizard.lint.matching import operation_of
from wizard.rehearse.casting import Simulation
from wizard.rehearse.model import Verdict
from wizard.rehearse.rehearsing import subject_of, units
from wizard.rehearse.schedule import Story, stories
from wizard.rehearse.subject import World
from wizard.rehearse.telling import tell
from wizard.skill.document import parse_skill
from wizard.skill.files import find_skills, read_text

SAMPLE = Path(__file__).parents[1] / "samples" / "hollowbrook" / "skills"


def whole(paths: Sequence[str], document: str | None) -> tuple[float, int, int]:
    """Seconds of the whole command, the stories that were told, the processes that were lost on purpose."""
    command = [sys.executable, "-m", "wizard", "rehearse", *paths, "--format", "json"]
    began = time.perf_counter()
    done = subprocess.run(
        command + (["--document", document] if document else []), capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - began
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    told = [
        story["story"]
        for operation in json.loads(done.stdout)["operations"]
        for story in operation["stories"]
        if story["verdict"] != "skipped"
    ]
    return seconds, len(told), sum(stories()[name].kills for name in told)


def start() -> float:
    """Seconds of bare Python's start, the best of five."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        best = min(best, time.perf_counter() - began)
    return best


def alone(paths: Sequence[str], document: str | None) -> list[tuple[float, float, str]]:
    """Each story without a kill: milliseconds by the clock and of the processor, and what was told."""
    documents = Documents(document, ".")
    subjects = []
    for path in find_skills([Path(one) for one in paths]):
        skill = parse_skill(read_text(path))
        if skill.operation is None or not skill.operation.is_write:
            continue
        found = documents.choose(str(path), None)
        read = documents.load(found.name) if found else None
        api = operation_of(read, skill.operation) if read else None
        subjects.append(subject_of(skill.name or path.stem, skill.operation, str(path), api, read))
    measured = []
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        store = open_store(f"sqlite:{folder}/records.db")
        world = World(store=store, store_url=f"sqlite:{folder}/records.db", recipient=Simulation())
        quiet: list[Story] = [story for story in stories().values() if not story.kills]
        for unit in units(subjects):
            # What is loaded once, and what is kept of an operation, belongs to the whole.
            tell(stories()["plain"], unit.subject, unit.operation, unit.declared, world, strict=unit.own)
            for story in quiet:
                began, spent = time.perf_counter(), time.process_time()
                run = tell(story, unit.subject, unit.operation, unit.declared, world, strict=unit.own)
                if run.verdict is not Verdict.SKIPPED:
                    name = f"{story.name} of {unit.subject.name}, {unit.declared}"
                    clock, own = time.perf_counter() - began, time.process_time() - spent
                    measured.append((clock * 1000, own * 1000, name))
        store.close()
    return measured


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=[str(SAMPLE)])
    parser.add_argument("--document")
    args = parser.parse_args(argv)
    seconds, told, kills = whole(args.paths, args.document)
    python = start()
    print(f"whole     {seconds:.1f} s for {told:,} stories, {kills} with real processes lost")
    print(f"          {seconds / python:,.0f} of bare Python's start")
    measured = alone(args.paths, args.document)
    for index, label in ((0, "clock"), (1, "processor")):
        values = sorted(one[index] for one in measured)
        print(
            f"a story   {label:9} {median(values):5.1f} / {quantiles(values, n=20)[-1]:5.1f} / {values[-1]:5.1f} ms"
            f"   (median, 95 %, longest of {len(values)})"
        )
    for clock, own, name in sorted(measured, reverse=True)[:3]:
        print(f"          longest   {clock:5.1f} ms, {own:5.1f} of the processor: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
