"""Keys derived from what a write is (FORMAT 3): same identity, same key, over processes, machines and releases.

Exact values are tagged so that no two meet, the tagged parts stand in a material that says where they come from, and
its HMAC under the workspace's secret is the digest. The text of a digest is the key; the hex digest at generation 0 is
the address of the record.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal

import rfc8785

from wizard.errors import UsageError
from wizard.host.exactjson import number_text
from wizard.host.record import Call
from wizard.operation.field_path import MISSING, Missing
from wizard.operation.model import Operation, Scope
from wizard.operation.printing import print_operation

VERSION: Final = 1
ABSENT_VALUE: Final = {"m": 1}
"""What stands for a field that is not there; it is not null."""

Shape = Literal["uuid", "uuid4", "hex32", "hex64"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A workspace's secret, from the caller; only its name is ever stored."""

    name: str
    value: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not self.name or len(self.value) < 16:
            raise UsageError(
                "a secret has a name and at least 16 bytes", remedy="Make one with `secrets.token_bytes(32)`."
            )


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of a workspace: new keys are derived with the current one, records are looked up with all."""

    current: Secret
    older: tuple[Secret, ...] = ()

    def __post_init__(self) -> None:
        names = [secret.name for secret in self]
        if len(set(names)) != len(names):
            raise UsageError("two secrets of a workspace have the same name", remedy="Each secret has its own name.")

    def __iter__(self) -> Any:
        yield self.current
        yield from self.older

    def named(self, name: str) -> Secret | None:
        """The secret of that name, None where the caller has none."""
        return next((secret for secret in self if secret.name == name), None)


def tagged(value: Any) -> Any:
    """A JSON value made exact, its kind written beside it: `{"s": text}`, `{"n": digits}`, `{"o": {…}}`, a list.

    True, false and null are themselves, MISSING is `{"m": 1}`. Raises InexactError for numbers that have no exact form.
    """
    match value:
        case None | True | False:
            return value
        case Missing():
            return ABSENT_VALUE
        case str():
            return {"s": unicodedata.normalize("NFC", value)}
        case int() | float() | Decimal():
            return {"n": number_text(value)}
        case Mapping():
            return {"o": {name: tagged(member) for name, member in value.items()}}
        case list() | tuple():
            return [tagged(element) for element in value]
        case bytes():
            return {"b": hashlib.sha256(value).hexdigest()}
    raise TypeError(f"a {type(value).__name__} has no tagged form")


def call_parts(call: Call) -> dict[str, Any]:
    """The parts of the call scope."""
    return {"session": tagged(call.session), "turn": tagged(call.turn), "ordinal": tagged(call.ordinal)}


def material(
    workspace: str,
    method: str,
    url: str,
    scope: Scope,
    parts: Mapping[str, Any],
    generation: int = 0,
    element: tuple[Any, int] | None = None,
) -> bytes:
    """The RFC 8785 text that a digest is made of. `url` is filled (`filling.fill_url`), `parts` are tagged; `element`
    is a tagged element of an array and how many equal ones stand before it, where each element has its own key."""
    value: dict[str, Any] = {
        "v": VERSION,
        "workspace": workspace,
        "method": method,
        "url": url,
        "scope": str(scope),
        "generation": generation,
        "parts": dict(parts),
    }
    if element is not None:
        value["element"] = {"value": element[0], "occurrence": element[1]}
    return rfc8785.dumps(value)


def digest(secret: Secret, text: bytes) -> bytes:
    """HMAC-SHA-256 under the secret: 32 bytes."""
    return hmac.digest(secret.value, text, "sha256")


def key_text(shape: Shape, digested: bytes) -> str:
    """The text of a digest in the shape that the recipient takes."""
    digits = digested.hex()
    match shape:
        case "hex64":
            return digits
        case "hex32":
            return digits[:32]
        case "uuid":
            return str(uuid.uuid5(uuid.NAMESPACE_OID, digits))
        case "uuid4":
            named = uuid.uuid5(uuid.NAMESPACE_OID, digits)
            return str(uuid.UUID(bytes=named.bytes, version=4))


def fingerprint(secret: Secret, query: Mapping[str, Any], header: Mapping[str, Any], body: Any) -> str:
    """The hex HMAC of a request's tagged `{query, header, body}`."""
    return digest(secret, rfc8785.dumps(tagged({"query": query, "header": header, "body": body}))).hex()


def declaration_digest(operation: Operation) -> str:
    """The hex digest of a declaration, as the store holds it beside the operation's name. What is only proposed, and
    `x-` members, do not count."""
    printed = print_operation(operation.effective())
    counted = {name: member for name, member in printed.items() if name != "status" and not name.startswith("x-")}
    return hashlib.sha256(rfc8785.dumps(counted)).hexdigest()


__all__ = [
    "ABSENT_VALUE", "MISSING", "Secret", "Secrets", "Shape", "call_parts", "declaration_digest", "digest",
    "fingerprint", "key_text", "material", "tagged",
]  # fmt: skip
