"""An OpenAPI Overlay beside the API document has an action that cannot be applied: its target selects nothing, or says
nothing to do.

Why: an overlay carries declarations to a document that somebody else publishes. An action that misses its target
changes nothing, and the operation that it was for stays undeclared.

Before:

    actions:
      - target: $.paths['/booking'].post        (the document has /bookings)
        update: {x-outturn-identity: [room_id, arrival]}

After:

    actions:
      - target: $.paths['/bookings'].post
        update: {x-outturn-identity: [room_id, arrival]}
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="overlay-does-not-apply",
    family="repository",
    severity="error",
    confidence="high",
    summary="an overlay of the API document does not apply",
    check=remarked("overlay-does-not-apply"),
    why=__doc__ or "",
)
