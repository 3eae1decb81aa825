"""A plan: a workflow's name and version, its fixed list of steps, what it may spend and who may approve. Read from
YAML; all that is wrong with it is told together, each thing with its line and column.

    workflow: ticket-triage
    version: 1
    spend_cap: {amount: 100.00, currency: USD}
    approvers: [ada]
    steps:
      - name: draft_reply
        operation: {method: POST, url: http://127.0.0.1:8085/replies, body: [ticket, text]}
        arguments: {body: {ticket: T-1, text: We are on it.}}
        cost: 0.02

A step costs what it says under `cost`; one whose operation declares `money` costs the money that it moves, read from
its arguments, and needs an approver unless it says `approval: false`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from wizard.errors import ConfigError
from wizard.host.exactjson import InexactError, write_json
from wizard.host.plan import CURRENCY, Cap, Plan, Step, argument, money_of
from wizard.host.prepare import Arguments
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.operation.parsing import nearest, parse_operation
from wizard.source import Source, Span
from wizard.yamltext.nodes import Node, YamlError, at, item_at, value_of
from wizard.yamltext.reading import read_yaml

PLAN_KEYS = ("workflow", "version", "steps", "spend_cap", "approvers")
STEP_KEYS = ("name", "operation", "arguments", "cost", "approval", "minor_units")
ARGUMENT_KEYS = ("path", "query", "header", "body")
CAP_KEYS = ("amount", "currency")

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_MOST_MINOR_UNITS = 8

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """One thing that is wrong with a plan."""

    message: str
    line: int
    column: int


class PlanError(ConfigError):
    """A plan that cannot be run. `problems` are all that is wrong; `str()` has one line for each."""

    def __init__(self, name: str, problems: Iterable[PlanProblem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda one: (one.line, one.column, one.message)))
        lines = [f"{name}:{one.line}:{one.column}: {one.message}" for one in self.problems]
        super().__init__("\n".join(lines))


Loader = Callable[[str], tuple[str, Operation]]
"""Gives an operation's name and declaration for the text under `operation:`; raises ConfigError."""


def parse_plan(source: Source, load: Loader | None = None) -> Plan:
    """Reads a plan. Raises PlanError with everything that is wrong.

    `load` finds the operation where a step names one by a text (a file's path) in place of its mapping.
    """
    try:
        tree = read_yaml(source.text)
    except YamlError as error:
        message = f"{error.message}. {error.remedy}" if error.remedy else error.message
        raise PlanError(source.name, [_problem(source, error.span, message)]) from error
    reader = _Reader(source, tree.root, load)
    for duplicate in tree.duplicates:
        reader.say_at(duplicate.key, f"`{duplicate.path[-1]}` stands there twice")
    plan = reader.plan()
    if reader.problems or plan is None:
        raise PlanError(source.name, reader.problems)
    return plan


def _problem(source: Source, span: Span, message: str) -> PlanProblem:
    position = source.position(span.start)
    return PlanProblem(message, position.line, position.column)


def exact_value(node: Node) -> Any:
    """A node's plain value with its numbers as they are written: `int` or `Decimal`, never a float."""
    if node.kind == "sequence":
        return [exact_value(item.value) for item in node.items]
    if node.kind == "mapping":
        return {item.name: exact_value(item.value) for item in node.items}
    value = value_of(node)
    return Decimal(node.text) if isinstance(value, float) and _finite(node.text) else value


