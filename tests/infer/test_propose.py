"""Proposals as a whole: the text of a small document, and what holds whatever the document."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.errors import UsageError
from wizard.infer.model import Confidence
from wizard.infer.propose import propose_document, propose_operation
from wizard.infer.render import as_data, as_json, as_text, as_yaml
from wizard.infer.select import select
from wizard.operation.field_path import FieldPath
from wizard.spec.reader import read_bytes, read_document

sys.path.insert(0, str(Path(__file__).parent))
from small import document

GOLDEN = Path(__file__).with_name("golden")
LIBRARY = GOLDEN / "library.yaml"
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "hollowbrook" / "openapi.yaml"


# ---- golden ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["txt", "json", "yaml"])
def test_a_small_document_in_each_form(form: str) -> None:
    """`UPDATE_GOLDEN=1 pytest` writes the files anew; read the difference like code."""
    read = read_document(LIBRARY)
    proposals = propose_document(read)
    if form == "txt":
        made = "".join(f"{line}\n" for line in as_text(read, proposals))
    else:
        made = as_json(read, proposals).decode() if form == "json" else as_yaml(read, proposals)
    made = made.replace(str(LIBRARY), "library.yaml")
    path = GOLDEN / f"library.{form}" if form != "yaml" else GOLDEN / "library.proposals.yaml"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


def test_the_text_is_80_columns_wide_where_its_words_allow_it() -> None:
    read = read_document(LIBRARY)
    for line in as_text(read, propose_document(read)):
        assert len(line) <= 80


def test_yaml_and_json_say_the_same() -> None:
    read = read_document(LIBRARY)
    proposals = propose_document(read)
    assert yaml.safe_load(as_yaml(read, proposals)) == json.loads(as_json(read, proposals))


@pytest.mark.parametrize("path", [LIBRARY, SAMPLE], ids=lambda path: path.parent.name)
def test_the_json_fits_its_schema(path: Path) -> None:
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    schemas = [json.loads(file.read_text(encoding="utf-8")) for file in sorted((ROOT / "schemas").glob("*.json"))]
    known = [(schema["$id"], Resource.from_contents(schema)) for schema in schemas if "$id" in schema]
    wanted = json.loads((ROOT / "schemas" / "proposals.json").read_text(encoding="utf-8"))
    read = read_document(path)
    validator = Draft202012Validator(wanted, registry=Registry().with_resources(known))
    assert [error.message for error in validator.iter_errors(as_data(read, propose_document(read)))] == []


def test_the_sample_house_is_proposed_as_people_know_it() -> None:
    read = read_document(SAMPLE)
    found = {proposal.operation.operation_id: proposal for proposal in propose_document(read)}
    assert found["createBooking"].identity.fields == ("room_id", "guest_name", "arrival", "departure")
    assert found["createBooking"].key is None
    assert found["chargePaymentAccount"].key is not None
    assert "idempotency_key" not in found["chargePaymentAccount"].identity.fields
    assert found["addLogLine"].identity.fields == ()
    assert any("recorded per call" in warning for warning in found["addLogLine"].warnings)
    assert not found["searchBookings"].write


# ---- what holds whatever the document --------------------------------------------------------------------------------

NAMES = (
    "room_id", "customer", "guest_name", "email", "phone", "number", "reference", "title", "name", "amount", "currency",
    "start", "end", "arrival", "due_date", "note", "description", "status", "color", "metadata", "url", "callback_url",
    "password", "token", "created_at", "version", "quantity", "items", "type", "id", "external_id", "message", "text",
)  # fmt: skip
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "date", "date-time", "strings"])
PATHS = st.sampled_from(["/bookings", "/payments", "/guests", "/orders", "/messages", "/rooms/{id}/notes", "/widgets"])
FIELDS = st.dictionaries(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(["", "!", "^", "!^"])).map("".join), KINDS, max_size=9
).map(lambda made: {name: made[name] for name in {given.rstrip("!^"): given for given in made}.values()})


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    """A create with fields under any names, some of them inside an object."""
    body: dict[str, Any] = draw(FIELDS)
    if draw(st.booleans()):
        body = {name: kind for name, kind in body.items() if name.rstrip("!^") != "customer"}
        body["customer!"] = draw(FIELDS)
    return {"does": f"POST {draw(PATHS)}", "body": body}


def proposed(members: dict[str, Any]) -> Any:
    read = document(members)
    return propose_operation(read, read.by_name[members["does"]])


@given(bodies(), st.text(max_size=20))
@settings(max_examples=30, deadline=None)
def test_who_the_document_is_from_changes_nothing(members: dict[str, Any], title: str) -> None:
    ours = proposed(members)
    theirs = proposed({**members, "title": title, "server": "https://another-house.example.org/api/v7"})
    assert (ours.identity.fields, ours.identity.confidence) == (theirs.identity.fields, theirs.identity.confidence)
    assert (ours.kind, ours.write) == (theirs.kind, theirs.write)


@given(bodies(), st.randoms())
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_properties_changes_nothing(members: dict[str, Any], random: Any) -> None:
    order = list(members["body"])
    random.shuffle(order)
    turned = {**members, "body": {name: members["body"][name] for name in order}}
    ours, theirs = proposed(members), proposed(turned)
    assert set(ours.identity.fields) == set(theirs.identity.fields)


@given(bodies())
@settings(max_examples=60, deadline=None)
def test_what_the_recipient_fills_in_and_secrets_are_never_proposed(members: dict[str, Any]) -> None:
    read = document(members)
    operation = read.by_name[members["does"]]
    proposal = propose_operation(read, operation)
    read_only = {field.path for field in operation.fields if field.shape.read_only}
    for name in proposal.identity.fields:
        assert name not in read_only
        assert FieldPath.parse(name).segments[-1].name not in ("password", "token", "created_at")


@given(bodies())
@settings(max_examples=30, deadline=None)
def test_a_proposal_says_why(members: dict[str, Any]) -> None:
    proposal = proposed(members)
    assert proposal.why.endswith(".")
    if proposal.write:
        assert proposal.identity.why.endswith(".")
        names = {field.path for field in proposal.operation.fields}
        assert set(proposal.identity.fields) <= names
        assert proposal.identity.optional <= set(proposal.identity.fields)
        assert not set(proposal.identity.left_out) & set(proposal.identity.fields)
        if not proposal.identity.fields and "{" not in proposal.operation.path:
            assert any("No identity" in warning for warning in proposal.warnings)
            assert proposal.identity.confidence is not Confidence.HIGH


@given(bodies())
@settings(max_examples=30, deadline=None)
def test_the_same_document_gives_the_same_proposals(members: dict[str, Any]) -> None:
    first, second = document(members), document(members)
    assert as_json(first, propose_document(first)) == as_json(second, propose_document(second))


# ---- choosing operations ---------------------------------------------------------------------------------------------


def test_operations_are_chosen_by_name_in_the_documents_order() -> None:
    read = read_document(LIBRARY)
    chosen = select(read, ["renew", "post /fines", "addReader"])
    assert [operation.name for operation in chosen] == ["POST /readers", "POST /loans/{id}/renew", "POST /fines"]
    assert select(read, []) == read.operations


@pytest.mark.parametrize(("given", "near"), [("addReeder", "addReader"), ("POST /fine", "POST /fines")])
def test_an_unknown_operation_names_the_nearest(given: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"no operation is called `{given}`.*Did you mean `{near}`"):
        select(read_document(LIBRARY), [given])


def test_a_document_without_operations_says_so() -> None:
    empty = read_bytes(b'{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}}', "empty.json")
    assert "0 writes" in next(iter(as_text(empty, propose_document(empty))))
    with pytest.raises(UsageError, match="has no operations"):
        select(empty, ["anything"])
