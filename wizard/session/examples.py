"""A request made up for an operation of the session, and the key that the host would derive from it."""

from __future__ import annotations

from wizard.review import examples
from wizard.review.examples import Derived, Value, derive
from wizard.session.state import Entry


def example_values(entry: Entry) -> tuple[Value, ...]:
    """Values for all that the model fills in, from the document's own examples where it has them."""
    operation = entry.declaration
    return () if operation is None else examples.example_values(operation, entry.api)


__all__ = ["Derived", "Value", "derive", "example_values"]