def _finite(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


class _Reader:
    def __init__(self, source: Source, root: Node | None, load: Loader | None) -> None:
        self.source = source
        self.root = root
        self.load = load
        self.problems: list[PlanProblem] = []

    def say_at(self, span: Span, message: str) -> None:
        self.problems.append(_problem(self.source, span, message))

    def say(self, path: Path, message: str, *, at_key: bool = False) -> None:
        """Tells a problem at the nearest place of a path that the text has."""
        while path:
            item = item_at(self.root, path)
            if item is not None:
                return self.say_at(item.key.span if at_key and item.key is not None else item.value.span, message)
            path, at_key = path[:-1], True
        return self.say_at(self.root.span if self.root is not None else Span(0, 0), message)

    def members(self, path: Path, known: tuple[str, ...], what: str) -> dict[str, Node]:
        node = at(self.root, path)
        if node is None or node.kind != "mapping":
            self.say(path, f"{what} is a mapping of {_listed(known)}")
            return {}
        found: dict[str, Node] = {}
        for item in node.items:
            if item.name in known:
                found[item.name] = item.value
                continue
            near = nearest(item.name, known)
            hint = f"did you mean `{near}`?" if near else f"known are {_listed(known)}"
            self.say((*path, item.name), f"{what} has no member named `{item.name}`; {hint}", at_key=True)
        return found

    def text(self, path: Path, node: Node | None, what: str) -> str:
        if node is None:
            self.say(path[:-1], f"{what} is missing")
            return ""
        if node.kind != "scalar" or not node.text.strip():
            self.say(path, f"{what} is a text")
            return ""
        return node.text

    def amount(self, path: Path, node: Node, what: str) -> Decimal | None:
        try:
            number = Decimal(node.text) if node.kind == "scalar" else None
        except InvalidOperation:
            number = None
        if number is None or not number.is_finite() or number < 0:
            self.say(path, f"{what} is a number, 0 or more")
            return None
        return number

    def plan(self) -> Plan | None:
        found = self.members((), PLAN_KEYS, "a plan")
        if not found and self.problems:
            return None
        workflow = self.text(("workflow",), found.get("workflow"), "`workflow`, the name of what is run,")
        if workflow and not _NAME.fullmatch(workflow):
            self.say(("workflow",), "a workflow's name has letters, digits, `_`, `.` and `-` only, at most 100")
        version = self.text(("version",), found.get("version"), "`version`, of the workflow,")
        cap = self.cap(found.get("spend_cap"))
        approvers = self.approvers(found.get("approvers"))
        steps = self.steps(found.get("steps"), workflow, cap)
        if cap is None and "spend_cap" not in found and any(step.operation.money for step in steps):
            self.say((), "a step moves money and the plan has no `spend_cap`; say the most that one run may spend")
        return Plan(workflow, version, steps, cap, approvers)

    def cap(self, node: Node | None) -> Cap | None:
        if node is None:
            return None
        found = self.members(("spend_cap",), CAP_KEYS, "`spend_cap`")
        if not found:
            return None
        for name in CAP_KEYS:
            if name not in found:
                self.say(("spend_cap",), f"`spend_cap` does not say its `{name}`", at_key=True)
        amount = self.amount(("spend_cap", "amount"), found["amount"], "`amount`") if "amount" in found else None
        currency = found["currency"].text if "currency" in found else ""
        if "currency" in found and not CURRENCY.fullmatch(currency):
            self.say(("spend_cap", "currency"), "`currency` is three capital letters, as ISO 4217 has them (`USD`)")
        return None if amount is None else Cap(amount, currency)

    def approvers(self, node: Node | None) -> tuple[str, ...]:
        if node is None:
            return ()
        if node.kind != "sequence":
            self.say(("approvers",), "`approvers` is a list of names")
            return ()
        names = []
        for index, item in enumerate(node.items):
            name = self.text(("approvers", index), item.value, "an approver's name")
            if name in names:
                self.say(("approvers", index), f"`{name}` stands there twice")
            names.append(name)
        return tuple(names)

    def steps(self, node: Node | None, workflow: str, cap: Cap | None) -> tuple[Step, ...]:
        if node is None or node.kind != "sequence" or not node.items:
            self.say(("steps",), "`steps` is a list of at least one step", at_key=node is None)
            return ()
        steps: list[Step] = []
        names: dict[str, int] = {}
        for index in range(len(node.items)):
            step = self.step(("steps", index), workflow, cap, names)
            if step is not None:
                steps.append(step)
        return tuple(steps)

    def step(self, path: Path, workflow: str, cap: Cap | None, names: dict[str, int]) -> Step | None:
        found = self.members(path, STEP_KEYS, "a step")
        if not found:
            return None
        name = self.text((*path, "name"), found.get("name"), "a step's `name`")
        if name and not _NAME.fullmatch(name):
            # The step's key is `run:step`, so no colon may stand in either.
            self.say((*path, "name"), "a step's name has letters, digits, `_`, `.` and `-` only, at most 100")
        elif name in names:
            line = self.source.position(names[name]).line
            self.say((*path, "name"), f"the step in line {line} is called `{name}` too; a step's name is its key")
        elif name:
            names[name] = found["name"].span.start
        declared = self.operation(path, found.get("operation"), f"{workflow}/{name}")
        arguments = self.arguments(path, found.get("arguments"), declared[1] if declared else None)
        approval = self.boolean((*path, "approval"), found.get("approval"))
        minor_units = self.minor_units((*path, "minor_units"), found.get("minor_units"))
        if declared is None or arguments is None:
            return None
        operation = declared[1]
        cost = self.cost(path, found.get("cost"), operation, arguments, minor_units, cap)
        if operation.money is None and "minor_units" in found:
            self.say((*path, "minor_units"), "`minor_units` is for a step that moves money", at_key=True)
        return Step(
            name=name,
            operation_name=declared[0],
            operation=operation,
            arguments=arguments,
            cost=cost,
            approval=operation.money is not None if approval is None else approval,
        )

    def operation(self, path: Path, node: Node | None, name: str) -> tuple[str, Operation] | None:
        here = (*path, "operation")
        if node is None:
            self.say(path, "a step says its `operation`")
            return None
        if node.kind == "scalar" and node.text and self.load is not None:
            try:
                return self.load(node.text)
            except ConfigError as error:
                self.say(here, str(error))
                return None
        if node.kind != "mapping":
            form = "a mapping, or the path of a file that has one" if self.load is not None else "a mapping"
            self.say(here, f"`operation` is {form}")
            return None
        operation, problems = parse_operation(value_of(node))
        for problem in problems:
            self.say((*here, *problem.path), problem.message, at_key=problem.at_key)
        return None if operation is None else (name, operation)

    def arguments(self, path: Path, node: Node | None, operation: Operation | None) -> Arguments | None:
        here = (*path, "arguments")
        found = {} if node is None else self.members(here, ARGUMENT_KEYS, "`arguments`")
        given = {name: exact_value(one) for name, one in found.items()}
        for name in ("path", "query", "header"):
            if not isinstance(given.get(name, {}), dict):
                self.say((*here, name), f"`{name}` is a mapping of names and values")
                return None
        try:
            write_json(given)
        except InexactError as error:
            self.say(here, f"`arguments` cannot be sent as they are: {error}")
            return None
        given["variables"] = given.pop("path", {})
        arguments = Arguments(**given)
        if operation is not None:
            self.fits(here, arguments, operation)
        return arguments

    def fits(self, here: Path, arguments: Arguments, operation: Operation) -> None:
        """Tells arguments that the operation does not take, and such that it cannot do without."""
        places: list[tuple[str, Mapping[str, Any], tuple[str, ...]]] = [
            ("path", arguments.variables, operation.path_variables),
            ("query", arguments.query, operation.query),
            ("header", arguments.header, operation.header),
        ]
        if operation.body and isinstance(arguments.body, dict):
            places.append(("body", arguments.body, tuple({one.top: 1 for one in operation.body if one.top})))
        for place, given, taken in places:
            for name in given:
                if name not in taken and "$body" not in taken:
                    near = nearest(name, taken)
                    hint = f"; did you mean `{near}`?" if near else ""
                    self.say((*here, place, name), f"the operation's {place} takes no `{name}`{hint}", at_key=True)
        for name in operation.path_variables:
            if arguments.variables.get(name) in (None, ""):
                self.say((*here, "path"), f"`{{{name}}}` of the operation's URL is not given under `path`")
        for field_path in operation.effective().identity:
            if not field_path.optional and argument(field_path, arguments) is MISSING:
                self.say((*here, field_path.place), f"the identity's field `{field_path.name}` is not given")

    def cost(
        self, path: Path, node: Node | None, operation: Operation, arguments: Arguments, minor_units: int,
        cap: Cap | None,
    ) -> Decimal:  # fmt: skip
        if operation.money is None:
            return Decimal(0) if node is None else self.amount((*path, "cost"), node, "`cost`") or Decimal(0)
        if node is not None:
            self.say((*path, "cost"), "this step costs the money that it moves; take `cost` away", at_key=True)
        moved = money_of(operation, arguments, minor_units)
        if isinstance(moved, str):
            self.say((*path, "arguments"), moved)
            return Decimal(0)
        amount, currency = moved
        if cap is not None and cap.currency and currency != cap.currency:
            self.say((*path, "arguments"), f"this step moves {currency}; the plan's `spend_cap` is in {cap.currency}")
        return amount

    def boolean(self, path: Path, node: Node | None) -> bool | None:
        if node is None:
            return None
        value = value_of(node)
        if not isinstance(value, bool):
            self.say(path, f"`{path[-1]}` is true or false")
            return None
        return value

    def minor_units(self, path: Path, node: Node | None) -> int:
        if node is None:
            return 0
        value = value_of(node)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_MINOR_UNITS:
            self.say(path, f"`minor_units` is a whole number from 0 to {_MOST_MINOR_UNITS} (2 for cents)")
            return 0
        return value


def _listed(names: Iterable[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return " and ".join((", ".join(quoted[:-1]), quoted[-1])) if len(quoted) > 1 else quoted[0]
