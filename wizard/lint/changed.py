"""What changed since a revision, as git tells it."""

from __future__ import annotations

import os
import subprocess

from wizard.errors import UsageError


def changed_files(revision: str) -> frozenset[str]:
    """The real paths of the files that differ from a revision, those that are gone and new ones that git does not know
    yet included.

    Of a branch that went its own way since, the revision is where the two parted: what was changed there since then is
    not what was changed here. Raises UsageError where git, the repository or the revision is not there.
    """
    top = _git("rev-parse", "--show-toplevel").rstrip("\n")
    if revision.startswith("-"):
        raise UsageError(f"`{revision}` is no revision")
    _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", unknown=revision)
    base = _parted(revision)
    names = _git("-C", top, "diff", "--name-only", "--no-renames", "-z", base, "--").split("\0")
    names += _git("-C", top, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    return frozenset(os.path.realpath(os.path.join(top, name)) for name in names if name)


def _parted(revision: str) -> str:
    """Where HEAD and a revision parted; the revision itself where the history that is there does not show it."""
    done = subprocess.run(["git", "merge-base", revision, "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 and done.stdout.strip() else revision


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
