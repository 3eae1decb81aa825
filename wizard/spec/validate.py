"""Requests and answers of one operation, checked against its document by openapi-core.

openapi-core costs most of a second to import, so it is imported in one function, and only whoever asks for a checker
pays. The document that it is given is cut down to the operation (`cutdown`), with the schemas brought in as values
reach them (`plain`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, unquote

from wizard.spec.cutdown import MULTIPART, cut_down, is_json
from wizard.spec.fitting import WITH_ARTICLE, format_checker, sentences, shortened, shown, validator_class
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.spec.plain import PlainSchemas

Headers = Sequence[tuple[str, str]]


@dataclass
class Checker:
    """Checks the requests and the answers of one operation. What a document says that cannot be checked passes."""

    operation: ApiOperation
    cannot: str = ""
    """Why nothing is checked: one sentence; empty where it is."""
    _request: Callable[[Any], list[Exception]] | None = None
    _answer: Callable[[Any], list[Exception]] | None = None

    def request(self, method: str, url: str, headers: Headers, body: bytes | None) -> tuple[str, ...]:
        """What is wrong with a request of this operation, one sentence each; empty where it is fine.

        Credentials are not looked at, nor is the host.
        """
        if method.upper() != self.operation.method:
            return (f"the method is {method.upper()}, and the operation's is {self.operation.method}",)
        variables = self.path_variables(url)
        if variables is None:
            path = url.partition("://")[2].partition("/")[2].partition("?")[0]
            return (f"the path `{shortened('/' + path)}` is not the operation's `{self.operation.path}`",)
        if self._request is None:
            return ()
        return self._said(self._request, _Request(self.operation, url, headers, body, variables))

    def answer(self, status: int, headers: Headers, body: bytes) -> tuple[str, ...]:
        """What is wrong with an answer to this operation, one sentence each; empty where it is fine."""
        if self._answer is None:
            return ()
        known = {response.status for response in self.operation.responses}
        if not known & {str(status), f"{status // 100}XX", "default"}:
            listed = ", ".join(sorted(known)) or "none"
            return (f"the answer is {status}, which the document does not have; it has {listed}",)
        return self._said(self._answer, _Answer(status, headers, body))

    def path_variables(self, url: str) -> dict[str, str] | None:
        """The values that the operation's path has in a URL; None where it is another path."""
        path = unicodedata.normalize("NFC", url.partition("://")[2].partition("#")[0].partition("?")[0])
        found = self._path.search(path)
        return None if found is None else {
            name: unquote(value) for name, value in zip(self._names, found.groups(), strict=True)
        }  # fmt: skip

    @cached_property
    def _names(self) -> list[str]:
        return re.findall(r"\{([^{}]*)\}", _plain_path(self.operation.path))

    @cached_property
    def _path(self) -> re.Pattern[str]:
        parts = re.split(r"\{[^{}]*\}", _plain_path(self.operation.path))
        return re.compile("([^/]+?)".join(re.escape(part) for part in parts) + "$")

    def _said(self, check: Callable[[Any], list[Exception]], message: Any) -> tuple[str, ...]:
        try:
            errors = check(message)
        except Exception as error:  # what openapi-core makes of a broken document is no fault of the message
            self.cannot = self.cannot or _why_not(error)
            return ()
        found = [told for error in errors for told in _told(error, message.called, message.media_type)]
        return tuple(dict.fromkeys(found))


def checker(document: ApiDocument, operation: ApiOperation) -> Checker:
    """What checks the requests and answers of one operation.

    Costs the import of openapi-core the first time and some milliseconds for each operation. Where openapi-core cannot
    take the document, the checker's `cannot` says so and everything passes. Raises nothing.
    """
    made = Checker(operation)
    try:
        cut = cut_down(
            document.raw, operation, PlainSchemas(document.raw, "request"), PlainSchemas(document.raw, "answer")
        )
        made._request, made._answer = _validators(cut)
    except Exception as error:  # a document that nobody can read is still rehearsed
        made.cannot = _why_not(error)
    return made


