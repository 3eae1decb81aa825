"""What workers tell the app when they are done with a piece of work."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from wizard.session.desk import Opened
from wizard.session.preview import Preview
from wizard.session.steps import Arrived


@dataclass
class DocumentRead(Message):
    """The document is there, with what was decided before."""

    opened: Opened


@dataclass
class DocumentFailed(Message):
    """The document could not be read."""

    message: str
    place: str
    remedy: str


@dataclass
class ProposalsArrived(Message):
    """Some operations were looked at."""

    found: tuple[Arrived, ...]


@dataclass
class PreviewMade(Message):
    """What would be written for one operation, as it stood when it was asked for."""

    name: str
    asked: int
    preview: Preview
