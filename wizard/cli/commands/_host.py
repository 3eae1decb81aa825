"""What the commands of the host have in common: the store, the secrets, the credentials, how an instant is shown."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wizard.errors import UsageError

if TYPE_CHECKING:
    from wizard.host.host import Host
    from wizard.host.http import Credentials
    from wizard.host.keys import Secrets
    from wizard.host.outcome import Request
    from wizard.host.store import Store

SECRET = "SKILL_WIZARD_SECRET"
STORE = "SKILL_WIZARD_STORE"


def now() -> datetime:
    return datetime.now(UTC)


def store_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `--store` and `--workspace`."""
    given = os.environ.get(STORE)
    parser.add_argument(
        "--store",
        metavar="URL",
        default=given,
        required=given is None,
        help=f"where records are kept: sqlite:PATH, postgresql://…, or memory: for a try (default: ${STORE})",
    )
    parser.add_argument("--workspace", metavar="NAME", default="default", help="the workspace (default: default)")


def send_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `--credential`."""
    parser.add_argument(
        "--credential",
        metavar="HEADER=VARIABLE",
        action="append",
        default=[],
        help="send this header with what the environment variable holds; it is never stored",
    )


def open_store(args: argparse.Namespace, *, existing: bool = False) -> Store:
    """The store that the call names; `existing`: it is not made where there is none. Raises UsageError, StoreError."""
    from wizard.host.store import open_store

    for name in ("store", "workspace", "run_id", "by", "reason", "record"):
        value = getattr(args, name, None) or ""
        if not value.isprintable() and any("\ud800" <= character <= "\udfff" for character in value):
            raise UsageError(f"{value!a} is not UTF-8", remedy="Names and reasons are text.")
    return open_store(args.store, existing=existing)


def host(args: argparse.Namespace, store: Store, *, secrets: bool) -> Host:
    """A host over that store. `secrets`: it claims writes, so it needs a secret."""
    from wizard.host.host import Host
    from wizard.host.http import HttpTransport

    transport = HttpTransport(clock=now, credentials=credentials(args.credential, os.environ))
    given: Secrets | Callable[[str], Secrets] = _none
    if secrets:
        given = secrets_of(os.environ)
        _all_known(store, args.workspace, given)
    return Host(store=store, transport=transport, clock=now, secrets=given)


def _all_known(store: Store, workspace: str, secrets: Secrets) -> None:
    """Looks whether these are the secrets that the workspace's records were made with, before anything is changed: with
    others what was done would not be recognised, and would be done again. Raises UsageError."""
    from wizard.host import secretguard

    missing = [found.id for found in store.documents(workspace, secretguard.KIND) if secrets.named(found.id) is None]
    if missing:
        raise UsageError(
            f"records of `{workspace}` were made with the secret `{missing[0]}`, and {SECRET} does not hold it",
            remedy="Put it there too, behind the current one and a space; without it what was done is done again.",
        )
    secretguard.check(store, workspace, secrets, set())


def _none(workspace: str) -> Secrets:
    raise AssertionError("no key is derived here")


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """The secrets of the environment: `NAME:TEXT`, the current one first, older ones behind spaces. Raises
    UsageError."""
    from wizard.host.keys import Secret, Secrets

    words = environment.get(SECRET, "").split()
    remedy = f'Set {SECRET} to a name and a text, as in {SECRET}="2026:$(openssl rand -hex 32)", and keep it: '
    remedy += "other secrets derive other keys."
    if not words:
        raise UsageError(f"keys are derived with a secret, and {SECRET} is not set", remedy=remedy)
    made = []
    for word in words:
        name, colon, text = word.partition(":")
        if not colon:
            raise UsageError(f"{SECRET} holds a secret without a name", remedy=remedy)
        made.append(Secret(name, text.encode()))
    return Secrets(made[0], tuple(made[1:]))


def credentials(options: list[str], environment: Mapping[str, str]) -> Callable[[Request], Credentials]:
    """What `--credential` asks for, read from the environment at each send. Raises UsageError."""
    from wizard.host.http import Credentials

    pairs = []
    for option in options:
        name, equals, variable = option.partition("=")
        if not equals or not name or variable not in environment:
            raise UsageError(
                f"`--credential {option}` names no variable of the environment",
                remedy="Write HEADER=VARIABLE, as in Authorization=HOUSE_TOKEN.",
            )
        pairs.append((name, variable))
    return lambda _: Credentials(tuple((name, environment[variable]) for name, variable in pairs))


def person_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `--by` and `--reason`."""
    parser.add_argument("--by", metavar="NAME", required=True, help="who says so")
    parser.add_argument("--reason", metavar="TEXT", required=True, help="why; it is kept with the record")


def shown(at: datetime | None) -> str:
    """An instant for a person: `2026-03-01 14:05:09 UTC`."""
    return "" if at is None else at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns, the first is the head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"
