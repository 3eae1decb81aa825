"""What the configuration says to every command that reads skills: what it leaves out, and which document is whose."""

from __future__ import annotations

import os
from collections.abc import Callable


def settings() -> tuple[Callable[[object, bool], bool] | None, Callable[[str], str | None]]:
    """What the configuration leaves out of folders, and the API document that it names for a file."""
    from wizard.lint.config import find_config, load_config
    from wizard.lint.ignored import Ignored, Patterns

    found = find_config(os.getcwd())
    if found is None:
        return None, lambda name: None
    settings = load_config(os.path.relpath(found))
    base = os.path.abspath(settings.root)
    per_path = [(Patterns(one.paths, base), one) for one in settings.per_path if one.document is not None]

    def configured(path: str) -> str | None:
        chosen = next((one.document for patterns, one in reversed(per_path) if patterns.match(path, False)), None)
        wanted = chosen or settings.document
        return wanted if wanted is None or "://" in wanted else os.path.normpath(os.path.join(base, wanted))

    return Ignored(".", settings.exclude, base), configured  # type: ignore[return-value]
