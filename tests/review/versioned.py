"""Two versions of the samples: the sample as it lies, and with the edits of a file of `versions`."""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml

VERSIONS = Path(__file__).with_name("versions")
SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = tuple(sorted(path.stem for path in VERSIONS.glob("*.yml")))


def laid_out(name: str, folder: Path) -> None:
    """Writes `base` and `head` into a folder. Every edit has to meet its text once."""
    version = yaml.safe_load((VERSIONS / f"{name}.yml").read_text(encoding="utf-8"))
    for side in ("base", "head"):
        shutil.copytree(SAMPLES / version["sample"], folder / side)
        if version["confirmed"]:
            for path in (folder / side).rglob("*.md"):
                replaced(path, "  status: proposed\n", "", needed=False)
    for file, edits in version["edits"].items():
        for old, new in edits:
            replaced(folder / "head" / file, old, new)


def replaced(path: Path, old: str, new: str, *, needed: bool = True) -> None:
    text = path.read_text(encoding="utf-8")
    assert not needed or text.count(old) == 1, f"{path}: {text.count(old)} times {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")
