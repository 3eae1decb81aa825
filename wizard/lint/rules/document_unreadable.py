"""The API document that skills are checked against cannot be read.

Why: nothing of what depends on it was checked, and a check that did not happen must not look like one that passed.

Before:

    document = "openapi.yml"        (there is no such file)

After:

    document = "api/openapi.yaml"
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="document-unreadable",
    family="document",
    severity="error",
    confidence="high",
    summary="the API document cannot be read",
    check=remarked("document-unreadable"),
    why=__doc__ or "",
)