def _validators(
    cut: dict[str, Any],
) -> tuple[Callable[[Any], list[Exception]], Callable[[Any], list[Exception]]]:
    """What gives openapi-core's errors for a request and for an answer."""
    from jsonschema_path import SchemaPath
    from openapi_core.casting.schemas import oas31_types_caster
    from openapi_core.casting.schemas.factories import SchemaCastersFactory
    from openapi_core.templating.datatypes import TemplateResult
    from openapi_core.templating.paths.datatypes import PathOperationServer
    from openapi_core.validation.request.validators import V31RequestValidator
    from openapi_core.validation.response.validators import V31ResponseValidator
    from openapi_core.validation.schemas.factories import SchemaValidatorsFactory
    from openapi_core.validation.schemas.validators import SchemaValidator

    class Kept(SchemaValidatorsFactory):
        """Makes each schema's validator once: openapi-core copies all formats for each value that it looks at."""

        def __init__(self) -> None:
            super().__init__(validator_class(), format_checker())
            self._kept: dict[int, tuple[Any, SchemaValidator]] = {}

        def create(self, spec: SchemaPath, schema: SchemaPath, *_: Any, **__: Any) -> SchemaValidator:
            with schema.resolve() as resolved:
                contents = resolved.contents
                known = self._kept.get(id(contents))
                if known is None:
                    made: Any = validator_class()
                    validator = made(contents, _resolver=resolved.resolver, format_checker=self.format_checker)
                    # The contents are kept too, so that no other schema takes their id.
                    known = self._kept[id(contents)] = (contents, SchemaValidator(schema, validator))
            return known[1]

    class OnlyOne:
        """Finds the one operation, whatever the host: the path was looked at before."""

        def __init__(self, spec: SchemaPath, base_url: str | None = None) -> None:
            path = spec / "paths" / "/"
            self._found = PathOperationServer(path, path / "any", None, TemplateResult("/", {}), TemplateResult("", {}))

        def find(self, method: str, name: str) -> PathOperationServer:
            return self._found

    factory = Kept()
    operation = cut["paths"]["/"]["any"]
    named = [name for part in _contents(operation) for name in part]
    given: dict[str, Any] = {
        "schema_validators_factory": factory, "path_finder_cls": OnlyOne,
        "schema_casters_factory": SchemaCastersFactory(factory, oas31_types_caster),
        "extra_media_type_deserializers": {
            **{name: _read_json for name in named if is_json(name)},
            **{name: _untouched for name in named if "*" in name},
            MULTIPART: _read_multipart,
        },
    }  # fmt: skip
    answers = V31ResponseValidator(SchemaPath.from_dict(cut), **given)
    by_parameters: dict[frozenset[int], V31RequestValidator] = {}

    def request_errors(request: _Request) -> list[Exception]:
        # openapi-core takes a millisecond for each parameter that could be there and is not; some have hundreds.
        wanted = frozenset(at for at, one in enumerate(operation["parameters"]) if one["required"] or request.has(one))
        validator = by_parameters.get(wanted)
        if validator is None:
            kept = [one for at, one in enumerate(operation["parameters"]) if at in wanted]
            smaller = {**cut, "paths": {"/": {"any": {**operation, "parameters": kept}}}}
            validator = by_parameters[wanted] = V31RequestValidator(SchemaPath.from_dict(smaller), **given)
        return list(validator.iter_errors(request))

    return request_errors, lambda answer: list(answers.iter_errors(_ASKED, answer))


# What openapi-core is given


class _Request:
    """A request in the form that openapi-core takes."""

    called = "the body"
    host_url, path, method = "http://host", "/", "any"

    def __init__(self, operation: ApiOperation, url: str, headers: Headers, body: bytes | None, path: Any) -> None:
        from openapi_core.datatypes import RequestParameters
        from werkzeug.datastructures import Headers as Fields
        from werkzeug.datastructures import ImmutableMultiDict

        query = url.partition("#")[0].partition("?")[2]
        pairs = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if value]
        self.parameters = RequestParameters(ImmutableMultiDict(pairs), Fields(_sendable(headers)), path=path)
        self.body = body or None
        self.content_type = _content_type(headers)
        self.media_type = self.content_type.partition(";")[0]

    def has(self, parameter: Mapping[str, Any]) -> bool:
        return parameter["name"] in self.parameters[parameter["in"]]


