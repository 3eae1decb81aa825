"""What is to be done: the kind, the new state, what is run, what was measured, where."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("kind", "changed", "process", "measure", "place", "branch")
