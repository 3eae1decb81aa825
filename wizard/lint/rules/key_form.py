"""`key` is none of `header NAME`, `field NAME` and `query NAME`, and no mapping of `in`, `name`, `shape`, `quoted`,
`for` and `remembers`.

Why: the host fills the key's place. A place that it cannot read stays empty, and the recipient dedupes nothing.

Before:

    key: Idempotency-Key

After:

    key: header Idempotency-Key
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="key-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="`key` does not say where the key goes",
    check=reported("key-form"),
    why=__doc__ or "",
)
