"""`url` is relative, holds credentials, has a brace without its partner, or cannot be read as a URL.

Why: the filled URL is part of the key's material, so it must say all of where the request goes. Credentials in it
would end up in records, and in this file; the transport adds them at each send.

Before:

    url: /accounts/{account_id}/charges

After:

    url: https://pay.example.com/accounts/{account_id}/charges
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="url-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="`url` is not absolute, holds credentials, or cannot be read",
    check=reported("url-form"),
    why=__doc__ or "",
)
