"""How long a review of a large API document against its next version takes, beside reading both.

    python -m bench.review                         made-up documents of 10 MB, JSON and YAML
    python -m bench.review openapi.json            a document of yours, against itself with some things changed

Skills are emitted for the document's writes, a hundred of them and all. The next version of the document lacks a member
of each hundredth schema, renames a parameter, requires one more. `review` is the command as it is called; `reading` is
`propose --operation` of one operation on each document, which is little more than reading it. What is promised: 6 s for
10 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

if __package__:
    from bench.made_up import document_of_size, written
else:
    sys.path.insert(0, str(Path(__file__).parent))
    from made_up import document_of_size, written

WIZARD = [sys.executable, "-m", "wizard"]


def next_version(value: dict[str, Any]) -> dict[str, Any]:
    """The document as it could be a release later."""
    schemas = list(value.get("components", {}).get("schemas", {}).values())
    for schema in schemas[::100]:
        properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
        if len(properties) > 1:
            properties.pop(next(reversed(properties)))
    for number, path in enumerate(value.get("paths", {}).values()):
        for operation in path.values() if isinstance(path, dict) and number % 50 == 0 else ():
            parameters = operation.get("parameters", []) if isinstance(operation, dict) else []
            for parameter in parameters[:1]:
                if "name" in parameter and parameter.get("in") == "query":
                    parameter["name"] += "_v2"
    return value


def read(text: bytes) -> dict[str, Any]:
    if text.lstrip()[:1] == b"{":
        found: dict[str, Any] = json.loads(text)
        return found
    import yaml

    loaded: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


def seconds(words: Sequence[str], folder: Path, allowed: Sequence[int] = (0,)) -> float:
    began = time.perf_counter()
    done = subprocess.run([*WIZARD, *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return time.perf_counter() - began


def measure(name: str, base: bytes, head: bytes) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        suffix = "json" if base.lstrip()[:1] == b"{" else "yaml"
        old, new = folder / f"base.{suffix}", folder / f"head.{suffix}"
        old.write_bytes(base)
        new.write_bytes(head)
        seconds(["emit", old.name, "--all", "--out", "skills"], folder)
        skills = sorted((folder / "skills").rglob("operations/*.md"))
        first = [one for one in skills if "\n  method: GET" not in one.read_text("utf-8")]
        reading = sum(seconds(["propose", one.name, "--operation", _operation(first[0])], folder) for one in (old, new))
        for label, kept in (("all", len(first)), ("100", 100)):
            for one in (*first[kept:], *(set(skills) - set(first))):
                one.unlink(missing_ok=True)
            words = ["review", "skills", "skills", "--document-base", old.name, "--document-head", new.name]
            spent = min(seconds([*words, "--format", "json"], folder, (0, 1)) for _ in range(2))
            yield (
                f"{name:12} {len(base) / 1e6:5.1f} MB   {label:>4} of {len(first):,} writes   review {spent:5.2f} s"
                f"   reading both {reading:5.2f} s   {spent / reading:.2f} of it"
            )


def _operation(skill: Path) -> str:
    text = skill.read_text("utf-8")
    request = text.partition("\n# ")[2].partition("\n\n")[2]
    method = text.partition("\n  method: ")[2].partition("\n")[0]
    path = text.partition("\n  url: ")[2].partition("\n")[0].partition("/v1")[2].strip("'\"")
    return f"{method} {path}" if path else request.partition("\n")[0]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*")
    parser.add_argument("--megabytes", type=float, default=10.0)
    args = parser.parse_args(argv)
    for document in args.documents:
        base = Path(document).read_bytes()
        syntax = "json" if base.lstrip()[:1] == b"{" else "yaml"
        for line in measure(Path(document).name[:12], base, written(next_version(read(base)), syntax)):
            print(line, flush=True)
    for syntax in () if args.documents else ("json", "yaml"):
        base = document_of_size(args.megabytes, syntax)
        for line in measure(syntax, base, written(next_version(read(base)), syntax)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
