#!/usr/bin/env python3
"""How fast the linter is: side by side with agnix over many real skills, and against bare Python for one file.

    bench/lint.py                         everything, a few rounds
    bench/lint.py --skills skills.tar.gz  other skills (a .tar.gz, or a folder)
    bench/lint.py --rounds 9 --json figures.json

Prints the best and the median of each in milliseconds, and the ratios that matter: cold over agnix, warm over agnix,
one file over bare Python. The programs take turns, so that what else the machine does meets all of them. Needs the
`test` dependencies (agnix); without skills to look at it says so and ends with 2.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", ROOT.parent / "shared" / "corpus"))
BIN = Path(sys.executable).parent
SPEC = """\
---
name: charge
description: Charges a payment account. Use when a booking is to be paid.
operation:
  method: POST
  url: https://pay.example.com/charges
  body: [booking_id, amount_pence]
  identity: [booking_id, amount_pence]
  key: {in: header, name: Idempotency-Key, for: 24h}
  money: {amount: amount_pence, currency: GBP}
---

# Charge an account

Ask for the booking and the amount, and call it once. The host derives the key and sends it.
"""
ORDINARY = """\
---
name: towels
description: Says where the towels are. Use when a guest asks for more.
---

# Towels

They are in the cupboard beside the lift, on every floor.
"""


WRONG = SPEC.replace("identity: [booking_id, amount_pence]", "identity: [booking_id, note]").replace(
    "body: [booking_id, amount_pence]", "body: [booking_id, amount_pence, note]"
)


def timed(words: list[str], cwd: Path, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(words, cwd=cwd, env=environment, capture_output=True, check=False)
    took = time.perf_counter() - began
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')[-800:]}")
    return took * 1000


def unpacked(skills: Path, into: Path) -> Path:
    """The folder that holds the skills: a copy, so that nothing is written beside them."""
    if skills.is_dir():
        shutil.copytree(skills, into / "skills")
    else:
        with tarfile.open(skills) as archive:
            archive.extractall(into / "skills", filter="data")
    return into / "skills"


def shown(name: str, times: list[float], against: list[float] | None = None) -> str:
    said = f"  {name:<34} {min(times):8.1f} ms   {statistics.median(times):8.1f} ms"
    if against is None:
        return said
    best, median = min(times) / min(against), statistics.median(times) / statistics.median(against)
    return f"{said}   {best:5.2f} of it at best, {median:5.2f} at the median"


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--skills", type=Path, default=CORPUS / "skills" / "dev" / "bulk-skills.tar.gz")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.skills.exists():
        print(f"bench/lint.py: there are no skills at {args.skills}; name some with --skills", file=sys.stderr)
        return 2
    linter = [str(BIN / "skill-wizard"), "lint"]
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        # Compiled modules are kept, as an installed package has them, and the first run of each call is not counted.
        environment = {
            **os.environ,
            "SKILL_WIZARD_CACHE_DIR": str(base / "cache"),
            "PYTHONPYCACHEPREFIX": str(base / "compiled"),
            "NO_COLOR": "1",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        folder = unpacked(args.skills, base)
        files = sum(1 for _ in folder.rglob("SKILL.md"))
        many: dict[str, list[float]] = {"agnix": [], "cold": [], "warm": []}
        timed(linter, folder, environment)
        for _ in range(args.rounds):
            many["agnix"].append(timed([str(BIN / "agnix"), "."], folder, environment))
            shutil.rmtree(base / "cache", ignore_errors=True)
            many["cold"].append(timed(linter, folder, environment))
            many["warm"].append(timed(linter, folder, environment))
        (base / "one").mkdir()
        for name, text in (("spec.md", SPEC), ("SKILL.md", ORDINARY), ("wrong.md", WRONG)):
            (base / "one" / name).write_text(text, encoding="utf-8")
        calls = {
            "bare": [sys.executable, "-c", "pass"],
            "skill": [*linter, "--skills-only", "SKILL.md"],
            "skill, nothing kept": [*linter, "--skills-only", "--no-cache", "SKILL.md"],
            "operation spec": [*linter, "--skills-only", "spec.md"],
            "operation spec, nothing kept": [*linter, "--skills-only", "--no-cache", "spec.md"],
            "spec with a finding": [*linter, "--skills-only", "wrong.md"],
            "spec with a finding, nothing kept": [*linter, "--skills-only", "--no-cache", "wrong.md"],
        }
        one: dict[str, list[float]] = {name: [] for name in calls}
        for words in calls.values():
            timed(words, base / "one", environment)
        for _ in range(args.rounds * 3):
            for name, words in calls.items():
                one[name].append(timed(words, base / "one", environment))
    print(f"{files:,} skills, {args.rounds} rounds, {cores()} cores (best, median)")
    print(shown("agnix", many["agnix"]))
    print(shown("skill-wizard lint, cold", many["cold"], many["agnix"]))
    print(shown("skill-wizard lint, warm", many["warm"], many["agnix"]))
    print("one file, as a pre-commit hook calls it")
    print(shown("python -c pass", one["bare"]))
    for name in list(calls)[1:]:
        print(shown(name, one[name], one["bare"]))
    if args.json:
        figures = {
            "skills": files,
            "cold_over_agnix": min(many["cold"]) / min(many["agnix"]),
            "warm_over_agnix": min(many["warm"]) / min(many["agnix"]),
            **{f"{name} over bare Python": min(one[name]) / min(one["bare"]) for name in list(calls)[1:]},
        }
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
