"""Servers: variables filled with their defaults, relative ones against the document's own URL."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from wizard.spec.files import DocumentFiles, Node
from wizard.spec.shapes import text

_VARIABLE = re.compile(r"\{([^{}]+)\}")


def servers_of(files: DocumentFiles, holder: Node, default: tuple[str, ...] | None) -> tuple[str, ...]:
    """The servers that a document, path or operation names; of Swagger 2.0 its host, base path and schemes."""
    value = holder.value
    listed = value.get("servers")
    base = files.root.location if isinstance(files.root.location, str) else ""
    if isinstance(listed, list):
        found = [_filled(server) for server in listed if isinstance(server, dict)]
        return tuple(dict.fromkeys(urljoin(base, url) if base else url for url in found if url))
    if default is None:
        return ()
    if "swagger" in value or "host" in value or "basePath" in value:
        return _of_swagger(value, base)
    return (urljoin(base, "/"),) if base else default


def _filled(server: dict[str, Any]) -> str:
    variables = server.get("variables")
    known = variables if isinstance(variables, dict) else {}

    def fill(found: re.Match[str]) -> str:
        variable = known.get(found[1])
        if not isinstance(variable, dict):
            return found[0]
        if "default" in variable:
            return text(variable["default"])
        choices = variable.get("enum")
        return text(choices[0]) if isinstance(choices, list) and choices else found[0]

    return _VARIABLE.sub(fill, text(server.get("url")))


def _of_swagger(value: dict[str, Any], base: str) -> tuple[str, ...]:
    own = urlsplit(base)
    host = text(value.get("host")).strip("/") or own.netloc
    path = text(value.get("basePath"))
    path = "" if path == "/" else path if path.startswith("/") or not path else f"/{path}"
    if not host:
        return (path,) if path else ()
    if "://" in host:
        return (host + path,)
    schemes = value.get("schemes")
    named = [text(one) for one in schemes] if isinstance(schemes, list) else []
    named = [one for one in named if one in ("http", "https")] or [own.scheme or "https"]
    named.sort(key=lambda scheme: scheme != "https")
    return tuple(dict.fromkeys(f"{scheme}://{host}{path}" for scheme in named))
