"""The `probe` has a part that the host cannot go by: no `url`, a path that is no JSONPath, `absent: empty` without
`items`, `absent: 404` with them, a member of another kind.

Why: a probe that cannot be read gives no evidence, so each write that was sent and not answered waits for a person.

Before:

    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      match: [room_id, arrival]
      absent: empty

After:

    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      items: $.bookings[*]
      match: [room_id, arrival]
      absent: empty
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="probe-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the probe is not of its form",
    check=reported("probe-form"),
    why=__doc__ or "",
)
