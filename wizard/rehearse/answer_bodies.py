"""Example answers of an operation: the same for the same seed, as its document wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wizard.host.filling import is_json
from wizard.operation.field_path import MISSING, FieldPath
from wizard.rehearse.places import way_of, with_value
from wizard.rehearse.samples import Maker
from wizard.spec.cutdown import body_schema
from wizard.spec.fitting import fits, problems
from wizard.spec.model import ApiOperation, Response
from wizard.spec.plain import PlainSchemas


def example_answer(api: ApiOperation, status: str | None = None, *, seed: int = 0) -> tuple[int, Any] | None:
    """Status and body of the success answer, or of the one named (`409`, `4XX`): the document's example where it fits,
    else made from its schema with all properties, and one element in each array. The body of an answer that has none
    is MISSING. None where the document has no such answer.
    """
    response = api.success if status is None else _named(api, status)
    if response is None:
        return None
    number = _number(response.status, status)
    if not response.media_types or response.body is None or not _readable(response):
        return number, MISSING
    schema = body_schema(api.raw, response.body, PlainSchemas(api.raw, "answer"))
    examples = response.body.examples
    for example in examples[seed % len(examples) :] + examples[: seed % len(examples)] if examples else ():
        if example is not None and fits(schema, example):
            return number, example
    given = next((one for one in examples if isinstance(one, dict | list)), MISSING)
    made = [
        Maker(everything=True, n=seed).value(schema, api.path.rpartition("/")[2], ((),), given),
        Maker(everything=True, n=seed).value(schema, "answer"),
        Maker(n=seed).value(schema, "answer"),
    ]
    return number, min(made, key=lambda one: len(problems(schema, one)))


def fill(value: Any, path: str, new: Any) -> Any:
    """The value with `new` at a path: a field's (`room.id`, `lines[].sku` for each element) or a JSONPath
    (`$.rooms[0].id`, `$.rooms[*].id`). Objects on the way are made; an array is given one element where it is empty.
    What a JSONPath of another kind selects is replaced where it is. Raises FieldPathError for a path that is none."""
    steps = _steps_of_path(path)
    if steps is None:
        return _replaced(value, path, new)
    return _filled(value, steps, new)


def _named(api: ApiOperation, status: str) -> Response | None:
    by_status = {response.status: response for response in api.responses}
    wanted = (status.upper(), f"{status[:1]}XX", "default")
    return next((by_status[one] for one in wanted if one in by_status), None)


def _number(status: str, asked: str | None) -> int:
    for text in (asked or "", status):
        if text.isdigit():
            return int(text)
    return int(status[0]) * 100 if status[:1].isdigit() else 200


def _readable(response: Response) -> bool:
    return response.body is not None and (is_json(response.body.media_type) or "*" in response.body.media_type)


def _steps_of_path(path: str) -> tuple[str | int | None, ...] | None:
    from wizard.rehearse.values import steps_of_jsonpath

    if not path.startswith("$") or path == "$body":
        return way_of(FieldPath.parse(path))
    return steps_of_jsonpath(path)


def _filled(value: Any, steps: Sequence[str | int | None], new: Any) -> Any:
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if step is None:
        elements = value if isinstance(value, list) and value else [MISSING]
        return [_filled(one, rest, new) for one in elements]
    known = value if isinstance(value, Mapping) else {}
    return {**known, step: _filled(known.get(str(step), MISSING), rest, new)}


def _replaced(value: Any, path: str, new: Any) -> Any:
    from wizard.host.jsonpaths import compiled

    for found in compiled(path).finditer(value):
        value = with_value(value, found.parts, new)
    return value
