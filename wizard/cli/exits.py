"""What the exit code of a command promises."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """0 clean, 1 findings, 2 could not do the job, 3 no file matched, 130 interrupted."""

    CLEAN = 0
    FINDINGS = 1
    FAILED = 2
    NO_FILES = 3
    INTERRUPTED = 130
