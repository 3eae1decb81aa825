"""Items and rows that describe a field which the declaration leaves to the model.

`seller_shipment_id: must be unique across all shipments` says what the recipient asks of a number of the matter. Where
the declaration has the field in its body, somebody decided that the model fills it in; it is taken for a key only
where its name is one's, or where the text speaks of repeats.
"""

from __future__ import annotations

import re

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.lexicon import Lexicon
from wizard.lint.keyprose.names import Names
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation

_FIRST = re.compile(r"[|\s*]{0,8}`([^`\n]{1,200})`")
_MADE = re.compile(
    r"\b(?:generat|creat|mak|made|build|built|deriv|comput|invent|hash|random|uuid|guid|ulid|nanoid|timestamp)"
)


def is_described(text: str, operation: Operation, names: Names, lexicon: Lexicon) -> bool:
    """Whether a block's text describes such a field, and nothing in it asks for a key."""
    found = _FIRST.match(text)
    if found is None or not _is_left_to_the_model(found[1], operation):
        return False
    last = re.split(r"[.\]]", found[1])[-1]
    kinds = {name.kind for name in names.find(fold(last))}
    if kinds & {"key", "token"} or lexicon.speaks(fold(text)):
        return False
    return not kinds or _MADE.search(fold(text[found.end() :])) is None


def is_of_another_field(text: str, operation: Operation) -> bool:
    """Whether a block's text describes a field of the body that is not the declared key's place."""
    found = _FIRST.match(text)
    key = operation.key
    return found is not None and (key is None or key.name != found[1]) and _is_left_to_the_model(found[1], operation)


def _is_left_to_the_model(said: str, operation: Operation) -> bool:
    if said in operation.query or said in operation.header:
        return True
    try:
        path = FieldPath.parse(said)
    except ValueError:
        return False
    return any(own.required().covers(path) for own in operation.body)
