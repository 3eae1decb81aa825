"""Confirming: a look at what is confirmed and what it cannot prevent, of one operation or of all that are sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wizard.session import steps
from wizard.session.advice import could_go_wrong
from wizard.session.state import Entry
from wizard.tui.lines import Line, Maker, wrapped
from wizard.tui.screens.choosing import Choosing, Option
from wizard.tui.screens.telling import Telling

if TYPE_CHECKING:
    from wizard.tui.app import WizardApp


def confirm(app: WizardApp, name: str) -> None:
    """Confirms one operation after a look at what could go wrong."""
    if app.session is None:
        return
    entry = app.session[name]
    if entry.declaration is None or entry.proposal is None:
        app.notify(entry.problem or "The proposal is not there yet.", severity="warning", markup=False)
        return
    if app.session.read_only:
        app.notify("This session only reads.", severity="warning")
        return

    def answered(answer: str | None) -> None:
        if not answer:
            return
        if app.change(steps.confirm, name):
            app.notify(f"Confirmed: {name}. w writes it.", markup=False, timeout=3)
        if answer == "next":
            found = app.next_to_do(name)
            if found is not None:
                app.open_operation(found)

    keys = (("enter,c", "confirm", "Confirm"), ("n", "next", "Confirm, and the next"))
    app.push_screen(Telling(f"Confirm {name}?", confirm_lines(entry), keys), answered)


def confirm_high(app: WizardApp) -> None:
    """Confirms all of high confidence, after a look at the list."""
    if app.session is None:
        return
    if app.session.pending:
        app.notify(f"{len(app.session.pending)} operations are still being looked at.", severity="warning")
    found = steps.confirmable(app.session)
    if not found:
        app.notify("There is nothing that is proposed with high confidence and not decided.")
        return
    options = [Option(entry.name, entry.name, _in_short(entry), chosen=True) for entry in found]

    def chosen(names: frozenset[str] | None) -> None:
        if names:
            app.change(steps.confirm_high, names)
            app.notify(f"Confirmed {len(names)}. u takes all of it back; w writes them.", timeout=3)

    hint = "Look them over; space takes one out. Enter confirms what is left, in one step that u takes back."
    app.push_screen(Choosing(f"Confirm {len(found)} of high confidence?", options, several=True, hint=hint), chosen)


def confirm_lines(entry: Entry) -> Maker:
    """What is confirmed, and what it cannot prevent."""

    def lines(width: int) -> list[Line]:
        operation, proposal = entry.declaration, entry.proposal
        assert operation is not None
        assert proposal is not None
        found = []
        if not entry.edited:
            found += [Line.of(part) for part in wrapped(proposal.identity.why or proposal.why, width)] + [Line()]
        names = ", ".join(str(path) for path in operation.identity)
        none = "none: by all arguments of a session" if operation.scope == "arguments" else "none: by the call"
        probe = operation.probe
        if entry.harmless:
            said = "It only replaces: sent twice it leaves what one leaves. Nothing is recorded of it."
            return [*found, *(Line.of(part) for part in wrapped(said, width))]
        facts = [
            ("identity", names or none),
            ("key", f"{operation.key.place} {operation.key.name}" if operation.key else "none"),
            ("probe", f"GET {probe.url}" if probe else "none"),
            ("keep", str(operation.kept_for)),
        ]
        for name, value in facts:
            for index, part in enumerate(wrapped(value, max(width - 10, 10))):
                found.append(Line(((f"{name if not index else '':10}", "muted"), (part, "strong"))))
        wrong = could_go_wrong(entry)
        found += [Line(), Line.of("What could go wrong", "heading")]
        if not wrong:
            found.append(Line.of("Nothing that we can see.", "muted"))
        for one in wrong:
            for index, part in enumerate(wrapped(one, max(width - 2, 10))):
                found.append(Line((("! " if not index else "  ", "warn"), (part, ""))))
        return found

    return lines


def _in_short(entry: Entry) -> str:
    operation = entry.declaration
    if operation is None:
        return ""
    names = ", ".join(str(path) for path in operation.identity) or "no field"
    return f"{entry.level}: {names}"
