"""What changed since a revision, as git tells it."""

from __future__ import annotations

import os
import subprocess

from wizard.errors import UsageError


def changed_files(revision: str) -> frozenset[str]:
    """The real paths of the files that differ from a revision, new ones that git does not know yet included.

    Raises UsageError where git, the repository or the revision is not there.
    """
    top = _git("rev-parse", "--show-toplevel").rstrip("\n")
    if revision.startswith("-"):
        raise UsageError(f"`{revision}` is no revision")
    _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", unknown=revision)
    names = _git("-C", top, "diff", "--name-only", "--no-renames", "-z", revision, "--").split("\0")
    names += _git("-C", top, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return frozenset(os.path.realpath(os.path.join(top, name)) for name in names if name)


def _git(*words: str, unknown: str = "") -> str:
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UsageError("`--since` asks git, and git is not installed") from None
    if done.returncode:
        if unknown:
            raise UsageError(
                f"git knows no revision `{unknown}`",
                remedy="In CI, fetch it first (`fetch-depth: 0` for actions/checkout)",
            )
        said = done.stderr.strip().splitlines()
        raise UsageError(f"`--since` needs a git repository: {said[-1] if said else 'git failed'}")
    return done.stdout
