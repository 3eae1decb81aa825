"""How much of a document we read: what is within reads in seconds, and a LimitError says what is beyond."""

from __future__ import annotations

NO_API_NEEDS_THAT = "No API needs that; is it the right file?"
"""The remedy."""
MAX_BYTES = 100_000_000
"""Of all files of a document together."""
MAX_FILES = 10_000
MAX_DEPTH = 128
"""Levels of nesting in a text. The deepest of some hundred real documents has 31."""
MAX_VALUES = 10_000_000
"""Values of one text. The largest of some hundred real documents, 13 MB, has 260,000."""
MAX_NOTES = 1_000
"""What was passed over in one text (names that stand twice, say); more are not told."""
MAX_ALIASED = 5_000_000
"""Values that a YAML text's aliases stand for, counted as if they were written out."""
MAX_OVERLAID = 1_000_000
"""Values that an overlay brings, counted for each place that it brings them to."""
MAX_REF_HOPS = 64
"""`$ref`s that lead to another `$ref`."""
MAX_FIELDS = 2_000
"""Fields of one request body."""
MAX_ANSWER_FIELDS = 300
MAX_FIELD_DEPTH = 12
MAX_ANSWER_DEPTH = 5
MAX_SCHEMA_VISITS = 20_000
"""Schemas looked at for one body (a hostile allOf can branch without end)."""
MAX_COMPOSITION = 48
"""allOf, oneOf and `$ref` within each other."""
FETCH_SECONDS = 30.0
"""For one URL, from the first byte sent to the last received."""
MAX_REDIRECTS = 5
