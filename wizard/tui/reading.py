"""The document read and its operations looked at, off the screen's thread; and what a person is told of it."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from textual.worker import Worker, get_current_worker

from wizard.errors import WizardError
from wizard.infer.propose import propose_operation
from wizard.session import steps
from wizard.session.desk import Opened, reread
from wizard.session.state import Session
from wizard.spec.model import ApiDocument
from wizard.tui.lines import Line, wrapped
from wizard.tui.messages import DocumentFailed, DocumentRead, ProposalsArrived

if TYPE_CHECKING:
    from wizard.tui.app import WizardApp

_BATCH = 0.25
"""Seconds between two batches of proposals."""
_LARGE = 300
"""Operations from which a document counts as large."""
SELDOM = 1000
"""Young generations of objects before all that is kept is looked through for garbage."""

Found = TypeVar("Found")


def read(app: WizardApp, session: Session | None) -> None:
    """Reads the document, takes up what was decided before, and then proposes operation by operation. A worker's."""
    worker = get_current_worker()
    try:
        document = without_collector(app.read)
        if len(document.operations) > _LARGE:
            # It stays for as long as the app. All of what is kept is looked through when nobody presses a key.
            gc.freeze()
            gc.set_threshold(*gc.get_threshold()[:2], SELDOM)
        opened = app.desk.open(app.begin(document)) if session is None else reread(app.desk, session, document)
    except (WizardError, OSError) as error:
        found = error if isinstance(error, WizardError) else WizardError(error.strerror or str(error))
        app.post_message(DocumentFailed(found.message, found.place, found.remedy))
        return
    app.post_message(DocumentRead(opened))
    # The screen's thread gets its turn sooner, so that a key press does not wait for a long proposal.
    sys.setswitchinterval(0.001)
    warm = _propose(app, worker, opened, document)
    if len(document.operations) > _LARGE:
        gc.freeze()
    if warm is not None:
        # What a preview is made with is read now, and not when the first operation is opened.
        app.desk.preview(steps.with_arrived(opened.session, [warm]), warm.proposal.operation.name)


def _propose(app: WizardApp, worker: Worker[Any], opened: Opened, document: ApiDocument) -> steps.Arrived | None:
    """Looks at every operation, and sends what it found in batches; gives the first write that can be declared."""
    shared: dict[str, Any] = {}
    batch: list[steps.Arrived] = []
    warm: steps.Arrived | None = None
    sent = time.monotonic()
    # Writes first: they are what the author waits for.
    for operation in sorted(document.operations, key=lambda one: one.method in ("GET", "HEAD", "OPTIONS")):
        if worker.is_cancelled:
            return None
        proposal = propose_operation(document, operation, shared)
        batch.append(steps.arrived(opened.session, proposal))
        warm = warm or (batch[-1] if proposal.write and batch[-1].proposed is not None else None)
        now = time.monotonic()
        if now - sent > _BATCH:
            app.post_message(ProposalsArrived(tuple(batch)))
            batch, sent = [], now
    app.post_message(ProposalsArrived(tuple(batch)))
    return warm


def waiting_lines(app: WizardApp, width: int) -> list[Line]:
    """What stands where the list will be."""
    if app.failed is None:
        return [Line(), Line.of(f" Reading {app.source} …", "muted")]
    lines = [Line(), Line.of(" The document cannot be read.", "bad")]
    for text in (app.failed.place, app.failed.message, app.failed.remedy):
        lines += [Line.of(f" {part}") for part in wrapped(text, max(width - 2, 10))] if text else []
    return [*lines, Line(), Line.of(" Enter reads it again once it is mended; q leaves.", "muted")]


def tell_opened(app: WizardApp, opened: Opened) -> None:
    """Says what was found beside the document, and what of it could not be read."""
    for note in opened.notes[:3]:
        app.notify(note, severity="warning", markup=False, timeout=10)
    if len(opened.notes) > 3:
        app.notify(f"and {len(opened.notes) - 3} more of the kind", severity="warning")
    if opened.restored:
        count = opened.restored
        app.notify(f"{count} decision{'s' * (count > 1)} of last time taken up that no skill holds yet.")
    problems = len(opened.session.document.problems)
    if problems:
        said = "place of the document could not be read and is"
        if problems > 1:
            said = "places of the document could not be read and are"
        app.notify(f"{problems} {said} passed over.", severity="warning")


def without_collector(work: Callable[[], Found]) -> Found:
    """Does a piece of work that makes many objects while nothing is looked through for garbage: that holds up every
    thread, and would be felt at each key."""
    with _no_collector():
        return work()


@contextmanager
def _no_collector() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
