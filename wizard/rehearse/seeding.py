"""Other people's requests: like one that is given, and surely different from it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from wizard.rehearse.arriving import Arrived
from wizard.rehearse.bodies import example_request
from wizard.rehearse.facts import Facts
from wizard.rehearse.values import plain_text, varied


def example_arrival(facts: Facts) -> Arrived:
    """An example request of the operation, as it arrives."""
    example = example_request(facts.operation, facts.api)
    return Arrived(
        facts.operation.method, facts.path, facts.path,
        tuple((name, plain_text(value)) for name, value in example.query.items()), (), None, example.body,
        variables={name: plain_text(value) for name, value in example.variables.items()},
    )  # fmt: skip


def somebody_elses(facts: Facts, like: Arrived, number: int, keep: Container[str] = ()) -> Arrived:
    """The n-th request of somebody else; the members named in `keep` are the same.

    What is made under the same path stays under it, and what names itself in its path has another name.
    """
    body = like.body
    if isinstance(body, dict) and facts.does in ("create", "upsert"):
        shapes = {one.path: one.shape for one in facts.api.fields} if facts.api is not None else {}
        others = varied(body, number, None, shapes)
        body = {name: body[name] if name in keep else value for name, value in others.items()}
    variables = dict(like.variables)
    if variables and (facts.does != "create" or facts.path.endswith("}")):
        last = list(variables)[-1]
        variables[last] = plain_text(varied(variables[last], number))
    query = tuple((name, plain_text(varied(value, number))) for name, value in like.query)
    return replace(like, body=body, variables=variables, query=query)
