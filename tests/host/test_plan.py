"""Plans: what is read, and how everything that is wrong with one is told."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wizard.assets import folder
from wizard.errors import ConfigError
from wizard.host.plan import Cap, Plan, money_of
from wizard.host.planfile import PlanError, parse_plan
from wizard.host.prepare import Arguments
from wizard.operation.model import Money, Operation
from wizard.source import Source
from wizard.yamltext.nodes import value_of
from wizard.yamltext.reading import read_yaml

PLAN = """\
workflow: ticket-triage
version: 1
spend_cap: {amount: 100.00, currency: USD}
approvers: [ada]
steps:
  - name: draft_reply
    operation:
      method: POST
      url: http://127.0.0.1:8085/replies
      body: [ticket, text]
    arguments:
      body: {ticket: T-1, text: We are on it.}
    cost: 0.02
  - name: issue_refund
    operation:
      method: POST
      url: http://127.0.0.1:8085/tickets/{ticket}/refunds
      body: [amount_usd, note]
      identity: [amount_usd]
      money: {amount: amount_usd, currency: USD}
    arguments:
      path: {ticket: T-1}
      body: {amount_usd: 50.10, note: broken}
"""


def read(text: str, **more: Any) -> Plan:
    return parse_plan(Source("plan.yaml", text), **more)


def problems(text: str) -> list[str]:
    with pytest.raises(PlanError) as caught:
        read(text)
    return [f"{one.line}:{one.column} {one.message}" for one in caught.value.problems]


@pytest.mark.requirement(134, 135, 139)
def test_a_plan_is_read() -> None:
    plan = read(PLAN)
    draft, refund = plan.steps
    assert (plan.workflow, plan.version, plan.approvers) == ("ticket-triage", "1", ("ada",))
    assert plan.cap == Cap(Decimal("100.00"), "USD")
    assert (draft.name, draft.cost, draft.approval) == ("draft_reply", Decimal("0.02"), False)
    assert (refund.name, refund.cost, refund.approval) == ("issue_refund", Decimal("50.10"), True)
    assert refund.operation_name == "ticket-triage/issue_refund"
    assert refund.arguments == Arguments({"ticket": "T-1"}, {}, {}, {"amount_usd": Decimal("50.10"), "note": "broken"})


@pytest.mark.requirement(142)
def test_the_digest_follows_the_steps_and_not_the_people() -> None:
    plan = read(PLAN)
    assert plan.digest == read(PLAN.replace("[ada]", "[ada, ben]").replace("100.00", "200")).digest
    assert plan.digest == read(PLAN.replace("cost: 0.02", "cost: 0.020")).digest
    for old, new in (("50.10", "50.11"), ("draft_reply", "draft"), ("version: 1", "version: 2"), ("T-1", "T-2"),
                     ("cost: 0.02", "approval: true"), ("127.0.0.1", "127.0.0.2")):  # fmt: skip
        assert read(PLAN.replace(old, new)).digest != plan.digest, old


@pytest.mark.requirement(127, 134)
def test_all_that_is_wrong_is_told_together_with_its_place() -> None:
    text = """\
workflow: ticket triage
versoin: 1
spend_cap: {amount: -1, curency: USD}
approvers: [ada, ada]
steps:
  - name: a:b
    operation: {method: POST, url: /replies, idenity: [x]}
    cost: cheap
  - name: refund
    operation:
      method: POST
      url: http://h/{ticket}/refunds
      body: [amount, note]
      identity: [amount, note]
      money: {amount: amount, currency: EUR}
    cost: 0.02
    arguments:
      path: {tickt: T-1}
      body: {amout: 3}
      query: {page: 1}
  - name: refund
    operation: 3
    approval: maybe
    minor_units: 2
