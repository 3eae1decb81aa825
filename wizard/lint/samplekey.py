"""A sample of the key that the host would derive, and whether the schema of its place takes it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from wizard.operation.pattern import matches

if TYPE_CHECKING:
    from wizard.spec.model import Shape as FieldShape

Shape = Literal["uuid", "uuid4", "hex32", "hex64"]


@cache
def sample_key(shape: Shape) -> str:
    """A key of that shape, derived as the host derives keys."""
    from wizard.host.keys import Secret, digest, key_text, material, tagged
    from wizard.operation.model import Scope

    text = material("sample", "POST", "https://api.example.com/bookings", Scope.IDENTITY, {"room_id": tagged("r-1")})
    return key_text(shape, digest(Secret("sample", bytes(32)), text))


def refusal(key: str, place: FieldShape) -> str:
    """Why a schema does not take a key, in the document's own words; empty where it does."""
    from jsonschema import Draft202012Validator, FormatChecker

    if place.pattern and matches(place.pattern, key) is False:
        return f"`pattern: {place.pattern}`"
    schema: dict[str, Any] = {"type": place.type} if place.type else {}
    schema |= {
        name: value
        for name, value in (
            ("maxLength", place.max_length), ("minLength", place.min_length), ("format", place.format or None),
            ("enum", list(place.enum) or None), ("const", place.const),
        )
        if value is not None
    }  # fmt: skip
    validator = Draft202012Validator(schema, format_checker=FormatChecker())
    for error in validator.iter_errors(key):
        return f"`{error.validator}: {error.validator_value}`"
    return ""
