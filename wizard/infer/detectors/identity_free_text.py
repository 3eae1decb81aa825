"""Free text is worded anew by a model that asks again, unless the text is the thing that is made."""

from __future__ import annotations

from wizard.infer.roles import by_lists

DETECTOR = by_lists({"note": 3.0})
