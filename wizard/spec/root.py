"""Whether a text is an API document at all, and of which version."""

from __future__ import annotations

from typing import Any

from wizard.errors import DocumentError
from wizard.spec.files import DocumentFiles, Node
from wizard.spec.shapes import text

_KNOWN = ("2.0", "3.0", "3.1", "3.2")
_OTHERS: tuple[tuple[str, str, str], ...] = (
    ("asyncapi", "an AsyncAPI document", "Its messages are no HTTP operations; give the API's OpenAPI document."),
    ("overlay", "an OpenAPI Overlay", "Give the document that it applies to, and the overlay beside it."),
    ("arazzo", "an Arazzo document", "Give the OpenAPI document that it describes workflows of."),
    ("swaggerVersion", "a Swagger 1 document", "Convert it to OpenAPI 3 first."),
    ("smithy", "a Smithy model", "Generate an OpenAPI document from it first."),
    ("$schema", "a JSON Schema", "Give the OpenAPI document that uses it."),
)  # fmt: skip


def check_root(value: Any, place: str) -> None:
    """Raises DocumentError where the value is no API document, and says what it is instead."""
    if not isinstance(value, dict):
        kind = {list: "a list", str: "a text", type(None): "nothing"}.get(type(value), "a single value")
        raise DocumentError(
            f"this is {kind}, no OpenAPI document", place=place,
            remedy="An OpenAPI document is a mapping with `openapi`, `info` and `paths`.",
        )  # fmt: skip
    if "openapi" in value or "swagger" in value or isinstance(value.get("paths"), dict):
        return
    info = value.get("info")
    if isinstance(info, dict) and "getpostman" in text(info.get("schema")):
        raise DocumentError(
            "this is a Postman collection, no OpenAPI document", place=place, remedy="Convert it to OpenAPI first."
        )
    for name, what, remedy in _OTHERS:
        if name in value:
            raise DocumentError(f"this is {what}, no OpenAPI document", place=place, remedy=remedy)
    raise DocumentError(
        "this is no OpenAPI document: it has none of `openapi`, `swagger` and `paths`", place=place,
        remedy="Give the file that holds the `paths` of the API.",
    )  # fmt: skip


def version_of(root: Node, files: DocumentFiles) -> str:
    """The version as written; where there is none, what the document looks like."""
    value = root.value
    written = text(value.get("openapi")) or text(value.get("swagger"))
    if not written:
        like = "2.0" if "definitions" in value or "basePath" in value or "host" in value else "3.0"
        files.say(f"it does not say its version; it is read as {like}", root.pointer)
        return like
    if not written.startswith(_KNOWN):
        files.say(f"version `{written}` is not known; it is read as the nearest that is", _pointer(root))
    if "paths" not in value and not any(word in value for word in ("webhooks", "components")):
        files.say("it has no `paths`", root.pointer)
    return written


def _pointer(root: Node) -> str:
    return f"{root.pointer}/{'openapi' if 'openapi' in root.value else 'swagger'}"
