"""What the author is asked, and shown, in dialogs over the screens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wizard.emit.model import Layout
from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath
from wizard.operation.model import KeyPlace, Operation, Probe, Reference
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.session import steps
from wizard.session.choices import failed_of, key_choices
from wizard.session.fields import is_field_name
from wizard.session.preview import Preview
from wizard.session.state import Entry
from wizard.skill.document import parse_skill
from wizard.source import Source
from wizard.tui.screens.asking import Asking, Question
from wizard.tui.screens.choosing import Choosing, Option
from wizard.tui.screens.editing import Editing
from wizard.tui.screens.probing import AS_TEXT, Probing
from wizard.yamltext.printing import Style, member

if TYPE_CHECKING:
    from wizard.tui.app import WizardApp


def ask_field(app: WizardApp, entry: Entry) -> None:
    """A field by name that the document does not show."""

    def check(found: dict[str, str]) -> str:
        return is_field_name(found["name"]) if found["name"] else "A name is wanted, as `customer.email`"

    def taken(found: dict[str, str] | None) -> None:
        if found is not None and app.change(steps.add_field, entry.name, found["name"]):
            app.refocus(f"field:{FieldPath.parse(found['name']).name}")

    hint = (
        "The model fills it in, and it is part of the identity; space takes it out. customer.email goes into an "
        "object, items[].sku into each element of a list, query:page is a query parameter."
    )
    app.push_screen(
        Asking("Add a field that the document does not show", [Question("name", "Name")], hint=hint, check=check), taken
    )  # fmt: skip


def read_key(found: dict[str, str]) -> tuple[KeyPlace | None, str]:
    """A key place from what was typed, and what is wrong with it."""
    place, _, name = found["place"].partition(" ")
    mapping: dict[str, Any] = {"in": place.lower(), "name": name.strip(), "shape": found["shape"] or "uuid"}
    if found["for"]:
        mapping["for"] = found["for"]
    if place.lower() not in ("header", "field", "query") or not name.strip():
        return None, "The place is `header NAME`, `field NAME` or `query NAME`"
    operation, problems = parse_operation({"method": "POST", "url": "https://example.org/x", "key": mapping})
    if problems or operation is None or operation.key is None:
        return None, problems[0].message if problems else "This is no key place"
    return operation.key, ""


def ask_key(app: WizardApp, entry: Entry) -> None:
    """A key that only the vendor's page knows, with the page that says so."""
    offered = next((one for one in key_choices(entry) if one.source), None)
    key = offered.key if offered is not None else None
    questions = [
        Question("place", "Place", f"{key.place} {key.name}" if key else "header ", "header Idempotency-Key"),
        Question("source", "Who says so: the page's address, or a person", offered.source if offered else "", "https://"),
        Question("for", "How long the recipient remembers it (24h, 30d; empty: not known)",
                 str(key.remembered_for) if key and key.remembered_for else ""),
        Question("shape", "Shape: uuid, uuid4, hex32 or hex64", "uuid"),
    ]  # fmt: skip

    def check(found: dict[str, str]) -> str:
        if not found["source"]:
            return "Say who promises it; the lock keeps that, and a reviewer asks for it"
        return read_key(found)[1]

    def taken(found: dict[str, str] | None) -> None:
        if found is not None:
            app.change(steps.set_key, entry.name, read_key(found)[0], source=found["source"])

    hint = "A key that the recipient does not honour lets a repeat through as a second write: name who promises it."
    app.push_screen(Asking("A key that the document does not show", questions, hint=hint, check=check), taken)


def ask_reference(app: WizardApp, entry: Entry) -> None:
    def check(found: dict[str, str]) -> str:
        return is_field_name(found["name"]) if found["name"] else ""

    def taken(found: dict[str, str] | None) -> None:
        if found is not None:
            named = Reference(FieldPath.parse(found["name"]).name) if found["name"] else None
            app.change(steps.set_reference, entry.name, named)

    hint = "A field that the recipient stores and gives back, such as an invoice's reference. Empty takes it out."
    app.push_screen(Asking("Reference", [Question("name", "Field")], hint=hint, check=check), taken)


def ask_keep(app: WizardApp, entry: Entry) -> None:
    operation = entry.declaration
    if operation is None:
        return

    def check(found: dict[str, str]) -> str:
        try:
            Duration.parse(found["keep"] or "5m")
        except ValueError as error:
            return str(error).capitalize()
        return ""

    def taken(found: dict[str, str] | None) -> None:
        if found is not None:
            app.change(steps.set_keep, entry.name, Duration.parse(found["keep"]) if found["keep"] else None)

    hint = (
        "How long an equal write is answered with the first answer. Empty is the default: 24h for POST, 5m for others."
    )
    given = str(operation.keep) if operation.keep is not None else ""
    app.push_screen(Asking("Keep", [Question("keep", "As 10m, 24h, 30d", given)], hint=hint, check=check), taken)


