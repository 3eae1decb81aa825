"""Keys that a provider's page promises and its document does not show: offered as known, never taken as found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from wizard.infer.detector import Subject
from wizard.infer.model import Confidence, Evidence, KeyProposal
from wizard.infer.tables import table
from wizard.spec.model import ApiDocument


@lru_cache(maxsize=1)
def _providers() -> tuple[Mapping[str, Any], ...]:
    return tuple(table("known_keys")["provider"])


def offered_keys(subject: Subject) -> tuple[KeyProposal, ...]:
    """The keys known from elsewhere for the subject's write, none where its document shows one.

    Each has `declared` False, and evidence whose `at` is the page that promises the key.
    """
    if subject.write is False or (subject.key is not None and subject.key.declared):
        return ()
    return tuple(_offered(subject))


def _offered(subject: Subject) -> Iterator[KeyProposal]:
    operation = subject.operation
    hosts = _hosts(subject.document, subject.shared) | _host_names(operation.servers)
    for provider in _providers():
        if operation.method not in provider["methods"] or provider["header"].lower() in _listed(subject):
            continue
        if any(host == end or host.endswith(f".{end}") for host in hosts for end in provider["hosts"]):
            yield KeyProposal(
                place="header",
                name=provider["header"],
                remembers_for=provider.get("for", ""),
                remembers=provider.get("remembers", ""),
                confidence=Confidence.LOW,
                evidence=(
                    Evidence(f"{provider['name']} documents the header `{provider['header']}`", provider["source"]),
                ),
                declared=False,
                why=(
                    f"The document shows no key; {provider['name']}'s page promises the header `{provider['header']}` "
                    f"({provider['source']})."
                ),
            )


def _listed(subject: Subject) -> frozenset[str]:
    """The headers that any operation lists: one that is listed elsewhere is not taken here."""
    if "all headers" not in subject.shared:
        subject.shared["all headers"] = frozenset(
            one.name.lower()
            for operation in subject.document.operations
            for one in operation.parameters
            if one.location == "header"
        )
    found: frozenset[str] = subject.shared["all headers"]
    return found


def _hosts(document: ApiDocument, shared: dict[str, Any]) -> frozenset[str]:
    """The host names of the document's servers, and of who its `info` says it is from."""
    if "hosts" not in shared:
        info = document.root.get("info")
        about = info if isinstance(info, Mapping) else {}
        contact = about.get("contact")
        said = [about.get("x-providerName"), contact.get("url") if isinstance(contact, Mapping) else None]
        given = tuple(one for one in said if isinstance(one, str))
        shared["hosts"] = _host_names((*document.servers, *given))
    found: frozenset[str] = shared["hosts"]
    return found


def _host_names(addresses: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name for address in addresses if (name := _host_name(address)))


@lru_cache(maxsize=4096)
def _host_name(address: str) -> str:
    try:
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").lower()
    except ValueError:
        return ""
