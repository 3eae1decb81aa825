"""Request bodies and answers, worked out when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wizard.spec.fields import Flattened, flatten, quoted
from wizard.spec.files import DocumentFiles, Node
from wizard.spec.model import Body, Field, Response, Shape
from wizard.spec.pointer import join
from wizard.spec.schema import Schemas
from wizard.spec.shapes import own_shape, text
from wizard.spec.views import schema_name

_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"


def media_rank(media_type: str) -> int:
    """How well a media type suits a body of fields; the lowest best."""
    bare = media_type.partition(";")[0].strip().lower()
    if bare == "application/json":
        return 0
    if bare.endswith("/json"):
        return 1
    if bare.endswith("+json"):
        return 3 if bare in ("application/merge-patch+json", "application/json-patch+json") else 2
    if bare == _FORM:
        return 4
    if bare.startswith("multipart/"):
        return 5
    return 6 if bare in ("*/*", "application/*") else 7


class Bodies:
    """Reads the bodies of one document's operations."""

    def __init__(self, files: DocumentFiles, schemas: Schemas, root: Node, *, swagger: bool) -> None:
        self._files = files
        self._schemas = schemas
        self._root = root
        self._swagger = swagger
        self._flat: dict[tuple[str, bool], Flattened] = {}
        self._responses: dict[tuple[str, str], Response] = {}
        """By status and pointer: most documents share the answers of their errors."""

    def request(self, node: Node, swagger_body: list[Node]) -> tuple[tuple[str, ...], Callable[[], Body | None]]:
        """The media types of an operation's request body, and what reads it."""
        written = node.get("requestBody")
        if written is None or written.value is None:
            if swagger_body:
                return self._swagger_request(node, swagger_body)
            return (), _none
        found = self._files.follow(written)
        if found is None or not isinstance(found.value, dict):
            return (), _none
        return tuple(found.mapping("content")), lambda: self._content(found, request=True)

    def responses(self, node: Node) -> tuple[Response, ...]:
        written = node.get("responses")
        if written is None or not isinstance(written.value, dict):
            return ()
        made = []
        for status in written.value:
            if status[:2].lower() == "x-":
                continue
            element = written.get(status)
            found = self._files.follow(element) if element is not None else None
            if found is not None and isinstance(found.value, dict):
                known = self._responses.get((status, found.pointer))
                if known is None:
                    known = self._response(status, node, found)
                    if "schema" not in found.value:
                        self._responses[status, found.pointer] = known
                made.append(known)
        return tuple(made)

    def _response(self, status: str, operation: Node, node: Node) -> Response:
        if node.get("schema") is not None and not node.mapping("content"):
            media_types = self._media_types("produces", operation) or ("application/json",)
            schema = node.get("schema")
            given = node.mapping("examples")

            def read() -> Body | None:
                if schema is None:
                    return None
                media = min(media_types, key=media_rank)
                shown = (given[media],) if media in given else tuple(given.values())[:1]
                return self._body(media, schema, required=False, examples=shown, request=False)
        else:
            media_types = tuple(node.mapping("content"))

            def read() -> Body | None:
                return self._content(node, request=False)

        headers, links = {}, {}
        for name, element in self._named(node, "headers"):
            headers[name] = text(element.value.get("description"))
        for name, element in self._named(node, "links"):
            links[name] = element.value
        return Response(
            status=status.upper() if status[1:].lower() == "xx" else status,
            description=text(node.value.get("description")),
            pointer=node.pointer,
            headers=headers,
            links=links,
            media_types=media_types,
            read_body=read,
        )

    def _named(self, node: Node, word: str) -> list[tuple[str, Node]]:
        holder = node.get(word)
        found = []
        for name in node.mapping(word):
            element = holder.get(name) if holder is not None else None
            followed = self._files.follow(element) if element is not None else None
            if followed is not None and isinstance(followed.value, dict):
                found.append((name, followed))
        return found

    def _content(self, holder: Node, *, request: bool) -> Body | None:
        """The body of a Request Body or Response Object."""
        content = holder.get("content")
        names = list(holder.mapping("content"))
        if content is None or not names:
            return None
        media = min(names, key=media_rank)
        typed = content.get(media)
        typed = self._files.follow(typed) if typed is not None else None
        if typed is None or not isinstance(typed.value, dict):
            return None
        schema = typed.get("schema") or typed.get("itemSchema")
        if schema is None:
            schema = Node(typed.file, typed.pointer, {})
        return self._body(
            media, schema, required=holder.value.get("required") is True, examples=self._examples(typed),
            request=request, description=text(holder.value.get("description")),
        )  # fmt: skip

    def _examples(self, typed: Node) -> tuple[Any, ...]:
        found = [typed.value["example"]] if "example" in typed.value else []
        for _, element in self._named(typed, "examples"):
            if "value" in element.value:
                found.append(element.value["value"])
            elif "dataValue" in element.value:
                found.append(element.value["dataValue"])
        return tuple(found)

    def _body(
        self, media: str, schema: Node, *, required: bool, examples: tuple[Any, ...], request: bool,
        description: str = "",
    ) -> Body:  # fmt: skip
        flat = self._flattened(schema, request)
        return Body(
            media_type=media, required=required, fields=flat.fields, element=flat.element, shape=flat.shape,
            pointer=schema.pointer, description=description, examples=examples + flat.shape.examples, cut=flat.cut,
            schema_name=flat.schema_name,
        )  # fmt: skip

    def _flattened(self, schema: Node, request: bool) -> Flattened:
        """The fields of a schema; what only refers to another has the other's, worked out once for all."""
        target = schema
        if isinstance(schema.value, dict) and len(schema.value) == 1:
            target = self._files.follow(schema) or schema
        known = self._flat.get((target.pointer, request))
        if known is None:
            known = flatten(self._schemas, target, request=request)
            self._flat[target.pointer, request] = known
        if target is schema:
            return known
        return replace(known, schema_name=schema_name(target.pointer) or known.schema_name)

    def _media_types(self, word: str, operation: Node) -> tuple[str, ...]:
        """`consumes` or `produces` of a Swagger 2.0 operation, or of the document."""
        for holder in (operation, self._root):
            listed = holder.value.get(word)
            if isinstance(listed, list) and listed:
                return tuple(text(one) for one in listed)
        return ()

    def _swagger_request(self, operation: Node, parts: list[Node]) -> tuple[tuple[str, ...], Callable[[], Body | None]]:
        consumes = self._media_types("consumes", operation)
        whole = next((part for part in parts if part.value.get("in") == "body"), None)
        if whole is not None:
            schema = whole.get("schema") or Node(whole.file, whole.pointer, {})
            media_types = consumes or ("application/json",)
            return media_types, lambda: self._body(
                min(media_types, key=media_rank), schema, required=whole.value.get("required") is True, examples=(),
                request=True, description=text(whole.value.get("description")),
            )  # fmt: skip
        has_file = any(part.value.get("type") == "file" for part in parts)
        forms = tuple(one for one in consumes if one in (_FORM, _MULTIPART))
        media_types = forms or ((_MULTIPART,) if has_file else (_FORM,))
        media = _MULTIPART if has_file and _MULTIPART in media_types else media_types[0]
        return media_types, lambda: _form(media, operation, parts)


def _form(media: str, operation: Node, parts: list[Node]) -> Body:
    fields = []
    for part in parts:
        name = text(part.value.get("name"))
        required = part.value.get("required") is True
        fields.append(
            Field(
                path=quoted(name),
                name=name,
                parent="",
                required=required,
                always=required,
                depth=0,
                composite=False,
                shape=own_shape(part.value),
                pointer=part.pointer,
                required_at=join(part.pointer, "required") if required else "",
            )
        )
    return Body(
        media_type=media, required=any(found.required for found in fields), fields=tuple(fields),
        shape=Shape(type="object"), pointer=join(operation.pointer, "parameters"),
    )  # fmt: skip


def _none() -> None:
    return None
