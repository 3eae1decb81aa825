"""The errors a caller would want to tell apart. Each says what is wrong, where, and what to do."""

from __future__ import annotations


def ended(text: str) -> str:
    """The text with a full stop, unless it ends as a sentence does: another one can follow."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


class WizardError(Exception):
    """Something kept us from doing the job.

    `place` is where it stands (`openapi.yaml:12:5`, a path, a URL) or empty; `remedy` is one sentence
    that says what the reader can do, or empty. `str()` is the whole message in one line.
    """

    def __init__(self, message: str, *, place: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}" if self.place else self.message
        return f"{ended(head)} {self.remedy}" if self.remedy else head


class DocumentError(WizardError):
    """An API document could not be read at all."""


class LimitError(DocumentError):
    """An API document is larger, deeper or more entangled than we read."""


class SkillError(WizardError):
    """A skill file could not be read or written."""


class ConfigError(WizardError):
    """A configuration file does not say what it should."""


class UsageError(WizardError):
    """The words of a call do not fit together."""
