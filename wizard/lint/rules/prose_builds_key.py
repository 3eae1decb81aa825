"""A sentence tells the model to make, format, hash or choose the key, or to send one it has made up.

Why: a model that is evicted, restarted or merely asked again makes another key, and the recipient takes the second
request for a second write. The host derives the key from the declared identity: the same booking gives the same key,
in every process and for ever. A file that declares a key and builds one in its prose sends two keys for one write.

Before:

    Build `charge-<booking_id>-<amount_pence>` and send it in the `Idempotency-Key` header.

After:

    operation:
      identity: [booking_id, amount_pence]
      key: header Idempotency-Key
"""

from __future__ import annotations

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Rule

RULE = Rule(
    name="prose-builds-key",
    family="prose-key",
    severity="warning",
    confidence="high",
    summary="the text tells the model to make the key",
    check=check_for("prose-builds-key"),
    why=__doc__ or "",
)
