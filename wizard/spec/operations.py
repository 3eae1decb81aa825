"""The operations of a document, of whatever version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

from wizard.operation.field_path import url_variables
from wizard.spec.bodies import Bodies
from wizard.spec.files import DocumentFiles, Node
from wizard.spec.model import ApiOperation, Parameter, ParameterPlace, Raw
from wizard.spec.pointer import join
from wizard.spec.schema import Schemas
from wizard.spec.servers import servers_of
from wizard.spec.shapes import NO_SHAPE, both_shapes, examples, extensions, own_shape, text

_METHODS = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"})
_PLACES = frozenset(get_args(ParameterPlace))


class Operations:
    """Reads the operations of one document."""

    def __init__(self, files: DocumentFiles, root: Node, version: str) -> None:
        self._files = files
        self._root = root
        self._swagger = version.startswith(("1", "2"))
        self._schemas = Schemas(files)
        self._bodies = Bodies(files, self._schemas, root, swagger=self._swagger)
        self._servers = servers_of(files, root, ())
        self.raw = Raw(files.raw, files.led_to)
        self._security = root.value.get("security")
        self.webhooks: list[str] = []
        self._ids: dict[str, str] = {}
        self._known_parameters: dict[str, Parameter] = {}

    @property
    def servers(self) -> tuple[str, ...]:
        return self._servers

    def read(self) -> tuple[ApiOperation, ...]:
        """All operations, in the document's order. Notes problems and webhooks on the way."""
        for word in ("webhooks", "x-webhooks"):
            self.webhooks += self._root.mapping(word)
        paths = self._root.get("paths")
        if paths is None or not isinstance(paths.value, dict):
            if paths is not None and paths.value is not None:
                self._files.say("`paths` is no mapping", paths.pointer)
            return ()
        return tuple(found for name in paths.value for found in self._path(paths, name))

    def _path(self, paths: Node, name: str) -> Iterator[ApiOperation]:
        written = paths.get(name)
        if written is None or name[:2].lower() == "x-":
            return
        if not isinstance(written.value, dict):
            if written.value is not None:
                self._files.say("a path is a mapping of methods", written.pointer)
            return
        item = self._files.follow(written)
        if item is None or not isinstance(item.value, dict):
            return
        items = [item] if item.value is written.value else [written, item]
        seen: set[str] = set()
        for one in items:
            for method, node in self._methods(one):
                # What stands beside a path's `$ref` goes before what it leads to.
                if method not in seen:
                    seen.add(method)
                    yield self._operation(method, name, node, items)

    def _methods(self, item: Node) -> Iterator[tuple[str, Node]]:
        for word, value in item.value.items():
            if word.lower() in _METHODS:
                if isinstance(value, dict):
                    followed = self._files.follow(Node(item.file, join(item.pointer, word), value))
                    if followed is not None and isinstance(followed.value, dict):
                        yield word.upper(), followed
                elif value is not None:
                    self._files.say("an operation is a mapping", join(item.pointer, word))
        more = item.get("additionalOperations")
        for word in item.mapping("additionalOperations"):
            node = more.get(word) if more else None
            if node is not None and isinstance(node.value, dict):
                yield word, node

    def _operation(self, method: str, path: str, node: Node, items: list[Node]) -> ApiOperation:
        value = node.value
        parameters, bodies = self._parameters(path, node, items)
        operation_id = text(value.get("operationId"))
        if operation_id:
            first = self._ids.setdefault(operation_id, f"{method} {path}")
            if first != f"{method} {path}":
                self._files.say(
                    f"the operationId `{operation_id}` is that of `{first}` too", join(node.pointer, "operationId")
                )
        for event in node.mapping("callbacks"):
            self.webhooks.append(event)
        tags = value.get("tags")
        servers = next((found for one in (node, *items) if (found := servers_of(self._files, one, None))), None)
        above: dict[str, Any] = {}
        for item in items:
            above |= extensions(item.value)
        security = value["security"] if isinstance(value.get("security"), list) else self._security
        media_types, read_body = self._bodies.request(node, bodies)
        return ApiOperation(
            method=method,
            path=path,
            operation_id=operation_id,
            pointer=node.pointer,
            summary=text(value.get("summary")) or next((text(one.value.get("summary")) for one in items), ""),
            description=text(value.get("description"))
            or next((text(one.value.get("description")) for one in items), ""),
            tags=tuple(text(tag) for tag in tags) if isinstance(tags, list) else (),
            deprecated=value.get("deprecated") is True,
            parameters=parameters,
            responses=self._bodies.responses(node),
            servers=servers or self._servers,
            extensions={**above, **extensions(value)},
            security=_security(security),
            media_types=media_types,
            read_body=read_body,
            raw=self.raw,
        )

    def _parameters(self, path: str, node: Node, items: list[Node]) -> tuple[tuple[Parameter, ...], list[Node]]:
        """The parameters, and the nodes of Swagger 2.0's that are the body or its form fields."""
        found: dict[tuple[str, str], Parameter] = {}
        bodies: dict[tuple[str, str], Node] = {}
        for holder in (node, *items):
            listed = holder.get("parameters")
            if listed is None or not isinstance(listed.value, list):
                continue
            for index in range(len(listed.value)):
                element = listed.get(index)
                followed = self._files.follow(element) if element is not None else None
                if followed is None:
                    continue
                if not isinstance(followed.value, dict):
                    self._files.say("a parameter is a mapping", followed.pointer)
                    continue
                name, place = text(followed.value.get("name")), text(followed.value.get("in"))
                if place in ("body", "formData"):
                    bodies.setdefault((place, name if place == "formData" else ""), followed)
                elif place not in _PLACES or not name:
                    self._files.say(
                        "a parameter has a `name` and says `in`: path, query, header or cookie", followed.pointer
                    )
                elif (place, name) not in found:
                    found[place, name] = self._parameter(name, place, followed)
        for name in url_variables(path.partition("?")[0]):
            if name and ("path", name) not in found:
                self._files.say(f"`{{{name}}}` in the path has no parameter", items[0].pointer)
                found["path", name] = Parameter(
                    name=name, location="path", required=True, shape=NO_SHAPE, pointer=items[0].pointer
                )
        return tuple(found.values()), list(bodies.values())

    def _parameter(self, name: str, place: Any, node: Node) -> Parameter:
        known = self._known_parameters.get(node.pointer)
        if known is None:
            known = self._known_parameters[node.pointer] = self._read_parameter(name, place, node)
        return known

    def _read_parameter(self, name: str, place: Any, node: Node) -> Parameter:
        value = node.value
        schema = node.get("schema")
        if schema is None:
            content = node.get("content")
            media = next(iter(node.mapping("content")), None)
            typed = content.get(media) if content is not None and media is not None else None
            schema = typed.get("schema") if typed is not None else None
        if schema is not None:
            shape = self._schemas.view(schema).shape
            own = own_shape({word: said for word, said in value.items() if word[:2] == "x-" or word == "deprecated"})
            shape = both_shapes(own, shape)
        else:
            shape = own_shape(value)
        given = examples(value)
        if given and schema is not None:
            shape = replace(shape, examples=given + shape.examples)
        return Parameter(
            name=name,
            location=place,
            required=value.get("required") is True or place == "path",
            shape=shape,
            pointer=node.pointer,
            description=text(value.get("description")) or shape.description,
        )


def _security(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(dict.fromkeys(name for one in value if isinstance(one, dict) for name in one))
