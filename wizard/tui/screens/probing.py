"""A probe as a form: where to ask, which records, what is compared, and what "not there" looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from wizard.operation.model import DEFAULT_AFTER, Probe
from wizard.session.choices import absence
from wizard.session.linting import Linting
from wizard.session.probe_offers import (
    Compared,
    Offer,
    asked,
    begun,
    compared,
    nameable,
    offers,
    target_of,
    targets,
    with_match,
    with_url,
)
from wizard.session.probes import ProbeForm, read_form, said_of, with_member
from wizard.session.state import Entry, Session
from wizard.tui.keys import Keys
from wizard.tui.lines import Line, LineList, column, heading, wrapped
from wizard.tui.screens.asking import Asking, Question
from wizard.tui.screens.choosing import Choosing, Option
from wizard.tui.screens.dialog import Dialog

AS_TEXT = "text"
"""The answer of somebody who would rather edit the declaration as text."""

_LABELS = {
    "url": ("ask", "The address to ask, with {names} of the write"),
    "items": ("records", "The records in the answer: a JSONPath; empty takes the whole answer as the one record"),
    "since": ("made at", "The path of the time at which a record was made"),
    "absent": ("not there", "What proves that it is not there: empty, 404, or nothing"),
    "pages": ("pages", "How further pages come: none, link, a JSONPath, or `$.next as query:cursor`"),
    "after": ("wait", "How long after the last sending not finding it counts (30s, 5m); empty: 5m"),
}
Changing = Callable[[str], ProbeForm]
"""Gives the form with a value taken."""

_SIGNS = {"error": ("✗ ", "bad"), "warning": ("! ", "warn")}
_LABEL = 11


class Probing(Dialog[Probe | str | None]):
    """Answers with the probe, with AS_TEXT, or with None where it was left as it was."""

    HELP = (
        "When an answer was lost, the host asks with this probe whether the write is there. A record counts as this "
        "write where all that is compared is equal. What is wrong with a line is said below it."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "change", "Change", tooltip="choose another value for the line, or type one"),
        Binding("space", "pick", "Compare or not", tooltip="compare the field, or do not"),
        Binding("ctrl+s", "take", "Take", tooltip="take the probe as it stands"),
        Binding("e", "text", "As text", tooltip="edit the whole declaration as text instead"),
        Binding("escape", "leave", "Back", tooltip="go back and leave it as it was"),
    ]

    def __init__(self, session: Session, entry: Entry, linting: Linting) -> None:
        super().__init__()
        self.session, self.of, self.linting = session, entry, linting
        self.form = self.first = begun(session, entry)
        self.said = said_of(session, entry, self.form, linting)
        self.warned = False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog", classes="tall"):
            yield Static(f"Probe of {self.of.name}", classes="title", markup=False)
            lines = LineList(id="lines")
            lines.show(self.lines, cursor="url", width=self.inner)
            yield lines
            yield Static("", classes="problem", markup=False)
            yield Keys()

    def on_mount(self) -> None:
        self.query_one(LineList).focus()

    # Showing

    def use(self, form: ProbeForm) -> None:
        """Shows another form, and what is to be said of it."""
        self.form, self.warned = form, False
        self.said = said_of(self.session, self.of, form, self.linting)
        self.query_one(".problem", Static).update("")
        self.query_one(LineList).show(self.lines)

    def lines(self, width: int) -> list[Line]:
        get = asked(self.session.document, self.form.url)
        operation = self.of.declaration
        names = ", ".join(nameable(operation)) if operation is not None else ""
        found = [*self._said("", width), *self._row("url", self.form.url or "nothing yet", width)]
        if get is not None:
            found += self._about(f"{get.name}: {get.summary or get.description or get.operation_id}", width)
        found += self._about(f"It may name {names}." if names else "There is nothing that it may name.", width)
        found += self._row("items", self.form.items or "the whole answer is the one record", width)
        found += [heading("compare", [("  a record is this write where all of these are equal", "muted")])]
        pairs = compared(self.of, self.form)
        room = max(min(max([len(one.name) for one in pairs], default=0), width // 3), 12) + 1
        found += [self._pair(one, room) for one in pairs]
        found.append(Line((("  + ", "muted"), ("another field of the write", "muted")), "add"))
        found += self._said("match", width)
        found += self._row("since", self.form.since or "not known", width)
        found += self._row("absent", self.form.absent or "nothing proves it; what is found counts", width)
        probe = read_form(self.of, self.form)
        if probe is not None and probe.absent:
            found += self._about(f"That is {absence(probe)}.", width)
        found += self._row("pages", self.form.pages or "not known", width)
        found += self._row("after", self.form.after or f"{DEFAULT_AFTER}, the default", width)
        errors = sum(one.severity == "error" for one in self.said)
        end = "Take it" if not errors else "It cannot be taken yet" if probe is None else "Take it all the same"
        return [*found, Line(), Line.of(f"  ⏎ {end}", "accent strong" if probe is not None else "muted", "take")]

    def _row(self, name: str, value: str, width: int) -> Iterator[Line]:
        strong = "strong" if getattr(self.form, name) else "muted"
        for index, part in enumerate(wrapped(value, max(width - _LABEL, 10))):
            label = column(_LABELS[name][0] if not index else "", _LABEL)
            yield Line(((label, "heading"), (part, strong)), name if not index else "")
        yield from self._said(name, width)

    def _pair(self, one: Compared, room: int) -> Line:
        box = "[x] " if one.path else "[ ] "
        shown = f"with {one.path}" if one.path else ("the address fixes it" if one.by_url else "not compared")
        also = "  the address fixes it, too" if one.path and one.by_url else ""
        return Line(
            (
                (box, "accent strong" if one.path else "muted"),
                (column(one.name, room) + " ", "strong" if one.path else ""),
                (shown, "" if one.path or one.by_url else "muted"),
                (also, "muted"),
            ),
            f"match:{one.name}",
        )

    def _said(self, name: str, width: int) -> Iterator[Line]:
        for one in self.said:
            if one.member == name:
                sign, look = _SIGNS.get(one.severity, ("· ", "muted"))
                for index, part in enumerate(wrapped(one.message, max(width - _LABEL - 2, 10))):
                    yield Line(((" " * _LABEL, ""), (sign if not index else "  ", look), (part, look)))

    def _about(self, text: str, width: int) -> Iterator[Line]:
        for part in wrapped(" ".join(text.split()), max(width - _LABEL, 10))[:2]:
            yield Line(((" " * _LABEL, ""), (part, "muted")))

    # Changing

    @property
    def at(self) -> str:
        return self.query_one(LineList).cursor

    @on(LineList.Chosen)
    def _clicked(self) -> None:
        if self.at.startswith("match:"):
            self.action_pick()
        else:
            self.action_change()

    def action_pick(self) -> None:
        kind, _, name = self.at.partition(":")
        if kind != "match":
            self.action_change()
            return
        now = dict(self.form.match).get(name, "")
        self.use(with_match(self.form, name, "" if now else target_of(self.session, self.form, name)))

    def action_change(self) -> None:
        kind, _, name = self.at.partition(":")
        if kind == "take":
            self.action_take()
        elif kind == "add":
            self._add()
        elif kind == "match":
            now = dict(self.form.match).get(name, "")
            offered = (*targets(self.session, self.form, name), Offer("", "not compared"))
            self._choose(
                f"Where a record shows {name}", offered, now,
                lambda value: with_match(self.form, name, value), "match", "The path in a record, as room.id",
            )  # fmt: skip
        elif kind == "url":
            self._choose(
                "Where to ask", offers(self.session, self.of, self.form, "url"), self.form.url,
                lambda value: with_url(self.session, self.of, self.form, value), "url", _LABELS["url"][1],
            )  # fmt: skip
        elif kind:
            self._choose(
                _LABELS[kind][1], offers(self.session, self.of, self.form, kind), getattr(self.form, kind),
                lambda value: with_member(self.form, kind, value), kind, _LABELS[kind][1],
            )  # fmt: skip

    def _choose(
        self, title: str, offered: tuple[Offer, ...], now: str, change: Changing, name: str, label: str
    ) -> None:
        """Lets somebody choose from what is offered, or type a value; what is wrong with that is said at once."""
        listed = offered if any(one.value == now for one in offered) else (Offer(now, "as it stands"), *offered)
        options = [
            Option(str(at), _short(one.value) or "(none)", " ".join(one.about.split()), one.value == now)
            for at, one in enumerate(listed)
        ]
        typed = Option("type", "another …", "type it")

        def check(found: dict[str, str]) -> str:
            changed = change(found["value"])
            said = said_of(self.session, self.of, changed) if read_form(self.of, changed) is None else ()
            return next((one.message for one in said if one.member == name), "")

        def asked_for(found: dict[str, str] | None) -> None:
            if found is not None:
                self.use(change(found["value"]))

        def chosen(found: frozenset[str] | None) -> None:
            for one in found or ():
                if one == "type":
                    self.app.push_screen(Asking(title, [Question("value", label, now)], check=check), asked_for)
                else:
                    self.use(change(listed[int(one)].value))

        self.app.push_screen(Choosing(title, [*options, typed]), chosen)

    def _add(self) -> None:
        """Compares one more field of the write."""
        known = {one.name for one in compared(self.of, self.form)}
        operation = self.of.declaration
        more = [path.required().name for path in operation.body] if operation is not None else []
        offered = tuple(Offer(name) for name in more if name not in known)

        def change(name: str) -> ProbeForm:
            return with_match(self.form, name, target_of(self.session, self.form, name)) if name else self.form

        self._choose(
            "Which field is compared, too?", offered, "", change, "match", "The field's name, as customer.email"
        )

    # Leaving

    def action_take(self) -> None:
        probe = read_form(self.of, self.form)
        if probe is None:
            self._warn("It cannot be taken yet: what is marked with ✗ has to be mended first.")
        else:
            self.dismiss(probe)

    def action_text(self) -> None:
        self.dismiss(AS_TEXT)

    def action_leave(self) -> None:
        if self.form != self.first and not self.warned:
            self.warned = True
            self._warn("Escape again drops what you changed; ctrl+s takes it.")
        else:
            self.dismiss(None)

    def _warn(self, text: str) -> None:
        self.query_one(".problem", Static).update(f"! {text}")


def _short(value: str) -> str:
    """An address without its host: what tells it from its neighbours."""
    _, found, rest = value.partition("://")
    return f"/{rest.partition('/')[2]}" if found else value
