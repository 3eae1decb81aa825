"""Where the files that travel with the package lie: schemas and templates."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Literal

Kind = Literal["schemas", "templates"]


def folder(kind: Kind) -> Path:
    """The folder of that kind: inside an installed package, else beside it in the repository."""
    installed = Path(str(files("wizard"))) / "_assets" / kind
    return installed if installed.is_dir() else Path(str(files("wizard"))).parent / kind
