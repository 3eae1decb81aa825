"""A plan as a value: a workflow's name and version, its fixed steps, what it may spend and who may approve.

A step costs what it says; one whose operation declares `money` costs the money that it moves, read from its arguments.
All money is decimal.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from wizard.host.exactjson import write_json
from wizard.host.prepare import Arguments
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation

CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that one run may spend."""

    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a plan."""

    name: str
    operation_name: str
    """The name that the store knows the declaration by."""
    operation: Operation
    arguments: Arguments
    cost: Decimal
    """What the step counts for against the cap; of a step that moves money, that money."""
    approval: bool
    """Whether somebody has to approve it before it is sent."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A workflow, ready to be run."""

    workflow: str
    version: str
    steps: tuple[Step, ...]
    cap: Cap | None
    approvers: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The hex digest of what a run is bound to: workflow, version and steps, not the cap and the approvers."""
        steps = [
            {
                "name": step.name,
                "operation": [step.operation_name, print_operation(step.operation)],
                "arguments": _printed(step.arguments),
                "cost": str(step.cost.normalize()),
                "approval": step.approval,
            }
            for step in self.steps
        ]
        return hashlib.sha256(write_json([self.workflow, self.version, steps])).hexdigest()


def _printed(arguments: Arguments) -> dict[str, Any]:
    printed = {"variables": arguments.variables, "query": arguments.query, "header": arguments.header}
    return printed if arguments.body is MISSING else {**printed, "body": arguments.body}


def money_of(operation: Operation, arguments: Arguments, minor_units: int = 0) -> tuple[Decimal, str] | str:
    """The money that a call moves, in the currency's own unit, and its currency; or what is wrong, in words.

    The operation declares `money`. `minor_units` says that its amount counts in units of 10 to the power of minus so
    many (2 for pence).
    """
    money = operation.money
    assert money is not None
    amount = argument(FieldPath.parse(money.amount), arguments)
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal | str):
        return f"`{money.amount}`, the money that it moves, is not given as a number"
    try:
        number = Decimal(amount)
    except InvalidOperation:
        return f"`{money.amount}`, the money that it moves, is no number"
    if not number.is_finite() or number < 0:
        return f"`{money.amount}`, the money that it moves, is less than nothing or no number"
    currency: Any = money.currency
    if not CURRENCY.fullmatch(money.currency):
        currency = argument(FieldPath.parse(money.currency), arguments)
        if not isinstance(currency, str) or not CURRENCY.fullmatch(currency.upper()):
            return f"`{money.currency}`, the currency that it moves, is not given as three letters"
    return number.scaleb(-minor_units), currency.upper()


def argument(path: FieldPath, arguments: Arguments) -> Any:
    """The value of a field of a call, MISSING where it has none."""
    if path.place == "body":
        return arguments.body if path.whole_body else path.get(arguments.body)
    given = arguments.query if path.place == "query" else arguments.header
    name = path.segments[0].name
    if path.place == "header":
        return next((value for one, value in given.items() if one.lower() == name.lower()), MISSING)
    return given.get(name, MISSING)
