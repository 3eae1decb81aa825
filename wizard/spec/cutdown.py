"""A document cut down to one operation, in the form that openapi-core takes: OpenAPI 3.1, plain schemas, no security.

What is cut down is made from the raw document, of whatever version. Parameters keep a schema for what can be told of
one text or a list of texts; what is an object in a query (`filter[name]`) is not looked at. Bodies in JSON keep their
whole schema, forms the fields that are texts, numbers or lists; of other media types only the name is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wizard.spec.model import ApiOperation, Body, Parameter, Raw
from wizard.spec.plain import Plain, PlainSchemas
from wizard.spec.pointer import join
from wizard.spec.shapes import text
from wizard.spec.transport import from_transport

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
MULTIPART = "multipart/form-data"
_IGNORED = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that OpenAPI itself ignores."""
_SCALARS = frozenset({"string", "number", "integer", "boolean"})
_TOLD_OF_TEXT = (
    "enum", "const", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf",
)  # fmt: skip
_STYLES = {
    "csv": ("simple", False), "ssv": ("spaceDelimited", False), "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}  # fmt: skip


def is_json(media_type: str) -> bool:
    bare = media_type.partition(";")[0].strip().lower()
    return bare.endswith(("/json", "+json"))


def cut_down(raws: Raw, operation: ApiOperation, requests: PlainSchemas, answers: PlainSchemas) -> dict[str, Any]:
    """The document that holds this operation alone, under `/`."""
    raw = raws.resolve(operation.pointer)
    raw = raw if isinstance(raw, dict) else {}
    made: dict[str, Any] = {
        "parameters": list(_parameters(raws, operation, requests)),
        "responses": _responses(raws, operation, answers),
    }
    body = _request_body(raws, operation, raw, requests)
    if body is not None:
        made["requestBody"] = body
    return {"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/": {"any": made}}}


# Parameters


def _parameters(raws: Raw, operation: ApiOperation, schemas: PlainSchemas) -> Iterator[dict[str, Any]]:
    keys = credential_names(raws)
    for parameter in operation.parameters:
        raw = raws.resolve(parameter.pointer)
        name, place = parameter.name, parameter.location
        ignored = place == "header" and name.lower() in _IGNORED
        if not isinstance(raw, dict) or "in" not in raw or ignored or place == "cookie" or (place, name) in keys:
            continue
        schema, whole = _parameter_schema(raw, parameter.pointer, schemas)
        required = parameter.required and whole and not from_transport(place, name)
        # An object is sent under other names (`filter[name]`), so that its own is missing.
        made: dict[str, Any] = {
            "name": name, "in": place, "required": required, "schema": schema, **_style(raw, place),
        }  # fmt: skip
        yield made


def credential_names(raws: Raw) -> frozenset[tuple[str, str]]:
    """Place and name of the parameters that are credentials: they are the transport's."""
    found = set()
    for pointer in ("#/components/securitySchemes", "#/securityDefinitions"):
        schemes = raws.resolve(pointer)
        for name, scheme in schemes.items() if isinstance(schemes, dict) else ():
            if isinstance(scheme, dict) and isinstance(scheme.get("$ref"), str):
                target = raws.follow(join(pointer, name), scheme["$ref"])
                scheme = target[1] if target is not None else None  # noqa: PLW2901
            if isinstance(scheme, dict) and scheme.get("type") == "apiKey":
                found.add((text(scheme.get("in")), text(scheme.get("name"))))
    return frozenset(found)


def _parameter_schema(raw: dict[str, Any], pointer: str, schemas: PlainSchemas) -> tuple[Plain, bool]:
    """What can be told of a parameter's text or texts; and whether it is sent under its own name at all."""
    content = raw.get("content")
    if isinstance(content, dict) and content:
        return {}, True
    if "schema" in raw:
        schema = schemas.plain(join(pointer, "schema"), raw["schema"])
    else:
        schema = schemas.plain(pointer, {word: said for word, said in raw.items() if word != "required"})
    simple = simplified(schema)
    whole = simple.get("type") != "object" and raw.get("style") != "deepObject"
    if simple.get("items", {}).get("type") in ("object", "array"):
        simple["items"] = {}
    return simple if whole else {}, whole


