"""What kind of file a name is. By itself, because telling it must cost nothing."""

from __future__ import annotations

import re
from typing import Literal

Form = Literal["spec", "skill"]


def form_of(name: str) -> Form:
    """What kind of file a name is: `skill` for a `SKILL.md`, `spec` for every other."""
    return "skill" if re.split(r"[/\\]", name)[-1].lower() == "skill.md" else "spec"
