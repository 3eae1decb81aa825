"""Lists the requirements that no test names, and marks that name no requirement.

    python tests/check_requirements.py

A test names its rows with `@pytest.mark.requirement(2, 70)`; the rows stand in `requirements.toml` beside this file.
Exit code 1 where a row has no test and no argued exception, or a mark names a row that is not there.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
PARTS = ("host", "loop", "rulings", "review", "rehearsal")


def named(file: Path) -> Iterator[tuple[str, str]]:
    """The rows that the tests of a file name, each with the test."""
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("mark.requirement"):
                    for row in mark.args:
                        yield str(ast.literal_eval(row)), f"{file.relative_to(HERE)}::{node.name}"


def main() -> int:
    data = tomllib.loads((HERE / "requirements.toml").read_text(encoding="utf-8"))
    rows = {row: (part, text) for part in PARTS for row, text in data[part].items()}
    exceptions: dict[str, str] = data["exceptions"]
    tests: defaultdict[str, list[str]] = defaultdict(list)
    for file in sorted(HERE.rglob("test_*.py")):
        for row, test in named(file):
            tests[row].append(test)
    wrong = [f"row {row} has no test: {text} ({part})" for row, (part, text) in rows.items()
             if row not in tests and row not in exceptions]  # fmt: skip
    wrong += [f"row {row} has a test and an exception ({reason})" for row, reason in exceptions.items() if row in tests]
    numbers = set(rows) | set(map(str, data["others"]["rows"]))
    wrong += [
        f"{test} names row {row}, which is not there" for row in tests if row not in numbers for test in tests[row]
    ]
    for line in wrong:
        print(line)
    covered = sum(row in tests for row in rows)
    print(f"{covered} of {len(rows)} rows have tests, {len(exceptions)} are argued exceptions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