def simplified(schema: Plain, depth: int = 0) -> dict[str, Any]:
    """What a plain schema says of a text, a number, or an array of them; empty where it is more than that.

    `{"type": "object"}` stands for any object.
    """
    if depth > 8:
        return {}
    if "x-later" in schema:
        rest = {word: said for word, said in schema.items() if word != "x-later"}
        return {**simplified(schema["x-later"].schema, depth + 1), **simplified(rest, depth + 1)}
    if "allOf" in schema:
        merged: dict[str, Any] = {}
        for part in (*schema["allOf"], {word: said for word, said in schema.items() if word != "allOf"}):
            merged.update(simplified(part, depth + 1))
        return merged
    if "anyOf" in schema:
        real = [one for one in schema["anyOf"] if one.get("type") != "null"]
        return simplified(real[0], depth + 1) if len(real) == 1 else {}
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = [one for one in kind if one != "null"]
        kind = kinds[0] if len(kinds) == 1 else None
        if kind is None:
            return {}
    if kind == "object" or schema.get("properties"):
        return {"type": "object"}
    if kind == "array":
        return {"type": "array", "items": simplified(schema.get("items", {}), depth + 1)}
    made = {word: schema[word] for word in _TOLD_OF_TEXT if word in schema}
    if kind in _SCALARS:
        made["type"] = kind
    elif not all(isinstance(one, str) for one in made.get("enum", ())):
        made.pop("enum")
    return made


def _style(raw: dict[str, Any], place: str) -> dict[str, Any]:
    collection = raw.get("collectionFormat")
    if isinstance(collection, str) and "schema" not in raw:
        style, explode = _STYLES.get(collection, ("simple", False))
        return {"style": "form" if place == "query" and style == "simple" else style, "explode": explode}
    if "schema" not in raw and "content" not in raw:
        # Swagger 2.0: values parted by commas.
        return {"style": "form" if place == "query" else "simple", "explode": False}
    made: dict[str, Any] = {}
    if raw.get("style") in ("form", "simple", "spaceDelimited", "pipeDelimited"):
        made["style"] = raw["style"]
    if isinstance(raw.get("explode"), bool):
        made["explode"] = raw["explode"]
    if made.get("style") in ("spaceDelimited", "pipeDelimited"):
        made["explode"] = False
    return made


def parameter_schema(raws: Raw, parameter: Parameter, schemas: PlainSchemas) -> Plain:
    """What can be told of a parameter's text, or texts."""
    raw = raws.resolve(parameter.pointer)
    if not isinstance(raw, dict) or "in" not in raw:
        return {}
    return _parameter_schema(raw, parameter.pointer, schemas)[0]


# Bodies


def body_schema(raws: Raw, body: Body, schemas: PlainSchemas) -> Plain:
    """The whole schema of a body; of a form of Swagger 2.0 the object of its fields."""
    raw = raws.resolve(body.pointer)
    if not isinstance(raw, list):
        return schemas.plain(body.pointer, raw)
    return _form_of([(field.pointer, raws.resolve(field.pointer)) for field in body.fields], schemas)


def _form_of(fields: Iterable[tuple[str, Any]], schemas: PlainSchemas) -> dict[str, Any]:
    """The object of the `formData` parameters of Swagger 2.0."""
    form: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for at, field in fields:
        bare = {word: said for word, said in field.items() if word != "required"}
        form["properties"][text(field.get("name"))] = schemas.plain(at, bare)
        if field.get("required") is True:
            form["required"].append(text(field.get("name")))
    return form


def _request_body(
    raws: Raw, operation: ApiOperation, raw: dict[str, Any], schemas: PlainSchemas
) -> dict[str, Any] | None:
    pointer, holder = _followed(raws, join(operation.pointer, "requestBody"), raw.get("requestBody"))
    if isinstance(holder, dict):
        content = _content(raws, join(pointer, "content"), holder.get("content"), schemas)
        return {"required": holder.get("required") is True and bool(content), "content": content} if content else None
    whole, fields = _swagger_body(raws, operation, raw)
    names = operation.media_types or (JSON,)
    if whole is not None:
        at, parameter = whole
        schema = schemas.plain(join(at, "schema"), parameter.get("schema"))
        made = {name: _media(name, schema) for name in names}
        return {"required": parameter.get("required") is True, "content": _with_wildcards(made)}
    if not fields:
        return None
    form = _form_of(fields, schemas)
    return {"required": bool(form["required"]), "content": {name: _media(name, form) for name in names}}


