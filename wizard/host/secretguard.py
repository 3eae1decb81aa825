"""A secret under the same name is the same bytes: with others every key and address would be another one, and what the
records remember would be forgotten without a word. The store keeps a proof of each secret, never the secret."""

from __future__ import annotations

from wizard.errors import UsageError
from wizard.host import keys
from wizard.host.keys import Secrets
from wizard.host.store import Document, Store

KIND = "secret"
_TEXT = b"skill-wizard: the proof of a secret"


def check(store: Store, workspace: str, secrets: Secrets, known: set[tuple[str, str]]) -> None:
    """Raises UsageError where a secret is not the one that this workspace's records were made with; notes a new one.
    `known` are workspaces and proofs that were compared before; it grows."""
    for secret in secrets:
        proof = keys.digest(secret, _TEXT).hex()
        if (workspace, proof) in known:
            continue
        if store.document(workspace, KIND, secret.name) is None:
            # Another worker may be faster; whose secret stands then is seen below.
            store.write([Document(workspace, KIND, secret.name, proof)])
        kept = store.document(workspace, KIND, secret.name)
        if kept is None or kept.body != proof:
            raise UsageError(
                f"the secret `{secret.name}` is not the one that the records of `{workspace}` were made with",
                remedy="Give the old one under this name, and the new one under a name of its own.",
            )
        known.add((workspace, proof))