class _Answer:
    """An answer in the form that openapi-core takes."""

    called = "the answer"

    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        self.status_code = status
        self.headers: dict[str, str] = {}
        self.data = body or None
        self.content_type = _content_type(headers)
        self.media_type = self.content_type.partition(";")[0]


class _Asked:
    """The request that an answer answers: the one operation's."""

    host_url, path, method = "http://host", "/", "any"


_ASKED: Any = _Asked()


def _sendable(headers: Headers) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers if value and "\n" not in value and "\r" not in value]


def _content_type(headers: Headers) -> str:
    """The media type in lower case, with its boundary where it has one."""
    given = next((value for name, value in headers if name.lower() == "content-type"), "")
    bare = given.partition(";")[0].strip().lower()
    boundary = re.search(r';\s*boundary="?([^";=]+)"?', given, re.IGNORECASE)
    return f"{bare}; boundary={boundary[1].strip()}" if boundary else bare


def _read_json(data: bytes, **_: str) -> Any:
    def refused(word: str) -> Any:
        raise ValueError(word)

    try:
        return json.loads(data, parse_constant=refused)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _read_multipart(data: bytes, **parameters: str) -> Any:
    from openapi_core.deserializing.media_types.util import data_form_loads

    try:
        return data_form_loads(data, **{"charset": "utf-8", **parameters})
    except (AssertionError, LookupError) as error:
        raise ValueError("no parts") from error


def _untouched(data: bytes, **_: str) -> Any:
    return data


def _contents(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield holder.get("content", {})


def _plain_path(path: str) -> str:
    return unicodedata.normalize("NFC", path.partition("#")[0].partition("?")[0])


# What openapi-core says


def _told(error: Exception, called: str, media_type: str) -> Iterator[str]:
    """The sentences for one error of openapi-core's: it, or what it came from, is of a known kind."""
    from openapi_core.casting.schemas.exceptions import CastError
    from openapi_core.deserializing.exceptions import DeserializeError
    from openapi_core.templating.media_types.exceptions import MediaTypeNotFound
    from openapi_core.validation.request.exceptions import (
        MissingParameterError,
        MissingRequestBodyError,
        ParameterValidationError,
    )
    from openapi_core.validation.response.exceptions import MissingData
    from openapi_core.validation.schemas.exceptions import InvalidSchemaValue

    whole = called
    if isinstance(error, ParameterValidationError):
        whole = f"the {error.location} parameter `{error.name}`" if error.location != "header" else (
            f"the header `{error.name}`"
        )  # fmt: skip
    for cause in _causes(error):
        match cause:
            case InvalidSchemaValue():
                yield from sentences(cause.schema_errors, whole)  # type: ignore[arg-type]
            case CastError():
                wanted = WITH_ARTICLE.get(str(cause.type), "another value")
                yield f"{whole} is {shown(cause.value)}; the schema asks for {wanted}"
            case MissingParameterError():
                yield f"{whole} is missing, and the document requires it"
            case MissingRequestBodyError():
                yield "the request has no body, and the document requires one"
            case MissingData():
                yield "the answer has no body, and the document shows one"
            case MediaTypeNotFound():
                takes = " or ".join(f"`{name}`" for name in list(cause.availableMimetypes)[:5])
                has = f"is `{media_type}`" if media_type else "has no `Content-Type`"
                yield f"{called} {has}; the document has {takes}"
            case DeserializeError():
                kind = "JSON" if is_json(media_type) else f"`{media_type}`"
                yield f"{whole} cannot be read" + (f" as {kind}" if whole == called else " as its style asks")
            case _:
                continue
        return
    yield f"{whole} is not as the document asks: {shortened(str(error))}"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from, the first cause first."""
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in chain:
        chain.append(at)
        at = at.__cause__
    yield from reversed(chain)


def _why_not(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the operation is not checked against its document: a schema of it is nested too deep"
    return f"the operation is not checked against its document: {type(error).__name__}, {shortened(str(error))}"
