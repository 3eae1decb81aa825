"""The file is no text that we can read: it is not UTF-8, it holds binary data, or it is far too large.

Why: clients read skills as UTF-8. A file in another encoding is skipped by some and garbled by others, and no other
rule can look at it. The finding names the first byte that is none.

Before:

    name: caf\xe9          (one byte of Latin-1)

After:

    name: café             (saved as UTF-8)
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="file-unreadable",
    family="file",
    severity="error",
    confidence="high",
    summary="the file is no UTF-8 text",
    check=remarked("file-unreadable"),
    why=__doc__ or "",
)
