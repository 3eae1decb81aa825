"""`method` is none of GET, HEAD, POST, PUT, PATCH and DELETE, or does not stand in capitals.

Why: the method is part of the key's material as it stands, and the host takes these six only. Capitals are a safe fix.

Before:

    method: post

After:

    method: POST
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="method-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="`method` is no method, or not in capitals",
    check=reported("method-form", safety=lambda old, new: "safe" if old.upper() == new else "unsafe"),
    why=__doc__ or "",
)