def _swagger_body(
    raws: Raw, operation: ApiOperation, raw: dict[str, Any]
) -> tuple[tuple[str, dict[str, Any]] | None, list[tuple[str, dict[str, Any]]]]:
    """The `body` parameter and the `formData` parameters of Swagger 2.0, each with where it stands."""
    whole: tuple[str, dict[str, Any]] | None = None
    fields: dict[str, tuple[str, dict[str, Any]]] = {}
    path_pointer = operation.pointer.rpartition("/")[0]
    item = raws.resolve(path_pointer)
    holders = ((operation.pointer, raw), (path_pointer, item if isinstance(item, dict) else {}))
    for pointer, holder in holders:
        listed = holder.get("parameters")
        for at, written in enumerate(listed if isinstance(listed, list) else ()):
            place, parameter = _followed(raws, join(pointer, "parameters", at), written)
            if not isinstance(parameter, dict):
                continue
            if parameter.get("in") == "body" and whole is None:
                whole = (place, parameter)
            elif parameter.get("in") == "formData" and text(parameter.get("name")):
                fields.setdefault(text(parameter["name"]), (place, parameter))
    return whole, list(fields.values())


def _content(raws: Raw, pointer: str, content: Any, schemas: PlainSchemas) -> dict[str, Any]:
    made = {}
    for name, written in content.items() if isinstance(content, dict) else ():
        at, typed = _followed(raws, join(pointer, name), written)
        schema = typed.get("schema") if isinstance(typed, dict) else None
        made[name] = _media(name, schemas.plain(join(at, "schema"), schema))
    return _with_wildcards(made)


def _with_wildcards(content: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Media types as they are compared: in lower case, without parameters. What a range (`*/*`) says is said of JSON,
    and of anything else nothing."""
    made: dict[str, Any] = {}
    for name, media in content.items():
        bare = name.partition(";")[0].strip().lower()
        if "*" in bare:
            made.setdefault(JSON, media)
            made[bare] = {}
        elif bare not in made or "schema" in media:
            made[bare] = media
    return made


def _media(name: str, schema: Plain) -> dict[str, Any]:
    bare = name.partition(";")[0].strip().lower()
    if is_json(bare) or "*" in bare:
        return {"schema": schema}
    if bare in (FORM, MULTIPART):
        return {"schema": _form(schema, texts=bare == MULTIPART)}
    return {}


def _form(schema: Plain, *, texts: bool) -> dict[str, Any]:
    """A form's fields. `texts`: each is a text (a part of a multipart body has no type)."""
    properties: dict[str, Any] = {}
    required: set[str] = set()
    for part in _parts(schema):
        required |= set(part.get("required", ()))
        for name, member in part.get("properties", {}).items():
            properties[name] = {"x-kept-out": member["x-kept-out"]} if "x-kept-out" in member else simplified(member)
    for name, member in properties.items():
        binary = member.get("format") in ("binary", "byte", "base64")
        if member.get("type") == "object" or (texts and (member.get("type") != "string" or binary)):
            properties[name] = {}
            required -= {name} if member.get("type") in ("object", "array") else set()
    # An object is sent as several fields (`card[number]`), so that its own name is missing.
    return {"type": "object", "properties": properties, "required": sorted(required & set(properties))}


def _parts(schema: Plain, depth: int = 0) -> Iterator[Plain]:
    if depth > 8:
        return
    yield schema
    if "x-later" in schema:
        yield from _parts(schema["x-later"].schema, depth + 1)
    for part in schema.get("allOf", ()):
        yield from _parts(part, depth + 1)


def _responses(raws: Raw, operation: ApiOperation, schemas: PlainSchemas) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for response in operation.responses:
        raw = raws.resolve(response.pointer)
        if not isinstance(raw, dict):
            continue
        content = _content(raws, join(response.pointer, "content"), raw.get("content"), schemas)
        if not content and isinstance(raw.get("schema"), dict):
            schema = schemas.plain(join(response.pointer, "schema"), raw["schema"])
            content = _with_wildcards({name: _media(name, schema) for name in response.media_types or (JSON,)})
        made[response.status] = {"content": content} if content else {}
    return made


def _followed(raws: Raw, pointer: str, value: Any) -> tuple[str, Any]:
    for _ in range(64):
        ref = value.get("$ref") if isinstance(value, dict) else None
        if not isinstance(ref, str):
            return pointer, value
        target = raws.follow(pointer, ref)
        if target is None:
            return pointer, None
        pointer, value = target
    return pointer, None