"""
    assert problems(text) == [
        "1:1 `version`, of the workflow, is missing",
        "1:11 a workflow's name has letters, digits, `_`, `.` and `-` only, at most 100",
        "2:1 a plan has no member named `versoin`; did you mean `version`?",
        "3:1 `spend_cap` does not say its `currency`",
        "3:21 `amount` is a number, 0 or more",
        "3:25 `spend_cap` has no member named `curency`; did you mean `currency`?",
        "4:18 `ada` stands there twice",
        "6:11 a step's name has letters, digits, `_`, `.` and `-` only, at most 100",
        "7:36 `/replies` is not absolute; write the scheme and host too (`https://…`)",
        "7:46 `operation` has no member named `idenity`; did you mean `identity`?",
        "8:11 `cost` is a number, 0 or more",
        "16:5 this step costs the money that it moves; take `cost` away",
        "18:7 `amount`, the money that it moves, is not given as a number",
        "18:13 `{ticket}` of the operation's URL is not given under `path`",
        "18:14 the operation's path takes no `tickt`; did you mean `ticket`?",
        "19:13 the identity's field `amount` is not given",
        "19:13 the identity's field `note` is not given",
        "19:14 the operation's body takes no `amout`; did you mean `amount`?",
        "20:15 the operation's query takes no `page`",
        "21:11 the step in line 9 is called `refund` too; a step's name is its key",
        "22:16 `operation` is a mapping",
        "23:15 `approval` is true or false",
    ]


def test_a_text_that_is_no_yaml_is_one_problem_with_its_place() -> None:
    assert problems("workflow: [a\nversion: 1\n")[0].startswith("1:11 ")
    with pytest.raises(PlanError, match=r"^plan\.yaml:1:1: "):
        read("- 1\n")
    assert problems("") == ["1:1 a plan is a mapping of `workflow`, `version`, `steps`, `spend_cap` and `approvers`"]


@pytest.mark.requirement(134)
def test_a_step_that_moves_money_needs_a_cap_in_its_currency() -> None:
    assert problems(PLAN.replace("spend_cap: {amount: 100.00, currency: USD}\n", "")) == [
        "1:1 a step moves money and the plan has no `spend_cap`; say the most that one run may spend"
    ]
    assert problems(PLAN.replace("100.00, currency: USD", "100.00, currency: EUR")) == [
        "22:7 this step moves USD; the plan's `spend_cap` is in EUR"
    ]


@pytest.mark.requirement(139)
def test_minor_units_are_declared() -> None:
    text = PLAN.replace("50.10", "5010").replace(
        "    arguments:\n      path", "    minor_units: 2\n    arguments:\n      path"
    )
    assert read(text).steps[1].cost == Decimal("50.10")


@pytest.mark.requirement(134)
def test_the_money_is_read_where_the_operation_says() -> None:
    def moved(money: Money, **given: Any) -> object:
        return money_of(Operation(method="POST", url="http://h/x", money=money), Arguments(**given))

    nested = Money("amount.value", "amount.currency")
    assert moved(nested, body={"amount": {"value": "12.50", "currency": "eur"}}) == (Decimal("12.50"), "EUR")
    assert moved(Money("query:sum", "USD"), query={"sum": 3}) == (Decimal(3), "USD")
    assert moved(Money("amount", "USD"), body={}) == "`amount`, the money that it moves, is not given as a number"
    assert moved(Money("amount", "USD"), body={"amount": True}) == (
        "`amount`, the money that it moves, is not given as a number"
    )
    assert moved(Money("amount", "USD"), body={"amount": -1}) == (
        "`amount`, the money that it moves, is less than nothing or no number"
    )
    assert moved(nested, body={"amount": {"value": 1}}) == (
        "`amount.currency`, the currency that it moves, is not given as three letters"
    )


def test_an_operation_can_stand_in_a_file_of_its_own() -> None:
    operation = Operation(method="POST", url="http://h/x")

    def load(path: str) -> tuple[str, Operation]:
        if path != "x.md":
            raise ConfigError("no such file")
        return "x", operation

    text = "workflow: w\nversion: 1\nsteps:\n  - {name: a, operation: x.md}\n"
    assert read(text, load=load).steps[0].operation_name == "x"
    with pytest.raises(PlanError, match=r"plan\.yaml:4:26: no such file"):
        read(text.replace("x.md", "y.md"), load=load)


@pytest.mark.requirement(139)
@given(st.decimals(min_value=0, max_value=10**12, places=2, allow_nan=False))
def test_a_cost_keeps_its_cents(cost: Decimal) -> None:
    text = (
        f"workflow: w\nversion: 1\nsteps:\n  - {{name: a, operation: {{method: POST, url: http://h}}, cost: {cost:f}}}"
    )
    assert read(text).steps[0].cost == cost


def test_the_shipped_schema_agrees() -> None:
    schema = json.loads((folder("schemas") / "plan.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    def valid(text: str) -> bool:
        root = read_yaml(text).root
        assert root is not None
        return bool(validator.is_valid(value_of(root)))

    assert valid(PLAN)
    for old, new in (("draft_reply", "a:b"), ("workflow:", "work:"), ("100.00", "-1"), ("USD", "usd"), ("[ada]", "ada"),
                     ("cost: 0.02", "costs: 0.02"), ("path:", "paths:")):  # fmt: skip
        assert not valid(PLAN.replace(old, new)), old
        assert problems(PLAN.replace(old, new)), old