def ask_failed(app: WizardApp, entry: Entry) -> None:
    """What in an answer of success says that the write was refused."""
    operation = entry.declaration
    if operation is None:
        return

    def check(found: dict[str, str]) -> str:
        if not found["failed"]:
            return ""
        mapping = {"method": "POST", "url": "https://example.org/x", "failed": found["failed"]}
        problems = parse_operation(mapping)[1]
        return problems[0].message if problems else ""

    def taken(found: dict[str, str] | None) -> None:
        if found is not None:
            app.change(steps.set_failed, entry.name, found["failed"] or None)

    hint = (
        'Some recipients refuse with a 2xx, as {"ok": false}. The JSONPath that selects something in such an answer '
        "and nothing in one of a write that was made. Empty takes it out."
    )
    question = Question("failed", "JSONPath", failed_of(entry), "$[?$.ok == false]")
    app.push_screen(Asking("Refusal", [question], hint=hint, check=check), taken)


def ask_probe(app: WizardApp, entry: Entry) -> None:
    """The probe as a form; from there its text can be reached, too."""
    if app.session is None or entry.declaration is None:
        return

    def taken(found: Probe | str | None) -> None:
        if found == AS_TEXT:
            edit_declaration(app, entry)
        elif isinstance(found, Probe):
            app.change(steps.set_probe, entry.name, found)

    app.push_screen(Probing(app.session, entry, app.desk.linting()[0]), taken)


# Texts


def declaration_text(operation: Operation) -> str:
    """A declaration as the YAML mapping that stands under `operation:`."""
    return "".join(member(name, value, 0, Style()) + "\n" for name, value in print_operation(operation).items())


def read_declaration(text: str) -> tuple[Operation | None, str]:
    """A declaration from its text, and what is wrong with it, with its line."""
    inner = "".join(f"  {line}\n" if line.strip() else "\n" for line in text.splitlines())
    source = Source("declaration.md", f"---\noperation:\n{inner}---\n")
    skill = parse_skill(source)
    if skill.problems:
        problem = skill.problems[0]
        line = max(source.position(problem.span.start).line - 2, 1)
        return None, f"line {line}: {problem.message}" + (f". {problem.remedy}" if problem.remedy else "")
    return skill.operation, "" if skill.operation is not None else "This declares no operation"


def edit_declaration(app: WizardApp, entry: Entry) -> None:
    """The whole declaration as text."""
    if entry.declaration is None:
        app.notify(entry.problem or "The proposal is not there yet.", markup=False)
        return
    text = declaration_text(replace(entry.declaration, status=None))

    def check(found: str) -> str:
        operation, problem = read_declaration(found)
        declared = entry.declaration
        if operation is None or declared is None:
            return problem
        if operation.method != declared.method:
            return f"The method is {declared.method}; another one is another operation"
        return problem

    def taken(found: str | None) -> None:
        operation = None if found is None else read_declaration(found)[0]
        if operation is not None:
            app.change(steps.set_declaration, entry.name, operation)

    hint = "The mapping under `operation:`. What is wrong with it is said below."
    app.push_screen(Editing(f"Declaration of {entry.name}", text, hint=hint, check=check), taken)


def edit_prose(app: WizardApp, entry: Entry, preview: Preview) -> None:
    """The text under the declaration."""
    text = entry.prose if entry.prose is not None else preview.prose
    if not text:
        app.notify(preview.problem or "The skill is still being worked out.", markup=False)
        return

    def taken(found: str | None) -> None:
        if found is not None and found.rstrip() != text.rstrip():
            app.change(steps.set_prose, entry.name, found if found.strip() else None)

    hint = (
        "What the model reads. Nothing in it may tell the model to build a key. An empty text is the template's again."
    )
    app.push_screen(Editing(f"Text of {entry.name}", text, hint=hint), taken)


# Layout and folder


def ask_layout(app: WizardApp) -> None:
    session = app.session
    if session is None:
        return
    about = {
        Layout.FOLDER: "one skill: an index beside a file for each operation",
        Layout.SINGLE: "one skill for each operation",
        Layout.SPECS: "the operations' files alone",
    }
    options = [Option(str(layout), str(layout), text, layout is session.layout) for layout, text in about.items()]
    options.append(Option("out", "folder …", f"another folder than {app.desk.out}"))

    options.append(
        Option("server", "server …", "the address that the paths begin with: " + (session.server or "the document's"))
    )

    def server(found: dict[str, str] | None) -> None:
        if found is not None and found["server"]:
            app.change(steps.set_server, found["server"])

    def folder(found: dict[str, str] | None) -> None:
        if found is not None and found["out"]:
            app.use_folder(Path(found["out"]).expanduser())

    def chosen(found: frozenset[str] | None) -> None:
        for one in found or ():
            if one == "server":
                app.push_screen(
                    Asking(
                        "The address that the paths begin with",
                        [Question("server", "Server", session.server or "https://")],
                    ),
                    server,
                )
            elif one == "out":
                question = Question("out", "Folder", str(app.desk.out))
                app.push_screen(Asking("The folder to write into", [question]), folder)
            else:
                app.change(steps.set_layout, Layout(one))

    app.push_screen(Choosing("Layout and folder", options), chosen)
